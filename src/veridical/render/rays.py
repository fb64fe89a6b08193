"""The rays of a camera's pixels, distortion included."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array
from veridical.render.truth import pixel_directions


class PixelRays:
    """Directions at pixel centres, and how they change over a pixel.

    Attributes:
        count: Number of pixels.
        spread: Angle between neighbouring pixels in the middle of the image, rad.
    """

    def __init__(self, camera: PinholeCamera) -> None:
        centre = camera.pixel_grid()
        self.count = camera.width * camera.height
        self.spread = 1.0 / max(camera.fx, camera.fy)
        half_u, half_v = np.array([0.5, 0.0]), np.array([0.0, 0.5])
        du = camera.directions(centre + half_u) - camera.directions(centre - half_u)
        dv = camera.directions(centre + half_v) - camera.directions(centre - half_v)
        self._d, self._du, self._dv = (_planes(a) for a in (pixel_directions(camera), du, dv))

    def state(self) -> tuple[Any, ...]:
        """The arrays that a kernel reads."""
        return (self._d, self._du, self._dv)

    def through_centres(self, pose: Any) -> Any:
        """One ray a pixel, whose parameter t is the planar depth."""
        return mi.Ray3f(pose @ mi.Point3f(0, 0, 0), pose @ mi.Vector3f(self._d.x, self._d.y, 1.0))

    def through_pixels(self, pose: Any, spp: int, sampler: Any) -> Any:
        """`spp` rays a pixel in a row, each through a random point of the pixel's square."""
        number = dr.arange(mi.UInt32, self.count * spp)
        if spp > 1:
            number //= spp
        xy = dr.gather(mi.Vector2f, self._d, number)
        jitter = sampler.next_2d() - 0.5
        xy += jitter.x * dr.gather(mi.Vector2f, self._du, number)
        xy += jitter.y * dr.gather(mi.Vector2f, self._dv, number)
        return mi.Ray3f(pose @ mi.Point3f(0, 0, 0), dr.normalize(pose @ mi.Vector3f(xy.x, xy.y, 1.0)))


@lru_cache(maxsize=8)
def pixel_rays(camera: PinholeCamera) -> PixelRays:
    """The rays of a camera, made once."""
    return PixelRays(camera)


def opaque_pose(T: Array) -> Any:
    """A pose as input of a kernel and not as a part of it, so that another pose needs no other kernel."""
    matrix = mi.Matrix4f(T)
    dr.make_opaque(matrix)
    return mi.AffineTransform4f(matrix)


def _planes(directions: Array) -> Any:
    return mi.Vector2f(np.ascontiguousarray(directions.reshape(-1, 3)[:, :2].T, np.float32))
