"""Printed and shown pictures that cover UV 0..1 once: posters, labels, screens, the view from a window."""

from __future__ import annotations

import numpy as np

from veridical.assets.surfaces import landscapes
from veridical.assets.surfaces.noise import Field, fbm, spots
from veridical.assets.surfaces.recipe import Canvas, Paint, mix, rgb, shade
from veridical.assets.surfaces.sheet import Sheet, words

INKS = (
    ("7c2128", "f0e6d2", "d9a441"),
    ("1f3d56", "e9e4d8", "c96f4a"),
    ("2e4a3a", "efe6cf", "c9a45c"),
    ("d8c9a8", "3a2f28", "8c2f39"),
    ("26262a", "e6e2da", "c8452f"),
    ("c95f3c", "fbf3e4", "2b3a42"),
    ("e9e4da", "26313a", "4f7d8c"),
    ("4a3a5c", "eee4ea", "d9a0a0"),
    ("d9a92e", "2a2620", "7c2128"),
    ("6f8f8a", "f6f1e4", "26404a"),
)
"""Ground, letters and accent of printed matter."""

DESKTOPS = 6
"""Variants of `screen` below this are desktops, those above it films."""

_FILMS = (landscapes.mountains, landscapes.sea, landscapes.forest, landscapes.dunes)
_DARK_GLASS = rgb("0b0c0e")


def printed(canvas: Canvas, picture: Field, gloss: float) -> Paint:
    """Ink on paper: fibres and specks over a picture (n, n, 3)."""
    rng, n = canvas.rng, canvas.n
    fibre = fbm(rng, n, n / 6, n / 2, 0.4)
    fade = fbm(rng, n, 1, 8, 1.4)
    specks = spots(rng, n, 60, (0.6, max(0.9, n / 500)))
    shown = shade(picture, 0.012 * fibre + 0.015 * fade)
    return Paint(mix(shown, rgb("8a8378"), 0.4 * specks), None, gloss)


def bars(sheet: Sheet, rng: np.random.Generator, x0: float, x1: float, y0: float, y1: float) -> None:
    """A bar code."""
    x = x0
    while x < x1:
        w = float(rng.choice((0.002, 0.004, 0.006)))
        sheet.box(x, y0, x + w, y1, "141414")
        x += w + float(rng.choice((0.002, 0.004)))


def label(canvas: Canvas) -> Paint:
    """A package's print: name, picture, small print, bar code."""
    rng, n = canvas.rng, canvas.n
    ground, letters, accent = INKS[canvas.variant * 3 % len(INKS)]
    sheet = Sheet(n, ground)
    sheet.box(0, 0, 1, 0.06, accent)
    sheet.box(0, 0.94, 1, 1, accent)
    for start in (0.0, 0.5):
        sheet.box(start + 0.03, 0.1, start + 0.47, 0.42, letters, 0.04)
        sheet.fitted(start + 0.05, start + 0.45, 0.22, words(rng, 1)[0].upper(), 0.13, ground)
        sheet.fitted(start + 0.08, start + 0.42, 0.35, " ".join(words(rng, 3)), 0.05, accent)
        for k in range(7):
            a = 2 * np.pi * k / 7
            sheet.disc(start + 0.16 + 0.06 * np.cos(a), 0.6 + 0.06 * np.sin(a), 0.035, accent)
        sheet.disc(start + 0.16, 0.6, 0.05, letters)
        sheet.paragraph(rng, start + 0.28, 0.48, start + 0.47, 0.72, 0.018, letters)
        sheet.box(start + 0.05, 0.76, start + 0.27, 0.91, "fbfaf6")
        bars(sheet, rng, start + 0.065, start + 0.255, 0.775, 0.895)
        sheet.paragraph(rng, start + 0.3, 0.77, start + 0.47, 0.91, 0.014, letters)
    return printed(canvas, sheet.pixels(), 0.4)


def screen(canvas: Canvas) -> Paint:
    """A computer's desktop with windows, text, a chart and a dock, or, from variant `DESKTOPS` on, a film.

    It is dark glass where it does not shine.
    """
    rng, n = canvas.rng, canvas.n
    if canvas.variant >= DESKTOPS:
        scene = _FILMS[canvas.variant % len(_FILMS)]
        return Paint(_DARK_GLASS, None, 0.12, emission_map=np.clip(scene(rng, n), 0, 1))
    sheet = Sheet(n, "1d2b3a")
    t = np.linspace(0, 1, n, dtype=np.float32)
    wave = (0.4 * fbm(rng, n, 1, 3, 2.5) + t[:, None])[..., None]
    tones = (("12324a", "3f7f93", "e8b27a"), ("2a1c3f", "8a4a7a", "f0a88a"), ("0f2f2a", "3f8a6a", "cfe0a0"))
    low, middle, high = (rgb(c) for c in tones[canvas.variant % 3])
    wall = np.where(wave < 0.5, low + (middle - low) * wave * 2, middle + (high - middle) * (wave * 2 - 1))
    sheet.paste(wall.astype(np.float32), 0, 0, 1, 1)
    sheet.box(0, 0, 1, 0.035, "20242a")
    sheet.text(0.02, 0.008, "  ".join(words(rng, 5)), 0.018, "e6e6e6")
    sheet.box(0.05, 0.1, 0.6, 0.8, "f4f4f2", 0.008)
    sheet.box(0.05, 0.1, 0.6, 0.15, "d9dbdd", 0.008)
    for k, dot in enumerate(("e0564b", "e6b23c", "57b05a")):
        sheet.disc(0.07 + 0.022 * k, 0.125, 0.007, dot)
    sheet.box(0.05, 0.15, 0.17, 0.8, "e6e8ea")
    for k in range(9):
        sheet.text(0.062, 0.18 + 0.045 * k, words(rng, 1)[0], 0.018, "3a4047")
    sheet.text(0.2, 0.18, " ".join(words(rng, 3)), 0.035, "22262b")
    sheet.paragraph(rng, 0.2, 0.25, 0.57, 0.5, 0.016, "3a4047")
    for k in range(10):
        sheet.box(
            0.21 + 0.036 * k, 0.76, 0.235 + 0.036 * k, 0.76 - 0.2 * rng.random(), ("4a86c5", "e08a3c")[k % 2]
        )
    sheet.box(0.52, 0.3, 0.95, 0.88, "1e2127", 0.008)
    sheet.box(0.52, 0.3, 0.95, 0.34, "33373f", 0.008)
    colours = ("8fc98a", "d0d4da", "e0b36a", "7fb0e0", "c98ac0")
    for k in range(19):
        x = 0.54 + 0.02 * float(rng.integers(0, 4))
        for _ in range(int(rng.integers(1, 5))):
            w = 0.02 + 0.07 * rng.random()
            if x + w > 0.93:
                break
            sheet.box(x, 0.365 + 0.026 * k, x + w, 0.378 + 0.026 * k, colours[int(rng.integers(5))])
            x += w + 0.012
    sheet.box(0.25, 0.92, 0.75, 0.985, "c9ced4", 0.02)
    for k in range(9):
        sheet.box(
            0.27 + 0.052 * k,
            0.93,
            0.312 + 0.052 * k,
            0.974,
            ("4a86c5", "e0564b", "57b05a", "e6b23c")[k % 4],
            0.01,
        )
    return Paint(_DARK_GLASS, None, 0.12, emission_map=sheet.pixels())


def poster(canvas: Canvas) -> Paint:
    """A picture for a frame; the variant is the motif."""
    from veridical.assets.surfaces.motifs import MOTIFS

    return printed(canvas, MOTIFS[canvas.variant % len(MOTIFS)](canvas.rng, canvas.n), 0.5)


def outside_view(canvas: Canvas) -> Paint:
    """What a window shows by day, out of focus; at night it is dark glass that mirrors the room."""
    import cv2

    from veridical.assets.surfaces.outside import view

    sigma = canvas.n / 800
    picture = cv2.GaussianBlur(view(canvas), (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
    return Paint(_DARK_GLASS, None, 0.06, emission_map=picture)
