"""Books, single and in rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from veridical.assets.furniture.finishes import PAPER
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import box, grid, loft, make_mesh, merge, stretch, turn
from veridical.assets.surfaces import jackets
from veridical.assets.thing import Finish, Mesh
from veridical.core.geometry import Array

_PRINTS = 2
_THICKNESSES_M = np.array([0.010, 0.014, 0.020, 0.028, 0.040, 0.056])
_HEIGHT_M, _DEPTH_M = 0.24, 0.17

Rng = np.random.Generator


@dataclass(frozen=True)
class Cover:
    """A printed jacket: the sheet of jackets, and which of its cells (column, row from below)."""

    finish: Finish
    cell: tuple[int, int]


def cover(rng: Rng, print_: int | None = None) -> Cover:
    """One of the printed jackets, of a given sheet or of any."""
    sheet = int(rng.integers(_PRINTS)) if print_ is None else print_
    i, j = rng.integers(jackets.CELLS, size=2)
    return Cover(Finish("book", sheet), (int(i), int(j)))


def any_print(rng: Rng) -> int:
    """One of the sheets, for things whose books all come from the same one."""
    return int(rng.integers(_PRINTS))


def book_meshes(thickness: float, height: float, depth: float, cover: Cover) -> tuple[Mesh, Mesh]:
    """Jacket and block of pages of an upright book, spine towards +x, standing on z = 0 about y = 0.

    Args:
        thickness: Metres.
        height: Metres.
        depth: From spine to fore-edge, metres.
        cover: What is printed on the jacket.
    """
    nearest = float(_THICKNESSES_M[np.argmin(np.abs(np.log(_THICKNESSES_M / thickness)))])
    jacket, block = _bound(nearest)
    scale = (depth / _DEPTH_M, thickness / nearest, height / _HEIGHT_M)
    uv = (np.array(cover.cell) + np.clip(jacket.uv, 0.004, 0.996)) / jackets.CELLS
    return stretch(Mesh(jacket.vertices, jacket.faces, jacket.normals, uv), scale), stretch(block, scale)


@lru_cache(maxsize=16)
def _bound(thickness: float) -> tuple[Mesh, Mesh]:
    """Jacket, its UVs covering 0..1, and pages of a book of the usual height and depth."""
    t, d, board = thickness / 2, _DEPTH_M, 0.0022
    bow = min(0.25 * thickness, 0.006)
    outer = [(-d / 2, -t), (d / 2 - bow, -t), (d / 2 - 0.25 * bow, -0.6 * t), (d / 2, 0)]
    outer += [(x, -y) for x, y in outer[-2::-1]]
    inner = [(x - board * (k in (2, 3, 4)), y * (1 - board / t)) for k, (x, y) in enumerate(outer)]
    wrap = _shell(np.array(outer), np.array(inner), thickness)
    inset = 0.003
    block = box(
        (d - inset - bow, thickness - 2 * board, _HEIGHT_M - 2 * inset),
        (-bow / 2 - inset / 2 + 0.0005, 0, _HEIGHT_M / 2),
        0.0008,
        1,
        grain=2,
    )
    return wrap, block


def _shell(outer: Array, inner: Array, thickness: float) -> Mesh:
    ring = np.vstack([outer, inner[::-1]])
    mesh = loft([(ring, 0.0), (ring, _HEIGHT_M)], cap_start=False, cap_end=False)
    n = len(outer)
    caps = []
    for z, up in ((_HEIGHT_M, True), (0.0, False)):
        o, i = (np.column_stack([q, np.full(n, z)]) for q in (outer, inner))
        lattice = np.stack([o, i], axis=1) if not up else np.stack([i, o], axis=1)
        caps.append(grid(lattice))
    whole = merge([mesh, *caps])
    x, y, z = whole.vertices.T
    edge = 0.97 * thickness / 2
    away = (_DEPTH_M / 2 - x) / _DEPTH_M  # 0 at the spine, 1 at the fore-edge
    low, high = jackets.SPINE
    middle = (low + high) / 2 + (high - low) * y / thickness
    u = np.where(y >= edge, high + (1 - high) * away, np.where(y <= -edge, low - low * away, middle))
    uv = np.stack([u, z / _HEIGHT_M], axis=-1)
    return make_mesh(whole.vertices, whole.faces, uv, whole.normals)


def row(w: Workpiece, rng: Rng, x_back: float, y: tuple[float, float], z: float, headroom: float) -> None:
    """Fills a shelf from y[0] towards y[1] with upright books, a leaning one, or a lying stack."""
    print_ = next((f.variant for f in w.finishes if f.kind == "book"), None)
    print_ = any_print(rng) if print_ is None else print_
    at, series, misfits = y[0] + 0.004, cover(rng, print_), 0
    tall = min(float(rng.uniform(0.19, 0.27)), headroom - 0.03)
    while at < y[1] - 0.02:
        if rng.random() < 0.04:
            at += float(rng.uniform(0.03, 0.09))
            continue
        if rng.random() < 0.07 and y[1] - at > 0.3:
            at = _lying(w, rng, print_, (x_back, at, z), headroom)
            continue
        if rng.random() < 0.6:
            series = cover(rng, print_)
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
        shells = book_meshes(thick, high, deep, series)
        for finish, mesh in zip((series.finish, PAPER), shells, strict=True):
            pivot = (x, at + thick * np.cos(lean) / 2, z + np.sin(lean) * thick / 2)
            lifted = turn(mesh, (-lean, 0, float(rng.normal(0, 0.01)) if lean == 0 else 0.0), pivot)
            w.add(finish, lifted, jitter=finish is PAPER)
        at += room + float(rng.uniform(0.0006, 0.002))


def _lying(w: Workpiece, rng: Rng, print_: int, corner: tuple[float, float, float], headroom: float) -> float:
    """A stack of lying books; returns where it ends along y."""
    x, at, level = corner
    top = level + headroom - 0.02
    for _ in range(int(rng.integers(2, 5))):
        thick, high = float(rng.uniform(0.015, 0.04)), float(rng.uniform(0.2, 0.25))
        if level + thick > top:
            break
        deep = high * 0.72
        foot = (x + 0.03 + deep / 2, at + 0.13, level)
        add_lying(w, cover(rng, print_), (thick, high, deep), foot, float(rng.normal(0, 0.05)))
        level += thick
    return at + 0.275


def add_lying(
    w: Workpiece,
    jacket: Cover,
    size: tuple[float, float, float],
    foot: tuple[float, float, float],
    yaw_rad: float,
) -> None:
    """Adds a book (thickness, height, depth) that lies with its middle over `foot`, front up."""
    thick, high, deep = size
    for finish, mesh in zip((jacket.finish, PAPER), book_meshes(thick, high, deep, jacket), strict=True):
        lying = turn(mesh, (np.pi / 2, 0, 0), (0, high / 2, thick / 2))
        w.add(finish, turn(lying, (0, 0, yaw_rad), foot), jitter=finish is PAPER)
