"""The native folder: round trips, resuming, and errors that name the file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import namedtuple
from dataclasses import fields, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veridical.core.camera import PinholeCamera
from veridical.core.errors import DataError
from veridical.core.geometry import se3_exp
from veridical.core.trajectory import Trajectory
from veridical.datasets import BlindDataset, DatasetWriter, Plan, estimate_bytes, open_dataset
from veridical.datasets.frames import Box2d, Box3d, CameraFrame, CameraStream, ImuSamples, ImuStream
from veridical.datasets.labels import LabelRow
from veridical.scenario.schema import Scenario

H, W, N = 24, 32, 4
LABELS = ("depth", "range", "normals", "instance", "semantic", "flow", "boxes")


def make_scenario(quality: str = "draft", labels: tuple[str, ...] = LABELS) -> Scenario:
    return Scenario.model_validate(
        {
            "name": "tiny",
            "robots": {
                "scout": {
                    "kind": "quadrotor",
                    "sensors": {
                        "front": {"kind": "stereo", "width": W, "height": H},
                        "rgbd": {"kind": "rgbd", "width": W, "height": H},
                        "imu": {"kind": "imu"},
                    },
                }
            },
            "output": {"quality": quality, "labels": list(labels)},
        }
    )


def make_plan(scenario: Scenario | None = None, n: int = N) -> Plan:
    camera = PinholeCamera(W, H, 20.0, 21.0, 15.25, 11.75, (0.1, -0.02, 1e-3, 2e-3, 0.0))
    T = se3_exp([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    cameras = (
        CameraStream("scout/front/left", camera, T, 10.0, "left", 0.1),
        CameraStream("scout/front/right", camera, T, 10.0, "right", 0.1),
        CameraStream("scout/rgbd", camera, T, 10.0, "rgbd", 0.0, 5.0),
    )
    return Plan(
        scenario=scenario or make_scenario(),
        run={"sha256": "ab12"},
        cameras=cameras,
        stamps={c.name: np.arange(n, dtype=np.int64) * 100_000_000 for c in cameras},
        imus=(ImuStream("scout/imu", T, 200.0),),
        labels=(LabelRow(1, "sofa_0", "sofa", 7, False), LabelRow(2, "cup_0", "cup", 9, True)),
        renderer="test",
        versions={"veridical": "0"},
        licences=({"name": "x", "spdx": "CC0-1.0"},),
        warnings=("one warning",),
    )


def make_frame(t_ns: int, seed: int = 0) -> CameraFrame:
    rng = np.random.default_rng(seed + t_ns % 997)
    normals = rng.normal(size=(H, W, 3))
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    normals[0, :5] = 0
    depth = rng.uniform(0.1, 70, (H, W)).astype(np.float32)
    depth[0, :5] = 0
    flow = rng.normal(scale=30, size=(H, W, 2)).astype(np.float32)
    flow[0, :5] = np.nan
    instance = rng.integers(0, 3, (H, W)).astype(np.uint16)
    return CameraFrame(
        t_ns=t_ns,
        T_world_camera=se3_exp(rng.normal(size=6)),
        colour=rng.integers(0, 256, (H, W, 3)).astype(np.uint8),
        depth=depth,
        range=depth * np.float32(1.1),
        normals=normals.astype(np.float32),
        instance=instance,
        semantic=(instance * 4).astype(np.uint16),
        flow=flow,
        occluded=rng.random((H, W)) > 0.5,
        boxes_2d=(Box2d(1, (1.0, 2.0, 3.0, 4.5), (0.0, 1.0, 5.0, 6.0), 7), Box2d(2, None, (0, 0, 1, 1), 0)),
        boxes_3d=(Box3d(1, se3_exp(rng.normal(size=6)), (1.0, 2.0, 0.1)),),
    )


def make_imu(n: int = 50) -> ImuSamples:
    rng = np.random.default_rng(3)
    t_ns = np.arange(n, dtype=np.int64) * 5_000_000
    return ImuSamples(t_ns, rng.normal(size=(n, 3)), rng.normal(size=(n, 3)))


def fill(writer: DatasetWriter) -> None:
    for stream, stamps in writer.plan.stamps.items():
        for i in writer.missing(stream):
            writer.write_frame(stream, i, make_frame(int(stamps[i])))
    writer.write_imu("scout/imu", make_imu())
    t_ns = np.arange(5, dtype=np.int64)
    rng = np.random.default_rng(1)
    writer.write_trajectory("scout", Trajectory(t_ns, se3_exp(rng.normal(size=(5, 6)))))


@pytest.fixture(scope="module")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("native") / "data"
    writer = DatasetWriter.open(folder, make_plan())
    fill(writer)
    writer.finish({"render": 1.5})
    return folder


def assert_frames_equal(got: CameraFrame, want: CameraFrame) -> None:
    for name in (f.name for f in fields(CameraFrame)):
        a, b = getattr(got, name), getattr(want, name)
        if name == "normals" and b is not None:
            assert np.abs(a - b).max() < 1e-4
        elif name == "boxes_3d" and b is not None:
            assert [(x.instance, x.size_m) for x in a] == [(x.instance, x.size_m) for x in b]
            assert all(np.array_equal(x.T_world_box, y.T_world_box) for x, y in zip(a, b, strict=True))
        elif isinstance(b, np.ndarray):
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b, err_msg=name)
        else:
            assert a == b, name


def test_every_layer_of_a_frame_returns_as_it_was_written(data_folder: Path) -> None:
    data = open_dataset(data_folder)
    for i in range(N):
        assert_frames_equal(data.frame("scout/front/left", i), make_frame(i * 100_000_000))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**31), quality=st.sampled_from(["none", "draft"]), data=st.data())
def test_any_choice_of_labels_round_trips(
    tmp_path_factory: pytest.TempPathFactory, seed: int, quality: str, data: st.DataObject
) -> None:
    labels = tuple(data.draw(st.sets(st.sampled_from(LABELS))))
    plan = make_plan(make_scenario(quality, labels), n=2)
    plan = replace(plan, cameras=plan.cameras[:1], imus=(), stamps={"scout/front/left": np.array([-5, 7])})
    writer = DatasetWriter.open(tmp_path_factory.mktemp("any") / "d", plan)
    whole = [make_frame(t, seed) for t in (-5, 7)]
    left_out = {
        name: None for name in ("depth", "range", "normals", "instance", "semantic") if name not in labels
    }
    if "flow" not in labels:
        left_out |= {"flow": None, "occluded": None}
    if "boxes" not in labels:
        left_out |= {"boxes_2d": None, "boxes_3d": None}
    if quality == "none":
        left_out["colour"] = None
    frames = [replace(frame, **left_out) for frame in whole]  # type: ignore[arg-type]
    for i, frame in enumerate(frames):
        writer.write_frame("scout/front/left", i, frame)
    got = writer.finish()
    for i, frame in enumerate(frames):
        assert_frames_equal(got.frame("scout/front/left", i), frame)


def test_tables_calibration_and_scenario_return_to_the_bit(data_folder: Path) -> None:
    data, plan = open_dataset(data_folder), make_plan()
    imu = make_imu()
    np.testing.assert_array_equal(data.imu("scout/imu").angular_rate, imu.angular_rate)
    np.testing.assert_array_equal(data.imu("scout/imu").specific_force, imu.specific_force)
    np.testing.assert_array_equal(data.stamps("scout/imu"), imu.t_ns)
    for want in plan.cameras:
        got = data.cameras[want.name]
        assert (got.camera, got.role, got.baseline_m, got.max_depth_m) == (
            want.camera,
            want.role,
            want.baseline_m,
            want.max_depth_m,
        )
        np.testing.assert_array_equal(got.T_body_camera, want.T_body_camera)
        np.testing.assert_array_equal(data.stamps(want.name), plan.stamps[want.name])
    rng = np.random.default_rng(1)
    np.testing.assert_array_equal(data.body_poses("scout").T, se3_exp(rng.normal(size=(5, 6))))
    assert data.scenario == plan.scenario
    assert data.labels == plan.labels
    assert data.stereo_pairs() == [("scout/front/left", "scout/front/right")]


def test_manifest_tells_where_the_data_come_from(data_folder: Path) -> None:
    manifest = json.loads((data_folder / "dataset.json").read_text())
    assert manifest["status"] == "complete"
    assert manifest["run"] == {"sha256": "ab12"}
    assert manifest["timings_s"] == {"render": 1.5}
    assert manifest["warnings"] == ["one warning"]
    assert manifest["streams"]["scout/front/left"]["frames"] == N
    assert manifest["layers"]["depth_mm"]["unit"] == "mm"
    assert not list(data_folder.rglob(".*.part*"))
    assert not list((data_folder / "truth").rglob("frames"))


def test_depth_in_millimetres_saturates_and_keeps_zero(data_folder: Path) -> None:
    data = open_dataset(data_folder)
    raw = cv2.imread(str(data_folder / "truth/scout/front/left/depth_mm/000000.png"), cv2.IMREAD_UNCHANGED)
    depth = data.frame("scout/front/left", 0).depth
    assert depth is not None
    assert raw.dtype == np.uint16
    np.testing.assert_array_equal(raw, np.minimum(np.rint(depth * np.float32(1000)), 65535))
    assert (raw[depth > 65.6] == 65535).all()
    assert (raw[0, :5] == 0).all()


def test_files_open_in_another_reader_with_channels_in_order(data_folder: Path) -> None:
    from PIL import Image

    frame = make_frame(0)
    folder = data_folder / "truth/scout/front/left"
    np.testing.assert_array_equal(np.array(Image.open(folder / "depth/000000.tiff")), frame.depth)
    np.testing.assert_array_equal(np.array(Image.open(folder / "instance/000000.png")), frame.instance)
    colour = np.array(Image.open(data_folder / "sensors/scout/front/left/colour/000000.png"))
    np.testing.assert_array_equal(colour, frame.colour)


def test_sensed_depth_ends_at_the_sensor_range(data_folder: Path) -> None:
    data = open_dataset(data_folder)
    truth, sensed = data.frame("scout/rgbd", 0).depth, data.depth("scout/rgbd", 0)
    assert truth is not None
    near = truth <= 5.0
    assert (sensed[~near] == 0).all()
    assert np.abs(sensed - truth)[near].max() <= 0.501e-3
    with pytest.raises(DataError, match="senses no depth"):
        data.depth("scout/front/left", 0)


# --- the blind reader ----------------------------------------------------------------------------------


def everything_reachable(value: object, depth: int = 6) -> list[object]:
    """Values of attributes, items and closures, recursively."""
    found: list[object] = [value]
    if depth == 0 or isinstance(value, (str, int, float, np.ndarray, type)):
        return found
    inner: list[object] = list(vars(value).values()) if hasattr(value, "__dict__") else []
    if isinstance(value, dict):
        inner += [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set)):
        inner += list(value)
    for child in inner:
        found += everything_reachable(child, depth - 1)
    return found


def test_blind_reader_has_no_way_to_the_truth(data_folder: Path) -> None:
    data = open_dataset(data_folder)
    blind = data.blind()
    assert type(blind) is BlindDataset
    for name in ("frame", "poses", "body_poses", "labels", "read", "folder", "manifest", "scenario"):
        assert not hasattr(blind, name)
    for value in everything_reachable(blind):
        assert not isinstance(value, (Trajectory, CameraFrame, LabelRow, Scenario)), value
        assert value is not data
        if isinstance(value, Path):
            assert value == data_folder / "sensors"
    assert not any("truth" in str(p) for p in (data_folder / "sensors").rglob("*"))
    np.testing.assert_array_equal(blind.colour("scout/front/right", 1), make_frame(100_000_000).colour)


# --- resuming ------------------------------------------------------------------------------------------


def test_a_half_written_dataset_resumes_and_equals_an_undisturbed_one(
    tmp_path: Path, data_folder: Path
) -> None:
    plan = make_plan()
    writer = DatasetWriter.open(tmp_path / "d", plan)
    writer.write_frame("scout/rgbd", 2, make_frame(200_000_000))
    writer.write_frame("scout/front/left", 0, make_frame(0))
    again = DatasetWriter.open(tmp_path / "d", plan)
    assert again.missing("scout/rgbd") == [0, 1, 3]
    assert again.missing("scout/imu") == [0]
    with pytest.raises(DataError, match="still lacks"):
        again.finish()
    fill(again)
    again.finish({"render": 1.5})
    assert folder_bytes(tmp_path / "d") == folder_bytes(data_folder)


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_another_dataset_in_the_way_is_refused_and_left_alone(tmp_path: Path, data_folder: Path) -> None:
    before = folder_bytes(data_folder)
    with pytest.raises(DataError, match="complete"):
        DatasetWriter.open(data_folder, make_plan())
    other = replace(make_plan(), run={"sha256": "other"})
    with pytest.raises(DataError, match="holds another dataset"):
        DatasetWriter.open(data_folder, other)
    assert folder_bytes(data_folder) == before
    (tmp_path / "thesis.doc").write_text("mine")
    with pytest.raises(DataError, match="something else"):
        DatasetWriter.open(tmp_path, make_plan())
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.doc"]


def test_a_killed_writer_leaves_whole_files_and_resumes(tmp_path: Path) -> None:
    script = textwrap.dedent(
        f"""
        import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
        from test_folder import *
        writer = DatasetWriter.open({str(tmp_path / "d")!r}, make_plan(n=400))
        print("ready", flush=True)
        fill(writer)
        """
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        until = time.monotonic() + 30
        while len(list((tmp_path / "d").rglob("*.png"))) < 40 and time.monotonic() < until:
            time.sleep(0.005)
        os.kill(child.pid, signal.SIGKILL)
    plan = make_plan(n=400)
    with pytest.warns(UserWarning, match="incomplete"):
        data = open_dataset(tmp_path / "d")
    n = len(data.stamps("scout/front/left"))
    assert 0 < n < 400
    assert not data.is_complete
    for i in {0, n // 2, n - 1}:
        assert_frames_equal(data.frame("scout/front/left", i), make_frame(i * 100_000_000))
    writer = DatasetWriter.open(tmp_path / "d", plan)
    assert len(writer.missing("scout/front/left")) == 400 - n
    assert not list((tmp_path / "d").rglob(".*.part*"))


def test_partial_files_are_not_taken_for_frames(tmp_path: Path) -> None:
    plan = make_plan()
    writer = DatasetWriter.open(tmp_path / "d", plan)
    left = tmp_path / "d/truth/scout/front/left/frames"
    left.mkdir(parents=True)
    (left / ".000000.12-ab.part.json").write_text("{")
    assert writer.missing("scout/front/left") == list(range(N))
    assert DatasetWriter.open(tmp_path / "d", plan).missing("scout/front/left") == list(range(N))
    assert not list(left.iterdir())


# --- errors --------------------------------------------------------------------------------------------


@pytest.fixture
def spoilable(data_folder: Path, tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(data_folder, tmp_path / "copy"))


@pytest.mark.parametrize(
    "name",
    [
        "sensors/scout/front/left/colour/000001.png",
        "truth/scout/front/left/depth/000001.tiff",
        "truth/scout/front/left/flow/000001.tiff",
        "truth/scout/front/left/boxes_2d.parquet",
        "truth/poses/scout/front/left.parquet",
        "calibration.json",
        "labels.json",
        "dataset.json",
    ],
)
@pytest.mark.parametrize("spoil", ["missing", "empty", "cut"])
def test_a_missing_or_corrupt_file_is_named(spoilable: Path, name: str, spoil: str) -> None:
    path = spoilable / name
    whole = path.read_bytes()
    path.unlink()
    if spoil == "empty":
        path.write_bytes(b"")
    elif spoil == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=path.name):
        open_dataset(spoilable).frame("scout/front/left", 1)


def test_manifest_holds_the_hash_of_the_tables_as_they_are_read(data_folder: Path) -> None:
    from veridical.datasets.calibration import calibration_hash
    from veridical.datasets.labels import labels_hash

    data = open_dataset(data_folder)
    assert data.manifest["sha256"] == {
        "calibration.json": calibration_hash(data.cameras.values(), data.imus.values()),
        "labels.json": labels_hash(data.labels),
    }


def test_wrong_names_and_indices_say_what_there_is(data_folder: Path) -> None:
    data = open_dataset(data_folder)
    with pytest.raises(DataError, match=r"Did you mean 'scout/front/left'"):
        data.colour("scout/front/lef", 0)
    with pytest.raises(DataError, match="frames 0 to 3"):
        data.frame("scout/front/left", 4)
    with pytest.raises(DataError, match="Known: scout"):
        data.body_poses("scut")
    with pytest.raises(DataError, match="not a dataset"):
        open_dataset(data_folder / "sensors")


def test_frames_that_break_the_plan_are_refused(tmp_path: Path) -> None:
    writer = DatasetWriter.open(tmp_path / "d", make_plan())
    with pytest.raises(DataError, match="stamped 5 ns"):
        writer.write_frame("scout/front/left", 0, make_frame(5))
    with pytest.raises(DataError, match="without normals"):
        writer.write_frame("scout/front/left", 0, replace(make_frame(0), normals=None))
    with pytest.raises(DataError, match="shape"):
        writer.write_frame("scout/front/left", 0, replace(make_frame(0), depth=np.zeros((3, 3), np.float32)))
    assert writer.missing("scout/front/left") == list(range(N))


def test_too_little_disk_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(2 * 10**9, 10**9, 10**9))
    scenario = Scenario.model_validate(
        {
            "recording": {"duration_s": 600},
            "robots": {
                "scout": {
                    "kind": "quadrotor",
                    "sensors": {"front": {"kind": "mono", "width": 640, "height": 480, "rate_hz": 10}},
                }
            },
        }
    )
    assert sum(estimate_bytes(scenario).values()) > 10 * 10**9
    with pytest.raises(DataError, match=r"needs about \d+\.\d+ GB, but 1\.00 GB .*scout/front") as caught:
        DatasetWriter.open(tmp_path / "d", make_plan(scenario))
    assert caught.value.exit_code == 2
    assert not (tmp_path / "d").exists()


def test_the_estimate_is_on_the_safe_side(data_folder: Path) -> None:
    """Noise does not compress, so these frames are the worst case of the float layers."""
    scenario = make_plan().scenario
    scenario = scenario.model_copy(
        update={"recording": scenario.recording.model_copy(update={"duration_s": 100})}
    )
    estimate = estimate_bytes(scenario)
    assert set(estimate) == {"scout/front", "scout/rgbd", "scout/imu"}
    files = [p for p in (data_folder / "truth/scout/rgbd").rglob("*") if p.suffix in (".png", ".tiff")]
    per_frame = sum(p.stat().st_size for p in files) / N
    assert estimate["scout/rgbd"] / 1000 == pytest.approx(per_frame, rel=0.5)
