"""Televisions, monitors, laptops, keyboards."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import (
    BLACK_METAL,
    BLACK_PLASTIC,
    DARK_GLASS,
    RUBBER,
    STEEL,
    WHITE_PLASTIC,
    pick,
    plastic,
    rgb,
)
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import (
    box,
    cylinder,
    ellipse,
    extrude,
    loft,
    move,
    panel,
    rounded_rect,
    tube,
    turn,
)
from veridical.assets.surfaces.prints import DESKTOPS
from veridical.assets.thing import Finish, Mesh, Thing

_BACKLIGHT = (0.9, 0.9, 0.9)

Rng = np.random.Generator


def _desktop(rng: Rng) -> Finish:
    return Finish("screen", int(rng.integers(DESKTOPS)), emission=_BACKLIGHT)


def _broadcast(rng: Rng) -> Finish:
    on = rng.random() < 0.4
    return Finish("screen", DESKTOPS + int(rng.integers(4)), emission=_BACKLIGHT) if on else DARK_GLASS


def _display(w: Workpiece, wide: float, tall: float, x: float, z: float, image: Finish) -> None:
    """A flat display with its lower edge at z and its front at x."""
    edge, deep = 0.008, 0.028
    w.add(BLACK_PLASTIC, box((deep, wide, tall), (x - deep / 2 - 0.001, 0, z + tall / 2), 0.004, 2))
    w.add(BLACK_PLASTIC, box((0.03, wide * 0.6, tall * 0.5), (x - deep - 0.012, 0, z + tall * 0.4), 0.012, 2))
    sheet = panel(wide - 2 * edge, tall - 3 * edge, (1.0, 1.0))
    w.add(image, move(sheet, (x, 0, z + tall / 2 + edge / 2)), jitter=False)


def tv(rng: Rng, *, width: float | None = None) -> Thing:
    """A television on two feet, to stand on a cupboard; its screen may be dark."""
    w = Workpiece(rng)
    wide = float(rng.uniform(0.95, 1.35)) if width is None else width
    tall, lift = wide * 0.575, 0.065
    _display(w, wide, tall, 0.02, lift, _broadcast(rng))
    for side in (-1, 1):
        y = side * wide * 0.36
        for dx in (-0.11, 0.11):
            w.add(BLACK_METAL, tube([(0, y, lift + 0.02), (dx, y, 0.004)], (0.009, 0.006), 8))
        w.add(BLACK_METAL, box((0.23, 0.012, 0.006), (0, y, 0.003), 0.002))
    w.solid((0.06, wide, tall), (0, 0, lift + tall / 2))
    w.solid((0.22, wide * 0.74, lift), (0, 0, lift / 2))
    return w.done("electronics")


def monitor(rng: Rng) -> Thing:
    """A computer monitor on its stand."""
    w = Workpiece(rng)
    wide = float(rng.uniform(0.52, 0.66))
    tall, lift = wide * 0.575, float(rng.uniform(0.09, 0.14))
    _display(w, wide, tall, 0.04, lift, _desktop(rng))
    metal = pick(rng, (BLACK_METAL, STEEL))
    w.add(metal, extrude(rounded_rect(0.19, 0.25, 0.02), 0.008, 0.002))
    w.add(
        metal,
        turn(box((0.03, 0.05, lift + 0.2), (0, 0, (lift + 0.2) / 2), 0.006), (0, 0.0, 0), (-0.035, 0, 0.006)),
    )
    w.solid((0.05, wide, tall), (0.015, 0, lift + tall / 2))
    w.solid((0.19, 0.25, 0.01), (0, 0, 0.005))
    w.solid((0.035, 0.05, lift), (-0.035, 0, lift / 2))
    return w.done("monitor")


def _keys(
    w: Workpiece, finish: Finish, x: tuple[float, float], y: tuple[float, float], z: float, rows: int
) -> None:
    pitch = (x[1] - x[0]) / rows
    for r in range(rows):
        cx = x[1] - pitch * (r + 0.5)
        n = round((y[1] - y[0]) / pitch / 1.02)
        if r == 0:
            spans = [1.2, 1.2, 1.2, n - 7.2, 1.2, 1.2, 1.2]
        else:
            spans = [1.0 + 0.25 * r / rows] + [1.0] * (n - 2) + [1.0 - 0.25 * r / rows]
        at = y[0]
        scale = (y[1] - y[0]) / sum(spans)
        for span in spans:
            wide = span * scale
            w.add(finish, move(_key(pitch - 0.003, wide - 0.003), (cx, at + wide / 2, z)))
            at += wide


def _key(deep: float, wide: float) -> Mesh:
    low, high = rounded_rect(deep, wide, 0.001, 1), rounded_rect(deep - 0.003, wide - 0.003, 0.0015, 1)
    return loft([(low, 0.0), (high, 0.004)], cap_start=False)


def keyboard(rng: Rng) -> Thing:
    """A keyboard with a number of keys."""
    w = Workpiece(rng)
    wide, deep = float(rng.choice([0.33, 0.44])), 0.13
    dark = bool(rng.random() < 0.6)
    shell, caps = (BLACK_PLASTIC, Finish("plastic", 0, rgb("3a3b3d"))) if dark else (STEEL, WHITE_PLASTIC)
    w.add(shell, box((deep, wide, 0.014), (0, 0, 0.007), 0.004, 2))
    _keys(w, caps, (-deep / 2 + 0.008, deep / 2 - 0.008), (-wide / 2 + 0.008, wide / 2 - 0.008), 0.014, 5)
    w.solid((deep, wide, 0.018), (0, 0, 0.009))
    return w.done("keyboard", 0.6)


def laptop(rng: Rng) -> Thing:
    """An open laptop; its user sits at its front."""
    w = Workpiece(rng)
    wide, deep = float(rng.uniform(0.3, 0.36)), float(rng.uniform(0.21, 0.245))
    shell = pick(rng, (STEEL, BLACK_METAL, Finish("painted_metal", 0, rgb("b7bfc4"))))
    w.add(shell, box((deep, wide, 0.015), (0, 0, 0.0075), 0.005, 2))
    _keys(
        w, BLACK_PLASTIC, (-deep / 2 + 0.025, deep / 2 - 0.09), (-wide / 2 + 0.02, wide / 2 - 0.02), 0.0145, 5
    )
    w.add(Finish("plastic", 0, rgb("3a3b3d")), box((0.065, 0.1, 0.001), (deep / 2 - 0.045, 0, 0.015), 0.0004))
    lean = float(rng.uniform(-0.35, -0.2))
    hinge = (-deep / 2 + 0.006, 0, 0.014)
    w.add(shell, turn(box((0.007, wide, deep), (-0.004, 0, deep / 2), 0.003, 2), (0, lean, 0), hinge))
    w.add(
        BLACK_PLASTIC,
        turn(panel(wide - 0.008, deep - 0.012), (0, lean, 0), _along(hinge, lean, deep / 2, 0.0)),
    )
    image = turn(
        panel(wide - 0.022, deep - 0.03, (1, 1)), (0, lean, 0), _along(hinge, lean, deep / 2 + 0.002, 0.0004)
    )
    w.add(_desktop(rng), image, jitter=False)
    w.solid((deep, wide, 0.016), (0, 0, 0.008))
    up = _along(hinge, lean, deep / 2, -0.004)
    w.solid((0.008, wide, deep), up, (0, lean, 0))
    return w.done("electronics", 1.4)


def _along(
    hinge: tuple[float, float, float], lean: float, up: float, out: float
) -> tuple[float, float, float]:
    """A point on a lid that leans: `up` from the hinge and `out` of its face."""
    c, s = float(np.cos(lean)), float(np.sin(lean))
    return (hinge[0] + out * c + up * s, hinge[1], hinge[2] + up * c - out * s)


def remote(rng: Rng) -> Thing:
    """A remote control."""
    w = Workpiece(rng)
    long, wide = float(rng.uniform(0.15, 0.19)), 0.045
    plate = [
        (rounded_rect(long * s, wide * s, 0.012, 4), z)
        for s, z in ((0.94, 0.0), (1.0, 0.004), (1.0, 0.012), (0.95, 0.017))
    ]
    w.add(BLACK_PLASTIC, loft(plate))
    for i in range(8):
        for j in (-1, 0, 1):
            if rng.random() < 0.9:
                w.add(
                    RUBBER,
                    cylinder(
                        0.0042,
                        0.0018,
                        (-long / 2 + 0.02 + i * (long - 0.04) / 7, j * 0.012, 0.0168),
                        0.0006,
                        8,
                    ),
                )
    w.add(plastic(rng), cylinder(0.005, 0.002, (long / 2 - 0.014, 0.012, 0.0168), 0.0006, 10))
    w.solid((long, wide, 0.017), (0, 0, 0.0085))
    return w.done("electronics", 0.12)


def mouse(rng: Rng) -> Thing:
    """A computer mouse."""
    w = Workpiece(rng)
    shell = pick(rng, (BLACK_PLASTIC, WHITE_PLASTIC))
    levels = [(0.97, 0.0), (1.0, 0.006), (0.97, 0.018), (0.82, 0.03), (0.5, 0.036), (0.2, 0.0375)]
    w.add(shell, loft([(ellipse(0.11 * s, 0.062 * s, 28, 2.4), z) for s, z in levels]))
    w.add(RUBBER, turn(cylinder(0.009, 0.006, sides=14), (np.pi / 2, 0, 0), (0.03, 0.003, 0.031)))
    w.solid((0.1, 0.056, 0.034), (0, 0, 0.017))
    return w.done("electronics", 0.1)
