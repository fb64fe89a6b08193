"""What may differ when recorded states are observed in another way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veridical.core.errors import ScenarioError
from veridical.scenario import altered
from veridical.scenario.schema import Imu, Scenario


def seen_anew(scenario: Scenario, overrides: Sequence[str]) -> Scenario:
    """The scenario of a run with other values for its output and its sensors.

    Args:
        scenario: The run's.
        overrides: `key.path=value` each.

    Raises:
        ScenarioError: If something changes that the states depend on, or a sensor is new.
    """
    other = altered(scenario, overrides)
    if _behind_states(other) != _behind_states(scenario) or not _carried(other) <= _carried(scenario):
        msg = (
            f"{' '.join(overrides)}: the run's states were made without this; a recorded run takes other "
            "values for output and for its own sensors only, all else is simulated anew"
        )
        raise ScenarioError(msg)
    return other


def _behind_states(scenario: Scenario) -> dict[str, Any]:
    """What a run's states depend on."""
    sensors = {name: {"sensors"} for name in scenario.robots}
    return scenario.model_dump(exclude={"output": True, "robots": sensors})


def _carried(scenario: Scenario) -> set[tuple[str, str, bool]]:
    """Robot, sensor, and whether it is inertial: what decides which body carries a sensor."""
    return {
        (robot, name, isinstance(sensor, Imu))
        for robot, part in scenario.robots.items()
        for name, sensor in part.sensors.items()
    }
