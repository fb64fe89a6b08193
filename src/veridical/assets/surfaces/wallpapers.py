"""Patterned wall coverings."""

from __future__ import annotations

import numpy as np

from veridical.assets.surfaces.noise import Field, blur, coordinates, fbm, smoothstep, spots
from veridical.assets.surfaces.recipe import Canvas, Paint, flat, mix, rgb, shade

_SCHEMES = (
    ("e6dfd0", "b9c0a8", "8f9a7b"),
    ("d9dde0", "a9b6c0", "6f8496"),
    ("ead9cc", "c99f8a", "a8705c"),
    ("dfe3da", "c2cbb2", "c7a75a"),
    ("2f4a4f", "52757a", "c9b37a"),
)


def wallpaper(canvas: Canvas) -> Paint:
    """Damask, trellis, stripes, leaves or dots, by variant; scuffed and faded a little."""
    rng, n = canvas.rng, canvas.n
    codes = _SCHEMES[canvas.variant // 5 % 5] if canvas.variant >= 5 else _SCHEMES[canvas.variant]
    ground, second, third = (rgb(c) for c in codes)
    if canvas.tint is not None:
        second, third = second * canvas.tint / ground, third * canvas.tint / ground
        ground = canvas.tint
    a, b = _PATTERNS[canvas.variant % 5](canvas)
    fibre = fbm(rng, n, canvas.cycles(0.004), n / 2, 0.2)
    fleck = fbm(rng, n, canvas.cycles(0.10), canvas.cycles(0.012), 0.8)
    fade = fbm(rng, n, 1, canvas.cycles(0.05), 1.2)
    colour = mix(flat(n, ground), np.clip(second, 0, 1), a)
    colour = mix(colour, np.clip(third, 0, 1), b)
    colour = shade(colour, 0.02 * fibre + 0.018 * fade + 0.016 * fleck)
    scuffs = spots(rng, n, int(420 * canvas.tile_m**2), (canvas.px(0.0015), canvas.px(0.0055)))
    colour = shade(
        colour, np.float32(-0.26 * np.clip(0.9 / max(float(ground.mean()), 0.05), 1.0, 2.2)) * scuffs
    )
    seam = canvas.px(0.53)
    x = np.arange(n) % seam
    colour = shade(
        colour,
        np.broadcast_to(np.where(x < max(1.0, canvas.px(0.0012)), -0.12, 0), (n, n)).astype(np.float32),
    )
    height = 8e-5 * blur(a + b, 1.0) + 1e-5 * fibre
    return Paint(colour, height.astype(np.float32), np.clip(0.75 - 0.2 * b, 0.3, 1).astype(np.float32))


def _damask(canvas: Canvas) -> tuple[Field, Field]:
    n = canvas.n
    x, y = coordinates(n)
    row = np.floor(y * 6)
    u = np.abs(((x * 6 + 0.5 * (row % 2)) % 1) - 0.5) * 2
    v = (y * 6) % 1 * 2 - 1
    r, a = np.hypot(u, v), np.arctan2(v, u)
    soft = 14 / n * 6
    petal = 0.62 + 0.16 * np.cos(6 * a) + 0.10 * np.cos(14 * a + 1)
    body = smoothstep(soft, -soft, r - petal) * smoothstep(-soft, soft, np.abs(r - petal * 0.62) - 0.05)
    heart = smoothstep(soft, -soft, r - 0.26 - 0.08 * np.cos(10 * a))
    stem = smoothstep(soft, -soft, np.abs(u - 0.88 + 0.12 * np.cos(np.pi * v)) - 0.035)
    return np.maximum(body, stem), heart


def _trellis(canvas: Canvas) -> tuple[Field, Field]:
    n = canvas.n
    x, y = coordinates(n)
    p = np.abs(((x + y) * 10) % 1 - 0.5) * 2
    q = np.abs(((x - y) * 10) % 1 - 0.5) * 2
    soft = 22 / n
    lattice = np.maximum(smoothstep(0.1 + soft, 0.1 - soft, p), smoothstep(0.1 + soft, 0.1 - soft, q))
    inner = np.hypot(p - 1, q - 1)
    return lattice, smoothstep(0.2 + soft, 0.2 - soft, inner) + smoothstep(
        soft, -soft, np.abs(inner - 0.4) - 0.04
    )


def _stripes(canvas: Canvas) -> tuple[Field, Field]:
    n = canvas.n
    x, _ = coordinates(n)
    edge = 24 / n
    wide = smoothstep(0.5 - edge, 0.5 + edge, np.abs((x * 12) % 1 * 2 - 1)) * np.ones((n, n), np.float32)
    thin = smoothstep(0.06, 0.03, np.abs((x * 12) % 1 - 0.25)) * np.ones((n, n), np.float32)
    damp = 0.7 + 0.15 * np.clip(fbm(canvas.rng, n, 20, n / 3, 0.5), -2, 2)
    return wide * damp, thin * damp


def _leaves(canvas: Canvas) -> tuple[Field, Field]:
    first, second = _strewn(canvas, 130, 0.075), _strewn(canvas, 110, 0.045)
    return first, second


def _strewn(canvas: Canvas, count: int, length_m: float) -> Field:
    """Lens-shaped leaves with a rib, turned at random."""
    rng, n = canvas.rng, canvas.n
    field = np.zeros((n, n), np.float32)
    for cx, cy, angle, scale in zip(
        rng.random(count) * n,
        rng.random(count) * n,
        rng.random(count) * 2 * np.pi,
        rng.uniform(0.6, 1.2, count),
        strict=True,
    ):
        half = canvas.px(length_m) * scale
        reach = int(half) + 2
        xs, ys = (
            np.arange(int(cx) - reach, int(cx) + reach + 1),
            np.arange(int(cy) - reach, int(cy) + reach + 1),
        )
        dx, dy = (xs - cx)[None, :] / half, (ys - cy)[:, None] / half
        u, v = dx * np.cos(angle) + dy * np.sin(angle), dy * np.cos(angle) - dx * np.sin(angle)
        inside = 0.30 * (1 - u * u) - np.abs(v)
        leaf = np.clip(inside * half + 0.5, 0, 1) * np.clip(np.abs(v) * half * 0.8 + 0.25, 0.15, 1)
        rib = np.clip(np.abs((u * 5 + np.abs(v) * 5) % 1 - 0.5) * 6, 0.55, 1)
        where = np.ix_(ys % n, xs % n)
        field[where] = np.maximum(field[where], (leaf * rib).astype(np.float32))
    return field


def _dots(canvas: Canvas) -> tuple[Field, Field]:
    n = canvas.n
    x, y = coordinates(n)
    row = np.floor(y * 20)
    r = np.hypot((x * 20 + 0.5 * (row % 2)) % 1 - 0.5, (y * 20) % 1 - 0.5)
    soft = 20 / n
    big = smoothstep(0.24 + soft, 0.24 - soft, r)
    return big - 0.6 * smoothstep(0.15 + soft, 0.15 - soft, r), smoothstep(0.09 + soft, 0.09 - soft, r)


_PATTERNS = (_damask, _leaves, _stripes, _trellis, _dots)
