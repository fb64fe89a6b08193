"""A reference motion over time: position, yaw and their derivatives, from a smooth path.

The time law is the usual one for a given path: a speed limit along it from the limits on speed,
lateral acceleration and yaw rate, a forward and a backward pass for the tangential acceleration, then
two box filters in time that bound the jerk (Biagiotti, Melchiorri, Trajectory Planning for Automatic
Machines and Robots (2008), chapters 3 and 8). The geometry of the path stays as it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from veridical.core.geometry import Array

TABLE_DT_S = 0.005
_BOX_S = 0.3
_SPACING_M = 0.02
_LEAD_S = 0.45
_YAW_GAIN = 2.5
_YAW_ACCELERATION = math.radians(90.0)
_SETTLE_S = 2.0
_LEVEL = 0.15
"""Below this horizontal share of the tangent the heading of the path is not defined well enough."""


@dataclass(frozen=True)
class Limits:
    """Speed m/s, acceleration m/s^2, yaw rate rad/s."""

    speed: float
    acceleration: float
    yaw_rate: float


@dataclass(frozen=True, eq=False)
class Reference:
    """Rows (n, 11) each `TABLE_DT_S`: position, velocity, acceleration (world), yaw, yaw rate.

    Attributes:
        rows: SI units; the yaw is unwrapped.
        arrivals_s: When each waypoint is passed, seconds from the start.
    """

    rows: Array
    arrivals_s: tuple[float, ...] = ()

    @property
    def yaw(self) -> float:
        """Yaw at the beginning, rad."""
        return float(self.rows[0, 9])

    @property
    def end_s(self) -> float:
        """When the motion has come to rest."""
        return (len(self.rows) - 1) * TABLE_DT_S

    def at(self, t_s: float) -> list[float]:
        """The row at a time: at rest before the start and after the end."""
        x = t_s / TABLE_DT_S
        i = int(x) if x > 0.0 else 0
        if i >= len(self.rows) - 1:
            return list(self.rows[-1].tolist())
        row: list[float] = self.rows[i].tolist()
        h = max(x - i, 0.0) * TABLE_DT_S
        if h == 0.0:
            return row
        half = 0.5 * h
        row[0] += h * (row[3] + half * row[6])
        row[1] += h * (row[4] + half * row[7])
        row[2] += h * (row[5] + half * row[8])
        row[3] += h * row[6]
        row[4] += h * row[7]
        row[5] += h * row[8]
        turn = float(self.rows[i + 1, 10]) - row[10]
        share = h / TABLE_DT_S
        row[9] += h * (row[10] + 0.5 * share * turn)
        row[10] += share * turn
        return row


def rest(position: Array, yaw: float) -> Reference:
    """Stays at a place (3,) with a yaw in rad."""
    row = np.zeros((1, 11))
    row[0, :3], row[0, 9] = position, yaw
    return Reference(row)


@dataclass(frozen=True, eq=False)
class Path:
    """A smooth curve by arc length.

    Attributes:
        s: Samples of the arc length in metres, (n,), from 0.
        curve: Position (3,) over arc length, twice continuously differentiable.
        knots_s: Arc length of the points that the path was made to pass.
    """

    s: Array
    curve: CubicSpline
    knots_s: Array

    @property
    def length(self) -> float:
        """Metres."""
        return float(self.s[-1])


def path_from_samples(points: Array, knots: NDArray[np.int64] | None = None) -> Path:
    """From dense samples (n, 3) of a smooth curve; `knots` are indices of special samples."""
    step = np.linalg.norm(np.diff(points, axis=0), axis=1)
    keep = np.concatenate([[True], step > 1e-9])
    s_all = np.concatenate([[0.0], np.cumsum(step)])
    s, points = s_all[keep], points[keep]
    uniform = np.linspace(0.0, s[-1], max(int(s[-1] / _SPACING_M), 8) + 1)
    curve = CubicSpline(uniform, CubicSpline(s, points)(uniform))
    return Path(uniform, curve, s_all[knots] if knots is not None else np.array([0.0, s[-1]]))


def path_through(points: Array) -> Path:
    """A curve that passes the points (n, 3) in order: cubic spline with centripetal knots (Lee 1989)."""
    gap = np.sqrt(np.linalg.norm(np.diff(points, axis=0), axis=1))
    u = np.concatenate([[0.0], np.cumsum(gap)])
    counts = np.maximum(np.ceil(np.linalg.norm(np.diff(points, axis=0), axis=1) / 0.01).astype(int), 8)
    pieces = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(u[:-1], u[1:], counts, strict=True)]
    fine = np.concatenate([*pieces, u[-1:]])
    knots = np.concatenate([[0], np.cumsum(counts)])
    return path_from_samples(CubicSpline(u, points)(fine), knots)


def headings(path: Path, start_yaw: float) -> Array:
    """Heading of the path at each of its samples, unwrapped from `start_yaw`; held where it climbs."""
    tangent = path.curve(path.s, 1)
    level = np.hypot(tangent[:, 0], tangent[:, 1]) > _LEVEL
    if not level.any():
        return np.full(len(path.s), start_yaw)
    yaw = np.arctan2(tangent[level, 1], tangent[level, 0])
    index = np.searchsorted(np.flatnonzero(level), np.arange(len(path.s)), side="right") - 1
    yaw = np.unwrap(yaw)
    yaw += 2 * math.pi * np.round((start_yaw - yaw[0]) / (2 * math.pi))
    return np.asarray(yaw[np.clip(index, 0, None)])


def follow(
    path: Path,
    yaw: Array,
    start_yaw: float,
    limits: Limits,
    *,
    until_s: float = math.inf,
    lead_s: float = _LEAD_S,
) -> Reference:
    """Times a path.

    Args:
        path: The way.
        yaw: Wanted yaw at each sample of the path, (n,), rad, unwrapped.
        start_yaw: Yaw at the beginning, rad.
        limits: Of the motion.
        until_s: The table ends here, even if the path does not.
        lead_s: How far ahead of the position the yaw looks.
    """
    speed = _speed_limit(path, yaw, limits)
    mean = 0.5 * (speed[1:] + speed[:-1])
    t_of_s = np.concatenate([[0.0], np.cumsum(np.diff(path.s) / mean)])
    end = min(t_of_s[-1] + 2 * _BOX_S, until_s + 2 * _BOX_S + lead_s)
    t = np.arange(math.ceil(end / TABLE_DT_S) + 2) * TABLE_DT_S
    s, v, a = _smooth(np.interp(t - _BOX_S, t_of_s, path.s))
    rows = np.zeros((len(t), 11))
    tangent, bend = path.curve(s, 1), path.curve(s, 2)
    rows[:, :3] = path.curve(s)
    rows[:, 3:6] = tangent * v[:, None]
    rows[:, 6:9] = bend * (v * v)[:, None] + tangent * a[:, None]
    if t_of_s[-1] + 2 * _BOX_S <= until_s:
        rest_of_turn = round((abs(yaw[-1] - start_yaw) / limits.yaw_rate + _SETTLE_S) / TABLE_DT_S)
        tail = np.zeros((rest_of_turn, 11))
        tail[:, :3] = rows[-1, :3]
        rows = np.concatenate([rows, tail])
    ahead = np.concatenate([s, np.full(len(rows), s[-1])])[round(lead_s / TABLE_DT_S) :][: len(rows)]
    rows[:, 9], rows[:, 10] = _track_yaw(np.interp(ahead, path.s, yaw), start_yaw, limits.yaw_rate)
    arrivals = np.interp(path.knots_s, s, t)
    return Reference(rows, tuple(arrivals.tolist()))


def _speed_limit(path: Path, yaw: Array, limits: Limits) -> Array:
    bend = np.linalg.norm(path.curve(path.s, 2), axis=1)
    turn = np.abs(np.gradient(yaw, path.s))
    turn = np.convolve(np.pad(turn, 8, mode="edge"), np.full(17, 1 / 17), mode="valid")
    cap = np.full(len(path.s), limits.speed)
    cap = np.minimum(cap, np.sqrt(0.7 * limits.acceleration / np.maximum(bend, 1e-6)))
    cap = np.minimum(cap, np.maximum(0.85 * limits.yaw_rate / np.maximum(turn, 1e-6), 0.08))
    cap[[0, -1]] = 0.0
    ds = np.diff(path.s)
    for i in range(len(ds)):
        cap[i + 1] = min(cap[i + 1], math.sqrt(cap[i] ** 2 + 1.4 * limits.acceleration * ds[i]))
    for i in reversed(range(len(ds))):
        cap[i] = min(cap[i], math.sqrt(cap[i + 1] ** 2 + 1.4 * limits.acceleration * ds[i]))
    return np.asarray(cap)


def _smooth(s: Array) -> tuple[Array, Array, Array]:
    width = round(_BOX_S / TABLE_DT_S)
    box = np.full(width, 1.0 / width)
    padded = np.pad(s, width, mode="edge")
    for _ in range(2):
        padded = np.convolve(padded, box, mode="same")
    v = np.gradient(padded, TABLE_DT_S)
    a = np.gradient(v, TABLE_DT_S)
    inner = slice(width, -width)
    s, v, a = padded[inner], v[inner], a[inner]
    return np.maximum.accumulate(s), v, a


def _track_yaw(wanted: Array, start: float, limit: float) -> tuple[Array, Array]:
    yaw, rate = np.empty(len(wanted)), np.empty(len(wanted))
    y, r = start, 0.0
    most = _YAW_ACCELERATION * TABLE_DT_S
    for i, w in enumerate(wanted.tolist()):
        yaw[i], rate[i] = y, r
        aim = max(-limit, min(limit, _YAW_GAIN * (w - y)))
        before = r
        r += max(-most, min(most, aim - r))
        y += 0.5 * (before + r) * TABLE_DT_S
    return yaw, rate
