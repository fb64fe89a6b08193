"""Wardrobes, shelves, chests, desks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from veridical.assets.furniture import books
from veridical.assets.furniture.cabinetry import (
    BOARD_M,
    FRONT_M,
    carcass,
    doors,
    drawers,
    front,
    plinth,
    short_legs,
    top_plate,
)
from veridical.assets.furniture.finishes import BLACK_METAL, Look, glaze, look, pick, wood
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import box, fillet, lathe, leg, sphere
from veridical.assets.thing import Thing

Rng = np.random.Generator


def wardrobe(
    rng: Rng, *, width: float | None = None, height: float | None = None, style: int | None = None
) -> Thing:
    """A tall cupboard with two to four doors, some with drawers below."""
    w, kit = Workpiece(rng), look(rng, style)
    wide = float(rng.uniform(1.0, 2.0)) if width is None else width
    tall, deep = float(rng.uniform(1.95, 2.2)) if height is None else height, float(rng.uniform(0.56, 0.62))
    n = max(2, round(wide / 0.5))
    base, x = 0.08, (-deep / 2, deep / 2 - FRONT_M)
    y = (-wide / 2, wide / 2)
    plinth(w, kit.body, x, y, base, 0.02)
    carcass(w, kit.body, x, y, (base, tall))
    low = base + (0.24 if rng.random() < 0.4 else 0.0)
    if low > base:
        for i in range(max(1, n // 2)):
            step = wide / max(1, n // 2)
            front(w, kit, x[1], (y[0] + i * step, y[0] + (i + 1) * step), (base, low), "top", drawer=True)
    doors(w, kit, x[1], y, (low, tall - 0.002), n)
    if rng.random() < 0.6:
        top_plate(w, kit.body, (x[0], deep / 2), y, tall, 0.025, 0.012)
        tall += 0.025
    w.top((0, 0, tall), deep / 2 - 0.08, wide / 2 - 0.08, 0.25)
    return w.done("wardrobe")


def cabinet(rng: Rng, *, width: float | None = None, style: int | None = None) -> Thing:
    """A sideboard or chest of drawers."""
    w, kit = Workpiece(rng), look(rng, style)
    chest = bool(rng.random() < 0.45)
    wide = float(rng.uniform(0.8, 1.1) if chest else rng.uniform(1.1, 1.7)) if width is None else width
    tall, deep = (
        float(rng.uniform(0.8, 1.0) if chest else rng.uniform(0.68, 0.82)),
        float(rng.uniform(0.4, 0.46)),
    )
    _low_cupboard(w, rng, kit, wide, deep, tall, 0.12, chest)
    return w.done("cabinet")


def nightstand(rng: Rng, *, style: int | None = None) -> Thing:
    """A small bedside chest with a drawer or two."""
    w, kit = Workpiece(rng), look(rng, style)
    wide, deep, tall = (
        float(rng.uniform(0.4, 0.52)),
        float(rng.uniform(0.36, 0.42)),
        float(rng.uniform(0.46, 0.56)),
    )
    x, y, base = (-deep / 2, deep / 2 - FRONT_M), (-wide / 2, wide / 2), 0.13
    short_legs(w, kit, x, y, base)
    if rng.random() < 0.5:
        carcass(w, kit.body, x, y, (base, tall))
        drawers(w, kit, x[1], y, (base, tall), 2)
    else:
        middle = base + 0.5 * (tall - base)
        carcass(w, kit.body, x, y, (base, middle), open_front=True)
        carcass(w, kit.body, x, y, (middle, tall))
        front(w, kit, x[1], y, (middle, tall), "top", drawer=True)
        w.top((0, 0, base + BOARD_M), deep / 2 - 0.08, wide / 2 - 0.06, middle - base - 0.05)
    top_plate(w, kit.accent, (x[0], deep / 2), y, tall, 0.02, 0.006)
    w.top((0, 0, tall + 0.02), deep / 2 - 0.04, wide / 2 - 0.04)
    return w.done("cabinet")


def tv_stand(rng: Rng, *, width: float | None = None, style: int | None = None) -> Thing:
    """A long low cupboard for a television."""
    w, kit = Workpiece(rng), look(rng, style)
    wide = float(rng.uniform(1.4, 1.9)) if width is None else width
    deep, tall, base = float(rng.uniform(0.38, 0.44)), float(rng.uniform(0.42, 0.5)), 0.1
    x, y = (-deep / 2, deep / 2 - FRONT_M), (-wide / 2, wide / 2)
    short_legs(w, kit, x, y, base)
    third = wide / 3
    for i in range(3):
        part = (y[0] + i * third, y[0] + (i + 1) * third)
        if i == 1:
            carcass(w, kit.body, x, part, (base, tall), open_front=True)
            middle = (base + tall) / 2
            w.block(kit.body, (deep - 0.04, third - 0.04, 0.016), (-0.015, 0, middle), 0.002, solid=True)
            for z, room in ((base + BOARD_M, middle - base - 0.04), (middle + 0.008, tall - middle - 0.04)):
                w.top((0.0, 0.0, z), deep / 2 - 0.1, third / 2 - 0.08, room)
        else:
            carcass(w, kit.body, x, part, (base, tall))
            doors(w, kit, x[1], part, (base, tall), 1)
    top_plate(w, kit.accent, (x[0], deep / 2), y, tall, 0.022, 0.004)
    w.top((0, 0, tall + 0.022), deep / 2 - 0.05, wide / 2 - 0.06)
    return w.done("cabinet")


def _low_cupboard(
    w: Workpiece, rng: Rng, kit: Look, wide: float, deep: float, tall: float, base: float, chest: bool
) -> None:
    x, y = (-deep / 2, deep / 2 - FRONT_M), (-wide / 2, wide / 2)
    if rng.random() < 0.6:
        short_legs(w, kit, x, y, base)
    else:
        base = 0.07
        plinth(w, kit.body, x, y, base, 0.03)
    carcass(w, kit.body, x, y, (base, tall))
    if chest:
        split = tall - (tall - base) * 0.22
        drawers(w, kit, x[1], y, (base, split), 3)
        for part in ((y[0], 0.0), (0.0, y[1])):
            front(w, kit, x[1], part, (split, tall), "top", drawer=True)
    else:
        n = max(2, round(wide / 0.42))
        step = wide / n
        at = int(rng.integers(n))
        for i in range(n):
            part = (y[0] + i * step, y[0] + (i + 1) * step)
            if i == at:
                drawers(w, kit, x[1], part, (base, tall), 3)
            else:
                front(w, kit, x[1], part, (base, tall), "right" if i % 2 == 0 else "left")
    top_plate(w, kit.accent, (x[0], deep / 2), y, tall, 0.024, 0.01)
    w.top((0, 0, tall + 0.024), deep / 2 - 0.05, wide / 2 - 0.06)


def bookshelf(
    rng: Rng, *, width: float | None = None, height: float | None = None, style: int | None = None
) -> Thing:
    """Open shelves full of books, with a few ornaments between them."""
    w, kit = Workpiece(rng), look(rng, style, 0.3)
    wide = float(rng.uniform(0.75, 1.05)) if width is None else width
    tall = float(rng.uniform(1.7, 2.1)) if height is None else height
    deep, base, t = float(rng.uniform(0.27, 0.33)), 0.06, 0.022
    n = max(2, round((tall - base) / 0.36))
    for side in (-1, 1):
        w.block(kit.body, (deep, t, tall), (0, side * (wide - t) / 2, tall / 2), 0.002, solid=True)
    w.block(
        kit.body,
        (0.007, wide - 2 * t, tall - base),
        (-deep / 2 + 0.005, 0, (tall + base) / 2),
        0.001,
        2,
        True,
    )
    w.block(kit.body, (0.018, wide - 2 * t, base), (deep / 2 - 0.025, 0, base / 2), 0.002)
    levels = np.linspace(base + t / 2, tall - t / 2, n + 1)
    for z in levels:
        w.block(kit.body, (deep - 0.012, wide - 2 * t, t), (-0.002, 0, float(z)), 0.002, 1, True)
    inner = (-wide / 2 + t, wide / 2 - t)
    for lo, hi in pairwise(levels):
        _fill(w, rng, -deep / 2, inner, float(lo) + t / 2, float(hi - lo) - t)
    w.top((0, 0, tall), deep / 2 - 0.06, wide / 2 - 0.08, 0.3)
    return w.done("shelf")


def _fill(w: Workpiece, rng: Rng, back: float, y: tuple[float, float], z: float, room: float) -> None:
    if rng.random() < 0.25:
        split = y[0] + (y[1] - y[0]) * float(rng.uniform(0.5, 0.75))
        books.row(w, rng, back, (y[0], split), z, room)
        _ornament(
            w, rng, (back + 0.15, (split + y[1]) / 2, z), min(room - 0.03, 0.22), (y[1] - split) / 2 - 0.03
        )
    else:
        books.row(w, rng, back, y, z, room)


def _ornament(w: Workpiece, rng: Rng, foot: tuple[float, float, float], tall: float, half: float) -> None:
    r = float(np.clip(half * 0.8, 0.03, 0.07))
    x, y, z = foot
    style = int(rng.integers(3))
    if style == 0:
        h = tall * float(rng.uniform(0.6, 0.95))
        shape = [
            (0, 0),
            (0.55 * r, 0),
            (r, 0.35 * h),
            (0.4 * r, 0.8 * h),
            (0.5 * r, h),
            (0.4 * r, h),
            (0.3 * r, 0.8 * h),
            (0, 0.7 * h),
        ]
        w.add(glaze(rng), lathe(fillet(shape, 0.02, 4), 28, foot))
    elif style == 1:
        side = 2 * r * 0.9
        w.add(wood(rng), box((0.1, side, 0.09), (x, y, z + 0.045), 0.004))
        w.add(glaze(rng), sphere(r * 0.5, (x, y, z + 0.09 + r * 0.5), 10, 18))
    else:
        w.add(glaze(rng), sphere(r, (x, y, z + r), 12, 22))


def wall_shelf(rng: Rng, *, width: float | None = None) -> Thing:
    """A board on brackets with books; hung, so its z = 0 is the lowest point of the brackets."""
    w, timber = Workpiece(rng), wood(rng)
    wide, deep, drop = (
        float(rng.uniform(0.7, 1.1)) if width is None else width,
        float(rng.uniform(0.2, 0.24)),
        0.12,
    )
    w.block(timber, (deep, wide, 0.028), (0, 0, drop + 0.014), 0.003, solid=True)
    for side in (-1, 1):
        y = side * (wide / 2 - 0.12)
        w.block(BLACK_METAL, (0.006, 0.03, drop), (-deep / 2 + 0.003, y, drop / 2), 0.001)
        w.block(BLACK_METAL, (deep - 0.04, 0.03, 0.005), (-0.02, y, drop - 0.0025), 0.001)
    half = wide / 2
    split = float(rng.uniform(0.0, 0.5)) * half
    books.row(w, rng, -deep / 2 - 0.01, (-half + 0.02, split), drop + 0.028, 0.3)
    _ornament(w, rng, (0, split + (half - split) / 2, drop + 0.028), 0.2, 0.09)
    return w.done("shelf")


def desk(rng: Rng, *, width: float | None = None, style: int | None = None) -> Thing:
    """A writing desk with a pedestal of drawers; the sitter's side is its front."""
    w, kit = Workpiece(rng), look(rng, style, 0.3)
    wide = float(rng.uniform(1.2, 1.6)) if width is None else width
    deep, tall, thick = float(rng.uniform(0.62, 0.75)), float(rng.uniform(0.72, 0.75)), 0.028
    w.block(kit.accent, (deep, wide, thick), (0, 0, tall - thick / 2), 0.004, 1, True)
    w.top((-0.05, 0, tall), deep / 2 - 0.1, wide / 2 - 0.08)
    under, side = tall - thick, pick(rng, (-1, 1))
    p, pw = 0.42, wide / 2 - 0.03
    y = (pw - p, pw) if side > 0 else (-pw, -pw + p)
    x = (-deep / 2 + 0.04, deep / 2 - 0.03 - FRONT_M)
    plinth(w, kit.body, x, y, 0.05, 0.03)
    carcass(w, kit.body, x, y, (0.05, under))
    drawers(w, kit, x[1], y, (0.05, under - 0.01), int(rng.integers(3, 5)))
    other = -side * (wide / 2 - 0.05)
    metal = bool(rng.random() < 0.5)
    for sx in (-1, 1):
        px = sx * (deep / 2 - 0.06)
        if metal:
            w.block(BLACK_METAL, (0.035, 0.035, under), (px, other, under / 2), 0.003)
        else:
            w.add(kit.accent, leg((px, other, 0), (px, other, under), 0.032, 0.05))
        w.solid((0.045, 0.045, under), (px, other, under / 2))
    rail = BLACK_METAL if metal else kit.accent
    w.block(rail, (deep - 0.15, 0.02, 0.05), (0, other, under - 0.026), 0.002)
    w.block(
        kit.body,
        (0.016, wide - p - 0.12, 0.32),
        (-deep / 2 + 0.06, -side * (p - 0.03) / 2, under - 0.16),
        0.002,
        1,
    )
    return w.done("desk")


def chest(rng: Rng) -> Thing:
    """A blanket box."""
    w, timber = Workpiece(rng), wood(rng)
    wide, deep, tall = float(rng.uniform(0.8, 1.1)), 0.42, float(rng.uniform(0.4, 0.46))
    x, y = (-deep / 2, deep / 2), (-wide / 2, wide / 2)
    carcass(w, timber, x, y, (0.0, tall - 0.04))
    w.block(timber, (0.018, wide, tall - 0.045), (deep / 2 - 0.009, 0, (tall - 0.045) / 2), 0.002, 1)
    top_plate(w, timber, x, y, tall - 0.04, 0.035, 0.012)
    w.top((0, 0, tall - 0.005), deep / 2 - 0.05, wide / 2 - 0.06)
    return w.done("cabinet")
