"""The report: one file that needs nothing else, with what was measured and what was not."""

import re
import shutil

import numpy as np
import pytest
import tiny

from veridical.core.errors import DataError
from veridical.core.geometry import invert
from veridical.datasets import open_dataset, verify
from veridical.datasets.certificate import keep, kept
from veridical.datasets.track import Track
from veridical.report import report
from veridical.scenario.schema import Imu, Pose, StereoCamera
from veridical.sensors import observe
from veridical.simulate.launch import run_in

SENSORS = {
    "front": StereoCamera(
        kind="stereo", width=64, height=48, rate_hz=10, baseline_m=0.1, mount=Pose(position=(0.2, 0.05, 0))
    ),
    "imu": Imu(kind="imu", rate_hz=200),
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reported")
    scenario = tiny.scenario(tiny.flying((0, 0, 1.2), (0.6, 0.2, 1.3), sensors=SENSORS), seconds=0.6)
    observe(run_in(scenario, folder / "run", lambda _: tiny.world(scenario)), folder / "data")
    return folder / "data"


def test_one_file_without_outside_links(dataset, tmp_path):
    report([open_dataset(dataset)], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    links = re.findall(r"""(?:src|href)\s*=\s*["']([^"']+)""", page) + re.findall(r"url\(([^)]+)\)", page)
    outside = [link for link in links if not link.startswith(("data:", "#"))]
    assert not outside
    assert page.count("data:image/") >= 8
    for word in ("scout", "depth", "instances", "flow", "seed"):
        assert word in page
    assert "<script src" not in page


def nearly_true(data, stream):
    """An estimate that is the truth but for a millimetre."""
    poses = data.poses(stream)
    T = invert(poses.T[0]) @ poses.T
    T[1:, 0, 3] += 1e-3
    n = len(T)
    return Track(
        "nearly-true",
        stream,
        poses.t_ns,
        T,
        np.array(["start"] + ["ok"] * (n - 1)),
        np.ones(n),
        np.tile(np.eye(6), (n, 1, 1)),
        np.zeros(n),
        np.zeros(n, np.int64),
    )


def test_the_certificate_and_the_scores_come_with_their_conditions(dataset, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(dataset, folder)
    data = open_dataset(folder)
    keep(data, verify(data))
    nearly_true(data, "scout/front/left").save(folder / "estimates" / "nearly-true")
    report([data], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    for words in ("certified", "nearly-true", "ATE", "tracking rate", "matched", "aligned", "re-integrated"):
        assert words in page, words


def test_a_kept_certificate_holds_only_while_no_file_is_touched(dataset, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(dataset, folder)
    data = open_dataset(folder)
    assert kept(data) is None
    certificate = verify(data)
    keep(data, certificate)
    assert kept(data) == certificate.from_json(certificate.to_json())
    assert str(kept(data)) == str(certificate)
    poses = next((folder / "truth").rglob("*.parquet"))
    poses.write_bytes(poses.read_bytes())
    assert kept(data) is None


def test_a_folder_that_is_no_dataset_is_refused(tmp_path):
    with pytest.raises(DataError):
        report([open_dataset(tmp_path)], tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()
