"""How much disk a dataset takes, before it is made."""

from __future__ import annotations

import shutil
from pathlib import Path

from veridical.core.errors import DataError
from veridical.scenario.schema import Imu, RgbdCamera, Scenario, StereoCamera

_BYTES_PER_PIXEL = {
    "colour": 2.2,
    "depth": 4.0,
    "range": 4.0,
    "normals": 4.5,
    "instance": 0.1,
    "semantic": 0.1,
    "flow": 12.0,
    "boxes": 0.05,
}
_SENSED_DEPTH_BYTES_PER_PIXEL = 1.0
_IMU_BYTES_PER_SAMPLE = 60
_RESERVE_BYTES = 100_000_000


def estimate_bytes(scenario: Scenario) -> dict[str, int]:
    """Expected bytes on disk of each sensor's data, by `<robot>/<sensor>`, truth included."""
    out: dict[str, int] = {}
    duration = scenario.recording.duration_s
    for robot_name, robot in scenario.robots.items():
        for name, sensor in robot.sensors.items():
            n = duration * sensor.rate_hz
            if isinstance(sensor, Imu):
                out[f"{robot_name}/{name}"] = int(n * _IMU_BYTES_PER_SAMPLE)
                continue
            per_pixel = sum(_BYTES_PER_PIXEL[label] for label in scenario.output.labels)
            if scenario.output.quality != "none":
                per_pixel += _BYTES_PER_PIXEL["colour"] * (2 if isinstance(sensor, StereoCamera) else 1)
            if isinstance(sensor, RgbdCamera):
                per_pixel += _SENSED_DEPTH_BYTES_PER_PIXEL
            out[f"{robot_name}/{name}"] = int(n * sensor.width * sensor.height * per_pixel)
    return out


def require_space(
    folder: Path, scenario: Scenario, done_fraction: float = 0.0, besides_bytes: float = 0.0
) -> None:
    """Refuses to begin what the disk cannot hold.

    Args:
        folder: Where it will go.
        scenario: What will be recorded.
        done_fraction: The part of it that is there already, 0 to 1.
        besides_bytes: What else will be written there.

    Raises:
        DataError: If the free disk is less than the estimate; it names both numbers and what to reduce.
    """
    needed = sum(estimate_bytes(scenario).values()) * (1 - done_fraction) + besides_bytes + _RESERVE_BYTES
    existing = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        biggest = max(estimate_bytes(scenario).items(), key=lambda item: item[1])[0]
        msg = (
            f"{folder}: the dataset needs about {_gb(needed)}, but {_gb(free)} are free; reduce "
            f"recording.duration_s, output.labels, or rate_hz, width and height of {biggest}, "
            "or choose a folder on another disk"
        )
        raise DataError(msg)


def _gb(n: float) -> str:
    return f"{n / 1e9:.2f} GB"
