"""Furnishing rules: living rooms, dining places, studies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from veridical.worlds.apartment.setting import Item, Setting, moved, pose

_TV_DISTANCE_M = (2.3, 3.4)
_KNEES_M = 0.42  # between sofa and coffee table
_CHAIR_TUCK_M = 0.16


def sitting_area(s: Setting) -> bool:
    """A television with a sofa that faces it, a coffee table on a rug, armchairs, a lamp."""
    for scale in (1.0, 0.8):
        stand, tv = s.make("tv_stand", width=float(s.rng.uniform(1.3, 1.9)) * scale), s.make("tv")
        sofa, table = s.make("sofa", width=float(s.rng.uniform(1.75, 2.35)) * scale), s.make("coffee_table")
        near, far = _TV_DISTANCE_M

        def options() -> Iterator[list[Item]]:
            for side, along in s.slots(max(stand.size[1], sofa.size[1] * 0.9)):  # noqa: B023
                T = s.on_wall(stand, side, along)  # noqa: B023
                half = (stand.size[0] + sofa.size[0]) / 2  # noqa: B023
                rear = s.depth(side) - half - 0.04 - stand.size[0] / 2 - sofa.size[0] / 2 + half  # noqa: B023
                apart = float(s.rng.uniform(near, far)) + half
                apart = rear if rear - half < far + 0.3 else apart
                T_sofa = moved(T, x=apart, yaw_rad=np.pi)
                T_table = moved(T_sofa, x=(sofa.size[0] + table.size[0]) / 2 + _KNEES_M, yaw_rad=np.pi)  # noqa: B023
                yield [
                    Item("tv_stand", stand, T),  # noqa: B023
                    Item("tv", tv, moved(T, z=stand.size[2] + 0.001)),  # noqa: B023
                    Item("sofa", sofa, T_sofa),  # noqa: B023
                    Item("coffee_table", table, T_table),  # noqa: B023
                ]

        def cost(items: Sequence[Item]) -> float:
            centre = np.array([s.room.rect[0] + s.room.rect[2], s.room.rect[1] + s.room.rect[3]]) / 2
            middle = (items[0].T[:2, 3] + items[2].T[:2, 3]) / 2
            return float(np.linalg.norm(middle - centre)) * 0.5 + float(s.rng.uniform(0, 1.0))

        placed = s.put_best(options(), cost)
        if placed is not None:
            _around_sofa(s, placed[2], placed[3])
            return True
    return False


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
    for seats in (n for n in (6, 4, 2) if n <= largest):
        width = {6: float(s.rng.uniform(1.6, 1.9)), 4: float(s.rng.uniform(1.15, 1.4)), 2: 0.8}[seats]
        table = s.make(
            "dining_table", width=width, depth=0.75 if seats == 2 else float(s.rng.uniform(0.8, 0.95))
        )
        chair = s.make("chair")
        x0, y0, x1, y1 = s.room.rect

        def options() -> Iterator[list[Item]]:
            for _ in range(250):
                yaw = float(s.rng.choice([0.0, np.pi / 2]))
                x, y = float(s.rng.uniform(x0 + 0.4, x1 - 0.4)), float(s.rng.uniform(y0 + 0.4, y1 - 0.4))  # noqa: B023
                T = pose(x, y, yaw)
                chairs = _chairs(s, T, table.size, chair.size[0], seats)  # noqa: B023
                yield [
                    Item("dining_table", table, T),  # noqa: B023
                    *(Item("chair", chair, C, tucked=_CHAIR_TUCK_M + 0.01) for C in chairs),  # noqa: B023
                ]

        def cost(items: Sequence[Item]) -> float:
            p = items[0].T[:2, 3]
            windows = [np.linalg.norm(p - _middle(s, side, hole)) for side, hole in s.windows()]
            return 0.4 * float(min(windows, default=0.0)) + float(s.rng.uniform(0, 0.6))

        placed = s.put_best(options(), cost)
        if placed is not None:
            lamp = s.make("pendant_lamp", drop=s.room.height - 1.95)
            T = placed[0].T.copy()
            T[2, 3] = s.room.height - lamp.size[2]
            s.put([Item("pendant_lamp", lamp, T)], check=False)
            return True
    return False


def _chairs(
    s: Setting,
    T: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    table: tuple[float, float, float],
    deep: float,
    seats: int,
) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
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


def _middle(s: Setting, side: object, hole: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    wall = s.plan.walls[hole.wall]  # type: ignore[attr-defined]
    along, across = (hole.start + hole.end) / 2, sum(wall.across) / 2  # type: ignore[attr-defined]
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
        windows = [np.linalg.norm(p - _middle(s, side, hole)) for side, hole in s.windows()]
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


def sideboard(s: Setting) -> None:
    """A cabinet at a wall."""
    s.stand("cabinet", s.make("cabinet", style=s.cabinet_style))
