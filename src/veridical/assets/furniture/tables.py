"""Tables of all heights."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import BLACK_METAL, BRASS, CHROME, Look, look, pick, wood
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import box, cylinder, extrude, fillet, lathe, leg, move, rounded_rect, tube, turn
from veridical.assets.thing import Finish, Mesh, Thing

Rng = np.random.Generator


def dining_table(
    rng: Rng, *, width: float | None = None, depth: float | None = None, style: int | None = None
) -> Thing:
    """A table for four to eight; `width` runs along y."""
    wide = float(rng.uniform(1.3, 1.9)) if width is None else width
    deep = float(rng.uniform(0.8, 0.95)) if depth is None else depth
    w, tall = Workpiece(rng), float(rng.uniform(0.735, 0.76))
    if style is None and width is None and depth is None and rng.random() < 0.25:
        return _round_table(rng, float(rng.uniform(0.95, 1.2)), tall, "table")
    _rectangular(w, rng, look(rng, style, 0.2), wide, deep, tall, float(rng.uniform(0.026, 0.042)))
    return w.done("table")


def coffee_table(rng: Rng, *, width: float | None = None, depth: float | None = None) -> Thing:
    """A low table before a sofa."""
    wide = float(rng.uniform(0.9, 1.25)) if width is None else width
    deep = float(rng.uniform(0.5, 0.65)) if depth is None else depth
    w, tall = Workpiece(rng), float(rng.uniform(0.36, 0.44))
    if width is None and depth is None and rng.random() < 0.3:
        return _round_table(rng, float(rng.uniform(0.7, 0.9)), tall, "table")
    style = look(rng, None, 0.2)
    _rectangular(w, rng, style, wide, deep, tall, float(rng.uniform(0.02, 0.035)))
    if rng.random() < 0.6:
        w.block(style.accent, (deep - 0.16, wide - 0.16, 0.018), (0, 0, 0.13), solid=True)
        w.top((0, 0, 0.139), deep / 2 - 0.12, wide / 2 - 0.12, tall - 0.19)
    return w.done("table")


def side_table(rng: Rng) -> Thing:
    """A small table beside a seat."""
    tall = float(rng.uniform(0.45, 0.56))
    if rng.random() < 0.6:
        return _round_table(rng, float(rng.uniform(0.4, 0.5)), tall, "table")
    w = Workpiece(rng)
    side = float(rng.uniform(0.4, 0.5))
    _rectangular(w, rng, look(rng, None, 0.2), side, side, tall, 0.022)
    return w.done("table")


def _rectangular(
    w: Workpiece, rng: Rng, style: Look, wide: float, deep: float, tall: float, thick: float
) -> None:
    top = style.accent
    if rng.random() < 0.5:
        n = int(rng.integers(4, 7))
        for i in range(n):
            x = (i - (n - 1) / 2) * deep / n
            w.block(top, (deep / n - 0.0008, wide, thick), (x, 0, tall - thick / 2), 0.0025)
    else:
        plate = extrude(rounded_rect(wide, deep, float(rng.uniform(0.01, 0.06)), 5), thick, 0.004)
        w.add(top, turn(plate, (0, 0, np.pi / 2), (0, 0, tall - thick)))
    w.solid((deep, wide, thick), (0, 0, tall - thick / 2))
    w.top((0, 0, tall), deep / 2 - 0.04, wide / 2 - 0.06)
    shape = pick(rng, ("taper", "square", "splay", "frame", "turned"))
    legs = top if rng.random() < 0.6 else style.body
    under = tall - thick
    stout = 0.075 if tall > 0.6 else 0.05
    if shape == "frame":
        _sled_legs(w, wide, deep, under)
        return
    inset = 0.09 if shape == "splay" else stout / 2 + 0.015
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (deep / 2 - inset), sy * (wide / 2 - inset)
            if shape == "turned":
                w.add(legs, _turned_leg(stout / 2, under, x, y))
            elif shape == "splay":
                foot = (x + 0.06 * sx, y + 0.06 * sy, 0)
                w.add(legs, leg(foot, (x, y, under), stout * 0.5, stout * 0.85))
            else:
                w.add(legs, leg((x, y, 0), (x, y, under), stout * (0.55 if shape == "taper" else 1), stout))
            w.solid((stout, stout, under), (x, y, under / 2))
    rail = 0.09 if tall > 0.6 else 0.05
    edge = inset + (0.0 if shape != "splay" else 0.02)
    for s in (-1, 1):
        w.block(legs, (0.022, wide - 2 * edge - stout, rail), (s * (deep / 2 - edge), 0, under - rail / 2))
        w.block(legs, (deep - 2 * edge - stout, 0.022, rail), (0, s * (wide / 2 - edge), under - rail / 2))


def _turned_leg(radius: float, height: float, x: float, y: float) -> Mesh:
    r, h = radius, height
    profile = [
        (0, 0),
        (0.6 * r, 0),
        (0.75 * r, 0.02 * h),
        (0.55 * r, 0.06 * h),
        (0.95 * r, 0.5 * h),
        (0.9 * r, 0.62 * h),
        (0.6 * r, 0.66 * h),
    ]
    profile += [(0.9 * r, 0.69 * h), (0.65 * r, 0.72 * h), (r, 0.76 * h), (r, h), (0, h)]
    return lathe(fillet(profile, 0.012, 3), 16, (x, y, 0))


def _sled_legs(w: Workpiece, wide: float, deep: float, under: float) -> None:
    bar = 0.04 if under > 0.5 else 0.025
    inset = min(0.16, 0.1 * wide)
    for sy in (-1, 1):
        y = sy * (wide / 2 - inset)
        for sx in (-1, 1):
            w.block(BLACK_METAL, (bar, bar, under), (sx * (deep / 2 - 0.08), y, under / 2), 0.002)
            w.solid((bar, bar, under), (sx * (deep / 2 - 0.08), y, under / 2))
        for z in (bar / 2, under - bar / 2):
            w.block(BLACK_METAL, (deep - 0.16 - bar, bar, bar), (0, y, z), 0.002)
        w.solid((deep - 0.16, bar, bar), (0, y, bar / 2))
    w.block(BLACK_METAL, (bar * 0.7, wide - 2 * inset, bar * 0.7), (0, 0, under - bar / 2), 0.002)


def _round_table(rng: Rng, size: float, tall: float, category: str) -> Thing:
    w, timber, r = Workpiece(rng), wood(rng), size / 2
    thick = 0.028 if size > 0.6 else 0.02
    top = timber if rng.random() < 0.7 else Finish(pick(rng, ("marble", "terrazzo")), int(rng.integers(2)))
    w.add(top, cylinder(r, thick, (0, 0, tall - thick), 0.006, 48))
    w.solid_cylinder(r, thick, (0, 0, tall - thick))
    w.top((0, 0, tall), r * 0.62, r * 0.62)
    under = tall - thick
    if rng.random() < 0.5:
        metal = pick(rng, (BLACK_METAL, BRASS, CHROME))
        foot = fillet(
            [
                (0, 0),
                (0.55 * r, 0),
                (0.55 * r, 0.012),
                (0.05, 0.03),
                (0.03, 0.09),
                (0.024, under - 0.05),
                (0.06, under),
                (0, under),
            ],
            0.02,
            3,
        )
        w.add(metal, lathe(foot, 36))
        w.solid_cylinder(0.55 * r, 0.02)
        w.solid_cylinder(0.03, under)
        return w.done(category)
    n = int(rng.integers(3, 5))
    for k in range(n):
        a = k * 2 * np.pi / n + np.pi / 4
        c, s = float(np.cos(a)), float(np.sin(a))
        head, ground = (0.55 * r * c, 0.55 * r * s, under), (0.78 * r * c, 0.78 * r * s, 0.004)
        w.add(timber, tube([ground, head], (0.011, 0.019 if size > 0.6 else 0.014), 14))
        w.solid((0.035, 0.035, under), (0.66 * r * c, 0.66 * r * s, under / 2))
    ring = turn(move(box((0.05, r * 1.0, 0.02), (0, 0, 0), 0.004), (0, 0, under - 0.01)), (0, 0, np.pi / 4))
    w.add(timber, ring, turn(ring, (0, 0, np.pi / 2)))
    return w.done(category)
