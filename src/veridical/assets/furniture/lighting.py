"""Lamps. The shade or the glass is the light: few large triangles that emit outwards.

Radiance is that of real lamps: luminous flux over 179 lm/W, pi and the area (179 lm/W is the luminous
efficacy of equal-energy white that Radiance uses).
"""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import (
    BLACK_METAL,
    BRASS,
    CHROME,
    STEEL,
    UPHOLSTERY,
    WHITE_METAL,
    glaze,
    pick,
    wood,
)
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.material import Rgb
from veridical.assets.shapes import cylinder, disc, fillet, grid, lathe, print_uv, sphere, tube
from veridical.assets.thing import Finish, Mesh, Thing

WARM: Rgb = (1.25, 0.97, 0.62)

Rng = np.random.Generator


def glow(lumens: float, area_m2: float, colour: Rgb = WARM) -> Finish:
    """A lamp surface of this area that emits this flux."""
    radiance = lumens / 179.0 / (np.pi * area_m2)
    return Finish("lamp_glow", 0, emission=tuple(float(round(radiance * c, 2)) for c in colour))  # type: ignore[arg-type]


def _metal(rng: Rng) -> Finish:
    return pick(rng, (BLACK_METAL, BRASS, CHROME, WHITE_METAL, STEEL))


def _cone(r0: float, r1: float, height: float, z: float, sides: int = 32) -> Mesh:
    """An open cone of one row of quads, facing outwards."""
    t = np.linspace(0, 2 * np.pi, sides + 1)
    rows = [
        np.stack([r * np.cos(t), r * np.sin(t), np.full_like(t, h)], -1)
        for r, h in ((r0, z), (r1, z + height))
    ]
    return grid(np.stack(rows, axis=1))


def _shade(w: Workpiece, rng: Rng, r0: float, r1: float, height: float, z: float, lumens: float) -> None:
    """A cloth shade that glows, with rims, lining and spokes."""
    area = np.pi * (r0 + r1) * np.hypot(height, r0 - r1)
    w.add(glow(lumens, area), print_uv(_cone(r0, r1, height, z)), jitter=False)
    rim = Finish("linen", 0, pick(rng, UPHOLSTERY))
    inner = lathe([(r1 - 0.002, z + height), (r0 - 0.002, z)], 32)
    w.add(Finish("linen", 0, (0.8, 0.76, 0.68)), inner)
    for r, h in ((r0, z), (r1, z + height)):
        t = np.linspace(0, 2 * np.pi, 33)
        ring = np.stack([r * np.cos(t), r * np.sin(t), np.full_like(t, h)], -1)
        w.add(rim, tube(ring, 0.004, 6))
    for k in range(3):
        a = 2 * np.pi * k / 3
        w.add(
            BLACK_METAL,
            tube(
                [(0, 0, z + height - 0.02), (r1 * np.cos(a), r1 * np.sin(a), z + height - 0.008)], 0.0018, 5
            ),
        )


def floor_lamp(rng: Rng) -> Thing:
    """A standing lamp with a cloth shade, on a foot or three legs."""
    w, metal = Workpiece(rng), _metal(rng)
    r0, tall = float(rng.uniform(0.18, 0.24)), float(rng.uniform(1.5, 1.7))
    r1, high = r0 * float(rng.uniform(0.7, 0.95)), float(rng.uniform(0.22, 0.3))
    z = tall - high
    if rng.random() < 0.5:
        foot = fillet([(0, 0), (0.15, 0), (0.15, 0.012), (0.02, 0.028), (0, 0.03)], 0.01, 3)
        w.add(metal, lathe(foot, 40), cylinder(0.011, tall - 0.06, (0, 0, 0.02), 0.003, 14))
        w.solid_cylinder(0.15, 0.03)
        w.solid((0.03, 0.03, z), (0, 0, z / 2))
    else:
        timber = wood(rng)
        for k in range(3):
            a = 2 * np.pi * k / 3
            c, s = float(np.cos(a)), float(np.sin(a))
            w.add(
                timber,
                tube([(0.26 * c, 0.26 * s, 0.005), (0.03 * c, 0.03 * s, z - 0.06)], (0.012, 0.015), 12),
            )
            w.solid((0.03, 0.03, z * 0.5), (0.2 * c, 0.2 * s, z * 0.25))
        w.add(
            metal,
            cylinder(0.045, 0.05, (0, 0, z - 0.09), 0.006),
            cylinder(0.01, high, (0, 0, z - 0.05), sides=12),
        )
        w.solid((0.1, 0.1, z * 0.5), (0, 0, z * 0.75))
    _shade(w, rng, r0, r1, high, z, 800)
    w.solid_cylinder((r0 + r1) / 2, high, (0, 0, z))
    return w.done("lamp")


def table_lamp(rng: Rng) -> Thing:
    """A small lamp with a turned or ceramic foot."""
    w = Workpiece(rng)
    r0, high = float(rng.uniform(0.1, 0.15)), float(rng.uniform(0.14, 0.2))
    r1, body = r0 * float(rng.uniform(0.6, 0.9)), float(rng.uniform(0.2, 0.3))
    shape = int(rng.integers(3))
    if shape == 0:
        p = [
            (0, 0),
            (0.05, 0),
            (0.055, 0.01),
            (0.085, 0.35 * body),
            (0.04, 0.85 * body),
            (0.018, body),
            (0, body),
        ]
        w.add(glaze(rng), lathe(fillet(p, 0.03, 5), 36))
    elif shape == 1:
        p = [
            (0, 0),
            (0.075, 0),
            (0.075, 0.015),
            (0.02, 0.03),
            (0.03, 0.3 * body),
            (0.016, 0.5 * body),
            (0.026, 0.75 * body),
            (0.012, body),
            (0, body),
        ]
        w.add(wood(rng), lathe(fillet(p, 0.012, 4), 32))
    else:
        p = [(0, 0), (0.08, 0), (0.08, 0.012), (0.011, 0.02), (0.011, body), (0, body)]
        w.add(_metal(rng), lathe(fillet(p, 0.005, 3), 32))
    w.add(BRASS, cylinder(0.009, high, (0, 0, body - 0.01), sides=12))
    _shade(w, rng, r0, r1, high, body + 0.01, 450)
    w.solid_cylinder(0.07, body)
    w.solid_cylinder(max(r0, r1), high, (0, 0, body + 0.01))
    return w.done("lamp")


def pendant_lamp(rng: Rng, *, drop: float | None = None) -> Thing:
    """A lamp on a cord; z = 0 is its lower rim, and its top touches the ceiling."""
    w, coat = Workpiece(rng), _metal(rng)
    hang = float(rng.uniform(0.5, 0.8)) if drop is None else drop
    r = float(rng.uniform(0.16, 0.24))
    if rng.random() < 0.5:
        h = r * 0.9
        dome = [(r, 0.0), (0.97 * r, 0.25 * h), (0.8 * r, 0.6 * h), (0.45 * r, 0.88 * h), (0.05, h), (0, h)]
        inside = [
            (0, h - 0.006),
            (0.05, h - 0.006),
            (0.43 * r, 0.86 * h),
            (0.78 * r, 0.58 * h),
            (0.955 * r, 0.24 * h),
            (r - 0.003, 0),
        ]
        w.add(coat, lathe(fillet(dome, 0.03, 4), 44))
        w.add(WHITE_METAL, lathe(fillet(inside, 0.03, 4), 44))
        bulb = 0.06
        w.add(glow(900, 4 * np.pi * bulb**2), print_uv(sphere(bulb, (0, 0, 0.3 * h), 5, 10)), jitter=False)
        w.add(BLACK_METAL, cylinder(0.02, h * 0.45, (0, 0, 0.3 * h + bulb * 0.7), sides=14))
        top = h
    else:
        high = float(rng.uniform(0.2, 0.3))
        _shade(w, rng, r, r * float(rng.uniform(0.8, 1.0)), high, 0.0, 900)
        area = np.pi * (0.9 * r) ** 2
        w.add(glow(350, area), print_uv(disc(0.9 * r, (0, 0, 0.012), 24, downwards=True)), jitter=False)
        top = high - 0.02
    w.add(BLACK_METAL, tube([(0, 0, top - 0.01), (0, 0, top + hang)], 0.003, 6))
    w.add(coat, cylinder(0.05, 0.025, (0, 0, top + hang - 0.022), 0.006, 24))
    w.solid_cylinder(r, top)
    return w.done("lamp")


def ceiling_lamp(rng: Rng) -> Thing:
    """A lamp under the ceiling, which its top touches: an opal bowl, or a flat disc in a metal ring."""
    w, rim = Workpiece(rng), _metal(rng)
    r, high = float(rng.uniform(0.16, 0.24)), float(rng.uniform(0.06, 0.09))
    if rng.random() < 0.6:
        high += 0.03
        foot = high - 0.02
        w.add(rim, cylinder(r, 0.02, (0, 0, foot), 0.003, 40))
        bowl = lathe([(0, 0), (0.55 * r, 0.012), (0.86 * r, 0.035), (0.96 * r, foot)], 18)
        w.add(glow(2000, np.pi * r * (r + 2 * foot)), print_uv(bowl), jitter=False)
    else:
        band = [(0, 0.004), (r - 0.012, 0.004), (r - 0.012, 0), (r, 0), (r, high), (0, high)]
        w.add(rim, lathe(fillet(band, 0.003, 2), 40))
        face = disc(r - 0.014, (0, 0, 0.002), 32, downwards=True)
        w.add(glow(2000, np.pi * (r - 0.014) ** 2), print_uv(face), jitter=False)
    w.solid_cylinder(r, high)
    return w.done("lamp")
