"""Turned and drawn shapes: lathes, tubes, extrusions, frames."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from veridical.assets.shapes.edit import grid, make_mesh, merge, move
from veridical.assets.thing import Mesh
from veridical.core.geometry import Array

_HARD_RAD = np.radians(38)


def fillet(points: ArrayLike, radius: float, segments: int = 3, closed: bool = False) -> Array:
    """A polyline (n, 2) with its corners rounded; radii shrink where the legs are short."""
    p = np.asarray(points, float)
    out: list[Array] = [] if closed else [p[0]]
    for i in range(0 if closed else 1, len(p) if closed else len(p) - 1):
        corner, before, after = p[i], p[i - 1] - p[i], p[(i + 1) % len(p)] - p[i]
        lb, la = np.linalg.norm(before), np.linalg.norm(after)
        cosine = float(np.clip(before @ after / (lb * la), -1, 1))
        half = np.arccos(cosine) / 2
        if half > np.pi / 2 - 0.06:
            out.append(corner)
            continue
        cut = float(min(radius / np.tan(half), 0.48 * lb, 0.48 * la))
        start, end = corner + before / lb * cut, corner + after / la * cut
        s = np.linspace(0, 1, segments + 1)[:, None]
        out.extend((1 - s) ** 2 * start + 2 * s * (1 - s) * corner + s**2 * end)
    if not closed:
        out.append(p[-1])
    return np.array(out)


def smooth_runs(p: Array, closed: bool = False) -> list[tuple[Array, Array]]:
    """Splits a polyline (n, 2) at its hard corners.

    Returns:
        Runs of (points (k, 2), unit normals (k, 2) to the right of the way).
    """
    step = np.diff(np.vstack([p, p[:1]]) if closed else p, axis=0)
    length = np.linalg.norm(step, axis=1)
    p, step, length = (p if closed else p[:-1])[length > 1e-9], step[length > 1e-9], length[length > 1e-9]
    ends = p + step
    normal = np.stack([step[:, 1], -step[:, 0]], axis=1) / length[:, None]
    cosine = np.sum(normal * np.roll(normal, 1, axis=0), axis=1)
    soft = cosine > np.cos(_HARD_RAD)
    if not closed:
        soft[0] = False
    blend = normal + np.roll(normal, 1, axis=0)
    blend /= np.maximum(np.linalg.norm(blend, axis=1, keepdims=True), 1e-9)
    starts = np.flatnonzero(~soft)
    if len(starts) == 0:
        ring = np.vstack([p, p[:1]])
        return [(ring, np.vstack([blend, blend[:1]]))]
    runs = []
    n = len(p)
    for k, start in enumerate(starts):
        stop = starts[(k + 1) % len(starts)] + (n if k + 1 == len(starts) else 0)
        ids = np.arange(start, stop) % n
        points = np.vstack([p[ids], ends[ids[-1:]]])
        normals = np.vstack([normal[ids[:1]], blend[ids[1:]], normal[ids[-1:]]])
        runs.append((points, normals))
    return runs


def lathe(profile: ArrayLike, sides: int = 28, center: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
    """Turns a profile about the z axis.

    Args:
        profile: (n, 2) radius and height in metres; outside is to the right of the way, so an outer
            wall runs upwards. From the axis to the axis it encloses a solid.
        sides: Facets around.
        center: Where its axis and height 0 lie.
    """
    p = np.asarray(profile, float)
    theta = np.linspace(0, 2 * np.pi, sides + 1)
    ring = np.stack([np.cos(theta), np.sin(theta)], axis=-1)
    widest, v0, pieces = float(p[:, 0].max()), 0.0, []
    for points, normals in smooth_runs(p):
        v = v0 + np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        v0 = float(v[-1])
        flat = np.ptp(points[:, 1]) < 0.3 * np.ptp(points[:, 0])
        xyz = np.concatenate(
            [
                ring[:, None] * points[None, :, :1],
                np.broadcast_to(points[:, 1:], (sides + 1, len(points), 1)),
            ],
            axis=-1,
        )
        n = np.concatenate(
            [
                ring[:, None] * normals[None, :, :1],
                np.broadcast_to(normals[:, 1:], (sides + 1, len(points), 1)),
            ],
            axis=-1,
        )
        around = np.stack(np.meshgrid(theta * widest, v, indexing="ij"), axis=-1)
        pieces.append(grid(xyz, xyz[..., :2] if flat else around, n))
    return move(merge(pieces), center)


def cylinder(
    radius: float,
    height: float,
    center: ArrayLike = (0.0, 0.0, 0.0),
    bevel: float = 0.002,
    sides: int = 24,
    top_radius: float | None = None,
) -> Mesh:
    """An upright cylinder or cone with rounded rims; `center` is the middle of its foot."""
    top = radius if top_radius is None else top_radius
    return lathe(fillet([(0, 0), (radius, 0), (top, height), (0, height)], bevel, 2), sides, center)


def disc(
    radius: float, center: ArrayLike = (0.0, 0.0, 0.0), sides: int = 24, downwards: bool = False
) -> Mesh:
    """A flat disc that faces up, or down."""
    theta = np.linspace(0, 2 * np.pi, sides, endpoint=False) * (-1 if downwards else 1)
    rim = radius * np.stack([np.cos(theta), np.sin(theta), np.zeros(sides)], axis=-1)
    vertices = np.vstack([np.zeros((1, 3)), rim])
    index = np.arange(sides)
    faces = np.stack([np.zeros(sides, int), 1 + index, 1 + (index + 1) % sides], axis=-1)
    normals = np.tile([0.0, 0.0, -1.0 if downwards else 1.0], (sides + 1, 1))
    return move(make_mesh(vertices, faces, vertices[:, :2].copy(), normals), center)


def _frames_along(path: Array) -> tuple[Array, Array]:
    """Two unit vectors (n, 3) across a path (n, 3), carried along it without twist."""
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    seed = np.eye(3)[int(np.argmin(np.abs(tangent[0])))]
    if np.ptp(tangent, axis=0).max() < 1e-9:
        straight = seed - (seed @ tangent[0]) * tangent[0]
        a = np.tile(straight / np.linalg.norm(straight), (len(path), 1))
        return a, np.cross(tangent, a)
    across = []
    for t in tangent:
        seed = seed - (seed @ t) * t
        seed = seed / np.linalg.norm(seed)
        across.append(seed)
    a = np.array(across)
    return a, np.cross(tangent, a)


def tube(path: ArrayLike, radius: ArrayLike, sides: int = 10, flatten: float = 1.0) -> Mesh:
    """A round bar along a path.

    Args:
        path: (n, 3) metres.
        radius: One, or one a point (n,).
        sides: Facets around.
        flatten: Thickness across as a part of the width, for straps and handles.
    """
    p = np.asarray(path, float)
    r = np.broadcast_to(np.asarray(radius, float), len(p)).copy()
    a, b = _frames_along(p)
    t0, t1 = p[0] - p[1], p[-1] - p[-2]
    t0, t1 = t0 / np.linalg.norm(t0), t1 / np.linalg.norm(t1)
    bulge = 0.3
    p = np.vstack([p[0] + t0 * r[0] * bulge, p[0] + t0 * r[0] * bulge, p, p[-1], p[-1]])
    p[-2:] += t1 * r[-1] * bulge
    r = np.concatenate([[0.0, r[0] * 0.75], r, [r[-1] * 0.75, 0.0]])
    a, b = (np.vstack([x[:1], x[:1], x, x[-1:], x[-1:]]) for x in (a, b))
    theta = np.linspace(0, 2 * np.pi, sides + 1)
    c, d = np.cos(theta)[:, None, None] * a, np.sin(theta)[:, None, None] * b
    points = p + (c + flatten * d) * r[None, :, None]
    points[-1] = points[0]
    normals = c + d / flatten
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    for end, t in ((0, t0), (-1, t1)):
        normals[:, end] = t
        rim = end + (1 if end == 0 else -1)
        normals[:, rim] = 0.8 * normals[:, rim] + 0.6 * t
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))])
    around = theta * float(r.mean())
    uv = np.stack(
        [np.broadcast_to(around[:, None], points.shape[:2]), np.broadcast_to(along, points.shape[:2])], -1
    )
    return grid(points, uv, normals)


def _inset(outline: Array, by: float) -> Array:
    before, after = outline - np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0) - outline
    normal = before / np.linalg.norm(before, axis=1, keepdims=True)
    normal = normal + after / np.linalg.norm(after, axis=1, keepdims=True)
    normal = np.stack([normal[:, 1], -normal[:, 0]], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return np.asarray(outline - by * normal)


def rounded_rect(length: float, width: float, radius: float, segments: int = 4) -> Array:
    """Outline (n, 2) of a rectangle about the origin with round corners, counter-clockwise."""
    a, b = length / 2, width / 2
    r = min(radius, 0.999 * a, 0.999 * b)
    angle = np.linspace(0, np.pi / 2, segments + 1)
    arc = r * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    out = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        c, s = (1, 0, -1, 0)[k], (0, 1, 0, -1)[k]
        out.append(arc @ np.array([[c, s], [-s, c]]) + np.array([sx * (a - r), sy * (b - r)]))
    return np.concatenate(out)


def ellipse(length: float, width: float, sides: int = 28, squareness: float = 2.0) -> Array:
    """Outline (n, 2) of a superellipse about the origin, counter-clockwise; 2 is an ellipse."""
    t = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    e = 2 / squareness
    x, y = np.cos(t), np.sin(t)
    return np.stack(
        [length / 2 * np.sign(x) * np.abs(x) ** e, width / 2 * np.sign(y) * np.abs(y) ** e], axis=-1
    )


def loft(levels: Sequence[tuple[ArrayLike, float]], cap_start: bool = True, cap_end: bool = True) -> Mesh:
    """A skin over outlines at heights.

    Args:
        levels: Outlines (n, 2), all with the same n and counter-clockwise, each with its height. As with
            a lathe, an outer wall runs upwards and an inner one downwards.
        cap_start: Whether the first outline is closed by a flat cap.
        cap_end: The same for the last.
    """
    outlines = [np.asarray(q, float) for q, _ in levels]
    heights = [z for _, z in levels]
    rings = np.stack(
        [np.column_stack([q, np.full(len(q), z)]) for q, z in zip(outlines, heights, strict=True)]
    )
    rings = np.concatenate([rings, rings[:, :1]], axis=1).swapaxes(0, 1)
    girth = [np.linalg.norm(np.diff(rings[:, k], axis=0), axis=1).sum() for k in range(len(levels))]
    widest = rings[:, int(np.argmax(girth))]
    u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(widest, axis=0), axis=1))])
    rise = np.linalg.norm(np.diff(rings, axis=1), axis=-1).max(axis=0)
    v = np.concatenate([[0.0], np.cumsum(rise)])
    uv = np.stack(np.meshgrid(u, v, indexing="ij"), axis=-1)
    mean = np.array(
        [
            [np.linalg.norm(q - q.mean(axis=0), axis=1).mean(), z]
            for q, z in zip(outlines, heights, strict=True)
        ]
    )
    step = np.diff(mean, axis=0)
    angle = np.arctan2(step[:, 1], step[:, 0])
    turned = np.abs((np.diff(angle) + np.pi) % (2 * np.pi) - np.pi)
    cuts = [0, *(np.flatnonzero(turned > _HARD_RAD) + 1).tolist(), len(levels) - 1]
    pieces = [grid(rings[:, a : b + 1], uv[:, a : b + 1]) for a, b in pairwise(cuts)]
    for wanted, k, down in ((cap_start, 0, True), (cap_end, -1, False)):
        if wanted:
            pieces.append(_cap(outlines[k], heights[k], down))
    return merge(pieces)


def _cap(outline: Array, z: float, down: bool) -> Mesh:
    n = len(outline)
    index = np.arange(n)
    vertices = np.column_stack([np.vstack([outline.mean(axis=0), outline]), np.full(n + 1, z)])
    faces = np.stack([np.zeros(n, int), 1 + index, 1 + (index + 1) % n], axis=-1)
    normals = np.tile([0.0, 0.0, -1.0 if down else 1.0], (n + 1, 1))
    return make_mesh(vertices, faces[:, ::-1] if down else faces, vertices[:, 1::-1].copy(), normals)


def extrude(outline: ArrayLike, height: float, bevel: float = 0.003) -> Mesh:
    """A plate of a star-shaped outline (n, 2), counter-clockwise, from z = 0 to z = height."""
    p = np.asarray(outline, float)
    inner = _inset(p, bevel)
    return loft([(inner, 0.0), (p, bevel), (p, height - bevel), (inner, height)])


def frame(width: float, height: float, profile: ArrayLike) -> Mesh:
    """A mitred rectangular frame in the y-z plane about the origin, its face towards +x.

    Args:
        width: Of the opening along y, metres.
        height: Of the opening along z.
        profile: (n, 2) closed cross-section: distance outwards from the opening's edge, and x;
            counter-clockwise, so that its outside is to the right of the way.
    """
    p = np.asarray(profile, float)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    pieces = []
    for i in range(4):
        start, end = corners[i], corners[(i + 1) % 4]
        long = np.array([width, height])
        for points, _ in smooth_runs(p, closed=True):
            lines = []
            for corner in (start, end):
                yz = corner * long / 2 + corner * points[:, :1]
                lines.append(np.column_stack([points[:, 1], yz]))
            length = np.linalg.norm(lines[1] - lines[0], axis=1)
            across = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
            along = np.stack([-length / 2, length / 2])
            uv = np.stack([np.broadcast_to(across, along.shape), along], axis=-1)
            pieces.append(grid(np.stack(lines, axis=0), uv))
    return merge(pieces)


def panel(width: float, height: float, uv_size: tuple[float, float] | None = None) -> Mesh:
    """A flat rectangle in the y-z plane about the origin, facing +x; u runs to the viewer's right.

    Args:
        width: Along y, metres.
        height: Along z.
        uv_size: Extent of the texture over it; metric where not given.
    """
    y, z = width / 2, height / 2
    vertices = np.array([[0, -y, -z], [0, y, -z], [0, y, z], [0, -y, z]])
    u, v = (width, height) if uv_size is None else uv_size
    uv = np.array([[0, 0], [u, 0], [u, v], [0, v]], float)
    faces = [[0, 1, 2], [0, 2, 3]]
    return make_mesh(vertices, faces, uv, np.tile([1.0, 0.0, 0.0], (4, 1)))
