"""Sofas, armchairs, chairs, benches and stools."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import (
    BLACK_METAL,
    BLACK_PLASTIC,
    CHROME,
    PLASTICS,
    RUBBER,
    STEEL,
    paint,
    pick,
    scatter,
    upholstery,
    wood,
)
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import (
    box,
    cushion,
    cylinder,
    deform,
    fillet,
    lathe,
    leg,
    loft,
    move,
    pillow,
    plate,
    rounded_rect,
    tube,
    turn,
)
from veridical.assets.thing import Finish, Mesh, Thing
from veridical.core.geometry import Array

Rng = np.random.Generator


def sofa(rng: Rng, *, width: float | None = None, depth: float | None = None) -> Thing:
    """A sofa of two or three seats with loose cushions."""
    seats = int(rng.choice([2, 3, 3]))
    wide = float(rng.uniform(0.58, 0.7) * seats + 0.45) if width is None else width
    return _upholstered(rng, "sofa", seats, wide, float(rng.uniform(0.84, 0.98)) if depth is None else depth)


def armchair(rng: Rng, *, width: float | None = None, depth: float | None = None) -> Thing:
    """An upholstered chair with armrests."""
    wide = float(rng.uniform(0.76, 0.92)) if width is None else width
    return _upholstered(rng, "armchair", 1, wide, float(rng.uniform(0.76, 0.88)) if depth is None else depth)


def _upholstered(rng: Rng, category: str, seats: int, width: float, depth: float) -> Thing:
    w = Workpiece(rng)
    cover, feet = upholstery(rng), wood(rng, ("oak", "walnut"))
    arm = float(rng.uniform(0.11, 0.2)) if seats > 1 else float(rng.uniform(0.09, 0.14))
    foot, seat_z = float(rng.uniform(0.07, 0.15)), float(rng.uniform(0.41, 0.46))
    back_z, arm_z = float(rng.uniform(0.78, 0.92)), float(rng.uniform(0.56, 0.66))
    back_t, base_top = 0.14, seat_z - 0.15
    front, inner = depth / 2, width - 2 * arm
    w.add(cover, box((depth - 0.02, width - 0.02, base_top - foot), (0, 0, (foot + base_top) / 2), 0.02, 2))
    w.solid((depth, width, base_top - foot), (0, 0, (foot + base_top) / 2))
    rounded_arm = bool(rng.random() < 0.5)
    for side in (-1, 1):
        y = side * (width - arm) / 2
        shape = 0.95 if rounded_arm else 0.4
        w.add(cover, cushion((depth, arm, arm_z - foot), rng, (0, y, (arm_z + foot) / 2), shape, 0.003, 4))
        w.solid((depth, arm, arm_z - foot), (0, y, (arm_z + foot) / 2))
    back_x = -front + back_t / 2
    w.add(
        cover,
        cushion(
            (back_t, inner + 0.02, back_z - foot - 0.04),
            rng,
            (back_x, 0, (back_z + foot - 0.04) / 2),
            0.5,
            0.003,
        ),
    )
    w.solid((back_t, inner, back_z - foot - 0.04), (back_x, 0, (back_z + foot - 0.04) / 2))
    seat_x0 = -front + back_t
    seat_d = depth - back_t + 0.02
    each = inner / seats
    for i in range(seats):
        y = -inner / 2 + each * (i + 0.5)
        middle = (seat_x0 + seat_d / 2, y, (base_top + seat_z) / 2 + 0.005)
        w.add(cover, cushion((seat_d, each - 0.006, seat_z - base_top + 0.02), rng, middle, 0.5, 0.006))
        lean = float(rng.uniform(-0.24, -0.14))
        tall = back_z - seat_z + float(rng.uniform(0.0, 0.06))
        back = cushion((0.19, each - 0.012, tall), rng, (0, 0, tall / 2), 0.75, 0.009)
        w.add(cover, turn(back, (0, lean, float(rng.normal(0, 0.012))), (seat_x0 + 0.085, y, seat_z - 0.015)))
    w.solid((seat_d, inner, seat_z - base_top), (seat_x0 + seat_d / 2, 0, (base_top + seat_z) / 2))
    w.solid((0.18, inner, back_z - seat_z), (seat_x0 + 0.06, 0, (seat_z + back_z) / 2))
    _scatter_cushions(w, rng, seats, inner, seat_x0, seat_z)
    _feet(w, rng, feet, depth, width, foot)
    return w.done(category)


def _scatter_cushions(w: Workpiece, rng: Rng, seats: int, inner: float, x: float, z: float) -> None:
    spots = [-inner / 2 + 0.22, inner / 2 - 0.22, -inner / 2 + 0.5][: 2 if seats < 3 else 3]
    for y in spots if seats > 1 else [0.0]:
        if rng.random() < 0.3:
            continue
        side = float(rng.uniform(0.38, 0.46))
        soft = pillow((side, side, 0.17), rng)
        lean = -np.pi / 2 + float(rng.uniform(0.3, 0.45))
        yaw = float(rng.normal(0, 0.25)) - 0.35 * np.sign(y)
        standing = turn(soft, (0, 0, float(rng.normal(0, 0.06))))
        w.add(scatter(rng), turn(standing, (0, lean, yaw), (x + 0.25, y, z + side / 2 - 0.02)))


def _feet(w: Workpiece, rng: Rng, finish: Finish, depth: float, width: float, height: float) -> None:
    metal = bool(rng.random() < 0.35)
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (depth / 2 - 0.08), sy * (width / 2 - 0.1)
            if metal:
                w.add(BLACK_METAL, cylinder(0.012, height + 0.02, (x, y, 0), sides=14))
            else:
                w.add(finish, leg((x + 0.015 * sx, y + 0.015 * sy, 0), (x, y, height + 0.02), 0.028, 0.045))
            w.solid((0.04, 0.04, height), (x, y, height / 2))


def chair(rng: Rng, *, height: float | None = None) -> Thing:
    """A dining chair: wooden, upholstered, or a shell on slender legs."""
    tall = float(rng.uniform(0.8, 0.92)) if height is None else height
    style = int(rng.integers(3))
    return (_wooden_chair, _upholstered_chair, _shell_chair)[style](rng, tall)


def _chair_colliders(w: Workpiece, seat: float, wide: float, deep: float, tall: float) -> None:
    w.solid((deep, wide, 0.045), (0, 0, seat - 0.0225))
    w.solid((0.04, wide * 0.95, tall - seat), (-deep / 2 - 0.01, 0, (tall + seat) / 2))
    for sx in (-1, 1):
        for sy in (-1, 1):
            w.solid((0.035, 0.035, seat), (sx * (deep / 2 - 0.02), sy * (wide / 2 - 0.02), seat / 2))


def _wooden_chair(rng: Rng, tall: float) -> Thing:
    w = Workpiece(rng)
    timber = wood(rng) if rng.random() < 0.7 else paint(rng)
    seat, wide, deep = (
        float(rng.uniform(0.44, 0.47)),
        float(rng.uniform(0.4, 0.46)),
        float(rng.uniform(0.4, 0.44)),
    )
    t, lean = 0.036, float(rng.uniform(0.05, 0.09))
    half_x, half_y = deep / 2 - t / 2, wide / 2 - t / 2
    plate = extruded_seat(deep + 0.02, wide + 0.02)
    padded = bool(rng.random() < 0.4)
    w.add(timber, move(plate, (0.01, 0, seat - 0.022)))
    if padded:
        w.add(
            upholstery(rng),
            cushion((deep - 0.03, wide - 0.04, 0.045), rng, (0.01, 0, seat + 0.02), 0.9, 0.002, 6),
        )
    for sy in (-1, 1):
        w.add(timber, leg((half_x, sy * half_y, 0), (half_x, sy * half_y, seat - 0.02), t * 0.75, t))
        w.add(timber, leg((-half_x - 0.03, sy * half_y, 0), (-half_x, sy * half_y, seat), t * 0.75, t))
        w.add(
            timber, leg((-half_x, sy * half_y, seat - 0.001), (-half_x - lean, sy * half_y, tall), t, t * 0.7)
        )
        w.block(timber, (2 * half_x - t, 0.018, 0.05), (0, sy * half_y, seat - 0.048))
        w.block(timber, (2 * half_x, 0.018, 0.022), (-0.01, sy * half_y, 0.17 + 0.02 * sy))
    for sx in (-1, 1):
        w.block(timber, (0.018, 2 * half_y - t, 0.05), (sx * half_x, 0, seat - 0.048))
    _chair_back(w, rng, timber, half_x, half_y, seat, tall, lean)
    _chair_colliders(w, seat, wide, deep, tall)
    return w.done("chair")


def extruded_seat(deep: float, wide: float) -> Mesh:
    """A thin seat plate with round corners, its lower face at z = 0."""
    rim = rounded_rect(deep, wide, 0.05)
    small = rounded_rect(deep - 0.012, wide - 0.012, 0.046)
    return loft([(small, 0.0), (rim, 0.006), (rim, 0.016), (small, 0.022)])


def _chair_back(
    w: Workpiece, rng: Rng, timber: Finish, hx: float, hy: float, seat: float, tall: float, lean: float
) -> None:
    def curved(z: float, high: float, thick: float = 0.016) -> Mesh:
        x = -hx - lean * (z - seat) / (tall - seat)
        bar = box((thick, 2 * hy, high), (0, 0, 0), 0.005, divisions=(1, 8, 1))

        def bend(v: Array) -> Array:
            return v + np.stack([-0.025 * (1 - (v[:, 1] / hy) ** 2), 0 * v[:, 1], 0 * v[:, 1]], axis=1)

        return turn(deform(bar, bend), (0, -lean / (tall - seat), 0), (x, 0, z))

    w.add(timber, curved(tall - 0.045, 0.075))
    if rng.random() < 0.5:
        for k in range(int(rng.integers(2, 4))):
            w.add(timber, curved(tall - 0.16 - 0.1 * k, 0.045, 0.014))
        return
    n = int(rng.integers(5, 8))
    for y in np.linspace(-hy, hy, n + 2)[1:-1]:
        sag = -0.022 * (1 - (y / hy) ** 2)
        ends = [(-hx + 0.01, y * 0.95, seat - 0.01), (-hx - lean * 0.9 + sag, y, tall - 0.06)]
        w.add(timber, tube(np.linspace(ends[0], ends[1], 4), 0.0075, 8))


def _upholstered_chair(rng: Rng, tall: float) -> Thing:
    w = Workpiece(rng)
    cover, timber = upholstery(rng), wood(rng)
    seat, wide, deep = 0.47, float(rng.uniform(0.44, 0.5)), float(rng.uniform(0.44, 0.48))
    w.add(cover, cushion((deep, wide, 0.09), rng, (0, 0, seat - 0.03), 0.7, 0.003, 6))
    back = cushion((0.07, wide - 0.02, tall - seat + 0.02), rng, (0, 0, (tall - seat) / 2), 0.8, 0.004)
    bent = deform(back, lambda v: v + np.stack([0.35 * v[:, 1] ** 2, 0 * v[:, 1], 0 * v[:, 1]], axis=1))
    w.add(cover, turn(bent, (0, -0.14, 0), (-deep / 2 + 0.035, 0, seat - 0.005)))
    metal = bool(rng.random() < 0.4)
    for sx in (-1, 1):
        for sy in (-1, 1):
            foot = (sx * (deep / 2 - 0.02), sy * (wide / 2 - 0.03), 0.0)
            head = (sx * (deep / 2 - 0.07), sy * (wide / 2 - 0.07), seat - 0.06)
            if metal:
                w.add(BLACK_METAL, tube([foot_up(foot, 0.004), head], (0.009, 0.012), 10))
            else:
                w.add(timber, leg(foot, head, 0.022, 0.038))
    _chair_colliders(w, seat, wide, deep, tall)
    return w.done("chair")


def foot_up(p: tuple[float, float, float], rise: float) -> tuple[float, float, float]:
    """The point, lifted: the end of a bar bulges by a part of its radius."""
    return (p[0], p[1], p[2] + rise)


def _shell_chair(rng: Rng, tall: float) -> Thing:
    w = Workpiece(rng)
    shell = Finish("plastic", 0, pick(rng, PLASTICS))
    timber, seat, wide = wood(rng), 0.45, float(rng.uniform(0.44, 0.48))
    n, m = 22, 17
    s, t = np.meshgrid(np.linspace(0, 1, n), np.linspace(-1, 1, m), indexing="ij")
    bend = np.clip((s - 0.42) / 0.18, 0, 1)
    x = np.where(s < 0.5, 0.24 - 0.46 * s / 0.5, -0.22 - 0.12 * (s - 0.5) / 0.5)
    x = x + 0.05 * np.exp(-(((s - 0.5) / 0.1) ** 2))
    z = seat - 0.03 * np.exp(-(((s - 0.3) / 0.2) ** 2)) - 0.03 * np.clip((0.1 - s) / 0.1, 0, 1) ** 2
    z = z + (tall - seat) * np.clip((s - 0.46) / 0.54, 0, 1) ** 1.1
    half = (
        wide
        / 2
        * (1 - 0.28 * np.clip((s - 0.6) / 0.4, 0, 1) ** 2.5 - 0.15 * np.clip((0.12 - s) / 0.12, 0, 1) ** 2)
    )
    curl = 0.06 * np.abs(t) ** 3
    x = x + curl * bend * 1.1
    z = z + curl * (1 - bend) * 0.9
    p = np.stack([x, half * t, z], axis=-1)
    w.add(shell, plate(p, 0.006))
    for sx in (-1, 1):
        for sy in (-1, 1):
            foot = (sx * 0.22, sy * (wide / 2 - 0.005), 0.004)
            w.add(timber, tube([foot, (sx * 0.13, sy * 0.12, seat - 0.035)], (0.010, 0.015), 12))
            w.add(
                BLACK_METAL,
                tube([(sx * 0.15, sy * 0.15, 0.28), (-sx * 0.15, sy * 0.15, 0.28 + 0.12 * sx)], 0.004, 6),
            )
    w.add(BLACK_METAL, box((0.3, 0.3, 0.012), (0, 0, seat - 0.04), 0.004))
    _chair_colliders(w, seat, wide - 0.03, 0.44, tall)
    return w.done("chair")


def bench(rng: Rng, *, width: float | None = None) -> Thing:
    """A wooden bench without a back."""
    w = Workpiece(rng)
    timber = wood(rng)
    wide, deep, tall = (
        float(rng.uniform(1.0, 1.4)) if width is None else width,
        float(rng.uniform(0.32, 0.38)),
        0.45,
    )
    n = int(rng.integers(2, 5))
    for i in range(n):
        x = (i - (n - 1) / 2) * deep / n
        w.block(timber, (deep / n - 0.006, wide, 0.03), (x, 0, tall - 0.015), 0.004)
    w.solid((deep, wide, 0.03), (0, 0, tall - 0.015))
    for sy in (-1, 1):
        y = sy * (wide / 2 - 0.14)
        w.block(timber, (deep - 0.04, 0.05, 0.05), (0, y, tall - 0.055))
        for sx in (-1, 1):
            foot = (sx * (deep / 2 - 0.03), y + sy * 0.03, 0)
            w.add(timber, leg(foot, (sx * (deep / 2 - 0.05), y, tall - 0.06), 0.035, 0.05))
            w.solid((0.05, 0.05, tall - 0.06), (sx * (deep / 2 - 0.04), y, (tall - 0.06) / 2))
    w.block(timber, (0.03, wide - 0.3, 0.05), (0, 0, 0.2))
    w.top((0, 0, tall), deep / 2 - 0.03, wide / 2 - 0.05)
    return w.done("chair")


def stool(rng: Rng, *, height: float | None = None) -> Thing:
    """A round stool."""
    w = Workpiece(rng)
    timber, tall = wood(rng), float(rng.choice([0.45, 0.65])) if height is None else height
    radius = float(rng.uniform(0.15, 0.18))
    if rng.random() < 0.5:
        w.add(timber, cylinder(radius, 0.035, (0, 0, tall - 0.035), 0.008, 32))
    else:
        w.add(timber, cylinder(radius, 0.02, (0, 0, tall - 0.06), 0.004, 32))
        w.add(upholstery(rng), cylinder(radius + 0.005, 0.045, (0, 0, tall - 0.042), 0.02, 32))
    for k in range(4):
        a = np.pi / 4 + k * np.pi / 2
        c, s = float(np.cos(a)), float(np.sin(a))
        w.add(
            timber,
            tube(
                [
                    (c * (radius + 0.03), s * (radius + 0.03), 0.004),
                    (c * (radius - 0.03), s * (radius - 0.03), tall - 0.03),
                ],
                (0.012, 0.016),
                12,
            ),
        )
        r = radius + 0.01
        b = a + np.pi / 2
        w.add(
            timber, tube([(c * r, s * r, 0.16), (r * float(np.cos(b)), r * float(np.sin(b)), 0.16)], 0.008, 8)
        )
    w.solid_cylinder(radius, 0.04, (0, 0, tall - 0.04))
    w.solid_cylinder(radius + 0.01, 0.02, (0, 0, 0.15))
    for sx in (-1, 1):
        for sy in (-1, 1):
            w.solid((0.03, 0.03, tall - 0.04), (sx * radius * 0.72, sy * radius * 0.72, (tall - 0.04) / 2))
    w.top((0, 0, tall), radius * 0.6, radius * 0.6)
    return w.done("chair")


def office_chair(rng: Rng) -> Thing:
    """A swivel chair on a five-star base with castors."""
    w = Workpiece(rng)
    cover = Finish(
        pick(rng, ("weave", "fabric", "leather")),
        int(rng.integers(2)),
        pick(rng, ((0.03, 0.03, 0.035), (0.08, 0.1, 0.14), (0.2, 0.2, 0.2))),
    )
    metal, seat, tall = (
        pick(rng, (CHROME, BLACK_PLASTIC, STEEL)),
        float(rng.uniform(0.46, 0.52)),
        float(rng.uniform(0.98, 1.12)),
    )
    yaw = float(rng.uniform(0, 2))
    for k in range(5):
        a = yaw + k * 2 * np.pi / 5
        c, s = float(np.cos(a)), float(np.sin(a))
        w.add(
            metal,
            tube(
                [(0.03 * c, 0.03 * s, 0.115), (0.16 * c, 0.16 * s, 0.105), (0.29 * c, 0.29 * s, 0.08)],
                (0.024, 0.02, 0.015),
                10,
                0.8,
            ),
        )
        wheel = turn(cylinder(0.026, 0.016, (0, 0, 0), 0.004, 16), (np.pi / 2, 0, 0))
        for side in (0.004, 0.026):
            w.add(RUBBER, turn(move(wheel, (0, side, 0)), (0, 0, a + 1.2), (0.29 * c, 0.29 * s, 0.026)))
        w.add(BLACK_PLASTIC, cylinder(0.008, 0.05, (0.29 * c, 0.29 * s, 0.03), sides=10))
        w.solid((0.27, 0.035, 0.05), (0.16 * c, 0.16 * s, 0.09), (0, 0, a))
        w.solid((0.05, 0.05, 0.06), (0.29 * c, 0.29 * s, 0.03), (0, 0, a))
    w.add(metal, cylinder(0.035, 0.06, (0, 0, 0.085), 0.006), cylinder(0.016, seat - 0.2, (0, 0, 0.14)))
    w.add(
        BLACK_PLASTIC,
        cylinder(0.026, 0.14, (0, 0, 0.14)),
        box((0.22, 0.16, 0.05), (0, 0, seat - 0.085), 0.012, 2),
    )
    w.add(
        BLACK_PLASTIC,
        tube([(0.05, 0.06, seat - 0.085), (0.06, 0.2, seat - 0.085), (0.07, 0.25, seat - 0.08)], 0.007, 8),
    )
    w.add(cover, cushion((0.48, 0.49, 0.09), rng, (0.02, 0, seat - 0.035), 0.8, 0.003))
    back_h = tall - seat - 0.08
    back = cushion((0.075, 0.45, back_h), rng, (0, 0, back_h / 2), 0.85, 0.003)
    bent = deform(
        back,
        lambda v: (
            v
            + np.stack(
                [0.5 * v[:, 1] ** 2 - 0.06 * np.sin(v[:, 2] / back_h * 5), 0 * v[:, 1], 0 * v[:, 1]], axis=1
            )
        ),
    )
    w.add(cover, turn(bent, (0, -0.12, 0), (-0.22, 0, seat + 0.08)))
    w.add(
        BLACK_PLASTIC,
        tube(
            [
                (-0.08, 0, seat - 0.08),
                (-0.24, 0, seat - 0.07),
                (-0.3, 0, seat + 0.05),
                (-0.32, 0, seat + 0.3),
            ],
            0.022,
            10,
            0.5,
        ),
    )
    if rng.random() < 0.7:
        for sy in (-1, 1):
            y = sy * 0.27
            w.add(
                BLACK_PLASTIC,
                box((0.24, 0.07, 0.028), (0.02, y, seat + 0.21), 0.012, 2),
                box((0.05, 0.022, 0.27), (0.0, y, seat + 0.07), 0.008),
                box((0.05, 0.1, 0.018), (0, sy * 0.22, seat - 0.075), 0.006),
            )
            w.solid((0.24, 0.07, 0.028), (0.02, y, seat + 0.21))
            w.solid((0.05, 0.022, 0.27), (0.0, y, seat + 0.07))
    w.solid((0.46, 0.48, 0.08), (0.02, 0, seat - 0.04))
    w.solid((0.07, 0.44, back_h), (-0.28, 0, seat + 0.08 + back_h / 2), (0, -0.12, 0))
    w.solid_cylinder(0.03, seat - 0.12, (0, 0, 0.05))
    return w.done("chair")


def pouf(rng: Rng) -> Thing:
    """A low round upholstered seat."""
    w = Workpiece(rng)
    radius, tall = float(rng.uniform(0.22, 0.28)), float(rng.uniform(0.34, 0.42))
    profile = fillet(
        [(0, 0), (radius * 0.92, 0), (radius * 1.06, tall * 0.5), (radius * 0.92, tall), (0, tall + 0.02)],
        0.07,
        5,
    )
    w.add(scatter(rng), lathe(profile, 40))
    w.solid_cylinder(radius, tall)
    w.top((0, 0, tall), radius * 0.5, radius * 0.5)
    return w.done("chair")
