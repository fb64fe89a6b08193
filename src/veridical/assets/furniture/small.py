"""Loose things of the home: books, boxes, toys, cushions, baskets, shoes."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture import books
from veridical.assets.furniture.finishes import (
    BLACK_PLASTIC,
    GLASS,
    PAPER,
    PLASTICS,
    STEEL,
    WHITE_PLASTIC,
    glaze,
    pick,
    plastic,
    rgb,
    scatter,
    wood,
)
from veridical.assets.furniture.plants import GREENS, bunch
from veridical.assets.furniture.tableware import LABELS, vessel
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
    merge,
    move,
    panel,
    pillow,
    rounded_rect,
    sphere,
    tube,
    turn,
)
from veridical.assets.thing import Finish, Mesh, Thing
from veridical.core.geometry import Array

Rng = np.random.Generator


def book(rng: Rng) -> Thing:
    """A book, lying."""
    w = Workpiece(rng)
    thick, high = float(rng.uniform(0.014, 0.04)), float(rng.uniform(0.18, 0.27))
    deep = high * float(rng.uniform(0.66, 0.76))
    books.add_lying(w, books.cover(rng), (thick, high, deep), (0, 0, 0), np.pi / 2)
    w.solid((high, deep, thick), (0, 0, thick / 2))
    return w.done("book", 0.5 * thick / 0.025)


def book_stack(rng: Rng) -> Thing:
    """A pile of two to five books, as one body."""
    w = Workpiece(rng)
    level, print_ = 0.0, books.any_print(rng)
    for _ in range(int(rng.integers(2, 6))):
        thick, high = float(rng.uniform(0.014, 0.035)), float(rng.uniform(0.2, 0.27))
        deep, yaw = high * 0.72, float(rng.normal(0, 0.14))
        foot = (0.0, 0.0, level)
        books.add_lying(w, books.cover(rng, print_), (thick, high, deep), foot, np.pi / 2 + yaw)
        w.solid((high, deep, thick), (0, 0, level + thick / 2), (0, 0, yaw))
        level += thick
    return w.done("book", 1.5)


def magazine(rng: Rng) -> Thing:
    """A few magazines, lying."""
    w = Workpiece(rng)
    level = 0.0
    for _ in range(int(rng.integers(1, 4))):
        thick, yaw = float(rng.uniform(0.004, 0.007)), float(rng.normal(0, 0.2))
        w.add(PAPER, turn(box((0.28, 0.21, thick), (0, 0, thick / 2), 0.001), (0, 0, yaw), (0, 0, level)))
        print_ = turn(panel(0.206, 0.276, (0.75, 1.0)), (0, -np.pi / 2, 0), (0, 0, thick + 0.0004))
        w.add(Finish("poster", int(rng.integers(16))), turn(print_, (0, 0, yaw), (0, 0, level)), jitter=False)
        w.solid((0.28, 0.21, thick), (0, 0, level + thick / 2), (0, 0, yaw))
        level += thick
    return w.done("book", 0.3)


def carton(rng: Rng) -> Thing:
    """A cardboard box with tape and a label."""
    w = Workpiece(rng)
    size = np.array([rng.uniform(0.18, 0.4), rng.uniform(0.2, 0.5), rng.uniform(0.14, 0.35)])
    tall = float(size[2])
    board = Finish("cardboard", int(rng.integers(2)))
    dents = Ripple(rng, 0.3, 0.0015)
    body = box(size, (0, 0, tall / 2), 0.004, 2, divisions=(4, 4, 4))

    def bend(v: Array) -> Array:
        free = np.clip(v[:, 2] / 0.02, 0, 1)
        return v + body.normals * (dents(v) * free - 0.0015 * free)[:, None]

    w.add(board, deform(body, bend))
    tape = Finish("paper", 1, rgb("c9b48a"))
    w.add(tape, box((0.05, float(size[1]) - 0.002, 0.001), (0, 0, tall - 0.0008), 0.0003))
    for s in (-1, 1):
        w.add(tape, box((0.05, 0.001, 0.07), (0, s * float(size[1]) / 2, tall - 0.037), 0.0003))
    for s in (-1, 1):
        w.add(board, box((float(size[0]) - 0.01, 0.0015, 0.0012), (0, s * 0.002, tall - 0.0004), 0.0004))
    mark = panel(0.1, 0.07, (0.5, 1))
    w.add(
        Finish("label", int(rng.integers(LABELS))),
        move(mark, (float(size[0]) / 2 + 0.0004, 0.04, tall * 0.5)),
        jitter=False,
    )
    w.solid(size, (0, 0, tall / 2))
    return w.done("box", float(np.prod(size)) * 60)


def ball(rng: Rng) -> Thing:
    """A ball of two colours; it rolls."""
    w = Workpiece(rng)
    r = float(rng.uniform(0.035, 0.11))
    whole = sphere(r, (0, 0, r), 18, 30)
    tilt = float(rng.uniform(0, np.pi)), float(rng.uniform(0, np.pi)), 0.0
    a, b = plastic(rng), plastic(rng)
    centre = whole.vertices[whole.faces].mean(axis=1) - [0, 0, r]
    band = np.abs(centre[:, 2]) < 0.35 * r
    for finish, chosen in ((a, band), (b, ~band)):
        part = Mesh(whole.vertices, whole.faces[chosen], whole.normals, whole.uv)
        w.add(finish, turn(move(part, (0, 0, -r)), tilt, (0, 0, r)))
    w.solid_sphere(r, (0, 0, r))
    return w.done("toy", 0.12 + r)


def toy_blocks(rng: Rng) -> Thing:
    """A little house of wooden blocks, as one body."""
    w = Workpiece(rng)
    side = float(rng.uniform(0.035, 0.045))
    colours = (*(Finish("painted_wood", 0, c) for c in PLASTICS[2:]), wood(rng, ("pine",)))
    n = int(rng.integers(2, 4))
    for i in range(n):
        for level in range(int(rng.integers(1, 3))):
            yaw = 0.0 if level == 0 else float(rng.normal(0, 0.12))
            center = (0.0, (i - (n - 1) / 2) * side * 1.02, side * (level + 0.5))
            w.add(pick(rng, colours), turn(box((side, side, side), (0, 0, 0), 0.003, 2), (0, 0, yaw), center))
            w.solid((side, side, side), center, (0, 0, yaw))
    roof = loft(
        [(rounded_rect(side, side, 0.002, 1), 0.0), (rounded_rect(side, 0.004, 0.001, 1), side * 0.6)]
    )
    w.add(pick(rng, colours), move(roof, (side * 1.35, 0, 0)))
    w.solid((side, side * 0.6, side * 0.4), (side * 1.35, 0, side * 0.2))
    return w.done("toy", 0.25)


def toy_car(rng: Rng) -> Thing:
    """A wooden car; its wheels do not turn."""
    w = Workpiece(rng)
    long, wide, r = float(rng.uniform(0.12, 0.18)), 0.065, 0.02
    coat = Finish("painted_wood", 0, pick(rng, PLASTICS[2:]))
    w.add(coat, box((long, wide, 0.032), (0, 0, r + 0.014), 0.009, 3))
    w.add(coat, box((long * 0.5, wide * 0.86, 0.034), (-0.06 * long, 0, r + 0.044), 0.011, 3))
    w.add(
        Finish("plastic", 1, rgb("0c0d0f")),
        box((long * 0.51, wide * 0.7, 0.018), (-0.06 * long, 0, r + 0.045), 0.004),
        box((long * 0.38, wide * 0.87, 0.018), (-0.06 * long, 0, r + 0.045), 0.004),
    )
    for sx in (-1, 1):
        for sy in (-1, 1):
            wheel = turn(
                cylinder(r, 0.014, sides=22),
                (np.pi / 2, 0, 0),
                (sx * long * 0.3, sy * (wide / 2 - 0.002) + 0.007, r),
            )
            w.add(BLACK_PLASTIC, wheel)
            hub = turn(
                cylinder(r * 0.45, 0.017, sides=14),
                (np.pi / 2, 0, 0),
                (sx * long * 0.3, sy * (wide / 2 - 0.002) + 0.0085, r),
            )
            w.add(wood(rng, ("pine",)), hub)
    w.solid((long, wide + 0.01, r + 0.03), (0, 0, (r + 0.03) / 2))
    w.solid((long * 0.5, wide * 0.86, 0.031), (-0.06 * long, 0, r + 0.0455))
    return w.done("toy", 0.25)


def cushion(rng: Rng) -> Thing:
    """A scatter cushion, lying."""
    w = Workpiece(rng)
    side = float(rng.uniform(0.38, 0.46))
    soft = pillow((side, side, 0.16), rng)
    low = -0.052
    flat = deform(
        soft,
        lambda v: np.stack([v[:, 0], v[:, 1], np.maximum(v[:, 2], low + 0.15 * (v[:, 2] - low))], axis=1),
    )
    w.add(scatter(rng), flat)
    zmin, zmax = float(flat.vertices[:, 2].min()), float(flat.vertices[:, 2].max())
    w.solid((side * 0.8, side * 0.8, (zmax - zmin) * 0.85), (0, 0, zmin + (zmax - zmin) * 0.425))
    return w.done("cushion", 0.5)


def vase(rng: Rng) -> Thing:
    """A vase, often with twigs."""
    w = Workpiece(rng)
    h, r = float(rng.uniform(0.16, 0.3)), float(rng.uniform(0.05, 0.085))
    belly, neck = float(rng.uniform(0.25, 0.6)), float(rng.uniform(0.35, 0.7))
    shape = [
        (0, 0),
        (0.6 * r, 0),
        (0.75 * r, 0.02 * h),
        (r, belly * h),
        (neck * r, 0.88 * h),
        (neck * r * 1.15, h),
    ]
    w.add(glaze(rng), vessel(shape, 0.004, 0.05, 40))
    if rng.random() < 0.6:
        leaves, stems = bunch(rng, float(rng.uniform(0.2, 0.35)), h)
        w.add(Finish("foliage", int(rng.integers(3)), pick(rng, GREENS)), *leaves, jitter=False)
        w.add(Finish("bark", 0), *stems)
    w.solid_cylinder(0.72 * r, 0.1 * h)
    w.solid_cylinder(0.9 * r, 0.8 * h, (0, 0, 0.1 * h))
    return w.done("vase", 0.9)


def candle(rng: Rng) -> Thing:
    """A candle in a glass or on a foot; unlit."""
    w = Workpiece(rng)
    wax = Finish("plastic", 2, pick(rng, (rgb("efe6d2"), rgb("7d3f4c"), rgb("8fa39a"))))
    r, h = float(rng.uniform(0.024, 0.035)), float(rng.uniform(0.06, 0.13))
    if rng.random() < 0.5:
        w.add(wax, cylinder(r, 0.6 * h, (0, 0, 0.005), 0.004, 28))
        w.add(GLASS, vessel([(0, 0), (r + 0.004, 0), (r + 0.005, h)], 0.002, 0.006))
        w.add(BLACK_PLASTIC, tube([(0, 0, 0.6 * h), (0.001, 0, 0.6 * h + 0.012)], 0.0012, 5))
        w.solid_cylinder(r + 0.005, h)
    else:
        w.add(
            pick(rng, (STEEL, glaze(rng))),
            lathe(
                fillet(
                    [(0, 0), (1.5 * r, 0), (1.55 * r, 0.01), (1.45 * r, 0.01), (1.4 * r, 0.004), (0, 0.004)],
                    0.002,
                    2,
                ),
                32,
            ),
        )
        w.add(wax, cylinder(r, h, (0, 0, 0.004), 0.005, 28))
        w.add(BLACK_PLASTIC, tube([(0, 0, h), (0.001, 0, h + 0.014)], 0.0012, 5))
        w.solid_cylinder(1.5 * r, 0.01)
        w.solid_cylinder(r, h - 0.006, (0, 0, 0.01))
    return w.done("clutter", 0.25)


def _woven(points: Array, radius: float) -> Mesh:
    return tube(np.vstack([points, points[:1]]), radius, 6)


def basket(rng: Rng) -> Thing:
    """A wicker basket of stacked rings, with handles."""
    w = Workpiece(rng)
    long, wide, tall = (
        float(rng.uniform(0.26, 0.4)),
        float(rng.uniform(0.22, 0.32)),
        float(rng.uniform(0.15, 0.28)),
    )
    finish = Finish("wicker", int(rng.integers(2)))
    n = max(7, round(tall / 0.018))
    for k in range(n):
        s = k / (n - 1)
        grow = 0.84 + 0.16 * s
        rim = rounded_rect(long * grow, wide * grow, 0.09, 6)
        ring = np.column_stack([rim, np.full(len(rim), 0.011 + s * (tall - 0.022))])
        w.add(finish, _woven(ring, 0.011 if k < n - 1 else 0.0125))
    floor = rounded_rect(long * 0.84, wide * 0.84, 0.09, 6)
    w.add(finish, loft([(floor, 0.003), (floor, 0.016)]))
    for side in (-1, 1):
        a = np.linspace(0, np.pi, 9)
        path = np.stack(
            [side * (long / 2 + 0.004) + 0 * a, 0.055 * np.cos(a), tall - 0.02 + 0.045 * np.sin(a)], -1
        )
        w.add(finish, tube(path, 0.006, 8))
    if rng.random() < 0.5:
        cloth = pillow((long * 0.8, wide * 0.8, 0.12), rng, 0.014)
        w.add(scatter(rng), move(cloth, (0, 0, tall - 0.05)))
    w.solid((long * 0.86, wide * 0.86, 0.02), (0, 0, 0.01))
    w.solid((long * 0.94, wide * 0.94, tall - 0.02), (0, 0, 0.02 + (tall - 0.02) / 2))
    return w.done("basket", 0.9)


def paper_bin(rng: Rng) -> Thing:
    """A waste bin, with or without a swing lid."""
    w = Workpiece(rng)
    r, h = float(rng.uniform(0.11, 0.14)), float(rng.uniform(0.27, 0.36))
    finish = pick(rng, (plastic(rng), STEEL, Finish("painted_metal", 0, rgb("222325"))))
    w.add(finish, vessel([(0, 0), (0.82 * r, 0), (r, h)], 0.003, 0.012, 40))
    ring = lathe(
        fillet(
            [
                (r - 0.004, h - 0.006),
                (r + 0.004, h - 0.006),
                (r + 0.004, h + 0.003),
                (r - 0.004, h + 0.003),
                (r - 0.004, h - 0.006),
            ],
            0.003,
            2,
        ),
        40,
    )
    w.add(finish, ring)
    for k in range(int(rng.integers(0, 6))):
        crumple = Ripple(rng, 0.03, 0.009)
        lump = deform(sphere(0.033, (0, 0, 0), 9, 14), lambda v, f=crumple: v * (1 + f(v) / 0.033)[:, None])  # type: ignore[misc]
        a = k * 2.4
        w.add(PAPER, move(lump, (0.055 * np.cos(a), 0.055 * np.sin(a), h * 0.72 + 0.02 * (k % 2))))
    w.solid_cylinder(0.82 * r, 0.05)
    w.solid_cylinder(0.93 * r, h - 0.05, (0, 0, 0.05))
    return w.done("bin", 0.8)


def shoe(rng: Rng) -> Thing:
    """A left or right low shoe, its toe to the front."""
    w = Workpiece(rng)
    long = float(rng.uniform(0.25, 0.29))
    upper = Finish(
        pick(rng, ("leather", "fabric", "weave")),
        int(rng.integers(2)),
        pick(rng, (rgb("2d2724"), rgb("6b4630"), rgb("e0ddd6"), rgb("3d4f63"))),
    )
    mirror_y = 1.0 if rng.random() < 0.5 else -1.0
    n = 26
    t = np.linspace(0, 2 * np.pi, n, endpoint=False)

    def sole(grow: float) -> Array:
        x = np.cos(t)
        half = (
            0.5
            * (0.078 + 0.02 * np.sin(np.clip(x, -1, 1) * 1.9 + 0.3))
            * np.abs(np.sin(t)) ** 0.6
            * np.sign(np.sin(t))
        )
        y = half + 0.012 * (x - 0.2) ** 2 * np.sign(x - 0.2)
        return np.stack([(long / 2) * np.sign(x) * np.abs(x) ** 0.85 * grow, y * grow * mirror_y], axis=-1)

    def ccw(outline: Array) -> Array:
        return outline if mirror_y > 0 else outline[::-1]

    white = pick(rng, (WHITE_PLASTIC, Finish("rubber", 0, rgb("1c1c1d")), Finish("rubber", 0, rgb("8d6a4b"))))
    w.add(
        white,
        loft(
            [
                (ccw(sole(0.97)), 0.0),
                (ccw(sole(1.0)), 0.005),
                (ccw(sole(1.0)), 0.022),
                (ccw(sole(0.96)), 0.027),
            ]
        ),
    )
    w.add(upper, _upper(ccw(sole(0.95)), long))
    lace = pick(rng, (WHITE_PLASTIC, BLACK_PLASTIC))
    for k in range(4):
        x = 0.005 + 0.016 * k
        z = 0.099 - 0.95 * (x + 0.012) * 0.42
        bar = [(x, -0.02, z - 0.006), (x + 0.004, 0.0, z), (x, 0.02, z - 0.006)]
        w.add(lace, tube(bar, 0.0022, 6))
    w.solid((long, 0.085, 0.03), (0, 0, 0.015))
    w.solid((long * 0.48, 0.065, 0.07), (-long * 0.22, 0, 0.065))
    w.solid((long * 0.4, 0.07, 0.035), (long * 0.22, 0, 0.047))
    return w.done("shoe", 0.4)


def _upper(foot: Array, long: float) -> Mesh:
    """The leather above a sole's outline, open where the leg goes in."""
    levels = []
    opening = np.array([-0.25 * long, 0.0])
    for s in np.linspace(0, 1, 9):
        close = s**1.8
        pulled = foot * (1 - 0.02 * s)
        target = opening + (foot - foot.mean(axis=0)) * [0.44, 0.62]
        ring = pulled * (1 - close) + target * close
        front = np.clip((ring[:, 0] + 0.2 * long) / (0.7 * long), 0, 1)
        z = 0.024 + 0.08 * np.sin(s * np.pi / 2) ** 0.9 * (1 - 0.12 * front)
        levels.append(np.column_stack([ring, z]))
    for inset, drop in ((0.92, 0.001), (0.88, 0.03), (0.5, 0.06)):
        ring = levels[8][:, :2]
        levels.append(np.column_stack([opening + (ring - opening) * inset, levels[8][:, 2] - drop]))
    rings = np.stack(levels, axis=1)
    rings = np.concatenate([rings, rings[:1]], axis=0)
    end = rings[:, -1:].copy()
    end[:] = end[:-1].mean(axis=0)
    return grid(np.concatenate([rings, end], axis=1))


def picture_stand(rng: Rng) -> Thing:
    """A small photograph in a frame, standing on a prop."""
    w = Workpiece(rng)
    wide, tall = pick(rng, ((0.13, 0.18), (0.18, 0.13), (0.1, 0.15)))
    edge = pick(rng, (wood(rng), STEEL, BLACK_PLASTIC))
    rim, lean = 0.014, -0.22
    bars = [
        box((0.014, wide, rim), (0, 0, rim / 2), 0.002),
        box((0.014, wide, rim), (0, 0, tall - rim / 2), 0.002),
        box((0.014, rim, tall), (0, wide / 2 - rim / 2, tall / 2), 0.002),
        box((0.014, rim, tall), (0, -wide / 2 + rim / 2, tall / 2), 0.002),
        box((0.004, wide - 0.01, tall - 0.01), (-0.003, 0, tall / 2), 0.001),
    ]
    low = 0.0016
    w.add(edge, turn(merge(bars), (0, lean, 0), (0, 0, low)))
    crop = (wide / max(wide, tall), tall / max(wide, tall))
    photo = move(panel(wide - 2 * rim, tall - 2 * rim, crop), (0.0005, 0, tall / 2))
    w.add(Finish("poster", int(rng.integers(16))), turn(photo, (0, lean, 0), (0, 0, low)), jitter=False)
    prop = [(-0.01 - 0.65 * tall * np.sin(-lean), 0, 0.62 * tall), (-0.5 * tall, 0, 0.0035)]
    w.add(edge, tube(prop, 0.004, 6, 0.6))
    depth = 0.5 * tall + 0.006
    w.solid((depth, wide, 0.01), (0.006 - depth / 2, 0, 0.005))
    w.solid((0.014, wide, tall * 0.95), (float(np.sin(lean)) * tall / 2, 0, tall / 2), (0, lean, 0))
    return w.done("picture", 0.3)


def soap(rng: Rng) -> Thing:
    """A soap dispenser."""
    w = Workpiece(rng)
    r, h = 0.034, float(rng.uniform(0.11, 0.14))
    w.add(
        glaze(rng), lathe(fillet([(0, 0), (r, 0), (r, h), (0.012, h + 0.008), (0, h + 0.008)], 0.006, 4), 32)
    )
    w.add(
        STEEL,
        cylinder(0.012, 0.012, (0, 0, h + 0.006), 0.002, 18),
        cylinder(0.004, 0.03, (0, 0, h + 0.016), sides=10),
    )
    w.add(
        STEEL,
        tube([(0, 0, h + 0.048), (0.03, 0, h + 0.048), (0.045, 0, h + 0.04)], (0.006, 0.005, 0.004), 10),
    )
    w.solid_cylinder(r, h)
    w.solid((0.05, 0.012, 0.035), (0.018, 0, h + 0.032))
    return w.done("bottle", 0.35)
