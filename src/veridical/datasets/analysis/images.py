"""What single images are worth: light, sharpness, texture, and how near things are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

DARK_LEVEL = 15
"""A pixel is dark if red, green and blue are at most this: GRADE's rule for bad frames."""
BRIGHT_LEVEL = 250
"""A pixel is blown out if red, green and blue are at least this."""
CLOSE_M = 0.3
"""A pixel is close below this depth: GRADE's rule for bad frames."""
CORNER_CONTRAST = 10.0
"""Grey levels between the two sides of the faintest corner that counts as texture."""

_CELL_PX = 16
_BLUR_PX = 11


def light(colour: NDArray[np.uint8]) -> dict[str, float]:
    """Brightness and contrast in grey levels (0 to 255); dark and blown-out pixels in percent."""
    grey = cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY)
    return {
        "brightness": float(grey.mean()),
        "contrast": float(grey.std()),
        "dark_percent": 100 * float((colour <= DARK_LEVEL).all(axis=-1).mean()),
        "bright_percent": 100 * float((colour >= BRIGHT_LEVEL).all(axis=-1).mean()),
    }


def detail(colour: NDArray[np.uint8]) -> dict[str, float]:
    """Sharpness, blur and texture.

    `sharpness` is the variance of the Laplacian in grey levels squared (Pech-Pacheco et al., Diatom
    autofocusing in brightfield microscopy, 2000); it grows with the contrast of the scene. `blur`, from 0
    (sharp) to 1, does not: it compares the image with a blurred copy of itself (Crete et al., The Blur
    Effect, 2007; box filter of 11 pixels, the worse of the two directions). `texture_percent` is the share of
    cells of 16 pixels that hold a corner (smaller eigenvalue of the structure tensor, Shi and Tomasi, Good
    Features to Track, 1994) of at least ten grey levels of contrast.
    """
    grey = cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY).astype(np.float32)
    return {
        "sharpness": float(cv2.Laplacian(grey, cv2.CV_32F).var()),
        "blur": max(_blur(grey), _blur(np.ascontiguousarray(grey.T))),
        "texture_percent": _texture(grey),
    }


def distance(depth: NDArray[np.float32]) -> dict[str, float]:
    """Depth range in metres over the pixels that hit something, NaN without one; shares in percent."""
    hit = depth[depth > 0]
    near, low, median, high, far = np.percentile(hit, [0, 5, 50, 95, 100]) if hit.size else [np.nan] * 5
    return {
        "depth_min_m": float(near),
        "depth_p5_m": float(low),
        "depth_median_m": float(median),
        "depth_p95_m": float(high),
        "depth_max_m": float(far),
        "close_percent": 100 * float((hit < CLOSE_M).sum() / depth.size),
        "empty_percent": 100 * float(1 - hit.size / depth.size),
    }


def _blur(grey: NDArray[np.float32]) -> float:
    """The blur effect along rows."""
    width = min(_BLUR_PX, grey.shape[1])
    blurred = cv2.blur(grey, (width, 1), borderType=cv2.BORDER_REFLECT)
    before = np.abs(np.diff(grey, axis=1))
    after = np.abs(np.diff(blurred, axis=1))
    total = float(before.sum())
    return 1 - float(np.maximum(before - after, 0).sum()) / total if total > 0 else 1.0


def _corner_response(contrast: float) -> float:
    """Of a right-angled corner between two sides that differ by `contrast` grey levels."""
    corner = np.zeros((32, 32), np.float32)
    corner[16:, 16:] = contrast
    return float(cv2.cornerMinEigenVal(corner, 3).max())


def _texture(grey: NDArray[np.float32]) -> float:
    response = cv2.cornerMinEigenVal(grey, 3)
    h, w = (n // _CELL_PX * _CELL_PX for n in grey.shape)
    if not (h and w):
        return 100 * float(response.max() >= _corner_response(CORNER_CONTRAST))
    cells = response[:h, :w].reshape(h // _CELL_PX, _CELL_PX, w // _CELL_PX, _CELL_PX).max(axis=(1, 3))
    return 100 * float((cells >= _corner_response(CORNER_CONTRAST)).mean())
