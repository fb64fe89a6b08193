"""Walls and stones: plaster, paint, concrete, brick, tiles, terrazzo, marble."""

from __future__ import annotations

import numpy as np

from veridical.assets.surfaces import tilings
from veridical.assets.surfaces.noise import Field, blur, cracks, fbm, smoothstep, spots, unit, warp, worley
from veridical.assets.surfaces.recipe import Canvas, Paint, flat, mix, ramp, rgb, shade

_WALLS = ("ece7dc", "e8e4de", "ddd3c0", "d3d8d6", "cdd3c6", "e6d5c3", "d9c7b0", "c6ced6", "e9dfd3", "cfc4bb")


def _aged(canvas: Canvas, colour: Field, strength: float) -> Field:
    """What years do to a wall: cloudy tone, mineral specks, rubbed spots, faint drips.

    The cloud and mottle from 1 to 15 cm are what a camera across the room tracks; the specks serve near ones.
    """
    rng, n = canvas.rng, canvas.n
    area = canvas.tile_m**2
    cloud = fbm(rng, n, 1.0, canvas.cycles(0.10), 1.2)
    mottle = fbm(rng, n, canvas.cycles(0.18), canvas.cycles(0.014), 0.8)
    patchy = smoothstep(0.5, 1.5, fbm(rng, n, canvas.cycles(0.25), canvas.cycles(0.012), 0.95))
    strength *= float(np.clip(1.0 / max(float(colour.mean()), 0.05), 1.0, 2.8))
    gain = 0.009 * cloud + 0.016 * mottle - 0.022 * patchy
    colour = shade(colour, np.float32(strength) * gain)
    specks = spots(rng, n, int(430 * area), (canvas.px(0.0015), canvas.px(0.0055)), 1.3)
    pale = spots(rng, n, int(190 * area), (canvas.px(0.002), canvas.px(0.008)))
    streak = spots(rng, n, int(8 * area), (canvas.px(0.001), canvas.px(0.0022)), 16.0)
    mean = colour.mean((0, 1))
    colour = mix(colour, mean * np.float32(0.62), np.float32(0.52 * strength) * specks)
    colour = mix(colour, np.minimum(mean * np.float32(1.13), 1), np.float32(0.6 * strength) * pale)
    return shade(colour, np.float32(-0.08 * strength) * streak)


def plaster(canvas: Canvas) -> Paint:
    """Trowelled lime plaster: overlapping sweeps, pits, hairline cracks."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick(*_WALLS)
    big = fbm(rng, n, 2, canvas.cycles(0.15), 1.8)
    bend = (0.05 * fbm(rng, n, 2, 10, 1.8), 0.05 * fbm(rng, n, 2, 10, 1.8))
    sweep = warp(fbm(rng, n, canvas.cycles(0.25), canvas.cycles(0.008), 1.25, stretch_x=3.2), *bend)
    cross = warp(fbm(rng, n, canvas.cycles(0.2), canvas.cycles(0.01), 1.25, stretch_y=3.0), bend[1], bend[0])
    sweeps = np.maximum(sweep, cross)
    ridge = 1 - np.abs(warp(fbm(rng, n, canvas.cycles(0.3), canvas.cycles(0.02), 1.5, stretch_x=2), *bend))
    ridge = smoothstep(0.86, 1.0, ridge)
    sand = fbm(rng, n, canvas.cycles(0.006), n / 2, 0.3)
    pits = spots(rng, n, int(150 * canvas.tile_m**2), (canvas.px(0.0012), canvas.px(0.004)))
    crack = cracks(rng, n, 4, 0.02, 0.10)
    colour = shade(flat(n, base), 0.014 * sweeps + 0.008 * big + 0.010 * sand + 0.018 * ridge)
    colour = shade(_aged(canvas, colour, 0.8), -0.20 * crack - 0.16 * pits)
    height = 1.5e-4 * sweeps + 4e-4 * big + 1.2e-4 * ridge + 2.0e-5 * sand - 3e-4 * pits - 3e-4 * crack
    return Paint(colour, height.astype(np.float32), np.clip(0.86 + 0.04 * sweeps, 0.6, 1))


def paint(canvas: Canvas) -> Paint:
    """Emulsion on a wall: roller stipple or woodchip paper, with the marks of use."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick(*_WALLS)
    stipple = fbm(rng, n, canvas.cycles(0.014), canvas.cycles(0.004), 0.3)
    lap = fbm(rng, n, canvas.cycles(0.4), canvas.cycles(0.02), 1.2, stretch_y=5)
    height = 6e-5 * stipple + 1.5e-4 * lap
    colour = shade(flat(n, base), 0.011 * stipple + 0.010 * lap)
    if canvas.variant % 2 == 1:
        chips = _woodchips(canvas)
        height = height + np.float32(5e-4) * blur(chips, 0.8)
        step = max(1, round(canvas.px(0.0025)))
        colour = shade(colour, 0.10 * (chips - np.roll(chips, (-step, -step), (0, 1))))
    colour = _aged(canvas, colour, 0.9)
    return Paint(colour, height.astype(np.float32), np.clip(0.72 + 0.03 * lap, 0.5, 1))


def whitewash(canvas: Canvas) -> Paint:
    """Emulsion on a ceiling: roller stipple, hardly a mark."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("f2f0eb", "efeee9")
    stipple = fbm(rng, n, canvas.cycles(0.014), canvas.cycles(0.004), 0.3)
    colour = _aged(canvas, shade(flat(n, base), 0.012 * stipple), 0.4)
    return Paint(colour, (6e-5 * stipple).astype(np.float32), 0.85)


def _woodchips(canvas: Canvas) -> Field:
    """The grains of woodchip paper: small flat chips, long ones both ways, thinner here and there."""
    rng, n = canvas.rng, canvas.n
    chip = fbm(rng, n, canvas.cycles(0.03), canvas.cycles(0.004), 0.2, stretch_x=1.7)
    turned = fbm(rng, n, canvas.cycles(0.03), canvas.cycles(0.004), 0.2, stretch_y=1.7)
    density = 0.25 * fbm(rng, n, 3, canvas.cycles(0.08), 1.0)
    return smoothstep(1.45, 1.75, np.maximum(chip, turned) + density)


def concrete(canvas: Canvas) -> Paint:
    """Cast concrete: clouds, blow holes, sand, cracks, stains."""
    rng, n = canvas.rng, canvas.n
    cloud = fbm(rng, n, 1, canvas.cycles(0.01), 1.3)
    stain = fbm(rng, n, 2, canvas.cycles(0.05), 1.1)
    sand = fbm(rng, n, canvas.cycles(0.008), n / 2, 0.1)
    holes = spots(rng, n, int(240 * canvas.tile_m**2), (canvas.px(0.001), canvas.px(0.007)))
    crack = cracks(rng, n, 3, 0.015, 0.3)
    colour = ramp(0.5 + 0.13 * cloud + 0.05 * sand, "6f6d69", "8b8984", "a09d97", "b7b4ae")
    colour = shade(colour, -0.10 * smoothstep(0.6, 2.0, stain) - 0.55 * holes - 0.5 * crack)
    light = spots(rng, n, int(120 * canvas.tile_m**2), (canvas.px(0.002), canvas.px(0.009)))
    colour = mix(colour, rgb("cfccc4"), 0.4 * light)
    height = 2e-4 * cloud + 3e-5 * sand - 1.2e-3 * holes - 8e-4 * crack
    return Paint(colour, height.astype(np.float32), np.clip(0.78 + 0.05 * cloud, 0.5, 1))


def brick(canvas: Canvas) -> Paint:
    """Fired bricks in running bond with sandy mortar; some variants are whitewashed."""
    rng, n = canvas.rng, canvas.n
    bend = (0.0018 * fbm(rng, n, 4, 60, 1.2), 0.0018 * fbm(rng, n, 4, 60, 1.2))
    t = tilings.rows(rng, n, 16, 5, 0.5 if canvas.variant % 3 != 2 else None, 0.1)
    edge = warp(t.edge, *bend) * np.float32(canvas.tile_m)
    body = smoothstep(0.0045, 0.0075, edge)
    tone = rng.normal(0.5, 0.2, t.count).astype(np.float32)[t.piece]
    spot = fbm(rng, n, canvas.cycles(0.12), canvas.cycles(0.003), 1.0)
    sand = fbm(rng, n, canvas.cycles(0.006), n / 2, 0.2)
    reds = (("5a2d22", "8e4a36", "a65d45", "bd7a5e"), ("6b4a38", "94674c", "b08564", "c9a585"))
    colour = ramp(tone + 0.14 * spot, *reds[canvas.variant % 2])
    pits = spots(rng, n, int(700 * canvas.tile_m**2), (canvas.px(0.0012), canvas.px(0.005)))
    burnt = rng.random(t.count) < 0.12
    colour = shade(colour, -0.35 * burnt[t.piece] + 0.05 * sand - 0.4 * pits)
    mortar = shade(flat(n, rgb("b9b1a4")), 0.09 * sand + 0.05 * spot)
    colour = mix(mortar, colour, body)
    if canvas.variant % 4 == 3:
        wash = flat(n, canvas.pick("e9e5dc", "dcd8ce"))
        cover = smoothstep(-1.6, -0.2, spot + 0.5 * fbm(rng, n, 2, 30, 1.2)) * np.float32(0.93)
        colour = mix(colour, shade(wash, 0.03 * spot - 0.12 * (1 - body)), cover)
    profile = smoothstep(0.002, 0.012, edge)
    height = 6e-3 * profile + 3e-4 * spot * body + 1.2e-4 * sand - 1e-3 * pits * body
    return Paint(colour, height.astype(np.float32), np.clip(0.85 + 0.04 * spot, 0.5, 1))


def tiles(canvas: Canvas) -> Paint:
    """Glazed tiles with grout: plain, stone-like, patterned or long ones, by variant."""
    rng, n = canvas.rng, canvas.n
    style = canvas.variant % 4
    t = tilings.rows(rng, n, *((6, 6, 0.0), (4, 4, 0.0), (8, 8, 0.0), (12, 6, 0.5))[style])
    pixel = canvas.tile_m / n
    edge = t.edge * np.float32(canvas.tile_m)
    body = smoothstep(0.0012, 0.0018 + pixel, edge)
    tone = rng.normal(0, 1, t.count).astype(np.float32)[t.piece]
    cloud = tilings.sample(fbm(rng, n, 3, canvas.cycles(0.005), 1.3), t, rng)
    fleck = spots(rng, n, int(650 * canvas.tile_m**2), (canvas.px(0.001), canvas.px(0.004)))
    base = canvas.pick("dfddd6", "c9c6bd", "b6bcbc", "e6e2d8", "a9b7b4", "cdbfae")
    if style == 1:
        vein = np.abs(tilings.sample(fbm(rng, n, 2, canvas.cycles(0.004), 1.35), t, rng))
        colour = shade(
            flat(n, base * 0.86), 0.05 * cloud + 0.05 * tone - 0.20 * (1 - smoothstep(0, 0.16, vein))
        )
    elif style == 2:
        colour = _ornament(canvas, t, base)
        colour = shade(colour, 0.03 * tone + 0.025 * cloud)
    else:
        colour = shade(flat(n, base), 0.035 * tone + 0.025 * cloud)
    gain = float(np.clip(0.95 / max(float(base.mean()), 0.05), 1.0, 2.2))
    pale = spots(rng, n, int(260 * canvas.tile_m**2), (canvas.px(0.001), canvas.px(0.0035)))
    colour = shade(colour, np.float32(gain) * (0.2 * pale - 0.32 * fleck + 0.012 * cloud))
    dirt = fbm(rng, n, 3, canvas.cycles(0.01), 1.0)
    grout = shade(flat(n, rgb(("9c978d", "84807a", "a8a196", "c4c0b8")[style])), 0.10 * dirt)
    colour = mix(grout, colour, body)
    height = 1.2e-3 * smoothstep(0.0005, 0.004 + pixel, edge) + 2.5e-5 * cloud
    rough = np.where(body > 0.5, np.float32(0.14 if style != 1 else 0.34) + 0.02 * np.abs(dirt), 0.85)
    return Paint(colour, height.astype(np.float32), np.clip(rough, 0.05, 1).astype(np.float32))


def _ornament(canvas: Canvas, t: tilings.Tiling, base: Field) -> Field:
    """Cement tiles with a star and quarter circles."""
    n = canvas.n
    size = np.float32(1 / 8)
    u, v = t.along / size * 2 - 1, t.across / size * 2 - 1
    a, b = np.abs(u), np.abs(v)
    corner = np.hypot(1 - a, 1 - b)
    dark = rgb(("2f4858", "5b3a35", "3c4a3e", "44424a")[canvas.variant // 4 % 4])
    accent = rgb(("b5654a", "c39a55", "7d9aa0", "a05f5f")[canvas.variant // 4 % 4])
    soft = 6 / (n / 8)
    star = smoothstep(soft, -soft, np.minimum(a, b) * 2.2 + np.maximum(a, b) - 0.82)
    ring = smoothstep(soft, -soft, np.abs(corner - 0.62) - 0.1)
    core = smoothstep(soft, -soft, corner - 0.3)
    colour = mix(flat(n, base), dark, ring)
    colour = mix(colour, accent, core)
    return mix(colour, dark, star)


def terrazzo(canvas: Canvas) -> Paint:
    """Polished chips of stone in cement, in two sizes."""
    rng, n = canvas.rng, canvas.n
    bind = canvas.pick("d9d5cc", "c8c7c3", "b9bab6", "e2dcd0", "8f918e")
    cloud = fbm(rng, n, 2, canvas.cycles(0.02), 1.2)
    colour = shade(flat(n, bind), 0.02 * cloud)
    stones = np.stack(
        [rgb(c) for c in ("f1ede4", "8c8378", "5d5650", "b79a7c", "a1614b", "cfc7b8", "6e7a78", "37342f")]
    )
    for size_m, share in ((0.011, 0.45), (0.03, 0.3)):
        cells = max(4, round(canvas.tile_m / size_m))
        bend = 0.18 / cells
        shift = (bend * fbm(rng, n, cells, cells * 4, 1), bend * fbm(rng, n, cells, cells * 4, 1))
        first, second, which = worley(rng, n, cells, 1.0, shift)
        count = cells * cells
        there = (rng.random(count) < share)[which]
        size = rng.uniform(0.15, 0.45, count).astype(np.float32)[which]
        soft = 1.2 * cells / n
        chip = there * smoothstep(-soft, soft, np.minimum(second - first - 0.12, size - first))
        tints = stones[rng.integers(len(stones), size=count)] * rng.normal(1, 0.06, (count, 1)).astype(
            np.float32
        )
        colour = colour + (tints[which] - colour) * chip[..., None]
    fine = spots(rng, n, int(900 * canvas.tile_m**2), (canvas.px(0.0008), canvas.px(0.002)))
    colour = shade(colour, -0.3 * fine)
    return Paint(colour.astype(np.float32), None, np.clip(0.22 + 0.03 * cloud, 0.1, 0.5))


def marble(canvas: Canvas) -> Paint:
    """Polished marble: clouds, branching veins of several widths."""
    rng, n = canvas.rng, canvas.n
    style = canvas.variant % 4
    ground, soft, vein = (
        ("f0eeea", "d8d5d0", "7d7973"),
        ("262523", "3a3834", "d9d2c4"),
        ("e9dfd0", "d8c6ab", "9a7a55"),
        ("4c6355", "3a5044", "cfd9cc"),
    )[style]
    bend = (0.10 * fbm(rng, n, 1, 30, 1.7), 0.10 * fbm(rng, n, 1, 30, 1.7))
    cloud = warp(fbm(rng, n, 1, 60, 1.6), *bend)
    colour = mix(flat(n, rgb(ground)), rgb(soft), unit(cloud) ** 1.5)
    total = np.zeros((n, n), np.float32)
    for low, width, strength in ((1.0, 0.03, 0.95), (2.0, 0.035, 0.6), (4.0, 0.05, 0.4), (9.0, 0.08, 0.25)):
        line = np.abs(warp(fbm(rng, n, low, low * 40, 1.75), *bend))
        presence = unit(fbm(rng, n, 1.5, 12, 1.4)) ** 1.3
        total = np.maximum(total, strength * presence * (1 - smoothstep(0, width, line)))
        total = np.maximum(total, 0.35 * strength * presence * (1 - smoothstep(0, width * 5, line)))
    colour = mix(colour, rgb(vein), total)
    fine = fbm(rng, n, canvas.cycles(0.01), n / 2, 0.4)
    crystal = spots(rng, n, int(420 * canvas.tile_m**2), (canvas.px(0.0012), canvas.px(0.004)))
    colour = mix(colour, rgb(vein), 0.5 * crystal)
    return Paint(shade(colour, 0.012 * fine), None, np.clip(0.14 + 0.05 * total, 0.08, 0.5))


def stone(canvas: Canvas) -> Paint:
    """Speckled granite or bedded sandstone, by variant."""
    rng, n = canvas.rng, canvas.n
    if canvas.variant % 2 == 0:
        first, _, which = worley(rng, n, max(8, min(n // 5, round(canvas.tile_m / 0.006))), 1.0)
        palette = np.stack([rgb(c) for c in ("d9d4cc", "b3aca2", "8a847b", "3b3937", "c4a692", "6b655f")])
        share = rng.choice(6, size=int(which.max()) + 1, p=(0.28, 0.26, 0.16, 0.12, 0.1, 0.08))
        fine = fbm(rng, n, canvas.cycles(0.004), n / 2, 0.3)
        cloud = fbm(rng, n, 1, canvas.cycles(0.04), 1.2)
        colour = shade(palette[share][which].astype(np.float32), 0.06 * fine + 0.05 * cloud)
        return Paint(colour, None, np.clip(0.25 + 0.1 * first, 0.1, 0.6))
    bend = (np.zeros((n, n), np.float32), 0.008 * fbm(rng, n, 1, 20, 1.7))
    bed = warp(fbm(rng, n, 2, n / 2, 1.0, stretch_x=9), *bend)
    sand = fbm(rng, n, canvas.cycles(0.006), n / 2, 0.2)
    colour = ramp(0.5 + 0.16 * bed + 0.06 * sand, "8d6f4f", "b3946b", "cdb288", "dfcba6")
    pits = spots(rng, n, int(300 * canvas.tile_m**2), (canvas.px(0.001), canvas.px(0.006)))
    height = 3e-4 * bed + 6e-5 * sand - 1e-3 * pits
    return Paint(shade(colour, -0.35 * pits), height.astype(np.float32), 0.85)
