"""Leaves, bark, soil, cork, cardboard, food."""

from __future__ import annotations

import numpy as np

from veridical.assets.surfaces.noise import blur, coordinates, fbm, smoothstep, spots, unit, worley
from veridical.assets.surfaces.recipe import Canvas, Paint, flat, mix, ramp, rgb, shade


def foliage(canvas: Canvas) -> Paint:
    """Leaf skin: ribs at an angle from a midrib (u = 0.5), cells, spots and yellowing."""
    rng, n = canvas.rng, canvas.n
    x, y = coordinates(n)
    hue = (("1f3d1a", "3b6b2c", "6a9a45"), ("24422c", "47734a", "86a878"), ("2c4a17", "5a7d26", "a3b54e"))
    bend = 0.005 * fbm(rng, n, 2, 12, 1.8)
    away = np.abs(x - 0.5) + bend
    rib = np.abs((y * 14 + away * 14) % 1 - 0.5) * 2
    ribs = smoothstep(0.86, 0.98, rib)
    midrib = smoothstep(0.014, 0.004, np.abs(x - 0.5 + bend))
    first, second, _ = worley(rng, n, min(64, n // 5), 1.0)
    net = 1 - smoothstep(0.0, 0.14, second - first)
    cloud = fbm(rng, n, 1, 40, 1.3)
    colour = ramp(0.45 + 0.16 * cloud, *hue[canvas.variant % 3])
    blotch = smoothstep(1.2, 2.4, fbm(rng, n, 3, 40, 1.0))
    colour = mix(colour, rgb("9a8a3a"), 0.5 * blotch)
    colour = mix(colour, rgb("b9cf92"), np.clip(0.35 * ribs + 0.6 * midrib + 0.14 * net, 0, 0.8))
    colour = mix(colour, rgb("4d3b22"), 0.6 * spots(rng, n, 40, (canvas.px(0.0005), canvas.px(0.002))))
    height = 4e-4 * (1 - rib) + 1e-4 * net - 3e-4 * midrib
    return Paint(colour, height.astype(np.float32), np.clip(0.42 + 0.06 * cloud, 0.2, 0.8))


def bark(canvas: Canvas) -> Paint:
    """Long upright plates between dark furrows, with lichen."""
    rng, n = canvas.rng, canvas.n
    bend = (0.016 * fbm(rng, n, 2, 60, 1.3), 0.03 * fbm(rng, n, 2, 30, 1.4))
    first, second, which = worley(rng, n, 12, 1.0, bend, rows=4)
    plate = smoothstep(0.0, 0.32, second - first)
    fine = fbm(rng, n, 20, n / 2, 0.8, stretch_y=3.5)
    flake = fbm(rng, n, 6, 120, 1.1, stretch_y=2)
    tone = rng.normal(0, 0.05, 48).astype(np.float32)[which]
    colour = ramp(
        0.1 + 0.52 * plate + 0.09 * fine + 0.07 * flake + tone, "1c1511", "453529", "72604d", "9c8a74"
    )
    lichen = smoothstep(1.2, 2.0, fbm(rng, n, 4, 60, 1.0)) * plate
    colour = mix(colour, rgb("93a07f"), 0.55 * lichen)
    return Paint(colour, (5e-3 * plate + 5e-4 * fine + 6e-4 * flake).astype(np.float32), 0.92)


def soil(canvas: Canvas) -> Paint:
    """Crumbs of potting soil with pale grit."""
    rng, n = canvas.rng, canvas.n
    height = np.zeros((n, n), np.float32)
    tone = np.zeros((n, n), np.float32)
    for size_m, weight in ((0.012, 1.0), (0.005, 0.5)):
        cells = min(n // 4, round(canvas.tile_m / size_m))
        first, _, which = worley(rng, n, cells, 1.0)
        height += weight * np.clip(0.9 - first, 0, 1)
        tone += weight * rng.normal(0, 0.5, cells * cells).astype(np.float32)[which]
    fine = fbm(rng, n, canvas.cycles(0.004), n / 2, 0.3)
    colour = ramp(0.1 + 0.4 * height + 0.14 * tone + 0.05 * fine, "130d09", "2e2119", "4a3729", "6b543f")
    grit = spots(rng, n, int(1500 * canvas.tile_m**2), (canvas.px(0.0008), canvas.px(0.003)))
    colour = mix(colour, rgb("d9d2c4"), 0.8 * grit)
    return Paint(colour, (4e-3 * height + 1e-3 * grit).astype(np.float32), 0.97, specular=0.2)


def cork(canvas: Canvas) -> Paint:
    """Pressed granules."""
    rng, n = canvas.rng, canvas.n
    cells = min(n // 4, round(canvas.tile_m / 0.006))
    bend = (0.25 / cells * fbm(rng, n, cells, cells * 4, 1), 0.25 / cells * fbm(rng, n, cells, cells * 4, 1))
    first, second, which = worley(rng, n, cells, 1.0, bend)
    tone = rng.normal(0, 1, cells * cells).astype(np.float32)[which]
    fine = fbm(rng, n, canvas.cycles(0.003), n / 2, 0.4)
    colour = ramp(0.52 + 0.17 * tone + 0.06 * fine, "5e3f24", "95683d", "bb8d5a", "d8b483")
    seam = 1 - smoothstep(0.0, 0.12, second - first)
    holes = spots(rng, n, int(700 * canvas.tile_m**2), (canvas.px(0.0006), canvas.px(0.0025)))
    colour = shade(colour, -0.22 * seam - 0.6 * holes)
    return Paint(colour, (-2e-4 * seam - 6e-4 * holes + 3e-5 * fine).astype(np.float32), 0.9, specular=0.3)


def cardboard(canvas: Canvas) -> Paint:
    """Kraft liner over flutes, with fibres and scuffs."""
    rng, n = canvas.rng, canvas.n
    _, y = coordinates(n)
    flute = np.cos(2 * np.pi * y * round(canvas.tile_m / 0.007)).astype(np.float32)
    fibre = fbm(rng, n, canvas.cycles(0.01), n / 2, 0.4, stretch_x=3)
    cloud = fbm(rng, n, 1, canvas.cycles(0.02), 1.3)
    bits = spots(rng, n, int(1200 * canvas.tile_m**2), (canvas.px(0.0005), canvas.px(0.0016)), 2.5)
    scuff = blur(spots(rng, n, int(25 * canvas.tile_m**2), (canvas.px(0.003), canvas.px(0.012)), 3.0), 1.5)
    base = canvas.pick("b58d60", "a97f52", "c09a6e")
    colour = shade(flat(n, base), 0.018 * flute + 0.045 * fibre + 0.03 * cloud - 0.35 * bits + 0.14 * scuff)
    return Paint(
        colour,
        (4e-5 * flute + 1e-5 * fibre).astype(np.float32),
        np.clip(0.85 + 0.02 * cloud, 0, 1),
        specular=0.3,
    )


def paper(canvas: Canvas) -> Paint:
    """Plain paper with fibres, faint folds and foxing."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("f3f1ea", "efe9da", "f6f5f2", "e8dfc8")
    fibre = fbm(rng, n, canvas.cycles(0.004), n / 2, 0.5)
    cloud = fbm(rng, n, 1, canvas.cycles(0.01), 1.3)
    fox = spots(rng, n, int(180 * canvas.tile_m**2), (canvas.px(0.0006), canvas.px(0.003)))
    colour = mix(shade(flat(n, base), 0.014 * fibre + 0.015 * cloud), rgb("b79a68"), 0.4 * fox)
    return Paint(colour, (8e-6 * fibre + 6e-5 * cloud).astype(np.float32), 0.88, specular=0.3)


def food(canvas: Canvas) -> Paint:
    """Skins and crusts by variant: apple, orange, bread, lemon, aubergine, cheese."""
    painters = (_apple, _orange, _bread, _lemon, _aubergine, _cheese)
    return painters[canvas.variant % len(painters)](canvas)


def _apple(canvas: Canvas) -> Paint:
    rng, n = canvas.rng, canvas.n
    streak = fbm(rng, n, 4, 200, 0.8, stretch_y=9)
    blush = fbm(rng, n, 1, 3, 2.0)
    dots = spots(rng, n, 420, (max(0.6, n / 500), n / 190))
    colour = ramp(0.62 + 0.09 * streak + 0.16 * blush, "d0b85a", "c8623a", "a92a22", "7d171b")
    return Paint(mix(colour, rgb("e6cf8f"), 0.6 * dots), None, np.clip(0.25 + 0.05 * blush, 0.1, 0.6))


def _pitted(canvas: Canvas, *codes: str) -> Paint:
    rng, n = canvas.rng, canvas.n
    first, _, _ = worley(rng, n, min(n // 4, 46), 0.95)
    pit = smoothstep(0.42, 0.05, first) * unit(fbm(rng, n, 10, 60, 0.5) + 0.8)
    cloud = fbm(rng, n, 1, 30, 1.4)
    colour = shade(ramp(0.5 + 0.2 * cloud, *codes), -0.13 * pit)
    return Paint(colour, (-2.5e-4 * pit).astype(np.float32), 0.36)


def _orange(canvas: Canvas) -> Paint:
    return _pitted(canvas, "d3701a", "e5861f", "f0a03a")


def _lemon(canvas: Canvas) -> Paint:
    return _pitted(canvas, "cfa91c", "e8c62c", "f2dc5c")


def _bread(canvas: Canvas) -> Paint:
    rng, n = canvas.rng, canvas.n
    crust = fbm(rng, n, 2, 120, 1.3)
    split = 1 - smoothstep(0, 0.14, np.abs(fbm(rng, n, 2, 20, 1.8)))
    flour = smoothstep(0.7, 2.0, fbm(rng, n, 3, 200, 0.9))
    colour = mix(ramp(0.5 + 0.2 * crust, "6b3a1a", "9c5f2c", "c48a4a", "e0b678"), rgb("e9cf9f"), 0.6 * split)
    colour = mix(colour, rgb("f0e6d4"), 0.45 * flour)
    return Paint(colour, (2.5e-4 * crust - 3e-4 * split).astype(np.float32), 0.85)


def _aubergine(canvas: Canvas) -> Paint:
    rng, n = canvas.rng, canvas.n
    cloud = fbm(rng, n, 1, 60, 1.4, stretch_y=3)
    return Paint(
        ramp(0.4 + 0.2 * cloud, "1a0f1f", "2c1733", "4a2a50"),
        None,
        np.clip(0.2 + 0.04 * unit(cloud), 0.1, 0.5),
    )


def _cheese(canvas: Canvas) -> Paint:
    rng, n = canvas.rng, canvas.n
    cloud = fbm(rng, n, 1, 90, 1.2)
    holes = spots(rng, n, 60, (n / 200, n / 24))
    colour = shade(ramp(0.5 + 0.2 * cloud, "d9a93f", "e8c05a", "f0d47f"), -0.35 * holes)
    return Paint(colour, (-2e-3 * holes).astype(np.float32), 0.5)
