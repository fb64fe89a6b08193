"""Robots: their bodies, their missions, and the pilots that steer them."""

from __future__ import annotations

from pathlib import Path

from veridical.robots.missions import Plan, choose_start, plan
from veridical.robots.model import Pilot, Place, RobotModel
from veridical.robots.pilots import make_pilot, set_place
from veridical.robots.space import Space
from veridical.scenario.schema import AnyRobot, FileRobot, JointFlyer, OmniRobot

__all__ = [
    "Pilot",
    "Place",
    "Plan",
    "RobotModel",
    "Space",
    "build_robot",
    "choose_start",
    "make_pilot",
    "plan",
    "set_place",
]


def build_robot(name: str, robot: AnyRobot, scenario_folder: Path) -> RobotModel:
    """A robot's body, its names without the `<name>/` prefix that attaching adds.

    Args:
        name: Its name in the scenario, for messages.
        robot: What the scenario says about it.
        scenario_folder: Robot files are relative to it.

    Raises:
        AssetError: If a robot file is missing or cannot be used.
    """
    if isinstance(robot, FileRobot):
        from veridical.robots import file_robot

        return file_robot.build(name, robot, scenario_folder)
    if isinstance(robot, OmniRobot):
        from veridical.robots import omni

        return omni.build(robot)
    if isinstance(robot, JointFlyer):
        from veridical.robots import flyer

        return flyer.build()
    from veridical.robots import quadrotor

    return quadrotor.build(robot)
