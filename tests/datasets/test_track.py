from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from veridical.core.errors import DataError
from veridical.core.geometry import se3_exp
from veridical.datasets.track import Track


def make_track(**changes: Any) -> Track:
    rng = np.random.default_rng(0)
    n = 5
    T = se3_exp(rng.normal(size=(n, 6)))
    T[3] = np.nan
    fields: dict[str, Any] = {
        "method": "stereo-vo",
        "stream": "scout/front/left",
        "t_ns": np.arange(n) * 100_000_000 + 7,
        "T": T,
        "state": np.array(["start", "ok", "ok", "lost", "start"]),
        "inlier_ratio": rng.random(n),
        "covariance": rng.normal(size=(n, 6, 6)),
        "seconds": rng.random(n),
        "map_id": np.array([0, 0, 0, 0, 1]),
        "diagnostics": {"rms_px": rng.random(n)},
        "options": {"max_features": 300},
    }
    return Track(**(fields | changes))


def test_round_trip(tmp_path: Path) -> None:
    track = make_track()
    track.save(tmp_path / "track")
    back = Track.load(tmp_path / "track")
    np.testing.assert_array_equal(back.t_ns, track.t_ns)
    np.testing.assert_allclose(back.T, track.T, atol=1e-14)
    np.testing.assert_array_equal(back.covariance, track.covariance)
    np.testing.assert_array_equal(back.state, track.state)
    np.testing.assert_array_equal(back.map_id, track.map_id)
    np.testing.assert_array_equal(back.diagnostics["rms_px"], track.diagnostics["rms_px"])
    assert back.options == track.options
    assert sorted(p.name for p in tmp_path.iterdir()) == ["track"]


def test_tum_holds_only_tracked_frames_with_exact_stamps(tmp_path: Path) -> None:
    track = make_track()
    track.save(tmp_path / "track")
    lines = (tmp_path / "track" / "trajectory.tum").read_text().splitlines()
    assert len(lines) == 1 + 4
    assert lines[2].split()[0] == "0.100000007"
    np.testing.assert_allclose([float(v) for v in lines[2].split()[1:4]], track.T[1, :3, 3], atol=1e-9)


def test_refuses_to_overwrite(tmp_path: Path) -> None:
    make_track().save(tmp_path / "track")
    with pytest.raises(DataError, match="exists already"):
        make_track().save(tmp_path / "track")


def test_a_failed_save_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        make_track(options={"bad": object()}).save(tmp_path / "track")
    assert list(tmp_path.iterdir()) == []


def test_load_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no complete track"):
        Track.load(tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": np.array(["start", "ok", "ok", "fine", "ok"])}, "unknown state 'fine'"),
        ({"state": np.array(["start", "ok", "ok", "ok", "ok"])}, "not finite"),
        ({"t_ns": np.array([0, 1, 1, 2, 3])}, "strictly increasing"),
        ({"seconds": np.zeros(4)}, "seconds has shape"),
    ],
)
def test_nonsense_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        make_track(**change)
