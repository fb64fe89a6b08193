"""Before the first step: where robots begin, what they will do, and whether they can."""

from __future__ import annotations

import mujoco
import numpy as np

from veridical.core.errors import ScenarioError
from veridical.core.geometry import Array
from veridical.robots import Place, Plan, Space, choose_start, plan, set_place
from veridical.scenario.schema import Scenario
from veridical.simulate.contacts import robot_of_geoms
from veridical.simulate.engine import owner_of
from veridical.worlds.world import World

_DEPTH_M = 0.02
"""A robot that starts deeper than this inside something is in it, and does not just touch it."""


def plan_all(scenario: Scenario, world: World) -> dict[str, Plan]:
    """Start and reference motion of every robot, checked against the world.

    Raises:
        ScenarioError: If a robot cannot start where it should, or its mission cannot be done.
    """
    space = Space(world.free_space, movable_spheres(world))
    starts: dict[str, Place] = {}
    for name, robot in scenario.robots.items():
        starts[name] = choose_start(name, robot, space, scenario.seed, list(starts.values()))
    check_starts(scenario, world, space, starts)
    seconds = scenario.recording.duration_s
    return {
        name: plan(name, robot, starts[name], space, scenario.seed, seconds)
        for name, robot in scenario.robots.items()
    }


def movable_spheres(world: World) -> Array:
    """Bounding spheres (n, 4) of the collision shapes of everything that can be pushed, robots left out."""
    model = world.model
    owner = robot_of_geoms(model, [r.name for r in world.robots])
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    free = model.body_weldid[model.geom_bodyid] != 0
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    chosen = np.flatnonzero(free & solid & (owner < 0))
    return np.column_stack([data.geom_xpos[chosen], model.geom_rbound[chosen]])


def check_starts(scenario: Scenario, world: World, space: Space, starts: dict[str, Place]) -> None:
    """Refuses a start inside a wall or a thing.

    Raises:
        ScenarioError: Names the robot, the thing, and how deep.
    """
    model = world.model
    data = mujoco.MjData(model)
    for name, robot in scenario.robots.items():
        set_place(model, data, name, robot, starts[name])
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)
    names = [r.name for r in world.robots]
    owner = robot_of_geoms(model, names)
    deepest: tuple[float, int, int] | None = None
    for contact in data.contact:
        one, two = int(contact.geom1), int(contact.geom2)
        depth = -float(contact.dist)
        if owner[one] != owner[two] and depth > max(_DEPTH_M, deepest[0] if deepest else 0.0):
            deepest = (depth, one, two) if owner[one] >= 0 else (depth, two, one)
    if deepest:
        depth, one, two = deepest
        _refuse(names[owner[one]], starts, f"{depth * 100:.0f} cm inside '{owner_of(world, two)}'")
    for name, robot in scenario.robots.items():
        if robot.kind != "file" and space.in_solid(starts[name].position):
            _refuse(name, starts, "inside something solid, or outside of every room")


def _refuse(name: str, starts: dict[str, Place], where: str) -> None:
    at = ", ".join(f"{v:.2f}" for v in starts[name].position)
    msg = f"robots.{name}.start: robot '{name}' would start {where}, at ({at}); move it, or use start: auto"
    raise ScenarioError(msg)
