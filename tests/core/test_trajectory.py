"""Trajectories: look-up, ends, and what they refuse."""

import numpy as np
import pytest

from veridical.core.errors import DataError
from veridical.core.geometry import se3_exp
from veridical.core.trajectory import Trajectory


def screw(n: int = 11) -> Trajectory:
    t_ns = np.arange(n, dtype=np.int64) * 100_000_000
    return Trajectory(t_ns, se3_exp(np.linspace(0, 1, n)[:, None] * [1.0, 0, 0, 0, 0, 1.0]))


def test_recorded_poses_come_back_to_the_bit() -> None:
    path = screw()
    assert np.array_equal(path.at(path.t_ns), path.T)


def test_rotation_between_samples_has_constant_rate() -> None:
    path = screw(2)
    quarter = path.at(np.array([25_000_000]))[0]
    assert np.arctan2(quarter[1, 0], quarter[0, 0]) == pytest.approx(0.25)


def test_quaternion_round_trip() -> None:
    path = screw()
    again = Trajectory.from_quat(path.t_ns, path.position, path.quat_wxyz)
    assert np.allclose(again.T, path.T, atol=1e-14)


def test_outside_and_disorder_are_refused() -> None:
    path = screw()
    with pytest.raises(DataError, match="spans 0 to 1000000000"):
        path.at(np.array([1_000_000_001]))
    with pytest.raises(DataError, match="strictly increasing"):
        Trajectory(np.array([0, 0]), path.T[:2])


def test_length_of_a_straight_path() -> None:
    T = np.repeat(np.eye(4)[None], 3, axis=0)
    T[:, 0, 3] = [0.0, 1.0, 3.0]
    assert Trajectory(np.array([0, 1, 2]), T).length_m == pytest.approx(3.0)
