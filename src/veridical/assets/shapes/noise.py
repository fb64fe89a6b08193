"""Smooth random functions of space, for wrinkles and dents."""

from __future__ import annotations

import numpy as np

from veridical.core.geometry import Array


class Ripple:
    """A sum of plane waves in random directions; about within +-amplitude, mean zero.

    Args:
        rng: Draws directions and phases.
        wavelength: Of the longest wave, metres.
        amplitude: Bound of the sum, metres.
        waves: How many waves, each shorter and weaker than the one before.
    """

    def __init__(self, rng: np.random.Generator, wavelength: float, amplitude: float, waves: int = 7) -> None:
        directions = rng.normal(size=(waves, 3))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        octave = 1.25 ** np.arange(waves)
        self._k = directions * (2 * np.pi / wavelength * octave)[:, None]
        self._phase = rng.uniform(0, 2 * np.pi, waves)
        weight = 1 / octave
        self._weight = amplitude * weight / weight.sum()

    def __call__(self, points: Array) -> Array:
        """Values (n,) at points (n, 3)."""
        return np.asarray(np.sin(points @ self._k.T + self._phase) @ self._weight)
