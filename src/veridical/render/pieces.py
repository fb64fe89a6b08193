"""The drawn shapes of a compiled model, geom by geom, without any renderer in sight.

A geom becomes one or more pieces. Flat-sided geoms are triangle meshes; spheres, cylinders and disks stay
analytic, so that their truth has no tessellation error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array, so3_exp, transform

DRAWN_GROUPS = (0, 1, 2)
_INFINITE_PLANE_HALF_M = 200.0
_ELLIPSOID_RINGS = 48


@dataclass(frozen=True, eq=False)
class Triangles:
    """A mesh in its geom's frame: float32 vertices (n, 3), unit normals (n, 3), uv (n, 2), faces (m, 3).

    UVs count texture repeats, with v = 0 at the top row of the image, as MuJoCo and Mitsuba have it.
    """

    vertices: NDArray[np.float32]
    normals: NDArray[np.float32]
    uv: NDArray[np.float32]
    faces: NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Piece:
    """A shape of geom number `geom`: a mesh, or a unit shape stretched by `T_geom_shape` (4, 4).

    The unit shapes are Mitsuba's: sphere of radius 1, rectangle from -1 to 1 facing +z, cylinder of
    radius 1 from z = 0 to 1, disk of radius 1 facing +z.
    """

    geom: int
    kind: Literal["mesh", "sphere", "rectangle", "cylinder", "disk"]
    T_geom_shape: Array
    mesh: Triangles | None = None


def drawn_geoms(model: mujoco.MjModel) -> list[int]:
    """Geoms of the drawn groups that are not fully transparent."""
    return [
        g for g in range(model.ngeom) if int(model.geom_group[g]) in DRAWN_GROUPS and _rgba(model, g)[3] > 0.0
    ]


def geom_colour(model: mujoco.MjModel, geom: int) -> tuple[float, float, float]:
    """The geom's plain MuJoCo colour, sRGB in 0..1."""
    r, g, b, _ = _rgba(model, geom)
    return float(r), float(g), float(b)


def geom_pieces(model: mujoco.MjModel, geom: int, meshes: dict[int, Triangles]) -> list[Piece]:
    """The pieces of one geom; `meshes` remembers meshes that several geoms share."""
    kind = mujoco.mjtGeom(model.geom_type[geom])
    size = np.asarray(model.geom_size[geom], float)
    if kind == mujoco.mjtGeom.mjGEOM_MESH:
        number = int(model.geom_dataid[geom])
        if number not in meshes:
            meshes[number] = mesh_triangles(model, number)
        return [Piece(geom, "mesh", np.eye(4), meshes[number])]
    if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
        return [Piece(geom, "sphere", _scaled(size[0], size[0], size[0]))]
    if kind in (mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_CAPSULE):
        return _round_pieces(geom, size[0], size[1], kind == mujoco.mjtGeom.mjGEOM_CAPSULE)
    if kind == mujoco.mjtGeom.mjGEOM_PLANE:
        half = np.where(size[:2] > 0, size[:2], _INFINITE_PLANE_HALF_M)
        return [Piece(geom, "mesh", np.eye(4), _plane(half, _repeats(model, geom)))]
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        return [Piece(geom, "mesh", np.eye(4), _box(size, _repeats(model, geom)))]
    if kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
        return [Piece(geom, "mesh", np.eye(4), _ellipsoid(size))]
    if kind == mujoco.mjtGeom.mjGEOM_HFIELD:
        return [Piece(geom, "mesh", np.eye(4), _height_field(model, int(model.geom_dataid[geom])))]
    return []


def mesh_triangles(model: mujoco.MjModel, mesh: int) -> Triangles:
    """A mesh asset with vertices split where normal or UV are discontinuous."""
    faces = slice(int(model.mesh_faceadr[mesh]), int(model.mesh_faceadr[mesh] + model.mesh_facenum[mesh]))
    corner = [model.mesh_face[faces].ravel(), model.mesh_facenormal[faces].ravel()]
    has_uv = int(model.mesh_texcoordadr[mesh]) >= 0
    if has_uv:
        corner.append(model.mesh_facetexcoord[faces].ravel())
    keys, index = np.unique(np.stack(corner, axis=1), axis=0, return_inverse=True)
    vertices = model.mesh_vert[keys[:, 0] + model.mesh_vertadr[mesh]]
    normals = model.mesh_normal[keys[:, 1] + model.mesh_normaladr[mesh]]
    uv: NDArray[Any] = np.zeros((len(keys), 2), np.float32)
    if has_uv:
        uv = model.mesh_texcoord[keys[:, 2] + model.mesh_texcoordadr[mesh]]
    return _triangles(vertices, normals, uv, index.reshape(-1, 3))


def support_points(piece: Piece) -> Array:
    """Points (n, 3) in the geom's frame whose convex hull encloses the piece (for round ones, tightly)."""
    if piece.mesh is not None:
        return np.asarray(piece.mesh.vertices, float)
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=1)
    if piece.kind == "sphere":
        points = np.concatenate([ring * s + [0, 0, np.sqrt(1 - s * s) * z] for s, z in _SPHERE_RINGS])
    elif piece.kind == "cylinder":
        points = np.concatenate([ring, ring + np.array([0, 0, 1])])
    else:
        points = ring
    return points @ piece.T_geom_shape[:3, :3].T + piece.T_geom_shape[:3, 3]


_SPHERE_RINGS = [
    (float(np.cos(a)), float(np.sign(np.sin(a)) or 1.0)) for a in np.linspace(-np.pi / 2, np.pi / 2, 17)
]


def _rgba(model: mujoco.MjModel, geom: int) -> NDArray[np.float32]:
    material = int(model.geom_matid[geom])
    rgba: NDArray[np.float32] = model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom]
    if model.geom_rgba[geom][3] == 0.0:
        rgba = model.geom_rgba[geom]
    return rgba


def _triangles(
    vertices: NDArray[Any], normals: NDArray[Any], uv: NDArray[Any], faces: NDArray[Any]
) -> Triangles:
    return Triangles(
        np.ascontiguousarray(vertices, np.float32),
        np.ascontiguousarray(normals, np.float32),
        np.ascontiguousarray(uv, np.float32),
        np.ascontiguousarray(faces, np.uint32),
    )


def _scaled(x: float, y: float, z: float, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
    return transform(np.diag([x, y, z]), at)


def _round_pieces(geom: int, radius: float, half: float, is_capsule: bool) -> list[Piece]:
    side = Piece(geom, "cylinder", _scaled(radius, radius, 2 * half, (0, 0, -half)))
    if is_capsule:
        ball = np.diag([radius, radius, radius])
        return [side, *(Piece(geom, "sphere", transform(ball, [0, 0, z])) for z in (-half, half))]
    turned = so3_exp([np.pi, 0, 0]) @ np.diag([radius, radius, 1.0])
    return [
        side,
        Piece(geom, "disk", _scaled(radius, radius, 1, (0, 0, half))),
        Piece(geom, "disk", transform(turned, [0, 0, -half])),
    ]


def _repeats(model: mujoco.MjModel, geom: int) -> tuple[Array, bool]:
    """Texture repeats of a primitive's material, and whether they count per metre or per face."""
    material = int(model.geom_matid[geom])
    if material < 0:
        return np.ones(2), False
    return np.asarray(model.mat_texrepeat[material], float), bool(model.mat_texuniform[material])


def _plane(half: Array, repeats: tuple[Array, bool]) -> Triangles:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    vertices = np.concatenate([corners * half, np.zeros((4, 1))], axis=1)
    return _triangles(
        vertices,
        np.tile([0.0, 0.0, 1.0], (4, 1)),
        _planar_uv(corners, half, repeats),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )


def _planar_uv(corners: Array, half: Array, repeats: tuple[Array, bool]) -> Array:
    count, per_metre = repeats
    uv = corners * half * count if per_metre else (corners + 1) / 2 * count
    return uv * [1, -1] + [0, 1]


def _box(half: Array, repeats: tuple[Array, bool]) -> Triangles:
    vertices: list[Array] = []
    normals, uv, faces = [], [], []
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = ((axis + 1) % 3, (axis + 2) % 3) if sign > 0 else ((axis + 2) % 3, (axis + 1) % 3)
            side = np.zeros((4, 3))
            side[:, axis], side[:, u], side[:, v] = sign, corners[:, 0], corners[:, 1]
            faces.append(np.array([[0, 1, 2], [0, 2, 3]]) + 4 * len(vertices))
            vertices.append(side * half)
            normals.append(np.tile(sign * np.eye(3)[axis], (4, 1)))
            uv.append(_planar_uv(corners, half[[u, v]], repeats))
    return _triangles(*map(np.concatenate, (vertices, normals, uv, faces)))


def _grid_faces(rows: int, columns: int) -> NDArray[np.int64]:
    """Faces of a grid of rows x columns vertices, counter-clockwise for column right and row up."""
    i = np.arange((rows - 1) * columns).reshape(rows - 1, columns)[:, :-1].ravel()
    lower = np.stack([i, i + 1, i + columns + 1], axis=1)
    upper = np.stack([i, i + columns + 1, i + columns], axis=1)
    return np.concatenate([lower, upper])


def _ellipsoid(radii: Array) -> Triangles:
    rows, columns = _ELLIPSOID_RINGS + 1, 2 * _ELLIPSOID_RINGS + 1
    latitude, longitude = np.meshgrid(
        np.linspace(-np.pi / 2, np.pi / 2, rows), np.linspace(-np.pi, np.pi, columns), indexing="ij"
    )
    c = np.cos(latitude)
    unit = np.stack([c * np.cos(longitude), c * np.sin(longitude), np.sin(latitude)], axis=-1).reshape(-1, 3)
    normals = unit / radii
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    uv = np.stack([longitude / (2 * np.pi) + 0.5, 0.5 - latitude / np.pi], axis=-1).reshape(-1, 2)
    return _triangles(unit * radii, normals, uv, _grid_faces(rows, columns))


def _height_field(model: mujoco.MjModel, field: int) -> Triangles:
    rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
    start = int(model.hfield_adr[field])
    rx, ry, top, _ = model.hfield_size[field]
    z = np.asarray(model.hfield_data[start : start + rows * columns], float).reshape(rows, columns) * top
    y, x = np.meshgrid(np.linspace(-ry, ry, rows), np.linspace(-rx, rx, columns), indexing="ij")
    dz_dy, dz_dx = np.gradient(z, 2 * ry / (rows - 1), 2 * rx / (columns - 1))
    normals = np.stack([-dz_dx, -dz_dy, np.ones_like(z)], axis=-1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    uv = np.stack([x / (2 * rx) + 0.5, 0.5 - y / (2 * ry)], axis=-1).reshape(-1, 2)
    vertices = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    return _triangles(vertices, normals, uv, _grid_faces(rows, columns))
