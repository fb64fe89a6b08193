"""How a body moves: path, speeds and accelerations, linear and rotational."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veridical.core.geometry import Array, rotation_angle, so3_log
from veridical.core.trajectory import Trajectory

SPAN_S = 1 / 60
"""Derivatives are taken over spans of at least this, the rate of GRADE's odometry, so that tables of any
rate compare, and a contact of a millisecond does not rule the maximum."""


@dataclass(frozen=True)
class Spread:
    """Mean and largest value of a quantity that is not negative."""

    mean: float
    max: float


@dataclass(frozen=True)
class Motion:
    """Of one robot over a sequence.

    Attributes:
        duration_s: From the first to the last stamp.
        poses: How many were there.
        length_m: Of the path.
        turned_deg: Sum of all turns.
        speed_mps: Of the body's origin.
        acceleration_mps2: Of the body's origin, gravity not in it.
        turning_degps: Length of the angular rate.
        turning_acceleration_degps2: Length of the angular acceleration.
        axes: Mean absolute value along each axis of the body (x forward, y left, z up), as in GRADE's
            Table 8: v_x_mps, a_x_mps2, w_x_degps, alpha_x_degps2, and so for y and z.
    """

    duration_s: float
    poses: int
    length_m: float
    turned_deg: float
    speed_mps: Spread
    acceleration_mps2: Spread
    turning_degps: Spread
    turning_acceleration_degps2: Spread
    axes: dict[str, float]


def measure_motion(poses: Trajectory) -> Motion:
    """Finite differences of the true poses T_world_body over spans of at least `SPAN_S`.

    Velocities belong to the middle of their span, accelerations to the middle between two velocities. Too
    few poses for a derivative give zeros.
    """
    step = _step(poses)
    t = (poses.t_ns[::step] - poses.t_ns[0]) * 1e-9 if len(poses) else np.zeros(0)
    T = poses.T[::step]
    R = T[:, :3, :3]
    dt = np.diff(t)[:, None]
    velocity = np.diff(T[:, :3, 3], axis=0) / dt
    rate = np.rad2deg(so3_log(np.swapaxes(R[:-1], -1, -2) @ R[1:])) / dt
    between = 0.5 * (dt[1:] + dt[:-1])
    acceleration = np.diff(velocity, axis=0) / between
    turning = np.diff(rate, axis=0) / between
    in_body = {
        "v_{}_mps": _to_body(R[:-1], velocity),
        "a_{}_mps2": _to_body(R[1:-1], acceleration),
        "w_{}_degps": rate,
        "alpha_{}_degps2": turning,
    }
    every = poses.T[:, :3, :3]
    turned = rotation_angle(np.swapaxes(every[:-1], -1, -2) @ every[1:]).sum()
    return Motion(
        duration_s=float(t[-1] if len(t) else 0.0),
        poses=len(poses),
        length_m=poses.length_m,
        turned_deg=float(np.rad2deg(turned)),
        speed_mps=_spread(velocity),
        acceleration_mps2=_spread(acceleration),
        turning_degps=_spread(rate),
        turning_acceleration_degps2=_spread(turning),
        axes={
            name.format(axis): float(np.abs(values[:, k]).mean()) if len(values) else 0.0
            for name, values in in_body.items()
            for k, axis in enumerate("xyz")
        },
    )


def _step(poses: Trajectory) -> int:
    """Poses from one end of a span to the other."""
    if len(poses) < 2:
        return 1
    return max(1, round(SPAN_S * 1e9 / float(np.median(np.diff(poses.t_ns)))))


def _to_body(R: Array, vectors: Array) -> Array:
    return np.asarray((vectors[:, None] @ R)[:, 0])


def _spread(vectors: Array) -> Spread:
    length = np.linalg.norm(vectors, axis=1)
    return Spread(float(length.mean()), float(length.max())) if len(length) else Spread(0.0, 0.0)
