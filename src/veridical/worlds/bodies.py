"""Placed things become bodies of a MuJoCo specification."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import mujoco
import numpy as np

from veridical.assets.categories import CATEGORIES
from veridical.assets.engine import add_material
from veridical.assets.msh import msh_bytes
from veridical.assets.thing import Collider, Mesh, Part, Placed, Thing
from veridical.core.errors import AssetError, did_you_mean
from veridical.core.geometry import matrix_to_quat
from veridical.core.hashing import content_hash
from veridical.worlds.finishes import Palette

VISUAL_GROUP = 2
COLLISION_GROUP = 3

_MIN_AREA_M2 = 1e-10
_FRICTION = (0.8, 0.01, 0.001)
"""Sliding, torsional (m) and rolling (m) coefficients: painted wood on wood, and balls that come to rest."""


def add_things(spec: mujoco.MjSpec, placed: Iterable[Placed], palette: Palette) -> list[str]:
    """Adds one body a thing, with visual meshes, collision shapes and materials.

    Returns:
        Warnings, one sentence each.
    """
    warnings: list[str] = []
    for one in placed:
        _check(one)
        body = spec.worldbody.add_body(name=one.name, **_pose(one.T_world_thing))
        _add_visuals(spec, body, one, palette, warnings)
        _add_colliders(spec, body, one.thing)
        if one.thing.mass_kg is not None:
            if one.thing.colliders:
                body.add_freejoint(name=one.name)
            else:
                warnings.append(f"{one.name} has a mass but no collision shape; it is taken as static")
    return warnings


def is_dynamic(thing: Thing) -> bool:
    """True if the thing becomes a free body."""
    return thing.mass_kg is not None and bool(thing.colliders)


def collider_volume_m3(collider: Collider) -> float:
    """Volume of a collision shape, cubic metres."""
    size = collider.size
    if collider.kind == "box":
        return 8 * size[0] * size[1] * size[2]
    if collider.kind == "cylinder":
        return 2 * math.pi * size[0] ** 2 * size[1]
    if collider.kind == "sphere":
        return 4 / 3 * math.pi * size[0] ** 3
    from scipy.spatial import ConvexHull

    return float(ConvexHull(np.asarray(collider.hull, float)).volume)


def _check(one: Placed) -> None:
    category = one.thing.category
    if category not in CATEGORIES:
        hint = did_you_mean(category, CATEGORIES)
        raise AssetError(f"{one.name}: category '{category}' is not in the label table.{hint}")
    if not np.isfinite(one.T_world_thing).all():
        raise AssetError(f"{one.name}: its pose holds a value that is not a number")


def _pose(T: np.ndarray) -> dict[str, np.ndarray]:
    return {"pos": T[:3, 3], "quat": matrix_to_quat(T[:3, :3])}


def _add_visuals(
    spec: mujoco.MjSpec, body: mujoco.MjsBody, one: Placed, palette: Palette, warnings: list[str]
) -> None:
    for parts in _by_finish(one.thing.parts):
        surface = palette.take(parts[0].finish)
        name = surface.material.name
        add_material(spec, surface.material, surface.files)
        mesh = _joined([part.mesh for part in parts], surface.tile_m)
        if not np.isfinite(mesh.vertices).all():
            raise AssetError(
                f"{one.name}: a mesh with finish '{parts[0].finish.kind}' holds values that are not numbers"
            )
        if len(mesh.vertices) < 4 or _area_m2(mesh) < _MIN_AREA_M2:
            warnings.append(
                f"{one.name}: a mesh with finish '{parts[0].finish.kind}' has no area; it is left out"
            )
            continue
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_MESH,
            meshname=add_mesh(spec, mesh),
            material=name,
            group=VISUAL_GROUP,
            contype=0,
            conaffinity=0,
            mass=0,
        )


def _by_finish(parts: Sequence[Part]) -> list[list[Part]]:
    groups: dict[object, list[Part]] = {}
    for part in parts:
        groups.setdefault(part.finish, []).append(part)
    return list(groups.values())


def _joined(meshes: Sequence[Mesh], tile_m: float) -> Mesh:
    """One mesh of several, with UVs in texture repeats."""
    offsets = np.cumsum([0, *(len(m.vertices) for m in meshes[:-1])])
    return Mesh(
        vertices=np.concatenate([m.vertices for m in meshes]),
        faces=np.concatenate([m.faces + o for m, o in zip(meshes, offsets, strict=True)]).astype(np.int32),
        normals=np.concatenate([m.normals for m in meshes]),
        uv=np.concatenate([m.uv for m in meshes]) / tile_m,
    )


def _area_m2(mesh: Mesh) -> float:
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def add_mesh(spec: mujoco.MjSpec, mesh: Mesh) -> str:
    """Adds a visual mesh (UVs in texture repeats) unless an equal one is there already.

    Returns:
        The mesh's name, which is its content hash.
    """
    data = msh_bytes(mesh.vertices, mesh.faces, mesh.normals, mesh.uv)
    name = content_hash(data)[:16]
    file = f"meshes/{name}.msh"
    if file not in spec.assets:
        spec.assets[file] = data
        # a shell has an inertia even if the mesh is flat or open, so MuJoCo compiles it
        spec.add_mesh(name=name, file=file, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    return name


_KINDS = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "hull": mujoco.mjtGeom.mjGEOM_MESH,
}


def _add_colliders(spec: mujoco.MjSpec, body: mujoco.MjsBody, thing: Thing) -> None:
    volumes = [collider_volume_m3(c) for c in thing.colliders] if thing.mass_kg is not None else []
    for i, collider in enumerate(thing.colliders):
        shape = {"meshname": _add_hull(spec, collider)} if collider.kind == "hull" else {}
        geom = body.add_geom(
            type=_KINDS[collider.kind],
            group=COLLISION_GROUP,
            friction=_FRICTION if thing.friction is None else (thing.friction, *_FRICTION[1:]),
            condim=6 if collider.kind == "sphere" else 4,
            **_pose(collider.T_thing_collider),
            **shape,
        )
        if collider.kind != "hull":
            geom.size[: len(collider.size)] = collider.size
        geom.mass = thing.mass_kg * volumes[i] / sum(volumes) if thing.mass_kg is not None else 0.0


def _add_hull(spec: mujoco.MjSpec, collider: Collider) -> str:
    from scipy.spatial import ConvexHull

    points = np.asarray(collider.hull, float)
    hull = ConvexHull(points)
    vertices = points[hull.vertices]
    index = np.zeros(len(points), np.int32)
    index[hull.vertices] = np.arange(len(hull.vertices))
    faces = index[hull.simplices]
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, ::-1]
    data = msh_bytes(vertices, faces, None, None)
    name = content_hash(data)[:16]
    file = f"meshes/{name}.msh"
    if file not in spec.assets:
        spec.assets[file] = data
        spec.add_mesh(name=name, file=file)
    return name
