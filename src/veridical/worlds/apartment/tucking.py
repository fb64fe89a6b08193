"""Chairs under tables: as far as their real shapes allow."""

from __future__ import annotations

import numpy as np

from veridical.assets.thing import Thing
from veridical.core.geometry import Array
from veridical.worlds.apartment.setting import moved
from veridical.worlds.apartment.space import collider_solid, overlap

_GAP_M = 0.012
_STEP_M = 0.02
_FARTHEST_BACK_M = 0.12


def tucked(chair: Thing, T: Array, base: Thing, T_base: Array, most: float) -> tuple[Array, float]:
    """A chair pushed forwards until it would touch what it stands at.

    Args:
        chair: Faces the table along its x.
        T: Its pose with its front at the table's edge.
        base: The table.
        T_base: The table's pose.
        most: Farthest push, metres.

    Returns:
        The pose, and how far it was pushed; negative where it had to be drawn back.
    """
    fixed = [collider_solid(c, T_base) for c in base.colliders]
    push = most
    while push > -_FARTHEST_BACK_M:
        pose = moved(T, x=push)
        own = [collider_solid(c, pose) for c in chair.colliders]
        if not any(overlap(a, b, -_GAP_M) for a in own for b in fixed):
            break
        push -= _STEP_M
    return moved(T, x=push), push


def chairs_at(table: Thing, chair: Thing, seats: int, most: float, rng: np.random.Generator) -> list[Array]:
    """Poses of chairs at the long sides of a table (those that face along its x), in its frame.

    They stand as far apart as the table is long, or closer where its legs would be in the way.
    """
    each = max(1, seats // 2)
    widest, closest = table.size[1] / each, chair.size[1] + 0.05
    best: list[Array] = []
    deepest = -np.inf
    for spacing in np.linspace(widest, min(closest, widest), 5 if each > 1 else 1):
        jitter = rng.normal(0, 0.04, (2, each))
        poses, pushes = [], []
        for sign, yaws in zip((1.0, -1.0), jitter, strict=True):
            for k in range(each):
                y = spacing * (k - (each - 1) / 2)
                x = sign * (table.size[0] + chair.size[0]) / 2
                yaw = (np.pi if sign > 0 else 0.0) + float(yaws[k])
                T, push = tucked(
                    chair, moved(np.eye(4), x=x, y=float(y), yaw_rad=yaw), table, np.eye(4), most
                )
                poses.append(T)
                pushes.append(push)
        if min(pushes) > deepest + 0.03:
            best, deepest = poses, min(pushes)
    return best
