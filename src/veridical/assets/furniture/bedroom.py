"""Beds and their linen."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import BEDDING, look, pick, rgb, scatter, upholstery
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import Ripple, box, cushion, deform, leg, move, pillow, turn
from veridical.assets.thing import Finish, Mesh, Thing
from veridical.core.geometry import Array

Rng = np.random.Generator


def bed(rng: Rng, *, width: float | None = None, style: int | None = None) -> Thing:
    """A made bed; its head is its back, so that it stands against a wall."""
    w, kit = Workpiece(rng), look(rng, style, 0.25)
    mattress_w = float(rng.choice([0.9, 1.4, 1.6, 1.8])) if width is None else width - 0.08
    length, frame_z = 2.0, float(rng.uniform(0.28, 0.34))
    wide = mattress_w + 0.08
    _frame(w, rng, kit.accent if rng.random() < 0.7 else kit.body, wide, length, frame_z)
    top = frame_z + 0.2
    sheet = Finish("linen", int(rng.integers(2)), BEDDING[0])
    w.add(sheet, cushion((length - 0.02, mattress_w, 0.24), rng, (0.02, 0, top - 0.12), 0.45, 0.002, 4))
    w.solid((length, wide, top), (0.0, 0, top / 2))
    cover = Finish(
        pick(rng, ("linen", "stripes", "plaid", "weave")), int(rng.integers(3)), pick(rng, BEDDING)
    )
    start = -length / 2 + float(rng.uniform(0.45, 0.6))
    w.add(cover, _duvet(rng, start, length / 2 + 0.03, mattress_w, top, frame_z - 0.02))
    fold_w = mattress_w + 0.1
    w.add(sheet, cushion((0.26, fold_w, 0.075), rng, (start + 0.1, 0, top + 0.055), 0.8, 0.006, 10))
    n = 1 if mattress_w < 1.2 else 2
    for i in range(n):
        y = (i - (n - 1) / 2) * mattress_w / n
        for k in range(1 if rng.random() < 0.6 else 2):
            soft = pillow((0.48, min(0.72, mattress_w / n - 0.06), 0.17), rng, 0.007)
            spot = (-length / 2 + 0.28 + 0.02 * k, y + float(rng.normal(0, 0.015)), top + 0.07 + 0.1 * k)
            w.add(
                sheet if k == 0 else cover,
                turn(soft, (0, -0.18 - 0.12 * k, float(rng.normal(0, 0.05))), spot),
            )
    if rng.random() < 0.6:
        _throw(w, rng, mattress_w, top, length)
    return w.done("bed")


def _frame(w: Workpiece, rng: Rng, timber: Finish, wide: float, length: float, z: float) -> None:
    t, rail = 0.028, 0.16
    for side in (-1, 1):
        w.block(
            timber, (length + 0.02, t, rail), (0.02, side * (wide / 2 - t / 2), z - rail / 2 + 0.02), 0.004
        )
    w.block(timber, (t, wide, rail), (length / 2 + 0.045, 0, z - rail / 2 + 0.02), 0.004)
    w.block(timber, (length, wide - 2 * t, 0.02), (0.0, 0, z - 0.02), 0.002)
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (length / 2 - 0.06) + 0.02, sy * (wide / 2 - 0.06)
            w.add(timber, leg((x, y, 0), (x, y, z - 0.03), 0.045, 0.06))
    head, high, thick = -length / 2 - 0.02, float(rng.uniform(0.9, 1.15)), 0.05
    shape = int(rng.integers(3))
    if shape == 0:
        cover = upholstery(rng)
        n = max(2, round(wide / 0.4))
        for i in range(n):
            y = -wide / 2 + wide / n * (i + 0.5)
            w.add(
                cover,
                cushion(
                    (0.09, wide / n, high - 0.25),
                    rng,
                    (head - 0.02, y, 0.25 + (high - 0.25) / 2),
                    0.55,
                    0.002,
                    3,
                ),
            )
        thick = 0.09
    elif shape == 1:
        w.block(timber, (0.035, wide, high - 0.22), (head, 0, 0.22 + (high - 0.22) / 2), 0.008, 1)
        w.block(timber, (0.055, wide + 0.04, 0.035), (head, 0, high), 0.008)
    else:
        for z0 in np.linspace(0.42, high - 0.04, 5):
            w.block(timber, (0.022, wide - 0.1, 0.085), (head, 0, float(z0)), 0.005)
    if shape != 0:
        for sy in (-1, 1):
            w.block(timber, (0.06, 0.06, high + 0.02), (head, sy * (wide / 2 - 0.03), high / 2 + 0.01), 0.006)
    w.solid((thick, wide, high), (head - (0.02 if shape == 0 else 0), 0, high / 2))


def _duvet(rng: Rng, x0: float, x1: float, mattress: float, top: float, hem: float) -> Mesh:
    """A quilt that covers the mattress from x0 to x1 and hangs to the height of its hem."""
    wide, thick = mattress + 0.075, top + 0.06 - hem
    center = np.array([(x0 + x1) / 2, 0, (top + 0.06 + hem) / 2])
    solid = box((x1 - x0, wide, thick), (0, 0, 0), 0.06, 2, grain=0, divisions=(22, 18, 4))
    puff, fine = Ripple(rng, 0.45, 0.022), Ripple(rng, 0.11, 0.006)
    drop = Ripple(rng, 0.2, 0.03, 5)
    normals = solid.normals

    def bend(v: Array) -> Array:
        hang = np.clip(0.5 - v[:, 2] / thick, 0, 1) ** 1.3
        flat = v * [1, 1, 0.15]
        out = puff(v) * (1 - 0.5 * hang) + fine(v) + 1.1 * drop(flat) * hang
        inward = np.minimum(out, 0.024)
        moved = v + normals * inward[:, None]
        moved[:, 2] = np.maximum(moved[:, 2], -thick / 2 + 0.02 * np.abs(drop(flat)) / 0.03)
        return moved

    return move(deform(solid, bend), center)


def _throw(w: Workpiece, rng: Rng, mattress: float, top: float, length: float) -> None:
    deep, wide, thick = float(rng.uniform(0.45, 0.65)), mattress + 0.12, 0.28
    solid = box((deep, wide, thick), (0, 0, 0), 0.03, 2, grain=1, divisions=(7, 20, 3))
    waves = Ripple(rng, 0.3, 0.018)
    normals = solid.normals
    cloth = deform(solid, lambda v: v + normals * waves(v * [1, 1, 0.3])[:, None])
    tint = pick(rng, (rgb("7d3f4c"), rgb("3f6f73"), rgb("c9a23f"), rgb("8a8d90")))
    finish = Finish(pick(rng, ("plaid", "weave")), int(rng.integers(2)), tint)
    w.add(
        finish,
        move(cloth, (length / 2 - deep / 2 - float(rng.uniform(0.1, 0.3)), 0, top + 0.085 - thick / 2)),
    )
    if rng.random() < 0.5:
        soft = pillow((0.4, 0.4, 0.15), rng)
        spot = (-length / 2 + 0.62, float(rng.uniform(-0.2, 0.2)) * mattress, top + 0.2)
        w.add(scatter(rng), turn(soft, (0, -0.6, float(rng.normal(0, 0.3))), spot))
