"""Integrates an IMU: attitude by a fourth-order Magnus step, position by splines.

Source of the step: Blanes et al., The Magnus expansion and some of its applications (2009), section 4.2,
for dR/dt = R hat(w), with w interpolated by a cubic spline at the two Gauss points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from veridical.core.geometry import (
    Array,
    matrix_to_quat,
    quat_slerp,
    quat_to_matrix,
    so3_exp,
)
from veridical.datasets.frames import ImuSamples

_GAUSS = np.sqrt(3) / 6


@dataclass(frozen=True)
class Attitude:
    """Rotations R_start_imu (n, 3, 3) at the samples' stamps; the first is the identity."""

    t_ns: NDArray[np.int64]
    R: Array

    def at(self, t_ns: Array) -> Array:
        """Rotations (m, 3, 3) at stamps (m,) inside, which need not be integers."""
        i = np.clip(np.searchsorted(self.t_ns, t_ns, side="right") - 1, 0, len(self.t_ns) - 2)
        s = (t_ns - self.t_ns[i]) / (self.t_ns[i + 1] - self.t_ns[i])
        q = matrix_to_quat(self.R)
        return quat_to_matrix(quat_slerp(q[i], q[i + 1], s))


def integrate_rate(samples: ImuSamples) -> Attitude:
    """Attitude over all samples, relative to the first."""
    t = seconds_after(int(samples.t_ns[0]), samples.t_ns)
    rate = CubicSpline(t, samples.angular_rate)
    h = np.diff(t)[:, None]
    middle = (t[:-1, None] + t[1:, None]) / 2
    w1, w2 = (rate((middle + sign * _GAUSS * h)[:, 0]) for sign in (-1, 1))
    steps = so3_exp(h / 2 * (w1 + w2) + _GAUSS / 2 * h**2 * np.cross(w1, w2))
    R = np.empty((len(t), 3, 3))
    R[0] = np.eye(3)
    for k, step in enumerate(steps):
        R[k + 1] = R[k] @ step
    return Attitude(samples.t_ns, R)


def integrate_twice(t_s: Array, acceleration: Array, at_s: Array) -> Array:
    """Double integral (m, k) from t_s[0], with zero start, of acceleration (n, k), at times at_s (m,)."""
    return np.asarray(CubicSpline(t_s, acceleration).antiderivative(2)(at_s))


def seconds_after(begin_ns: int, t_ns: NDArray[np.int64]) -> Array:
    """Seconds as floats since a stamp."""
    return np.asarray((t_ns - begin_ns) * 1e-9, float)
