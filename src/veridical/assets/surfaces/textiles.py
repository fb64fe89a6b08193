"""Cloth, rugs, carpet, leather and foam."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.assets.surfaces.noise import Field, blur, coordinates, fbm, smoothstep, spots, worley
from veridical.assets.surfaces.recipe import Canvas, Paint, flat, mix, rgb, shade

_CLOTH = ("8a8f93", "5c6b73", "a39882", "7b4f45", "59654d", "c2b49a", "37474f", "b07d4f", "4a4e69", "9aa5a0")
_PALETTES = (
    ("7a1f2b", "1f3a34", "e8dcc0", "d9a441"),
    ("20344f", "e9e4d8", "8c2f39", "5f7d95"),
    ("3c4a3e", "c9b88f", "7d5a3c", "ece5d3"),
    ("3a3a3c", "d8d5cf", "8a8a8c", "a8442f"),
    ("5b4a68", "d9c7c0", "8f7aa0", "3b2f44"),
    ("1d4e5f", "efe6d2", "e0913f", "6fa3a0"),
)


@dataclass(frozen=True, eq=False)
class Weave:
    """Two sets of yarns over and under each other; per pixel (n, n).

    Attributes:
        warp_on_top: True where the upright yarn is seen.
        crown: 1 in the middle of the seen yarn where it bulges, falling to 0 at its sides.
        upright: Index of the upright yarn.
        level: Index of the level yarn.
        fibre: Streaks along the seen yarn, unit variance.
    """

    warp_on_top: NDArray[np.bool_]
    crown: Field
    upright: NDArray[np.int32]
    level: NDArray[np.int32]
    fibre: Field


def _weave(canvas: Canvas, yarns: int, twill: int = 1) -> Weave:
    """Plain weave (twill 1) or a twill that floats over `twill` yarns."""
    rng, n = canvas.rng, canvas.n
    x, y = coordinates(n)
    wander = np.float32(0.22)
    gx = x * yarns + wander * fbm(rng, n, 2, yarns / 3, 1.0, stretch_y=4)
    gy = y * yarns + wander * fbm(rng, n, 2, yarns / 3, 1.0, stretch_x=4)
    i, j = np.floor(gx).astype(np.int32), np.floor(gy).astype(np.int32)
    u, v = gx - i - 0.5, gy - j - 0.5
    on_top = (i + j) % (2 * twill) < twill
    thick = (0.75 + 0.5 * rng.random((2, yarns))).astype(np.float32)
    across = np.where(on_top, np.abs(u) / thick[0][i % yarns], np.abs(v) / thick[1][j % yarns])
    along = np.where(on_top, v, u)
    crown = np.sqrt(np.clip(1 - (across * 1.75) ** 2, 0, 1)) * (1 - 0.9 * along * along)
    strand = fbm(rng, n, n / 24, n / 2, 0.4, stretch_y=5)
    strand_across = fbm(rng, n, n / 24, n / 2, 0.4, stretch_x=5)
    fibre = np.where(on_top, strand, strand_across)
    return Weave(on_top, crown.astype(np.float32), i % yarns, j % yarns, fibre.astype(np.float32))


def _yarns(canvas: Canvas, pitch_m: float, multiple: int = 2) -> int:
    """Number of yarns in the tile: a multiple, and at most one yarn per 2.6 pixels."""
    wanted = min(canvas.tile_m / pitch_m, canvas.n / 2.6)
    return max(multiple, round(wanted / multiple) * multiple)


def _cloth(
    canvas: Canvas, weave: Weave, warp_colours: Field, weft_colours: Field, depth_m: float, sheen: float = 0.9
) -> Paint:
    """Cloth of coloured yarns: colours (yarns, 3) for the upright and the level set."""
    rng, n = canvas.rng, canvas.n
    top = weave.warp_on_top[..., None]
    colour = np.where(top, warp_colours[weave.upright], weft_colours[weave.level])
    slub = fbm(rng, n, canvas.cycles(0.08), n / 4, 0.9)
    wear = fbm(rng, n, 1, canvas.cycles(0.02), 1.3)
    lint = spots(rng, n, int(350 * canvas.tile_m**2), (canvas.px(0.0006), canvas.px(0.002)), 2.0)
    gain = 0.42 * (weave.crown - 0.62) + 0.055 * weave.fibre + 0.04 * slub + 0.03 * wear
    colour = mix(shade(colour, gain), np.minimum(colour.mean((0, 1)) + 0.15, 1), 0.3 * lint)
    height = depth_m * weave.crown + 0.06 * depth_m * weave.fibre
    return Paint(colour.astype(np.float32), height.astype(np.float32), np.clip(sheen + 0.04 * wear, 0, 1))


def _dyed(canvas: Canvas, yarns: int, base: Field, spread: float) -> Field:
    """(yarns, 3): one dye, a little different on every yarn."""
    tone = 1 + spread * canvas.rng.standard_normal((yarns, 1))
    return (base * tone).astype(np.float32)


def fabric(canvas: Canvas) -> Paint:
    """Upholstery in plain weave or melange."""
    yarns = _yarns(canvas, 0.0026)
    weave = _weave(canvas, yarns)
    base = canvas.pick(*_CLOTH)
    melange = 0.16 if canvas.variant % 2 else 0.07
    return _cloth(
        canvas, weave, _dyed(canvas, yarns, base, melange), _dyed(canvas, yarns, base * 0.92, melange), 5e-4
    )


def weave(canvas: Canvas) -> Paint:
    """Coarse two-coloured basket weave."""
    yarns = _yarns(canvas, 0.0055, 4)
    base = canvas.pick(*_CLOTH)
    other = np.clip(base * 0.62 + 0.36, 0, 1)
    return _cloth(
        canvas,
        _weave(canvas, yarns, 2),
        _dyed(canvas, yarns, base, 0.1),
        _dyed(canvas, yarns, other, 0.1),
        9e-4,
    )


def linen(canvas: Canvas) -> Paint:
    """Fine natural cloth with slubs."""
    yarns = _yarns(canvas, 0.0016)
    base = canvas.pick("d8cdb8", "e6e0d3", "c3b8a3", "b7bdb9", "dcd3c8", "a9a08f")
    return _cloth(
        canvas,
        _weave(canvas, yarns),
        _dyed(canvas, yarns, base, 0.11),
        _dyed(canvas, yarns, base, 0.11),
        2.5e-4,
    )


def _palette(canvas: Canvas) -> list[NDArray[np.float32]]:
    colours = [rgb(c) for c in _PALETTES[canvas.variant % len(_PALETTES)]]
    if canvas.tint is not None:
        colours[0] = canvas.tint
    return colours


def _bands(canvas: Canvas, yarns: int, colours: list[NDArray[np.float32]], repeats: int) -> Field:
    """(yarns, 3): a symmetric sett of bands, repeated."""
    rng = canvas.rng
    half: list[int] = []
    for width in rng.choice((1, 1, 2, 3, 5, 8), size=6):
        half += [int(rng.integers(len(colours)))] * int(width)
    half = [0] * 8 + half + [1] * 5
    sett = np.array(half + half[::-1])
    place = (np.arange(yarns) * repeats * len(sett) // yarns) % len(sett)
    base = np.stack(colours)[sett[place]]
    bands: Field = (base * (1 + 0.05 * rng.standard_normal((yarns, 1)))).astype(np.float32)
    return bands


def plaid(canvas: Canvas) -> Paint:
    """Tartan twill: the same sett of coloured bands both ways."""
    yarns = _yarns(canvas, 0.0024, 4)
    colours = _palette(canvas)
    bands = _bands(canvas, yarns, colours, 2 + canvas.variant % 2)
    return _cloth(canvas, _weave(canvas, yarns, 2), bands, bands, 3e-4)


def stripes(canvas: Canvas) -> Paint:
    """Upright stripes in plain weave."""
    yarns = _yarns(canvas, 0.0022)
    colours = _palette(canvas)
    bands = _bands(canvas, yarns, colours, 2 + canvas.variant % 3)
    ground = _dyed(canvas, yarns, bands.mean(0), 0.04)
    w = _weave(canvas, yarns)
    mostly_warp = (0.25 * ground + 0.75 * bands.mean(0)).astype(np.float32)
    painted = _cloth(canvas, w, bands, mostly_warp, 3e-4)
    stripe = bands[w.upright]
    shown = mix(painted.albedo, stripe * (0.75 + 0.4 * w.crown)[..., None], np.full_like(w.crown, 0.6))
    return Paint(shown, painted.height_m, painted.roughness)


def velvet(canvas: Canvas) -> Paint:
    """Pile with strokes where it was brushed the other way."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("2f4858", "6b2737", "34513e", "8a6a2f", "5a4a6f", "7d6b5d", "23395b")
    nap = fbm(rng, n, 1.5, canvas.cycles(0.006), 1.3, stretch_y=2.2)
    stroke = np.tanh(0.9 * nap)
    crush = 1 - smoothstep(0.0, 0.10, np.abs(fbm(rng, n, 2, canvas.cycles(0.02), 1.6, stretch_y=1.6)))
    pile = fbm(rng, n, n / 8, n / 2, 0.2)
    tuft = fbm(rng, n, canvas.cycles(0.03), canvas.cycles(0.004), 0.7)
    lint = spots(rng, n, int(500 * canvas.tile_m**2), (canvas.px(0.0006), canvas.px(0.0018)), 2.0)
    gain = 0.12 * stroke + 0.10 * crush + 0.10 * pile + 0.07 * tuft + 0.35 * lint
    height = 2.5e-4 * nap + 4e-5 * pile
    rough = np.clip(0.75 - 0.08 * stroke, 0.3, 1)
    return Paint(shade(flat(n, base), gain), height.astype(np.float32), rough, specular=0.3)


def carpet(canvas: Canvas) -> Paint:
    """Looped or cut pile in flecked yarn."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("8b8378", "6f7478", "a2937d", "5d6b66", "7a6a63", "495461")
    cells = min(n // 4, round(canvas.tile_m / 0.007))
    first, _, which = worley(rng, n, cells, 0.8)
    loop = np.clip(1 - first * 1.25, 0, 1)
    fleck = rng.normal(0, 0.12, cells * cells).astype(np.float32)
    dark = rng.random(cells * cells) < 0.07
    pale = rng.random(cells * cells) < 0.06
    fleck += 0.38 * pale - 0.38 * dark
    cloud = fbm(rng, n, 1, canvas.cycles(0.03), 1.2)
    patch = fbm(rng, n, canvas.cycles(0.12), canvas.cycles(0.015), 0.7)
    fuzz = fbm(rng, n, n / 10, n / 2, 0.2)
    gain = fleck[which] + 0.4 * (loop - 0.55) + 0.04 * cloud + 0.07 * patch + 0.05 * fuzz
    return Paint(
        shade(flat(n, base), gain), (2.5e-3 * loop + 3e-4 * cloud).astype(np.float32), 0.97, specular=0.2
    )


def rug(canvas: Canvas) -> Paint:
    """A hand-knotted all-over pattern that repeats, so that rugs of any size can be cut from it."""
    rng, n = canvas.rng, canvas.n
    colours = _palette(canvas)
    if canvas.variant % 4 == 1:  # the pale ground of Berber rugs
        colours = [rgb("e9e1d0"), rgb("3a3430"), colours[0], rgb("b9a88c")]
    knots = min(400, n // 3)
    index = _rug_pattern(canvas, knots)
    x, y = coordinates(n)
    wob = 0.5 / knots
    gx = ((x + wob * fbm(rng, n, 4, knots, 0.8)) * knots).astype(np.int32) % knots
    gy = ((y + wob * fbm(rng, n, 4, knots, 0.8)) * knots).astype(np.int32) % knots
    tone = (1 + 0.07 * rng.standard_normal((knots, knots, 1))).astype(np.float32)
    abrash = (1 + 0.05 * rng.standard_normal((knots, 1, 1))).astype(np.float32)
    colour = (np.stack(colours)[index] * tone * abrash)[gy, gx]
    u, v = np.abs((x * knots) % 1 - 0.5), np.abs((y * knots) % 1 - 0.5)
    knot = np.clip(1.1 - 3.2 * np.maximum(u, v) ** 2, 0, 1) * np.ones((n, n), np.float32)
    fuzz = fbm(rng, n, n / 12, n / 2, 0.3)
    wear = fbm(rng, n, 1, 24, 1.3)
    colour = shade(colour, 0.2 * (knot - 0.75) + 0.07 * fuzz + 0.05 * wear)
    height = 1.5e-3 * knot + 2e-4 * fuzz
    return Paint(colour.astype(np.float32), height.astype(np.float32), 0.96, specular=0.2)


def _rug_pattern(canvas: Canvas, knots: int) -> NDArray[np.int64]:
    """(knots, knots) palette index, periodic: kilim bands, Berber lozenges, lattice of flowers, patchwork."""
    c = (np.arange(knots) + 0.5) / knots
    x, y = np.meshgrid(c, c)
    style = canvas.variant % 4
    if style == 0:
        return _kilim(x, y)
    if style == 1:
        p, q = np.abs((4 * x + 3 * y) % 1 - 0.5), np.abs((4 * x - 3 * y) % 1 - 0.5)
        line = np.minimum(p, q) < 0.045
        inner = np.maximum(p, q)
        index = np.where(line, 1, 0)
        index[(np.abs(inner - 0.24) < 0.025) & (np.minimum(p, q) > 0.1)] = 2
        index[(p > 0.42) & (q > 0.42)] = 1
        return index
    if style == 2:
        row = np.floor(y * 6)
        u, v = ((x * 6 + 0.5 * (row % 2)) % 1 - 0.5) * 2, (y * 6) % 1 * 2 - 1
        r, a = np.hypot(u, v), np.arctan2(v, u)
        index = np.zeros((knots, knots), np.int64)
        index[np.abs(np.abs(u) + np.abs(v) - 1.15) < 0.09] = 1
        index[r < 0.52 + 0.16 * np.cos(8 * a)] = 2
        index[r < 0.30 + 0.06 * np.cos(8 * a)] = 3
        index[r < 0.12] = 1
        index[np.hypot(np.abs(u) - 0.9, np.abs(v) - 0.85) < 0.16] = 3
        return index
    return _patchwork(canvas.rng, x, y)


def _kilim(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    band = np.floor(y * 8).astype(np.int64)
    v = (y * 8) % 1
    index = np.where(band % 2 == 0, 0, 1)
    zig = np.abs((x * 12) % 1 - 0.5) * 2
    index[(band % 4 == 0) & (np.abs(v - 0.25 - 0.5 * zig) < 0.13)] = 2
    index[(band % 4 == 0) & (np.abs(v - 0.25 - 0.5 * zig) < 0.05)] = 3
    lozenge = np.abs((x * 8) % 1 - 0.5) + np.abs(v - 0.5)
    odd = band % 4 == 1
    index[odd & (lozenge < 0.42)] = 3
    index[odd & (lozenge < 0.28)] = 0
    index[odd & (lozenge < 0.13)] = 2
    step = np.floor(np.abs((x * 6) % 1 - 0.5) * 8) / 4
    index[(band % 4 == 2) & (np.abs(v - 0.5) < 0.42 * step)] = 2
    index[(band % 4 == 2) & (np.abs(v - 0.5) < 0.2 * step)] = 1
    tri = (x * 16) % 1
    index[(band % 4 == 3) & (np.abs(tri - 0.5) * 2 > v)] = 0
    index[(v < 0.05) | (v > 0.95)] = 3
    index[(v < 0.02) | (v > 0.98)] = 1
    return index


def _patchwork(rng: np.random.Generator, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    i, j = (x * 5).astype(int), (y * 5).astype(int)
    u, v = np.abs((x * 5) % 1 - 0.5) * 2, np.abs((y * 5) % 1 - 0.5) * 2
    ground = rng.integers(0, 4, (5, 5))
    other = (ground + rng.integers(1, 4, (5, 5))) % 4
    motif = rng.integers(0, 4, (5, 5))[i, j]
    shape = np.choose(motif, [np.hypot(u, v), np.maximum(u, v), np.abs(u + v) / 1.4, np.maximum(u, v)])
    rings = np.floor(shape * np.where(motif == 3, 7, 5)).astype(int) % 2 == 0
    index: NDArray[np.int64] = np.where(rings, ground[i, j], other[i, j])
    return index


def leather(canvas: Canvas) -> Paint:
    """Pebbled hide with creases and worn crowns."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("5a3a28", "2b2422", "7b4a2d", "8d6a4c", "3d4440", "6b2e26", "b08a63")
    cells = min(n // 4, round(canvas.tile_m / 0.0048))
    bend = (
        0.2 / cells * fbm(rng, n, cells / 2, cells * 3, 1),
        0.2 / cells * fbm(rng, n, cells / 2, cells * 3, 1),
    )
    first, second, which = worley(rng, n, cells, 0.95, bend)
    pebble = smoothstep(0.0, 0.4, second - first)
    crease = 1 - smoothstep(0, 0.09, np.abs(fbm(rng, n, 3, 60, 1.5)))
    crease *= smoothstep(0.2, 1.2, fbm(rng, n, 2, 8, 1.4))
    cloud = fbm(rng, n, 1, canvas.cycles(0.02), 1.3)
    tone = rng.normal(0, 0.07, cells * cells).astype(np.float32)[which]
    scuff = spots(rng, n, int(120 * canvas.tile_m**2), (canvas.px(0.001), canvas.px(0.004)), 2.5)
    colour = shade(flat(n, base), 0.34 * (pebble - 0.7) + 0.07 * cloud + tone - 0.3 * crease)
    colour = mix(colour, np.minimum(base * 1.5 + 0.05, 1), 0.35 * scuff)
    height = 2.2e-4 * pebble - 3e-4 * crease + 1e-4 * cloud
    return Paint(colour, height.astype(np.float32), np.clip(0.52 - 0.1 * pebble + 0.04 * cloud, 0.2, 0.9))


def foam(canvas: Canvas) -> Paint:
    """Open-cell foam."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("e0cf8e", "4a4d52", "8fb0c0", "d8d5cc")
    cells = min(n // 4, round(canvas.tile_m / 0.003))
    first, _, which = worley(rng, n, cells, 1.0)
    depth = smoothstep(0.35, 0.1, first) * (rng.random(cells * cells) < 0.6)[which]
    cloud = fbm(rng, n, 1, canvas.cycles(0.01), 1.2)
    colour = shade(flat(n, base), -0.4 * depth + 0.03 * cloud)
    return Paint(colour, (-8e-4 * blur(depth, 0.7)).astype(np.float32), 0.95, specular=0.2)


def wicker(canvas: Canvas) -> Paint:
    """Basket of split willow: rods over and under upright stakes."""
    rng, n = canvas.rng, canvas.n
    x, y = coordinates(n)
    stakes = 2 * max(2, round(canvas.tile_m / 0.05))
    rods = 2 * max(4, round(canvas.tile_m / 0.022))
    row = np.floor(y * rods).astype(np.int32)
    v = (y * rods) % 1 - 0.5
    # Neighbouring rods swing in front of alternate stakes.
    swing = np.sin(np.pi * (x * stakes + row + 0.5)).astype(np.float32)
    front = 0.5 + 0.5 * swing
    girth = (0.86 + 0.2 * rng.random(rods)).astype(np.float32)[row % rods]
    body = np.sqrt(np.clip(1 - (v * 2 / (girth * (0.78 + 0.22 * front))) ** 2, 0, 1)).astype(np.float32)
    fibre = fbm(rng, n, canvas.cycles(0.02), n / 2, 0.6, stretch_x=14)
    tone = rng.normal(0, 0.13, rods).astype(np.float32)[row % rods]
    stain = fbm(rng, n, 2, 40, 1.2, stretch_x=4)
    base = canvas.pick("b98d56", "a3763f", "8a6238", "cdb083")
    rod = shade(
        flat(n, base), 0.75 * (body * (0.25 + 0.75 * front) - 0.55) + 0.09 * fibre + tone + 0.06 * stain
    )
    u = (x * stakes / 2 + 0.5 * (row % 2) + 0.25) % 1 - 0.5
    post = np.sqrt(np.clip(1 - (u * 5) ** 2, 0, 1)) * (1 - front)
    gap = 1 - smoothstep(0.0, 0.35, body * (0.15 + front))
    colour = mix(rod, rgb("2a1c10"), 0.85 * gap * (1 - post))
    colour = mix(colour, base * 0.75, 0.9 * gap * post)
    height = 4e-3 * body * front + 1.5e-3 * post * gap + 8e-5 * fibre
    return Paint(colour.astype(np.float32), height.astype(np.float32), np.clip(0.6 + 0.05 * fibre, 0.3, 1))
