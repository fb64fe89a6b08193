"""Which rules furnish which room, and in what order."""

from __future__ import annotations

from collections import Counter

import numpy as np

from veridical.assets.furniture import build
from veridical.assets.thing import Placed, Thing
from veridical.core.random import rng
from veridical.scenario.schema import ApartmentWorld, Conditions
from veridical.worlds.apartment import clutter, dressing, kitchen, light, living, private
from veridical.worlds.apartment.plan import FloorPlan
from veridical.worlds.apartment.setting import Item, Setting, recoloured
from veridical.worlds.apartment.space import solid
from veridical.worlds.apartment.style import Style
from veridical.worlds.apartment.windows import Sill

_MAIN_LAMPS = {"ceiling_lamp": 1.0, "pendant_lamp": 1.6}
"""Share of the usual flux; a pendant's opaque shade and the table below take much of its light."""
_SIDE_SHARE = {"floor_lamp": 0.2, "table_lamp": 0.07}


def furnish(
    plan: FloorPlan,
    style: Style,
    world: ApartmentWorld,
    conditions: Conditions,
    seed: int,
    doors: list[Placed],
    sills: list[Sill],
) -> list[Placed]:
    """Furniture, lamps and clutter of all rooms.

    Args:
        plan: The floor plan.
        style: Finishes and colours.
        world: Says how much clutter there is.
        conditions: Says how the lamps shine.
        seed: Each room draws from its own stream.
        doors: Door leaves that stand in the rooms.
        sills: Window sills to put things on.
    """

    def make(kind: str, draw: np.random.Generator, **options: object) -> Thing:
        return recoloured(build(kind, draw, **options), style, draw)  # type: ignore[arg-type]

    dines_in = _dining_room(plan)
    items: list[Item] = []
    for i in range(len(plan.rooms)):
        s = Setting(plan, i, style, make, rng(seed, "apartment", "room", i))
        s.space.add(*(solid(d.thing, d.T_world_thing) for d in doors))
        _furnish_room(s, dines_in == i)
        if world.clutter > 0:
            clutter.on_tops(s, world.clutter)
            clutter.on_sills(s, [(sill.T, sill.top) for sill in sills if sill.room == i], world.clutter)
            clutter.on_floor(s, world.clutter)
        items += _lit(s, conditions)
    return _named(items)


def _dining_room(plan: FloorPlan) -> int | None:
    """Where the large table stands: the dining room, else a large kitchen, else the living room."""

    def size(i: int) -> float:
        x0, y0, x1, y1 = plan.rooms[i].rect
        return (x1 - x0) * (y1 - y0)

    for kinds, least in (
        (("dining_room",), 0),
        (("kitchen",), 13),
        (("living_room", "living_kitchen", "studio"), 14),
    ):
        for i, kind in enumerate(plan.kinds):
            if kind in kinds and size(i) >= least:
                return i
    return None


def _furnish_room(s: Setting, dines: bool) -> None:
    dressing.at_windows(s)
    if s.kind in ("living_kitchen", "studio", "kitchen"):
        kitchen.kitchen_run(s)
    if s.kind in ("living_room", "living_kitchen", "studio"):
        if s.kind == "studio":
            private.sleeping_place(s, 1.48)
        living.sitting_area(s)
    if dines:
        living.dining_place(s) or living.dining_place(s, 2)
    elif s.kind == "kitchen":
        living.dining_place(s, 2)
    if s.kind in ("living_room", "living_kitchen"):
        living.shelves(s, 3 if s.area > 20 else 1)
        living.sideboard(s)
        if not dines and s.area > 20:
            living.reading_corner(s)
            living.sideboard(s)
    elif s.kind == "bedroom":
        private.sleeping_place(s)
        private.clothes(s)
        if "study" not in s.plan.kinds and s.area > 11:
            living.work_place(s)
        elif s.area > 13:
            living.reading_corner(s)
    elif s.kind == "study":
        living.work_place(s)
        living.shelves(s, 3)
        s.stand("armchair", s.make("armchair"), corner=0.8, gap=0.1)
    elif s.kind == "bathroom":
        private.bathroom(s)
    elif s.kind == "hall":
        private.hall(s)
    elif s.kind == "dining_room":
        living.sideboard(s)
        living.sideboard(s)
    dressing.ceiling_lamps(s)
    dressing.plants(s)
    dressing.on_walls(s)


def _lit(s: Setting, conditions: Conditions) -> list[Item]:
    """The room's items with its lamps switched: the main ones share the usual flux."""
    main = sum(i.kind in _MAIN_LAMPS for i in s.items)
    flux = light.room_flux(s.room)
    out = []
    for item in s.items:
        if item.thing.category == "lamp":
            gain = _MAIN_LAMPS.get(item.kind, 0.0)
            share = gain / main if gain else _SIDE_SHARE.get(item.kind, 0.0)
            thing = light.lit(item.thing, conditions, flux * share)
        else:
            thing = light.screens_lit(item.thing, conditions)
        out.append(Item(item.kind, thing, item.T, item.soft))
    return out


def _named(items: list[Item]) -> list[Placed]:
    """Items with names made of their kind and a running number."""
    counts: Counter[str] = Counter()
    out = []
    for item in items:
        out.append(Placed(f"{item.kind}_{counts[item.kind]}", item.thing, item.T))
        counts[item.kind] += 1
    return out
