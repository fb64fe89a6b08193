"""Machines on which not every engine works."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from veridical.core.errors import RenderError
from veridical.render import engine, gl

IMU = "imu: {kind: imu, rate_hz: 100}"
EYE = "eye: {kind: rgbd, rate_hz: 10, width: 32, height: 24, mount: {position: [0.2, 0, 0]}}"


def test_without_a_usable_llvm_it_says_so_and_renders_slowly(desk):
    desk.write((IMU, EYE), ("duration_s: 0.2", "duration_s: 0.1"))
    (desk.folder / "libLLVM.so").write_text("no library")
    done = subprocess.run(
        [Path(sys.executable).with_name("veridical"), "run", "small.yaml", "-o", "out"],
        env={**os.environ, engine.LLVM_PATH: str(desk.folder / "libLLVM.so")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    first, second = (line for line in done.stderr.splitlines() if line.startswith("warning: "))
    assert "llvm_ad_rgb with" in first
    assert "libLLVM.so cannot render here" in first
    assert "pip install karellen-llvm-core" in first
    assert "scalar_rgb instead" in second
    assert done.stderr.index(second) < done.stderr.index("simulate: ")  # before the time is spent
    manifest = json.loads((desk.folder / "out/data/dataset.json").read_text())
    assert manifest["renderer"].endswith("scalar_rgb")
    assert [w for w in manifest["warnings"] if "scalar_rgb instead" in w]
    picture = cv2.imread(str(desk.folder / "out/data/sensors/scout/eye/colour/000000.png"))
    assert picture.shape == (24, 32, 3)
    assert picture.std() > 5


def test_doctor_names_the_unusable_llvm_and_what_is_used(desk, monkeypatch):
    (desk.folder / "libLLVM.so").write_text("no library")
    monkeypatch.setenv(engine.LLVM_PATH, str(desk.folder / "libLLVM.so"))
    outcome = desk("doctor", "--json")
    assert outcome.code == 0
    tracing = [f for f in json.loads(outcome.out)["findings"] if f["what"] == "path tracing"]
    assert [f["found"] for f in tracing] == [False, False, True]
    assert "cannot render here" in tracing[0]["detail"]
    assert tracing[-1]["detail"] == "scalar_rgb"


@pytest.mark.parametrize("quality", ["draft", "fast"])
def test_a_run_that_no_renderer_can_draw_is_refused_before_the_physics(desk, monkeypatch, quality):
    def none(*_):
        raise RenderError("no renderer works here")

    if quality == "draft":
        monkeypatch.setattr(engine, "choose_engine", none)
    else:
        monkeypatch.setattr(gl, "find_gl", none)
    desk.write((IMU, EYE))
    before = desk.tree()
    outcome = desk("run", "small.yaml", "-o", "out", "--set", f"output.quality={quality}")
    assert outcome.code == 2
    assert outcome.errors == ["error: no renderer works here"]
    assert desk.tree() == before


def test_doctor_says_how_to_get_what_is_missing(desk, monkeypatch):
    version = importlib.metadata.version

    def without_trimesh(package):
        if package == "trimesh":
            raise importlib.metadata.PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(importlib.metadata, "version", without_trimesh)
    outcome = desk("doctor")
    assert outcome.code == 1
    assert "MISSING trimesh: pip install trimesh" in outcome.out
    assert outcome.out.splitlines()[-1].startswith("not ready")
