"""Book jackets, many on one sheet."""

from __future__ import annotations

import numpy as np
from PIL import Image

from veridical.assets.surfaces.noise import Field, fbm
from veridical.assets.surfaces.prints import INKS, bars, printed
from veridical.assets.surfaces.recipe import Canvas, Paint, shade
from veridical.assets.surfaces.sheet import Sheet, words

CELLS = 4
"""Jackets along each side of the sheet; each fills a square cell of the UVs."""

SPINE = (0.46, 0.54)
"""Where the spine lies in a jacket's u; the back cover is left of it, the front cover right of it."""

_WIDE = 1.54  # a jacket laid open, over its height
_BACK = (0.05, 0.66)  # in heights, like all lengths on the sheet
_FRONT = (0.88, 1.49)
_SPINE = (SPINE[0] * _WIDE, SPINE[1] * _WIDE)

Inks = tuple[str, str, str]


def book(canvas: Canvas) -> Paint:
    """Jackets laid open: back, spine, front."""
    rng, n = canvas.rng, canvas.n
    edges = [round(k * n / CELLS) for k in range(CELLS + 1)]
    picture = np.empty((n, n, 3), np.float32)
    order = rng.permutation(CELLS * CELLS)
    for k, number in enumerate(order):
        j, i = divmod(k, CELLS)
        y, x = slice(edges[j], edges[j + 1]), slice(edges[i], edges[i + 1])
        jacket = _jacket(rng, int(number), max(64, n // CELLS))
        size = (x.stop - x.start, y.stop - y.start)
        pixels = Image.fromarray((jacket * 255).astype(np.uint8)).resize(size, Image.Resampling.BOX)
        picture[y, x] = np.asarray(pixels, np.float32) / 255
    cloth = fbm(rng, n, n / 6, n / 2, 0.2, stretch_x=3) + fbm(rng, n, n / 6, n / 2, 0.2, stretch_y=3)
    return printed(canvas, shade(picture, 0.02 * cloth), 0.5)


def _jacket(rng: np.random.Generator, number: int, n: int) -> Field:
    """One jacket (n, n * _WIDE, 3)."""
    inks = INKS[number % len(INKS)]
    ground, letters, accent = inks
    sheet = Sheet(n, ground, _WIDE)
    title = " ".join(words(rng, int(rng.integers(1, 4))))
    author = " ".join(words(rng, 2))
    _spine(sheet, rng, title, author, inks)
    _front(sheet, rng, title, author, inks)
    left, right = _BACK
    sheet.fitted(left, right, 0.1, title, 0.05, accent)
    sheet.paragraph(rng, left, 0.16, right, 0.66, 0.03, letters)
    sheet.box(left, 0.8, left + 0.2, 0.94, "fbfaf6")
    bars(sheet, rng, left + 0.02, left + 0.18, 0.815, 0.925)
    return sheet.pixels()


def _spine(sheet: Sheet, rng: np.random.Generator, title: str, author: str, inks: Inks) -> None:
    ground, letters, accent = inks
    style = int(rng.integers(3))
    low, high = _SPINE
    if style == 0:
        sheet.box(low, 0.12, high, 0.6, accent)
    for y in (0.05, 0.075, 0.91, 0.935) if style < 2 else (0.66, 0.68):
        sheet.box(low, y, high, y + 0.012, accent)
    shown = letters if style or accent != letters else ground
    middle = (low + high) / 2
    sheet.turned_text(middle, 0.36, min(0.42, 0.05 * len(title)), 0.07, title, shown)
    sheet.turned_text(middle, 0.78, min(0.22, 0.025 * len(author)), 0.045, author, letters)


def _front(sheet: Sheet, rng: np.random.Generator, title: str, author: str, inks: Inks) -> None:
    ground, letters, accent = inks
    left, right = _FRONT
    middle, wide = (left + right) / 2, right - left
    style = int(rng.integers(5))
    if style == 0:
        for k in range(5):
            sheet.disc(middle, 0.66, 0.25 - 0.05 * k, (accent, letters, ground)[k % 3])
    elif style == 1:
        for k in range(9):
            x = left + wide * k / 9
            sheet.box(x, 0.92, x + 0.08 * wide, 0.9 - 0.45 * rng.random(), (accent, letters)[k % 2])
    elif style == 2:
        for _ in range(30):
            x, y = rng.uniform(left, right), rng.uniform(0.42, 0.92)
            sheet.disc(x, y, rng.uniform(0.01, 0.045), (accent, letters)[int(rng.integers(2))])
    elif style == 3:
        for k in range(10):
            y = 0.45 + 0.045 * k
            sheet.line([(left, y), (middle, y + 0.12 - 0.02 * k), (right, y)], accent, 0.008)
    else:
        from veridical.assets.surfaces.motifs import MOTIFS

        motif = MOTIFS[int(rng.choice((0, 3, 6, 9, 12, 16)))](rng, 128)
        sheet.paste(motif, left, 0.4, right, 0.4 + wide * 0.9)
    sheet.fitted(left, right, 0.16, title, 0.13, letters)
    sheet.fitted(left, right, 0.31, author, 0.06, letters)
    sheet.line([(left, 0.25), (right, 0.25)], accent, 0.006)
