"""The TUM layout: read back by its own rules, not by our reader."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import synthetic
from PIL import Image

from veridical.core.errors import DataError
from veridical.core.geometry import matrix_to_quat
from veridical.datasets import FORMATS, Dataset, export
from veridical.datasets.formats.tum import depth_codes, seconds

LEFT = "scout/front/left"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return synthetic.make(tmp_path_factory.mktemp("tum") / "data", n=4)


@pytest.fixture(scope="module")
def exported(data: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(data, "tum", tmp_path_factory.mktemp("tum") / "out")


def lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]


def test_images_are_those_of_the_dataset(data: Dataset, exported: Path) -> None:
    frames = [data.frame(LEFT, i) for i in range(4)]
    for frame, (rgb_t, rgb, depth_t, depth) in zip(frames, lines(exported / "associations.txt"), strict=True):
        assert rgb_t == depth_t == seconds(frame.t_ns)
        np.testing.assert_array_equal(np.array(Image.open(exported / rgb)), frame.colour)
        assert frame.depth is not None
        metres = np.array(Image.open(exported / depth)) / 5000
        np.testing.assert_allclose(metres, frame.depth, atol=1.01e-4)
    assert lines(exported / "rgb.txt") == [row[:2] for row in lines(exported / "associations.txt")]
    assert lines(exported / "depth.txt") == [row[2:] for row in lines(exported / "associations.txt")]
    right = np.array(Image.open(exported / lines(exported / "rgb_right.txt")[2][1]))
    np.testing.assert_array_equal(right, data.colour("scout/front/right", 2))


def test_ground_truth_is_the_optical_frame_with_w_last(data: Dataset, exported: Path) -> None:
    table = np.array(lines(exported / "groundtruth.txt"), float)
    poses = data.poses(LEFT)
    np.testing.assert_allclose(table[:, 0], poses.t_ns * 1e-9, atol=1e-9)
    np.testing.assert_allclose(table[:, 1:4], poses.T[:, :3, 3], atol=1e-9)
    wxyz = matrix_to_quat(poses.T[:, :3, :3])
    np.testing.assert_allclose(table[:, [7, 4, 5, 6]], wxyz, atol=1e-9)


def test_ground_truth_is_read_by_evo(data: Dataset, exported: Path) -> None:
    file_interface = pytest.importorskip("evo.tools.file_interface")
    trajectory = file_interface.read_tum_trajectory_file(exported / "groundtruth.txt")
    np.testing.assert_allclose(np.array(trajectory.poses_se3), data.poses(LEFT).T, atol=1e-8)


def test_intrinsics_travel_along(data: Dataset, exported: Path) -> None:
    calibration = json.loads((exported / "calibration.json").read_text())
    assert calibration["depth_factor"] == 5000
    assert calibration["cameras"][LEFT]["K"] == data.cameras[LEFT].camera.K.tolist()


def test_seconds_are_exact_and_depth_without_a_code_is_zero() -> None:
    assert seconds(0) == "0.000000000"
    assert seconds(1_234_567_890_123_456_789) == "1234567890.123456789"
    assert seconds(-1) == "-0.000000001"
    codes = depth_codes(np.array([0.0, 1.0, 13.107, 13.2, 80.0], np.float32))
    assert codes.tolist() == [0, 5000, 65535, 0, 0]


def test_refusals_leave_nothing_behind(data: Dataset, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Did you mean 'tum'"):
        export(data, "tun", tmp_path / "out")
    with pytest.raises(DataError, match="Did you mean 'scout/front/left'"):
        export(data, "tum", tmp_path / "out", "scout/front/leftt")
    assert not list(tmp_path.iterdir())
    with pytest.raises(DataError, match="exists"):
        export(data, "tum", tmp_path)
    assert list(FORMATS) == ["tum"]


def test_a_failed_export_leaves_nothing(tmp_path: Path) -> None:
    data = synthetic.make(tmp_path / "data", n=3)
    (data.folder / "sensors" / LEFT / "colour" / "000002.png").unlink()
    with pytest.raises(DataError, match=r"000002\.png is missing"):
        export(data, "tum", tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["data"]
