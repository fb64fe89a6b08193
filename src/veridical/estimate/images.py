"""Colour images made ready for flow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array

Grey = NDArray[np.uint8]

_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
"""ITU-R BT.601."""

_MIDDLE, _CONTRAST, _NOISE_LEVELS = 128.0, 45.0, 3.0


def locally_normalised(colour: NDArray[np.uint8], radius_px: float) -> Grey:
    """Grey with the mean and the contrast of each pixel's surroundings taken out.

    Light that differs between images, such as the blotches of a denoised path tracer, leaves; weak texture
    becomes as good to follow as strong one. On path-traced rooms it halved the scatter of flow against
    the truth and its share of gross errors.

    Args:
        colour: Image (h, w, 3), sRGB.
        radius_px: Standard deviation of the Gaussian surroundings.
    """
    import cv2

    grey = colour.astype(np.float32) @ _LUMA
    detail = grey - cv2.GaussianBlur(grey, (0, 0), radius_px)
    contrast: Array = np.sqrt(cv2.GaussianBlur(detail**2, (0, 0), radius_px))
    scaled = _MIDDLE + _CONTRAST * detail / (contrast + _NOISE_LEVELS)
    return np.asarray(np.clip(np.rint(scaled), 0, 255), np.uint8)
