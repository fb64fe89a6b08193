"""Floors, ceilings, walls and skirting: flat faces cut around the openings, with matching collision boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from veridical.assets.shapes import merge
from veridical.assets.thing import Finish, Mesh, Placed
from veridical.core.geometry import Array
from veridical.worlds.apartment.plan import INWARD, SIDES, FloorPlan, Opening, Side, Wall, span
from veridical.worlds.apartment.solids import Box, extrude, rectangle, stand
from veridical.worlds.apartment.style import Style

SLAB_M = 0.2
ARCHITRAVE_M = 0.065
TILED_M = 2.1
_SKIRTING = (0.012, 0.085)  # thickness, height


def at(wall: Wall, along: float, across: float, up: float) -> Array:
    """World position of wall coordinates, metres."""
    return np.array([along, across, up] if wall.axis == "x" else [across, along, up], float)


def wall_box(
    wall: Wall, along: tuple[float, float], across: tuple[float, float], up: tuple[float, float]
) -> Box:
    """Corners of a box in wall coordinates."""
    lo, hi = at(wall, along[0], across[0], up[0]), at(wall, along[1], across[1], up[1])
    return (float(lo[0]), float(lo[1]), float(lo[2])), (float(hi[0]), float(hi[1]), float(hi[2]))


def face(wall: Wall, low: bool, along: tuple[float, float], across: float, up: tuple[float, float]) -> Mesh:
    """A vertical rectangle along a wall that faces to its low or high side; UVs are world metres."""
    forward = (wall.axis == "x") == low
    first, last = along if forward else along[::-1]
    corner = at(wall, first, across, up[0])
    u = at(wall, last, across, up[0]) - corner
    return rectangle(corner, u, (0.0, 0.0, up[1] - up[0]), (first if forward else -first, up[0]))


def build_shell(plan: FloorPlan, style: Style, accents: Sequence[Side | None]) -> list[Placed]:
    """Floors, ceilings, walls and skirting.

    Args:
        plan: The floor plan.
        style: Finishes.
        accents: The side of each room that has the accent finish.
    """
    out = []
    for i, room in enumerate(plan.rooms):
        x0, y0, x1, y1 = room.rect
        floor = rectangle((x0, y0, 0), (x1 - x0, 0, 0), (0, y1 - y0, 0), (x0, y0))
        ceiling = rectangle((x0, y0, room.height), (0, y1 - y0, 0), (x1 - x0, 0, 0), (y0, x0))
        under: Box = ((x0, y0, -SLAB_M), (x1, y1, 0.0))
        over: Box = ((x0, y0, room.height), (x1, y1, room.height + SLAB_M))
        out.append(stand(f"{room.name}_floor", "floor", [(floor, style.floor[i])], [under]))
        out.append(stand(f"{room.name}_ceiling", "ceiling", [(ceiling, style.ceiling)], [over]))
    out += [_wall(plan, style, accents, w) for w in range(len(plan.walls))]
    for i in range(len(plan.rooms)):
        if plan.kinds[i] != "bathroom":
            out.append(_skirting(plan, style, i))
    return out


def wall_finishes(
    plan: FloorPlan, style: Style, accents: Sequence[Side | None], room: int, side: Side
) -> list[tuple[float, float, Finish]]:
    """Zones of a wall as seen from a room: from and to height, metres, and finish."""
    height = plan.rooms[room].height
    if plan.kinds[room] == "bathroom":
        return [(0.0, TILED_M, style.tiles), (TILED_M, height, style.quiet[room])]
    accent = style.accent[room]
    return [(0.0, height, accent if accents[room] == side and accent else style.quiet[room])]


def _wall(plan: FloorPlan, style: Style, accents: Sequence[Side | None], index: int) -> Placed:
    wall = plan.walls[index]
    holes = [o for o in plan.openings if o.wall == index]
    height = max(r.height for r in plan.rooms)
    parts: list[tuple[Mesh, Finish]] = []
    for room in range(len(plan.rooms)):
        for side in SIDES:
            if plan.wall_of(room, side) != index:
                continue
            low = side in ("north", "east")
            extent = span(plan.rooms[room].rect, side)
            across = wall.across[0 if low else 1]
            for bottom, top, finish in wall_finishes(plan, style, accents, room, side):
                for a, z in cut(extent, (bottom, top), holes):
                    parts.append((face(wall, low, a, across, z), finish))
    first = parts[0][1]
    if wall.outer:
        low = wall.name in ("outer_wall_south", "outer_wall_west")
        for a, z in cut(wall.along, (-SLAB_M, height + SLAB_M), holes):
            parts.append((face(wall, low, a, wall.across[0 if low else 1], z), first))
    parts.append((_cap(wall, height), style.ceiling))
    for hole in holes:
        if hole.kind != "door" and not (hole.kind == "passage" and style.lined):
            inside = hole.rooms[0] if hole.rooms[0] is not None else hole.rooms[1]
            finish = style.quiet[inside] if hole.kind == "passage" and inside is not None else style.ceiling
            parts.append((_reveals(wall, hole), finish))
    return stand(wall.name, "wall", parts, _solids(wall, holes, height))


def cut(
    extent: tuple[float, float], up: tuple[float, float], holes: Iterable[Opening]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Rectangles (along, up) of a wall face that remain beside, above and below its openings.

    All share one lattice of cuts, so their edges meet corner to corner and nothing shines through.
    """
    holes = [h for h in holes if h.start < extent[1] and h.end > extent[0]]
    alongs = sorted({*extent, *(h.start for h in holes), *(h.end for h in holes)})
    ups = sorted({*up, *(z for h in holes for z in (h.bottom, h.top) if up[0] < z < up[1])})
    return [
        ((a0, a1), (z0, z1))
        for a0, a1 in pairwise(alongs)
        for z0, z1 in pairwise(ups)
        if not any(_inside(h, (a0 + a1) / 2, (z0 + z1) / 2) for h in holes)
    ]


def _inside(hole: Opening, along: float, up: float) -> bool:
    return hole.start < along < hole.end and hole.bottom < up < hole.top


def _cap(wall: Wall, height: float) -> Mesh:
    x0, y0, x1, y1 = wall.rect
    return rectangle((x0, y0, height), (x1 - x0, 0, 0), (0, y1 - y0, 0), (x0, y0))


def _reveals(wall: Wall, hole: Opening) -> Mesh:
    """Jambs, head and, for windows, the bottom of an opening, all facing into it."""
    d0, d1 = wall.across
    other = Wall(wall.name, "y" if wall.axis == "x" else "x", wall.rect, wall.outer)
    meshes = [
        face(other, False, (d0, d1), hole.start, (hole.bottom, hole.top)),
        face(other, True, (d0, d1), hole.end, (hole.bottom, hole.top)),
    ]
    for level, up in ((hole.top, False), (hole.bottom, True)):
        if up and hole.kind != "window":
            continue
        corner = at(wall, hole.start, d0, level)
        u = at(wall, hole.end, d0, level) - corner
        v = at(wall, hole.start, d1, level) - corner
        u, v = (u, v) if (np.cross(u, v)[2] > 0) == up else (v, u)
        meshes.append(rectangle(corner, u, v, (hole.start, d0)))
    return merge(meshes)


def _solids(wall: Wall, holes: list[Opening], height: float) -> list[Box]:
    """Collision boxes of a wall: full height beside the openings, lintels above, parapets below."""
    boxes: list[Box] = []
    start = wall.along[0]
    for hole in sorted(holes, key=lambda h: h.start):
        boxes.append(wall_box(wall, (start, hole.start), wall.across, (0.0, height)))
        boxes.append(wall_box(wall, (hole.start, hole.end), wall.across, (hole.top, height)))
        if hole.bottom > 0:
            boxes.append(wall_box(wall, (hole.start, hole.end), wall.across, (0.0, hole.bottom)))
        start = hole.end
    boxes.append(wall_box(wall, (start, wall.along[1]), wall.across, (0.0, height)))
    return boxes


def _skirting(plan: FloorPlan, style: Style, room: int) -> Placed:
    thick, tall = _SKIRTING
    profile = [(thick, 0.0), (thick, tall - 0.012), (thick * 0.45, tall), (0.0, tall)]
    rect = plan.rooms[room].rect
    meshes = []
    for side in SIDES:
        wall = plan.walls[plan.wall_of(room, side)]
        low, high = span(rect, side)
        if side in ("west", "east"):
            low, high = low + thick, high - thick
        across = wall.across[0 if side in ("north", "east") else 1]
        normal = np.array([*INWARD[side], 0.0])
        for a, b in free_spans((low, high), plan.openings_at(room, side)):
            ends = [at(wall, a, across, 0.0), at(wall, b, across, 0.0)]
            if np.dot(ends[1] - ends[0], np.cross([0, 0, 1], normal)) < 0:
                ends.reverse()
            meshes.append(extrude(profile, ends[0], ends[1] - ends[0], normal))
    return stand(f"{plan.rooms[room].name}_skirting", "skirting", [(merge(meshes), style.joinery)])


def free_spans(
    extent: tuple[float, float], openings: Iterable[Opening], margin: float = ARCHITRAVE_M
) -> list[tuple[float, float]]:
    """What openings down to the floor leave of an extent along a wall, metres."""
    out, start = [], extent[0]
    for hole in sorted((o for o in openings if o.bottom < 0.12), key=lambda o: o.start):
        if hole.start - margin - start > 0.02:
            out.append((start, hole.start - margin))
        start = hole.end + margin
    if extent[1] - start > 0.02:
        out.append((start, extent[1]))
    return out
