"""Which surfaces furniture is made of: few variants and a small palette, so that textures are shared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from veridical.assets.material import Rgb
from veridical.assets.thing import Finish

_T = TypeVar("_T")


def rgb(code: str) -> Rgb:
    """Linear RGB of an sRGB colour such as `c8b9a6`."""
    srgb = np.array([int(code[i : i + 2], 16) for i in (0, 2, 4)]) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return (float(linear[0]), float(linear[1]), float(linear[2]))


UPHOLSTERY = tuple(
    rgb(c) for c in ("8a8d90", "b9ab97", "54616d", "6f7a5c", "a0614a", "c9c3b8", "3d4f63", "b58a3c")
)
CUSHIONS = tuple(rgb(c) for c in ("c46a3f", "e0d6c4", "3f6f73", "c9a23f", "7d3f4c", "5b6f8f"))
BEDDING = tuple(rgb(c) for c in ("e9e6df", "b8c4cc", "cfc0b0", "8fa08f"))
PAINTS = tuple(rgb(c) for c in ("ecebe6", "e3ddd0", "4f6468", "8fa39a", "3b3f45", "b7bfc4"))
GLAZES = tuple(rgb(c) for c in ("f0eee8", "2f4858", "c9714f", "7c9a92", "d9b44a", "3a3a3c"))
PLASTICS = tuple(rgb(c) for c in ("e8e8e4", "2b2c2e", "b5382f", "2f6fa5", "e0b02c", "4c8a4f"))
CARDBOARD = rgb("b08d62")


def pick(rng: np.random.Generator, options: tuple[_T, ...]) -> _T:
    """One of several, each as likely."""
    return options[int(rng.integers(len(options)))]


def wood(rng: np.random.Generator, kinds: tuple[str, ...] = ("oak", "walnut", "pine")) -> Finish:
    """A natural wood."""
    return Finish(pick(rng, kinds), int(rng.integers(3)))


def paint(rng: np.random.Generator, colours: tuple[Rgb, ...] = PAINTS) -> Finish:
    """Lacquered wood."""
    return Finish("painted_wood", int(rng.integers(2)), pick(rng, colours))


def upholstery(rng: np.random.Generator) -> Finish:
    """What a sofa is covered with."""
    kind = pick(rng, ("fabric", "weave", "velvet", "fabric", "weave", "leather"))
    tint = rgb(pick(rng, ("6b4630", "2d2724", "8d6a4b"))) if kind == "leather" else pick(rng, UPHOLSTERY)
    return Finish(kind, int(rng.integers(2)), tint)


def scatter(rng: np.random.Generator) -> Finish:
    """A decorative cloth."""
    return Finish(
        pick(rng, ("plaid", "stripes", "weave", "velvet")), int(rng.integers(3)), pick(rng, CUSHIONS)
    )


def glaze(rng: np.random.Generator) -> Finish:
    """Glazed pottery."""
    return Finish("ceramic", int(rng.integers(2)), pick(rng, GLAZES))


def plastic(rng: np.random.Generator) -> Finish:
    """A coloured plastic."""
    return Finish("plastic", 0, pick(rng, PLASTICS))


STEEL = Finish("brushed_metal")
CHROME = Finish("chrome")
BRASS = Finish("brass")
BLACK_METAL = Finish("painted_metal", 0, rgb("222325"))
WHITE_METAL = Finish("painted_metal", 0, rgb("e9e9e6"))
BLACK_PLASTIC = Finish("plastic", 0, rgb("2b2c2e"))
WHITE_PLASTIC = Finish("plastic", 0, rgb("e8e8e4"))
PORCELAIN = Finish("porcelain")
RUBBER = Finish("rubber", 0, rgb("1c1c1d"))
PAPER = Finish("paper")
GLASS = Finish("glass")
DARK_GLASS = Finish("plastic", 1, rgb("0c0d0f"))
CARCASS = Finish("painted_wood", 0, rgb("e6e4de"))


@dataclass(frozen=True)
class Look:
    """The common style of cabinet work, so that a kitchen or a bedroom can match.

    Attributes:
        body: Carcass and visible sides.
        front: Doors and drawers.
        accent: Legs, tops and trims.
        metal: Handles.
        handle: `bar`, `knob`, `cup` or `none`.
        shaker: Framed fronts instead of plain ones.
    """

    body: Finish
    front: Finish
    accent: Finish
    metal: Finish
    handle: str
    shaker: bool


def look(rng: np.random.Generator, style: int | None = None, painted: float = 0.5) -> Look:
    """Draws a style; the same `style` number gives the same one for every piece."""
    r = rng if style is None else np.random.default_rng(style)
    natural = wood(r)
    lacquer = paint(r)
    front = lacquer if r.random() < painted else natural
    body = front if r.random() < 0.7 else (natural if front is lacquer else lacquer)
    metal = pick(r, (STEEL, BLACK_METAL, BRASS, CHROME))
    handle = pick(r, ("bar", "knob", "cup", "bar", "none"))
    return Look(body, front, natural, metal, handle, bool(r.random() < 0.4))
