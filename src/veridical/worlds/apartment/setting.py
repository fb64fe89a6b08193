"""A room while it is furnished: building things in the apartment's style and finding places for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from veridical.assets.material import Rgb
from veridical.assets.thing import Thing
from veridical.core.geometry import Array, transform
from veridical.worlds.apartment.plan import INWARD, SIDES, FloorPlan, Opening, Rect, Side, span
from veridical.worlds.apartment.shell import at
from veridical.worlds.apartment.space import RoomSpace, Solid, rect_solid, solid
from veridical.worlds.apartment.style import Style

Build = Callable[..., Thing]
"""build(kind, rng, **options) -> Thing, as `veridical.assets.furniture.build`."""

_DOOR_FREE_M = 0.85
_WINDOW_FREE_M = 0.3
_STEP_M = 0.1
_TRIES = 60


@dataclass(frozen=True, eq=False)
class Item:
    """A thing at a place that is being considered.

    Attributes:
        kind: Its kind in the catalogue; names come from it.
        thing: The thing.
        T: World pose (4, 4).
        soft: It takes no space: rugs, and what lies on or under other things.
    """

    kind: str
    thing: Thing
    T: Array
    soft: bool = False


def pose(x: float, y: float, yaw_rad: float, z: float = 0.0) -> Array:
    """An upright pose (4, 4)."""
    c, s = np.cos(yaw_rad), np.sin(yaw_rad)
    return transform([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], (x, y, z))


def moved(T: Array, x: float = 0.0, y: float = 0.0, z: float = 0.0, yaw_rad: float = 0.0) -> Array:
    """A pose beside another one, given in its frame."""
    return np.asarray(T @ pose(x, y, yaw_rad, z))


def facing(side: Side) -> float:
    """Yaw of a thing that stands with its back to that side of the room."""
    x, y = INWARD[side]
    return float(np.arctan2(y, x))


class Setting:
    """One room with its taken space and what was placed so far."""

    def __init__(
        self, plan: FloorPlan, index: int, style: Style, build: Build, rng: np.random.Generator
    ) -> None:
        self.plan, self.index, self.style, self.rng = plan, index, style, rng
        self.room, self.kind = plan.rooms[index], plan.kinds[index]
        self.items: list[Item] = []
        self.kitchen_style, self.cabinet_style, self.curtain_style = style.furniture
        self._build = build
        holes = [(side, o) for side in SIDES for o in plan.openings_at(index, side)]
        doors = [(s, o) for s, o in holes if o.kind != "window"]
        keep = [rect_solid(self._before(s, o, _DOOR_FREE_M, 0.05)) for s, o in doors]
        keep += [
            rect_solid(self._before(s, o, _WINDOW_FREE_M, 0.0), (max(o.bottom, 0.1) + 0.02, o.top))
            for s, o in holes
            if o.kind == "window"
        ]
        through = [self._before(s, o, -0.5, -0.03) for s, o in doors if o.kind != "entrance"]
        self.space = RoomSpace(self.room.rect, self.room.height, through, keep)

    @property
    def area(self) -> float:
        """Floor area in m^2."""
        x0, y0, x1, y1 = self.room.rect
        return (x1 - x0) * (y1 - y0)

    def windows(self) -> list[tuple[Side, Opening]]:
        """Windows with the side of the room they are in."""
        return [(s, o) for s in SIDES for o in self.plan.openings_at(self.index, s) if o.kind == "window"]

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return bool(self.rng.random() < probability)

    def make(self, kind: str, **options: object) -> Thing:
        """A thing of the catalogue in the apartment's style."""
        return self._build(kind, self.rng, **options)

    def on_wall(self, thing: Thing, side: Side, along: float, gap: float = 0.02, z: float = 0.0) -> Array:
        """Pose with the back at a wall; `along` is the world coordinate along it."""
        x0, y0, x1, y1 = self.room.rect
        face = {"south": y0, "north": y1, "west": x0, "east": x1}[side]
        out = thing.size[0] / 2 + gap
        if side in ("south", "north"):
            return pose(along, face + INWARD[side][1] * out, facing(side), z)
        return pose(face + INWARD[side][0] * out, along, facing(side), z)

    def extent(self, side: Side) -> tuple[float, float]:
        """Extent of a side along its running direction."""
        return span(self.room.rect, side)

    def depth(self, side: Side) -> float:
        """Distance from a side to the opposite one."""
        x0, y0, x1, y1 = self.room.rect
        return y1 - y0 if side in ("south", "north") else x1 - x0

    def slots(
        self, width: float, sides: Sequence[Side] = SIDES, beside: float = 0.03
    ) -> Iterator[tuple[Side, float]]:
        """Places along walls for something of that width, in random order, corners included."""
        places: list[tuple[Side, float]] = []
        for side in sides:
            low, high = self.extent(side)
            low, high = low + width / 2 + beside, high - width / 2 - beside
            if high >= low:
                count = int((high - low) / _STEP_M) + 2
                places += [(side, float(a)) for a in np.linspace(low, high, count)]
        for i in self.rng.permutation(len(places)):
            yield places[i]

    def solids(self, items: Iterable[Item]) -> list[Solid]:
        """Boxes of the items that take space."""
        return [solid(i.thing, i.T) for i in items if not i.soft]

    def put(self, items: Sequence[Item], check: bool = True, walk: bool = True, keep: bool = True) -> bool:
        """Places items together if there is room for all of them.

        Args:
            items: What belongs together.
            check: False places them without asking.
            walk: Also ask that the corridors stay open.
            keep: Also ask that the space in front of doors and windows stays free.
        """
        solids = self.solids(items)
        if check and not self.space.fits(solids, keep):
            return False
        if check and walk and not self.space.walkable_with(solids):
            return False
        self.space.add(*solids)
        self.items += items
        return True

    def put_extra(self, items: Iterable[Item], walk: bool = True) -> None:
        """Places each item that fits, and leaves out the others."""
        for item in items:
            self.put([item], walk=walk)

    def put_best(
        self,
        options: Iterable[Sequence[Item]],
        cost: Callable[[Sequence[Item]], float] | None = None,
        tries: int = _TRIES,
    ) -> Sequence[Item] | None:
        """Places the cheapest option that fits; returns it, or None."""
        fitting: list[tuple[float, int, Sequence[Item]]] = []
        for number, items in enumerate(options):
            if number >= 40 * tries or len(fitting) >= tries:
                break
            if self.space.fits(self.solids(items)):
                fitting.append((cost(items) if cost else 0.0, number, items))
        for _, _, items in sorted(fitting, key=lambda f: f[:2])[:12]:
            if self.put(items):
                return items
        return None

    def stand(
        self, kind: str, thing: Thing, sides: Sequence[Side] = SIDES, gap: float = 0.02, corner: float = 0.0
    ) -> Item | None:
        """Places a thing with its back to a wall; `corner` above 0 draws it into corners."""

        def cost(items: Sequence[Item]) -> float:
            return corner * self.to_corner(items[0].T[:2, 3]) + float(self.rng.uniform(0, 0.5))

        options = (
            [Item(kind, thing, self.on_wall(thing, s, a, gap))] for s, a in self.slots(thing.size[1], sides)
        )
        placed = self.put_best(options, cost)
        return placed[0] if placed else None

    def hang(
        self, kind: str, thing: Thing, z: float, sides: Sequence[Side] = SIDES, near: Array | None = None
    ) -> bool:
        """Hangs a thing flat on a wall at height z of its lower edge, where nothing stands in front."""

        def cost(items: Sequence[Item]) -> float:
            away = 0.0 if near is None else float(np.linalg.norm(items[0].T[:2, 3] - near))
            return away + float(self.rng.uniform(0, 0.3))

        def options() -> Iterator[list[Item]]:
            for side, along in self.slots(thing.size[1], sides, 0.15):
                if self._wall_is_whole(side, along, thing.size[1] / 2 + 0.1):
                    yield [Item(kind, thing, self.on_wall(thing, side, along, 0.003, z))]

        return self.put_best(options(), cost) is not None

    def inside(self, item: Item, margin: float = 0.0) -> bool:
        """True if the footprint lies in the room, that far from the walls."""
        x0, y0, x1, y1 = self.room.rect
        c = solid(item.thing, item.T).corners()
        low, high = c.min(axis=0), c.max(axis=0)
        return bool((low >= [x0 + margin, y0 + margin]).all() and (high <= [x1 - margin, y1 - margin]).all())

    def at_wall(self, T: Array, near: float) -> bool:
        """True if a pose lies at a wall that has no opening there."""
        x0, y0, x1, y1 = self.room.rect
        x, y = float(T[0, 3]), float(T[1, 3])
        away = {"south": y - y0, "north": y1 - y, "west": x - x0, "east": x1 - x}
        for side in SIDES:
            along = x if side in ("south", "north") else y
            if -0.001 <= away[side] < near and self._wall_is_whole(side, along, 0.4):
                return True
        return False

    def to_corner(self, point: Array) -> float:
        """Distance to the nearest corner of the room, metres."""
        x0, y0, x1, y1 = self.room.rect
        return float(np.hypot(min(point[0] - x0, x1 - point[0]), min(point[1] - y0, y1 - point[1])))

    def on_top(
        self, base: Item, kind: str, thing: Thing, x: float = 0.0, y: float = 0.0, yaw: float = 0.0
    ) -> None:
        """Stands a thing on the highest top of another; x, y from the top's middle."""
        if not base.thing.tops:
            return
        top = max(base.thing.tops, key=lambda t: t.center[2])
        cx, cy, cz = top.center
        item = Item(kind, thing, moved(base.T, cx + x, cy + y, cz + 0.001, yaw))
        self.put([item], check=False)

    def _wall_is_whole(self, side: Side, along: float, half: float) -> bool:
        holes = self.plan.openings_at(self.index, side)
        return not any(along - half < o.end and along + half > o.start for o in holes)

    def _before(self, side: Side, hole: Opening, deep: float, beside: float) -> Rect:
        """A rectangle on the room's floor in front of an opening; behind its face for negative depth."""
        wall = self.plan.walls[self.plan.wall_of(self.index, side)]
        across = wall.across[0 if side in ("north", "east") else 1]
        sign = -1.0 if side in ("north", "east") else 1.0
        a = at(wall, hole.start - beside, across, 0.0)
        b = at(wall, hole.end + beside, across + sign * deep, 0.0)
        lo, hi = np.minimum(a, b), np.maximum(a, b)
        return float(lo[0]), float(lo[1]), float(hi[0]), float(hi[1])


def recoloured(thing: Thing, style: Style, rng: np.random.Generator) -> Thing:
    """The thing with its woods and cloths exchanged for those of the apartment."""
    colours: dict[Rgb, Rgb] = {}
    first = int(rng.integers(len(style.fabrics)))
    parts = []
    for part in thing.parts:
        finish = part.finish
        if finish.kind in _WOODS:
            finish = style.woods[_WOODS[finish.kind]]
        elif finish.kind in _CLOTHS and finish.tint is not None and max(finish.tint) < _PALE:
            if finish.tint not in colours:
                colours[finish.tint] = style.fabrics[(first + len(colours)) % len(style.fabrics)]
            finish = replace(finish, tint=colours[finish.tint])
        parts.append(replace(part, finish=finish))
    return replace(thing, parts=tuple(parts))


_WOODS = {"oak": 0, "pine": 0, "walnut": 1}
_PALE = 0.6  # bed linen and lamp linings keep their white
_CLOTHS = ("fabric", "weave", "plaid", "stripes", "linen", "velvet")
