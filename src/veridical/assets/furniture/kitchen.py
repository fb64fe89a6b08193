"""Kitchen units and appliances, 0.6 m deep; pass one `style` to make a kitchen match."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.cabinetry import FRONT_M, carcass, doors, drawers, front, plinth
from veridical.assets.furniture.finishes import (
    BLACK_METAL,
    BLACK_PLASTIC,
    CHROME,
    DARK_GLASS,
    RUBBER,
    STEEL,
    WHITE_METAL,
    Look,
    look,
    pick,
    rgb,
)
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import (
    box,
    cylinder,
    disc,
    fillet,
    lathe,
    loft,
    merge,
    move,
    rounded_rect,
    tube,
    turn,
)
from veridical.assets.thing import Finish, Mesh, Thing

DEPTH_M = 0.6
HEIGHT_M = 0.9
PLINTH_M = 0.1
TOP_M = 0.038

Rng = np.random.Generator


def _worktop(rng: Rng, style: int | None) -> Finish:
    r = rng if style is None else np.random.default_rng(style)
    return pick(
        r,
        (
            Finish("marble", int(r.integers(2))),
            Finish("stone", int(r.integers(2))),
            Finish("oak", int(r.integers(2))),
            Finish("terrazzo", int(r.integers(2))),
        ),
    )


def _unit(
    w: Workpiece, kit: Look, wide: float, lid: bool = True
) -> tuple[tuple[float, float], tuple[float, float]]:
    x, y = (-DEPTH_M / 2, DEPTH_M / 2 - FRONT_M - 0.02), (-wide / 2, wide / 2)
    plinth(w, kit.body, x, y, PLINTH_M)
    carcass(w, kit.body, x, y, (PLINTH_M, HEIGHT_M - TOP_M), lid=lid)
    return x, y


def kitchen_base(rng: Rng, *, width: float = 0.6, style: int | None = None) -> Thing:
    """A floor unit with doors or drawers and a worktop."""
    w, kit = Workpiece(rng), look(rng, style, 0.7)
    x, y = _unit(w, kit, width)
    z = (PLINTH_M, HEIGHT_M - TOP_M - 0.002)
    kind = int(rng.integers(3))
    if kind == 0:
        drawers(w, kit, x[1], y, z, 3)
    elif kind == 1:
        split = z[1] - 0.16
        front(w, kit, x[1], y, (split, z[1]), "top", drawer=True)
        doors(w, kit, x[1], y, (z[0], split), 1 if width <= 0.5 else 2)
    else:
        doors(w, kit, x[1], y, z, 1 if width <= 0.65 else 2)
    w.add(_worktop(rng, style), box((DEPTH_M, width, TOP_M), (0, 0, HEIGHT_M - TOP_M / 2), 0.003, 2, grain=1))
    w.solid((DEPTH_M, width, TOP_M), (0, 0, HEIGHT_M - TOP_M / 2))
    w.top((0, 0, HEIGHT_M), DEPTH_M / 2 - 0.08, width / 2 - 0.05, 0.45)
    return w.done("kitchen_unit")


def kitchen_wall(rng: Rng, *, width: float = 0.6, style: int | None = None) -> Thing:
    """A hanging cupboard; its z = 0 is its lower face."""
    w, kit = Workpiece(rng), look(rng, style, 0.7)
    deep, tall = 0.35, 0.7
    x, y = (-deep / 2, deep / 2 - FRONT_M), (-width / 2, width / 2)
    carcass(w, kit.body, x, y, (0.0, tall))
    doors(w, kit, x[1], y, (0.0, tall), 1 if width <= 0.5 else 2)
    return w.done("kitchen_unit")


def _tap(w: Workpiece, x: float, y: float, z: float, reach: float = 0.19, rise: float = 0.26) -> None:
    w.add(CHROME, cylinder(0.024, 0.012, (x, y, z), 0.003, 20), cylinder(0.016, 0.09, (x, y, z), 0.003, 18))
    a = np.linspace(0, np.pi, 12)
    arc = np.stack(
        [x + reach / 2 * (1 - np.cos(a)), np.full(12, y), z + rise - reach / 2 + reach / 2 * np.sin(a)], -1
    )
    path = np.vstack([[x, y, z + 0.05], arc, [x + reach, y, z + rise - reach / 2 - 0.04]])
    w.add(CHROME, tube(path, 0.0105, 12))
    w.add(CHROME, tube([(x, y, z + 0.075), (x + 0.01, y + 0.06, z + 0.085)], 0.006, 8))


def sink_unit(rng: Rng, *, width: float = 0.8, style: int | None = None) -> Thing:
    """A floor unit with a basin let into its worktop, and a tap."""
    w, kit = Workpiece(rng), look(rng, style, 0.7)
    x, y = _unit(w, kit, width, lid=False)
    doors(w, kit, x[1], y, (PLINTH_M, HEIGHT_M - TOP_M - 0.002), 2)
    top, z = _worktop(rng, style), HEIGHT_M - TOP_M / 2
    bx, by, cx, deep = 0.4, min(0.5, width - 0.2), 0.02, 0.17
    low = HEIGHT_M - deep - PLINTH_M
    w.solid((x[1] - x[0], width, low), ((x[0] + x[1]) / 2, 0, PLINTH_M + low / 2))
    rest = (DEPTH_M - bx) / 2
    strips = [
        ((rest - cx, width), (DEPTH_M / 2 - (rest - cx) / 2, 0.0)),
        ((rest + cx, width), (-DEPTH_M / 2 + (rest + cx) / 2, 0.0)),
        ((bx, (width - by) / 2), (cx, (width + by) / 4)),
        ((bx, (width - by) / 2), (cx, -(width + by) / 4)),
    ]
    for (sx, sy), (px, py) in strips:
        w.add(top, box((sx, sy, TOP_M), (px, py, z), 0.0008, 1, grain=1))
        w.solid((sx, sy, deep), (px, py, HEIGHT_M - deep / 2))
    w.add(
        STEEL if rng.random() < 0.7 else Finish("ceramic", 0, rgb("f0eee8")),
        move(_basin(bx, by, deep), (cx, 0, HEIGHT_M)),
    )
    w.add(CHROME, cylinder(0.032, 0.003, (cx, 0, HEIGHT_M - deep + 0.0005), 0.001, 20))
    _tap(w, cx - bx / 2 - 0.045, 0.0, HEIGHT_M)
    w.top((0.02, (width + by) / 4, HEIGHT_M), 0.18, max((width - by) / 4 - 0.03, 0.02), 0.4)
    return w.done("sink")


def _basin(length: float, width: float, depth: float) -> Mesh:
    """A sheet-metal basin whose rim lies on z = 0, covering a hole of this size."""

    def ring(grow: float, radius: float) -> np.ndarray:
        return rounded_rect(length + grow, width + grow, radius, 5)

    return loft(
        [
            (ring(-0.004, 0.05), -0.006),
            (ring(0.03, 0.05), 0.0),
            (ring(0.028, 0.05), 0.003),
            (ring(-0.006, 0.05), 0.003),
            (ring(-0.012, 0.05), -0.002),
            (ring(-0.02, 0.05), -depth + 0.03),
            (ring(-0.035, 0.05), -depth + 0.008),
            (ring(-0.07, 0.04), -depth),
        ],
        cap_start=False,
    )


def stove(rng: Rng, *, width: float = 0.6) -> Thing:
    """A cooker: hob with four plates, knobs, and an oven with a window."""
    w = Workpiece(rng)
    body = pick(rng, (STEEL, WHITE_METAL, BLACK_METAL))
    deep, x1 = DEPTH_M - 0.02, DEPTH_M / 2 - 0.04
    w.block(
        body, (deep - 0.03, width - 0.004, HEIGHT_M - 0.1), (-0.015, 0, 0.08 + (HEIGHT_M - 0.1) / 2), 0.002
    )
    w.block(BLACK_METAL, (deep - 0.1, width - 0.02, 0.08), (-0.04, 0, 0.04), 0.002)
    w.solid((deep, width, HEIGHT_M - 0.01), (0, 0, (HEIGHT_M - 0.01) / 2))
    w.block(body, (0.03, width - 0.006, 0.11), (x1 + 0.005, 0, HEIGHT_M - 0.085), 0.005)
    w.block(body, (0.03, width - 0.006, 0.13), (x1 + 0.005, 0, 0.155), 0.005)
    _oven_door(w, body, width, x1)
    for k, y in enumerate(np.linspace(-width / 2 + 0.08, width / 2 - 0.08, 5)):
        knob = lathe(fillet([(0, 0), (0.021, 0), (0.018, 0.022), (0, 0.022)], 0.003, 2), 20)
        mark = box((0.003, 0.004, 0.03), (0.023, 0, 0.0), 0.001)
        angle = 0.0 if k == 2 else float(rng.choice([0.0, 0.0, 0.7, 1.6]))
        face = (x1 + 0.02, float(y), HEIGHT_M - 0.083)
        w.add(BLACK_PLASTIC, turn(knob, (0, np.pi / 2, 0), face))
        w.add(WHITE_METAL, turn(mark, (angle, 0, 0), face))
    _hob(w, rng, width)
    return w.done("stove")


def _oven_door(w: Workpiece, body: Finish, width: float, x: float) -> None:
    z0, z1 = 0.225, HEIGHT_M - 0.145
    dz, cz = z1 - z0, (z0 + z1) / 2
    w.block(body, (0.035, width - 0.006, dz), (x + 0.0075, 0, cz), 0.006)
    w.block(DARK_GLASS, (0.004, width - 0.1, dz - 0.14), (x + 0.0255, 0, cz - 0.025), 0.0015)
    bar = z1 - 0.045
    w.add(CHROME, tube([(x + 0.062, -width / 2 + 0.05, bar), (x + 0.062, width / 2 - 0.05, bar)], 0.009, 12))
    for y in (-width / 2 + 0.08, width / 2 - 0.08):
        w.add(CHROME, tube([(x + 0.02, y, bar), (x + 0.062, y, bar)], 0.007, 8))


def _hob(w: Workpiece, rng: Rng, width: float) -> None:
    gas = bool(rng.random() < 0.5)
    z = HEIGHT_M - 0.02
    w.block(
        STEEL if gas else DARK_GLASS, (DEPTH_M - 0.03, width - 0.01, 0.014), (-0.005, 0, z + 0.007), 0.003
    )
    top = z + 0.014
    for k, (sx, sy) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1))):
        x, y, r = sx * 0.13, sy * 0.14, (0.09, 0.075, 0.075, 0.09)[k]
        if not gas:
            w.add(
                BLACK_METAL,
                lathe([(r, 0.0), (r, 0.0012), (r - 0.005, 0.0012), (r - 0.005, 0.0)], 36, (x, y, top)),
            )
            w.add(Finish("plastic", 0, rgb("2b2c2e")), disc(r - 0.006, (x, y, top + 0.0006), 32))
            continue
        w.add(
            BLACK_METAL,
            cylinder(r * 0.5, 0.012, (x, y, top), 0.003, 24),
            cylinder(r * 0.36, 0.008, (x, y, top + 0.012), 0.003, 20),
        )
        for bar in range(4):
            arm = box((r * 0.9, 0.008, 0.01), (r * 0.72, 0, 0.03), 0.002)
            post = box((0.008, 0.008, 0.03), (r * 1.13, 0, 0.015), 0.002)
            w.add(BLACK_METAL, turn(merge([arm, post]), (0, 0, bar * np.pi / 2), (x, y, top)))


def fridge(rng: Rng, *, height: float | None = None) -> Thing:
    """A fridge with a freezer door."""
    w = Workpiece(rng)
    coat = pick(rng, (STEEL, WHITE_METAL, Finish("painted_metal", 0, rgb("c9d2d0")), BLACK_METAL))
    tall, wide, deep = (
        float(rng.uniform(1.65, 1.9)) if height is None else height,
        0.6,
        float(rng.uniform(0.6, 0.66)),
    )
    x1 = deep / 2 - 0.06
    w.block(coat, (deep - 0.065, wide, tall - 0.04), (-0.0325, 0, 0.04 + (tall - 0.04) / 2), 0.006)
    w.block(BLACK_PLASTIC, (deep - 0.12, wide - 0.04, 0.04), (-0.05, 0, 0.02), 0.002)
    w.solid((deep - 0.005, wide, tall), (0, 0, tall / 2))
    split = tall * float(rng.uniform(0.32, 0.38)) if rng.random() < 0.6 else tall * 0.7
    side = pick(rng, (-1.0, 1.0))
    for z0, z1 in ((0.045, split - 0.004), (split + 0.004, tall - 0.003)):
        w.add(RUBBER, box((0.012, wide - 0.02, z1 - z0 - 0.02), (x1, 0, (z0 + z1) / 2), 0.002))
        w.add(coat, box((0.052, wide - 0.002, z1 - z0), (x1 + 0.032, 0, (z0 + z1) / 2), 0.012, 2))
        near = z0 + 0.06 if z0 > 0.1 else z1 - 0.06
        far = near + (0.3 if z0 > 0.1 else -0.3)
        x, y = x1 + 0.058, side * (wide / 2 - 0.05)
        w.add(
            CHROME if coat != STEEL else BLACK_METAL,
            tube([(x, y, near), (x + 0.035, y, near), (x + 0.035, y, far), (x, y, far)], 0.008, 10),
        )
    w.top((0, 0, tall), deep / 2 - 0.1, wide / 2 - 0.08, 0.25)
    return w.done("fridge")


def washing_machine(rng: Rng) -> Thing:
    """A front loader."""
    w = Workpiece(rng)
    wide, deep, tall = 0.6, 0.58, 0.85
    x = deep / 2 - 0.03
    w.add(WHITE_METAL, box((deep - 0.03, wide, tall), (-0.015, 0, tall / 2), 0.012, 2))
    w.solid((deep - 0.03, wide, tall), (-0.015, 0, tall / 2))
    ring = lathe(fillet([(0.13, 0), (0.19, 0), (0.18, 0.028), (0.14, 0.03), (0.13, 0.01)], 0.006, 3), 40)
    w.add(CHROME, turn(ring, (0, np.pi / 2, 0), (x - 0.001, 0, 0.42)))
    glass = lathe([(0.139, 0.0), (0.139, 0.004), (0.1, 0.02), (0.05, 0.03), (0, 0.033)], 32)
    w.add(DARK_GLASS, turn(glass, (0, np.pi / 2, 0), (x - 0.003, 0, 0.42)))
    w.add(WHITE_METAL, box((0.012, 0.16, 0.07), (x + 0.003, -0.2, tall - 0.07), 0.003))
    knob = lathe(fillet([(0, 0), (0.028, 0), (0.024, 0.022), (0, 0.022)], 0.004, 2), 24)
    w.add(CHROME, turn(knob, (0, np.pi / 2, 0), (x, 0.02, tall - 0.07)))
    w.add(DARK_GLASS, box((0.004, 0.12, 0.035), (x, 0.17, tall - 0.07), 0.001))
    w.top((0, 0, tall), 0.2, 0.24, 0.6)
    return w.done("appliance")


def extractor_hood(rng: Rng, *, width: float = 0.6, height: float = 0.8) -> Thing:
    """A chimney hood over a cooker; its z = 0 is its lower face."""
    w = Workpiece(rng)
    coat = pick(rng, (STEEL, BLACK_METAL, WHITE_METAL))
    deep = 0.48
    low, neck = rounded_rect(deep, width, 0.01, 2), rounded_rect(0.25, 0.28, 0.008, 2)
    shift = np.array([-(deep - 0.25) / 2, 0.0])
    w.add(coat, loft([(low, 0.0), (low, 0.05), (neck + shift, 0.24), (neck + shift, height)]))
    w.solid((deep, width, 0.06), (0, 0, 0.03))
    w.solid((0.25, 0.28, height - 0.06), (shift[0], 0, 0.03 + height / 2))
    w.add(BLACK_PLASTIC, box((0.003, 0.12, 0.02), (deep / 2, 0, 0.025), 0.001))
    return w.done("appliance")


def microwave(rng: Rng) -> Thing:
    """A microwave oven for a worktop."""
    w = Workpiece(rng)
    coat = pick(rng, (STEEL, WHITE_METAL, BLACK_METAL))
    w.add(coat, box((0.34, 0.48, 0.275), (0, 0, 0.1475), 0.008, 2))
    w.add(BLACK_PLASTIC, box((0.008, 0.36, 0.255), (0.171, -0.055, 0.1475), 0.003))
    w.add(DARK_GLASS, box((0.004, 0.26, 0.17), (0.175, -0.075, 0.15), 0.002))
    w.add(BLACK_PLASTIC, box((0.006, 0.09, 0.255), (0.171, 0.185, 0.1475), 0.002))
    w.add(DARK_GLASS, box((0.003, 0.07, 0.03), (0.174, 0.185, 0.24), 0.001))
    for z in (0.08, 0.14):
        w.add(CHROME, turn(cylinder(0.02, 0.016, sides=20), (0, np.pi / 2, 0), (0.174, 0.185, z)))
    w.add(
        CHROME,
        tube([(0.2, 0.11, 0.06), (0.2, 0.11, 0.235)], 0.007, 10),
        tube([(0.17, 0.11, 0.075), (0.2, 0.11, 0.075)], 0.005, 8),
        tube([(0.17, 0.11, 0.22), (0.2, 0.11, 0.22)], 0.005, 8),
    )
    for x in (-0.13, 0.13):
        for y in (-0.2, 0.2):
            w.add(RUBBER, cylinder(0.015, 0.012, (x, y, 0), 0.002, 12))
    w.solid((0.35, 0.48, 0.285), (0, 0, 0.1425))
    return w.done("appliance", 12.0)
