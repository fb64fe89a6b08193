"""The made-up set of paths whose errors were once taken with an independent tool."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from veridical.core.trajectory import Trajectory


def _written(t_s: np.ndarray, p: np.ndarray, R: Rotation) -> Trajectory:
    """Numbers as read back from a text file: stamps with 6 decimals, the rest with 9."""
    stamps = np.round(np.round(t_s, 6) * 1e9).astype(np.int64)
    quat = np.round(R.as_quat(), 9)[:, [3, 0, 1, 2]]
    return Trajectory.from_quat(stamps, np.round(p, 9), quat)


@pytest.fixture(scope="session")
def paths() -> dict[str, Trajectory]:
    i = np.arange(101)
    t = 0.1 * i
    p = np.stack(
        [5 * np.cos(0.02 * np.pi * i), 5 * np.sin(0.02 * np.pi * i), 0.5 * np.sin(0.04 * np.pi * i)], axis=1
    )
    yaw = 0.02 * np.pi * i + np.pi / 2
    zero = np.zeros_like(yaw)
    truth = _written(t, p, Rotation.from_euler("zyx", np.stack([yaw, zero, zero], axis=1)))
    p_a = p + np.stack(
        [0.05 * np.sin(0.7 * i) + 0.002 * i, 0.04 * np.cos(1.1 * i), 0.02 * np.sin(0.3 * i + 1)], axis=1
    )
    R_a = Rotation.from_euler(
        "zyx", np.stack([yaw + 0.01 * np.sin(0.5 * i), 0.005 * np.cos(0.9 * i), zero], axis=1)
    )
    A = Rotation.from_euler("xyz", [0.3, -0.2, 1.0])
    p_b = A.apply(0.8 * p_a) + np.array([1, -2, 3])
    keep = (i % 7 != 3) & (i >= 20) & (i <= 90)
    return {
        "truth": truth,
        "a": _written(t, p_a, R_a),
        "b": _written(t + 0.004, p_b, A * R_a),
        "c": _written((t + 0.004)[keep], p_b[keep], (A * R_a)[keep]),
    }
