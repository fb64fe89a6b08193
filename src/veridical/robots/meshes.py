"""Closed shells for robot bodies: rings of points skinned along a path."""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from veridical.core.geometry import Array

VISUAL_GROUP = 2
COLLISION_GROUP = 3


def loft(spec: mujoco.MjSpec, name: str, rings: Array) -> str:
    """Adds a closed mesh through rings (m, n, 3), counter-clockwise seen against the direction of travel."""
    m, n = rings.shape[:2]
    vertices = np.concatenate([rings.reshape(-1, 3), rings[:1].mean(axis=1), rings[-1:].mean(axis=1)])
    faces = []
    for i in range(m - 1):
        for j in range(n):
            a, b = i * n + j, i * n + (j + 1) % n
            faces += [(a, b, b + n), (a, b + n, a + n)]
    first, last = m * n, m * n + 1
    for j in range(n):
        faces.append((first, (j + 1) % n, j))
        faces.append((last, (m - 1) * n + j, (m - 1) * n + (j + 1) % n))
    mesh = spec.add_mesh(name=name)
    mesh.uservert = vertices.ravel().tolist()
    mesh.userface = np.array(faces, np.int32).ravel().tolist()
    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
    return name


def lathe(spec: mujoco.MjSpec, name: str, profile: Sequence[tuple[float, float]], sides: int = 32) -> str:
    """Adds a solid of revolution about z through (radius, height) pairs, from the bottom to the top."""
    angle = np.arange(sides) * (2 * math.pi / sides)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    rings = [np.column_stack([r * circle, np.full(sides, z)]) for r, z in profile]
    return loft(spec, name, np.array(rings))


def superellipse(half_width: float, half_height: float, power: float, sides: int = 28) -> Array:
    """Points (sides, 2) of |u/w|^p + |v/h|^p = 1; power 2 is an ellipse, 5 a rounded rectangle."""
    angle = np.arange(sides) * (2 * math.pi / sides)
    c, s = np.cos(angle), np.sin(angle)
    u = half_width * np.sign(c) * np.abs(c) ** (2 / power)
    v = half_height * np.sign(s) * np.abs(s) ** (2 / power)
    return np.stack([u, v], axis=-1)


def along(path: Array, sections: Sequence[Array], up: tuple[float, float, float] = (0, 0, 1)) -> Array:
    """Rings (m, n, 3): sections (n, 2) as (sideways, up) set upright across a path (m, 3)."""
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    side = np.cross(np.array(up, float), tangent)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    top = np.cross(tangent, side)
    rings = [
        p + section[:, :1] * s + section[:, 1:] * t
        for p, s, t, section in zip(path, side, top, sections, strict=True)
    ]
    return np.array(rings)


def visual(body: mujoco.MjsBody, mesh: str, material: str, **where: object) -> None:
    """Adds a mesh that is seen and not touched."""
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=mesh,
        material=material,
        group=VISUAL_GROUP,
        contype=0,
        conaffinity=0,
        density=0,
        **where,
    )


def collision(body: mujoco.MjsBody, kind: mujoco.mjtGeom, size: Sequence[float], **where: object) -> None:
    """Adds a shape that is touched and not seen; it carries no mass."""
    padded = [*size, 0.0, 0.0][:3]
    body.add_geom(type=kind, size=padded, group=COLLISION_GROUP, density=0, rgba=[1, 0, 0, 0], **where)
