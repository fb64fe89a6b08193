"""Rooms by recursive splitting: many random candidates, of which the most liveable one is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from veridical.worlds.apartment.plan import SIDES, Rect, Side, Wall, span

INNER_M = (0.10, 0.15)
OUTER_M = 0.32
_CANDIDATES = 500
_WALL_SHARE = 1.055  # inner walls add about this much to the sum of the room areas

_PROGRAMMES: dict[int, tuple[tuple[str, ...], ...]] = {
    1: (("studio",),),
    2: (("studio", "bathroom"),),
    3: (("living_kitchen", "bedroom", "bathroom"),),
    4: (("living_room", "kitchen", "bedroom", "bathroom"),),
    5: (
        ("living_room", "kitchen", "bedroom", "bathroom", "study"),
        ("living_room", "kitchen", "bedroom", "bathroom", "hall"),
    ),
    6: (("living_room", "kitchen", "bedroom", "bathroom", "study", "hall"),),
    7: (("living_room", "kitchen", "bedroom", "bedroom", "bathroom", "study", "hall"),),
    8: (
        ("living_room", "kitchen", "bedroom", "bedroom", "bathroom", "study", "hall", "dining_room"),
        ("living_room", "kitchen", "bedroom", "bedroom", "bedroom", "bathroom", "study", "hall"),
    ),
}

_SHARE = {
    "studio": 5.0,
    "living_kitchen": 4.6,
    "living_room": 3.4,
    "kitchen": 1.7,
    "dining_room": 1.7,
    "bedroom": 1.9,
    "study": 1.4,
    "bathroom": 0.9,
    "hall": 1.1,
}
_NARROWEST = {"hall": 1.5, "bathroom": 1.75, "kitchen": 2.5, "study": 2.4, "bedroom": 2.8, "living_room": 3.6}
_SMALLEST_SHARE = 0.55  # of the narrowest width that a tiny apartment still has to keep

_DOOR_COST = {
    frozenset(pair): cost
    for *pair, cost in (
        ("living_room", "kitchen", 0.0),
        ("living_room", "hall", 0.0),
        ("living_room", "dining_room", 0.0),
        ("kitchen", "dining_room", 0.0),
        ("kitchen", "hall", 0.3),
        ("dining_room", "hall", 0.4),
        ("bathroom", "hall", 0.1),
        ("bedroom", "hall", 0.1),
        ("study", "hall", 0.2),
        ("study", "living_room", 0.6),
        ("bedroom", "living_room", 0.8),
        ("bathroom", "living_room", 1.4),
        ("bathroom", "bedroom", 2.0),
        ("study", "dining_room", 1.0),
        ("study", "bedroom", 3.0),
        ("study", "kitchen", 3.0),
        ("kitchen", "bathroom", 4.0),
        ("kitchen", "bedroom", 5.0),
        ("study", "bathroom", 5.0),
    )
}
_DEAD_ENDS = frozenset({"bathroom", "bedroom", "study"})
_WIDE = frozenset({"living_room", "kitchen", "hall", "dining_room", "living_kitchen"})
_DOOR_SPACE_M = 1.25


@dataclass
class Division:
    """A candidate: room rectangles with their kinds, inner walls, and pairs of rooms to connect."""

    kinds: list[str] = field(default_factory=list)
    rects: list[Rect] = field(default_factory=list)
    walls: list[tuple[str, Rect]] = field(default_factory=list)
    doors: list[tuple[int, int]] = field(default_factory=list)
    cost: float = 0.0


def divide(rooms: int, area_m2: float, rng: np.random.Generator) -> tuple[Division, Rect]:
    """The best of many random divisions of a random footprint; its interior starts at (0, 0).

    Args:
        rooms: Number of rooms, 1 to 8.
        area_m2: Sum of the room areas.
        rng: Decides everything.
    """
    programme = _PROGRAMMES[rooms][int(rng.integers(len(_PROGRAMMES[rooms])))]
    shares = {k: s * rng.uniform(0.9, 1.12) for k, s in _SHARE.items()}
    best, footprint = None, (0.0, 0.0, 0.0, 0.0)
    tolerance = min(1.0, max(_SMALLEST_SHARE, np.sqrt(area_m2 / (rooms * 13.0))))
    while best is None:
        for _ in range(_CANDIDATES):
            total = area_m2 * (_WALL_SHARE if rooms > 1 else 1.0)
            ratio = rng.uniform(1.0, 1.65)
            rect = (0.0, 0.0, float(np.sqrt(total * ratio)), float(np.sqrt(total / ratio)))
            candidate = _candidate(programme, rect, shares, tolerance, rng)
            if candidate is not None and (best is None or candidate.cost < best.cost):
                best, footprint = candidate, rect
        tolerance *= 0.8
    return best, footprint


def shared(a: Rect, b: Rect) -> tuple[Side, float, float] | None:
    """The side of a that faces b across one inner wall, with the common extent; None if they do not touch."""
    for side in SIDES:
        gap = {"south": a[1] - b[3], "north": b[1] - a[3], "west": a[0] - b[2], "east": b[0] - a[2]}[side]
        if 0 < gap < 1.5 * INNER_M[1]:
            low = max(span(a, side)[0], span(b, side)[0])
            high = min(span(a, side)[1], span(b, side)[1])
            if high > low:
                return side, low, high
    return None


def outer_sides(rect: Rect, footprint: Rect) -> list[Side]:
    """Sides of a room at which the open air is behind the wall."""
    at = {"south": 1, "north": 3, "west": 0, "east": 2}
    return [s for s in SIDES if abs(rect[at[s]] - footprint[at[s]]) < 1e-9]


def outer_walls(footprint: Rect) -> list[Wall]:
    """Four outer walls around the interior; south and north take the corners."""
    x0, y0, x1, y1 = footprint
    t = OUTER_M
    return [
        Wall("outer_wall_south", "x", (x0 - t, y0 - t, x1 + t, y0), True),
        Wall("outer_wall_north", "x", (x0 - t, y1, x1 + t, y1 + t), True),
        Wall("outer_wall_west", "y", (x0 - t, y0, x0, y1), True),
        Wall("outer_wall_east", "y", (x1, y0, x1 + t, y1), True),
    ]


def _candidate(
    programme: tuple[str, ...],
    footprint: Rect,
    shares: dict[str, float],
    tolerance: float,
    rng: np.random.Generator,
) -> Division | None:
    out = Division()
    _split(footprint, list(rng.permutation(programme)), shares, out, rng)
    for kind, rect in zip(out.kinds, out.rects, strict=True):
        width, length = sorted((rect[2] - rect[0], rect[3] - rect[1]))
        narrowest = _NARROWEST.get(kind, 2.6)
        if width < narrowest * tolerance:
            return None
        longest = 4.5 if kind == "hall" else 1.6
        out.cost += 4.0 * max(0.0, length / width - longest) + 2.0 * max(0.0, narrowest - width)
        if kind == "hall":
            out.cost += 2.0 * max(0.0, width - 2.2)
        sides = outer_sides(rect, footprint)
        if kind not in ("hall", "bathroom") and not sides:
            return None
        out.cost -= 0.4 * (kind in ("living_room", "bathroom")) * min(len(sides), 2)
    out.cost += float(rng.uniform(0.0, 0.5))
    return out if _connect(out) else None


def _split(
    rect: Rect, kinds: list[str], shares: dict[str, float], out: Division, rng: np.random.Generator
) -> None:
    if len(kinds) == 1:
        out.kinds.append(str(kinds[0]))
        out.rects.append(rect)
        return
    cut = int(rng.integers(1, len(kinds)))
    first = sum(shares[k] for k in kinds[:cut])
    fraction = first / (first + sum(shares[k] for k in kinds[cut:]))
    x0, y0, x1, y1 = rect
    wide = x1 - x0 > y1 - y0
    thickness = float(rng.choice(INNER_M))
    if wide == (rng.random() < 0.85):
        x = x0 + fraction * (x1 - x0 - thickness)
        parts = (x0, y0, x, y1), (x + thickness, y0, x1, y1)
        out.walls.append(("y", (x, y0, x + thickness, y1)))
    else:
        y = y0 + fraction * (y1 - y0 - thickness)
        parts = (x0, y0, x1, y), (x0, y + thickness, x1, y1)
        out.walls.append(("x", (x0, y, x1, y + thickness)))
    _split(parts[0], kinds[:cut], shares, out, rng)
    _split(parts[1], kinds[cut:], shares, out, rng)


def door_cost(a: str, b: str) -> float:
    """How unusual a door between two kinds of rooms is; 0 is what everybody has."""
    alike = {"living_kitchen": "living_room", "studio": "living_room"}
    return _DOOR_COST.get(frozenset((alike.get(a, a), alike.get(b, b))), 8.0)


def is_wide(a: str, b: str) -> bool:
    """True if the two rooms open into each other without a leaf."""
    return a in _WIDE and b in _WIDE


def _connect(out: Division) -> bool:
    """Chooses the doors: the cheapest spanning tree, then loops between the rooms that all share."""
    edges = []
    for a, b in combinations(range(len(out.kinds)), 2):
        touching = shared(out.rects[a], out.rects[b])
        if touching and touching[2] - touching[1] >= _DOOR_SPACE_M:
            edges.append((door_cost(out.kinds[a], out.kinds[b]), a, b))
    group = list(range(len(out.kinds)))
    for cost, a, b in sorted(edges):
        joins = group[a] != group[b]
        if joins or is_wide(out.kinds[a], out.kinds[b]):
            out.doors.append((a, b))
            out.cost += cost if joins else -0.6
            group = [group[a] if g == group[b] else g for g in group]
    for i, kind in enumerate(out.kinds):
        if kind in _DEAD_ENDS:
            out.cost += 3.0 * max(0, sum(i in pair for pair in out.doors) - 1)
    return len(set(group)) == 1
