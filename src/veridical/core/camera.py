"""The pinhole camera with optional Brown distortion.

Pixel (0, 0) is the centre of the top-left pixel, so an undistorted camera that looks straight ahead
has cx = (width - 1) / 2. The optical frame is x right, y down, z forward.

Source: Brown, Close-Range Camera Calibration (1971), in the parameter order k1, k2, p1, p2, k3 that
OpenCV and Kalibr use.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.core.geometry import Array

_UNDISTORT_ITERATIONS = 50


@dataclass(frozen=True)
class Projection:
    """Pixels of projected points.

    Attributes:
        uv: Pixels, shape (n, 2), u to the right and v downwards.
        depth: Planar depth along the optical axis in metres, shape (n,).
        visible: True in front of the camera and inside the image, shape (n,).
    """

    uv: Array
    depth: Array
    visible: NDArray[np.bool_]


@dataclass(frozen=True)
class PinholeCamera:
    """Intrinsics: image size in pixels, focal lengths and principal point in pixels, distortion."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    @classmethod
    def from_hfov(cls, width: int, height: int, hfov_rad: float) -> PinholeCamera:
        """Square pixels and a central principal point; the field of view spans the outer pixel edges."""
        f = 0.5 * width / np.tan(0.5 * hfov_rad)
        return cls(width, height, float(f), float(f), (width - 1) / 2, (height - 1) / 2)

    @property
    def K(self) -> Array:
        """The 3x3 intrinsic matrix."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    @property
    def is_distorted(self) -> bool:
        """True if any distortion coefficient is not zero."""
        return any(self.distortion)

    def project(self, points: ArrayLike) -> Projection:
        """Projects points (n, 3) in the optical frame, metres."""
        points = np.asarray(points, float)
        z = points[:, 2]
        in_front = z > 0
        xy = points[:, :2] / np.where(in_front, z, 1.0)[:, None]
        uv = self._distort(xy) * [self.fx, self.fy] + [self.cx, self.cy]
        u, v = uv[:, 0], uv[:, 1]
        inside = (u > -0.5) & (v > -0.5) & (u < self.width - 0.5) & (v < self.height - 0.5)
        return Projection(uv, z, in_front & inside)

    def directions(self, uv: ArrayLike) -> Array:
        """Ray directions (..., 3) with z = 1 in the optical frame, for pixels (..., 2)."""
        uv = np.asarray(uv, float)
        xy = (uv - [self.cx, self.cy]) / [self.fx, self.fy]
        if self.is_distorted:
            xy = self._undistort(xy)
        return np.concatenate([xy, np.ones((*xy.shape[:-1], 1))], axis=-1)

    def pixel_grid(self) -> Array:
        """Pixel centres (height, width, 2) as (u, v)."""
        u, v = np.meshgrid(np.arange(self.width, dtype=float), np.arange(self.height, dtype=float))
        return np.stack([u, v], axis=-1)

    def _distort(self, xy: Array) -> Array:
        if not self.is_distorted:
            return xy
        k1, k2, p1, p2, k3 = self.distortion
        x, y = xy[..., 0], xy[..., 1]
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        return np.stack(
            [
                x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
                y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
            ],
            axis=-1,
        )

    def _undistort(self, distorted: Array) -> Array:
        xy = distorted
        for _ in range(_UNDISTORT_ITERATIONS):
            xy = xy + (distorted - self._distort(xy))
        return xy
