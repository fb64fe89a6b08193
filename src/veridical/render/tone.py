"""From radiance to a display value."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.assets.material import Rgb

_KNEE = 0.5
_LEVELS = 4096


def to_display(image: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Linear values, 1 = white of an exposed picture, to sRGB bytes.

    Below the knee the curve is exactly that of IEC 61966-2-1; above it, highlights approach white
    gradually, so that a bright window keeps its view instead of being cut off.
    """
    x = np.maximum(image, 0)
    room = 1 - _KNEE
    above = np.maximum(x - _KNEE, 0)
    x = np.minimum(x, _KNEE) + room * above / (above + room)
    index = np.sqrt(x) * _LEVELS
    return np.take(_TABLE, np.minimum(index.astype(np.int32), _LEVELS))


def decode_srgb(value: ArrayLike) -> NDArray[np.float64]:
    """sRGB values in 0..1 to linear (IEC 61966-2-1)."""
    x = np.asarray(value, float)
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)


def linear(srgb: Rgb) -> Rgb:
    """The same for one colour."""
    r, g, b = decode_srgb(srgb).tolist()
    return r, g, b


def _table() -> NDArray[np.uint8]:
    x = ((np.arange(_LEVELS + 1) + 0.5) / _LEVELS) ** 2
    srgb = np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
    return np.round(np.clip(srgb, 0, 1) * 255).astype(np.uint8)


_TABLE = _table()
