"""The world's pieces as Mitsuba shapes, and their poses as parameters that can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array
from veridical.render.pieces import Piece, Triangles

_JOINED = "joined"


class Tier:
    """A Mitsuba scene of some pieces. However many of them move, its ray structure is rebuilt once.

    A hit on a shape costs a call through Dr.Jit's dispatch, and every shape is traced into every kernel.
    So all meshes become one shape, whose triangles know the piece that they belong to.

    Args:
        pieces: What it holds.
        poses: T_scene_geom (ngeom, 4, 4) at the start.
        is_glass: True if all pieces are thin glass, which lets light through.

    Attributes:
        pieces: The same in the order of the scene's shapes: the joined meshes first.
        scene: The Mitsuba scene.
        piece_of_primitive: For each of the scene's shapes, the number in `pieces` of each of its
            primitives; one number for a shape that is a piece of its own.
    """

    def __init__(self, pieces: Sequence[Piece], poses: Array, *, is_glass: bool = False) -> None:
        self.is_glass = is_glass
        meshes = [piece for piece in pieces if piece.mesh is not None]
        analytic = [piece for piece in pieces if piece.mesh is None]
        self.pieces = (*meshes, *analytic)
        self._surface = mi.load_dict({"type": "diffuse"})  # `shading.py` says what it looks like
        self._joined = _JoinedMeshes(meshes, poses) if meshes else None
        description: dict[str, Any] = {"type": "scene"}
        self.piece_of_primitive: list[NDArray[np.uint32]] = []
        if self._joined is not None:
            description[_JOINED] = triangle_mesh(_JOINED, self._joined.triangles, self._surface)
            self.piece_of_primitive.append(self._joined.piece_of_face)
        for i, piece in enumerate(analytic, start=len(meshes)):
            description[_key(i)] = analytic_shape(piece, poses[piece.geom], self._surface)
            self.piece_of_primitive.append(np.array([i], np.uint32))
        # Optimisation would join meshes that share a BSDF, and lose which is which
        self.scene = mi.load_dict(description, parallel=False, optimize=False)
        self._parameters: Any = None

    def move(self, geoms: set[int], poses: Array) -> None:
        """Brings the pieces of some geoms to new poses T_scene_geom (ngeom, 4, 4)."""
        moved = [i for i, piece in enumerate(self.pieces) if piece.geom in geoms]
        if not moved:
            return
        if self._parameters is None:
            self._parameters = mi.traverse(self.scene)
        joined = 0 if self._joined is None else len(self._joined.pieces)
        for i in moved:
            piece = self.pieces[i]
            T = poses[piece.geom]
            if self._joined is not None and i < joined:
                self._joined.move(i, T)
            else:
                self._parameters[f"{_key(i)}.to_world"] = _matrix(T @ piece.T_geom_shape)
        if self._joined is not None and moved[0] < joined:
            self._parameters[f"{_JOINED}.vertex_positions"] = self._joined.triangles.vertices.ravel()
            self._parameters[f"{_JOINED}.vertex_normals"] = self._joined.triangles.normals.ravel()
        self._parameters.update()


class _JoinedMeshes:
    """Several mesh pieces as one mesh in the scene's frame."""

    def __init__(self, pieces: Sequence[Piece], poses: Array) -> None:
        self.pieces = tuple(pieces)
        meshes = [piece.mesh for piece in pieces if piece.mesh is not None]
        counts = [len(mesh.vertices) for mesh in meshes]
        self._start = np.cumsum([0, *counts])
        faces = [mesh.faces + np.uint32(s) for mesh, s in zip(meshes, self._start, strict=False)]
        self.piece_of_face = np.repeat(np.arange(len(meshes), dtype=np.uint32), [len(f) for f in faces])
        self.triangles = Triangles(
            np.empty((self._start[-1], 3), np.float32),
            np.empty((self._start[-1], 3), np.float32),
            np.concatenate([mesh.uv for mesh in meshes]),
            np.concatenate(faces),
        )
        for i, piece in enumerate(pieces):
            self.move(i, poses[piece.geom])

    def move(self, i: int, T: Array) -> None:
        """Brings piece number i to the pose T_scene_geom (4, 4)."""
        mesh = self.pieces[i].mesh
        assert mesh is not None
        moved, mine = posed(mesh, T), slice(self._start[i], self._start[i + 1])
        self.triangles.vertices[mine], self.triangles.normals[mine] = moved.vertices, moved.normals


def _key(i: int) -> str:
    return f"piece{i:05d}"


def _matrix(T: Array) -> Any:
    return mi.ScalarTransform4f(T)


def posed(mesh: Triangles, T: Array) -> Triangles:
    """A mesh brought from its geom's frame to the scene's."""
    vertices = (mesh.vertices @ T[:3, :3].T + T[:3, 3]).astype(np.float32)
    return Triangles(vertices, (mesh.normals @ T[:3, :3].T).astype(np.float32), mesh.uv, mesh.faces)


def analytic_shape(piece: Piece, T: Array, surface: Any) -> dict[str, Any]:
    """Mitsuba's description of a piece without triangles whose geom is at the pose T."""
    return {"type": piece.kind, "to_world": _matrix(T @ piece.T_geom_shape), "bsdf": surface}


def triangle_mesh(key: str, triangles: Triangles, surface: Any, emitter: dict[str, Any] | None = None) -> Any:
    """A Mitsuba mesh with the id `key`."""
    properties = mi.Properties()
    properties["bsdf"] = surface
    if emitter is not None:
        properties["emitter"] = mi.load_dict(emitter)
    mesh = mi.Mesh(
        key,
        vertex_count=len(triangles.vertices),
        face_count=len(triangles.faces),
        props=properties,
        has_vertex_normals=True,
        has_vertex_texcoords=True,
    )
    parameters = mi.traverse(mesh)
    parameters["faces"] = triangles.faces.ravel()
    parameters["vertex_positions"] = triangles.vertices.ravel()
    parameters["vertex_normals"] = triangles.normals.ravel()
    parameters["vertex_texcoords"] = triangles.uv.ravel()
    parameters.update()
    return mesh
