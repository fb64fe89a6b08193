"""Commands that look and make nothing: check, doctor, schema."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.terminal import (
    AsJson,
    Overrides,
    ProgressLine,
    ScenarioFile,
    bytes_text,
    clock_text,
    show,
)

if TYPE_CHECKING:
    from veridical.scenario import Scenario


def check(
    scenario: ScenarioFile,
    overrides: Overrides = None,
    build: Annotated[
        bool, typer.Option("--build", help="Also build the world, look for overlaps, and plan the missions.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Validate a scenario; show what it will cost.

    Shows the resolved scenario with every default, and the time and disk that `run` will take.
    """
    from veridical.cli.cost import run_bytes, run_seconds
    from veridical.datasets import estimate_bytes
    from veridical.scenario import load, to_yaml

    loaded = load(scenario, overrides or ())
    streams, states, seconds = estimate_bytes(loaded), run_bytes(loaded), run_seconds(loaded)
    overlaps = _overlaps(loaded) if build else []
    result = {
        "scenario": loaded.model_dump(mode="json"),
        "disk_bytes": streams,
        "run_bytes": states,
        "seconds": seconds,
        "overlaps": overlaps,
    }
    most = f", the most for {max(streams, key=streams.__getitem__)}" if len(streams) > 1 else ""
    lines = [
        to_yaml(loaded),
        f"scenario '{loaded.name}' is valid",
        f"disk: about {bytes_text(sum(streams.values()))} of sensor data{most}, "
        f"and {bytes_text(states)} of world and states",
        f"time: about {clock_text(seconds)} on two cores of a laptop",
        *overlaps,
        *(["world: builds, nothing overlaps, every mission can be done"] if build and not overlaps else []),
    ]
    show(result, "\n".join(lines), as_json=as_json)
    if overlaps:
        raise typer.Exit(1)


def schema() -> None:
    """Print the JSON schema of scenario files.

    For editors: with `# yaml-language-server: $schema=FILE` as a scenario's first line, most of them complete
    keys and mark mistakes while you type.
    """
    from veridical.scenario import Scenario

    print(json.dumps(Scenario.model_json_schema(), indent=2))


def doctor(as_json: AsJson = False) -> None:
    """Say which engines work here, and what is missing."""
    from veridical.cli.diagnosis import diagnose

    diagnosis = diagnose()
    show(diagnosis.to_json(), str(diagnosis), as_json=as_json)
    if not diagnosis.usable:
        raise typer.Exit(1)


def _overlaps(scenario: Scenario) -> list[str]:
    """What stands in what before the robots come; refuses starts and missions that cannot be."""
    from veridical.simulate.start import plan_all
    from veridical.worlds import compose
    from veridical.worlds.overlaps import overlaps

    progress = ProgressLine()
    progress("world", 0, 1)
    with tempfile.TemporaryDirectory() as folder:
        world = compose(scenario, Path(folder) / "world")
        progress("world", 1, 1)
        plan_all(scenario, world)
        found = overlaps(world)
    return [str(o) for o in found if not {o.first, o.second} & set(scenario.robots)]
