"""Furnishing rules: the kitchen run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from veridical.worlds.apartment.plan import SIDES, Opening, Side
from veridical.worlds.apartment.setting import Item, Setting
from veridical.worlds.apartment.shell import ARCHITRAVE_M, free_spans, wall_box
from veridical.worlds.apartment.solids import Box, board, stand

_DEPTH_M = 0.6
_GAP_M = 0.014  # behind the units, for the skirting
_WORKTOP_M = 0.9
_WALL_UNIT_M = 1.42
_SPLASHBACK_M = 0.008
_SHORTEST_M = 1.9
_LONGEST_M = 4.4
_SECOND_LEG_M = 1.9


def kitchen_run(s: Setting) -> bool:
    """Units along the wall that suits best, round a corner where there is space."""
    for low, high, side in sorted(_walls(s), key=lambda w: w[0] - w[1] + _fitness(s, w[2])):
        length = min(high - low, _LONGEST_M)
        corner = _corner(s, side, low, high)
        at_low = corner[0] if corner else s.chance(0.5)
        items = _row(s, side, low if at_low else high - length, length, fridge_first=not at_low)
        if s.put(items):
            _above(s, side, items)
            _splashback(s, side, items)
            if corner:
                _around_corner(s, *corner[1:])
            return True
    return False


def _corner(s: Setting, side: Side, low: float, high: float) -> tuple[bool, Side, float, float] | None:
    """Whether the run turns at its low end, the wall on which it goes on, and from where to where."""
    ends = s.extent(side)
    names: tuple[Side, Side] = ("west", "east") if side in ("south", "north") else ("south", "north")
    options = []
    for at_low, near, other in ((True, low - ends[0], names[0]), (False, ends[1] - high, names[1])):
        if near > 0.05:
            continue
        for a, b in free_spans(s.extent(other), s.plan.openings_at(s.index, other), ARCHITRAVE_M + 0.05):
            from_low = side in ("south", "west")
            gap = a - s.extent(other)[0] if from_low else s.extent(other)[1] - b
            usable = b - a - _DEPTH_M - 0.03
            if gap < 0.02 and usable > 0.5 and s.depth(side) > 2.6:
                length = min(usable, _SECOND_LEG_M)
                start = a + _DEPTH_M + 0.03 if from_low else b - _DEPTH_M - 0.03 - length
                options.append((at_low, other, start, start + length))
    return options[int(s.rng.integers(len(options)))] if options else None


def _around_corner(s: Setting, side: Side, low: float, high: float) -> None:
    """The second leg: base units as far as they fit, with wall units above."""
    count = max(1, round((high - low) / 0.6))
    width = (high - low) / count
    placed = []
    for k in range(count) if _starts_low(s, side, low) else reversed(range(count)):
        unit = s.make("kitchen_base", width=width, style=s.kitchen_style)
        item = Item("kitchen_base", unit, s.on_wall(unit, side, low + (k + 0.5) * width, _GAP_M))
        if not s.put([item]):
            break
        placed.append(item)
    if placed:
        _above(s, side, placed)
        _splashback(s, side, placed)


def _starts_low(s: Setting, side: Side, low: float) -> bool:
    """True if a leg that begins at `low` along a side begins nearer to the side's low end."""
    ends = s.extent(side)
    return low - ends[0] < 1.0


def _walls(s: Setting) -> Iterator[tuple[float, float, Side]]:
    for side in SIDES:
        for low, high in free_spans(s.extent(side), s.plan.openings_at(s.index, side), ARCHITRAVE_M + 0.05):
            if high - low >= _SHORTEST_M:
                yield low + 0.005, high - 0.005, side


def _fitness(s: Setting, side: Side) -> float:
    window = any(w == side for w, _ in s.windows())
    return float(s.rng.uniform(0, 0.8)) - 0.7 * window


def _row(s: Setting, side: Side, start: float, length: float, fridge_first: bool) -> list[Item]:
    fridge, stove = s.make("fridge"), s.make("stove")
    sink_width = 0.8 if length > 2.6 else 0.6
    rest = length - 0.605 - 0.6 - sink_width
    count = max(1, round(rest / 0.58)) if rest >= 0.3 else 0
    widths = [rest / count] * count if count else []
    window = next((o for w, o in s.windows() if w == side), None)
    best: list[tuple[str, float]] = []
    nearest = np.inf
    for _ in range(24):
        middle = [("kitchen_base", w) for w in widths] + [("sink_unit", sink_width), ("stove", 0.6)]
        order = [middle[i] for i in s.rng.permutation(len(middle))]
        order = [("fridge", 0.605), *order] if fridge_first else [*order, ("fridge", 0.605)]
        away = _order_cost(order, start, window)
        if away < nearest:
            nearest, best = away, order
    items, along = [], start
    for kind, width in best:
        ready = {"fridge": fridge, "stove": stove}
        thing = ready[kind] if kind in ready else s.make(kind, width=width, style=s.kitchen_style)
        items.append(Item(kind, thing, s.on_wall(thing, side, along + width / 2, _GAP_M)))
        along += width
    return items


def _order_cost(order: list[tuple[str, float]], start: float, window: Opening | None) -> float:
    """Bad: a sink far from the window; a stove under glass or without a worktop beside it."""
    cost, along = 0.0, start
    kinds = [k for k, _ in order]
    for i, (kind, width) in enumerate(order):
        centre = along + width / 2
        if window is not None:
            middle = (window.start + window.end) / 2
            half = window.width / 2
            if kind == "sink_unit":
                cost += abs(centre - middle)
            elif kind in ("stove", "fridge") and abs(centre - middle) < half + width / 2:
                cost += 3.0
        beside = kinds[max(i - 1, 0) : i] + kinds[i + 1 : i + 2]
        if kind == "stove" and ("fridge" in beside or "sink_unit" in beside or i in (0, len(order) - 1)):
            cost += 0.8
        along += width
    return cost


def _above(s: Setting, side: Side, items: list[Item]) -> None:
    """Wall units over the base units and a hood over the stove, except before the window."""
    for item in items:
        width = item.thing.size[1]
        along = float(item.T[0, 3] if side in ("south", "north") else item.T[1, 3])
        if item.kind == "stove":
            hood = s.make("extractor_hood", width=0.6, height=s.room.height - 1.6)
            s.put([Item("extractor_hood", hood, s.on_wall(hood, side, along, 0.009, 1.6))], walk=False)
        elif item.kind in ("kitchen_base", "sink_unit"):
            width = 0.8 if item.kind == "sink_unit" and width > 0.7 else round(width, 3)
            unit = s.make("kitchen_wall", width=width, style=s.kitchen_style)
            s.put([Item("kitchen_wall", unit, s.on_wall(unit, side, along, 0.009, _WALL_UNIT_M))], walk=False)


def _splashback(s: Setting, side: Side, items: list[Item]) -> None:
    """Tiles between worktop and wall units, lower before a window."""
    wall = s.plan.walls[s.plan.wall_of(s.index, side)]
    axis = 0 if side in ("south", "north") else 1
    units = [i for i in items if i.kind != "fridge"]
    low = min(float(i.T[axis, 3]) - i.thing.size[1] / 2 for i in units)
    high = max(float(i.T[axis, 3]) + i.thing.size[1] / 2 for i in units)
    face = wall.across[0 if side in ("north", "east") else 1]
    depth = (face - _SPLASHBACK_M, face) if side in ("north", "east") else (face, face + _SPLASHBACK_M)
    cuts = sorted(
        {
            low,
            high,
            *(
                x
                for w, o in s.windows()
                if w == side
                for x in (o.start - 0.05, o.end + 0.05)
                if low < x < high
            ),
        }
    )
    pieces, boxes = [], []
    for a, b in pairwise(cuts):
        before = [o for w, o in s.windows() if w == side and o.start - 0.05 < (a + b) / 2 < o.end + 0.05]
        top = before[0].bottom - 0.006 if before else _WALL_UNIT_M
        box: Box = wall_box(wall, (a, b), depth, (_WORKTOP_M - 0.04, top))
        pieces.append((board(*box, 0.001), s.style.tiles))
        boxes.append(box)
    placed = stand("splashback", "wall", pieces, boxes)
    s.items.append(Item("splashback", placed.thing, placed.T_world_thing, soft=True))
