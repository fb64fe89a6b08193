"""Meshes of the building: rectangles, boxes and profiles, with UVs in metres along the surface.

Parts are built in world coordinates and then handed to `stand`, which gives the Thing its own frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from veridical.assets.shapes import box as rounded_box
from veridical.assets.shapes import merge
from veridical.assets.thing import Collider, Finish, Mesh, Part, Placed, Thing
from veridical.core.geometry import Array, transform

Box = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Lower and upper corner, metres."""

_FACES = ("-x", "+x", "-y", "+y", "-z", "+z")


def rectangle(corner: ArrayLike, u: ArrayLike, v: ArrayLike, uv: tuple[float, float] = (0.0, 0.0)) -> Mesh:
    """A rectangle with edges u and v (metres) from a corner; its normal is u x v.

    Args:
        corner: World position of the corner.
        u: First edge.
        v: Second edge.
        uv: Texture coordinates at the corner, metres.
    """
    corner, u, v = (np.asarray(a, float) for a in (corner, u, v))
    width, height = np.linalg.norm(u), np.linalg.norm(v)
    normal = np.cross(u, v) / (width * height)
    return Mesh(
        np.array([corner, corner + u, corner + u + v, corner + v]),
        np.array([[0, 1, 2], [0, 2, 3]], np.int32),
        np.tile(normal, (4, 1)),
        np.array([[0, 0], [width, 0], [width, height], [0, height]]) + uv,
    )


def box(lo: ArrayLike, hi: ArrayLike, without: Sequence[str] = (), grain: int | None = None) -> Mesh:
    """An axis-aligned box with sharp edges.

    Args:
        lo: Lower corner, metres.
        hi: Upper corner, metres.
        without: Faces to leave out, such as `-z`.
        grain: Axis (0, 1, 2) along which texture u runs; by default the longest.
    """
    lo, hi = np.asarray(lo, float), np.asarray(hi, float)
    size = hi - lo
    along = int(np.argmax(size)) if grain is None else grain
    sides = []
    for face in _FACES:
        if face in without:
            continue
        axis, positive = "xyz".index(face[1]), face[0] == "+"
        a, b = (axis + 1) % 3, (axis + 2) % 3
        if b == along:
            a, b = b, a
        u, v = np.zeros(3), np.zeros(3)
        u[a], v[b] = size[a], size[b]
        corner = lo.copy()
        if positive:
            corner[axis] = hi[axis]
        if np.cross(u, v)[axis] * (1 if positive else -1) < 0:
            corner[b], v = corner[b] + size[b], -v
        sides.append(rectangle(corner, u, v, (float(corner[a]), float(corner[b]))))
    return merge(sides)


def board(lo: ArrayLike, hi: ArrayLike, bevel: float = 0.002) -> Mesh:
    """A sawn board between two corners: a box with rounded edges, its grain along the longest axis."""
    lo, hi = np.asarray(lo, float), np.asarray(hi, float)
    return rounded_box(hi - lo, (lo + hi) / 2, bevel)


def extrude(profile: ArrayLike, start: ArrayLike, along: ArrayLike, side: ArrayLike) -> Mesh:
    """A profile swept along a straight line, without end caps.

    Args:
        profile: Polyline (n, 2) of (sideways, up) in metres, each segment facing to its right.
        start: World position of the profile's origin.
        along: The line, as a vector of its full length.
        side: Unit direction of `sideways`; up is +z.
    """
    profile, start = np.asarray(profile, float), np.asarray(start, float)
    along, side = np.asarray(along, float), np.asarray(side, float)
    world = start + profile[:, :1] * side + profile[:, 1:] * [0.0, 0.0, 1.0]
    strips, v = [], 0.0
    for p, q in pairwise(world):
        strips.append(rectangle(p, along, q - p, (float(np.dot(start, along) / np.linalg.norm(along)), v)))
        v += float(np.linalg.norm(q - p))
    return merge(strips)


def stand(
    name: str,
    category: str,
    parts: Sequence[tuple[Mesh, Finish]],
    boxes: Sequence[Box] = (),
    extra: Sequence[Collider] = (),
) -> Placed:
    """A static thing from parts and collision boxes in world coordinates.

    Meshes of equal finish become one part. The frame is put in the middle of the footprint, at the
    height of the lowest point. `extra` colliders are given in world coordinates too.
    """
    by_finish: dict[Finish, list[Mesh]] = {}
    for mesh, finish in parts:
        by_finish.setdefault(finish, []).append(mesh)
    merged = [(merge(meshes), finish) for finish, meshes in by_finish.items()]
    points = np.concatenate([m.vertices for m, _ in merged])
    lo, hi = points.min(axis=0), points.max(axis=0)
    origin = np.array([*(lo + hi)[:2] / 2, lo[2]])
    T = transform(np.eye(3), origin)
    colliders = [_box_collider(b, origin) for b in boxes]
    colliders += [Collider(c.kind, c.size, transform(np.eye(3), -origin) @ c.T_thing_collider) for c in extra]
    thing = Thing(
        category,
        tuple(Part(Mesh(m.vertices - origin, m.faces, m.normals, m.uv), f) for m, f in merged),
        tuple(colliders),
        (float(hi[0] - lo[0]), float(hi[1] - lo[1]), float(hi[2] - lo[2])),
    )
    return Placed(name, thing, T)


def _box_collider(b: Box, origin: Array) -> Collider:
    lo, hi = np.asarray(b[0], float), np.asarray(b[1], float)
    half = (hi - lo) / 2
    size = (float(half[0]), float(half[1]), float(half[2]))
    return Collider("box", size, transform(np.eye(3), (lo + hi) / 2 - origin))
