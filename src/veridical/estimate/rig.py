"""A camera that measures depth, be it by a second camera or by a depth image.

A measurement of a point is (u, v, r): the pixel in the left image and the column in the right one, both
in ideal pixels without distortion. For RGB-D the right camera is a virtual one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array


@dataclass(frozen=True)
class Rig:
    """Intrinsics of the left camera and the distance to the (virtual) right one in metres."""

    camera: PinholeCamera
    baseline_m: float

    def ideal(self, uv: Array) -> Array:
        """Removes the distortion of pixels (n, 2)."""
        if not self.camera.is_distorted:
            return uv
        c = self.camera
        return np.asarray(self.camera.directions(uv)[:, :2] * [c.fx, c.fy] + [c.cx, c.cy])

    def points(self, uvr: Array) -> Array:
        """Triangulates measurements (n, 3) to points (n, 3) in the optical frame, metres."""
        c = self.camera
        z = c.fx * self.baseline_m / (uvr[:, 0] - uvr[:, 2])
        return np.stack([(uvr[:, 0] - c.cx) / c.fx * z, (uvr[:, 1] - c.cy) / c.fy * z, z], axis=1)

    def measure(self, points: Array) -> Array:
        """Projects points (..., 3) of the optical frame to measurements (..., 3)."""
        c = self.camera
        x, y, z = np.moveaxis(points, -1, 0)
        u = c.fx * x / z + c.cx
        return np.stack([u, c.fy * y / z + c.cy, u - c.fx * self.baseline_m / z], axis=-1)

    def jacobian(self, points: Array) -> Array:
        """Derivatives (..., 3, 3) of `measure` by the points (..., 3)."""
        c = self.camera
        x, y, z = np.moveaxis(points, -1, 0)
        zero = np.zeros_like(z)
        rows = [
            [c.fx / z, zero, -c.fx * x / z**2],
            [zero, c.fy / z, -c.fy * y / z**2],
            [c.fx / z, zero, -c.fx * (x - self.baseline_m) / z**2],
        ]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
