"""Cameras and inertial sensors: from a run's states to a dataset."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.sensors.observation import observe
    from veridical.sensors.streams import camera_streams, imu_streams

_HOMES = {"observe": "observation", "camera_streams": "streams", "imu_streams": "streams"}

__all__ = ["camera_streams", "imu_streams", "observe"]


def __getattr__(name: str) -> Any:
    """Rendering and tables load when a name is first used, so that the room itself stays light."""
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
