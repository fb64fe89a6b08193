"""What a recording is like: motion, moving things, light, sharpness, texture, depth, frames to drop."""

from __future__ import annotations

import numpy as np

from veridical.core.geometry import Array
from veridical.core.progress import Progress, silent
from veridical.datasets.analysis import images
from veridical.datasets.analysis.motion import Motion, Spread, measure_motion
from veridical.datasets.analysis.movers import Movers
from veridical.datasets.analysis.quality import why_drop
from veridical.datasets.analysis.result import Analysis, Dropped, StreamAnalysis
from veridical.datasets.fingerprint import keep_json, kept_json
from veridical.datasets.read import Dataset

__all__ = ["Analysis", "Dropped", "Motion", "Spread", "StreamAnalysis", "analyse", "keep", "kept"]

_FILE = "analysis.json"


def analyse(data: Dataset, *, progress: Progress = silent) -> Analysis:
    """Measures motion by robot, and every frame of every camera stream, one frame in memory at a time.

    Returns:
        The analysis; `str()` of it is a table, `to_json()` holds every number a frame.

    Raises:
        DataError: If a file that a measure needs is missing or corrupt.
    """
    total, done = sum(len(data.stamps(stream)) for stream in data.cameras), 0
    streams = {}
    for stream in data.cameras:
        rows = []
        movers = Movers(data, stream) if "instance" in data.layers(stream) else None
        for i in range(len(data.stamps(stream))):
            rows.append(_frame(data, stream, i, movers))
            done += 1
            progress("analyse", done, total)
        streams[stream] = _stream(data, stream, rows, movers.by if movers else "")
    return Analysis(_robots(data), streams)


def keep(data: Dataset, analysis: Analysis) -> None:
    """Writes analysis.json into the dataset's folder."""
    keep_json(data.folder, _FILE, analysis.to_json())


def kept(data: Dataset) -> Analysis | None:
    """The analysis of just these files; None if there is none, or a file was touched since."""
    stored = kept_json(data.folder, _FILE)
    return None if stored is None else Analysis.from_json(stored)


def _robots(data: Dataset) -> dict[str, Motion]:
    """Motion of each robot that carries a sensor, by its body's poses."""
    names = dict.fromkeys(name.split("/", 1)[0] for name in (*data.cameras, *data.imus))
    return {name: measure_motion(data.body_poses(name)) for name in names}


def _frame(data: Dataset, stream: str, i: int, movers: Movers | None) -> dict[str, float]:
    layers = data.layers(stream)
    row: dict[str, float] = {}
    if "colour" in layers:
        colour = data.read(stream, i, "colour")
        row |= images.light(colour) | images.detail(colour)
    if "depth" in layers:
        row |= images.distance(data.read(stream, i, "depth"))
    if movers:
        row |= movers.cover(i, data.read(stream, i, "instance"))
    return row


def _stream(data: Dataset, stream: str, rows: list[dict[str, float]], moving_by: str) -> StreamAnalysis:
    t_ns = data.stamps(stream)
    found = enumerate(map(why_drop, rows))
    dropped = tuple(Dropped(i, int(t_ns[i]), reasons) for i, reasons in found if reasons)
    names = rows[0] if rows else {}
    measures: dict[str, Array] = {name: np.array([row[name] for row in rows]) for name in names}
    return StreamAnalysis(
        len(rows), data.cameras[stream].rate_hz, np.asarray(t_ns * 1e-9, float), measures, moving_by, dropped
    )
