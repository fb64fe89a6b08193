"""Which things stand inside each other before the first step."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

from veridical.worlds.world import World


@dataclass(frozen=True)
class Overlap:
    """Two instances that interpenetrate: their names, and how deep in metres."""

    first: str
    second: str
    depth_m: float

    def __str__(self) -> str:
        return f"{self.first} stands {1000 * self.depth_m:.0f} mm inside {self.second}"


def overlaps(world: World, data: mujoco.MjData | None = None, deeper_than_m: float = 1e-3) -> list[Overlap]:
    """Pairs that interpenetrate, deepest first.

    Only pairs that physics acts on are found: at least one of the two can move.

    Args:
        world: The compiled world.
        data: A state whose positions are looked at; the world's initial state if not given.
        deeper_than_m: Shallower contacts are resting, not overlapping.
    """
    model = world.model
    here = mujoco.MjData(model)
    if data is not None:
        here.qpos[:] = data.qpos
    mujoco.mj_kinematics(model, here)
    mujoco.mj_comPos(model, here)
    mujoco.mj_collision(model, here)
    owner = _owners(world)
    deepest: dict[tuple[str, str], float] = {}
    for contact in here.contact[: here.ncon]:
        names = [owner[int(model.geom_bodyid[g])] for g in (contact.geom1, contact.geom2)]
        pair = (min(names), max(names))
        if pair[0] != pair[1] and -contact.dist > deeper_than_m:
            deepest[pair] = max(deepest.get(pair, 0.0), -float(contact.dist))
    found = [Overlap(a, b, depth) for (a, b), depth in deepest.items()]
    return sorted(found, key=lambda o: (-o.depth_m, o.first, o.second))


def _owners(world: World) -> list[str]:
    """The instance that each body belongs to, by body id; the body's own name if none."""
    roots = {i.body: i.name for i in world.instances}
    owner: list[str] = []
    for b in range(world.model.nbody):
        name = world.model.body(b).name
        parent = owner[world.model.body_parentid[b]] if b else "world"
        owner.append(roots.get(name, parent if parent != "world" else name))
    return owner
