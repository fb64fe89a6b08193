"""What a robot builder returns, and what the loop asks of a robot's pilot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import mujoco

from veridical.assets.material import Material


@dataclass(frozen=True)
class RobotModel:
    """A robot's body before it is attached to a world; names carry no prefix yet.

    Attributes:
        spec: Its bodies, joints and actuators.
        body: Root body's name; the robot's frame (x forward, y left, z up).
        materials: Appearance by MuJoCo material name.
        sensor_body: Name of the body that carries its sensors; mounts are relative to it.
        licences: Source and licence of files that were read.
        warnings: What was repaired or ignored.
    """

    spec: mujoco.MjSpec
    body: str
    materials: dict[str, Material]
    sensor_body: str
    licences: tuple[dict[str, Any], ...] = field(default=())
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """Where a robot begins: position (3,) in metres and roll, pitch, yaw in rad."""

    position: tuple[float, float, float]
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def yaw(self) -> float:
        """Heading in rad."""
        return self.rpy[2]


class Pilot(Protocol):
    """Steers one robot: called once before every physics step, reads qpos and qvel alone.

    Its whole memory is a list of floats, so that a run can go on exactly where it was cut.

    Attributes:
        setpoint: The present set-points, of constant length; logged with every step.
        setpoint_names: One name a set-point.
        slides: True if it sets qpos and qvel instead of ctrl; then it is called at the end of a step,
            with the index of the next one.
    """

    setpoint: list[float]
    setpoint_names: tuple[str, ...]
    slides: bool

    def update(self, step: int) -> None:
        """Sets ctrl (or, for a slide, qpos and qvel) for the step that begins at this index; t = 0 is 0."""

    def memory(self) -> list[float]:
        """Everything that the next update depends on, besides the physical state."""

    def restore(self, memory: list[float]) -> None:
        """Goes back to a `memory`."""

    def trouble(self) -> str | None:
        """What is wrong if the robot cannot do what it is told, such as `no progress`."""

    def set_joint_target(self, joint: str, value: float) -> bool:
        """Commands a joint (rad or m); False if the pilot does not drive this joint."""
