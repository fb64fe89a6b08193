"""Sparse optical flow with a forward-backward check.

Source: Lucas and Kanade (1981), pyramidal after Bouguet (2000), as in OpenCV.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array
from veridical.estimate.images import Grey

_ITERATIONS = 30
_EPS_PX = 0.01
_MIN_EIGENVALUE = 1e-5


def follow(
    a: Grey, b: Grey, points: Array, guess: Array, patch_px: int, *, max_level: int = 3, back_px: float = 0.5
) -> tuple[Array, NDArray[np.bool_]]:
    """Finds points (n, 2) of image a in image b.

    Args:
        a: First image (h, w).
        b: Second image (h, w).
        points: Pixels in a.
        guess: Expected pixels in b.
        patch_px: Side of the patch that is followed.
        max_level: Coarsest pyramid level used.
        back_px: A point that does not return to within this distance is refused.

    Returns:
        Pixels in b (n, 2), and True (n,) where they can be trusted.
    """
    if not len(points):
        return np.zeros((0, 2)), np.zeros(0, bool)
    there, found = _flow(a, b, points, guess, patch_px, max_level)
    back, returned = _flow(b, a, there, points, patch_px, min(max_level, 1))
    height, width = b.shape
    inside = (there >= 1).all(axis=1) & (there <= [width - 2, height - 2]).all(axis=1)
    closes = np.linalg.norm(back - points, axis=1) < back_px
    return there, found & returned & inside & closes


def _flow(
    a: Grey, b: Grey, points: Array, guess: Array, patch_px: int, max_level: int
) -> tuple[Array, NDArray[np.bool_]]:
    import cv2

    out, status, _ = cv2.calcOpticalFlowPyrLK(
        a,
        b,
        points.astype(np.float32)[:, None],
        guess.astype(np.float32)[:, None].copy(),
        winSize=(patch_px, patch_px),
        maxLevel=max_level,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _ITERATIONS, _EPS_PX),
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        minEigThreshold=_MIN_EIGENVALUE,
    )
    return out[:, 0].astype(float), status[:, 0] > 0
