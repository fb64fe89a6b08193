"""Furniture and household things, each drawn anew from a random generator."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np

from veridical.assets.furniture import (
    bathroom,
    bedroom,
    decor,
    electronics,
    kitchen,
    lighting,
    plants,
    seating,
    small,
    storage,
    tables,
    tableware,
)
from veridical.assets.thing import Thing
from veridical.core.errors import AssetError, did_you_mean

__all__ = ["CATALOGUE", "SMALL", "build"]

_STANDING: dict[str, Callable[..., Thing]] = {
    "sofa": seating.sofa,
    "armchair": seating.armchair,
    "chair": seating.chair,
    "office_chair": seating.office_chair,
    "bench": seating.bench,
    "stool": seating.stool,
    "pouf": seating.pouf,
    "coffee_table": tables.coffee_table,
    "dining_table": tables.dining_table,
    "side_table": tables.side_table,
    "desk": storage.desk,
    "bed": bedroom.bed,
    "nightstand": storage.nightstand,
    "wardrobe": storage.wardrobe,
    "cabinet": storage.cabinet,
    "chest": storage.chest,
    "bookshelf": storage.bookshelf,
    "tv_stand": storage.tv_stand,
    "wall_shelf": storage.wall_shelf,
    "kitchen_base": kitchen.kitchen_base,
    "kitchen_wall": kitchen.kitchen_wall,
    "sink_unit": kitchen.sink_unit,
    "stove": kitchen.stove,
    "fridge": kitchen.fridge,
    "extractor_hood": kitchen.extractor_hood,
    "washing_machine": kitchen.washing_machine,
    "toilet": bathroom.toilet,
    "washbasin": bathroom.washbasin,
    "bathtub": bathroom.bathtub,
    "towel_rail": bathroom.towel_rail,
    "floor_lamp": lighting.floor_lamp,
    "table_lamp": lighting.table_lamp,
    "pendant_lamp": lighting.pendant_lamp,
    "ceiling_lamp": lighting.ceiling_lamp,
    "rug": decor.rug,
    "curtain": decor.curtain,
    "picture": decor.picture,
    "mirror": decor.mirror,
    "clock": decor.clock,
    "radiator": decor.radiator,
    "coat_rack": decor.coat_rack,
    "plant": plants.plant,
    "tv": electronics.tv,
    "monitor": electronics.monitor,
}

_LIGHT: dict[str, Callable[..., Thing]] = {
    "cup": tableware.cup,
    "bowl": tableware.bowl,
    "plate": tableware.plate,
    "bottle": tableware.bottle,
    "can": tableware.can,
    "jar": tableware.jar,
    "fruit": tableware.fruit,
    "fruit_bowl": tableware.fruit_bowl,
    "pan": tableware.pan,
    "kettle": tableware.kettle,
    "toaster": tableware.toaster,
    "cutting_board": tableware.cutting_board,
    "microwave": kitchen.microwave,
    "tray": decor.tray,
    "vase": small.vase,
    "box": small.carton,
    "ball": small.ball,
    "book": small.book,
    "book_stack": small.book_stack,
    "magazine": small.magazine,
    "toy_blocks": small.toy_blocks,
    "toy_car": small.toy_car,
    "cushion": small.cushion,
    "basket": small.basket,
    "shoe": small.shoe,
    "bin": small.paper_bin,
    "candle": small.candle,
    "picture_stand": small.picture_stand,
    "soap": small.soap,
    "small_plant": plants.small_plant,
    "remote": electronics.remote,
    "laptop": electronics.laptop,
    "keyboard": electronics.keyboard,
    "mouse": electronics.mouse,
}

CATALOGUE: dict[str, Callable[..., Thing]] = {**_STANDING, **_LIGHT}
"""Kind to its maker `(rng, **options) -> Thing`. Lengths are metres: width along y, depth along x.

Things that hang on a wall or from a ceiling have z = 0 at their lowest point and, on a wall, their back
at the lowest x. `style` numbers make cabinet work match: give all kitchen units the same one.
"""

SMALL: tuple[str, ...] = tuple(_LIGHT)
"""Kinds that are light, loose bodies with a mass."""


def build(kind: str, rng: np.random.Generator, **options: float | int | None) -> Thing:
    """Makes a thing of a kind in `CATALOGUE`; equal generators make equal things.

    Raises:
        AssetError: If the kind, or an option for it, is not known.
    """
    if kind not in CATALOGUE:
        known = ", ".join(sorted(CATALOGUE))
        raise AssetError(f"Furniture '{kind}' is unknown.{did_you_mean(kind, CATALOGUE)} Known: {known}.")
    make = CATALOGUE[kind]
    allowed = [name for name in inspect.signature(make).parameters if name != "rng"]
    for name in options:
        if name not in allowed:
            said = ", ".join(allowed) or "none"
            raise AssetError(
                f"A {kind} has no option '{name}'.{did_you_mean(name, allowed)} Options: {said}."
            )
    return make(rng, **options)
