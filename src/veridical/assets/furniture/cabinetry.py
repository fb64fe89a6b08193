"""Carcasses, doors, drawers and handles, shared by all box furniture."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from veridical.assets.furniture.finishes import BRASS, Look
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import box, cylinder, fillet, lathe, move, tube, turn
from veridical.assets.thing import Finish

GAP_M = 0.003
FRONT_M = 0.019
BOARD_M = 0.018

Span = tuple[float, float]


def carcass(
    w: Workpiece, finish: Finish, x: Span, y: Span, z: Span, open_front: bool = False, lid: bool = True
) -> None:
    """Sides, floor, lid and back of a box open towards +x.

    It gets one collider, or one a board with `open_front`, or none without a lid.
    """
    t = BOARD_M
    dx, dy, dz = x[1] - x[0], y[1] - y[0], z[1] - z[0]
    cx, cy, cz = (x[0] + x[1]) / 2, (y[0] + y[1]) / 2, (z[0] + z[1]) / 2
    for side in (y[0] + t / 2, y[1] - t / 2):
        w.block(finish, (dx, t, dz), (cx, side, cz), 0.0015, solid=open_front)
    for level in (z[0] + t / 2, z[1] - t / 2) if lid else (z[0] + t / 2,):
        w.block(finish, (dx, dy - 2 * t, t), (cx, cy, level), 0.0015, solid=open_front)
    w.block(finish, (0.006, dy - 2 * t, dz - 2 * t), (x[0] + 0.004, cy, cz), 0.001, grain=2, solid=open_front)
    if lid and not open_front:
        w.solid((dx, dy, dz), (cx, cy, cz))


def front(w: Workpiece, look: Look, x: float, y: Span, z: Span, pull: str, drawer: bool = False) -> None:
    """A door or drawer front whose back lies at x, with gaps around and a handle.

    Args:
        w: What it is added to.
        look: Finish, frame and handle.
        x: Where the carcass ends.
        y: Width that it covers.
        z: Height that it covers.
        pull: `left`, `right` (as the viewer sees it), `top` or `bottom`: the edge with the handle.
        drawer: Handle lies instead of stands.
    """
    y0, y1, z0, z1 = y[0] + GAP_M / 2, y[1] - GAP_M / 2, z[0] + GAP_M / 2, z[1] - GAP_M / 2
    dy, dz, cy, cz = y1 - y0, z1 - z0, (y0 + y1) / 2, (z0 + z1) / 2
    grain = 1 if drawer else 2
    if look.shaker and min(dy, dz) > 0.2:
        rail = min(0.065, 0.3 * min(dy, dz))
        for s in (-1, 1):
            w.block(
                look.front, (FRONT_M, rail, dz), (x + FRONT_M / 2, cy + s * (dy - rail) / 2, cz), 0.002, 2
            )
            w.block(
                look.front,
                (FRONT_M, dy - 2 * rail, rail),
                (x + FRONT_M / 2, cy, cz + s * (dz - rail) / 2),
                0.002,
                1,
            )
        w.block(look.front, (0.008, dy - 2 * rail, dz - 2 * rail), (x + 0.007, cy, cz), 0.001, grain)
    else:
        w.block(look.front, (FRONT_M, dy, dz), (x + FRONT_M / 2, cy, cz), 0.002, grain)
    _handle(w, look, x + FRONT_M, (y0, y1), (z0, z1), pull, drawer)


def _handle(w: Workpiece, look: Look, x: float, y: Span, z: Span, pull: str, drawer: bool) -> None:
    if look.handle == "none":
        return
    cy, cz = (y[0] + y[1]) / 2, (z[0] + z[1]) / 2
    edge = 0.045
    place = {
        "right": (y[1] - edge, cz),
        "left": (y[0] + edge, cz),
        "top": (cy, z[1] - min(edge, 0.5 * (z[1] - z[0]))),
        "bottom": (cy, z[0] + edge),
    }
    py, pz = place[pull]
    if z[1] - z[0] > 1.2:
        pz = min(max(pz, 1.0), z[1] - 0.3)
    elif pull in ("left", "right"):
        pz = z[1] - 0.1 if z[0] < 0.9 else z[0] + 0.1
    if look.handle == "knob":
        knob = lathe(
            fillet([(0, 0), (0.006, 0), (0.006, 0.012), (0.014, 0.02), (0.013, 0.027), (0, 0.029)], 0.004, 3),
            18,
        )
        w.add(look.metal, turn(knob, (0, np.pi / 2, 0), (x, py, pz)))
        return
    lying = drawer or pull in ("top", "bottom")
    room = (y[1] - y[0]) if lying else (z[1] - z[0])
    half = min(0.08, 0.3 * room)
    along = np.array([0.0, 1.0, 0.0]) if lying else np.array([0.0, 0.0, 1.0])
    middle = np.array([x, py, pz])
    if look.handle == "cup" and lying:
        shell = tube(
            [
                middle + along * s * half * 0.55 + [0.008 + 0.012 * (1 - s * s), 0, 0.0]
                for s in np.linspace(-1, 1, 9)
            ],
            0.011,
            10,
            0.6,
        )
        w.add(look.metal, shell)
        return
    out = np.array([0.028, 0.0, 0.0])
    w.add(look.metal, tube([middle - along * half + out, middle + along * half + out], 0.0055, 10))
    for s in (-0.8, 0.8):
        foot = middle + along * half * s
        w.add(look.metal, tube([foot, foot + out], 0.0045, 8))


def drawers(w: Workpiece, look: Look, x: float, y: Span, z: Span, n: int) -> None:
    """A stack of n drawer fronts."""
    edges = np.linspace(z[0], z[1], n + 1)
    for lo, hi in pairwise(edges):
        front(w, look, x, y, (float(lo), float(hi)), "top", drawer=True)


def doors(w: Workpiece, look: Look, x: float, y: Span, z: Span, n: int, high: bool = False) -> None:
    """n doors side by side, opening in pairs."""
    edges = np.linspace(y[0], y[1], n + 1)
    for i, (lo, hi) in enumerate(pairwise(edges)):
        pull = "right" if i % 2 == 0 else "left"
        front(w, look, x, (float(lo), float(hi)), z, "bottom" if high and n == 1 else pull)


def plinth(w: Workpiece, finish: Finish, x: Span, y: Span, height: float, setback: float = 0.05) -> None:
    """The recessed foot of a cupboard."""
    w.block(
        finish,
        (x[1] - x[0] - setback, y[1] - y[0] - 0.004, height),
        ((x[0] + x[1] - setback) / 2, (y[0] + y[1]) / 2, height / 2),
        0.0015,
        solid=True,
    )


def short_legs(w: Workpiece, look: Look, x: Span, y: Span, height: float) -> None:
    """Four round tapered feet under a cupboard."""
    for px in (x[0] + 0.05, x[1] - 0.05):
        for py in (y[0] + 0.06, y[1] - 0.06):
            w.add(look.accent, cylinder(0.013, height + 0.001, (px, py, 0), 0.002, 16, 0.021))
            w.solid((0.04, 0.04, height), (px, py, height / 2))
    if look.metal is BRASS:
        for px in (x[0] + 0.05, x[1] - 0.05):
            for py in (y[0] + 0.06, y[1] - 0.06):
                w.add(BRASS, move(cylinder(0.0155, 0.03, (0, 0, 0), 0.002, 16), (px, py, 0)))


def top_plate(w: Workpiece, finish: Finish, x: Span, y: Span, z: float, thick: float, over: float) -> None:
    """A lid that overhangs front and sides by `over`; its lower face at z."""
    dx, dy = x[1] - x[0] + over, y[1] - y[0] + 2 * over
    center = ((x[0] + x[1] + over) / 2, (y[0] + y[1]) / 2, z + thick / 2)
    w.add(finish, box((dx, dy, thick), center, 0.004, 2, grain=1))
    w.solid((dx, dy, thick), center)
