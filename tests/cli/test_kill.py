"""A killed `run` that is given again ends as if it had never been disturbed."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

EYE = "eye: {kind: rgbd, rate_hz: 10, width: 32, height: 24, mount: {position: [0.2, 0, 0]}}"
MOMENTS = ("run/.world*", "run/states/part-00001.parquet", "data/truth/scout/eye/frames/000004.json")
"""Something that is on disk while the world, the states or the frames are written."""

TIMES = {"run.json": ("seconds",), "dataset.json": ("timings_s",)}


def begin(folder: Path, output: str) -> subprocess.Popen[bytes]:
    program = Path(sys.executable).with_name("veridical")
    return subprocess.Popen(
        [program, "run", "small.yaml", "-o", output], cwd=folder, stdout=subprocess.DEVNULL
    )


def content(folder: Path) -> dict[str, object]:
    """Every file below a folder; manifests without the time that was spent."""
    found: dict[str, object] = {}
    for path in folder.rglob("*"):
        if path.name in TIMES:
            manifest = json.loads(path.read_text())
            found[str(path.relative_to(folder))] = {
                k: v for k, v in manifest.items() if k not in TIMES[path.name]
            }
        elif path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def test_killed_at_three_moments(desk):
    imu = "imu: {kind: imu, rate_hz: 100}"
    desk.write((imu, f"{imu}\n      {EYE}"), ("duration_s: 0.2", "duration_s: 3"))
    assert begin(desk.folder, "whole").wait() == 0
    out, clock = desk.folder / "out", random.Random(11)
    for moment in MOMENTS:
        child = begin(desk.folder, "out")
        deadline = time.monotonic() + 120
        while not any(out.glob(moment)) and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(clock.uniform(0, 0.1))
        assert child.poll() is None, f"ended before {moment}"
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    assert begin(desk.folder, "out").wait() == 0
    assert content(out) == content(desk.folder / "whole")
