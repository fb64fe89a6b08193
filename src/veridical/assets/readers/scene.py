"""Mesh files (GLB, glTF, OBJ, PLY, STL, DAE) as named nodes with meshes and surfaces."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Rgb
from veridical.assets.readers.look import surface_of
from veridical.assets.surfaces import Surface
from veridical.assets.thing import Finish, Mesh, Part
from veridical.core.errors import AssetError
from veridical.core.geometry import Array

FORMATS = ("glb", "gltf", "obj", "ply", "stl", "dae", "off")

_CREASE_COS = float(np.cos(np.deg2rad(40.0)))
"""Meshes without normals are shaded smooth across edges that bend less than this."""


@dataclass(frozen=True, eq=False)
class Node:
    """A named piece of a file: what is seen, in the world's axes and metres."""

    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class MeshFile:
    """A file's nodes, by name; their finishes are looked up in `surfaces`."""

    nodes: tuple[Node, ...]
    surfaces: dict[Finish, Surface]
    warnings: tuple[str, ...]

    @property
    def bounds(self) -> Array:
        """Lowest and highest corner, shape (2, 3), metres."""
        corners = [part.mesh.vertices for node in self.nodes for part in node.parts]
        all_vertices = np.concatenate(corners)
        return np.stack([all_vertices.min(axis=0), all_vertices.max(axis=0)])


def read_mesh_file(path: Path, scale: float = 1.0, up: Literal["y", "z"] = "y") -> MeshFile:
    """Reads a mesh file with its materials.

    Args:
        path: The file; textures are looked for beside it.
        scale: Metres per unit of the file.
        up: The file's vertical axis; y is turned to z by a quarter turn about x.

    Raises:
        AssetError: If the file is missing, unreadable, empty, or holds values that are not numbers.
    """
    scene = _load(path)
    warnings = _missing_textures(path)
    A = _axes(scale, up)
    surfaces: dict[Finish, Surface] = {}
    finishes: dict[int, Finish] = {}
    nodes: dict[str, list[Part]] = {}
    empty: list[str] = []
    for key, geometry in _pieces(scene):
        mesh = _mesh(path, key, geometry, A @ _pose_of(scene, key))
        if mesh is None:
            empty.append(key)
            continue
        finish = _finish(path, geometry, finishes, surfaces)
        nodes.setdefault(_clean(key), []).append(Part(mesh, finish))
    if not nodes:
        raise AssetError(f"{path} holds no triangles; export it with meshes in it")
    if empty:
        warnings.append(f"{path.name}: left out what has no triangles: {', '.join(empty)}")
    return MeshFile(tuple(Node(n, tuple(p)) for n, p in sorted(nodes.items())), surfaces, tuple(warnings))


def _load(path: Path) -> Any:
    import trimesh

    if not path.is_file():
        raise AssetError(f"{path} does not exist; paths are relative to the scenario file")
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise AssetError(f"{path}: cannot read '.{kind}' files; known are {', '.join(FORMATS)}")
    extra = {"split_object": True} if kind == "obj" else {}
    try:
        return trimesh.load(str(path), force="scene", process=False, **extra)
    except Exception as fault:  # every reader behind trimesh has its own errors
        raise AssetError(f"{path} cannot be read as {kind}: {type(fault).__name__}: {fault}") from fault


def _pieces(scene: Any) -> Iterator[tuple[str, Any]]:
    for name in sorted(scene.graph.nodes_geometry):
        yield name, scene.geometry[scene.graph[name][1]]


def _pose_of(scene: Any, node: str) -> Array:
    return np.asarray(scene.graph[node][0], float)


def _axes(scale: float, up: str) -> Array:
    A = np.diag([scale, scale, scale, 1.0])
    if up == "y":
        A = A @ np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    return A


def _mesh(path: Path, name: str, geometry: Any, A: Array) -> Mesh | None:
    if not hasattr(geometry, "faces") or not len(geometry.faces):
        return None
    given = np.asarray(geometry.vertices, float)
    if not np.isfinite(given).all():
        bad = int((~np.isfinite(given)).any(axis=1).sum())
        raise AssetError(
            f"{path}: {bad} vertices of '{name}' are not numbers; "
            "repair the mesh in its editor and export it again"
        )
    vertices = given @ A[:3, :3].T + A[:3, 3]
    faces = np.asarray(geometry.faces, np.int32)
    if np.linalg.det(A[:3, :3]) < 0:
        faces = faces[:, ::-1]
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    faces = np.ascontiguousarray(faces[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 0])
    if not len(faces):
        return None
    uv = getattr(geometry.visual, "uv", None)
    uv = (
        np.zeros((len(vertices), 2))
        if uv is None or len(uv) != len(vertices)
        else np.asarray(uv, float)[:, :2]
    )
    if "vertex_normals" in geometry._cache.cache:
        normals = np.asarray(geometry.vertex_normals, float) @ np.linalg.inv(A[:3, :3])
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        return Mesh(vertices, faces, normals / np.where(length > 0, length, 1.0), uv)
    return creased(vertices, faces, uv)


def creased(vertices: Array, faces: NDArray[np.int32], uv: Array) -> Mesh:
    """A mesh with normals, smooth within 40 degrees and split at sharper edges."""
    _, place = np.unique(vertices, axis=0, return_inverse=True)
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    cross = np.cross(b - a, c - a)  # twice the area: weights the mean
    unit = cross / np.linalg.norm(cross, axis=1, keepdims=True)
    corner_place = place.ravel()[faces].ravel()
    corner_face = np.repeat(np.arange(len(faces)), 3)
    order = np.argsort(corner_place, kind="stable")
    starts = np.searchsorted(corner_place[order], np.arange(place.max() + 2))
    count = np.diff(starts)[corner_place]
    first = np.repeat(np.arange(len(corner_face)), count)
    offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    second = corner_face[order][np.repeat(starts[corner_place], count) + offset]
    close = np.einsum("ij,ij->i", unit[corner_face[first]], unit[second]) > _CREASE_COS
    sums = np.zeros((len(corner_face), 3))
    np.add.at(sums, first[close], cross[second[close]])
    normals = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    key = np.column_stack([faces.ravel(), np.round(normals * 1e4).astype(np.int64)])
    _, keep, index = np.unique(key, axis=0, return_index=True, return_inverse=True)
    source = faces.ravel()[keep]
    return Mesh(vertices[source], index.reshape(-1, 3).astype(np.int32), normals[keep], uv[source])


def _finish(
    path: Path, geometry: Any, finishes: dict[int, Finish], surfaces: dict[Finish, Surface]
) -> Finish:
    material = getattr(geometry.visual, "material", None)
    key = id(material) if material is not None else id(geometry)
    if key not in finishes:
        name = getattr(material, "name", None) or "material"
        finish = Finish(f"{path.name}:{_clean(str(name))}", variant=len(finishes))
        surfaces[finish] = surface_of(material, _vertex_colour(geometry), f"{finish.kind}-{finish.variant}")
        finishes[key] = finish
    return finishes[key]


def _vertex_colour(geometry: Any) -> Rgb | None:
    if getattr(geometry.visual, "kind", None) not in ("vertex", "face"):
        return None
    # glTF and PLY colours of vertices are taken as linear, as glTF 2.0 defines them
    r, g, b = (np.asarray(geometry.visual.vertex_colors)[:, :3] / 255).mean(axis=0)
    return float(r), float(g), float(b)


def _clean(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("_") or "node"


def _missing_textures(path: Path) -> list[str]:
    """Files that the mesh names and that are not there, as one warning."""
    kind = path.suffix.lower()
    if kind == ".obj":
        wanted = _obj_files(path)
    elif kind in (".gltf", ".glb"):
        wanted = _gltf_images(path)
    else:
        wanted = []
    missing = [w for w in dict.fromkeys(wanted) if not (path.parent / w).is_file()]
    if not missing:
        return []
    return [f"{path.name}: drawn with plain colours because these files are missing: {', '.join(missing)}"]


def _obj_files(path: Path) -> list[str]:
    libraries = [
        line.split(maxsplit=1)[1].strip()
        for line in path.read_text(errors="replace").splitlines()
        if line.startswith("mtllib ")
    ]
    wanted = list(libraries)
    for library in libraries:
        file = path.parent / library
        if file.is_file():
            lines = file.read_text(errors="replace").splitlines()
            wanted += [line.split()[-1] for line in lines if line.strip().lower().startswith("map_kd ")]
    return wanted


def _gltf_images(path: Path) -> list[str]:
    data = path.read_bytes()
    if data[:4] == b"glTF":  # binary container: 12 bytes header, then a chunk of JSON
        (length,) = struct.unpack_from("<I", data, 12)
        data = data[20 : 20 + length]
    images = json.loads(data).get("images", [])
    return [i["uri"] for i in images if "uri" in i and not i["uri"].startswith("data:")]
