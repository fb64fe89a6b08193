"""Pictures for posters: each motif takes a generator and a size and gives (n, n, 3) sRGB-coded 0..1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from veridical.assets.surfaces.noise import Field, fbm, smoothstep
from veridical.assets.surfaces.recipe import mix, ramp, rgb, shade
from veridical.assets.surfaces.sheet import Sheet, words

Motif = Callable[[np.random.Generator, int], Field]


def _grid(n: int) -> tuple[Field, Field]:
    c = ((np.arange(n) + 0.5) / n).astype(np.float32)
    return np.broadcast_to(c[None, :], (n, n)), np.broadcast_to(c[:, None], (n, n))


def mountains(rng: np.random.Generator, n: int) -> Field:
    """Hazy ranges under a low sun."""
    x, y = _grid(n)
    sx = float(rng.uniform(0.3, 0.7))
    picture = ramp(y * 1.3, "2f4a6d", "d98a6a", "f4c98a", "f7e3b5")
    sun = np.hypot(x - sx, y - 0.42)
    picture = mix(picture, rgb("fff3cf"), smoothstep(0.085, 0.075, sun) + 0.5 * np.exp(-sun * 7))
    for k in range(6):
        ridge = 0.42 + 0.09 * k + (0.07 - 0.006 * k) * fbm(rng, n, 1 + k * 0.7, 60, 1.35)[n // 2]
        tone = rgb("c98a78") + (rgb("1b2b3d") - rgb("c98a78")) * np.float32((k + 0.5) / 6)
        grain = fbm(rng, n, 10, n / 3, 0.8)
        body = shade(np.broadcast_to(tone, (n, n, 3)), 0.05 * grain + 0.3 * (y - ridge[None, :]))
        picture = mix(picture, body, smoothstep(-0.001, 0.002, y - ridge[None, :]))
    return picture


def geometry(rng: np.random.Generator, n: int) -> Field:
    """Circles, arcs and bars in the manner of the 1920s."""
    s = Sheet(n, "efe6d2")
    colours = ("c8452f", "1f3d56", "e0a63a", "26262a", "7fa09a")
    for _ in range(7):
        x, y, r = rng.uniform(0.15, 0.85), rng.uniform(0.15, 0.85), rng.uniform(0.06, 0.24)
        s.disc(x, y, r, colours[int(rng.integers(5))])
        if rng.random() < 0.5:
            s.disc(x, y, r * 0.55, "efe6d2")
    for _ in range(6):
        x, y = rng.uniform(0.1, 0.8), rng.uniform(0.1, 0.8)
        s.polygon(
            [(x, y), (x + 0.3, y - 0.06), (x + 0.31, y - 0.03), (x + 0.01, y + 0.03)],
            colours[int(rng.integers(5))],
        )
    for k in range(12):
        s.line([(0.06, 0.7 + 0.02 * k), (0.4, 0.7 + 0.02 * k)], "26262a", 0.004)
    s.fitted(0.5, 0.94, 0.93, words(rng, 1)[0].upper(), 0.09, "26262a")
    return s.pixels()


MOTIFS: tuple[Motif, ...] = (mountains, geometry)
