"""Painted and photograph-like landscapes for posters: (n, n, 3) sRGB-coded 0..1."""

from __future__ import annotations

import numpy as np

from veridical.assets.surfaces.noise import Field, fbm, smoothstep, spots
from veridical.assets.surfaces.recipe import mix, ramp, rgb, shade


def grid(n: int) -> tuple[Field, Field]:
    """Pixel centres (x, y) as (n, n) in 0..1."""
    c = ((np.arange(n) + 0.5) / n).astype(np.float32)
    return np.broadcast_to(c[None, :], (n, n)), np.broadcast_to(c[:, None], (n, n))


def profile(rng: np.random.Generator, n: int, low: float, high: float, slope: float = 2.0) -> Field:
    """(1, n) a random skyline of unit variance."""
    line: Field = fbm(rng, n, low, high, slope)[n // 2][None, :]
    return line


def mountains(rng: np.random.Generator, n: int) -> Field:
    """Hazy ranges under a low sun."""
    x, y = grid(n)
    sx = float(rng.uniform(0.3, 0.7))
    picture = ramp(y * 1.4, "2f4a6d", "c98a7a", "f4c98a", "f9ecc4")
    sun = np.hypot(x - sx, y - 0.36)
    picture = mix(
        picture, rgb("fff3cf"), np.clip(smoothstep(0.07, 0.066, sun) + 0.45 * np.exp(-sun * 7), 0, 1)
    )
    for k in range(6):
        crest = profile(rng, n, 1.2 + k * 0.6, 160, 1.9)
        ridge = 0.42 + 0.10 * k + (0.055 - 0.005 * k) * crest
        tone = rgb("c9978a") + (rgb("14222f") - rgb("c9978a")) * np.float32((k + 0.4) / 6)
        lit = np.clip(np.gradient(crest[0])[None, :] * n * 0.02, -1, 1)
        rock = fbm(rng, n, 8, n / 3, 1.0, stretch_y=1.6)
        body = shade(
            np.broadcast_to(tone, (n, n, 3)),
            0.07 * rock + 0.08 * lit - 0.5 * np.clip(0.1 - (y - ridge), -0.3, 0.1),
        )
        picture = mix(picture, body, smoothstep(-0.0008, 0.0015, y - ridge))
    return picture


def sea(rng: np.random.Generator, n: int) -> Field:
    """Evening sea with a glitter path."""
    x, y = grid(n)
    horizon = 0.5
    sky = ramp(y / horizon, "27406b", "7a6f9a", "e79a72", "fbd79a")
    bars = fbm(rng, n, 2, 80, 1.3, stretch_x=6)
    sky = mix(sky, rgb("b5566a"), 0.6 * smoothstep(0.6, 2.2, bars) * smoothstep(0.02, 0.2, y))
    sky = mix(sky, rgb("fff2c8"), smoothstep(0.055, 0.052, np.hypot(x - 0.5, y - 0.43)))
    depth = np.clip((y - horizon) / (1 - horizon), 0, 1)
    water = ramp(depth, "d98e72", "4a5f86", "16283f")
    waves = fbm(rng, n, 6, n / 2, 0.8, stretch_x=8)
    swell = fbm(rng, n, 2, 60, 1.0, stretch_x=10)
    path = np.exp(-(((x - 0.5) / (0.04 + 0.16 * depth)) ** 2))
    water = shade(water, 0.16 * waves + 0.12 * swell)
    water = mix(water, rgb("ffe2a8"), np.clip(path * smoothstep(-0.2, 1.2, waves + 0.3), 0, 0.9))
    return mix(sky, water, smoothstep(horizon - 0.001, horizon + 0.001, y))


def forest(rng: np.random.Generator, n: int) -> Field:
    """Firs in layers of mist."""
    x, y = grid(n)
    picture = ramp(y, "dfe6e2", "c9d6d3", "9fb5b2")
    for k in range(5):
        base = 0.34 + 0.13 * k
        count = 60 - 9 * k
        height = 0.10 + 0.035 * k
        top = np.full(n, base + height * 0.6, np.float32)
        xs = x[0]
        for centre in rng.random(count):
            tall = height * float(rng.uniform(0.5, 1.2))
            away = np.abs((xs - centre + 0.5) % 1 - 0.5)
            jag = 0.012 * np.abs((away * (60 - 8 * k)) % 1 - 0.5)
            top = np.minimum(top, base - tall + away * 5.5 + jag * 3)
        top = np.minimum(top, base + 0.02 * profile(rng, n, 2, 20)[0])
        tone = rgb("a9bdb9") + (rgb("16302b") - rgb("a9bdb9")) * np.float32(k / 4)
        below = np.clip((y - base) * 4.0, 0, 1) * np.float32(0.5 if k < 4 else 0.0)
        layer = mix(np.broadcast_to(tone, (n, n, 3)).astype(np.float32), rgb("cdd9d6"), below)
        leaf = fbm(rng, n, 20, n / 2, 0.5)
        picture = mix(
            picture,
            shade(layer, leaf * np.float32(0.012 * (k + 1))),
            smoothstep(-0.001, 0.003, y - top[None, :]),
        )
    return picture


def dunes(rng: np.random.Generator, n: int) -> Field:
    """Desert ridges with wind ripples."""
    _, y = grid(n)
    picture = ramp(y * 2, "3f7fb0", "9cc3d6", "efe0c0")
    for k in range(4):
        crest = 0.40 + 0.15 * k + 0.05 * profile(rng, n, 1, 6, 2.5)
        under = y - crest
        ripple = np.sin((under * (60 - 9 * k) + 0.4 * fbm(rng, n, 3, 40, 1.5)) * 2 * np.pi)
        slope = np.gradient(profile(rng, n, 1, 4, 2.5)[0])[None, :] * n * 0.05
        tone = ramp(0.3 + 0.4 * (k / 4) + under * 0.9 + 0.2 * slope, "8c4a2a", "c9793f", "e8ab66", "f6d29a")
        grain = fbm(rng, n, n / 8, n / 2, 0.2)
        picture = mix(picture, shade(tone, 0.045 * ripple + 0.04 * grain), smoothstep(0, 0.002, under))
    return picture


def aurora(rng: np.random.Generator, n: int) -> Field:
    """Northern lights and stars over a black ridge."""
    _, y = grid(n)
    picture = ramp(y, "05081a", "0c1c33", "12303f")
    stars = spots(rng, n, 500, (0.5, max(1.0, n / 450)))
    picture = np.clip(picture + stars[..., None], 0, 1)
    for k, code in enumerate(("3fe09a", "5fd0c8", "8f6fd8")):
        path = 0.35 + 0.07 * k + 0.08 * profile(rng, n, 1, 12, 1.8)
        rays = 0.6 + 0.4 * np.tanh(fbm(rng, n, 12, n / 4, 0.8, stretch_y=40))
        up = path - y
        glow = np.where(up > 0, np.exp(-up * 7), np.exp(up * 45)) * rays
        picture = np.clip(picture + rgb(code) * (0.7 * glow)[..., None], 0, 1)
    ridge = 0.80 + 0.05 * profile(rng, n, 2, 120, 1.6)
    return mix(picture.astype(np.float32), rgb("04060a"), smoothstep(0, 0.002, y - ridge))


def flowers(rng: np.random.Generator, n: int) -> Field:
    """An impression of a meadow in dabs of paint."""
    _, y = grid(n)
    picture = ramp(y, "8fb8d8", "cfe0d8", "8fae5f", "4f7f3a", "355f2c")
    for size, count in ((0.03, 500), (0.018, 1500), (0.012, 1800)):
        for cx, cy in rng.random((count, 2)):
            r = max(1.0, size * n * (0.4 + cy))
            xs = np.arange(max(0, int(cx * n - r)), min(n, int(cx * n + r) + 1))
            ys = np.arange(max(0, int(cy * n - r * 0.6)), min(n, int(cy * n + r * 0.6) + 1))
            if xs.size == 0 or ys.size == 0:
                continue
            inside = ((xs - cx * n) / r)[None, :] ** 2 + ((ys - cy * n) / (r * 0.6))[:, None] ** 2 < 1
            codes = (
                ("b8d2e6", "e8eef0", "7fa9cf")
                if cy < 0.36
                else ("4a7a34", "7fa04a", "c8452f", "e8c95a", "d98aa8", "2f5a2a", "f0e6d2")
            )
            dab = rgb(codes[int(rng.integers(len(codes)))]) * np.float32(rng.uniform(0.85, 1.1))
            part = picture[ys[0] : ys[-1] + 1, xs[0] : xs[-1] + 1]
            part[inside] = 0.25 * part[inside] + 0.75 * dab
    return picture


def nebula(rng: np.random.Generator, n: int) -> Field:
    """Deep space."""
    gas = fbm(rng, n, 1.5, 120, 1.4)
    dust = fbm(rng, n, 2, 200, 1.2)
    picture = ramp(0.3 + 0.2 * gas, "05060f", "1f1a4a", "7a2f6a", "e08a5a", "ffe6c0")
    picture = shade(picture, -0.6 * smoothstep(0.2, 1.6, dust))
    stars = np.maximum(spots(rng, n, 900, (0.5, 1.2)), spots(rng, n, 40, (1.0, max(1.5, n / 250))))
    return np.clip(picture + stars[..., None] * rgb("e8f0ff"), 0, 1).astype(np.float32)
