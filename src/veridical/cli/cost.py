"""What a scenario will cost, before it is run: seconds and bytes beyond those of the dataset."""

from __future__ import annotations

from veridical.scenario import Scenario
from veridical.scenario.schema import ApartmentWorld, Camera, StereoCamera

# Seconds on two idle server cores: of a megapixel of colour, of a megapixel of truth, of a stamp at which
# the scene moves, of a thousand physics steps; measured with benchmarks/.
_COLOUR = {"none": 0.0, "fast": 0.3, "draft": 1.6, "standard": 3.6, "high": 11.0, "reference": 60.0}
_TRUTH, _MOVE, _STEPS = 0.5, 0.02, 0.08
_WORLD, _ROOM = 3.0, 2.5
"""Of composing and opening a world, and of each of its rooms, textures not yet painted."""

_WORLD_BYTES, _ROOM_BYTES = 70e6, 36e6
"""Of a stored world and of each of its rooms; nearly all of it are textures."""
_STEP_BYTES = 250
"""Of a recorded step: states of resting objects take no place."""


def run_seconds(scenario: Scenario) -> float:
    """Expected time of `veridical run`."""
    duration = scenario.recording.duration_s
    total = _WORLD + _ROOM * _rooms(scenario) + _STEPS * duration * scenario.physics.rate_hz / 1000
    for robot in scenario.robots.values():
        for sensor in robot.sensors.values():
            if not isinstance(sensor, Camera):
                continue
            megapixels = sensor.width * sensor.height / 1e6
            images = 2 if isinstance(sensor, StereoCamera) else 1
            frame = megapixels * (images * _COLOUR[scenario.output.quality] + _TRUTH) + _MOVE
            total += duration * sensor.rate_hz * frame
    return total


def run_bytes(scenario: Scenario) -> float:
    """Expected size of the run folder: the world and the states."""
    seconds = scenario.recording.bootstrap_s + scenario.recording.duration_s
    states = seconds * scenario.physics.rate_hz * _STEP_BYTES
    return _WORLD_BYTES + _rooms(scenario) * _ROOM_BYTES + states


def _rooms(scenario: Scenario) -> int:
    return scenario.world.rooms if isinstance(scenario.world, ApartmentWorld) else 0
