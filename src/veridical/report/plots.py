"""Plots of a trajectory and its errors, as inline SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from veridical.core.geometry import Array
from veridical.core.trajectory import Trajectory
from veridical.datasets.frames import Box3d
from veridical.evaluate import Score

_TRUE, _ESTIMATE, _ERROR = "#1f2933", "#d9480f", "#1971c2"
_STYLE = {
    "svg.fonttype": "path",
    "svg.hashsalt": "veridical",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e9ecef",
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}
_CAMERA_CEILING_M = 2.0


def plan_view(truth: Trajectory, boxes: Sequence[tuple[str, Box3d]], scores: Sequence[Score]) -> str:
    """The path from above, over the outlines of what the camera saw, by category."""
    with _figure(6.4, 5.2) as (figure, svg):
        axes = figure.subplots()
        for category, box in boxes:
            _outline(axes, category, box)
        axes.plot(*truth.position[:, :2].T, color=_TRUE, lw=1.6, label="truth")
        axes.plot(*truth.position[0, :2], "o", color=_TRUE, ms=5)
        for i, score in enumerate(scores):
            axes.plot(*score.series.estimate[:, :2].T, color=_colour(i), lw=1.0, label=score.method)
        axes.set(xlabel="x / m", ylabel="y / m", aspect="equal")
        axes.legend(loc="upper right")
    return svg[0]


def over_time(truth: Trajectory, scores: Sequence[Score]) -> str:
    """Position of truth and estimates over time."""
    with _figure(6.4, 4.4) as (figure, svg):
        for k, axes in enumerate(figure.subplots(3, 1, sharex=True)):
            axes.plot(truth.t_ns / 1e9, truth.position[:, k], color=_TRUE, lw=1.6, label="truth")
            for i, score in enumerate(scores):
                times = score.series.t_ns / 1e9
                axes.plot(times, score.series.estimate[:, k], color=_colour(i), lw=1.0, label=score.method)
            axes.set_ylabel(f"{'xyz'[k]} / m")
            if k == 0:
                axes.legend(loc="upper right", ncols=3)
        axes.set_xlabel("t / s")
    return svg[0]


def errors_over_time(scores: Sequence[Score]) -> str:
    """Position and rotation errors after alignment, over time."""
    with _figure(6.4, 3.4) as (figure, svg):
        upper, lower = figure.subplots(2, 1, sharex=True)
        for i, score in enumerate(scores):
            times = score.series.t_ns / 1e9
            upper.plot(times, 100 * score.series.error_m, color=_colour(i), lw=1.2, label=score.method)
            lower.plot(times, score.series.error_deg, color=_colour(i), lw=1.2)
        upper.set(ylabel="position / cm", ylim=(0, None))
        lower.set(ylabel="rotation / deg", xlabel="t / s", ylim=(0, None))
        upper.legend(loc="upper left", ncols=3)
    return svg[0]


def speeds(truth: Trajectory) -> str:
    """Speed and turning rate of the camera."""
    dt = np.diff(truth.t_ns) / 1e9
    middle = (truth.t_ns[1:] + truth.t_ns[:-1]) / 2e9
    speed = np.linalg.norm(np.diff(truth.position, axis=0), axis=1) / dt
    with _figure(6.4, 2.6) as (figure, svg):
        upper, lower = figure.subplots(2, 1, sharex=True)
        upper.plot(middle, speed, color=_TRUE, lw=1.2)
        upper.set(ylabel="speed / (m/s)", ylim=(0, None))
        lower.plot(middle, np.degrees(_turning(truth)) / dt, color=_TRUE, lw=1.2)
        lower.set(ylabel="turning / (deg/s)", xlabel="t / s", ylim=(0, None))
    return svg[0]


def _turning(truth: Trajectory) -> Array:
    from veridical.core.geometry import rotation_angle

    R = truth.T[:, :3, :3]
    return rotation_angle(np.swapaxes(R[:-1], -1, -2) @ R[1:])


def _outline(axes: Axes, category: str, box: Box3d) -> None:
    if category in ("floor", "ceiling", "background", "robot"):
        return
    bottom = box.T_world_box[2, 3] - box.size_m[2] / 2
    if bottom > _CAMERA_CEILING_M:
        return
    half = np.array(box.size_m[:2]) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    xy = corners @ box.T_world_box[:2, :2].T + box.T_world_box[:2, 3]
    solid = category == "wall"
    face, edge = ("#868e96", "#868e96") if solid else ("#f1f3f5", "#ced4da")
    axes.fill(*xy.T, facecolor=face, edgecolor=edge, lw=0.5, zorder=1 if solid else 0)


def _colour(i: int) -> str:
    return (_ESTIMATE, _ERROR, "#2f9e44", "#9c36b5", "#e8590c")[i % 5]


@contextmanager
def _figure(width: float, height: float) -> Iterator[tuple[Figure, list[str]]]:
    svg: list[str] = []
    with mpl.rc_context(_STYLE):
        figure = Figure((width, height))
        yield figure, svg
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    svg.append(re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL))
