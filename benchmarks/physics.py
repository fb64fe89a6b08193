"""The recorded loop against raw `mj_step` of the same model: steps per second and their ratio.

    python benchmarks/physics.py [RUN] [--seconds 5]

Takes the world of a finished run, or composes the preset `apartment`. Both loops run alternately in
one process, each time from the same state, and count processor time, so a busy machine does not matter.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import mujoco

from veridical.scenario import load
from veridical.scenario.schema import Scenario
from veridical.simulate.launch import begin, step_ns
from veridical.simulate.manifest import read_scenario
from veridical.worlds import compose, load_world
from veridical.worlds.world import World

CHUNK = 500


def source(run: Path | None, folder: Path) -> tuple[Scenario, World]:
    if run is not None:
        return read_scenario(run / "scenario.yaml"), load_world(run / "world")
    scenario = load("apartment")
    return scenario, compose(scenario, folder / "world")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", nargs="?", type=Path)
    parser.add_argument("--seconds", type=float, default=5.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        scenario, world = source(given.run, Path(temporary))
        engine, _ = begin(scenario, Path(temporary) / "run", world, step_ns(scenario.physics.rate_hz))
        raw = mujoco.MjData(world.model)
        engine.run(2 * CHUNK)  # fills a part: writing imports what it needs
        for _ in range(CHUNK):
            mujoco.mj_step(world.model, raw)
        steps, loop_s, raw_s = 0, 0.0, 0.0
        while steps < given.seconds * scenario.physics.rate_hz:
            mujoco.mj_copyData(raw, world.model, engine.data)
            t0 = time.process_time()
            engine.run(CHUNK)
            t1 = time.process_time()
            for _ in range(CHUNK):
                mujoco.mj_step(world.model, raw)
            t2 = time.process_time()
            loop_s, raw_s, steps = loop_s + t1 - t0, raw_s + t2 - t1, steps + CHUNK
    print(f"nq {world.model.nq}, nv {world.model.nv}, {steps} steps")
    print(f"raw mj_step   {steps / raw_s:9.0f} steps/s   {raw_s / steps * 1e6:7.1f} us/step")
    print(f"recorded loop {steps / loop_s:9.0f} steps/s   {loop_s / steps * 1e6:7.1f} us/step")
    print(f"ratio         {raw_s / loop_s:9.2f}")


if __name__ == "__main__":
    main()
