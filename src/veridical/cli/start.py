"""What `veridical run` looks at before the long work begins."""

from __future__ import annotations

import logging
from pathlib import Path

from veridical.cli.cost import run_bytes
from veridical.core.errors import DataError
from veridical.core.files import read_json
from veridical.core.progress import Progress
from veridical.scenario import Scenario, scenario_hash
from veridical.scenario.schema import Camera
from veridical.simulate import Run, open_run, simulate

_OURS = ("run", "data")


def look_at(output: Path, scenario: Scenario) -> None:
    """Refuses an output folder that is not ours, or is complete, or has too little space around it.

    Raises:
        DataError: Nothing was written then.
    """
    from veridical.datasets import require_space

    if output.exists():
        others = (
            [] if not output.is_dir() else sorted(p.name for p in output.iterdir() if p.name not in _OURS)
        )
        if not output.is_dir():
            raise DataError(f"{output} exists and is a file; choose a new folder with -o")
        if others:
            held = ", ".join(others[:3]) + (" ..." if len(others) > 3 else "")
            msg = f"{output} exists and holds something else ({held}); choose a new folder with -o"
            raise DataError(msg)
    if _status(output / "data" / "dataset.json") == "complete":
        msg = (
            f"{output} exists and is complete; choose a new folder with -o, or delete it. "
            f"To record the same run in another way: veridical observe {output / 'run'} -o NEW"
        )
        raise DataError(msg)
    begun = (output / "run" / "run.json").exists()
    require_space(output, scenario, besides_bytes=0 if begun else run_bytes(scenario))


def require_engines(scenario: Scenario) -> None:
    """Finds out whether the scenario's cameras can be drawn here, before the physics takes its time.

    Raises:
        RenderError: If they cannot.
    """
    if not any(isinstance(s, Camera) for robot in scenario.robots.values() for s in robot.sensors.values()):
        return
    from veridical.render.engine import choose_engine

    for warning in choose_engine().warnings:
        logging.getLogger("veridical").warning(warning)
    if scenario.output.quality == "fast":
        from veridical.render.gl import find_gl

        find_gl()


def simulated(scenario: Scenario, folder: Path, progress: Progress) -> Run:
    """The run in a folder if it is this scenario's and complete; else simulates it, or goes on with it."""
    path = folder / "run.json"
    if _status(path) == "complete" and read_json(path).get("scenario_hash") == scenario_hash(scenario):
        return open_run(folder)
    return simulate(scenario, folder, progress=progress)


def _status(path: Path) -> str | None:
    """What a run's or dataset's manifest says; None if there is none."""
    return str(read_json(path).get("status")) if path.is_file() else None
