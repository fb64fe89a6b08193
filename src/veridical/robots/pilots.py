"""Which pilot steers which robot, and how a robot is put at its start."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

from veridical.core.geometry import from_rpy, matrix_to_quat
from veridical.robots import reference
from veridical.robots.drive import OmniPilot
from veridical.robots.fly import QuadrotorPilot
from veridical.robots.joints import FlyerPilot, JointHold
from veridical.robots.missions import Plan
from veridical.robots.model import Pilot, Place
from veridical.robots.reference import Reference
from veridical.robots.slide import SlidePilot
from veridical.scenario.schema import AnyRobot, FileRobot, Quadrotor, WaypointMission

_Maker = Callable[[mujoco.MjModel, mujoco.MjData, str, Reference, int], Pilot]

CONTROLLERS: dict[str, _Maker] = {"quadrotor": QuadrotorPilot, "omni": OmniPilot, "flyer": FlyerPilot}
"""By the robot's kind."""


class NoPilot:
    """Leaves a robot alone."""

    setpoint_names: tuple[str, ...] = ()
    slides = False

    def __init__(self) -> None:
        self.setpoint: list[float] = []

    def update(self, step: int) -> None:
        """Does nothing."""

    def memory(self) -> list[float]:
        """Nothing."""
        return []

    def restore(self, memory: list[float]) -> None:
        """Nothing to go back to."""

    def trouble(self) -> str | None:
        """Never."""
        return None

    def set_joint_target(self, joint: str, value: float) -> bool:  # noqa: ARG002
        """Takes no commands."""
        return False


def make_pilot(
    model: mujoco.MjModel, data: mujoco.MjData, name: str, robot: AnyRobot, plan: Plan, start_step: int
) -> Pilot:
    """The pilot of a robot that has been put at its start.

    Args:
        model: The world's model.
        data: Its state; the pilot keeps views of it.
        name: The robot's name in the scenario.
        robot: What the scenario says about it.
        plan: What it is to do.
        start_step: Grid index of the run's first step.
    """
    if isinstance(robot, FileRobot):
        return JointHold(model, data, name, start_step)
    mission = robot.mission
    if mission.kind == "direct" and isinstance(robot, Quadrotor):
        return NoPilot()
    motion = plan.motion or reference.rest(np.array(plan.start.position), plan.start.yaw)
    if isinstance(mission, WaypointMission) and not mission.physics:
        return SlidePilot(model, data, name, robot.kind, motion)
    return CONTROLLERS[robot.kind](model, data, name, motion, start_step)


def set_place(model: mujoco.MjModel, data: mujoco.MjData, name: str, robot: AnyRobot, place: Place) -> None:
    """Puts a robot at its start, at rest; a robot file without a free base stays where it was built."""
    x, y, z = place.position
    if robot.kind in ("quadrotor", "file"):
        address = _free_joint(model, name)
        if address is not None:
            data.qpos[address : address + 3] = x, y, z
            data.qpos[address + 3 : address + 7] = matrix_to_quat(from_rpy(np.array(place.rpy)))
        return
    first = int(model.joint(f"{name}/x").qposadr[0])
    if robot.kind == "omni":
        data.qpos[first : first + 3] = x, y, place.yaw
    else:
        roll, pitch, yaw = place.rpy
        data.qpos[first : first + 6] = x, y, z, yaw, pitch, roll


def _free_joint(model: mujoco.MjModel, name: str) -> int | None:
    for j in range(model.njnt):
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE and model.joint(j).name.startswith(f"{name}/"):
            return int(model.jnt_qposadr[j])
    return None
