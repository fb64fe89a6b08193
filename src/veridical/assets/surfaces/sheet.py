"""A sheet to draw on with Pillow, in fractions of its height, and glyph-like text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from veridical.assets.surfaces.noise import Field
from veridical.assets.surfaces.recipe import rgb

Point = tuple[float, float]
_SYLLABLES = (
    *("an", "ar", "bel", "co", "da", "den", "el", "fa", "gra", "hal", "in", "ka", "lo", "mar", "nor"),
    *("ol", "per", "qui", "ra", "sel", "tan", "ul", "va", "win", "ys", "zo", "mi", "re", "sto", "lin"),
)


def words(rng: np.random.Generator, count: int) -> list[str]:
    """Pronounceable words of no language."""
    drawn = rng.integers(len(_SYLLABLES), size=(count, 3))
    lengths = rng.integers(1, 4, count)
    return [
        "".join(_SYLLABLES[i] for i in row[:n]).capitalize() for row, n in zip(drawn, lengths, strict=True)
    ]


def ink(code: str) -> tuple[int, int, int]:
    """Pillow colour of six hex digits."""
    r, g, b = (rgb(code) * 255 + 0.5).astype(int)
    return int(r), int(g), int(b)


@lru_cache(maxsize=64)
def _font(size_px: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size_px)


class Sheet:
    """A picture drawn at twice its size and reduced at the end, so that edges are smooth.

    Lengths are fractions of its height: (0, 0) is top left, (wide, 1) bottom right.
    """

    def __init__(self, n: int, ground: str, wide: float = 1.0) -> None:
        self.side = 2 * n
        self.image = Image.new("RGB", (2 * round(n * wide), self.side), ink(ground))
        self.draw = ImageDraw.Draw(self.image)

    def _xy(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.side, y * self.side) for x, y in points]

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        """A filled polygon."""
        self.draw.polygon(self._xy(points), fill=ink(fill))

    def line(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A polyline with round corners."""
        self.draw.line(
            self._xy(points), fill=ink(fill), width=max(1, round(width * self.side)), joint="curve"
        )

    def box(self, x0: float, y0: float, x1: float, y1: float, fill: str, radius: float = 0.0) -> None:
        """A filled rectangle, with rounded corners if a radius is given."""
        where = [
            min(x0, x1) * self.side,
            min(y0, y1) * self.side,
            max(x0, x1) * self.side,
            max(y0, y1) * self.side,
        ]
        self.draw.rounded_rectangle(where, radius=radius * self.side, fill=ink(fill))

    def disc(self, x: float, y: float, radius: float, fill: str, squash: float = 1.0) -> None:
        """A filled circle, or an ellipse of height radius * squash."""
        r, h, s = radius * self.side, radius * squash * self.side, self.side
        self.draw.ellipse([x * s - r, y * s - h, x * s + r, y * s + h], fill=ink(fill))

    def ring(self, x: float, y: float, radius: float, colour: str, width: float) -> None:
        """A circle's outline."""
        r, s = radius * self.side, self.side
        box = [x * s - r, y * s - r, x * s + r, y * s + r]
        self.draw.ellipse(box, outline=ink(colour), width=max(1, round(width * s)))

    def text(self, x: float, y: float, what: str, size: float, fill: str, anchor: str = "lt") -> None:
        """Text of a height in fractions of the side; the anchor is Pillow's."""
        font = _font(max(4.0, size * self.side))
        self.draw.text((x * self.side, y * self.side), what, fill=ink(fill), font=font, anchor=anchor)

    def fitted(self, x0: float, x1: float, y: float, what: str, size: float, fill: str) -> None:
        """Text between x0 and x1 at most, centred on y."""
        font = _font(max(4.0, size * self.side))
        width = float(font.getlength(what)) / self.side
        scale = min(1.0, (x1 - x0) / max(width, 1e-6))
        self.text((x0 + x1) / 2, y, what, size * scale, fill, "mm")

    def paragraph(
        self, rng: np.random.Generator, x0: float, y0: float, x1: float, y1: float, size: float, fill: str
    ) -> None:
        """Fills a box with lines of text."""
        font = _font(max(4.0, size * self.side))
        y = y0
        while y + size < y1:
            line = " ".join(words(rng, 40)).lower().capitalize()
            end = x1 if y + 2.4 * size < y1 else x0 + (x1 - x0) * 0.6
            share = (end - x0) * self.side / float(font.getlength(line))  # measuring is slow: once a line
            line = line[: int(0.98 * share * len(line))].rpartition(" ")[0]
            self.text(x0, y, line, size, fill)
            y += 1.4 * size

    def turned_text(self, x: float, y: float, length: float, height: float, what: str, fill: str) -> None:
        """Text that runs downwards inside a box of (height across, length along) centred on (x, y)."""
        font = _font(120.0)
        left, top, right, bottom = font.getbbox(what)
        strip = Image.new("L", (int(right - left) + 8, int(bottom - top) + 8), 0)
        ImageDraw.Draw(strip).text((4 - left, 4 - top), what, fill=255, font=font)
        strip = strip.resize(
            (max(1, int(length * self.side)), max(1, int(height * self.side))), Image.Resampling.LANCZOS
        )
        strip = strip.transpose(Image.Transpose.ROTATE_270)
        at = (int(x * self.side - strip.width / 2), int(y * self.side - strip.height / 2))
        self.image.paste(ink(fill), at, strip)

    def paste(self, picture: Field, x0: float, y0: float, x1: float, y1: float) -> None:
        """Puts a picture (n, n, 3) of 0..1 into a rectangle."""
        pixels = (np.clip(picture, 0, 1) * 255).astype(np.uint8)
        size = (max(1, round((x1 - x0) * self.side)), max(1, round((y1 - y0) * self.side)))
        part = Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC)
        self.image.paste(part, (round(x0 * self.side), round(y0 * self.side)))

    def pixels(self) -> Field:
        """The picture (n, n * wide, 3) as 0..1."""
        small: NDArray[np.uint8] = np.asarray(self.image.reduce(2))
        return (small.astype(np.float32) / 255).astype(np.float32)
