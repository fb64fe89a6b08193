"""The world of a recorded run with something of it changed, and everything else as it was."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.hashing import cached, content_hash
from veridical.scenario.schema import Scenario
from veridical.worlds.changes import touched
from veridical.worlds.composition import compose_world, layout_of
from veridical.worlds.store import read_world
from veridical.worlds.world import World

_ON_A_ROBOT = {"sensors", "mission", "start"}
"""What of a robot changes nothing of its body."""


def basis(scenario: Scenario) -> dict[str, Any]:
    """What a scenario's world is made from."""
    whole = scenario.model_dump(
        mode="json", exclude={"veridical", "name", "recording", "output", "robots", "actors"}
    )
    robots = {name: r.model_dump(mode="json", exclude=_ON_A_ROBOT) for name, r in scenario.robots.items()}
    return whole | {"robots": robots}


def altered_world(before: World, was: Scenario, now: Scenario, folder: Path | None = None) -> World:
    """The world of another scenario, its labels and untouched things as in the world of a run.

    Args:
        before: The run's world.
        was: The run's scenario.
        now: The same with something changed.
        folder: Where the new world goes; a folder of the cache if not given.

    Raises:
        DataError: If this version makes another world of the run's scenario than the run holds.
    """
    if folder is not None:
        return _made(before, was, now, folder)
    key = content_hash(basis(was), basis(now), _shapes(before), version("veridical"))

    def make(where: Path) -> None:
        _made(before, was, now, where / "world")

    return read_world(cached("altered_worlds", key, make) / "world")


def _made(before: World, was: Scenario, now: Scenario, folder: Path) -> World:
    world = compose_world(now, folder, before.instances)
    patterns = [k for s in (was, now) for k in (*s.objects, *s.materials, *s.lights, *s.added)]
    may_differ = touched(layout_of(was), patterns) | set(was.added) | set(now.added)
    may_differ |= {n for n, robot in now.robots.items() if robot != was.robots.get(n)}
    differing = [n for n in _differing(before, world) if n not in may_differ]
    if differing:
        msg = (
            f"{folder}: the run's world cannot be made again: {', '.join(differing[:3])} would differ. "
            "It was made by another version, or from a file that has changed since; simulate it anew"
        )
        raise DataError(msg)
    return world


def _differing(before: World, after: World) -> list[str]:
    """Names of instances that both worlds have, but not with the same shapes at the same place."""
    in_both = {i.name for i in before.instances} & {i.name for i in after.instances}
    one, other = _shapes(before), _shapes(after)
    return [name for name in sorted(in_both) if one.get(name) != other.get(name)]


def _shapes(world: World) -> dict[str, str]:
    """Hash by instance name of what its root body is: pose, mass, and every geom below it."""
    model = world.model
    root = _root_of_bodies(world)
    geoms: dict[int, list[int]] = {}
    for geom in range(model.ngeom):
        geoms.setdefault(int(root[model.geom_bodyid[geom]]), []).append(geom)
    found = {}
    for instance in world.instances:
        body = model.body(instance.body).id
        mine = geoms.get(body, [])
        found[instance.name] = content_hash(
            model.body_pos[body],
            model.body_quat[body],
            model.geom_type[mine],
            model.geom_size[mine],
            model.geom_pos[mine],
            model.geom_quat[mine],
            [_mesh_of(model, g) for g in mine],
        )
    return found


def _root_of_bodies(world: World) -> NDArray[np.int64]:
    model = world.model
    roots = {model.body(i.body).id for i in world.instances}
    of = np.zeros(model.nbody, np.int64)
    for body in range(1, model.nbody):
        of[body] = body if body in roots else of[model.body_parentid[body]]
    return of


def _mesh_of(model: mujoco.MjModel, geom: int) -> str:
    if model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
        return ""
    return str(model.mesh(model.geom_dataid[geom]).name)
