"""From a mission to a reference motion: where to start, which way, and when."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from veridical.core.errors import ScenarioError
from veridical.core.random import rng
from veridical.robots import flyer, omni, quadrotor, reference
from veridical.robots.model import Place
from veridical.robots.reference import Limits, Reference
from veridical.robots.space import Space
from veridical.scenario.schema import (
    AnyRobot,
    ExploreMission,
    FileRobot,
    JointFlyer,
    OmniRobot,
    Pose,
    WaypointMission,
)

_ACCELERATION = 1.0
"""m/s^2 along and across the path: gentle enough for odometry by camera."""
_HOVER_BAND = (1.0, 1.6)
_APART_M = 1.0
_MIN_LENGTH_M = 0.05


@dataclass(frozen=True)
class Plan:
    """What a robot is to do: its start, its reference (None if it has none), and what to know about it."""

    start: Place
    motion: Reference | None
    warnings: tuple[str, ...] = ()


def radius_of(robot: AnyRobot) -> float:
    """Of a circle around the robot's origin that holds it, metres."""
    if isinstance(robot, OmniRobot):
        return omni.RADIUS_M
    if isinstance(robot, JointFlyer):
        return flyer.RADIUS_M
    return quadrotor.RADIUS_M


def choose_start(name: str, robot: AnyRobot, space: Space, seed: int, taken: list[Place]) -> Place:
    """The start pose that the scenario gives, or a free place by the seed.

    Raises:
        ScenarioError: If no place is free.
    """
    if isinstance(robot.start, Pose):
        roll, pitch, yaw = (math.radians(a) for a in robot.start.rpy_deg)
        return Place(robot.start.position, (roll, pitch, yaw))
    mission = robot.mission
    if isinstance(mission, WaypointMission):
        points, _ = waypoint_arrays(mission, robot)
        return Place(tuple(points[0].tolist()), (0.0, 0.0, _first_yaw(mission, points)))
    if isinstance(robot, FileRobot):
        return Place((0.0, 0.0, 0.0))
    return _free_place(name, robot, space, seed, taken)


def plan(name: str, robot: AnyRobot, start: Place, space: Space, seed: int, duration_s: float) -> Plan:
    """The reference motion of a mission; it begins at t = 0 and lasts at least as long as the recording.

    Raises:
        ScenarioError: If the mission has no length or no way is free.
    """
    mission = robot.mission
    if isinstance(robot, FileRobot) or mission.kind == "direct":
        return Plan(start, None)
    if isinstance(mission, WaypointMission):
        return Plan(start, _waypoints(name, robot, mission, start))
    if isinstance(mission, ExploreMission):
        from veridical.robots import explore

        limits = limits_of(robot, mission.speed_mps, mission.max_yaw_rate_dps)
        motion, warnings = explore.tour(
            name, robot, mission, start, space, seed, duration_s, limits, radius_of(robot)
        )
        return Plan(Place(start.position, (*start.rpy[:2], motion.yaw)), motion, warnings)
    return Plan(start, reference.rest(np.array(start.position), start.yaw))


def limits_of(robot: AnyRobot, speed_mps: float, yaw_rate_dps: float) -> Limits:
    """A mission's limits, within what the robot can do."""
    yaw_rate = math.radians(yaw_rate_dps)
    if isinstance(robot, JointFlyer):
        return Limits(
            min(speed_mps, 0.9 * flyer.MAX_SPEED), _ACCELERATION, min(yaw_rate, 0.9 * flyer.MAX_YAW_RATE)
        )
    if isinstance(robot, OmniRobot):
        return Limits(min(speed_mps, 0.9 * omni.MAX_SPEED), _ACCELERATION, yaw_rate)
    return Limits(speed_mps, _ACCELERATION, yaw_rate)


def waypoint_arrays(mission: WaypointMission, robot: AnyRobot) -> tuple[np.ndarray, list[float | None]]:
    """Points (n, 3) and yaws in rad; a ground robot keeps to its ground."""
    points = np.array([p.position for p in mission.points], float)
    if isinstance(robot, OmniRobot):
        points[:, 2] = robot.start.position[2] if isinstance(robot.start, Pose) else points[0, 2]
    return points, [None if p.yaw_deg is None else math.radians(p.yaw_deg) for p in mission.points]


def _waypoints(name: str, robot: AnyRobot, mission: WaypointMission, start: Place) -> Reference:
    points, yaws = waypoint_arrays(mission, robot)
    if np.linalg.norm(points[0] - start.position) > _MIN_LENGTH_M:
        points, yaws = np.concatenate([[start.position], points]), [None, *yaws]
    keep = [0] + [i for i in range(1, len(points)) if np.linalg.norm(points[i] - points[i - 1]) > 1e-6]
    points, yaws = points[keep], [yaws[i] for i in keep]
    if len(points) < 2 or np.linalg.norm(np.diff(points, axis=0), axis=1).sum() < _MIN_LENGTH_M:
        msg = (
            f"robots.{name}.mission.points: the mission has no length, all its points are one; "
            "give at least two places, or use the mission 'hover'"
        )
        raise ScenarioError(msg)
    path = reference.path_through(points)
    wanted = reference.headings(path, start.yaw)
    if any(y is not None for y in yaws):
        at = np.interp(path.knots_s, path.s, wanted)
        chosen = np.array([h if y is None else y for h, y in zip(at.tolist(), yaws, strict=True)])
        wanted = np.interp(path.s, path.knots_s, np.unwrap(chosen))
    limits = limits_of(robot, mission.speed_mps, mission.max_yaw_rate_dps)
    return reference.follow(path, wanted, start.yaw, limits)


def _first_yaw(mission: WaypointMission, points: np.ndarray) -> float:
    first = mission.points[0].yaw_deg
    if first is not None:
        return math.radians(first)
    steps = np.diff(points, axis=0)
    level = np.hypot(steps[:, 0], steps[:, 1]) > 1e-6
    if not level.any():
        return 0.0
    dx, dy, _ = steps[np.argmax(level)]
    return math.atan2(dy, dx)


def _free_place(name: str, robot: AnyRobot, space: Space, seed: int, taken: list[Place]) -> Place:
    from veridical.robots import explore

    mission = robot.mission
    clearance = max(mission.clearance_m if isinstance(mission, ExploreMission) else 0.35, radius_of(robot))
    band = mission.height_m if isinstance(mission, ExploreMission) else _HOVER_BAND
    roadmap = explore.Roadmap(space, robot, clearance + 0.05, band)
    points = roadmap.largest_component()
    apart = np.ones(len(points), bool)
    for other in taken:
        apart &= np.hypot(*(points[:, :2] - other.position[:2]).T) > _APART_M
    points = points[apart]
    if not len(points):
        msg = (
            f"robots.{name}.start: no place is free with a clearance of {clearance:.2f} m; "
            "give a start position, a smaller mission.clearance_m, or a world with less in it"
        )
        raise ScenarioError(msg)
    room = space.clearance(points)
    roomy = points[room >= min(0.75, float(np.quantile(room, 0.8)))]
    stream = rng(seed, "start", name)
    x, y, z = roomy[stream.integers(len(roomy))].tolist()
    return Place((x, y, z), (0.0, 0.0, float(stream.uniform(-math.pi, math.pi))))
