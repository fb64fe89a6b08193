"""Instances of the label images: which geoms they own, and their 2D and 3D boxes."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects
from scipy.spatial import ConvexHull, QhullError

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array, apply, invert, transform
from veridical.render.pieces import Piece, support_points
from veridical.worlds.world import World

_NEAR_M = 0.01

Edges = tuple[float, float, float, float]
"""Left, top, right, bottom: outer edges of pixels, so the top-left pixel alone is (0, 0, 1, 1)."""


@dataclass(frozen=True)
class ImageBox:
    """Box of an instance's visible pixels, and of its whole projected shape; clipped to the image."""

    instance: int
    tight: Edges
    loose: Edges
    visible_pixels: int


@dataclass(frozen=True, eq=False)
class SpaceBox:
    """Box along the axes of an instance's root body: pose of its centre, full size in metres."""

    instance: int
    T_world_box: Array
    size_m: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class _Hull:
    """Convex hull of an instance's pieces on one body, in the body's frame."""

    body: int
    points: Array
    edges: NDArray[np.int64]


class InstanceShapes:
    """The label table of a world, tied to its bodies and geoms."""

    def __init__(self, world: World, pieces: list[Piece]) -> None:
        self._model = world.model
        self._table = {i.id: i for i in world.instances}
        self._root = {i.id: _body_number(world.model, i.body) for i in world.instances}
        self.of_body = instance_of_body(world)
        self.of_geom = self.of_body[world.model.geom_bodyid]
        self.semantic = np.zeros(max(self._table, default=0) + 1, np.uint16)
        for i in world.instances:
            self.semantic[i.id] = i.semantic_id
        self._pieces = pieces
        self._hulls: dict[int, list[_Hull]] = {}

    def boxes_2d(
        self, labels: NDArray[np.uint16], camera: PinholeCamera, T_world_camera: Array, T_world_body: Array
    ) -> tuple[ImageBox, ...]:
        """Boxes of the instances that an instance image (h, w) shows, by ascending id."""
        counts = np.bincount(labels.ravel())
        regions = find_objects(labels.astype(np.int32))
        T_camera_world = invert(T_world_camera)
        boxes = []
        for number in np.flatnonzero(counts[1:]) + 1:
            rows, columns = regions[number - 1]
            tight = (float(columns.start), float(rows.start), float(columns.stop), float(rows.stop))
            extent = [tight]
            for hull in self._hulls_of(int(number)):
                seen = _seen_edges(hull, T_camera_world @ T_world_body[hull.body])
                extent.append(_bounds(seen, camera))
            loose = _union(np.array(extent))
            boxes.append(ImageBox(int(number), tight, loose, int(counts[number])))
        return tuple(boxes)

    def boxes_3d(self, labels: NDArray[np.uint16], T_world_body: Array) -> tuple[SpaceBox, ...]:
        """Boxes of the same instances, along the axes of each one's root body."""
        boxes = []
        for number in np.flatnonzero(np.bincount(labels.ravel())[1:]) + 1:
            T_world_root = T_world_body[self._root[int(number)]]
            points = np.concatenate(
                [
                    apply(invert(T_world_root) @ T_world_body[h.body], h.points)
                    for h in self._hulls_of(int(number))
                ]
            )
            low, high = points.min(axis=0), points.max(axis=0)
            centre = T_world_root @ transform(np.eye(3), (low + high) / 2)
            x, y, z = (float(v) for v in high - low)
            boxes.append(SpaceBox(int(number), centre, (x, y, z)))
        return tuple(boxes)

    def _hulls_of(self, number: int) -> list[_Hull]:
        if number not in self._hulls:
            by_body: dict[int, list[Array]] = {}
            for piece in self._pieces:
                if self.of_geom[piece.geom] == number:
                    points = apply(_body_from_geom(self._model, piece.geom), support_points(piece))
                    by_body.setdefault(int(self._model.geom_bodyid[piece.geom]), []).append(points)
            self._hulls[number] = [_hull(body, np.concatenate(p)) for body, p in by_body.items()]
        return self._hulls[number]


def instance_of_body(world: World) -> NDArray[np.int64]:
    """Instance id of each body: that of the nearest root at or above it, 0 if there is none."""
    model = world.model
    roots = {_body_number(model, i.body): i.id for i in world.instances}
    owner = np.zeros(model.nbody, np.int64)
    for body in range(model.nbody):
        parent = int(model.body_parentid[body])
        owner[body] = roots.get(body, owner[parent] if parent != body else 0)
    return owner


def _body_number(model: mujoco.MjModel, name: str) -> int:
    return int(model.body(name).id)


def _body_from_geom(model: mujoco.MjModel, geom: int) -> Array:
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, model.geom_quat[geom])
    return transform(R.reshape(3, 3), model.geom_pos[geom])


def _hull(body: int, points: Array) -> _Hull:
    try:
        hull = ConvexHull(points)
    except QhullError:  # a flat thing: a hull of almost no thickness
        hull = ConvexHull(np.concatenate([points, points[:1] + 1e-6 * np.eye(3)]), qhull_options="QJ")
        points = np.concatenate([points, np.repeat(points[:1], 3, axis=0)])
    corner = np.unique(hull.simplices)
    place = np.zeros(len(points), np.int64)
    place[corner] = np.arange(len(corner))
    triangles = place[hull.simplices]
    edges = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    return _Hull(body, np.asarray(points[corner], float), edges)


def _seen_edges(hull: _Hull, T_camera_body: Array) -> Array:
    """Corners of the hull in front of the camera, and where its edges pass the near plane."""
    points = apply(T_camera_body, hull.points)
    a, b = points[hull.edges[:, 0]], points[hull.edges[:, 1]]
    crossing = (a[:, 2] > _NEAR_M) != (b[:, 2] > _NEAR_M)
    a, b = a[crossing], b[crossing]
    s = (_NEAR_M - a[:, 2]) / (b[:, 2] - a[:, 2])
    return np.concatenate([points[points[:, 2] > _NEAR_M], a + s[:, None] * (b - a)])


def _bounds(points: Array, camera: PinholeCamera) -> Edges:
    """Extent of projected points, clipped to the image; (inf, inf, -inf, -inf) if there are none."""
    if not len(points):
        return (np.inf, np.inf, -np.inf, -np.inf)
    w, h = camera.width, camera.height
    border = camera.directions(
        np.array([[u, v] for u in (-0.5, w / 2, w - 0.5) for v in (-0.5, h / 2, h - 0.5)])
    )[:, :2]
    # Beyond the image a distortion polynomial may fold back, so points stay within its rays
    xy = np.clip(points[:, :2] / points[:, 2:], border.min(axis=0), border.max(axis=0))
    uv = camera.project(np.concatenate([xy, np.ones((len(xy), 1))], axis=1)).uv + 0.5
    low, high = np.clip(uv.min(axis=0), 0, [w, h]), np.clip(uv.max(axis=0), 0, [w, h])
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _union(boxes: Array) -> Edges:
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])
