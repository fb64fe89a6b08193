"""Linings, architraves, thresholds and leaves of doors."""

from __future__ import annotations

import numpy as np

from veridical.assets.shapes import box as rounded_box
from veridical.assets.shapes import cylinder, merge, transformed
from veridical.assets.thing import Collider, Finish, Mesh, Part, Placed, Thing
from veridical.core.geometry import Array, transform
from veridical.worlds.apartment.plan import FloorPlan, Opening, Wall, span
from veridical.worlds.apartment.shell import ARCHITRAVE_M, SLAB_M, at, wall_box
from veridical.worlds.apartment.solids import Box, board, box, rectangle, stand
from veridical.worlds.apartment.style import Style

LINING_M = 0.02
_ARCHITRAVE_THICK_M = 0.016
_REVEAL_M = 0.006  # of the lining that stays visible beside the architrave
_LEAF_M = 0.04
_GAP_M = 0.004
_BESIDE_M = 0.45  # a leaf this near to a corner opens against the wall there

Piece = tuple[Mesh, Finish]


def build_doors(plan: FloorPlan, style: Style) -> list[Placed]:
    """Everything in the openings except windows."""
    out = []
    for i, hole in enumerate(o for o in plan.openings if o.kind != "window"):
        name = "entrance" if hole.kind == "entrance" else f"{hole.kind}_{i}"
        out.append(_surround(name, plan, hole, style))
        if hole.kind == "door":
            out.append(_open_leaf(f"{name}_leaf", plan, hole, style))
        elif hole.kind == "entrance":
            out.append(_closed_leaf(f"{name}_leaf", plan, hole, style))
    return out


def _surround(name: str, plan: FloorPlan, hole: Opening, style: Style) -> Placed:
    wall = plan.walls[hole.wall]
    d0, d1 = wall.across
    inside = next(r for r in hole.rooms if r is not None)
    corner = at(wall, hole.start, d0, 0.0)
    u, v = at(wall, hole.end, d0, 0.0) - corner, at(wall, hole.start, d1, 0.0) - corner
    u, v = (u, v) if np.cross(u, v)[2] > 0 else (v, u)
    threshold = rectangle(corner, u, v, (float(corner[0]), float(corner[1])))
    parts: list[Piece] = [(threshold, style.floor[inside])]
    boxes: list[Box] = [wall_box(wall, (hole.start, hole.end), (d0, d1), (-SLAB_M, 0.0))]
    if hole.kind == "passage" and not style.lined:
        return stand(name, "door", parts, boxes)
    for a, up in _frame(hole, LINING_M, 0.0):
        parts.append((board(*wall_box(wall, a, (d0, d1), up)), style.joinery))
        boxes.append(wall_box(wall, a, (d0, d1), up))
    for low in (True, False):
        if hole.rooms[0 if low else 1] is None:
            continue
        depth = (d0 - _ARCHITRAVE_THICK_M, d0) if low else (d1, d1 + _ARCHITRAVE_THICK_M)
        for a, up in _frame(hole, LINING_M - _REVEAL_M, ARCHITRAVE_M):
            parts.append((board(*wall_box(wall, a, depth, up), 0.004), style.joinery))
    return stand(name, "door", parts, boxes)


def _frame(
    hole: Opening, inside: float, outside: float
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Two posts and a head around an opening, as (along, up)."""
    a0, a1, top = hole.start, hole.end, hole.top
    return [
        ((a0 - outside, a0 + inside), (0.0, top + outside)),
        ((a1 - inside, a1 + outside), (0.0, top + outside)),
        ((a0 + inside, a1 - inside), (top - inside, top + outside)),
    ]


def _leaf(width: float, height: float, panelled: bool, style: Style) -> list[Piece]:
    """A leaf with its hinge at the origin: it spans +y and z, and is centred on x = 0."""
    t = _LEAF_M
    if panelled:
        meshes = [
            _slab(t, 0.0, 0.11, 0.0, height),
            _slab(t, width - 0.11, width, 0.0, height),
            _slab(t, 0.11, width - 0.11, 0.0, 0.2),
            _slab(t, 0.11, width - 0.11, 0.95, 1.08),
            _slab(t, 0.11, width - 0.11, height - 0.12, height),
        ]
        for z0, z1 in ((0.2, 0.95), (1.08, height - 0.12)):
            meshes.append(_slab(0.016, 0.105, width - 0.105, z0 - 0.005, z1 + 0.005))
            meshes.append(_slab(0.028, 0.17, width - 0.17, z0 + 0.06, z1 - 0.06, 0.006))
    else:
        meshes = [_slab(t, 0.0, width, 0.0, height)]
    return [(merge(meshes), style.leaf), (_handles(width), style.metal)]


def _slab(t: float, y0: float, y1: float, z0: float, z1: float, bevel: float = 0.003) -> Mesh:
    return rounded_box((t, y1 - y0, z1 - z0), (0.0, (y0 + y1) / 2, (z0 + z1) / 2), bevel)


def _handles(width: float) -> Mesh:
    """A lever with its plate on each face, 1.03 m above the floor."""
    pieces = []
    for side in (1.0, -1.0):
        x = side * _LEAF_M / 2
        pieces.append(rounded_box((0.006, 0.04, 0.2), (x + side * 0.003, width - 0.06, 1.0), 0.002))
        pieces.append(rounded_box((0.045, 0.018, 0.018), (x + side * 0.026, width - 0.06, 1.03), 0.006))
        pieces.append(rounded_box((0.016, 0.125, 0.02), (x + side * 0.05, width - 0.112, 1.03), 0.007))
    return merge(pieces)


def _leaf_thing(name: str, pieces: list[Piece], width: float, height: float, T_hinge: Array) -> Placed:
    middle = transform(np.eye(3), (0.0, width / 2, 0.0))
    back = transform(np.eye(3), (0.0, -width / 2, 0.0))
    body = Collider("box", (_LEAF_M / 2, width / 2, height / 2), transform(np.eye(3), (0, 0, height / 2)))
    thing = Thing(
        "door",
        tuple(Part(transformed(m, back), f) for m, f in pieces),
        (body,),
        (_LEAF_M + 0.12, width, height),
    )
    return Placed(name, thing, T_hinge @ middle)


def swing_room(plan: FloorPlan, hole: Opening) -> int:
    """The room into which a door opens: the one that is not a way to others."""
    low, high = hole.rooms
    assert low is not None
    assert high is not None
    dead_ends = ("bathroom", "bedroom", "study")
    if plan.kinds[low] in dead_ends and plan.kinds[high] in dead_ends:
        return low if plan.kinds[high] == "bathroom" else high
    return low if plan.kinds[low] in dead_ends else high


def _open_leaf(name: str, plan: FloorPlan, hole: Opening, style: Style) -> Placed:
    """A leaf that stands open: square to its wall beside a corner, folded back against it elsewhere."""
    wall = plan.walls[hole.wall]
    room = swing_room(plan, hole)
    low_side = hole.rooms[0] == room
    width, height = hole.width - 2 * LINING_M - 2 * _GAP_M, hole.top - LINING_M - 0.012
    rect = plan.rooms[room].rect
    ends = span(rect, "south" if wall.axis == "x" else "west")
    to_low, to_high = hole.start - ends[0], ends[1] - hole.end
    at_low = to_low <= to_high
    if min(to_low, to_high) > _BESIDE_M:
        at_low = to_low > to_high
    folded = min(to_low, to_high) > _BESIDE_M and max(to_low, to_high) > hole.width
    opened = np.radians(173.0 if folded else 92.0)
    hinge = hole.start + LINING_M + _GAP_M if at_low else hole.end - LINING_M - _GAP_M
    stand_off = 0.045 if folded else 0.024
    across = wall.across[0] - stand_off if low_side else wall.across[1] + stand_off
    into = -1.0 if low_side else 1.0
    closed = 1.0 if at_low else -1.0  # direction along the wall from hinge to lock
    a, d = closed * np.cos(opened), into * np.sin(opened)
    y = np.array([a, d] if wall.axis == "x" else [d, a])
    R = np.array([[y[1], y[0], 0.0], [-y[0], y[1], 0.0], [0.0, 0.0, 1.0]])
    T = transform(R, at(wall, hinge, across, 0.008))
    return _leaf_thing(name, _leaf(width, height, style.panelled, style), width, height, T)


def _closed_leaf(name: str, plan: FloorPlan, hole: Opening, style: Style) -> Placed:
    """The entrance: shut, with a spy-hole and a draught-proof sill."""
    wall: Wall = plan.walls[hole.wall]
    low_side = hole.rooms[0] is not None
    width, height = hole.width - 2 * LINING_M - 2 * _GAP_M, hole.top - LINING_M - 0.012
    across = wall.across[0] + 0.1 if low_side else wall.across[1] - 0.1
    y = np.array([1.0, 0.0] if wall.axis == "x" else [0.0, 1.0])
    R = np.array([[y[1], y[0], 0.0], [-y[0], y[1], 0.0], [0.0, 0.0, 1.0]])
    T = transform(R, at(wall, hole.start + LINING_M + _GAP_M, across, 0.008))
    spy = transformed(cylinder(0.012, 0.056), transform(_UP_TO_X, (-0.028, width / 2, 1.5)))
    pieces = [*_leaf(width, height, True, style), (spy, style.metal)]
    pieces.append((box((-0.05, 0.0, -0.008), (0.05, width, 0.0), ("-z",)), style.metal))
    return _leaf_thing(name, pieces, width, height, T)


_UP_TO_X = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
