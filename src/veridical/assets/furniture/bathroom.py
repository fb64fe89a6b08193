"""Toilet, washbasin, bathtub, towel rail."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.cabinetry import FRONT_M, carcass, doors, plinth
from veridical.assets.furniture.finishes import BEDDING, CHROME, CUSHIONS, PORCELAIN, look, pick
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import (
    Ripple,
    box,
    cylinder,
    deform,
    ellipse,
    loft,
    merge,
    move,
    rounded_rect,
    tube,
    turn,
)
from veridical.assets.thing import Finish, Mesh, Thing
from veridical.core.geometry import Array

Rng = np.random.Generator
WHITE = PORCELAIN


def shifted(outline: Array, x: float) -> Array:
    """The outline (n, 2), moved along x."""
    moved: Array = outline + np.array([x, 0.0])
    return moved


def _egg(length: float, width: float, x: float = 0.0) -> Array:
    outline = ellipse(length, width, 36, 2.3)
    outline[:, 1] *= 1 - 0.12 * outline[:, 0] / (length / 2)
    return shifted(outline, x)


def toilet(rng: Rng) -> Thing:
    """A close-coupled toilet with its lid down."""
    w = Workpiece(rng)
    length, wide = float(rng.uniform(0.46, 0.5)), float(rng.uniform(0.36, 0.38))
    x = 0.1
    levels = [
        (0.34, 0.24, 0.0, 0.0),
        (0.34, 0.24, 0.0, 0.01),
        (0.3, 0.22, -0.02, 0.12),
        (0.34, 0.27, 0.0, 0.24),
        (0.44, 0.345, 0.0, 0.34),
    ]
    skin = [(_egg(a, b, x + dx), z) for a, b, dx, z in levels]
    skin += [(_egg(length, wide, x), 0.385), (_egg(length - 0.01, wide - 0.01, x), 0.395)]
    w.add(WHITE, loft(skin))
    lid = [(length - 0.012, 0.396), (length, 0.401), (length, 0.412), (length - 0.012, 0.416)]
    w.add(Finish("plastic", 0, (0.82, 0.82, 0.8)), loft([(_egg(a, a * wide / length, x), z) for a, z in lid]))
    lid = [
        (length - 0.01, 0.417),
        (length + 0.004, 0.422),
        (length + 0.004, 0.43),
        (length - 0.03, 0.443),
        (length - 0.2, 0.45),
    ]
    w.add(Finish("plastic", 0, (0.82, 0.82, 0.8)), loft([(_egg(a, a * wide / length, x), z) for a, z in lid]))
    tank = rounded_rect(0.19, 0.4, 0.04)
    back = -0.235
    w.add(
        WHITE,
        loft(
            [(shifted(tank * 0.94, back), 0.385), (shifted(tank, back), 0.45), (shifted(tank, back), 0.735)]
        ),
    )
    top = rounded_rect(0.21, 0.42, 0.045)
    w.add(
        WHITE,
        loft(
            [
                (shifted(top * 0.98, back), 0.736),
                (shifted(top, back), 0.742),
                (shifted(top, back), 0.765),
                (shifted(top * 0.95, back), 0.775),
            ]
        ),
    )
    w.add(CHROME, cylinder(0.024, 0.008, (back, 0, 0.774), 0.003, 24))
    w.add(WHITE, box((0.22, 0.22, 0.12), (-0.17, 0, 0.325), 0.03, 2))
    w.solid((length, wide, 0.11), (x, 0, 0.385))
    w.solid((0.32, 0.22, 0.33), (x, 0, 0.165))
    w.solid((0.2, 0.41, 0.4), (back, 0, 0.57))
    return w.done("toilet")


def _mixer(w: Workpiece, x: float, z: float) -> None:
    w.add(CHROME, cylinder(0.022, 0.11, (x, 0, z), 0.004, 20))
    w.add(CHROME, tube([(x, 0, z + 0.085), (x + 0.07, 0, z + 0.085), (x + 0.125, 0, z + 0.07)], 0.011, 12))
    w.add(
        CHROME,
        box((0.075, 0.018, 0.008), (x + 0.03, 0, z + 0.12), 0.003),
        cylinder(0.02, 0.015, (x, 0, z + 0.108), 0.004, 18),
    )


def _bowl_levels(a: float, b: float, x: float, z: float, depth: float) -> list[tuple[Array, float]]:
    shrink = (
        (1.0, 0.0),
        (0.985, -0.006),
        (0.96, -0.03),
        (0.88, -0.7 * depth),
        (0.7, -0.93 * depth),
        (0.4, -depth),
    )
    return [(shifted(rounded_rect(a * s, b * s, 0.45 * min(a, b) * s, 6), x), z + dz) for s, dz in shrink]


def washbasin(rng: Rng, *, width: float | None = None, style: int | None = None) -> Thing:
    """A basin on a cupboard, or on a pedestal."""
    w, kit = Workpiece(rng), look(rng, style, 0.7)
    wide, deep, rim = float(rng.uniform(0.55, 0.8)) if width is None else width, 0.47, 0.85
    outer = [
        (rounded_rect(deep - 0.02, wide - 0.02, 0.03, 6), rim - 0.14),
        (rounded_rect(deep, wide, 0.04, 6), rim - 0.12),
    ]
    outer += [
        (rounded_rect(deep, wide, 0.04, 6), rim - 0.008),
        (rounded_rect(deep - 0.012, wide - 0.012, 0.036, 6), rim),
    ]
    inner = _bowl_levels(deep - 0.16, wide - 0.1, 0.045, rim, 0.12)
    w.add(WHITE, loft(outer + inner))
    w.add(CHROME, cylinder(0.022, 0.004, (0.045, 0, rim - 0.121), 0.001, 20))
    _mixer(w, -deep / 2 + 0.055, rim)
    w.solid((deep, wide, 0.14), (0, 0, rim - 0.07))
    if wide < 0.62 and rng.random() < 0.6:
        post = [
            (ellipse(0.2, 0.22, 28), 0.0),
            (ellipse(0.2, 0.22, 28), 0.02),
            (ellipse(0.14, 0.16, 28), 0.12),
        ]
        post += [(ellipse(0.15, 0.17, 28), rim - 0.3), (ellipse(0.26, 0.3, 28), rim - 0.14)]
        w.add(WHITE, move(loft(post), (-0.04, 0, 0)))
        w.solid((0.2, 0.22, rim - 0.14), (-0.04, 0, (rim - 0.14) / 2))
    else:
        x, y = (-deep / 2, deep / 2 - FRONT_M - 0.015), (-wide / 2 + 0.01, wide / 2 - 0.01)
        plinth(w, kit.body, x, y, 0.12)
        carcass(w, kit.body, x, y, (0.12, rim - 0.13))
        doors(w, kit, x[1], y, (0.12, rim - 0.135), 2)
    return w.done("washbasin")


def bathtub(rng: Rng, *, width: float | None = None) -> Thing:
    """A built-in tub, its long side along y and its apron to the front."""
    w = Workpiece(rng)
    long, deep, tall = float(rng.choice([1.6, 1.7])) if width is None else width, 0.75, 0.56

    def ring(dx: float, dy: float, radius: float) -> Array:
        return rounded_rect(deep - dx, long - dy, radius, 7)

    skin = [
        (ring(0.03, 0.03, 0.02), 0.0),
        (ring(0.03, 0.03, 0.02), tall - 0.05),
        (ring(0.0, 0.0, 0.03), tall - 0.045),
    ]
    skin += [(ring(0.0, 0.0, 0.03), tall - 0.008), (ring(0.014, 0.014, 0.03), tall)]
    skin += [
        (ring(0.13, 0.14, 0.2), tall),
        (ring(0.146, 0.16, 0.2), tall - 0.012),
        (ring(0.19, 0.26, 0.19), 0.22),
        (ring(0.25, 0.4, 0.16), 0.13),
        (ring(0.4, 0.62, 0.1), 0.115),
    ]
    w.add(WHITE, loft(skin))
    w.add(CHROME, cylinder(0.028, 0.004, (0, -long / 2 + 0.42, 0.114), 0.001, 20))
    w.add(
        CHROME, turn(cylinder(0.03, 0.01, sides=20), (-np.pi / 2, 0, 0), (0, -long / 2 + 0.11, tall - 0.14))
    )
    bridge = [(-deep / 2 + 0.035, -0.08, tall + 0.05), (-deep / 2 + 0.035, 0.08, tall + 0.05)]
    w.add(CHROME, tube(bridge, 0.02, 14))
    for y in (-0.075, 0.075):
        w.add(CHROME, cylinder(0.013, 0.05, (-deep / 2 + 0.035, y, tall), sides=14))
    w.add(
        CHROME,
        tube(
            [
                (-deep / 2 + 0.035, 0, tall + 0.05),
                (-deep / 2 + 0.15, 0, tall + 0.045),
                (-deep / 2 + 0.17, 0, tall + 0.02),
            ],
            0.013,
            12,
        ),
    )
    side = 0.075
    for s in (-1, 1):
        w.solid((side, long, tall), (s * (deep - side) / 2, 0, tall / 2))
        w.solid((deep - 2 * side, 0.11, tall), (0, s * (long - 0.11) / 2, tall / 2))
    w.solid((deep, long, 0.12), (0, 0, 0.06))
    return w.done("bathtub")


def towel_rail(rng: Rng) -> Thing:
    """A rail with a towel over it; hung on a wall, z = 0 is the towel's lower edge."""
    w = Workpiece(rng)
    wide = 0.55
    tall = float(rng.uniform(0.45, 0.6))
    w.add(CHROME, tube([(0.02, -wide / 2, tall), (0.02, wide / 2, tall)], 0.009, 12))
    for s in (-1, 1):
        y = s * (wide / 2 - 0.015)
        w.add(
            CHROME,
            tube([(-0.04, y, tall), (0.02, y, tall)], 0.008, 10),
            turn(cylinder(0.022, 0.008, sides=20), (0, np.pi / 2, 0), (-0.05, y, tall)),
        )
    finish = Finish("weave", int(rng.integers(2)), pick(rng, (*BEDDING, *CUSHIONS)))
    w.add(finish, _towel(rng, float(rng.uniform(0.3, 0.42)), tall))
    return w.done("other")


def _towel(rng: Rng, wide: float, tall: float) -> Mesh:
    waves = Ripple(rng, 0.25, 0.006)
    pieces = [box((0.012, wide, tall), (0.033, 0, tall / 2), 0.005, 2, 2, (1, 10, 12))]
    pieces.append(box((0.012, wide - 0.01, tall * 0.85), (0.006, 0, tall * 0.575), 0.005, 2, 2, (1, 10, 12)))
    pieces.append(tube([(0.02, -wide / 2, tall), (0.02, wide / 2, tall)], 0.0195, 14))
    cloth = merge(pieces)
    return deform(cloth, lambda v: v + np.stack([waves(v * [0, 1, 0.3]), 0 * v[:, 0], 0 * v[:, 0]], axis=1))
