"""Doors between rooms, the entrance and the windows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veridical.scenario.schema import ApartmentWorld
from veridical.worlds.apartment.plan import FloorPlan, Opening, Rect, Side, Wall, span
from veridical.worlds.apartment.split import (
    Division,
    divide,
    is_wide,
    outer_sides,
    outer_walls,
    shared,
)
from veridical.worlds.layout import Room

_CORNER_M = 0.16  # room for an architrave beside a door
_DOOR_M = (0.97, 1.04)
_LOW: dict[Side, bool] = {"south": False, "north": True, "west": False, "east": True}


@dataclass(frozen=True)
class _Window:
    share: tuple[float, float]  # of the wall's length
    width: tuple[float, float]
    sill: float
    top: float


_WINDOWS = {
    "bathroom": _Window((0.25, 0.35), (0.6, 0.9), 1.35, 2.15),
    "kitchen": _Window((0.35, 0.5), (1.0, 1.8), 1.08, 2.2),
    "hall": _Window((0.3, 0.4), (0.7, 1.0), 0.95, 2.15),
}
_USUAL = _Window((0.38, 0.55), (1.1, 2.3), 0.88, 2.22)
_FRENCH = _Window((0.42, 0.6), (1.5, 2.6), 0.06, 2.24)


def draw_plan(world: ApartmentWorld, rng: np.random.Generator) -> FloorPlan:
    """A floor plan for the wanted number of rooms and area."""
    division, footprint = divide(world.rooms, world.area_m2, rng)
    height = float(rng.choice([2.5, 2.6, 2.7, 2.8]))
    names = _names(division.kinds)
    rooms = tuple(Room(n, r, height) for n, r in zip(names, division.rects, strict=True))
    walls = outer_walls(footprint)
    walls += [
        Wall(f"wall_{i}", "x" if axis == "x" else "y", rect, False)
        for i, (axis, rect) in enumerate(division.walls)
    ]
    bare = FloorPlan(rooms, tuple(division.kinds), tuple(walls), ())
    openings = [_door(bare, a, b, rng) for a, b in division.doors]
    openings += _outside(bare, division, footprint, rng)
    return FloorPlan(rooms, bare.kinds, bare.walls, tuple(openings))


def _names(kinds: list[str]) -> list[str]:
    out: list[str] = []
    for kind in kinds:
        number = sum(name == kind or name.startswith(f"{kind}_") for name in out)
        out.append(f"{kind}_{number + 1}" if number else kind)
    return out


def _door(plan: FloorPlan, a: int, b: int, rng: np.random.Generator) -> Opening:
    touching = shared(plan.rooms[a].rect, plan.rooms[b].rect)
    assert touching is not None
    side, low, high = touching
    low, high = low + _CORNER_M, high - _CORNER_M
    wide = is_wide(plan.kinds[a], plan.kinds[b])
    width = min(high - low, float(rng.uniform(1.2, 1.7) if wide else rng.uniform(*_DOOR_M)))
    spare = high - low - width
    if wide:
        start = low + spare * float(rng.uniform(0.25, 0.75))
    else:
        start = (
            low + float(rng.choice([0.0, spare]))
            if spare < 0.5
            else low + float(rng.choice([min(0.1, spare), max(spare - 0.1, 0.0)]))
        )
    top = 2.25 if wide else 2.08
    rooms = (a, b) if _LOW[side] else (b, a)
    return Opening(
        "passage" if wide else "door", plan.wall_of(a, side), start, start + width, 0.0, top, rooms
    )


def _outside(plan: FloorPlan, division: Division, footprint: Rect, rng: np.random.Generator) -> list[Opening]:
    sides = {i: outer_sides(r, footprint) for i, r in enumerate(division.rects)}
    out: list[Opening] = []
    entrance = _entrance_room(plan, sides)
    if entrance is not None:
        out.append(_entrance(plan, entrance, sides[entrance], rng))
    for i, available in sides.items():
        taken = {o.wall for o in out if i in o.rooms}
        free = [s for s in available if plan.wall_of(i, s) not in taken]
        free.sort(key=lambda s, r=division.rects[i]: span(r, s)[0] - span(r, s)[1])  # type: ignore[misc]
        wanted = 2 if plan.kinds[i] in ("living_room", "living_kitchen", "studio") else 1
        for number, side in enumerate(free[:wanted]):
            out.append(_window(plan, i, side, number, rng))
    return out


def _entrance_room(plan: FloorPlan, sides: dict[int, list[Side]]) -> int | None:
    for kinds in (("hall",), ("living_room", "living_kitchen", "studio")):
        for i, kind in enumerate(plan.kinds):
            spare = 0 if kind == "hall" else 1  # a living room keeps a side for its window
            if kind in kinds and len(sides[i]) > spare:
                return i
    return None


def _entrance(plan: FloorPlan, room: int, sides: list[Side], rng: np.random.Generator) -> Opening:
    rect = plan.rooms[room].rect
    side = min(sides, key=lambda s: span(rect, s)[1] - span(rect, s)[0])
    low, high = span(rect, side)
    width = 0.98
    low, high = low + _CORNER_M, high - _CORNER_M - width
    start = float(rng.choice([low, high])) if high > low else (low + high) / 2
    return _through_outer(plan, room, side, ("entrance", start, start + width, 0.0, 2.1))


def _window(plan: FloorPlan, room: int, side: Side, number: int, rng: np.random.Generator) -> Opening:
    kind = plan.kinds[room]
    style = _WINDOWS.get(kind, _USUAL)
    if number == 0 and kind in ("living_room", "living_kitchen", "studio") and rng.random() < 0.6:
        style = _FRENCH
    low, high = span(plan.rooms[room].rect, side)
    length = high - low
    width = float(np.clip(length * rng.uniform(*style.share), *style.width))
    width = min(width, length - 0.6)
    spare = length - width
    start = low + spare * float(rng.uniform(0.38, 0.62))
    return _through_outer(plan, room, side, ("window", start, start + width, style.sill, style.top))


def _through_outer(plan: FloorPlan, room: int, side: Side, hole: tuple) -> Opening:  # type: ignore[type-arg]
    kind, start, end, bottom, top = hole
    rooms = (room, None) if _LOW[side] else (None, room)
    return Opening(kind, plan.wall_of(room, side), start, end, bottom, top, rooms)
