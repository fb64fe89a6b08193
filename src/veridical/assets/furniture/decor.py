"""Rugs, curtains, pictures, mirrors, clocks, radiators."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import (
    BLACK_METAL,
    BLACK_PLASTIC,
    BRASS,
    CUSHIONS,
    PAPER,
    STEEL,
    UPHOLSTERY,
    WHITE_METAL,
    Look,
    look,
    pick,
    rgb,
    wood,
)
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import (
    Ripple,
    box,
    cylinder,
    deform,
    disc,
    extrude,
    fillet,
    frame,
    lathe,
    move,
    panel,
    rounded_rect,
    sphere,
    tube,
    turn,
)
from veridical.assets.shapes import curtain as curtain_mesh
from veridical.assets.thing import Finish, Thing
from veridical.core.geometry import Array

POSTERS = 16

Rng = np.random.Generator


def rug(rng: Rng, *, width: float | None = None, depth: float | None = None) -> Thing:
    """A carpet; nothing collides with it."""
    w = Workpiece(rng)
    wide = float(rng.uniform(1.6, 2.4)) if width is None else width
    deep = float(rng.uniform(1.1, 1.6)) if depth is None else depth
    finish = Finish("rug", int(rng.integers(4)), pick(rng, CUSHIONS + UPHOLSTERY[:3]))
    thick = 0.011
    if width is None and depth is None and rng.random() < 0.2:
        r = deep * 0.6
        w.add(finish, lathe(fillet([(0, 0), (r, 0), (r, thick), (0, thick)], 0.004, 3), 64))
        return w.done("rug")
    sheet = box((deep, wide, thick), (0, 0, thick / 2), 0.004, 2, 1, (14, 20, 1))
    waves = Ripple(rng, 0.7, 0.0025)

    def bend(v: Array) -> Array:
        rise = np.where(v[:, 2] > thick / 2, waves(v * [1, 1, 0]), 0.0)
        lifted: Array = v + np.stack([0 * rise, 0 * rise, np.maximum(rise, -0.003)], axis=1)
        return lifted

    w.add(finish, deform(sheet, bend))
    if rng.random() < 0.4:
        fringe = Finish("linen", 0, rgb("d8cdb8"))
        for side in (-1, 1):
            for x in np.linspace(-deep / 2 + 0.01, deep / 2 - 0.01, int(deep / 0.022)):
                end = (
                    float(x + rng.normal(0, 0.004)),
                    side * (wide / 2 + float(rng.uniform(0.04, 0.055))),
                    0.0025,
                )
                w.add(fringe, tube([(float(x), side * wide / 2, 0.005), end], 0.0022, 4))
    return w.done("rug")


def curtain(rng: Rng, *, width: float = 1.8, height: float = 2.4, variant: int | None = None) -> Thing:
    """A pair of open curtains on a rod, for a window that the rod's `width` spans; thin along x.

    Hung things stand in their frame with z = 0 at their lowest point.
    """
    w = Workpiece(rng)
    r = rng if variant is None else np.random.default_rng(variant)
    cloth = Finish(
        pick(r, ("linen", "velvet", "stripes", "linen")),
        int(r.integers(2)),
        pick(r, UPHOLSTERY[:2] + UPHOLSTERY[3:6]),
    )
    metal = pick(r, (BLACK_METAL, STEEL, BRASS))
    rod_z, each = height - 0.03, width * float(r.uniform(0.17, 0.24))
    for side in (-1, 1):
        hang = curtain_mesh(each, rod_z - 0.03, rng, max(4, round(each / 0.075)), 0.1)
        w.add(cloth, move(hang, (0, side * (width / 2 - each / 2 - 0.03), 0)))
    w.add(metal, tube([(0, -width / 2, rod_z), (0, width / 2, rod_z)], 0.012, 12))
    for side in (-1, 1):
        y = side * width / 2
        w.add(metal, sphere(0.022, (0, y, rod_z), 8, 14))
        for x in np.linspace(width / 2 - each - 0.02, width / 2 - 0.04, max(4, round(each / 0.075))):
            t = np.linspace(0, 2 * np.pi, 13)
            ring = np.stack(
                [0.02 * np.sin(t), np.full_like(t, side * float(x)), rod_z - 0.006 + 0.02 * np.cos(t)], -1
            )
            w.add(metal, tube(ring, 0.0022, 5))
        w.add(
            metal,
            tube(
                [(-0.085, side * (width / 2 - 0.05), rod_z), (0, side * (width / 2 - 0.05), rod_z)], 0.007, 8
            ),
        )
    return w.done("curtain")


def _moulding(width: float, depth: float) -> list[tuple[float, float]]:
    """Cross-section of a picture frame: outwards and towards the viewer."""
    points = [
        (0.0, 0.0),
        (width, 0.0),
        (width, depth * 0.7),
        (width * 0.8, depth),
        (width * 0.25, depth * 0.85),
        (0.0, depth * 0.55),
    ]
    return [(float(a), float(b)) for a, b in fillet(points, 0.004, 2, closed=True)]


def picture(rng: Rng, *, width: float | None = None, height: float | None = None) -> Thing:
    """A framed print; flat against the wall at its back."""
    w = Workpiece(rng)
    if rng.random() < 0.5:
        wide, tall = float(rng.uniform(0.4, 0.8)), float(rng.uniform(0.5, 1.0))
    else:
        wide, tall = float(rng.uniform(0.6, 1.2)), float(rng.uniform(0.45, 0.8))
    wide, tall = wide if width is None else width, tall if height is None else height
    border, deep = float(rng.uniform(0.015, 0.04)), float(rng.uniform(0.018, 0.03))
    edge = wood(rng) if rng.random() < 0.5 else pick(rng, (BLACK_METAL, WHITE_METAL, BRASS))
    open_w, open_h = wide - 2 * border, tall - 2 * border
    w.add(edge, frame(open_w, open_h, _moulding(border, deep)))
    w.add(Finish("cardboard"), box((0.004, wide - 0.01, tall - 0.01), (0.002, 0, 0), 0.001))
    mat = float(rng.choice([0.0, 0.05, 0.08])) if min(wide, tall) > 0.4 else 0.0
    if mat > 0:
        w.add(
            PAPER,
            frame(
                open_w - 2 * mat, open_h - 2 * mat, [(0, 0.006), (mat, 0.006), (mat, 0.0085), (0.002, 0.0085)]
            ),
        )
    print_w, print_h = open_w - 2 * mat + 0.002, open_h - 2 * mat + 0.002
    longest = max(print_w, print_h)
    crop = (print_w / longest, print_h / longest)
    poster = panel(print_w, print_h, crop)
    w.add(Finish("poster", int(rng.integers(POSTERS))), move(poster, (0.007, 0, 0)), jitter=False)
    return w.done("picture")


def mirror(rng: Rng, *, width: float | None = None, height: float | None = None) -> Thing:
    """A wall mirror, rectangular or round."""
    w = Workpiece(rng)
    edge = wood(rng) if rng.random() < 0.5 else pick(rng, (BLACK_METAL, BRASS))
    if width is None and height is None and rng.random() < 0.4:
        r = float(rng.uniform(0.28, 0.4))
        ring = fillet([(r - 0.02, 0), (r, 0), (r, 0.025), (r - 0.02, 0.025), (r - 0.02, 0)], 0.004, 2)
        w.add(edge, turn(lathe(ring, 64), (0, np.pi / 2, 0)))
        w.add(Finish("mirror"), turn(disc(r - 0.018, (0, 0, 0.012), 64), (0, np.pi / 2, 0)))
        return w.done("mirror")
    wide = float(rng.uniform(0.5, 0.8)) if width is None else width
    tall = float(rng.uniform(0.7, 1.4)) if height is None else height
    border = 0.035
    w.add(edge, frame(wide - 2 * border, tall - 2 * border, _moulding(border, 0.028)))
    w.add(Finish("mirror"), move(panel(wide - 2 * border, tall - 2 * border), (0.012, 0, 0)))
    w.add(Finish("cardboard"), box((0.006, wide - 0.01, tall - 0.01), (0.004, 0, 0), 0.001))
    return w.done("mirror")


def clock(rng: Rng) -> Thing:
    """A round wall clock with hands and hour marks."""
    w = Workpiece(rng)
    r = float(rng.uniform(0.13, 0.2))
    edge = pick(rng, (BLACK_PLASTIC, WHITE_METAL, BRASS, wood(rng)))
    ring = fillet([(0, 0), (r, 0), (r, 0.04), (r - 0.018, 0.04), (r - 0.022, 0.026), (0, 0.026)], 0.005, 3)
    w.add(edge, turn(lathe(ring, 56), (0, np.pi / 2, 0)))
    face = Finish("paper", 1)
    w.add(face, turn(disc(r - 0.02, (0, 0, 0.0275), 48), (0, np.pi / 2, 0)))
    for hour in range(12):
        long = 0.03 if hour % 3 == 0 else 0.016
        mark = box((0.002, 0.006 if hour % 3 == 0 else 0.003, long), (0.0285, 0, r - 0.03 - long / 2), 0.0005)
        w.add(BLACK_PLASTIC, turn(mark, (hour * np.pi / 6, 0, 0)))
    for k, (long, thick) in enumerate(((0.5, 0.009), (0.74, 0.006))):
        hand = box(
            (0.002, thick, long * (r - 0.02) + 0.02),
            (0.031 + 0.002 * k, 0, long * (r - 0.02) / 2 - 0.01),
            0.0008,
        )
        w.add(BLACK_PLASTIC, turn(hand, (float(rng.uniform(0, 2 * np.pi)), 0, 0)))
    w.add(BLACK_PLASTIC, turn(cylinder(0.008, 0.006, sides=14), (0, np.pi / 2, 0), (0.029, 0, 0)))
    return w.done("clock")


def radiator(rng: Rng, *, width: float | None = None) -> Thing:
    """A column or panel radiator on two brackets, with valve and pipe."""
    w = Workpiece(rng)
    wide = float(rng.uniform(0.7, 1.3)) if width is None else width
    tall, low, deep = float(rng.uniform(0.5, 0.6)), 0.12, 0.1
    if rng.random() < 0.5:
        n = max(5, round(wide / 0.055))
        for y in np.linspace(-wide / 2 + 0.025, wide / 2 - 0.025, n):
            for x in (-0.03, 0.03):
                w.add(
                    WHITE_METAL,
                    tube([(x, float(y), low + 0.03), (x, float(y), low + tall - 0.03)], 0.0125, 8),
                )
        for z in (low + 0.03, low + tall - 0.03):
            w.add(WHITE_METAL, box((0.085, wide, 0.04), (0, 0, z), 0.016, 2))
    else:
        n = max(8, round(wide / 0.033))
        w.add(WHITE_METAL, box((0.03, wide, tall), (0.02, 0, low + tall / 2), 0.008, 2))
        for y in np.linspace(-wide / 2 + 0.03, wide / 2 - 0.03, n):
            w.add(WHITE_METAL, box((0.012, 0.018, tall - 0.08), (0.036, float(y), low + tall / 2), 0.0055))
        w.add(WHITE_METAL, box((0.09, wide - 0.004, 0.012), (-0.01, 0, low + tall - 0.006), 0.003))
    y = wide / 2 + 0.02
    w.add(WHITE_METAL, tube([(0, y - 0.04, low + 0.03), (0, y + 0.01, low + 0.03)], 0.01, 10))
    w.add(WHITE_METAL, tube([(0, y + 0.01, 0.002), (0, y + 0.01, low + 0.03)], 0.0085, 10))
    head = lathe(fillet([(0, 0), (0.02, 0), (0.024, 0.03), (0.02, 0.06), (0, 0.062)], 0.006, 3), 20)
    w.add(WHITE_METAL, turn(head, (0, np.pi / 2, 0), (0.005, y + 0.01, low + 0.03)))
    for s in (-1, 1):
        w.add(
            WHITE_METAL, box((0.03, 0.03, low + 0.1), (-0.035, s * (wide / 2 - 0.15), (low + 0.1) / 2), 0.003)
        )
    w.solid((deep, wide, tall), (0, 0, low + tall / 2))
    return w.done("structure")


def coat_rack(rng: Rng) -> Thing:
    """A wall board with hooks; hung, z = 0 is the lowest point."""
    w, timber = Workpiece(rng), wood(rng)
    wide = float(rng.uniform(0.6, 0.9))
    w.block(timber, (0.02, wide, 0.1), (-0.03, 0, 0.1), 0.004)
    metal = pick(rng, (BLACK_METAL, BRASS, STEEL))
    for y in np.linspace(-wide / 2 + 0.08, wide / 2 - 0.08, 5):
        path = [(-0.02, y, 0.11), (0.01, y, 0.1), (0.035, y, 0.06), (0.05, y, 0.055), (0.06, y, 0.08)]
        w.add(metal, tube(path, 0.006, 8), sphere(0.01, (0.06, float(y), 0.086), 6, 10))
        w.add(
            metal,
            tube([(-0.02, y, 0.13), (0.03, y, 0.15)], 0.005, 8),
            sphere(0.008, (0.032, float(y), 0.151), 6, 10),
        )
    return w.done("other")


def tray(rng: Rng, style: Look | None = None) -> Thing:
    """A flat tray with a rim."""
    w = Workpiece(rng)
    kit = look(rng) if style is None else style
    plate = extrude(rounded_rect(0.28, 0.42, 0.04, 6), 0.008, 0.002)
    w.add(kit.accent, plate)
    rim = rounded_rect(0.28, 0.42, 0.04, 6)
    path = np.column_stack([np.vstack([rim, rim[:1]]), np.full(len(rim) + 1, 0.014)])
    w.add(kit.accent, tube(path * [0.98, 0.985, 1], 0.007, 8))
    w.solid((0.28, 0.42, 0.02), (0, 0, 0.01))
    return w.done("clutter", 0.6)
