from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from veridical.core.errors import DataError
from veridical.core.geometry import rotation_angle, transform
from veridical.estimate import METHODS, estimate

from .conftest import WallData, sway


@pytest.mark.parametrize("method", list(METHODS))
def test_follows_a_known_path(wall: WallData, method: str) -> None:
    track = estimate(wall, method)
    assert track.state.tolist() == ["start"] + ["ok"] * 13
    assert (track.map_id == 0).all()
    error = np.linalg.norm(track.T[:, :3, 3] - wall.T[:, :3, 3], axis=1)
    assert error.max() < 0.012
    turn = rotation_angle(np.swapaxes(track.T[:, :3, :3], 1, 2) @ wall.T[:, :3, :3])
    assert np.rad2deg(turn).max() < 0.25
    assert (track.inlier_ratio[1:] > 0.4).all()
    assert (track.seconds > 0).all()
    sigma = np.sqrt(np.einsum("nii->ni", track.covariance[1:]))
    assert (sigma > 0).all()
    assert (sigma < 0.02).all()


def test_distorted_images_are_measured_by_their_calibration() -> None:
    data = WallData(sway(8), distortion=(-0.12, 0.02, 0.001, -0.0005, 0.0))
    for method in ("stereo-vo", "rgbd-vo"):
        error = np.linalg.norm(estimate(data, method).T[:, :3, 3] - data.T[:, :3, 3], axis=1)
        assert error.max() < 0.012
    data.seen = data.camera
    ignoring = estimate(data, "stereo-vo").T[:, :3, 3] - data.T[:, :3, 3]
    assert np.linalg.norm(ignoring, axis=1).max() > 0.012


def test_twice_the_same(wall: WallData) -> None:
    a, b = estimate(wall, "stereo-vo"), estimate(wall, "stereo-vo")
    np.testing.assert_array_equal(a.T, b.T)
    np.testing.assert_array_equal(a.covariance, b.covariance)


def test_a_short_blackout_is_lost_and_recovered(wall: WallData) -> None:
    wall.dark = {6, 7}
    track = estimate(wall, "stereo-vo")
    assert track.state[6:8].tolist() == ["lost", "lost"]
    assert np.isnan(track.T[6:8]).all()
    assert np.isnan(track.covariance[6:8]).all()
    assert (track.state[8:] == "ok").all()
    assert (track.map_id == 0).all()
    error = np.linalg.norm(track.T[8:, :3, 3] - wall.T[8:, :3, 3], axis=1)
    assert error.max() < 0.015


def test_a_long_blackout_starts_a_new_map() -> None:
    data = WallData(sway(16), dark=set(range(5, 12)))
    track = estimate(data, "stereo-vo", patience=3)
    assert (track.state[5:12] == "lost").all()
    assert track.state[12] == "start"
    assert (track.state[13:] == "ok").all()
    assert track.map_id.tolist() == [0] * 12 + [1] * 4


def test_darkness_without_end_stays_lost(wall: WallData) -> None:
    wall.dark = set(range(4, 14))
    track = estimate(wall, "stereo-vo", patience=2)
    assert (track.state[4:] == "lost").all()
    assert len(track.trajectory) == 4


def test_darkness_from_the_beginning(wall: WallData) -> None:
    wall.dark = {0, 1, 2}
    track = estimate(wall, "stereo-vo")
    assert track.state.tolist() == ["lost"] * 3 + ["start"] + ["ok"] * 10
    np.testing.assert_array_equal(track.T[3], np.eye(4))


def test_a_leap_beyond_the_view_is_no_motion(wall: WallData) -> None:
    """An image that shares nothing with the last must not be given a pose."""
    wall.T = wall.T.copy()
    wall.T[7:] = transform(np.eye(3), [4.0, 2.0, 0.0]) @ wall.T[7:]
    track = estimate(wall, "stereo-vo")
    assert track.state[7] == "lost"


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("stereo-v", {}, "Did you mean 'stereo-vo'"),
        ("stereo-vo", {"windows": 3}, "Did you mean 'window'"),
        ("stereo-vo", {"stream": "r/front"}, "it has: r/stereo/left"),
    ],
)
def test_bad_requests(wall: WallData, method: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        estimate(wall, method, **options)


def test_missing_sensor_says_what_to_add(wall: WallData) -> None:
    del wall.cameras["r/rgbd"]
    with pytest.raises(DataError, match="add a rgbd camera"):
        estimate(wall, "rgbd-vo")


def test_stream_may_be_named_by_its_sensor(wall: WallData) -> None:
    assert estimate(wall, "stereo-vo-frame", stream="r/stereo").stream == "r/stereo/left"


def test_different_stereo_stamps_are_refused(wall: WallData) -> None:
    stamps = wall.stamps
    wall.stamps = lambda stream: stamps(stream) + stream.endswith("right")  # type: ignore[method-assign]
    with pytest.raises(DataError, match="different stamps"):
        estimate(wall, "stereo-vo")
