"""The loop, the run that it leaves behind, and the session that stays open while physics runs."""

from __future__ import annotations

from pathlib import Path

from veridical.core.progress import Progress, silent
from veridical.scenario.schema import Scenario
from veridical.simulate.run import Run, open_run
from veridical.simulate.states import State, StateBlock

__all__ = ["Run", "Session", "State", "StateBlock", "open_run", "simulate"]


def simulate(
    scenario: Scenario,
    folder: Path | str,
    *,
    scenario_folder: Path | str = Path(),
    progress: Progress = silent,
) -> Run:
    """Composes the world, plans the missions, steps the physics and records every state.

    Args:
        scenario: What to simulate.
        folder: Where the run goes. An interrupted run of the same scenario goes on, and ends equal
            to an undisturbed one.
        scenario_folder: Relative paths in the scenario start here.
        progress: Told about stages.

    Raises:
        ScenarioError: If a robot cannot start or its mission cannot be done; nothing is left behind.
        DataError: If the folder holds a finished run or anything else.
        SimulationError: If the physics diverges or a robot is stuck; the run is kept up to there.
    """
    from veridical.simulate.launch import run_in
    from veridical.worlds import compose, load_world
    from veridical.worlds.world import World

    def world_in(world_folder: Path) -> World:
        if world_folder.is_dir():
            return load_world(world_folder)
        return compose(scenario, Path(scenario_folder), world_folder)

    return run_in(scenario, Path(folder), world_in, progress)
