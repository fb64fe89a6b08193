"""The style of an apartment: which finishes and colours go together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from veridical.assets.material import Rgb
from veridical.assets.thing import Finish


def linear(code: str) -> Rgb:
    """Linear RGB of an sRGB hex code such as `d8cdb9` (IEC 61966-2-1)."""
    c = np.array([int(code[i : i + 2], 16) for i in (0, 2, 4)]) / 255
    r, g, b = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return round(float(r), 4), round(float(g), 4), round(float(b), 4)


@dataclass(frozen=True)
class _Palette:
    walls: tuple[str, ...]  # hex colours of quiet walls
    accents: tuple[tuple[str, str], ...]  # kind and colour of one wall in a room; '' keeps the kind's own
    floors: tuple[str, ...]  # of living rooms
    wet: tuple[tuple[str, str], ...]  # floors of kitchen and bathroom
    tiles: tuple[str, ...]  # wall tiles
    joinery: str
    frames: str
    woods: tuple[str, ...]
    fabrics: tuple[str, ...]
    metal: str


_PALETTES: dict[str, _Palette] = {
    "nordic": _Palette(
        ("ece7dd", "e3e2da", "d9ddd3"),
        (("paint", "93a594"), ("wallpaper", "c3cbbf"), ("plaster", "b9c4c6")),
        ("oak", "parquet"),
        (("tiles", "b9b6ae"), ("terrazzo", "")),
        ("e6e6e0", "b8c6c2"),
        "efece5",
        "f0eee8",
        ("oak", "pine"),
        ("5f7d90", "cfc3ad", "c08f35", "8d9b86", "a9aaa6"),
        "brushed_metal",
    ),
    "mid_century": _Palette(
        ("e9dfcc", "e2d8c2", "d6d3c0"),
        (("paint", "3f6d69"), ("wallpaper", "cdb17a"), ("paint", "b8643a")),
        ("parquet", "walnut"),
        (("tiles", "c9b99b"), ("terrazzo", "")),
        ("d8d4c4", "5f8d87"),
        "e8e0cf",
        "dfd6c4",
        ("walnut", "oak"),
        ("a9502b", "3b6663", "75743f", "c9a35a", "d9cdb6"),
        "brass",
    ),
    "loft": _Palette(
        ("dedad3", "d3d1cc", "c9c8c4"),
        (("brick", ""), ("concrete", ""), ("brick", "")),
        ("parquet", "oak"),
        (("concrete", ""), ("tiles", "6d6f70")),
        ("d9d9d6", "4c5256"),
        "e3e1dc",
        "3a3d40",
        ("walnut", "pine"),
        ("8a5632", "4a4c50", "35586a", "b3ab9c", "6f3d2f"),
        "painted_metal",
    ),
    "mediterranean": _Palette(
        ("efe3cb", "ecd9b9", "e6e0d2"),
        (("plaster", "c4815b"), ("plaster", "d5a767"), ("wallpaper", "9fb4b8")),
        ("tiles", "laminate"),
        (("tiles", "b98760"), ("tiles", "cdbfa6")),
        ("e9e2d0", "4e7d9a"),
        "f1e9da",
        "e9e0cd",
        ("pine", "oak"),
        ("3d678a", "e0d5c0", "c2893d", "a65a3e", "7f9490"),
        "brass",
    ),
    "classic": _Palette(
        ("d9d6c8", "cdd4d3", "e3dccb"),
        (("wallpaper", "a9b7a6"), ("wallpaper", "b8a58c"), ("wallpaper", "8fa1b0")),
        ("parquet", "walnut"),
        (("tiles", "d9d5cc"), ("marble", "")),
        ("e8e4da", "9cae9e"),
        "efeae0",
        "f0ebe2",
        ("walnut", "oak"),
        ("73303a", "d6c8ac", "3f5a48", "8a7a5d", "44566f"),
        "brass",
    ),
    "fresh": _Palette(
        ("efebe5", "e6e4e4", "e9ded8"),
        (("paint", "cf9c8e"), ("wallpaper", "d9c3b8"), ("paint", "7f95a8")),
        ("laminate", "oak"),
        (("tiles", "c4c6c6"), ("terrazzo", "")),
        ("e9e6e4", "d2aaa0"),
        "f2efeb",
        "f3f1ee",
        ("oak", "painted_wood"),
        ("c48a80", "7d8791", "33486a", "d8cfc4", "9aa88f"),
        "brushed_metal",
    ),
}

_PATTERNS = 3
"""Patterns a kind; few, so that painted textures are used again by other apartments."""


@dataclass(frozen=True)
class Style:
    """Finishes of one apartment.

    Attributes:
        name: Of the palette.
        quiet: Wall finish of a room, by room index.
        accent: Finish of the accent wall of a room, by room index; None where it has none.
        floor: By room index.
        tiles: Wall tiles of bathrooms and splashbacks.
        ceiling: Of all rooms.
        joinery: Skirting, linings, architraves.
        leaf: Door leaves.
        frame: Window frames.
        metal: Handles.
        woods: Finishes of wooden furniture.
        fabrics: Colours of upholstery and textiles, linear RGB.
        panelled: True if door leaves have panels.
        lined: True if passages have linings.
        furniture: Style numbers of kitchen units, cabinets and curtains, for the furniture catalogue.
    """

    name: str
    quiet: tuple[Finish, ...]
    accent: tuple[Finish | None, ...]
    floor: tuple[Finish, ...]
    tiles: Finish
    ceiling: Finish
    joinery: Finish
    leaf: Finish
    frame: Finish
    metal: Finish
    woods: tuple[Finish, ...]
    fabrics: tuple[Rgb, ...]
    panelled: bool
    lined: bool
    furniture: tuple[int, int, int]


def draw_style(kinds: tuple[str, ...], rng: np.random.Generator) -> Style:
    """A style for rooms of the given kinds."""
    name = str(rng.choice(list(_PALETTES)))
    palette = _PALETTES[name]

    def tinted(kind: str, code: str) -> Finish:
        return Finish(kind, int(rng.integers(_PATTERNS)), linear(code) if code else None)

    def one(options: tuple[tuple[str, str], ...]) -> Finish:
        return tinted(*options[int(rng.integers(len(options)))])

    plain = str(rng.choice(["plaster", "paint"]))
    dry = tinted(str(rng.choice(list(palette.floors))), "")
    kitchen, bath = one(palette.wet), one(palette.wet)
    floors = {"bathroom": bath, "kitchen": kitchen if rng.random() < 0.7 else dry}
    bedroom = tinted("carpet", palette.fabrics[1]) if rng.random() < 0.3 else dry
    quiet = tuple(tinted(plain, str(rng.choice(list(palette.walls)))) for _ in kinds)
    accent = tuple(None if k in ("bathroom", "kitchen", "hall") else one(palette.accents) for k in kinds)
    painted = rng.random() < 0.7
    joinery = tinted("painted_wood", palette.joinery)
    wood = Finish(palette.woods[0], int(rng.integers(_PATTERNS)))
    return Style(
        name,
        quiet,
        accent,
        tuple(bedroom if k == "bedroom" else floors.get(k, dry) for k in kinds),
        tinted("tiles", str(rng.choice(list(palette.tiles)))),
        tinted("whitewash", "f2f0eb"),
        joinery,
        replace(joinery, variant=joinery.variant + 1) if painted else wood,
        tinted("painted_wood", palette.frames),
        Finish(palette.metal, 0, linear("2f3133") if palette.metal == "painted_metal" else None),
        tuple(Finish(w, int(rng.integers(_PATTERNS))) for w in palette.woods),
        tuple(linear(c) for c in rng.permutation(list(palette.fabrics))),
        bool(rng.random() < 0.65),
        bool(rng.random() < 0.6),
        (int(rng.integers(1000)), int(rng.integers(1000)), int(rng.integers(1000))),
    )
