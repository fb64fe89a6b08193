"""A stamped path of poses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.geometry import Array, interpolate, matrix_to_quat, quat_to_matrix, transform


@dataclass(frozen=True)
class Trajectory:
    """Poses of a frame b in a frame a over time.

    Attributes:
        t_ns: Stamps in nanoseconds, strictly increasing, shape (n,) int64.
        T: Poses T_a_b, shape (n, 4, 4), metres.
    """

    t_ns: NDArray[np.int64]
    T: Array

    def __post_init__(self) -> None:
        if self.T.shape != (len(self.t_ns), 4, 4):
            msg = f"poses have shape {self.T.shape}, but there are {len(self.t_ns)} stamps; need (n, 4, 4)"
            raise DataError(msg)
        if np.any(np.diff(self.t_ns) <= 0):
            msg = "trajectory stamps are not strictly increasing; sort them and drop duplicates"
            raise DataError(msg)

    def __len__(self) -> int:
        return len(self.t_ns)

    @classmethod
    def from_quat(cls, t_ns: NDArray[np.int64], position: Array, quat_wxyz: Array) -> Trajectory:
        """From positions (n, 3) in metres and quaternions (n, 4) wxyz."""
        return cls(np.asarray(t_ns, np.int64), transform(quat_to_matrix(quat_wxyz), position))

    @property
    def position(self) -> Array:
        """Positions, shape (n, 3), metres."""
        return self.T[:, :3, 3]

    @property
    def quat_wxyz(self) -> Array:
        """Unit quaternions, shape (n, 4), w >= 0."""
        return matrix_to_quat(self.T[:, :3, :3])

    @property
    def length_m(self) -> float:
        """Sum of the distances between successive positions, metres."""
        return float(np.linalg.norm(np.diff(self.position, axis=0), axis=1).sum())

    def at(self, t_ns: NDArray[np.int64]) -> Array:
        """Poses (m, 4, 4) at stamps (m,) by slerp and straight line.

        Raises:
            DataError: If a stamp lies outside the trajectory.
        """
        t_ns = np.atleast_1d(np.asarray(t_ns, np.int64))
        if len(t_ns) and (t_ns.min() < self.t_ns[0] or t_ns.max() > self.t_ns[-1]):
            msg = (
                f"asked for poses from {t_ns.min()} to {t_ns.max()} ns, "
                f"but the trajectory spans {self.t_ns[0]} to {self.t_ns[-1]} ns"
            )
            raise DataError(msg)
        if len(self) == 1:
            return np.repeat(self.T, len(t_ns), axis=0)
        i = np.clip(np.searchsorted(self.t_ns, t_ns, side="right") - 1, 0, len(self) - 2)
        s = (t_ns - self.t_ns[i]) / (self.t_ns[i + 1] - self.t_ns[i])
        out = interpolate(self.T[i], self.T[i + 1], s)
        out[s == 0] = self.T[i[s == 0]]
        out[s == 1] = self.T[i[s == 1] + 1]
        return out

    def between(self, start_ns: int, end_ns: int) -> Trajectory:
        """The part with start_ns <= t_ns <= end_ns."""
        keep = (self.t_ns >= start_ns) & (self.t_ns <= end_ns)
        return Trajectory(self.t_ns[keep], self.T[keep])
