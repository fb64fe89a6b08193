"""Recording: the same bytes again, whatever happened in between and whatever else is recorded."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tiny

from veridical.core.geometry import invert
from veridical.datasets import open_dataset, verify
from veridical.scenario.schema import Imu, MonoCamera, Pose, RgbdCamera, StereoCamera
from veridical.sensors import observe
from veridical.simulate.launch import run_in

SMALL = {"width": 48, "height": 36, "rate_hz": 10}
FRONT = Pose(position=(0.2, 0.06, 0.0))
SENSORS = {
    "front": StereoCamera(kind="stereo", baseline_m=0.12, mount=FRONT, **SMALL),
    "imu": Imu(kind="imu", rate_hz=200, mount=Pose(position=(0.02, 0.01, 0.0), rpy_deg=(0, 10, 0))),
}
KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import test_observe as t
folder, at = Path(sys.argv[2]), int(sys.argv[3])
def progress(stage, done, total):
    if stage == "frames" and done >= at:
        os.kill(os.getpid(), signal.SIGKILL)
t.observe(t.flight(folder / "run"), folder / "data", progress=progress)
"""


def flight(folder: Path, **more):
    scenario = tiny.scenario(tiny.flying((0, 0, 1.2), (0.6, 0.2, 1.3), sensors=SENSORS | more), seconds=0.5)
    return run_in(scenario, folder, lambda _: tiny.world(scenario))


def content(folder: Path) -> dict[str, bytes]:
    """Every file but the manifests, which tell times."""
    files = (
        p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in ("dataset.json", "run.json")
    )
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    observe(flight(folder / "run"), folder / "data")
    return folder


def test_what_was_recorded_is_certified(recorded):
    certificate = verify(open_dataset(recorded / "data"))
    assert certificate.passed, str(certificate)


def test_poses_of_the_cameras_are_those_of_their_mounts(recorded):
    data = open_dataset(recorded / "data")
    left, right = (data.poses(f"scout/front/{side}").T for side in ("left", "right"))
    apart = invert(left) @ right
    np.testing.assert_allclose(apart[:, :3, 3], np.tile([0.12, 0, 0], (len(apart), 1)), atol=1e-12)


def test_the_same_seed_gives_the_same_bytes(recorded, tmp_path):
    observe(flight(tmp_path / "run"), tmp_path / "data")
    assert content(tmp_path) == content(recorded)


@pytest.mark.parametrize("at", [0, 3, 7])
def test_a_killed_recording_goes_on_to_the_same_bytes(recorded, tmp_path, at):
    command = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(tmp_path), str(at)]
    path = os.pathsep.join([str(Path(__file__).parent), str(Path(tiny.__file__).parent)])
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert json.loads((tmp_path / "data" / "dataset.json").read_text())["status"] != "complete"
    scenario = tiny.scenario(tiny.flying((0, 0, 1.2), (0.6, 0.2, 1.3), sensors=SENSORS), seconds=0.5)
    from veridical.simulate.run import Run

    observe(Run(tmp_path / "run", tiny.world(scenario)), tmp_path / "data")
    assert content(tmp_path / "data") == content(recorded / "data")


def test_another_sensor_changes_nothing_else(recorded, tmp_path):
    more = {
        "down": MonoCamera(kind="mono", mount=Pose(position=(0, 0, -0.2), rpy_deg=(0, 90, 0)), **SMALL),
        "depth": RgbdCamera(kind="rgbd", mount=FRONT, **SMALL),
    }
    observe(flight(tmp_path / "run", **more), tmp_path / "data")
    now, before = content(tmp_path), content(recorded)
    kept = [
        name
        for name in before
        if name.startswith(("run/states", "data/sensors", "data/truth"))
        and not name.endswith("scenario.yaml")
    ]
    assert len(kept) > 20
    changed = [name for name in kept if now.get(name) != before[name]]
    assert not changed
    assert any("depth" in name for name in set(now) - set(before))
