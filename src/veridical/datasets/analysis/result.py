"""What an analysis is made of, for people and for machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from veridical.core.geometry import Array
from veridical.datasets.analysis.motion import Motion, Spread


@dataclass(frozen=True)
class Dropped:
    """A frame that the quality filter would drop, and the rules that it breaks."""

    frame: int
    t_ns: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class StreamAnalysis:
    """One camera stream.

    Attributes:
        frames: How many it has.
        rate_hz: As calibrated.
        seconds: Stamps (n,) in seconds.
        measures: Values (n,) of each measure a frame; see `images` and `movers` for their meaning.
        moving_by: What told the moving things from the others; empty without instance images.
        dropped: What the quality filter lists.
    """

    frames: int
    rate_hz: float
    seconds: Array
    measures: dict[str, Array]
    moving_by: str
    dropped: tuple[Dropped, ...]

    @property
    def dynamic_frames(self) -> int | None:
        """Frames with at least one pixel of a thing that moves; None without instance images."""
        moving = self.measures.get("moving_percent")
        return None if moving is None else int((moving > 0).sum())

    @property
    def dynamic_coverage_percent(self) -> float | None:
        """Share of the image that moving things cover, mean over the dynamic frames; None without any."""
        moving = self.measures.get("moving_percent")
        if moving is None or not (moving > 0).any():
            return None
        return float(moving[moving > 0].mean())

    def mean(self, measure: str) -> float | None:
        """Mean of a measure over the frames that have it; None if none has."""
        values = self.measures.get(measure, np.zeros(0))
        values = values[np.isfinite(values)]
        return float(values.mean()) if len(values) else None

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        known = {name: v[np.isfinite(v)] for name, v in self.measures.items()}
        return {
            "frames": self.frames,
            "rate_hz": self.rate_hz,
            "dynamic_frames": self.dynamic_frames,
            "dynamic_coverage_percent": self.dynamic_coverage_percent,
            "moving_by": self.moving_by,
            "measures": {
                name: {"mean": float(v.mean()), "min": float(v.min()), "max": float(v.max())}
                for name, v in known.items()
                if len(v)
            },
            "dropped": [asdict(d) | {"reasons": list(d.reasons)} for d in self.dropped],
            "per_frame": {
                "t_s": self.seconds.tolist(),
                **{
                    name: [float(x) if np.isfinite(x) else None for x in v]
                    for name, v in self.measures.items()
                },
            },
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> StreamAnalysis:
        """The inverse of `to_json`."""
        columns = {name: np.array(v, float) for name, v in stored["per_frame"].items()}
        dropped = (Dropped(d["frame"], d["t_ns"], tuple(d["reasons"])) for d in stored["dropped"])
        return cls(
            stored["frames"],
            stored["rate_hz"],
            columns.pop("t_s"),
            columns,
            stored["moving_by"],
            tuple(dropped),
        )


@dataclass(frozen=True, eq=False)
class Analysis:
    """Of a dataset: motion by robot, images by camera stream."""

    robots: dict[str, Motion]
    streams: dict[str, StreamAnalysis]

    def to_json(self) -> dict[str, Any]:
        """JSON-able; `from_json` gives the same analysis back."""
        return {
            "robots": {name: asdict(motion) for name, motion in self.robots.items()},
            "streams": {name: stream.to_json() for name, stream in self.streams.items()},
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Analysis:
        """The inverse of `to_json`."""
        robots = {name: _motion(motion) for name, motion in stored["robots"].items()}
        streams = {name: StreamAnalysis.from_json(stream) for name, stream in stored["streams"].items()}
        return cls(robots, streams)

    def __str__(self) -> str:
        blocks = []
        if self.robots:
            rows = [(name, *motion_cells(motion)) for name, motion in self.robots.items()]
            blocks.append(_aligned([("robot", *MOTION_HEAD), *rows]))
        if self.streams:
            rows = [(name, *stream_cells(stream)) for name, stream in self.streams.items()]
            blocks.append(_aligned([("camera", *STREAM_HEAD), *rows]))
        blocks += [text for name, stream in self.streams.items() if (text := dropped_text(name, stream))]
        return "\n\n".join(blocks)


MOTION_HEAD = ("time", "path", "speed m/s", "accel. m/s2", "turning deg/s", "turning accel. deg/s2")
STREAM_HEAD = (
    "frames",
    "dynamic",
    "coverage",
    "brightness",
    "dark",
    "blur",
    "sharpness",
    "texture",
    "depth 5 to 95 %",
    "to drop",
)


def motion_cells(motion: Motion) -> tuple[str, ...]:
    """A row below `MOTION_HEAD`: means, and the largest values in brackets."""
    spreads = (
        motion.speed_mps,
        motion.acceleration_mps2,
        motion.turning_degps,
        motion.turning_acceleration_degps2,
    )
    cells = (f"{s.mean:.3g} ({s.max:.3g})" for s in spreads)
    return (f"{motion.duration_s:.2f} s", f"{motion.length_m:.2f} m", *cells)


def stream_cells(stream: StreamAnalysis) -> tuple[str, ...]:
    """A row below `STREAM_HEAD`; a dash for what the stream cannot show."""

    def cell(measure: str, form: str, unit: str = "") -> str:
        value = stream.mean(measure)
        return "-" if value is None else f"{value:{form}}{unit}"

    coverage = stream.dynamic_coverage_percent
    near, far = cell("depth_p5_m", ".2f"), cell("depth_p95_m", ".2f")
    return (
        str(stream.frames),
        "-" if stream.dynamic_frames is None else str(stream.dynamic_frames),
        "-" if coverage is None else f"{coverage:.1f} %",
        cell("brightness", ".0f"),
        cell("dark_percent", ".0f", " %"),
        cell("blur", ".2f"),
        cell("sharpness", ".0f"),
        cell("texture_percent", ".0f", " %"),
        "-" if near == "-" else f"{near} to {far} m",
        str(len(stream.dropped)),
    )


def dropped_text(name: str, stream: StreamAnalysis) -> str:
    """The frames to drop, by reasons, in short ranges; empty if there are none."""
    by_reason: dict[str, list[int]] = {}
    for frame in stream.dropped:
        by_reason.setdefault(", ".join(frame.reasons), []).append(frame.frame)
    lines = [f"  {reasons}: frames {_ranges(frames)}" for reasons, frames in by_reason.items()]
    return "\n".join([f"{name}: {len(stream.dropped)} frames to drop", *lines]) if lines else ""


def _ranges(frames: Sequence[int]) -> str:
    """`3, 5 to 9, 12`."""
    runs: list[list[int]] = []
    for i in frames:
        if runs and i == runs[-1][1] + 1:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in runs)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if k == 0 else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def _motion(stored: dict[str, Any]) -> Motion:
    spreads = {name: Spread(**value) for name, value in stored.items() if name in _SPREADS}
    return Motion(**{**stored, **spreads})


_SPREADS = ("speed_mps", "acceleration_mps2", "turning_degps", "turning_acceleration_degps2")
