"""The certificate passes an exact dataset, and names what is wrong with a spoilt one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import synthetic

from veridical.core.geometry import from_rpy, so3_exp, transform
from veridical.core.trajectory import Trajectory
from veridical.datasets import Certificate, Dataset, open_dataset, tables, verify
from veridical.datasets.calibration import read_calibration, write_calibration
from veridical.datasets.certificate.strapdown import integrate_rate
from veridical.datasets.codecs import read_layer, write_layer
from veridical.datasets.frames import ImuSamples
from veridical.datasets.labels import LabelRow, read_labels, write_labels
from veridical.datasets.plan import layer_path, poses_path

LEFT, RIGHT, IMU = "scout/front/left", "scout/front/right", "scout/imu"
SIZE = (synthetic.H, synthetic.W)
N = 36


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return synthetic.make(tmp_path_factory.mktemp("synthetic") / "clean")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return synthetic.make(tmp_path_factory.mktemp("synthetic") / "short", n=N)


@pytest.fixture
def copy(short: Dataset, tmp_path: Path) -> Path:
    """Hard links: every writer replaces files and never changes them in place."""
    return Path(shutil.copytree(short.folder, tmp_path / "copy", copy_function=os.link))


def certify(folder: Path) -> Certificate:
    return verify(open_dataset(folder))


def failed(certificate: Certificate) -> list[str]:
    return [str(check) for check in certificate.checks if check.passed is False]


def test_an_exact_dataset_passes_every_check_far_from_the_thresholds(clean: Dataset) -> None:
    certificate = verify(clean)
    assert certificate.passed, str(certificate)
    assert certificate.faults == ()
    assert all(check.passed for check in certificate.checks), str(certificate)
    for check in certificate.checks:
        assert check.value is not None
        assert check.value <= 1e-3 * check.threshold, str(check)
    assert json.loads(json.dumps(certificate.to_json()))["passed"] is True


def test_lens_distortion_changes_nothing(tmp_path: Path) -> None:
    data = synthetic.make(tmp_path / "d", n=15, distortion=(-0.2, 0.05, 1e-3, -2e-3, 0.0))
    certificate = verify(data)
    assert certificate.passed, str(certificate)


# --- one fault at a time ---------------------------------------------------------------------------------


def change_poses(folder: Path, name: str, change: Callable[[Trajectory], Trajectory]) -> None:
    path = poses_path(folder, name)
    tables.write_trajectory(path, change(tables.read_trajectory(path)))


def shift(trajectory: Trajectory, offset: tuple[float, float, float], frames: slice) -> Trajectory:
    T = trajectory.T.copy()
    T[frames, :3, 3] += offset
    return replace(trajectory, T=T)


@pytest.mark.parametrize("offset", [(0.01, 0, 0), (0, -0.01, 0), (0, 0, 0.01)])
@pytest.mark.parametrize("frames", [slice(None), slice(17, 18)])
def test_poses_shifted_by_a_centimetre(copy: Path, offset: tuple[float, float, float], frames: slice) -> None:
    change_poses(copy, LEFT, lambda poses: shift(poses, offset, frames))
    assert certify(copy).faults == ("pose",)


def test_poses_of_both_eyes_and_of_the_body_shifted_by_a_centimetre(copy: Path) -> None:
    """Only the 3D boxes, which stand in the world, can tell."""
    for name in (LEFT, RIGHT, "scout"):
        change_poses(copy, name, lambda poses: shift(poses, (0.01, 0.0, 0.01), slice(None)))
    assert certify(copy).faults == ("pose",)


def test_poses_of_both_eyes_shifted_in_one_frame_shows_in_the_images(copy: Path) -> None:
    for name in (LEFT, RIGHT):
        change_poses(copy, name, lambda poses: shift(poses, (0.01, 0.0, 0.0), slice(20, 21)))
    certificate = certify(copy)
    assert certificate.faults == ("pose",)
    assert any("relative translation against the images" in line for line in failed(certificate))


def test_one_pose_of_the_body_off_by_a_centimetre(copy: Path) -> None:
    change_poses(copy, "scout", lambda poses: shift(poses, (0.0, 0.01, 0.0), slice(300, 301)))
    assert certify(copy).faults == ("pose",)


def test_one_pose_turned_by_a_tenth_of_a_degree(copy: Path) -> None:
    def turn(poses: Trajectory) -> Trajectory:
        T = poses.T.copy()
        T[30] = T[30] @ transform(so3_exp([0, np.deg2rad(0.1), 0]), [0, 0, 0])
        return replace(poses, T=T)

    change_poses(copy, LEFT, turn)
    assert certify(copy).faults == ("pose",)


@pytest.mark.parametrize(
    ("scale", "all_of_k", "with_flow"), [(1.01, True, True), (0.99, False, True), (1.01, True, False)]
)
def test_intrinsics_changed_by_a_percent(copy: Path, scale: float, all_of_k: bool, with_flow: bool) -> None:
    cameras, imus = read_calibration(copy / "calibration.json")
    for name, stream in cameras.items():
        c = stream.camera
        changed = replace(c, fx=c.fx * scale, fy=c.fy * scale)
        if all_of_k:
            changed = replace(changed, cx=c.cx * scale, cy=c.cy * scale)
        cameras[name] = replace(stream, camera=changed)
    write_calibration(copy / "calibration.json", cameras.values(), imus.values())
    if not with_flow:
        forget_flow(copy)
    certificate = certify(copy)
    assert certificate.faults == ("calibration",), failed(certificate)
    focal = next(c for c in certificate.checks if c.name.startswith("focal length"))
    assert focal.numbers["fx_percent"] == pytest.approx(100 * (1 / scale - 1), abs=0.05)


def forget_flow(folder: Path) -> None:
    manifest = json.loads((folder / "dataset.json").read_text())
    manifest["streams"][LEFT]["layers"].remove("flow")
    (folder / "dataset.json").unlink()
    (folder / "dataset.json").write_text(json.dumps(manifest))


def test_pose_fault_is_named_without_flow(copy: Path) -> None:
    forget_flow(copy)
    for name in (LEFT, RIGHT):
        change_poses(copy, name, lambda poses: shift(poses, (0.0, 0.01, 0.0), slice(20, 21)))
    assert certify(copy).faults == ("pose",)


def test_baseline_of_the_calibration_changed_by_a_percent_of_a_metre(copy: Path) -> None:
    cameras, imus = read_calibration(copy / "calibration.json")
    cameras = {name: replace(c, baseline_m=c.baseline_m + 0.01) for name, c in cameras.items()}
    write_calibration(copy / "calibration.json", cameras.values(), imus.values())
    assert certify(copy).faults == ("calibration",)


def test_mount_of_the_calibration_moved_by_a_centimetre(copy: Path) -> None:
    cameras, imus = read_calibration(copy / "calibration.json")
    moved = transform(np.eye(3), [0, 0.01, 0])
    cameras = {name: replace(c, T_body_camera=moved @ c.T_body_camera) for name, c in cameras.items()}
    write_calibration(copy / "calibration.json", cameras.values(), imus.values())
    assert certify(copy).faults == ("calibration",)


@pytest.mark.parametrize("which", ["left", "both", "both and poses", "one", "imu", "body"])
def test_stamps_moved_by_five_milliseconds(copy: Path, which: str) -> None:
    late_ns = -5_000_000 if which == "body" else 5_000_000
    if which == "imu":
        samples = tables.read_imu(copy / "sensors" / IMU / "samples.parquet")
        path = copy / "sensors" / IMU / "samples.parquet" / "part-00000.parquet"
        tables.write_imu(path, replace(samples, t_ns=samples.t_ns + late_ns))
    elif which == "body":
        change_poses(copy, "scout", lambda p: replace(p, t_ns=p.t_ns + late_ns))
    else:
        for stream in (LEFT,) if which == "left" else (LEFT, RIGHT):
            path = copy / "sensors" / stream / "times.parquet"
            t_ns = tables.read_stamps(path)
            t_ns[slice(20, 21) if which == "one" else slice(None)] += late_ns
            tables.write_stamps(path, t_ns)
            if which == "both and poses":
                change_poses(copy, stream, lambda p: replace(p, t_ns=p.t_ns + late_ns))
    certificate = certify(copy)
    assert certificate.faults == ("time",), failed(certificate)


def test_poses_taken_at_another_time_than_the_images(copy: Path) -> None:
    """Stamps as they should be, but each pose is that of 5 ms later."""
    t = np.arange(N) * 0.1 + 0.005
    for name, mount in ((LEFT, synthetic.T_BODY_LEFT), (RIGHT, synthetic.T_BODY_RIGHT)):
        T = synthetic.body_pose(t) @ mount
        change_poses(copy, name, lambda p, T=T: replace(p, T=T))  # type: ignore[misc]
    assert "time" in certify(copy).faults


@pytest.mark.parametrize("pair", [(4, 5), (2, 3)])
@pytest.mark.parametrize("where", ["table", "one image", "all images"])
def test_two_ids_swapped(copy: Path, pair: tuple[int, int], where: str) -> None:
    """2 and 3 are of the same category, so that the semantic image cannot tell."""
    a, b = pair
    if where == "table":
        labels = read_labels(copy / "labels.json")
        other = {a: b, b: a}
        swapped = [replace(row, id=other.get(row.id, row.id)) for row in labels]
        write_labels(copy / "labels.json", tuple(sorted(swapped, key=lambda row: row.id)))
    else:
        for i in range(N) if where == "all images" else (14,):
            path = layer_path(copy, LEFT, "instance", i)
            image = read_layer(path, "instance", SIZE)
            write_layer(
                path, "instance", np.choose((image == a) + 2 * (image == b), [image, b, a]).astype(np.uint16)
            )
    certificate = certify(copy)
    assert certificate.faults == ("labels",), failed(certificate)


def test_an_id_outside_the_table(copy: Path) -> None:
    path = layer_path(copy, LEFT, "instance", 3)
    image = read_layer(path, "instance", SIZE)
    image[image == 4] = 77
    write_layer(path, "instance", image)
    assert certify(copy).faults == ("labels",)


@pytest.mark.parametrize("layer", ["depth", "flow"])
def test_a_stale_layer_of_one_frame_is_found(copy: Path, layer: str) -> None:
    for i in range(20, 30):
        write_layer(
            layer_path(copy, LEFT, layer, i),
            layer,
            read_layer(layer_path(copy, LEFT, layer, 5), layer, SIZE),
        )
    assert not certify(copy).passed


@pytest.mark.parametrize("spoil", ["gyro scale", "gyro axes", "no gravity", "accel lever"])
def test_a_wrong_imu(copy: Path, spoil: str) -> None:
    folder = copy / "sensors" / IMU / "samples.parquet"
    s = tables.read_imu(folder)
    if spoil == "gyro scale":
        s = replace(s, angular_rate=s.angular_rate * 1.01)
    elif spoil == "gyro axes":
        s = replace(s, angular_rate=s.angular_rate[:, [1, 0, 2]])
    elif spoil == "no gravity":
        R = from_rpy(synthetic.angles(s.t_ns * 1e-9)) @ synthetic.T_BODY_IMU[:3, :3]
        s = replace(s, specific_force=s.specific_force + (synthetic.G @ R))
    else:
        s = replace(s, specific_force=s.specific_force * 1.01)
    tables.write_imu(folder / "part-00000.parquet", s)
    certificate = certify(copy)
    assert not certificate.passed
    assert "imu" in certificate.faults


def test_a_camera_that_sees_only_its_own_robot_is_not_certified(copy: Path) -> None:
    labels = (*read_labels(copy / "labels.json"), LabelRow(6, "scout", "robot", 37, True))
    write_labels(copy / "labels.json", labels)
    for i in range(N):
        for layer, value in (("instance", 6), ("semantic", 37)):
            path = layer_path(copy, LEFT, layer, i)
            write_layer(path, layer, np.full(SIZE, value, np.uint16))
    certificate = certify(copy)
    assert "image" in certificate.faults, str(certificate)


def test_a_stream_that_lost_stamps_is_a_fault_of_time_that_json_can_hold(copy: Path) -> None:
    path = copy / "sensors" / RIGHT / "times.parquet"
    tables.write_stamps(path, tables.read_stamps(path)[:-1])
    certificate = certify(copy)
    assert "time" in certificate.faults
    json.dumps(certificate.to_json(), allow_nan=False)


# --- its parts -------------------------------------------------------------------------------------------


def test_attitude_of_a_constant_and_of_a_coning_rate_is_exact() -> None:
    t_ns = np.arange(0, 2_000_000_001, 5_000_000, dtype=np.int64)
    t = t_ns * 1e-9
    w = np.array([0.3, -1.2, 2.0])
    R = integrate_rate(ImuSamples(t_ns, np.tile(w, (len(t), 1)), np.zeros((len(t), 3)))).R
    np.testing.assert_allclose(R[-1], so3_exp(w * t[-1]), atol=1e-12)
    rate = synthetic.body_rate(t)
    truth = from_rpy(synthetic.angles(t))
    R = truth[0] @ integrate_rate(ImuSamples(t_ns, rate, np.zeros_like(rate))).R
    np.testing.assert_allclose(R, truth, atol=1e-10)


def test_a_camera_at_rest_cannot_show_its_focal_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synthetic, "_sine", lambda omega, phase, t, order: 0.0 * t)
    data = synthetic.make(tmp_path / "still", n=12)
    certificate = verify(data)
    assert certificate.passed, str(certificate)
    unknown = [check.name for check in certificate.checks if check.passed is None]
    assert any("focal length" in name for name in unknown)
    assert any("time offset" in name for name in unknown)
    assert "not measured" in str(certificate)
