"""From a scenario to a run on disk."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mujoco

from veridical.core.clock import NS_PER_S
from veridical.core.errors import DataError, ScenarioError, SimulationError
from veridical.core.files import absent_on_error, sweep
from veridical.core.progress import Progress, silent
from veridical.robots import make_pilot, set_place
from veridical.scenario.schema import Scenario
from veridical.simulate import checkpoint, manifest
from veridical.simulate.engine import Engine, Failure, setpoint_names
from veridical.simulate.run import Run
from veridical.simulate.start import plan_all
from veridical.simulate.states import parts_of
from veridical.worlds.world import World

GetWorld = Callable[[Path], World]
_REPORT_STEPS = 500


def step_ns(rate_hz: float) -> int:
    """The physics step as a whole number of nanoseconds.

    Raises:
        ScenarioError: If the rate does not divide a second into whole nanoseconds.
    """
    dt = NS_PER_S / Fraction(str(rate_hz))
    if dt.denominator == 1:
        return int(dt)
    lower = next(r for r in range(int(rate_hz), 0, -1) if NS_PER_S % r == 0)
    upper = next(r for r in range(int(rate_hz) + 1, NS_PER_S + 1) if NS_PER_S % r == 0)
    msg = (
        f"physics.rate_hz: {rate_hz:g} Hz has a step of {float(dt):.3f} ns, which is not a whole number, "
        f"so the clock would drift; the nearest rates that have are {lower} and {upper} Hz "
        "(sensors may have any rate)"
    )
    raise ScenarioError(msg)


def world_maker(scenario: Scenario) -> GetWorld:
    """Loads the world of an interrupted run, or composes it."""

    def world_in(world_folder: Path) -> World:
        from veridical.worlds import compose, load_world

        if world_folder.is_dir():
            return load_world(world_folder)
        return compose(scenario, world_folder)

    return world_in


def run_in(scenario: Scenario, folder: Path, get_world: GetWorld, progress: Progress = silent) -> Run:
    """Simulates into a folder, or goes on where an interrupted run of the same scenario was cut.

    Args:
        scenario: What to simulate.
        folder: The run's folder.
        get_world: Makes or loads the world below `folder`.
        progress: Told about stages.
    """
    dt_ns = step_ns(scenario.physics.rate_hz)
    known = _look_at(folder, scenario)
    sweep(folder)
    with absent_on_error(folder):
        engine, about, world = _prepare(scenario, folder, get_world, dt_ns, known, progress)
    total = (about["end_ns"] - about["start_ns"]) // dt_ns + 1
    first = about["start_ns"] // dt_ns
    begun = time.perf_counter()
    try:
        while (done := engine.step - first) < total:
            progress("simulate", done, total)
            engine.run(min(_REPORT_STEPS, total - done))
        engine.finish()
    except Failure as failure:
        end(folder, about, engine, "failed", begun, str(failure))
        msg = f"{folder}: the run ended early: {failure}; what was recorded up to there is kept"
        raise SimulationError(msg) from failure
    progress("simulate", total, total)
    end(folder, about, engine, "complete", begun, None)
    return Run(folder, world)


def grid(scenario: Scenario, dt_ns: int) -> tuple[int, int]:
    """Stamps of the first and the last row: whole steps that cover bootstrap and duration."""
    before = math.ceil(Fraction(str(scenario.recording.bootstrap_s)) * NS_PER_S / dt_ns)
    after = math.ceil(Fraction(str(scenario.recording.duration_s)) * NS_PER_S / dt_ns)
    return -before * dt_ns, after * dt_ns


def begin(scenario: Scenario, folder: Path, world: World, dt_ns: int) -> tuple[Engine, dict[str, Any]]:
    """Plans, puts the robots at their starts, and describes the run that begins; writes nothing."""
    model = world.model
    if abs(model.opt.timestep - dt_ns * 1e-9) > 1e-15:
        msg = f"{folder}: the world's step is {model.opt.timestep} s, the scenario's {dt_ns * 1e-9} s"
        raise DataError(msg)
    start_ns, end_ns = grid(scenario, dt_ns)
    plans = plan_all(scenario, world)
    data = mujoco.MjData(model)
    for name, robot in scenario.robots.items():
        set_place(model, data, name, robot, plans[name].start)
    first = start_ns // dt_ns
    pilots = {
        name: make_pilot(model, data, name, robot, plans[name], first)
        for name, robot in scenario.robots.items()
    }
    engine = Engine(world, data, pilots, folder, start_step=first, dt_ns=dt_ns)
    notes = [*world.warnings, *(w for p in plans.values() for w in p.warnings)]
    about: dict[str, Any] = {
        "schema": manifest.SCHEMA,
        "status": "running",
        "reason": None,
        "scenario_hash": manifest.scenario_hash(scenario),
        "seed": scenario.seed,
        "dt_ns": dt_ns,
        "start_ns": start_ns,
        "end_ns": end_ns,
        "counts": {"nq": model.nq, "nv": model.nv, "nu": model.nu, "na": model.na, "ngeom": model.ngeom},
        "setpoints": setpoint_names(pilots, list(scenario.robots)),
        "starts": {
            n: {"position": list(p.start.position), "rpy_rad": list(p.start.rpy)} for n, p in plans.items()
        },
        "versions": manifest.versions(),
        "machine": manifest.machine(),
        "warnings": notes,
        "licences": list(world.licences),
        "seconds": 0.0,
    }
    return engine, about


def _look_at(folder: Path, scenario: Scenario) -> dict[str, Any] | None:
    """The manifest of an interrupted run of this scenario, None for nothing; refuses all else."""
    if not folder.exists():
        return None
    if not folder.is_dir():
        msg = f"{folder} exists and is a file, but a run is a folder; choose another name"
        raise DataError(msg)
    if not (folder / "run.json").is_file():
        if any(p.name != "world" and not p.name.startswith(".") for p in folder.iterdir()):
            msg = f"{folder} exists and holds something that is not a run; choose another folder or delete it"
            raise DataError(msg)
        return None
    known = manifest.read_manifest(folder)
    if known["scenario_hash"] != manifest.scenario_hash(scenario):
        msg = f"{folder} exists and holds a run of another scenario; choose another folder or delete it"
        raise DataError(msg)
    if known["status"] == "complete":
        msg = f"{folder} exists and holds this run already, complete; choose another folder or delete it"
        raise DataError(msg)
    if known.get("session"):
        msg = f"{folder} exists and holds a session, which cannot be resumed; choose another folder"
        raise DataError(msg)
    if known["status"] == "failed":
        msg = (
            f"{folder} exists and holds a failed run of this scenario ({known['reason']}); it would fail "
            "again: change the scenario, or delete the folder"
        )
        raise DataError(msg)
    return known


def _prepare(
    scenario: Scenario,
    folder: Path,
    get_world: GetWorld,
    dt_ns: int,
    known: dict[str, Any] | None,
    progress: Progress,
) -> tuple[Engine, dict[str, Any], World]:
    progress("world", 0, 1)
    world = get_world(folder / "world")
    progress("world", 1, 1)
    progress("plan", 0, 1)
    engine, about = begin(scenario, folder, world, dt_ns)
    progress("plan", 1, 1)
    if known is not None and (folder / "checkpoint.npz").is_file():
        about = _resume(engine, folder, known, about)
    else:
        manifest.write_scenario(scenario, folder / "scenario.yaml")
    manifest.write_manifest(folder, about)
    return engine, about, world


def _resume(engine: Engine, folder: Path, known: dict[str, Any], about: dict[str, Any]) -> dict[str, Any]:
    for key in ("mujoco", "numpy"):
        was, now = known["versions"][key], about["versions"][key]
        if was != now:
            msg = (
                f"{folder}: the interrupted run was made with {key} {was}, here is {now}; going on would "
                f"not give the same run: install {key} {was}, or delete the folder"
            )
            raise DataError(msg)
    engine.restore(checkpoint.load(folder / "checkpoint.npz"))
    if known["machine"]["cpu_flags"] != about["machine"]["cpu_flags"]:
        about["warnings"].append(
            "the run was resumed on another kind of CPU; it may differ from an undisturbed one"
        )
    about["seconds"] = known["seconds"]
    return about


def end(
    folder: Path,
    about: dict[str, Any],
    engine: Engine,
    status: manifest.Status,
    begun: float,
    reason: str | None,
) -> None:
    """Writes the manifest of a run that has ended."""
    parts = len(parts_of(folder / "states"))
    seconds = about["seconds"] + time.perf_counter() - begun
    rows = engine.step - about["start_ns"] // about["dt_ns"]
    about |= {"status": status, "reason": reason, "parts": parts, "rows": rows, "seconds": seconds}
    manifest.write_manifest(folder, about)
    (folder / "checkpoint.npz").unlink(missing_ok=True)
