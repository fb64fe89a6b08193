"""A small room with a few boxes, made without files, for tests of the loop."""

from pathlib import Path

import mujoco
import numpy as np
from scipy import ndimage

from veridical.robots import build_robot
from veridical.scenario.schema import (
    AnyRobot,
    EmptyWorld,
    HoverMission,
    Physics,
    Pose,
    Quadrotor,
    Recording,
    Scenario,
    Waypoint,
    WaypointMission,
)
from veridical.worlds.world import FreeSpace, Instance, Look, RobotPart, World

HALF = 4.0
CELL = 0.1
POSTS = ((1.5, 1.0), (-1.5, -1.0))


def scenario(
    robot: AnyRobot, *, seed: int = 0, seconds: float = 1.0, bootstrap: float = 0.2, rate: float = 1000
):
    return Scenario(
        seed=seed,
        world=EmptyWorld(kind="empty"),
        robots={"scout": robot},
        physics=Physics(rate_hz=rate),
        recording=Recording(bootstrap_s=bootstrap, duration_s=seconds),
    )


def hovering(position=(0.0, 0.0, 1.0), **more) -> Quadrotor:
    return Quadrotor(
        kind="quadrotor", mission=HoverMission(kind="hover"), start=Pose(position=position), **more
    )


def flying(*points, physics: bool = True, kind=Quadrotor, name: str = "quadrotor", **more):
    waypoints = tuple(Waypoint(position=p) for p in points)
    return kind(
        kind=name, mission=WaypointMission(kind="waypoints", points=waypoints, physics=physics), **more
    )


def spec_of(scenario: Scenario, *, sleep: bool = True) -> tuple[mujoco.MjSpec, list[RobotPart]]:
    spec = mujoco.MjSpec()
    spec.option.timestep = 1.0 / scenario.physics.rate_hz
    spec.option.gravity = scenario.physics.gravity
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    if sleep:
        spec.option.enableflags = mujoco.mjtEnableBit.mjENBL_SLEEP
    box = mujoco.mjtGeom.mjGEOM_BOX
    floor = spec.worldbody.add_body(name="floor")
    floor.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[HALF, HALF, 0.1])
    for i, (x, y) in enumerate(((HALF, 0), (-HALF, 0), (0, HALF), (0, -HALF))):
        wall = spec.worldbody.add_body(name=f"wall_{i}", pos=[x, y, 1.25])
        wall.add_geom(type=box, size=[0.1 if x else HALF, 0.1 if y else HALF, 1.25])
    for i, (x, y) in enumerate(POSTS):
        post = spec.worldbody.add_body(name=f"post_{i}", pos=[x, y, 1.25])
        post.add_geom(type=box, size=[0.15, 0.15, 1.25])
    for i in range(4):
        toy = spec.worldbody.add_body(name=f"toy_{i}", pos=[-2.5 + 0.1 * i, 2.5, 0.12 + 0.2 * i])
        toy.add_freejoint()
        toy.add_geom(type=box, size=[0.1, 0.08, 0.06], mass=0.2)
    parts = []
    for name, robot in scenario.robots.items():
        built = build_robot(name, robot, Path())
        spec.attach(built.spec, prefix=f"{name}/", frame=spec.worldbody.add_frame())
        parts.append(RobotPart(name, robot.kind, f"{name}/{built.body}", f"{name}/{built.sensor_body}"))
    return spec, parts


def free_space() -> FreeSpace:
    n, z = round(2 * HALF / CELL), (np.arange(12) + 0.5) * 0.2
    xy = (np.arange(n) + 0.5) * CELL - HALF
    X, Y = np.meshgrid(xy, xy, indexing="ij")
    free = (np.abs(X) < HALF - 0.1) & (np.abs(Y) < HALF - 0.1)
    for x, y in POSTS:
        free &= (np.abs(X - x) > 0.15) | (np.abs(Y - y) > 0.15)
    flat = np.maximum(ndimage.distance_transform_edt(free, sampling=CELL) - CELL / 2, 0)
    distance = np.repeat(flat[:, :, None], len(z), axis=2).astype(np.float32)
    return FreeSpace((-HALF, -HALF), CELL, z, distance, np.zeros((n, n), np.int16), ("room",))


def world(scenario: Scenario, *, sleep: bool = True) -> World:
    spec, parts = spec_of(scenario, sleep=sleep)
    names = [b.name for b in spec.worldbody.bodies]
    things = [n for n in names if not n.startswith("scout/")]
    instances = [Instance(i, n, "other", 1, n, n.startswith("toy")) for i, n in enumerate(things, 1)]
    instances += [Instance(len(things) + 1, p.name, "robot", 2, p.body, True) for p in parts]
    return World(spec.compile(), Look({}), tuple(instances), free_space(), tuple(parts), Path())
