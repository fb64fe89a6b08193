"""Ground truth of one frame: one ray through the centre of each pixel. Plain numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array, invert
from veridical.render.boxes import ImageBox, SpaceBox

NOTHING = 0xFFFFFFFF
"""Label of a pixel whose ray hits nothing."""

GRAZE = 2e-4
"""A surface is not hidden by itself: relative and absolute slack of the visibility rays, metres."""

TRUTH_LABELS = ("range", "normals", "instance", "semantic", "boxes")


@dataclass(frozen=True, eq=False)
class Hits:
    """Where the rays of one frame ended.

    Attributes:
        camera: Whose pixels these are.
        T_world_camera: Its pose then.
        T_world_body: Poses of all bodies then, (nbody, 4, 4).
        depth: Planar depth, (h, w) float32, 0 where nothing was hit.
        body: Number of the body that was hit, (h, w); -1 where nothing was hit.
    """

    camera: PinholeCamera
    T_world_camera: Array
    T_world_body: Array
    depth: NDArray[np.float32]
    body: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Truth:
    """Layers of one frame, as in `CameraFrame`; those not asked for are None."""

    depth: NDArray[np.float32]
    range: NDArray[np.float32] | None
    normals: NDArray[np.float32] | None
    instance: NDArray[np.uint16] | None
    semantic: NDArray[np.uint16] | None
    boxes_2d: tuple[ImageBox, ...] | None
    boxes_3d: tuple[SpaceBox, ...] | None
    hits: Hits


@dataclass(frozen=True, eq=False)
class Later:
    """A camera in the later of two states: intrinsics, pose, poses of all bodies, the scene's own origin."""

    camera: PinholeCamera
    T_world_camera: Array
    T_world_body: Array
    origin: Array


@lru_cache(maxsize=8)
def pixel_directions(camera: PinholeCamera) -> Array:
    """Directions with z = 1 of all pixel centres, (h, w, 3)."""
    return camera.directions(camera.pixel_grid())


@lru_cache(maxsize=8)
def _pixel_planes(camera: PinholeCamera) -> Array:
    """The same, (3, h * w)."""
    return np.ascontiguousarray(pixel_directions(camera).reshape(-1, 3).T)


@lru_cache(maxsize=8)
def _length_over_depth(camera: PinholeCamera) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm(pixel_directions(camera), axis=-1), np.float32)


def ray_lengths(camera: PinholeCamera, depth: NDArray[np.float32]) -> NDArray[np.float32]:
    """Range (h, w) along each pixel's ray from planar depth (h, w)."""
    return depth * _length_over_depth(camera)


def flow(
    before: Hits, later: Later, free_between: Callable[[Array, Array], NDArray[np.bool_]]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Where the points of a frame are seen by a later one.

    Args:
        before: The rays of the earlier frame.
        later: The later camera and state.
        free_between: Whether nothing is between a camera at a pose (4, 4) in the scene's own frame and
            points (n, 3) in that camera's optical frame, in the later state.

    Returns:
        Flow (h, w, 2) in pixels, NaN where nothing was hit or the point is behind the later camera; and
        whether the point is hidden or outside the image then, (h, w).
    """
    points = _seen_later(before, later)
    seen = later.camera.project(points.T)
    hit = before.body.ravel() >= 0
    visible = seen.visible & hit
    T = later.T_world_camera.copy()
    T[:3, 3] -= later.origin
    visible[visible] = free_between(T, np.compress(visible, points, axis=1).T)
    out = (seen.uv - before.camera.pixel_grid().reshape(-1, 2)).astype(np.float32, order="C")
    out[~hit | (seen.depth <= 0)] = np.nan
    return out.reshape(*before.depth.shape, 2), ~visible.reshape(before.depth.shape)


def _seen_later(before: Hits, later: Later) -> Array:
    """The points of all pixels in the later optical frame, moved along with their bodies, (3, h * w)."""
    T_later_world = invert(later.T_world_camera)
    rays, depth = _pixel_planes(before.camera), before.depth.ravel()
    points = _map(T_later_world @ before.T_world_camera, rays, depth)
    moved = ~(before.T_world_body == later.T_world_body).all(axis=(1, 2))
    bodies = before.body.ravel()
    for body in np.unique(bodies[moved[bodies]]):
        mine = bodies == body
        change = later.T_world_body[body] @ invert(before.T_world_body[body])
        points[:, mine] = _map(T_later_world @ change @ before.T_world_camera, rays[:, mine], depth[mine])
    return points


def _map(T: Array, rays: Array, depth: NDArray[np.float32]) -> Array:
    """Points (3, n) at depths (n,) on rays (3, n), mapped by T (4, 4)."""
    points = T[:3, :3] @ rays
    points *= depth
    points += T[:3, 3:]
    return points
