"""Truth rays through Mitsuba's scene."""

from __future__ import annotations

from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array
from veridical.render.rays import opaque_pose, pixel_rays
from veridical.render.stage import Stage
from veridical.render.truth import GRAZE, NOTHING


class Tracer:
    """Traces pixel rays through a stage whose pieces belong to the geoms of a model.

    Args:
        stage: What rays meet.
        label_of_piece: Label of each of `stage.pieces`.
    """

    def __init__(self, stage: Stage, label_of_piece: ArrayLike) -> None:
        self._stage = stage
        self._label = mi.UInt32(np.asarray(label_of_piece, np.uint32))

    def trace(
        self, camera: PinholeCamera, T: Array
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32]]:
        """Depth (h, w), 0 for nothing; normals (h, w, 3) in the optical frame; packed labels (h, w)."""
        rays, pose = pixel_rays(camera), opaque_pose(T)
        ray = rays.through_centres(pose)
        hit = self._stage.meet(ray, True)
        si = hit.compute_surface_interaction(ray, mi.RayFlags.Minimal)
        found = hit.is_valid()
        facing = dr.select(dr.dot(si.n, ray.d) > 0, -si.n, si.n)
        normal = dr.select(found, _turn_back(pose, facing), 0)
        depth = dr.select(found, hit.t, 0)
        piece = self._stage.piece_of(hit, found)
        label = dr.select(found, dr.gather(mi.UInt32, self._label, piece, found), NOTHING)
        flat = dr.ravel(mi.Vector3f(normal))
        dr.eval(depth, flat, label)
        size = (camera.height, camera.width)
        return (
            np.array(depth).reshape(size),
            np.array(flat).reshape(*size, 3),
            np.array(label).reshape(size),
        )

    def free_between(self, T: Array, points: Array) -> NDArray[np.bool_]:
        """True for points (n, 3) in the optical frame with nothing between them and a camera at pose T."""
        planes = points.T
        length = np.maximum(np.sqrt(np.einsum("in,in->n", planes, planes)), 1e-9)
        pose = opaque_pose(T)
        towards = mi.Vector3f(np.divide(planes, length, dtype=np.float32, casting="same_kind"))
        ray = mi.Ray3f(pose @ mi.Point3f(0, 0, 0), pose @ towards)
        ray.maxt = mi.Float((length * (1 - GRAZE) - GRAZE).astype(np.float32))
        return ~np.array(self._stage.is_blocked(ray), dtype=bool)


def _turn_back(pose: Any, v: Any) -> Any:
    """World directions in the camera's frame."""
    m = pose.matrix
    return mi.Vector3f(*(m[0, k] * v.x + m[1, k] * v.y + m[2, k] * v.z for k in range(3)))
