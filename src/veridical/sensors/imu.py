"""The ideal strap-down IMU, exact with respect to the recorded poses.

The physics is semi-implicit: from row k to row k + 1 a body moves with the velocity of row k + 1. So the
second difference of recorded positions at row k is exactly the acceleration that acted from row k on, and
the turn from row k to k + 1 is exactly the angular rate of row k + 1 times the step. Both are taken from
the poses of the IMU itself, so the lever arm, the mount and every joint in between are contained.

A sample is the mean over one sample period centred on its stamp, and at least over one physics step: a
sensor that integrates without delay. No impulse is lost at low rates, and integrating the samples gives
the poses back. Specific force is the world acceleration minus gravity, in the IMU's frame at the stamp.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.core.errors import DataError
from veridical.core.geometry import Array, quat_slerp, quat_to_matrix, so3_log
from veridical.core.trajectory import Trajectory
from veridical.datasets.frames import ImuSamples


def measure(poses: Trajectory, stamps: NDArray[np.int64], period_ns: int, gravity: ArrayLike) -> ImuSamples:
    """Readings of an IMU that moves along poses.

    Args:
        poses: T_world_imu at every physics step, equally spaced.
        stamps: Sample times (n,), within the poses.
        period_ns: Sample period.
        gravity: World gravity (3,), m/s^2.

    Raises:
        DataError: If there are fewer than three poses, or a stamp lies outside of them.
    """
    if len(poses) < 3:
        msg = f"an IMU needs at least 3 recorded states, but there are {len(poses)}"
        raise DataError(msg)
    if len(stamps) and (stamps[0] < poses.t_ns[0] or stamps[-1] > poses.t_ns[-1]):
        msg = f"IMU stamps {stamps[0]}..{stamps[-1]} ns lie outside the recorded states"
        raise DataError(msg)
    origin, dt = int(poses.t_ns[0]), float(poses.t_ns[1] - poses.t_ns[0])
    t = (stamps - origin) / dt
    start, end = _windows(t, max(period_ns / dt, 1.0), len(poses) - 1)
    dt_s = dt * 1e-9
    velocity = np.diff(poses.position, axis=0) / dt_s
    width_s = ((end - start) * dt_s)[:, None]
    acceleration = (_at(velocity, end - 0.5) - _at(velocity, start - 0.5)) / width_s
    quat = poses.quat_wxyz
    R = quat_to_matrix(_turned(quat, t))
    R_start, R_end = (quat_to_matrix(_turned(quat, edge)) for edge in (start, end))
    rate = so3_log(np.swapaxes(R_start, -1, -2) @ R_end) / width_s
    force = (np.swapaxes(R, -1, -2) @ (acceleration - np.asarray(gravity, float))[:, :, None])[..., 0]
    return ImuSamples(np.asarray(stamps, np.int64), rate, force)


def _windows(t: Array, width: float, last: float) -> tuple[Array, Array]:
    """Start and end of each sample's window in steps, inside the span over which velocities are known."""
    start = np.clip(t - width / 2, 0.5, max(last - 1.5, 0.5))
    end = np.clip(t + width / 2, start + 1.0, last - 0.5)
    return start, end


def _at(rows: Array, where: Array) -> Array:
    """Straight interpolation of rows (n, k) at fractional indices."""
    i = np.clip(where.astype(np.int64), 0, len(rows) - 2)
    s = (where - i)[:, None]
    return np.asarray((1 - s) * rows[i] + s * rows[i + 1])


def _turned(quat: Array, where: Array) -> Array:
    """Attitude (m, 4) at fractional indices: constant rate within a step, as the physics has it."""
    i = np.clip(where.astype(np.int64), 0, len(quat) - 2)
    return quat_slerp(quat[i], quat[i + 1], where - i)


def joined(parts: Iterable[Trajectory]) -> Trajectory:
    """Successive trajectories as one."""
    pieces = list(parts)
    return Trajectory(np.concatenate([p.t_ns for p in pieces]), np.concatenate([p.T for p in pieces]))
