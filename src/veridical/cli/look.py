"""Commands that look and make nothing: check, doctor, schema."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.terminal import AsJson, Overrides, ScenarioFile, bytes_text, clock_text, show

if TYPE_CHECKING:
    from veridical.scenario import Scenario


def check(
    scenario: ScenarioFile,
    overrides: Overrides = None,
    build: Annotated[
        bool, typer.Option("--build", help="Also build the world and look for overlaps.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Validate a scenario; show what it resolves to, and the time and disk it will take."""
    from veridical.datasets import estimate_bytes
    from veridical.scenario import load, to_yaml

    loaded = load(scenario, overrides or ())
    disk = estimate_bytes(loaded)
    seconds = _expected_seconds(loaded)
    overlaps = _overlaps(loaded) if build else []
    result = {
        "scenario": loaded.model_dump(mode="json"),
        "disk_bytes": disk,
        "seconds": seconds,
        "overlaps": overlaps,
    }
    lines = [
        to_yaml(loaded),
        f"about {bytes_text(sum(disk.values()))} of disk, the most for {max(disk, key=disk.__getitem__)}"
        if disk
        else "no sensors: nothing to record",
        f"about {clock_text(seconds)} on two cores of a laptop",
        *overlaps,
    ]
    show(result, "\n".join(lines), as_json=as_json)
    if overlaps:
        raise typer.Exit(1)


def schema() -> None:
    """Print the JSON schema of scenario files, for editors."""
    from veridical.scenario import Scenario

    print(json.dumps(Scenario.model_json_schema(), indent=2))


def doctor(as_json: AsJson = False) -> None:
    """Say which engines are found, how fast they are here, and how to get what is missing."""
    from veridical.cli.diagnosis import diagnose

    diagnosis = diagnose()
    show(diagnosis.to_json(), str(diagnosis), as_json=as_json)
    if not diagnosis.usable:
        raise typer.Exit(1)


def _overlaps(scenario: Scenario) -> list[str]:
    from veridical.worlds import compose
    from veridical.worlds.overlaps import overlaps

    with tempfile.TemporaryDirectory() as folder:
        world = compose(scenario, Path(folder) / "world")
        return [str(overlap) for overlap in overlaps(world)]


# Seconds on two 2 GHz server cores: of a megapixel of colour, of a megapixel of truth, of a stamp at which
# the scene moves, of a thousand physics steps; measured with benchmarks/.
_COLOUR = {"none": 0.0, "fast": 0.3, "draft": 2.2, "standard": 8.0, "high": 25.0, "reference": 130.0}
_TRUTH, _MOVE, _STEPS, _WORLD = 0.6, 0.15, 0.2, 40.0


def _expected_seconds(scenario: Scenario) -> float:
    from veridical.scenario.schema import Imu, StereoCamera

    duration = scenario.recording.duration_s
    total = _WORLD + _STEPS * duration * scenario.physics.rate_hz / 1000
    for robot in scenario.robots.values():
        for sensor in robot.sensors.values():
            if isinstance(sensor, Imu):
                continue
            megapixels = sensor.width * sensor.height / 1e6
            images = 2 if isinstance(sensor, StereoCamera) else 1
            frame = megapixels * (images * _COLOUR[scenario.output.quality] + _TRUTH) + _MOVE
            total += duration * sensor.rate_hz * frame
    return total
