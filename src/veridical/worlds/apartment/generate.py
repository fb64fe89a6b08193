"""From a scenario's world to a layout: plan, style, shell, joinery, furniture, light."""

from __future__ import annotations

import numpy as np

from veridical.assets.thing import Finish
from veridical.core.random import rng
from veridical.scenario.schema import ApartmentWorld, Conditions
from veridical.worlds.apartment import light
from veridical.worlds.apartment.doors import build_doors
from veridical.worlds.apartment.furnish import furnish
from veridical.worlds.apartment.openings import draw_plan
from veridical.worlds.apartment.plan import SIDES, FloorPlan, Side
from veridical.worlds.apartment.shell import build_shell
from veridical.worlds.apartment.style import draw_style
from veridical.worlds.apartment.windows import build_windows
from veridical.worlds.layout import Layout


def generate(world: ApartmentWorld, conditions: Conditions, seed: int) -> Layout:
    """A furnished apartment.

    The building and everything in it depend on `world` and `seed` only, so that the same home can be seen
    in other conditions. Its outer corner is near the world's origin and all of it lies at x, y > -0.5 m.

    Args:
        world: Number of rooms, area, clutter.
        conditions: Lamps, daylight and sun.
        seed: Any two seeds give different homes.
    """
    plan = draw_plan(world, rng(seed, "apartment", "plan"))
    style = draw_style(plan.kinds, rng(seed, "apartment", "style"))
    draw = rng(seed, "apartment", "shell")
    accents = [_accent_side(plan, i, draw) for i in range(len(plan.rooms))]
    placed = build_shell(plan, style, accents)
    doors = build_doors(plan, style)
    view = Finish("outside_view", int(draw.integers(4)))
    windows, portals, sills = build_windows(plan, style, view, light.outside_radiance(conditions), draw)
    leaves = [d for d in doors if d.name.endswith("_leaf")]
    furniture = furnish(plan, style, world, conditions, seed, leaves, sills)
    placed += [*doors, *windows, *furniture]
    glazed = sum(o.width * (o.top - o.bottom) for o in plan.openings if o.kind == "window")
    exposure = light.exposure(conditions, plan.rooms, glazed)
    return Layout(tuple(placed), plan.rooms, None, light.sun(conditions), tuple(portals), exposure)


def _accent_side(plan: FloorPlan, room: int, draw: np.random.Generator) -> Side | None:
    """The side with the fewest openings, for the accent finish."""
    order = draw.permutation(len(SIDES))
    sides = sorted((SIDES[i] for i in order), key=lambda s: len(plan.openings_at(room, s)))
    best: Side = sides[0]
    return best
