"""The loop, the run that it leaves behind, and the session that stays open while physics runs."""

from __future__ import annotations

from pathlib import Path

from veridical.core.progress import Progress, silent
from veridical.scenario.schema import Scenario
from veridical.simulate.launch import run_in, world_maker
from veridical.simulate.run import Run, open_run
from veridical.simulate.session import Session
from veridical.simulate.states import State, StateBlock

__all__ = ["Run", "Session", "State", "StateBlock", "open_run", "simulate"]


def simulate(
    scenario: Scenario,
    folder: Path | str,
    *,
    progress: Progress = silent,
) -> Run:
    """Composes the world, plans the missions, steps the physics and records every state.

    Args:
        scenario: What to simulate.
        folder: Where the run goes. An interrupted run of the same scenario goes on, and ends equal
            to an undisturbed one.
        progress: Told about stages.

    Raises:
        ScenarioError: If a robot cannot start or its mission cannot be done; nothing is left behind.
        DataError: If the folder holds a finished run or anything else.
        SimulationError: If the physics diverges or a robot is stuck; the run is kept up to there.
    """
    return run_in(scenario, Path(folder), world_maker(scenario), progress)
