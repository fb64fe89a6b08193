"""What a painter gets and gives: the canvas, the painted maps, and the entry of a kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Rgb
from veridical.assets.surfaces.noise import Field


@dataclass(frozen=True, eq=False)
class Canvas:
    """The order to a painter.

    Attributes:
        n: Pixels a side.
        tile_m: Length of a side on the surface, metres.
        rng: Seeded by kind and variant.
        variant: As in the finish; picks motifs and arrangements.
        tint: Wanted colour, sRGB-coded 0..1, or None for the painter's choice.
    """

    n: int
    tile_m: float
    rng: np.random.Generator
    variant: int
    tint: NDArray[np.float32] | None

    def px(self, metres: float) -> float:
        """Pixels that a length covers."""
        return metres / self.tile_m * self.n

    def cycles(self, metres: float) -> float:
        """Frequency in cycles per tile of features of this size."""
        return self.tile_m / metres

    def pick(self, *choices: str) -> NDArray[np.float32]:
        """The tint if there is one, else one of the colours given as hex."""
        drawn = choices[int(self.rng.integers(len(choices)))]
        return rgb(drawn) if self.tint is None else self.tint


@dataclass(frozen=True, eq=False)
class Paint:
    """Painted maps. Colours are sRGB-coded 0..1.

    Attributes:
        albedo: (n, n, 3), or (3,) where no picture is needed.
        height_m: (n, n) relief in metres, made into normals; None is flat.
        roughness: (n, n), or a number.
        emission_map: (n, n, 3), or None for even emission.
        metallic: Overrides nothing; as in Material.
        specular: As in Material.
        transmission: As in Material.
    """

    albedo: Field
    height_m: Field | None = None
    roughness: Field | float = 0.6
    emission_map: Field | None = None
    metallic: float = 0.0
    specular: float = 0.5
    transmission: float = 0.0


Painter = Callable[[Canvas], Paint]


@dataclass(frozen=True)
class Kind:
    """An entry of the table of surfaces.

    Attributes:
        paint: Makes the maps.
        tile_m: Length on the surface of one texture repeat; 1 for prints, whose UVs run 0..1 once.
        tint: `mean` scales the painted colours until their mean is the tint, `own` leaves the tint to
            the painter, `none` ignores it.
        whole_print: True if UV 0..1 covers one whole picture.
        max_px: Larger maps are of no use.
    """

    paint: Painter
    tile_m: float
    tint: Literal["mean", "own", "none"] = "mean"
    whole_print: bool = False
    max_px: int = 4096


@lru_cache(maxsize=512)
def _rgb(code: str) -> tuple[float, float, float]:
    return int(code[0:2], 16) / 255, int(code[2:4], 16) / 255, int(code[4:6], 16) / 255


def rgb(code: str) -> NDArray[np.float32]:
    """(3,) sRGB-coded 0..1 from six hex digits."""
    return np.array(_rgb(code), np.float32)


def ramp(t: Field, *codes: str | NDArray[np.float32]) -> Field:
    """Colours (n, n, 3) from evenly spaced stops; t is clipped to 0..1."""
    stops = np.stack([rgb(c) if isinstance(c, str) else c for c in codes])
    where = np.linspace(0, 1, len(stops))
    fine = np.linspace(0, 1, 1024)
    table = np.stack([np.interp(fine, where, stops[:, k]) for k in range(3)], -1).astype(np.float32)
    where_in_table = (np.clip(t, 0, 1) * 1023).astype(np.int32)
    return by_channel(t.shape, lambda k: table[:, k][where_in_table])


def flat(n: int, colour: NDArray[np.float32]) -> Field:
    """(n, n, 3) of one colour."""
    return np.broadcast_to(colour, (n, n, 3)).astype(np.float32)


def by_channel(shape: tuple[int, ...], channel: Callable[[int], Field]) -> Field:
    """(n, m, 3) from its three channels; broadcasting over a last axis of 3 takes numpy much longer."""
    out = np.empty((*shape, 3), np.float32)
    for k in range(3):
        out[..., k] = channel(k)
    return out


def mix(a: Field, b: Field | NDArray[np.float32], t: Field) -> Field:
    """Blends colours (n, n, 3) towards b by t (n, n)."""
    return by_channel(t.shape, lambda k: a[..., k] + (b[..., k] - a[..., k]) * t)


def shade(colour: Field, gain: Field) -> Field:
    """Multiplies colours (n, n, 3) by 1 + gain (n, n)."""
    factor = 1 + gain
    return by_channel(gain.shape, lambda k: colour[..., k] * factor)


def to_linear(srgb: Field) -> Field:
    """Decodes sRGB (IEC 61966-2-1)."""
    linear: Field = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return linear.astype(np.float32)


def to_srgb(linear: Field) -> Field:
    """Encodes sRGB (IEC 61966-2-1)."""
    x = np.clip(linear, 0, 1)
    coded: Field = np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055)
    return coded.astype(np.float32)


def coded_tint(tint: Rgb | None) -> NDArray[np.float32] | None:
    """The finish's linear tint as sRGB code."""
    return None if tint is None else to_srgb(np.array(tint, np.float32))
