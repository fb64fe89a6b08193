"""Carries pixels from one view to another by depth, poses and intrinsics, and measures where they land."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array, apply, invert
from veridical.datasets.read import Dataset

_MIN_DEPTH_M = 0.02
_SAME_SIZE_M = 1e-6
_SMOOTH = 1e-3
_HIDDEN = 0.05
_SAME_SURFACE = 2e-3


@dataclass(frozen=True)
class Samples:
    """Pixels of a frame that hit something, on a coarse grid: (n, 2), depth (n,), instance (n,)."""

    uv: Array
    depth: Array
    instance: NDArray[np.int64]


class View:
    """One camera stream with what is needed of its truth, read once."""

    def __init__(self, data: Dataset, stream: str, samples: int = 400) -> None:
        self.data = data
        self.stream = stream
        self.camera: PinholeCamera = data.cameras[stream].camera
        self.poses = data.poses(stream)
        self.dynamic = frozenset(row.id for row in data.labels if row.dynamic)
        self._rigid = frozenset(row.id for row in data.labels if row.dynamic and row.category != "robot")
        self.has_instances = "instance" in data.layers(stream)
        self.layer = lru_cache(maxsize=48)(self._layer)
        self.samples = lru_cache(maxsize=None)(self._samples)
        self.flow = lru_cache(maxsize=None)(self._flow)
        step = max(1, round(np.sqrt(self.camera.width * self.camera.height / samples)))
        v, u = np.mgrid[step // 2 : self.camera.height : step, step // 2 : self.camera.width : step]
        self._grid = np.stack([u.ravel(), v.ravel()], axis=-1)

    def __len__(self) -> int:
        return len(self.poses)

    def _layer(self, i: int, name: str) -> NDArray[Any]:
        return self.data.read(self.stream, i, name)

    def instance(self, i: int) -> NDArray[Any]:
        """Instance image of frame i; all background if the dataset has none."""
        if self.has_instances:
            return self.layer(i, "instance")
        return np.zeros((self.camera.height, self.camera.width), np.uint16)

    def _flow(self, i: int) -> Array:
        """Flow (n, 2) at the samples of frame i."""
        u, v = self.samples(i).uv.astype(int).T
        return np.asarray(self.data.read(self.stream, i, "flow")[v, u, :2], float)

    def _samples(self, i: int) -> Samples:
        """Grid pixels of frame i with a depth."""
        u, v = self._grid.T
        depth = self.layer(i, "depth")[v, u].astype(float)
        hit = depth > 0
        instance = self.instance(i)[v, u].astype(np.int64)
        return Samples(self._grid[hit].astype(float), depth[hit], instance[hit])

    def static(self, samples: Samples) -> NDArray[np.bool_]:
        """Which samples lie on things that cannot move."""
        return ~np.isin(samples.instance, list(self.dynamic))

    def relative(self, i: int, j: int) -> Array:
        """T_camera(j)_camera(i) from the exported poses."""
        return np.asarray(invert(self.poses.T[j]) @ self.poses.T[i])

    def motions(self, i: int, j: int) -> dict[int, Array]:
        """World motion from frame i to j of each movable rigid instance whose 3D box is known in both.

        A box that changes its size is that of a jointed thing; robots are always taken for one.
        """
        before, after = ({b.instance: b for b in self.data.boxes_3d(self.stream, k)} for k in (i, j))
        return {
            k: after[k].T_world_box @ invert(before[k].T_world_box)
            for k in sorted(self._rigid & before.keys() & after.keys())
            if np.allclose(before[k].size_m, after[k].size_m, atol=_SAME_SIZE_M)
        }


def warp(camera: PinholeCamera, uv: Array, depth: Array, T_j_i: Array) -> tuple[Array, Array]:
    """Pixels (..., n, 2) and depths (..., n) in views j of pixels of views i; NaN behind the camera."""
    points = apply(T_j_i, camera.directions(uv) * depth[..., None])
    landed = camera.project(points.reshape(-1, 3))
    behind = landed.depth < _MIN_DEPTH_M
    pixels = np.where(behind[:, None], np.nan, landed.uv)
    return pixels.reshape(uv.shape), np.where(behind, np.nan, landed.depth).reshape(depth.shape)


@dataclass(frozen=True)
class Landing:
    """How warped samples agree with the surface that the other view shows.

    Attributes:
        error_px: Signed distance from the warped point to the surface of view j, times focal length over
            depth, (n,); NaN where the point cannot be judged (outside, hidden, on an edge).
        same: True where view j shows the same instance around the landing pixel.
        judged: True where view j shows a surface of the same depth, whatever its id, (n,).
    """

    error_px: Array
    same: NDArray[np.bool_]
    judged: NDArray[np.bool_]


def land(
    view: View, j: int, uv: Array, z: Array, instance: NDArray[np.int64], camera: PinholeCamera | None = None
) -> Landing:
    """Compares warped samples with the depth and ids of frame j.

    The depth of view j at a landing point is interpolated as inverse depth between the four pixels
    around it, which is exact on planes. Points on depth edges (the four are not coplanar) and points
    that something nearer hides are left out. `camera` replaces the exported intrinsics.
    """
    camera, depth = camera or view.camera, view.layer(j, "depth")
    safe = np.where(np.isfinite(uv).all(axis=1, keepdims=True), uv, -9.0)
    corner = np.floor(safe).astype(int)
    inside = np.logical_and.reduce((corner >= 0) & (corner < [camera.width - 1, camera.height - 1]), axis=1)
    u, v = np.where(inside[:, None], corner, 0).T
    a, b = (safe - np.stack([u, v], axis=-1)).T
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1 / _corners(depth, u, v).astype(float)
        weights = np.stack([(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b])
        found = 1 / (inverse * weights).sum(axis=0)
        bend = np.abs(inverse[0] + inverse[3] - inverse[1] - inverse[2]) * found
    smooth = inside & (bend < _SMOOTH)
    visible = smooth & (found > z * (1 - _HIDDEN))
    ids = view.instance(j)
    around = _corners(ids, u, v)
    same = np.logical_and.reduce(around == instance)
    distance = (z - found) * _facing(camera, u, v, inverse)
    error = np.where(visible & same, distance * camera.fx / np.where(visible, z, 1), np.nan)
    uniform = np.logical_and.reduce(around == around[0])
    return Landing(error, same, visible & uniform & (np.abs(z - found) < _SAME_SURFACE * z))


def _corners(image: NDArray[Any], u: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
    """Values (4, n) of the pixels (u, v), (u + 1, v), (u, v + 1), (u + 1, v + 1)."""
    return np.stack([image[v, u], image[v, u + 1], image[v + 1, u], image[v + 1, u + 1]])


def _facing(camera: PinholeCamera, u: NDArray[Any], v: NDArray[Any], inverse: Array) -> Array:
    """Distance to the surface for one metre of depth: the share of a ray that points along the normal."""
    with np.errstate(divide="ignore", invalid="ignore"):
        corners = [
            camera.directions(np.stack([u + du, v + dv], axis=-1)) / inverse[k][:, None]
            for k, (du, dv) in enumerate([(0, 0), (1, 0), (0, 1)])
        ]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    ray = camera.directions(np.stack([u + 0.5, v + 0.5], axis=-1))
    return np.asarray(np.abs((normal * ray).sum(axis=1)))
