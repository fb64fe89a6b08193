"""Furnishing rules: living rooms, dining places, studies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from veridical.assets.thing import Thing
from veridical.core.geometry import Array
from veridical.worlds.apartment.plan import Opening
from veridical.worlds.apartment.setting import Item, Setting, moved, pose
from veridical.worlds.apartment.space import overlap, solid
from veridical.worlds.apartment.tucking import chairs_at, tucked

_TV_DISTANCE_M = (2.3, 3.4)
_ASIDE_M = (0.0, 0.0, -0.3, 0.3, -0.55, 0.55)  # of the sofa from the television's axis
_VARIANTS = 8  # of a sitting area at each place of the television
_KNEES_M = 0.42  # between sofa and coffee table
_CHAIR_TUCK_M = 0.16
_DESK_TUCK_M = 0.14


def sitting_area(s: Setting) -> bool:
    """A television with a sofa that faces it, a coffee table on a rug, armchairs, a lamp."""

    def cost(items: Sequence[Item]) -> float:
        centre = np.array([s.room.rect[0] + s.room.rect[2], s.room.rect[1] + s.room.rect[3]]) / 2
        middle = (items[0].T[:2, 3] + items[2].T[:2, 3]) / 2
        return float(np.linalg.norm(middle - centre)) * 0.5 + float(s.rng.uniform(0, 1.0))

    tv, table = s.make("tv"), s.make("coffee_table")
    for scale in (1.0, 0.8, 0.65):
        stand = s.make("tv_stand", width=float(s.rng.uniform(1.3, 1.9)) * scale)
        sofa = s.make("sofa", width=float(s.rng.uniform(1.75, 2.35)) * scale)
        placed = s.put_best(_facing_television(s, stand, tv, sofa, table), cost)
        if placed is not None:
            _around_sofa(s, placed[2], placed[3])
            return True
    return _sitting_along_walls(s, stand, tv, sofa)


def _sitting_along_walls(s: Setting, stand: Thing, tv: Thing, sofa: Thing) -> bool:
    """For rooms with no place for a sofa before the television: each at a wall, as near to it as it gets."""
    seat = s.stand("sofa", sofa, corner=0.3)
    if seat is None:
        return False

    def cost(items: Sequence[Item]) -> float:
        to = items[0].T[:2, 3] - seat.T[:2, 3]
        return float(abs(np.arctan2(*(seat.T[:2, :2].T @ to)[::-1]))) + 0.1 * float(np.linalg.norm(to))

    def options() -> Iterator[list[Item]]:
        for side, along in s.slots(stand.size[1]):
            T = s.on_wall(stand, side, along)
            yield [Item("tv_stand", stand, T), Item("tv", tv, moved(T, z=stand.size[2] + 0.001))]

    s.put_best(options(), cost)
    return True


def _facing_television(
    s: Setting, stand: Thing, tv: Thing, sofa: Thing, table: Thing
) -> Iterator[list[Item]]:
    """Television at a wall; the sofa at the opposite one if that is near enough, else free in the room."""
    half = (stand.size[0] + sofa.size[0]) / 2
    for _ in range(_VARIANTS):
        for side, along in s.slots(max(stand.size[1], tv.size[1])):
            T = s.on_wall(stand, side, along)
            apart = float(s.rng.uniform(*_TV_DISTANCE_M)) + half
            opposite = s.depth(side) - half - 0.04
            if opposite - half < _TV_DISTANCE_M[1] + 0.3:
                apart = opposite
            T_sofa = moved(T, x=apart, y=float(s.rng.choice(_ASIDE_M)), yaw_rad=np.pi)
            T_table = moved(T_sofa, x=(sofa.size[0] + table.size[0]) / 2 + _KNEES_M, yaw_rad=np.pi)
            yield [
                Item("tv_stand", stand, T),
                Item("tv", tv, moved(T, z=stand.size[2] + 0.001)),
                Item("sofa", sofa, T_sofa),
                Item("coffee_table", table, T_table),
            ]


def _around_sofa(s: Setting, sofa: Item, table: Item) -> None:
    width = max(2.0, sofa.thing.size[1] + 0.3)
    rug = s.make("rug", width=width, depth=float(s.rng.uniform(1.5, 1.9)))
    s.put([Item("rug", rug, moved(table.T, z=0.0), soft=True)], check=False)
    chair = s.make("armchair")
    out = table.thing.size[1] / 2 + chair.size[0] / 2 + 0.45
    for sign in (1.0, -1.0):
        if s.chance(0.75):
            turn = -sign * np.pi / 2 + float(s.rng.uniform(-0.35, 0.35))
            s.put_extra([Item("armchair", chair, moved(table.T, y=sign * out, yaw_rad=turn))])
    beside = s.make("side_table")
    lamp = s.make("floor_lamp")
    signs = [1.0, -1.0] if s.chance(0.5) else [-1.0, 1.0]
    for kind, thing, sign in (("floor_lamp", lamp, signs[0]), ("side_table", beside, signs[1])):
        y = sign * (sofa.thing.size[1] / 2 + thing.size[1] / 2 + 0.06)
        x = -sofa.thing.size[0] / 2 + thing.size[0] / 2 + 0.05
        item = Item(kind, thing, moved(sofa.T, x=x, y=y))
        if not s.put([item]) and kind == "floor_lamp":
            s.stand("floor_lamp", thing, corner=1.0, gap=0.1)


def dining_place(s: Setting, largest: int = 6) -> bool:
    """A table with chairs, under a pendant lamp."""

    def cost(items: Sequence[Item]) -> float:
        p = items[0].T[:2, 3]
        windows = [np.linalg.norm(p - _middle(s, hole)) for _, hole in s.windows()]
        return 0.4 * float(min(windows, default=0.0)) + float(s.rng.uniform(0, 0.6))

    chair = s.make("chair")
    for seats in (n for n in (6, 4, 2) if n <= largest):
        width = {6: float(s.rng.uniform(1.6, 1.9)), 4: float(s.rng.uniform(1.15, 1.4)), 2: 0.8}[seats]
        depth = 0.75 if seats == 2 else float(s.rng.uniform(0.8, 0.95))
        table = s.make("dining_table", width=width, depth=depth)
        placed = s.put_best(_tables(s, table, chair, seats), cost)
        if placed is not None:
            lamp = s.make("pendant_lamp", drop=s.room.height - 1.95)
            T = placed[0].T.copy()
            T[2, 3] = s.room.height - lamp.size[2]
            s.put([Item("pendant_lamp", lamp, T)], check=False)
            if seats > 2 and s.chance(0.5):
                _rug_below(s, placed[0])
            return True
    return False


def _tables(s: Setting, table: Thing, chair: Thing, seats: int) -> Iterator[list[Item]]:
    x0, y0, x1, y1 = s.room.rect
    chairs = chairs_at(table, chair, seats, _CHAIR_TUCK_M, s.rng)
    for _ in range(250):
        yaw = float(s.rng.choice([0.0, np.pi / 2]))
        T = pose(float(s.rng.uniform(x0 + 0.4, x1 - 0.4)), float(s.rng.uniform(y0 + 0.4, y1 - 0.4)), yaw)
        yield [Item("dining_table", table, T), *(Item("chair", chair, T @ C) for C in chairs)]


def _rug_below(s: Setting, table: Item) -> None:
    rug = s.make("rug", width=table.thing.size[1] + 0.9, depth=table.thing.size[0] + 1.3)
    item = Item("rug", rug, table.T, soft=True)
    others = [solid(i.thing, i.T) for i in s.items if i.kind == "rug"]
    if s.inside(item, 0.03) and not any(overlap(solid(rug, item.T), o) for o in others):
        s.put([item], check=False)


def _middle(s: Setting, hole: Opening) -> Array:
    wall = s.plan.walls[hole.wall]
    along, across = (hole.start + hole.end) / 2, sum(wall.across) / 2
    return np.array([along, across] if wall.axis == "x" else [across, along])


def work_place(s: Setting) -> bool:
    """A desk with chair, monitor and keyboard, by the window where it fits."""
    desk, chair = s.make("desk"), s.make("office_chair")
    seat = _seat_at(s, desk, chair)

    def options() -> Iterator[list[Item]]:
        for side, along in s.slots(desk.size[1]):
            T = s.on_wall(desk, side, along)
            yield [Item("desk", desk, T), Item("office_chair", chair, T @ seat)]

    def cost(items: Sequence[Item]) -> float:
        p = items[0].T[:2, 3]
        windows = [np.linalg.norm(p - _middle(s, hole)) for _, hole in s.windows()]
        return 0.5 * float(min(windows, default=0.0)) + float(s.rng.uniform(0, 0.8))

    placed = s.put_best(options(), cost)
    if placed is None:
        return False
    base = placed[0]
    shift = float(s.rng.uniform(-0.15, 0.15))
    s.on_top(base, "monitor", s.make("monitor"), x=-0.08, y=shift)
    s.on_top(base, "keyboard", s.make("keyboard"), x=0.13, y=shift)
    s.on_top(base, "mouse", s.make("mouse"), x=0.13, y=shift - 0.32)
    return True


def _seat_at(s: Setting, desk: Thing, chair: Thing) -> Array:
    """Pose of the chair in the desk's frame: before the space for the legs, a little turned."""
    yaw = np.pi + float(s.rng.normal(0, 0.2))
    front = (desk.size[0] + chair.size[0]) / 2
    best, deepest = moved(np.eye(4), x=front + 0.1, yaw_rad=yaw), -np.inf
    for y in s.rng.permutation(np.linspace(-0.35, 0.35, 8)):
        T, push = tucked(
            chair, moved(np.eye(4), x=front, y=float(y), yaw_rad=yaw), desk, np.eye(4), _DESK_TUCK_M
        )
        if push > deepest + 0.005:
            best, deepest = T, push
    return best


def shelves(s: Setting, count: int) -> None:
    """Bookshelves, some side by side."""
    placed = 0
    while placed < count:
        first = s.stand("bookshelf", s.make("bookshelf"), corner=0.3)
        if first is None:
            return
        placed += 1
        if placed < count and s.chance(0.6):
            other = s.make("bookshelf", height=first.thing.size[2])
            y = (first.thing.size[1] + other.size[1]) / 2 + 0.006
            for sign in (1.0, -1.0):
                if s.put([Item("bookshelf", other, moved(first.T, y=sign * y))]):
                    placed += 1
                    break


def reading_corner(s: Setting) -> None:
    """An armchair with a side table and something to put the feet on."""
    chair = s.stand("armchair", s.make("armchair"), corner=0.8, gap=0.12)
    if chair is None:
        return
    table, pouf = s.make("side_table"), s.make("pouf")
    for sign in (1.0, -1.0):
        y = sign * ((chair.thing.size[1] + table.size[1]) / 2 + 0.06)
        if s.put([Item("side_table", table, moved(chair.T, x=-0.1, y=y))]):
            break
    s.put([Item("pouf", pouf, moved(chair.T, x=chair.thing.size[0] / 2 + pouf.size[0] / 2 + 0.2))])


def sideboard(s: Setting) -> None:
    """A cabinet at a wall."""
    s.stand("cabinet", s.make("cabinet", style=s.cabinet_style))
