"""Collision shapes of arbitrary meshes, since the physics engine collides convex shapes only.

What is convex is taken as it is; large flat faces, such as walls, become thin slabs behind the surface,
which are exact; other closed shapes are decomposed by CoACD (Wei et al., Approximate Convex Decomposition
for 3D Meshes with Collision-Aware Concavity and Tree Search, 2022); what remains is covered by boxes.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.assets.thing import Collider
from veridical.core.geometry import Array, transform
from veridical.core.hashing import cached, content_hash

_VERSION = 1
_SLAB_M = 0.02
_CONVEX_RATIO = 0.98
_FLAT_SHARE = 0.8
_FACET_M2 = 0.02
_MAX_SLABS = 400
_TIMEOUT_S = 120.0
_VOXELS = 48
_IDENTITY = transform(np.eye(3), np.zeros(3))


@dataclass(frozen=True, eq=False)
class Shapes:
    """Collision shapes, and how many pieces of the mesh are only approximated by boxes."""

    colliders: tuple[Collider, ...]
    boxed: int = 0


def hull(points: Array, outward: Array | None = None) -> Collider | None:
    """The convex hull of points (n, 3); None if they lie on a line.

    Flat points get a thickness of 2 cm, behind them as seen against `outward` (3,), below if not given.
    """
    spread = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    thin = spread.S / max(float(spread.S[0]), 1e-12) < 1e-6
    if thin[1]:
        return None
    if thin[2]:
        normal = spread.Vh[2]
        facing = normal @ outward if outward is not None else normal[np.argmax(np.abs(normal))]
        points = np.concatenate([points, points - _SLAB_M * np.sign(facing) * normal])
    return Collider("hull", (), _IDENTITY, points)


def decompose(vertices: Array, faces: NDArray[np.int32]) -> Shapes:
    """Convex shapes that together cover a mesh; kept in the cache by content."""
    key = content_hash("convex", _VERSION, vertices, faces, _has_coacd())
    folder = cached("convex", key, lambda where: _make(where, vertices, faces))
    with np.load(folder / "shapes.npz") as stored:
        boxed = int(stored["boxed"])
        names = sorted((n for n in stored.files if n != "boxed"), key=lambda n: int(n.split("_")[1]))
        colliders = [_stored(n, stored[n]) for n in names]
    return Shapes(tuple(colliders), boxed)


def _stored(name: str, data: Array) -> Collider:
    if name.startswith("box"):
        return Collider("box", (data[3], data[4], data[5]), transform(np.eye(3), data[:3]))
    return Collider("hull", (), _IDENTITY, data)


def _make(folder: Path, vertices: Array, faces: NDArray[np.int32]) -> None:
    hulls: list[Array] = []
    boxes: list[Array] = []
    boxed = 0
    for piece in _components(vertices, faces):
        found = _convex(piece) or _slabs(piece) or _by_coacd(folder, piece)
        hulls += found
        if not found:
            boxes += _boxes(piece)
            boxed += 1
    arrays: dict[str, Any] = {f"hull_{i}": h for i, h in enumerate(hulls)}
    arrays |= {f"box_{len(hulls) + i}": b for i, b in enumerate(boxes)}
    np.savez(folder / "shapes.npz", **arrays, boxed=np.array(boxed))


def _components(vertices: Array, faces: NDArray[np.int32]) -> list[Any]:
    import trimesh

    whole = trimesh.Trimesh(vertices, faces, process=False)
    whole.merge_vertices(merge_tex=True, merge_norm=True)
    whole.update_faces(whole.nondegenerate_faces())
    groups = trimesh.graph.connected_components(whole.face_adjacency, nodes=np.arange(len(whole.faces)))
    groups = sorted((np.sort(g) for g in groups), key=lambda g: int(g[0]))
    return [trimesh.Trimesh(whole.vertices, whole.faces[g], process=True) for g in groups]


def _convex(piece: Any) -> list[Array]:
    points = np.asarray(piece.vertices, float)
    shape = hull(points, piece.face_normals.mean(axis=0))
    if shape is None or shape.hull is None:
        return []
    from scipy.spatial import ConvexHull

    around = ConvexHull(shape.hull)
    if len(shape.hull) > len(points):  # flat: convex if it fills its outline
        outline_m2 = (around.area - _rim_m2(around, shape.hull)) / 2
        return [shape.hull] if piece.area > _CONVEX_RATIO * outline_m2 else []
    closed = piece.is_watertight and piece.volume > _CONVEX_RATIO * around.volume
    return [points[ConvexHull(points).vertices]] if closed else []


def _rim_m2(around: Any, points: Array) -> float:
    """Area of the thin sides of a slab."""
    a, b, c = np.moveaxis(points[around.simplices], 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    thin_axis = np.linalg.svd(points - points.mean(axis=0), full_matrices=False).Vh[2]
    return float(area[np.abs(around.equations[:, :3] @ thin_axis) < 0.5].sum())


def _slabs(piece: Any) -> list[Array]:
    """Thin prisms behind the triangles, or whole convex facets, of a mesh of large flat faces."""
    large = [f for f, area in zip(piece.facets, piece.facets_area, strict=True) if area > _FACET_M2]
    grouped = np.concatenate(large) if large else np.zeros(0, int)
    single = np.setdiff1d(np.flatnonzero(piece.area_faces > _FACET_M2), grouped)
    covered = np.union1d(grouped, single).astype(int)
    if piece.area_faces[covered].sum() < _FLAT_SHARE * piece.area or len(covered) > _MAX_SLABS:
        return []
    rest = np.setdiff1d(np.arange(len(piece.faces)), covered)
    rest = rest[piece.area_faces[rest] > 1e-6]
    if len(covered) + len(rest) > _MAX_SLABS:
        return []
    slabs = []
    for facet in large:
        outline = np.unique(piece.faces[facet])
        whole = _prism(piece, outline, piece.face_normals[facet[0]])
        flat_m2 = piece.area_faces[facet].sum()
        if _prism_face_m2(whole) < flat_m2 / _CONVEX_RATIO:
            slabs.append(whole)
        else:
            slabs += [_prism(piece, piece.faces[f], piece.face_normals[f]) for f in facet]
    slabs += [_prism(piece, piece.faces[f], piece.face_normals[f]) for f in (*single, *rest)]
    return slabs


def _prism(piece: Any, corners: NDArray[np.integer], normal: Array) -> Array:
    points = np.asarray(piece.vertices[corners], float)
    return np.concatenate([points, points - _SLAB_M * normal])


def _prism_face_m2(points: Array) -> float:
    from scipy.spatial import ConvexHull

    return float(ConvexHull(points).volume) / _SLAB_M


def _has_coacd() -> bool:
    return importlib.util.find_spec("coacd") is not None


def _by_coacd(folder: Path, piece: Any) -> list[Array]:
    if not _has_coacd() or not piece.is_watertight:
        return []
    source, target = folder / "coacd_in.npz", folder / "coacd_out.npz"
    np.savez(source, vertices=np.asarray(piece.vertices, float), faces=np.asarray(piece.faces, np.int32))
    command = [sys.executable, "-m", "veridical.assets.readers.coacd_job", str(source), str(target)]
    try:
        subprocess.run(command, timeout=_TIMEOUT_S, check=True, capture_output=True)
        with np.load(target) as parts:
            return [parts[f"part_{i}"] for i in range(len(parts.files))]
    except (subprocess.SubprocessError, OSError):
        return []
    finally:
        source.unlink(missing_ok=True)
        target.unlink(missing_ok=True)


def _boxes(piece: Any) -> list[Array]:
    """Axis-aligned boxes (center, half-sizes) over the voxels that the surface touches."""
    pitch = float(np.max(piece.extents)) / _VOXELS
    grid = piece.voxelized(pitch)
    origin = np.asarray(grid.transform[:3, 3], float)
    return [
        np.concatenate([origin + (low + high) / 2 * pitch, (high - low + 1) / 2 * pitch])
        for low, high in merged_boxes(np.asarray(grid.matrix, bool))
    ]


def merged_boxes(filled: NDArray[np.bool_]) -> list[tuple[Array, Array]]:
    """Few boxes (lowest and highest cell, both inside) that cover exactly the filled cells (nx, ny, nz)."""
    left = filled.copy()
    boxes = []
    while left.any():
        low = np.array(np.unravel_index(np.argmax(left), left.shape))
        high = low.copy()
        for axis in (2, 1, 0):
            while high[axis] + 1 < left.shape[axis]:
                index = [slice(a, b + 1) for a, b in zip(low, high, strict=True)]
                index[axis] = slice(high[axis] + 1, high[axis] + 2)
                if not left[tuple(index)].all():
                    break
                high[axis] += 1
        left[tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))] = False
        boxes.append((low.astype(float), high.astype(float)))
    return boxes
