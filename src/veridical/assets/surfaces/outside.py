"""The view from a window by day: sky, clouds, hills, houses, trees."""

from __future__ import annotations

import numpy as np

from veridical.assets.surfaces.noise import Field, coordinates, fbm, smoothstep
from veridical.assets.surfaces.recipe import Canvas, mix, ramp, rgb, shade


def view(canvas: Canvas) -> Field:
    """(n, n, 3) sRGB-coded; the horizon lies at 0.56 of the height."""
    rng, n = canvas.rng, canvas.n
    y = np.broadcast_to(coordinates(n)[1], (n, n))
    picture = _sky(rng, n, y)
    haze = rgb("c3d0d9")
    for k, base in enumerate((0.50, 0.53, 0.56)):
        ridge = base + 0.028 * _profile(rng, n, 1 + k, 40)
        tone = rgb("56706a") + (haze - rgb("56706a")) * np.float32(0.75 - 0.25 * k)
        wood = fbm(rng, n, 12, 200, 1.0, stretch_x=2)
        inside = smoothstep(-0.001, 0.002, y - ridge[None, :])
        picture = mix(picture, shade(np.broadcast_to(tone, (n, n, 3)), 0.05 * wood), inside)
    if canvas.variant % 3 != 1:
        picture = _houses(rng, picture)
    return _trees(rng, picture, y)


def _profile(rng: np.random.Generator, n: int, low: float, high: float) -> Field:
    line: Field = fbm(rng, n, low, high, 2.0)[n // 2]
    return line


def _sky(rng: np.random.Generator, n: int, y: Field) -> Field:
    sky = ramp(y / 0.58, "5f93cf", "8fb6de", "bdd5e8", "e3ebef")
    stretch = fbm(rng, n, 1.2, 90, 1.55, stretch_x=2.2)
    lit = np.roll(stretch, n // 60, 0) - stretch
    cover = smoothstep(0.1, 1.3, stretch)
    cloud = shade(np.broadcast_to(rgb("f4f5f6"), (n, n, 3)), 0.22 * np.clip(lit, -0.6, 0.2) - 0.03 * cover)
    return mix(sky, cloud, cover * np.float32(0.9))


def _houses(rng: np.random.Generator, picture: Field) -> Field:
    n = picture.shape[0]
    picture = picture.copy()
    x = 0.0
    walls = ("cdb79a", "d9cdb8", "b5886a", "c6c3bc", "a9725a", "d8c08f", "93a0a8")
    while x < 1.0:
        width = rng.uniform(0.09, 0.17)
        top = rng.uniform(0.30, 0.5)
        a, b = int(x * n), min(n, int((x + width) * n))
        t, e = int(top * n), int(0.86 * n)
        if b - a > 6:
            wall = rgb(walls[int(rng.integers(len(walls)))]) * np.float32(rng.uniform(0.8, 1.0))
            _facade(rng, picture, a, b, t, e, wall)
        x += width
    return picture


def _facade(rng: np.random.Generator, picture: Field, a: int, b: int, t: int, e: int, wall: Field) -> None:
    n = picture.shape[0]
    shadow = np.linspace(1.04, 0.86, e - t, dtype=np.float32)[:, None, None]
    picture[t:e, a:b] = wall * shadow
    roof = rgb(("7d4636", "5d5a58", "8c5a41")[int(rng.integers(3))])
    height = int(rng.uniform(0.02, 0.06) * n)
    for k in range(height):
        inset = int((height - k) * 0.8)
        picture[t - height + k, a + min(inset, (b - a) // 2) : b - min(inset, (b - a) // 2)] = (
            roof * np.float32(0.8 + 0.3 * k / height)
        )
    columns, floor = int(rng.integers(3, 6)), int(rng.uniform(0.055, 0.075) * n)
    step = (b - a) / columns
    for row in range(t + floor // 3, e - floor // 2, floor):
        picture[row - floor // 4 : row - floor // 4 + max(1, n // 340), a:b] *= np.float32(0.88)
        for k in range(columns):
            c = int(a + (k + 0.5) * step)
            w, h = max(1, int(step * 0.22)), max(1, int(floor * 0.3))
            picture[row - max(1, n // 300) : row + 2 * h + max(1, n // 300), c - w - 1 : c + w + 1] = (
                wall * np.float32(1.12)
            )
            glass = rgb("4a5864") * np.float32(rng.uniform(0.7, 1.7))
            picture[row : row + 2 * h, c - w : c + w] = glass
            picture[row : row + 2 * h, c : c + max(1, n // 500)] = wall * np.float32(1.1)


def _trees(rng: np.random.Generator, picture: Field, y: Field) -> Field:
    n = picture.shape[0]
    leaf = fbm(rng, n, 14, n / 3, 0.8)
    clump = fbm(rng, n, 5, 60, 1.3)
    for base, dark, light, size in ((0.70, "33502f", "7f9a58", 0.05), (0.84, "24401f", "688a3c", 0.06)):
        crown = base + 0.6 * size * _profile(rng, n, 2, 9) + 0.010 * _profile(rng, n, 14, 120)
        inside = smoothstep(-0.004, 0.004, y - crown[None, :] + 0.010 * clump)
        depth = np.clip((y - crown[None, :]) * 3.5, 0, 1)
        tone = ramp(0.75 - 0.5 * depth + 0.17 * clump + 0.09 * leaf, dark, "476b35", light)
        picture = mix(picture, tone, inside)
        clump = np.roll(clump, n // 3, 1)
    return picture
