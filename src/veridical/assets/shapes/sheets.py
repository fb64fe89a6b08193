"""Thin things: curtains, leaves, drapes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from veridical.assets.shapes.edit import grid, merge
from veridical.assets.shapes.noise import Ripple
from veridical.assets.thing import Mesh
from veridical.core.geometry import Array


def curtain(
    width: float, height: float, rng: np.random.Generator, folds: int = 8, depth: float = 0.05
) -> Mesh:
    """A hanging cloth in the y-z plane, its upper edge at z = height; folds widen downwards.

    Args:
        width: Along y as it hangs, metres.
        height: Along z.
        rng: Draws the shape of the folds.
        folds: How many waves.
        depth: From the front of a fold to its back.
    """
    n, m = folds * 10 + 1, 15
    s, t = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, m), indexing="ij")
    wander = Ripple(rng, 0.5, 0.55)
    drift = wander(np.stack([s.ravel() * 2, t.ravel() * 0.5, 0 * s.ravel()], -1)).reshape(s.shape)
    swell = 1 + 0.35 * Ripple(rng, 0.6, 1.0)(np.stack([s.ravel(), 0 * s.ravel(), 0 * s.ravel()], -1))
    phase = 2 * np.pi * folds * s + 2.2 * (1 - t) * drift
    wave = np.sin(phase) + 0.25 * np.sin(2 * phase + 1 + drift) * (1 - t)
    opening = 0.55 + 0.45 * (1 - t) ** 0.7
    x = depth / 2.5 * wave * opening * swell.reshape(s.shape)
    y = width * (s - 0.5) + 0.012 * np.cos(phase) * (1 - t)
    p = np.stack([x, y, height * t], axis=-1)
    u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(p[:, m // 2], axis=0), axis=-1))])
    uv = np.stack([np.broadcast_to(u[:, None], s.shape), height * t], axis=-1)
    return grid(p, uv)


def leaf(
    length: float,
    width: float,
    droop: float = 0.6,
    fold: float = 0.25,
    tip: float = 1.0,
    cells: tuple[int, int] = (8, 4),
) -> Mesh:
    """A leaf that starts at the origin along +x, its upper side towards +z; u runs across from its vein.

    Args:
        length: Along its vein, metres.
        width: At its widest.
        droop: Angle in radians by which the vein bends down from foot to tip.
        fold: How far the halves rise from the vein, as a part of half the width.
        tip: Larger is more pointed.
        cells: Along and across.
    """
    unit = _unit_leaf(round(width / length, 2), round(droop, 1), round(fold, 2), round(tip, 2), cells)
    return Mesh(unit.vertices * length, unit.faces, unit.normals, unit.uv * length)


@lru_cache(maxsize=256)
def _unit_leaf(width: float, droop: float, fold: float, tip: float, cells: tuple[int, int]) -> Mesh:
    """A leaf 1 m long; a plant's leaves are the same shape in many sizes."""
    n, m = cells
    s, t = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(-1, 1, m + 1), indexing="ij")
    angle = -droop * s[:, 0] * (np.arange(n + 1) > 0)
    x = np.concatenate([[0.0], np.cumsum(np.cos(angle[1:]))]) / n
    z = np.concatenate([[0.0], np.cumsum(np.sin(angle[1:]))]) / n
    half = width / 2 * np.maximum(np.sin(np.pi * s**0.75) ** (0.6 * tip), 0.02) * (1 - 0.02 * s)
    rise = fold * half * np.abs(t)
    up = np.stack([-np.sin(angle), np.cos(angle)], axis=-1)
    p = np.stack([x[:, None] + up[:, None, 0] * rise, half * t, z[:, None] + up[:, None, 1] * rise], axis=-1)
    return grid(p, np.stack([half * t, s], axis=-1))


def blade(path: ArrayLike, widths: ArrayLike, across: ArrayLike, cup: float = 0.2) -> Mesh:
    """A long leaf along a path (n, 3) with its width at each point and one direction across it (3,).

    u runs across from its vein, v along it.
    """
    p, w = np.asarray(path, float), np.asarray(widths, float)[:, None]
    side = np.asarray(across, float) / np.linalg.norm(across)
    tangent = np.gradient(p, axis=0)
    up = np.cross(tangent, side)
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    lines = [p + side * w * t / 2 + up * w * cup * abs(t) for t in (-1.0, 0.0, 1.0)]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))])
    uv = np.stack([w * [-0.5, 0.0, 0.5], np.repeat(along[:, None], 3, axis=1)], axis=-1)
    return grid(np.stack(lines, axis=1), uv)


def plate(front: Array, thickness: float) -> Mesh:
    """A closed plate behind a lattice of points (n, m, 3) that faces d/dn x d/dm."""
    back = front - thickness * grid(front).normals.reshape(front.shape)
    m = front.shape[1]
    whole = np.concatenate([front, back[:, ::-1], front[:, :1]], axis=1)
    rims = [np.stack([whole[k, :m], whole[k, m : 2 * m][::-1]], axis=1) for k in (0, -1)]
    return merge([grid(whole), grid(rims[0][::-1]), grid(rims[1])])
