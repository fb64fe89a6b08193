"""The choice of an engine: a bad LLVM costs speed, never truth and never the process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from little import looking, world

from veridical.core.camera import PinholeCamera
from veridical.render import RenderScene

HERE = Path(__file__).parent
CAMERA = PinholeCamera.from_hfov(32, 24, 1.2)
SHOW = """
import json, logging, sys
import numpy as np
logging.basicConfig()
sys.path.insert(0, sys.argv[1])
from little import looking, matte, world
from veridical.core.camera import PinholeCamera
from veridical.render import RenderScene
from veridical.worlds.world import Look
camera = PinholeCamera.from_hfov(32, 24, 1.2)
scene = RenderScene(world(look=Look({"white": matte(0.5)}, sky=(0.5, 0.5, 0.5))), "draft")
T = looking(np.array([2.0, 0.5, 1.6]), np.array([0.0, 0.0, 0.6]))
truth = scene.truth(camera, T)
qpos = scene.data.qpos.copy()
qpos[1] += 0.1
scene.set_state(qpos)
flow, occluded = scene.flow(truth.hits, camera, T)
print(json.dumps({"name": scene.name, "depth": truth.depth.tolist(), "instance": truth.instance.tolist(),
    "occluded": int(occluded.sum()), "colour": float(scene.colour(camera, T, 1).mean())}))
"""


def show(**environment: str) -> tuple[dict, str]:
    done = subprocess.run(
        [sys.executable, "-c", SHOW, str(HERE)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_without_a_usable_llvm_the_truth_is_the_same_and_the_fall_back_is_said(tmp_path):
    broken = tmp_path / "libLLVM.so"
    broken.write_bytes(b"no library")
    slow, said = show(DRJIT_LIBLLVM_PATH=str(broken))
    assert slow["name"] == "mitsuba scalar_rgb"
    assert "scalar_rgb" in said
    assert "karellen-llvm-core" in said
    fast, _ = show()
    truth = RenderScene(world(), "none").truth(
        CAMERA, looking(np.array([2.0, 0.5, 1.6]), np.array([0, 0, 0.6]))
    )
    for other in (slow, fast):
        same = np.array(other["instance"]) == truth.instance
        assert same.mean() > 0.995
        assert np.abs(np.array(other["depth"]) - truth.depth)[same].max() < 1e-4
    assert abs(slow["occluded"] - fast["occluded"]) <= 3
    assert abs(slow["colour"] - fast["colour"]) < 6
