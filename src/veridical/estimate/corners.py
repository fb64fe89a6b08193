"""Corners spread evenly over an image.

Source: Shi and Tomasi, Good Features to Track (1994). Corners compete inside a cell and not over the whole
image, so a weakly textured wall keeps its few corners beside a poster.
"""

from __future__ import annotations

import numpy as np

from veridical.core.geometry import Array
from veridical.estimate.images import Grey

_BLOCK_PX = 5
_PEAK_PX = 5
_WEAKEST = 2e-5
"""Smallest eigenvalue of the gradient matrix, for grey in 0..1; below it, flow follows noise."""


def corners(grey: Grey, taken: Array, cell_px: int, per_cell: int, margin_px: int = 4) -> Array:
    """Finds the strongest corners in each cell that has room left.

    Args:
        grey: Image (h, w).
        taken: Points (n, 2) already followed; they fill their cells and keep new corners at a distance.
        cell_px: Side of a cell.
        per_cell: Points allowed in a cell, taken ones included.
        margin_px: Border without corners.

    Returns:
        Pixels (m, 2) as (u, v), whole numbers, strongest first within a cell.
    """
    import cv2

    strength = cv2.cornerMinEigenVal(grey.astype(np.float32) / 255, _BLOCK_PX)
    peak = strength >= cv2.dilate(strength, np.ones((_PEAK_PX, _PEAK_PX), np.uint8))
    peak &= strength > _WEAKEST
    inside = np.zeros_like(peak)
    inside[margin_px:-margin_px, margin_px:-margin_px] = True
    for u, v in np.rint(taken).astype(int):
        inside[max(v - _PEAK_PX, 0) : v + _PEAK_PX + 1, max(u - _PEAK_PX, 0) : u + _PEAK_PX + 1] = False
    v, u = np.nonzero(peak & inside)
    columns = -(-grey.shape[1] // cell_px)
    order = np.lexsort((u, v, -strength[v, u]))
    u, v = u[order], v[order]
    cell = (v // cell_px) * columns + u // cell_px
    n_cells = columns * -(-grey.shape[0] // cell_px)
    room = np.full(n_cells, per_cell)
    if len(taken):
        at = np.clip(np.rint(taken), 0, [grey.shape[1] - 1, grey.shape[0] - 1]).astype(int) // cell_px
        room -= np.bincount(at[:, 1] * columns + at[:, 0], minlength=n_cells)
    by_cell = np.argsort(cell, kind="stable")
    sorted_cell = cell[by_cell]
    rank = np.arange(len(cell)) - np.searchsorted(sorted_cell, sorted_cell)
    keep = by_cell[rank < room[sorted_cell]]
    return np.stack([u[keep], v[keep]], axis=1).astype(float)
