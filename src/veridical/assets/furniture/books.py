"""Books, single and in rows."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import PAPER
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import box, grid, loft, make_mesh, merge, turn
from veridical.assets.thing import Finish, Mesh
from veridical.core.geometry import Array

VARIANTS = 12

Rng = np.random.Generator


def cover(rng: Rng) -> Finish:
    """One of the few printed covers."""
    return Finish("book", int(rng.integers(VARIANTS)))


def book_meshes(thickness: float, height: float, depth: float) -> tuple[Mesh, Mesh]:
    """Cover and block of pages of an upright book, spine towards +x, standing on z = 0 about y = 0.

    UVs as the `book` surface wants them: the spine has u below 0.3, each side the rest.
    """
    t, d, board = thickness / 2, depth, 0.0022
    bow = min(0.25 * thickness, 0.006)
    outer = [(-d / 2, -t), (d / 2 - bow, -t), (d / 2 - 0.25 * bow, -0.6 * t), (d / 2, 0)]
    outer += [(x, -y) for x, y in outer[-2::-1]]
    inner = [(x - board * (k in (2, 3, 4)), y * (1 - board / t)) for k, (x, y) in enumerate(outer)]
    wrap = _shell(np.array(outer), np.array(inner), height, thickness, depth)
    inset = 0.003
    block = box(
        (d - inset - bow, thickness - 2 * board, height - 2 * inset),
        (-bow / 2 - inset / 2 + 0.0005, 0, height / 2),
        0.0008,
        1,
        grain=2,
    )
    return wrap, block


def _shell(outer: Array, inner: Array, height: float, thickness: float, depth: float) -> Mesh:
    ring = np.vstack([outer, inner[::-1]])
    mesh = loft([(ring, 0.0), (ring, height)], cap_start=False, cap_end=False)
    n = len(outer)
    caps = []
    for z, up in ((height, True), (0.0, False)):
        o, i = (np.column_stack([q, np.full(n, z)]) for q in (outer, inner))
        lattice = np.stack([o, i], axis=1) if not up else np.stack([i, o], axis=1)
        caps.append(grid(lattice))
    whole = merge([mesh, *caps])
    x, y, z = whole.vertices.T
    edge = 0.97 * thickness / 2
    front = 0.3 + 0.7 * (depth / 2 - x) / depth
    back = 0.3 + 0.7 * (depth / 2 + x) / depth
    u = np.where(y >= edge, front, np.where(y <= -edge, back, 0.15 + 0.3 * y / thickness))
    uv = np.stack([u, z / height], axis=-1)
    return make_mesh(whole.vertices, whole.faces, uv, whole.normals)


def row(w: Workpiece, rng: Rng, x_back: float, y: tuple[float, float], z: float, headroom: float) -> None:
    """Fills a shelf from y[0] towards y[1] with upright books, a leaning one, or a lying stack."""
    at, series, misfits = y[0] + 0.004, cover(rng), 0
    tall = min(float(rng.uniform(0.19, 0.27)), headroom - 0.03)
    while at < y[1] - 0.02:
        if rng.random() < 0.04:
            at += float(rng.uniform(0.03, 0.09))
            continue
        if rng.random() < 0.07 and y[1] - at > 0.3:
            at = _lying(w, rng, x_back, at, z, headroom)
            continue
        if rng.random() < 0.6:
            series = cover(rng)
        thick = float(np.clip(rng.lognormal(np.log(0.026), 0.4), 0.009, 0.06))
        high = min(tall * float(rng.uniform(0.78, 1.08)), headroom - 0.012)
        deep = min(high * float(rng.uniform(0.66, 0.76)), 0.2)
        lean = float(rng.uniform(0.12, 0.22)) if rng.random() < 0.05 else 0.0
        room = thick * np.cos(lean) + high * np.sin(lean)
        if at + room > y[1] - 0.005:
            misfits += 1
            if misfits > 4:
                break
            continue
        x = x_back + 0.012 + deep / 2 + float(rng.uniform(0.02, 0.035))
        shells = book_meshes(thick, high, deep)
        for finish, mesh in zip((series, PAPER), shells, strict=True):
            pivot = (x, at + thick * np.cos(lean) / 2, z + np.sin(lean) * thick / 2)
            lifted = turn(mesh, (-lean, 0, float(rng.normal(0, 0.01)) if lean == 0 else 0.0), pivot)
            w.add(finish, lifted, jitter=finish is PAPER)
        at += room + float(rng.uniform(0.0006, 0.002))


def _lying(w: Workpiece, rng: Rng, x_back: float, at: float, z: float, headroom: float) -> float:
    level, n = z, int(rng.integers(2, 5))
    for _ in range(n):
        thick, high = float(rng.uniform(0.015, 0.04)), float(rng.uniform(0.2, 0.25))
        if level + thick > z + headroom - 0.02:
            break
        deep = high * 0.72
        for finish, mesh in zip((cover(rng), PAPER), book_meshes(thick, high, deep), strict=True):
            lying = turn(mesh, (np.pi / 2, 0, 0), (0, high / 2, thick / 2))
            spot = (x_back + 0.03 + deep / 2, at + 0.13, level)
            w.add(finish, turn(lying, (0, 0, float(rng.normal(0, 0.05))), spot), jitter=finish is PAPER)
        level += thick
    return at + 0.275
