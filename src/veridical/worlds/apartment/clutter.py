"""Small loose things: on tops, on window sills and on the floor."""

from __future__ import annotations

from itertools import chain

import numpy as np

from veridical.assets.thing import Thing, TopSurface
from veridical.core.geometry import Array
from veridical.worlds.apartment.setting import Item, Setting, moved, pose
from veridical.worlds.apartment.space import Solid, overlap, solid

DROP_M = 0.001
"""Height above its support at which a loose thing is set down."""

_BETWEEN_M = 0.012
_TRIES = 14
_FLOOR_TRIES = 40
_FLOOR_NEAR_M = 0.2

_ON: dict[str, tuple[str, ...]] = {
    "coffee_table": (
        "magazine",
        "book",
        "remote",
        "cup",
        "fruit_bowl",
        "candle",
        "book_stack",
        "tray",
        "vase",
    ),
    "dining_table": ("vase", "plate", "cup", "fruit_bowl", "bottle", "bowl", "candle", "fruit", "laptop"),
    "side_table": ("cup", "book", "small_plant", "candle"),
    "desk": ("book_stack", "cup", "book", "small_plant", "can", "picture_stand", "laptop", "magazine"),
    "nightstand": ("book", "cup", "candle", "picture_stand"),
    "cabinet": ("vase", "candle", "picture_stand", "book_stack", "small_plant", "box", "basket", "bowl"),
    "tv_stand": ("box", "book_stack", "basket", "vase", "remote", "candle"),
    "kitchen_base": (
        "kettle",
        "toaster",
        "cutting_board",
        "jar",
        "bottle",
        "bowl",
        "can",
        "fruit",
        "cup",
        "pan",
        "microwave",
    ),
    "sink_unit": ("cup", "soap", "bottle", "plate"),
    "bookshelf": ("box", "basket", "vase", "box"),
    "wardrobe": ("box", "box", "basket"),
    "fridge": ("box", "basket"),
    "washing_machine": ("basket", "bottle", "box"),
    "bench": ("cushion", "basket", "box"),
    "wall_shelf": ("candle",),
}
_DENSITY = {
    "kitchen_base": 3.5,
    "coffee_table": 5.0,
    "desk": 3.0,
    "nightstand": 6.0,
    "side_table": 7.0,
    "wardrobe": 1.5,
}
_USUAL_DENSITY = 3.2  # things a square metre
_MOST = 6

_ON_FLOOR: dict[str, tuple[str, ...]] = {
    "living_room": ("toy_car", "ball", "toy_blocks", "basket", "pouf", "book_stack"),
    "living_kitchen": ("toy_car", "ball", "basket", "pouf"),
    "studio": ("basket", "ball", "shoe"),
    "bedroom": ("basket", "shoe", "toy_blocks", "ball", "box", "pouf"),
    "study": ("bin", "box", "book_stack", "basket"),
    "kitchen": ("bin", "basket", "box"),
    "hall": ("shoe", "basket", "ball"),
    "dining_room": ("basket",),
}


def on_tops(s: Setting, amount: float) -> None:
    """Fills the tops of what stands in the room.

    Args:
        s: The room.
        amount: 1 is a lived-in home.
    """
    for base in list(s.items):
        kinds = _ON.get(base.kind)
        if kinds is None:
            continue
        standing = [solid(i.thing, i.T) for i in s.items if _near(i, base)]
        for top in base.thing.tops:
            area = 4 * top.half_x * top.half_y
            mean = amount * area * _DENSITY.get(base.kind, _USUAL_DENSITY)
            for _ in range(min(int(s.rng.poisson(mean)), _MOST)):
                _set_down(s, base.T, top, kinds, standing)


def on_sills(s: Setting, sills: list[tuple[Array, TopSurface]], amount: float) -> None:
    """Plants and vases on window sills: pose of the sill, and its top in that frame."""
    standing: list[Solid] = []
    for T, top in sills:
        for _ in range(int(s.rng.poisson(amount * 1.6 * top.half_y))):
            _set_down(s, T, top, ("small_plant", "small_plant", "vase", "candle"), standing)


def on_floor(s: Setting, amount: float) -> None:
    """Toys, shoes, baskets and boxes where nobody has to walk over them."""
    kinds = _ON_FLOOR.get(s.kind, ())
    rugs = [solid(i.thing, i.T) for i in s.items if i.kind == "rug"]
    x0, y0, x1, y1 = s.room.rect
    for _ in range(int(s.rng.poisson(amount * 0.2 * s.area)) if kinds else 0):
        kind = kinds[int(s.rng.integers(len(kinds)))]
        thing = s.make(kind)
        reach = float(np.hypot(*thing.size[:2])) / 2 + 0.03
        for _ in range(_FLOOR_TRIES):
            T = pose(
                float(s.rng.uniform(x0 + reach, x1 - reach)),
                float(s.rng.uniform(y0 + reach, y1 - reach)),
                float(s.rng.uniform(-np.pi, np.pi)),
                DROP_M,
            )
            item = Item(kind, thing, T)
            if any(overlap(solid(thing, T), _grown(r, 0.02)) for r in rugs):
                continue
            if s.space.distance_to_taken(T[:2, 3]) < reach + _FLOOR_NEAR_M and s.put([item]):
                break


def _set_down(
    s: Setting, T_base: Array, top: TopSurface, kinds: tuple[str, ...], standing: list[Solid]
) -> bool:
    kind = kinds[int(s.rng.integers(len(kinds)))]
    thing = s.make(kind)
    if thing.size[2] > top.headroom - 0.01:
        return False
    for _ in range(_TRIES):
        yaw = float(s.rng.uniform(-np.pi, np.pi)) if kind not in _FACING else float(s.rng.normal(0, 0.2))
        half = _half_extent(thing, yaw)
        free = np.array([top.half_x, top.half_y]) - half
        if (free < 0).any():
            continue
        x, y = s.rng.uniform(-free, free)
        cx, cy, cz = top.center
        T = moved(T_base, cx + float(x), cy + float(y), cz + DROP_M, yaw)
        box = _grown(solid(thing, T), _BETWEEN_M)
        if not any(overlap(box, other) for other in standing):
            standing.append(solid(thing, T))
            s.put([Item(kind, thing, T)], check=False)
            return True
    return False


_FACING = (
    "laptop",
    "picture_stand",
    "toaster",
    "microwave",
    "kettle",
    "remote",
    "box",
    "book_stack",
    "magazine",
)


def _half_extent(thing: Thing, yaw: float) -> Array:
    c, s = abs(np.cos(yaw)), abs(np.sin(yaw))
    x, y = thing.size[0] / 2, thing.size[1] / 2
    return np.array([c * x + s * y, s * x + c * y])


def _grown(box: Solid, by: float) -> Solid:
    return Solid(box.center, box.axis, box.half + by, box.z)


def _near(item: Item, base: Item) -> bool:
    away = float(np.linalg.norm(item.T[:2, 3] - base.T[:2, 3]))
    reach = chain(item.thing.size[:2], base.thing.size[:2])
    return item is not base and item.kind not in ("rug", "curtain") and away < sum(reach)
