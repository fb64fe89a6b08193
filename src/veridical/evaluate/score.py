"""The numbers of an evaluation, each with the conditions it holds under."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.files import read_json, write_json
from veridical.core.geometry import Array
from veridical.evaluate.alignment import Alignment
from veridical.evaluate.errors import Drift, RelativeError, Statistics
from veridical.evaluate.tracking import Tracking


@dataclass(frozen=True)
class Association:
    """How estimate and reference were paired: counts, the allowed and the found distances in time."""

    n_reference: int
    n_estimate: int
    n_matched: int
    max_dt_s: float
    median_offset_s: float
    max_offset_s: float


@dataclass(frozen=True)
class Segment:
    """One stretch of one map, aligned by itself; the error is None if it is a single pose."""

    map_id: int
    start_s: float
    end_s: float
    n: int
    reference_length_m: float
    ate_m: float | None


@dataclass(frozen=True, eq=False)
class Series:
    """The errors over time, for plots; n matched pairs.

    Attributes:
        t_ns: Stamps of the reference, shape (n,).
        reference: Positions (n, 3), metres.
        estimate: Aligned positions (n, 3), metres.
        error_m: Distances, shape (n,).
        error_deg: Angles, shape (n,).
    """

    t_ns: NDArray[np.int64]
    reference: Array
    estimate: Array
    error_m: Array
    error_deg: Array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Series) and all(
            np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in dataclasses.fields(self)
        )


@dataclass(frozen=True, eq=False)
class Score:
    """An evaluated trajectory.

    Attributes:
        method: Of the estimate; may be empty.
        stream: Whose poses were compared; may be empty.
        alignment: What was done to the estimate before the absolute errors were taken.
        association: The pairs in time.
        tracking: How much was tracked; read it together with the errors.
        reference_length_m: Path of the whole reference.
        matched_length_m: Path of the reference along the matched poses, gaps bridged.
        estimate_length_m: Path of the aligned estimate within its segments.
        ape_m: Absolute position errors; their rmse is the ATE.
        ape_deg: Absolute rotation errors.
        ate_percent: 100 ape_m.rmse / matched_length_m; None for a motionless reference.
        delta_percent: 100 ape_m.mean / matched_length_m, as the Adaptive SLAM paper counts (it compares runs
            with a common start, so `none` or `first` is its alignment); None for a motionless reference.
        rpe: Relative errors; steps across gaps and maps included.
        drift: Over sub-paths, or None if the path is too short.
        segments: Each aligned by itself.
        warnings: What a reader has to know, in words.
        series: The errors over time.
    """

    method: str
    stream: str
    alignment: Alignment
    association: Association
    tracking: Tracking
    reference_length_m: float
    matched_length_m: float
    estimate_length_m: float
    ape_m: Statistics
    ape_deg: Statistics
    ate_percent: float | None
    delta_percent: float | None
    rpe: tuple[RelativeError, ...]
    drift: Drift | None
    segments: tuple[Segment, ...]
    warnings: tuple[str, ...]
    series: Series

    @property
    def ate_m(self) -> float:
        """Root mean square of the distances after alignment, metres."""
        return self.ape_m.rmse

    @property
    def conditions(self) -> str:
        """One line: alignment, pairs and tracking rate, to be printed beside any error."""
        a, k, t = self.association, self.alignment, self.tracking
        by = f"{k.method} aligned" if k.method != "none" else "not aligned"
        scale = f", scale {k.scale:.6f}" if k.method == "sim3" else ""
        note = f" ({k.note})" if k.note else ""
        return (
            f"{by}{scale}{note}, {a.n_matched} of {a.n_reference} reference poses matched, "
            f"tracking rate {100 * t.rate_frames:.1f} % of frames"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self.to_dict() == other.to_dict()

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-able values; `from_dict` gives the same score back."""
        return typing.cast("dict[str, Any]", _plain(self))

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Score:
        """Rebuilds a score from `to_dict`.

        Raises:
            DataError: If a field is missing or unknown.
        """
        return typing.cast(Score, _rebuild(cls, value))

    def save(self, path: Path) -> None:
        """Writes the score as JSON, as a whole or not at all."""
        write_json(path, self.to_dict())

    @classmethod
    def load(cls, path: Path) -> Score:
        """Reads a score written by `save`.

        Raises:
            DataError: If the file is missing or is not a score.
        """
        try:
            value = read_json(path)
        except (OSError, ValueError) as err:
            msg = f"{path}: no score here: {err}"
            raise DataError(msg) from err
        return cls.from_dict(value)


def _lines(score: Score) -> list[str]:
    a, t = score.association, score.tracking
    percent = (
        "" if score.ate_percent is None else f" = {score.ate_percent:.3f} % of {score.matched_length_m:.2f} m"
    )
    lines = [
        f"{score.method or 'estimate'} on {score.stream or 'reference'}",
        f"  ATE               {score.ate_m:.4f} m{percent}",
        f"                    mean {score.ape_m.mean:.4f}, median {score.ape_m.median:.4f}, "
        f"max {score.ape_m.max:.4f} m; {score.conditions}",
        f"  rotation          {score.ape_deg.rmse:.3f} deg rmse, max {score.ape_deg.max:.3f} deg",
        f"  tracking          {t.frames_tracked} of {t.frames} frames ({100 * t.rate_frames:.1f} %), "
        f"{100 * t.rate_time:.1f} % of the time, {t.n_segments} segment(s), {t.n_maps} map(s), "
        f"longest {t.longest_segment_s:.2f} s",
    ]
    for r in score.rpe:
        how = "overlapping" if r.overlapping else "consecutive"
        label = f"RPE per {r.delta:g} {r.unit}"
        lines.append(
            f"  {label:<17} {r.translation_m.rmse:.4f} m, "
            f"{r.rotation_deg.rmse:.3f} deg rmse ({r.translation_m.n} {how} steps of the {r.pairs_from})"
        )
    if score.drift:
        d = score.drift
        lines.append(
            f"  drift             {d.translation_percent:.3f} %, {d.rotation_deg_per_m:.4f} deg/m "
            f"({d.n_segments} sub-paths of {d.lengths_m[0]:.2f} to {d.lengths_m[-1]:.2f} m)"
        )
    lines.append(
        f"  pairs in time     within {1e3 * a.max_dt_s:g} ms; median {1e3 * a.median_offset_s:.3f} ms, "
        f"largest {1e3 * a.max_offset_s:.3f} ms"
    )
    return lines + [f"  note: {w}" for w in score.warnings]


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def _rebuild(kind: Any, value: Any) -> object:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        options = [k for k in typing.get_args(kind) if k is not type(None)]
        return None if value is None else _rebuild(options[0], value)
    if origin is tuple:
        return tuple(_rebuild(typing.get_args(kind)[0], v) for v in value)
    if origin is np.ndarray:
        (scalar,) = typing.get_args(typing.get_args(kind)[1])
        return np.array(value, dtype=scalar)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = typing.get_type_hints(kind)
        if not isinstance(value, Mapping) or set(value) != set(hints):
            found = ", ".join(sorted(value)) if isinstance(value, Mapping) else repr(value)
            msg = f"not a {kind.__name__}: found {found}; need {', '.join(hints)}"
            raise DataError(msg)
        return kind(**{name: _rebuild(hint, value[name]) for name, hint in hints.items()})
    return value
