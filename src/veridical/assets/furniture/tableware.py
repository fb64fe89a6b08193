"""Things of the kitchen table: cups, plates, bottles, fruit, pots."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import (
    BLACK_METAL,
    BLACK_PLASTIC,
    CHROME,
    GLASS,
    STEEL,
    WHITE_METAL,
    WHITE_PLASTIC,
    glaze,
    pick,
    plastic,
    rgb,
    wood,
)
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import (
    Ripple,
    box,
    cylinder,
    deform,
    fillet,
    grid,
    lathe,
    loft,
    move,
    rounded_rect,
    sphere,
    tube,
    turn,
)
from veridical.assets.thing import Finish, Mesh, Thing
from veridical.core.geometry import Array

LABELS = 8

Rng = np.random.Generator


def vessel(outer: list[tuple[float, float]], wall: float, rounding: float = 0.006, sides: int = 32) -> Mesh:
    """A closed lathe of an open pot from its outer profile (radius, height), from the axis to the rim."""
    shape = fillet(outer, rounding, 3)
    inner = shape[::-1].copy()
    inner[:, 0] = np.maximum(inner[:, 0] - wall, 0)
    inner[:, 1] = np.maximum(inner[:, 1], wall * 1.3)
    rim = (shape[-1] + inner[0]) / 2 + [0, wall * 0.5]
    way = np.vstack([shape, rim, inner])
    way[-1, 0] = 0.0
    return lathe(way, sides)


def wrap(radius: float, height: float, z: float, turns: float = 1.0, sides: int = 28) -> Mesh:
    """A printed label around a cylinder: UVs run once over 0..1."""
    t = np.linspace(-np.pi * turns, np.pi * turns, sides + 1)
    s, h = np.meshgrid(t, [0.0, 1.0], indexing="ij")
    normals = np.stack([np.cos(s), np.sin(s), 0 * s], axis=-1)
    points = normals * radius + np.stack([0 * s, 0 * s, z + height * h], axis=-1)
    share = 1.0 if turns > 0.75 else 0.5  # the print repeats its face in each half
    uv = np.stack([share * (s / np.pi / turns + 1) / 2, h], axis=-1)
    return grid(points, uv, normals)


def _label(rng: Rng) -> Finish:
    return Finish("label", int(rng.integers(LABELS)))


def cup(rng: Rng) -> Thing:
    """A mug or tea cup with a handle."""
    w = Workpiece(rng)
    r, h = float(rng.uniform(0.034, 0.044)), float(rng.uniform(0.075, 0.105))
    foot = r * float(rng.uniform(0.62, 1.0))
    w.add(glaze(rng), vessel([(0, 0), (foot, 0), (r, 0.45 * h), (r * 1.02, h)], 0.0035, 0.012))
    finish = next(iter(w.finishes))
    a = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 12)
    reach, rise = float(rng.uniform(0.024, 0.032)), 0.3 * h
    path = np.stack([r * 0.97 + reach * np.cos(a) ** 0.8, 0 * a, 0.53 * h + rise * np.sin(a)], axis=-1)
    path[0, 0], path[-1, 0] = r * 0.93, r * 0.97
    w.add(finish, tube(path, 0.0055, 10, 0.75))
    w.solid_cylinder((r + foot) / 2, h)
    w.solid((reach * 0.9, 0.009, rise * 1.6), (r + reach * 0.55, 0, 0.53 * h))
    return w.done("cup", 0.3)


def bowl(rng: Rng) -> Thing:
    """A bowl."""
    w = Workpiece(rng)
    r = float(rng.uniform(0.065, 0.12))
    h = r * float(rng.uniform(0.5, 0.7))
    finish = glaze(rng) if rng.random() < 0.75 else wood(rng)
    w.add(finish, vessel(_bowl_profile(r, h), 0.004, 0.012, 40))
    w.solid_cylinder(0.5 * r, 0.3 * h)
    w.solid_cylinder(0.9 * r, 0.7 * h, (0, 0, 0.3 * h))
    return w.done("bowl", 0.35)


def _bowl_profile(r: float, h: float) -> list[tuple[float, float]]:
    return [(0, 0), (0.45 * r, 0), (0.47 * r, 0.08 * h), (0.75 * r, 0.3 * h), (0.95 * r, 0.68 * h), (r, h)]


def plate(rng: Rng) -> Thing:
    """A plate, or a stack of a few."""
    w = Workpiece(rng)
    r, finish = float(rng.uniform(0.09, 0.14)), glaze(rng)
    n = 1 if rng.random() < 0.6 else int(rng.integers(2, 5))
    rise, step = 0.02, 0.0075
    shape = [(0, 0), (0.6 * r, 0), (0.64 * r, 0.004), (0.72 * r, 0.011), (r, rise)]
    for k in range(n):
        mesh = vessel(shape, 0.0035, 0.008, 36)
        offset = rng.normal(0, 0.001, 2) if k else np.zeros(2)
        w.add(finish, move(mesh, (offset[0], offset[1], k * step)))
    tall = rise + (n - 1) * step
    w.solid_cylinder(0.62 * r, 0.008)
    w.solid_cylinder(0.95 * r, tall - 0.008, (0, 0, 0.008))
    return w.done("plate", 0.45 * n)


def bottle(rng: Rng) -> Thing:
    """A wine, water or sauce bottle with a printed label."""
    w = Workpiece(rng)
    kind = int(rng.integers(3))
    r, h = (
        (float(rng.uniform(0.035, 0.04)), float(rng.uniform(0.29, 0.32)))
        if kind == 0
        else (float(rng.uniform(0.03, 0.038)), float(rng.uniform(0.2, 0.26)))
    )
    neck = 0.014 if kind == 0 else 0.013
    shoulder = 0.6 if kind == 0 else 0.66
    shape = [
        (0, 0),
        (r, 0),
        (r, shoulder * h),
        (neck, (shoulder + 0.17) * h),
        (neck, 0.94 * h),
        (neck + 0.002, 0.945 * h),
        (neck + 0.002, 0.97 * h),
        (0, 0.97 * h),
    ]
    wine = Finish("plastic", 1, pick(rng, (rgb("1d2b1a"), rgb("2a1a10"), rgb("101512"))))
    body = wine if kind == 0 else (GLASS if kind == 1 else plastic(rng))
    w.add(body, lathe(fillet(shape, 0.02, 5), 32))
    if kind == 1:
        drink = Finish("plastic", 1, pick(rng, (rgb("b5382f"), rgb("c98a2b"), rgb("7d3f1c"))))
        inner = [(0, 0.004), (r - 0.003, 0.004), (r - 0.003, shoulder * h), (0, shoulder * h)]
        w.add(drink, lathe(fillet(inner, 0.006, 3), 28))
    w.add(_label(rng), wrap(r + 0.0006, 0.3 * h, 0.16 * h, 1.0 if kind else 0.72), jitter=False)
    cap = pick(rng, (BLACK_METAL, Finish("cork"), WHITE_PLASTIC, plastic(rng)))
    w.add(
        cap,
        cylinder(
            neck + 0.003,
            0.045 if kind == 0 else 0.024,
            (0, 0, h - (0.045 if kind == 0 else 0.024)),
            0.002,
            20,
        ),
    )
    w.solid_cylinder(r, shoulder * h)
    w.solid_cylinder(neck + 0.002, h * (1 - shoulder) - 0.02, (0, 0, shoulder * h + 0.02))
    return w.done("bottle", 0.9)


def can(rng: Rng) -> Thing:
    """A tin or a drinks can with a printed side."""
    w = Workpiece(rng)
    drink = bool(rng.random() < 0.4)
    r, h = (0.033, 0.116) if drink else (float(rng.uniform(0.036, 0.043)), float(rng.uniform(0.08, 0.115)))
    if drink:
        shape = [
            (0, 0.004),
            (0.024, 0.004),
            (0.025, 0),
            (0.027, 0),
            (r, 0.01),
            (r, h - 0.013),
            (0.027, h),
            (0.025, h),
            (0.024, h - 0.004),
            (0, h - 0.004),
        ]
    else:
        shape = [
            (0, 0.003),
            (r - 0.002, 0.003),
            (r - 0.002, 0),
            (r + 0.001, 0),
            (r + 0.001, 0.003),
            (r - 0.0008, 0.005),
            (r - 0.0008, h - 0.005),
        ]
        shape += [
            (r + 0.001, h - 0.003),
            (r + 0.001, h),
            (r - 0.002, h),
            (r - 0.002, h - 0.003),
            (0, h - 0.003),
        ]
    w.add(STEEL, lathe(fillet(shape, 0.0015, 2), 32))
    margin = 0.014 if drink else 0.006
    w.add(_label(rng), wrap(r + 0.0003, h - 2 * margin, margin), jitter=False)
    if drink:
        w.add(CHROME, move(box((0.022, 0.014, 0.0015), (0.004, 0, 0), 0.0006), (0, 0, h - 0.002)))
    w.solid_cylinder(r, h)
    return w.done("bottle", 0.38)


def jar(rng: Rng) -> Thing:
    """A storage jar with its contents and a lid."""
    w = Workpiece(rng)
    r, h = float(rng.uniform(0.04, 0.055)), float(rng.uniform(0.1, 0.18))
    food = pick(rng, (Finish("food", 2), Finish("food", 5), Finish("soil")))
    w.add(
        food,
        lathe(fillet([(0, 0.004), (r - 0.004, 0.004), (r - 0.004, 0.68 * h), (0, 0.7 * h)], 0.006, 3), 28),
    )
    w.add(GLASS, lathe(fillet([(0, 0), (r, 0), (r, 0.84 * h), (0.85 * r, 0.92 * h)], 0.01, 4), 32))
    lid = wood(rng) if rng.random() < 0.5 else pick(rng, (STEEL, BLACK_METAL, Finish("cork")))
    w.add(lid, cylinder(0.9 * r, 0.024, (0, 0, h - 0.022), 0.003, 32))
    if rng.random() < 0.5:
        w.add(_label(rng), wrap(r + 0.0005, 0.35 * h, 0.22 * h, 0.4), jitter=False)
    w.solid_cylinder(r, h)
    return w.done("bottle", 0.6)


def _fruit(rng: Rng, kind: int) -> tuple[Finish, Mesh, float]:
    """Finish, mesh resting on z = 0, and radius."""
    green = bool(kind == 0 and rng.random() < 0.4)
    skin = Finish("food", 3, rgb("7fa03c" if green else "a9b04a"))
    finish = skin if green or kind == 3 else Finish("food", (0, 1, 3)[kind])
    r = (0.037, 0.038, 0.027, 0.034)[kind] * float(rng.uniform(0.92, 1.08))
    ball = sphere(r, (0, 0, 0), 14, 22)
    dents = Ripple(rng, 0.08, 0.0012)

    def bend(v: Array) -> Array:
        z = v[:, 2] / r
        rho = np.hypot(v[:, 0], v[:, 1]) / r
        grow = np.ones_like(z)
        lift = v[:, 2].copy()
        if kind == 0:
            lift = lift * 0.9 - 0.28 * r * np.exp(-((rho / 0.3) ** 2)) * np.sign(z)
        elif kind == 2:
            lift = lift * 1.28 + 0.12 * r * z**7
            grow = 1 - 0.15 * z**4
        elif kind == 3:
            grow = np.where(z > 0, 1 - 0.52 * np.abs(z) ** 1.3, 1.0)
            lift = np.where(z > 0, lift * 1.65, lift)
        out = np.stack([v[:, 0] * grow, v[:, 1] * grow, lift], axis=1)
        return out + dents(v)[:, None] * v / r

    body = deform(ball, bend)
    if kind == 2:
        body = turn(body, (0, np.pi / 2, float(rng.uniform(0, 6))))
    body = move(body, (0, 0, -body.vertices[:, 2].min()))
    return finish, body, r


def fruit(rng: Rng) -> Thing:
    """An apple, orange, lemon or pear; it may roll."""
    w = Workpiece(rng)
    kind = int(rng.integers(4))
    finish, mesh, r = _fruit(rng, kind)
    w.add(finish, mesh)
    top = float(mesh.vertices[:, 2].max())
    if kind in (0, 3):
        w.add(
            Finish("bark", 0),
            tube([(0, 0, top - 0.016), (0.001, 0, top - 0.004), (0.004, 0.002, top + 0.006)], 0.0015, 6),
        )
    w.solid_sphere(r, (0, 0, r))
    return w.done("fruit", 0.16)


def fruit_bowl(rng: Rng) -> Thing:
    """A wide bowl of fruit, as one body."""
    w = Workpiece(rng)
    r = float(rng.uniform(0.13, 0.16))
    h = 0.5 * r
    w.add(glaze(rng) if rng.random() < 0.6 else wood(rng), vessel(_bowl_profile(r, h), 0.005, 0.015, 44))
    for k in range(7):
        finish, mesh, size = _fruit(rng, int(rng.integers(4)))
        a = k * 2 * np.pi / 6
        ring = 0.0 if k == 6 else 0.52 * r
        z = 0.052 if k == 6 else 0.4 * h - 0.004
        tilt = (float(rng.normal(0, 0.4)), float(rng.normal(0, 0.4)), a)
        seated = turn(move(mesh, (0, 0, -size)), tilt, (ring * np.cos(a), ring * np.sin(a), z + size))
        w.add(finish, seated)
    w.solid_cylinder(0.5 * r, 0.3 * h)
    w.solid_cylinder(0.9 * r, 0.7 * h, (0, 0, 0.3 * h))
    w.solid_cylinder(0.55 * r, 0.04, (0, 0, h))
    return w.done("fruit", 1.6)


def pan(rng: Rng) -> Thing:
    """A pot with two handles and a lid, or a frying pan."""
    w = Workpiece(rng)
    metal = pick(rng, (STEEL, BLACK_METAL, Finish("painted_metal", 0, rgb("b5382f"))))
    if rng.random() < 0.5:
        r, h = float(rng.uniform(0.09, 0.12)), float(rng.uniform(0.1, 0.14))
        w.add(metal, vessel([(0, 0), (r, 0), (r, h)], 0.003, 0.01, 40))
        lid = [(0, h + 0.022), (0.4 * r, h + 0.018), (r + 0.001, h + 0.004), (r + 0.001, h)]
        w.add(STEEL, lathe(fillet([(0, h), *lid[:0:-1], lid[0]], 0.006, 3), 40))
        w.add(BLACK_PLASTIC, cylinder(0.016, 0.02, (0, 0, h + 0.02), 0.006, 18))
        for s in (-1, 1):
            a = np.linspace(-0.35, 0.35, 7)
            path = np.stack(
                [0.045 * np.sin(a * 2.2), s * (r + 0.004 + 0.022 * np.cos(a * 4.4) ** 1), 0 * a + 0.75 * h],
                axis=-1,
            )
            path[0, 1] = path[-1, 1] = s * r * 0.98
            w.add(STEEL, tube(path, 0.005, 8))
        w.solid_cylinder(r, h + 0.01)
        return w.done("clutter", 1.5)
    r, h = float(rng.uniform(0.1, 0.14)), 0.05
    w.add(metal, vessel([(0, 0), (0.8 * r, 0), (r, h)], 0.0035, 0.012, 44))
    w.add(
        BLACK_PLASTIC,
        tube(
            [(0.95 * r, 0, 0.035), (r + 0.06, 0, 0.052), (r + 0.18, 0, 0.06)], (0.008, 0.01, 0.011), 10, 0.7
        ),
    )
    w.solid_cylinder(0.85 * r, h)
    w.solid((0.17, 0.018, 0.016), (r + 0.09, 0, 0.053))
    return w.done("clutter", 1.2)


def kettle(rng: Rng) -> Thing:
    """An electric kettle."""
    w = Workpiece(rng)
    metal = pick(rng, (STEEL, WHITE_METAL, BLACK_METAL, Finish("painted_metal", 0, rgb("8fa39a"))))
    r, h = 0.075, float(rng.uniform(0.2, 0.23))
    w.add(BLACK_PLASTIC, cylinder(0.082, 0.022, (0, 0, 0), 0.005, 32))
    shape = [
        (0, 0.022),
        (r, 0.022),
        (r * 0.98, 0.05),
        (0.72 * r, h - 0.03),
        (0.6 * r, h - 0.012),
        (0, h - 0.008),
    ]
    w.add(metal, lathe(fillet(shape, 0.012, 4), 36))
    w.add(BLACK_PLASTIC, cylinder(0.012, 0.014, (0, 0, h - 0.012), 0.004, 16))
    a = np.linspace(0, 1, 9)
    path = np.stack(
        [-(0.05 + 0.065 * np.sin(np.pi * a) ** 0.7 - 0.0), 0 * a, 0.06 + (h - 0.085) * a], axis=-1
    )
    path[0, 0], path[-1, 0] = -0.07, -0.052
    w.add(BLACK_PLASTIC, tube(path, 0.011, 10, 0.8))
    w.add(
        metal,
        tube([(0.045, 0, h - 0.075), (0.08, 0, h - 0.045), (0.095, 0, h - 0.035)], (0.022, 0.014, 0.009), 12),
    )
    w.solid_cylinder(0.078, h - 0.03)
    return w.done("appliance", 1.2)


def toaster(rng: Rng) -> Thing:
    """A two-slot toaster."""
    w = Workpiece(rng)
    metal = pick(rng, (STEEL, WHITE_METAL, Finish("painted_metal", 0, rgb("b5382f"))))
    levels = [(0.96, 0.012), (1.0, 0.02), (1.0, 0.15), (0.96, 0.18), (0.88, 0.19)]
    w.add(metal, loft([(rounded_rect(0.26 * s, 0.16 * (s * 1.3 - 0.3), 0.04, 6), z) for s, z in levels]))
    for y in (-0.03, 0.03):
        w.add(BLACK_METAL, box((0.16, 0.024, 0.004), (0, y, 0.1895), 0.001))
    w.add(
        BLACK_PLASTIC,
        box((0.25, 0.15, 0.014), (0, 0, 0.007), 0.004),
        box((0.022, 0.036, 0.012), (0.137, 0, 0.13), 0.004),
        turn(cylinder(0.016, 0.014, sides=18), (0, np.pi / 2, 0), (0.126, 0, 0.06)),
    )
    w.solid((0.26, 0.16, 0.19), (0, 0, 0.095))
    return w.done("appliance", 1.3)


def cutting_board(rng: Rng) -> Thing:
    """A board with a hand hole, lying."""
    w = Workpiece(rng)
    long, wide = float(rng.uniform(0.3, 0.4)), float(rng.uniform(0.2, 0.26))
    outer = rounded_rect(long, wide, 0.03, 5)
    inner = rounded_rect(long - 0.006, wide - 0.006, 0.028, 5)
    w.add(wood(rng), loft([(inner, 0.0), (outer, 0.003), (outer, 0.016), (inner, 0.019)]))
    w.solid((long, wide, 0.019), (0, 0, 0.0095))
    return w.done("clutter", 0.8)
