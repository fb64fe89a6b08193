"""Furnishing rules: living rooms, dining places, studies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from veridical.assets.thing import Thing
from veridical.core.geometry import Array
from veridical.worlds.apartment.plan import Opening
from veridical.worlds.apartment.setting import Item, Setting, moved, pose
from veridical.worlds.apartment.space import overlap, solid

_TV_DISTANCE_M = (2.3, 3.4)
_KNEES_M = 0.42  # between sofa and coffee table
_CHAIR_TUCK_M = 0.16


def sitting_area(s: Setting) -> bool:
    """A television with a sofa that faces it, a coffee table on a rug, armchairs, a lamp."""

    def cost(items: Sequence[Item]) -> float:
        centre = np.array([s.room.rect[0] + s.room.rect[2], s.room.rect[1] + s.room.rect[3]]) / 2
        middle = (items[0].T[:2, 3] + items[2].T[:2, 3]) / 2
        return float(np.linalg.norm(middle - centre)) * 0.5 + float(s.rng.uniform(0, 1.0))

    tv, table = s.make("tv"), s.make("coffee_table")
    for scale in (1.0, 0.8):
        stand = s.make("tv_stand", width=float(s.rng.uniform(1.3, 1.9)) * scale)
        sofa = s.make("sofa", width=float(s.rng.uniform(1.75, 2.35)) * scale)
        placed = s.put_best(_facing_television(s, stand, tv, sofa, table), cost)
        if placed is not None:
            _around_sofa(s, placed[2], placed[3])
            return True
    return False


def _facing_television(
    s: Setting, stand: Thing, tv: Thing, sofa: Thing, table: Thing
) -> Iterator[list[Item]]:
    """Television at a wall; the sofa at the opposite one if that is near enough, else free in the room."""
    half = (stand.size[0] + sofa.size[0]) / 2
    for side, along in s.slots(max(stand.size[1], sofa.size[1] * 0.9)):
        T = s.on_wall(stand, side, along)
        apart = float(s.rng.uniform(*_TV_DISTANCE_M)) + half
        opposite = s.depth(side) - half - 0.04
        if opposite - half < _TV_DISTANCE_M[1] + 0.3:
            apart = opposite
        T_sofa = moved(T, x=apart, yaw_rad=np.pi)
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
    for _ in range(250):
        yaw = float(s.rng.choice([0.0, np.pi / 2]))
        T = pose(float(s.rng.uniform(x0 + 0.4, x1 - 0.4)), float(s.rng.uniform(y0 + 0.4, y1 - 0.4)), yaw)
        chairs = _chairs(s, T, table.size, chair.size[0], seats)
        yield [
            Item("dining_table", table, T),
            *(Item("chair", chair, C, tucked=_CHAIR_TUCK_M + 0.01) for C in chairs),
        ]


def _rug_below(s: Setting, table: Item) -> None:
    rug = s.make("rug", width=table.thing.size[1] + 0.9, depth=table.thing.size[0] + 1.3)
    item = Item("rug", rug, table.T, soft=True)
    others = [solid(i.thing, i.T) for i in s.items if i.kind == "rug"]
    if s.inside(item, 0.03) and not any(overlap(solid(rug, item.T), o) for o in others):
        s.put([item], check=False)


def _chairs(
    s: Setting,
    T: Array,
    table: tuple[float, float, float],
    deep: float,
    seats: int,
) -> list[Array]:
    """Chairs at the long sides (those that face along the table's x)."""
    each = max(1, seats // 2)
    out = []
    for sign in (1.0, -1.0):
        for k in range(each):
            y = table[1] * ((k + 0.5) / each - 0.5)
            x = sign * (table[0] / 2 + deep / 2 - _CHAIR_TUCK_M)
            yaw = (np.pi if sign > 0 else 0.0) + float(s.rng.normal(0, 0.05))
            out.append(moved(T, x=x, y=y, yaw_rad=yaw))
    return out


def _middle(s: Setting, hole: Opening) -> Array:
    wall = s.plan.walls[hole.wall]
    along, across = (hole.start + hole.end) / 2, sum(wall.across) / 2
    return np.array([along, across] if wall.axis == "x" else [across, along])


def work_place(s: Setting) -> bool:
    """A desk with chair, monitor and keyboard, by the window where it fits."""
    desk, chair = s.make("desk"), s.make("office_chair")
    tuck = 0.12

    def options() -> Iterator[list[Item]]:
        for side, along in s.slots(desk.size[1]):
            T = s.on_wall(desk, side, along)
            x = (desk.size[0] + chair.size[0]) / 2 - tuck
            C = moved(T, x=x, y=float(s.rng.uniform(-0.1, 0.1)), yaw_rad=np.pi + float(s.rng.normal(0, 0.25)))
            yield [Item("desk", desk, T), Item("office_chair", chair, C, tucked=tuck + 0.05)]

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
