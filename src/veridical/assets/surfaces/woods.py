"""Wood: growth rings, pores, rays and knots; as boards, planks and parquet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veridical.assets.surfaces import tilings
from veridical.assets.surfaces.noise import Field, coordinates, fbm, smoothstep, spots, unit
from veridical.assets.surfaces.recipe import Canvas, Paint, Painter, mix, ramp, rgb, shade
from veridical.assets.surfaces.tilings import Tiling


@dataclass(frozen=True)
class Species:
    """Colours from early to late wood, and the strength of each feature."""

    early: str
    middle: str
    late: str
    ring_m: float
    contrast: float
    pores: float
    rays: float
    knots_per_m2: float
    knot: str = "3a2416"


OAK = Species("cba981", "b68c62", "8f6a45", 0.007, 0.55, 0.62, 0.5, 2.0, "4a3120")
WALNUT = Species("93694a", "6d4a31", "412a1e", 0.008, 0.72, 1.0, 0.3, 1.5, "24160f")
PINE = Species("e8cb9c", "ddb983", "b9854c", 0.007, 0.68, 0.12, 0.0, 6.0, "7a4a26")
BEECH = Species("d6b491", "caa480", "b48a64", 0.008, 0.42, 0.6, 0.7, 0.4, "6b4a32")
ASH = Species("d8c5a6", "c7ae8b", "a58a66", 0.008, 0.62, 0.6, 0.1, 1.0, "5f4a35")


@dataclass(frozen=True, eq=False)
class Grain:
    """Wood whose fibres run along x: colour (n, n, 3) and relief in metres (n, n)."""

    colour: Field
    height_m: Field


def grain(canvas: Canvas, wood: Species) -> Grain:
    """Paints a tile of wood without joints."""
    rng, n = canvas.rng, canvas.n
    _, y = coordinates(n)
    # Rings are level lines of a slowly varying field: a slope gives straight grain, bumps give cathedrals.
    rings = max(3, round(canvas.tile_m / wood.ring_m * 0.45))
    bend = fbm(rng, n, 1.0, canvas.cycles(0.08), 1.9, stretch_x=9)
    wiggle = fbm(rng, n, canvas.cycles(0.12), canvas.cycles(0.012), 1.2, stretch_x=14)
    level = y * np.float32(rings) + bend * np.float32(0.075 * rings) + wiggle * np.float32(0.28)
    level, core = _knots(canvas, wood, level)
    phase = level - np.floor(level)
    late = smoothstep(0.2, 0.9, phase) ** 1.5 * (1 - smoothstep(0.92, 1.0, phase))
    width = unit(fbm(rng, n, canvas.cycles(0.5), canvas.cycles(0.03), 1.2, stretch_x=12))
    late = late * (0.45 + 0.75 * width)
    fibre = fbm(rng, n, canvas.cycles(0.02), n / 2, 0.6, stretch_x=26)
    broad = fbm(rng, n, 1.0, canvas.cycles(0.04), 1.3, stretch_x=6)
    tone = np.float32(0.5) + (late - 0.4) * np.float32(wood.contrast * 0.75) + fibre * 0.075 + broad * 0.085
    colour = ramp(tone, wood.early, wood.early, wood.middle, wood.late, wood.late)
    pore = _pores(canvas, 1 - late) * np.float32(wood.pores)
    colour = mix(colour, colour * rgb("8a6f58"), pore * np.float32(0.8))
    colour = shade(colour, 0.035 * fibre)
    if wood.rays:
        fleck = fbm(rng, n, canvas.cycles(0.06), canvas.cycles(0.004), 0.5, stretch_x=2.6)
        colour = shade(colour, np.float32(0.14 * wood.rays) * smoothstep(1.5, 2.3, fleck))
    colour = mix(colour, rgb(wood.knot), core * np.float32(0.85))
    height = np.float32(2.2e-5) * fibre - np.float32(1.3e-4) * pore - np.float32(3e-5) * late
    return Grain(colour, height)


def _pores(canvas: Canvas, early: Field) -> Field:
    """Short dark streaks along the fibre, most of them in the early wood."""
    streak = fbm(canvas.rng, canvas.n, canvas.cycles(0.012), canvas.n / 2, 0.15, stretch_x=11)
    clump = fbm(canvas.rng, canvas.n, canvas.cycles(0.3), canvas.cycles(0.02), 1.0, stretch_x=6)
    return smoothstep(1.15, 2.1, streak + 0.5 * early + 0.25 * clump)


def _knots(canvas: Canvas, wood: Species, level: Field) -> tuple[Field, Field]:
    """Bends the rings around knots; returns the level and the knots' dark cores 0..1."""
    rng, n = canvas.rng, canvas.n
    core = np.zeros((n, n), np.float32)
    level = level.copy()
    for _ in range(rng.poisson(wood.knots_per_m2 * canvas.tile_m**2)):
        cx, cy = rng.random(2) * n
        radius = canvas.px(float(rng.uniform(0.004, 0.013)))
        reach_x, reach_y = (min(int(radius * k), n // 2 - 1) for k in (22, 8))
        xs = np.arange(int(cx) - reach_x, int(cx) + reach_x + 1)
        ys = np.arange(int(cy) - reach_y, int(cy) + reach_y + 1)
        dx = ((xs - cx) / radius).astype(np.float32)[None, :]
        dy = ((ys - cy) / radius).astype(np.float32)[:, None]
        d = np.sqrt((dx / 1.4) ** 2 + dy**2)
        d = d * (1 + 0.1 * np.sin(3 * np.arctan2(dy, dx) + float(rng.uniform(0, 6))))
        bulge = float(rng.choice((-1, 1)) * rng.uniform(2.0, 3.5))
        where = np.ix_(ys % n, xs % n)
        level[where] += bulge * np.exp(-((dx / 9) ** 2) - (dy / 3.0) ** 2) + 2 * np.exp(-((d / 1.5) ** 2))
        rings = 0.7 + 0.3 * np.cos(d * 11)
        spot = np.clip(1.3 - d, 0, 1) * rings + 0.35 * np.exp(-(((d - 1.15) / 0.2) ** 2))
        core[where] = np.maximum(core[where], np.clip(spot, 0, 1).astype(np.float32))
    return level, core


def _upright(g: Grain) -> Grain:
    return Grain(np.ascontiguousarray(g.colour.transpose(1, 0, 2)), np.ascontiguousarray(g.height_m.T))


def board(wood: Species, gloss: float = 0.42) -> Painter:
    """A painter of panels glued from staves, with their fibres along v (upright in the image)."""

    def paint(canvas: Canvas) -> Paint:
        rng, n = canvas.rng, canvas.n
        tiling = tilings.rows(rng, n, int(rng.integers(9, 13)), 1, None)
        colour, height, joint = _floor(canvas, wood, tiling, 0.0005, 0.065, 0.0004)
        g = _upright(Grain(colour, height))
        wear = fbm(rng, n, 1.5, canvas.cycles(0.02), 1.3)
        area = canvas.tile_m**2
        marks = spots(rng, n, int(170 * area), (canvas.px(0.0012), canvas.px(0.0045)), 2.2)
        pale = spots(rng, n, int(120 * area), (canvas.px(0.0012), canvas.px(0.004)), 3.0)
        mineral = spots(rng, n, int(60 * area), (canvas.px(0.001), canvas.px(0.0025)), 9.0)
        colour = shade(g.colour, 0.03 * wear - 0.42 * marks - 0.35 * mineral + 0.28 * pale)
        rough = (
            np.float32(gloss) + 0.05 * wear + np.float32(900) * np.clip(-g.height_m, 0, 2e-4) + 0.1 * joint.T
        )
        return Paint(colour, g.height_m, np.clip(rough, 0.2, 0.9).astype(np.float32))

    return paint


def _floor(
    canvas: Canvas, wood: Species, tiling: Tiling, joint_m: float, spread: float, bevel_m: float
) -> tuple[Field, Field, Field]:
    """Pieces of wood laid by a tiling: colour, relief and joint 0..1."""
    rng, n = canvas.rng, canvas.n
    g = grain(canvas, wood)
    seed = int(rng.integers(2**32))
    colour = tilings.sample(g.colour, tiling, np.random.default_rng(seed))
    height = tilings.sample(g.height_m, tiling, np.random.default_rng(seed))
    tone = np.clip(rng.normal(0, spread, tiling.count), -2 * spread, 1.4 * spread).astype(np.float32)
    warmth = rng.normal(0, spread * 0.13, tiling.count).astype(np.float32)
    gain = 1 + tone[tiling.piece]
    hue = warmth[tiling.piece]
    colour = colour * np.stack([gain * (1 + hue), gain, gain * (1 - 1.3 * hue)], -1)
    # A joint narrower than a pixel still darkens it by the share that it covers.
    edge_m = tiling.edge * np.float32(canvas.tile_m)
    pixel = canvas.tile_m / n
    half = max(joint_m / 2, 0.55 * pixel)
    depth = min(1.0, joint_m / (1.1 * pixel))
    joint = np.float32(depth) * (1 - smoothstep(half * 0.6, half * 1.5 + 0.3 * pixel, edge_m))
    colour = shade(colour, -0.72 * joint)
    chamfer = 1 - smoothstep(0.0, max(bevel_m, 1.5 * pixel), edge_m)
    colour = shade(colour, -0.10 * chamfer)
    return colour.astype(np.float32), height - np.float32(bevel_m * 0.35) * chamfer, joint


def _wear(canvas: Canvas, colour: Field) -> tuple[Field, Field]:
    """Scuffs, dents and dull patches of a floor that is walked on: colour and dullness."""
    rng, n = canvas.rng, canvas.n
    area = canvas.tile_m**2
    dull = fbm(rng, n, 2, canvas.cycles(0.03), 1.4)
    dents = spots(rng, n, int(45 * area), (canvas.px(0.002), canvas.px(0.007)))
    scuffs = spots(rng, n, int(14 * area), (canvas.px(0.0015), canvas.px(0.003)), 9.0)
    scuffs = np.maximum(scuffs, spots(rng, n, int(14 * area), (canvas.px(0.0015), canvas.px(0.003)), 9.0).T)
    colour = shade(colour, 0.025 * dull - 0.30 * dents)
    light = colour.mean((0, 1)) * np.float32(1.15)
    return mix(colour, light, 0.35 * scuffs), dull + 2 * scuffs + dents


def parquet(canvas: Canvas) -> Paint:
    """Hardwood blocks: herringbone, strips or baskets, by variant."""
    rng, n = canvas.rng, canvas.n
    wood = (OAK, BEECH, WALNUT, OAK, ASH)[canvas.variant % 5]
    layout = canvas.variant % 3
    if layout == 0:
        tiling = tilings.herringbone(n, 30, 5)
    elif layout == 1:
        tiling = tilings.rows(rng, n, 28, 4, None, 0.5)
    else:
        tiling = tilings.basket(n, 6, 5)
    colour, height, joint = _floor(canvas, wood, tiling, 0.0012, 0.10, 0.001)
    colour, dull = _wear(canvas, colour)
    rough = np.clip(np.float32(0.34) + 0.035 * dull + 0.3 * joint, 0.15, 0.9)
    return Paint(colour, height, rough)


def laminate(canvas: Canvas) -> Paint:
    """Long boards with bevelled edges; a printed oak, ash or walnut."""
    wood = (OAK, ASH, WALNUT, BEECH)[canvas.variant % 4]
    tiling = tilings.rows(canvas.rng, canvas.n, 10, 2, None, 0.5)
    colour, height, joint = _floor(canvas, wood, tiling, 0.0015, 0.075, 0.0018)
    colour, dull = _wear(canvas, colour)
    rough = np.clip(np.float32(0.42) + 0.03 * dull + 0.25 * joint, 0.2, 0.9)
    return Paint(colour, height, rough)


def painted_wood(canvas: Canvas) -> Paint:
    """Lacquered wood: brush strokes and faint grain under an even coat, chipped here and there."""
    rng, n = canvas.rng, canvas.n
    coat = canvas.pick("f2f0ea", "e9e4d8", "dfe3e2", "b9c4bd", "8fa3ab", "3f4a52", "c9b79c", "efeae0")
    brush = fbm(rng, n, canvas.cycles(0.03), n / 2, 0.7, stretch_y=22)
    grain_ = fbm(rng, n, canvas.cycles(0.2), canvas.cycles(0.004), 1.1, stretch_y=10)
    cloud = fbm(rng, n, 1, canvas.cycles(0.05), 1.5)
    dirt = spots(rng, n, int(90 * canvas.tile_m**2), (canvas.px(0.0008), canvas.px(0.0035)))
    colour = np.broadcast_to(coat, (n, n, 3)) * np.float32(1)
    colour = shade(colour, 0.010 * brush + 0.012 * grain_ + 0.014 * cloud)
    colour = mix(colour, rgb("6d6154"), 0.38 * dirt)
    height = np.float32(9e-6) * brush + np.float32(1.4e-5) * grain_
    return Paint(colour, height, np.clip(0.38 + 0.03 * cloud + 0.02 * brush, 0.2, 0.8))
