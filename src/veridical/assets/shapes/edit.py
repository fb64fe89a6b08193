"""Changes to meshes: moving, merging, bending, normals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.assets.thing import Mesh
from veridical.core.geometry import Array, from_rpy, transform

_WELD_M = 1e-6
_MIN_DOUBLE_AREA = 1e-12
_HASH = np.array([73856093, 19349663 << 20, 83492791 << 9], np.int64)  # wraps around; spreads cells


def _face_normals(vertices: Array, faces: NDArray[np.int32]) -> Array:
    """Cross products (m, 3) of the triangles' edges; np.cross is slow on small arrays."""
    corners = vertices[faces]
    ax, ay, az = (corners[:, 1] - corners[:, 0]).T
    bx, by, bz = (corners[:, 2] - corners[:, 0]).T
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)


def weld_normals(vertices: Array, faces: NDArray[np.int32]) -> Array:
    """Smooth unit normals (n, 3), area-weighted; vertices at the same place share their normal."""
    cells = np.round(vertices / _WELD_M).astype(np.int64)
    _, place = np.unique(cells @ _HASH, return_inverse=True)
    corners = place[faces].T.reshape(-1)
    n = int(place.max()) + 1
    each = _face_normals(vertices, faces)
    total = [np.bincount(corners, np.tile(each[:, k], 3), n) for k in range(3)]
    normals = np.stack(total, axis=1)[place]
    length = np.sqrt(np.sum(normals**2, axis=1, keepdims=True))
    return np.asarray(np.where(length > 1e-15, normals / np.maximum(length, 1e-15), [0.0, 0.0, 1.0]))


def make_mesh(vertices: Array, faces: ArrayLike, uv: Array, normals: Array | None = None) -> Mesh:
    """A mesh without its triangles of no area; smooth normals where none are given."""
    tri = np.asarray(faces, np.int32).reshape(-1, 3)
    doubled = np.sum(_face_normals(vertices, tri) ** 2, axis=1)
    tri = tri[doubled > _MIN_DOUBLE_AREA**2]
    if normals is None:
        normals = weld_normals(vertices, tri)
    return Mesh(np.asarray(vertices, float), tri, np.asarray(normals, float), np.asarray(uv, float))


def merge(meshes: Iterable[Mesh]) -> Mesh:
    """One mesh of several."""
    parts = list(meshes)
    starts = np.cumsum([0] + [len(m.vertices) for m in parts[:-1]])
    return Mesh(
        np.concatenate([m.vertices for m in parts]),
        np.concatenate([m.faces + np.int32(s) for m, s in zip(parts, starts, strict=True)]).astype(np.int32),
        np.concatenate([m.normals for m in parts]),
        np.concatenate([m.uv for m in parts]),
    )


def transformed(mesh: Mesh, T: Array) -> Mesh:
    """The mesh mapped by a rigid transform (4, 4)."""
    R = T[:3, :3]
    return Mesh(mesh.vertices @ R.T + T[:3, 3], mesh.faces, mesh.normals @ R.T, mesh.uv)


def move(mesh: Mesh, offset: ArrayLike) -> Mesh:
    """The mesh shifted by an offset (3,) in metres."""
    return Mesh(mesh.vertices + np.asarray(offset, float), mesh.faces, mesh.normals, mesh.uv)


def turn(mesh: Mesh, rpy_rad: ArrayLike, offset: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
    """The mesh turned about its origin by roll, pitch, yaw (3,), then shifted."""
    return transformed(mesh, transform(from_rpy(rpy_rad), offset))


def stretch(mesh: Mesh, factors: ArrayLike) -> Mesh:
    """The mesh scaled by positive factors (3,) along its axes; UVs are left as they are."""
    f = np.asarray(factors, float)
    normals = mesh.normals / f
    return Mesh(
        mesh.vertices * f, mesh.faces, normals / np.linalg.norm(normals, axis=1, keepdims=True), mesh.uv
    )


def deform(mesh: Mesh, bend: Callable[[Array], Array]) -> Mesh:
    """The mesh with its vertices (n, 3) mapped by a function, and smooth normals computed anew."""
    return make_mesh(bend(mesh.vertices), mesh.faces, mesh.uv)


def flipped(mesh: Mesh) -> Mesh:
    """The same surface seen from the other side."""
    return Mesh(mesh.vertices, mesh.faces[:, ::-1].copy(), -mesh.normals, mesh.uv)


def mirrored_y(mesh: Mesh) -> Mesh:
    """The mesh mirrored at the plane y = 0, still facing outwards."""
    m = np.array([1.0, -1.0, 1.0])
    return Mesh(mesh.vertices * m, mesh.faces[:, ::-1].copy(), mesh.normals * m, mesh.uv)


def shift_uv(mesh: Mesh, offset: ArrayLike) -> Mesh:
    """The mesh with its texture shifted by (2,) metres."""
    return Mesh(mesh.vertices, mesh.faces, mesh.normals, mesh.uv + np.asarray(offset, float))


def print_uv(mesh: Mesh) -> Mesh:
    """The mesh with its UVs stretched to fill 0..1, for a picture that covers it once."""
    low, high = mesh.uv.min(axis=0), mesh.uv.max(axis=0)
    return Mesh(mesh.vertices, mesh.faces, mesh.normals, (mesh.uv - low) / np.maximum(high - low, 1e-9))


def bounds(mesh: Mesh) -> tuple[Array, Array]:
    """Lowest and highest corner (3,) of the bounding box."""
    return mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)


@lru_cache(maxsize=256)
def lattice_faces(n: int, m: int) -> NDArray[np.int32]:
    """Triangles (2 (n - 1) (m - 1), 3) between the points of an n x m lattice; shared, not to be written."""
    index = np.arange(n * m, dtype=np.int32).reshape(n, m)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])


def grid(points: Array, uv: Array | None = None, normals: Array | None = None) -> Mesh:
    """A surface through a lattice of points.

    Args:
        points: (n, m, 3); the outside is where d/dn x d/dm points to.
        uv: (n, m, 2) metres; arc lengths along the lattice's middle lines where not given.
        normals: (n, m, 3); smooth and welded where not given.
    """
    n, m = points.shape[:2]
    faces = lattice_faces(n, m)
    if uv is None:
        u = np.linalg.norm(np.diff(points, axis=0), axis=-1).mean(axis=1)
        v = np.linalg.norm(np.diff(points, axis=1), axis=-1).mean(axis=0)
        u, v = np.concatenate([[0.0], np.cumsum(u)]), np.concatenate([[0.0], np.cumsum(v)])
        uv = np.stack(np.meshgrid(u, v, indexing="ij"), axis=-1)
    flat_normals = None if normals is None else normals.reshape(-1, 3)
    return make_mesh(points.reshape(-1, 3), faces, uv.reshape(-1, 2), flat_normals)
