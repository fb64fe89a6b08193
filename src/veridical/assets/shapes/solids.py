"""Solids of the joiner and the upholsterer: bevelled boxes, cushions, balls, legs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.assets.shapes.edit import deform, grid, lattice_faces, make_mesh, merge, move
from veridical.assets.shapes.noise import Ripple
from veridical.assets.thing import Mesh
from veridical.core.geometry import Array


def _stops(half: float, radius: float, segments: int, divisions: int) -> Array:
    inner = half - radius
    bevel = radius * _bevel(segments)
    flat = np.array([-inner, inner]) if divisions == 1 else np.linspace(-inner, inner, divisions + 1)
    return np.concatenate([-inner - bevel, flat, inner + bevel[::-1]])


@lru_cache(maxsize=16)
def _bevel(segments: int) -> Array:
    return np.tan(np.linspace(np.pi / 4, 0, segments + 1)[:-1])


@lru_cache(maxsize=64)
def _box_lattice(counts: tuple[int, int, int], along: int) -> tuple[NDArray[np.intp], ...]:
    """Topology of a box whose edges carry `counts` stops along x, y, z.

    Returns:
        Stops of the vertices (n, 3), axes of their u and v (n, 2), faces (m, 3).
    """
    stops, axes, faces, start = [], [], [], 0
    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        ia, ib = np.meshgrid(np.arange(counts[a]), np.arange(counts[b]), indexing="ij")
        for positive in (True, False):
            stop = np.zeros((*ia.shape, 3), np.intp)
            stop[..., axis], stop[..., a], stop[..., b] = (counts[axis] - 1) * positive, ia, ib
            if not positive:
                stop = stop.swapaxes(0, 1)
            stops.append(stop.reshape(-1, 3))
            axes.append(np.tile((b, a) if along == a else (a, b), (len(stops[-1]), 1)))
            faces.append(lattice_faces(*stop.shape[:2]) + start)
            start += len(stops[-1])
    return np.concatenate(stops), np.concatenate(axes), np.concatenate(faces)


def box(
    size: ArrayLike,
    center: ArrayLike = (0.0, 0.0, 0.0),
    bevel: float = 0.003,
    segments: int = 1,
    grain: int | None = None,
    divisions: tuple[int, int, int] = (1, 1, 1),
) -> Mesh:
    """A box with rounded edges.

    Args:
        size: Full lengths (3,) in metres.
        center: Its middle (3,).
        bevel: Radius of the edges; limited to half of the thinnest side.
        segments: Facets of each half edge; 1 gives 108 triangles.
        grain: The axis (0, 1, 2) of the texture's v, along which the fibres of wood run; by default the
            longest.
        divisions: Cells of the flat faces along x, y, z, for later bending.
    """
    full = np.asarray(size, float)
    half = full / 2
    radius = float(np.clip(bevel, 1e-4, 0.9999 * half.min()))
    along = int(np.argmax(full)) if grain is None else grain
    stops = [_stops(half[k], radius, segments, divisions[k]) for k in range(3)]
    stop, axes, faces = _box_lattice((len(stops[0]), len(stops[1]), len(stops[2])), along)
    p = np.stack([stops[k][stop[:, k]] for k in range(3)], axis=1)
    inner = np.clip(p, radius - half, half - radius)
    normal = p - inner
    normal /= np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None]
    uv = np.take_along_axis(p, axes, axis=1)
    vertices = inner + radius * normal + np.asarray(center, float)
    return Mesh(vertices, faces.astype(np.int32), normal, uv)


def _bulged(v: Array, half: Array, bulge: float) -> Array:
    x = np.clip(v / half, -1, 1)
    room = np.stack([(1 - x[:, (i + 1) % 3] ** 2) * (1 - x[:, (i + 2) % 3] ** 2) for i in range(3)], axis=1)
    return v + bulge * room * x


def cushion(
    size: ArrayLike,
    rng: np.random.Generator,
    center: ArrayLike = (0.0, 0.0, 0.0),
    softness: float = 0.35,
    wrinkle: float = 0.004,
    detail: int = 6,
) -> Mesh:
    """A filled upholstery block: round edges, bulging faces, slight dents.

    Args:
        size: Full lengths (3,) in metres that it fills.
        rng: Draws dents and wrinkles.
        center: Its middle (3,).
        softness: Edge radius as a part of half of the thinnest side, and how far the faces bulge.
        wrinkle: Height of the dents in metres.
        detail: Cells along each face.
    """
    full = np.asarray(size, float)
    thin = float(full.min()) / 2
    bulge = 0.35 * softness * thin
    core = full - 2 * (bulge + wrinkle)
    solid = box(core, (0, 0, 0), softness * thin, 2, divisions=(detail, detail, detail))
    dents, fine = Ripple(rng, 0.35, wrinkle * 0.7), Ripple(rng, 0.09, wrinkle * 0.3)

    def bend(v: Array) -> Array:
        out = _bulged(v, core / 2, bulge)
        return out + solid.normals * (dents(v) + fine(v))[:, None]

    return move(deform(solid, bend), center)


def pillow(size: ArrayLike, rng: np.random.Generator, wrinkle: float = 0.004, detail: int = 15) -> Mesh:
    """A scatter cushion or bed pillow, lying: two cloths sewn together at the rim, pinched corners.

    Args:
        size: Full lengths (3,) in metres; z is the thickness in the middle.
        rng: Draws the wrinkles.
        wrinkle: Height of the wrinkles in metres.
        detail: Cells along each side.
    """
    hx, hy, hz = np.asarray(size, float) / 2
    t = np.sin(np.linspace(-np.pi / 2, np.pi / 2, detail + 1))
    s, r = np.meshgrid(t, t, indexing="ij")
    fill = ((1 - np.abs(s) ** 3) * (1 - np.abs(r) ** 3)).clip(0) ** 0.6
    sag = 1 - 0.07 * (1 - r**2) * s**2, 1 - 0.07 * (1 - s**2) * r**2
    x, y = hx * s * sag[0], hy * r * sag[1]
    flat = np.stack([x, y, np.zeros_like(x)], axis=-1)
    sides = []
    for sign in (1.0, -1.0):
        folds = Ripple(rng, 0.12, wrinkle)(flat.reshape(-1, 3)).reshape(x.shape)
        near_rim = np.clip(1 - fill, 0, 1) * np.sqrt(fill)
        z = sign * (fill * (hz - wrinkle) + folds * (0.35 * fill + 0.9 * near_rim))
        p = np.stack([x, y, z], axis=-1)
        uv = np.stack([x, y], axis=-1)
        sides.append(grid(p if sign > 0 else p.swapaxes(0, 1), uv if sign > 0 else uv.swapaxes(0, 1)))
    both = merge(sides)
    return make_mesh(both.vertices, both.faces, both.uv)


def sphere(radius: float, center: ArrayLike = (0.0, 0.0, 0.0), rings: int = 12, sides: int = 20) -> Mesh:
    """A ball with exact normals."""
    lat = np.linspace(-np.pi / 2, np.pi / 2, rings + 1)
    lon = np.linspace(0, 2 * np.pi, sides + 1)
    t, p = np.meshgrid(lon, lat, indexing="ij")
    normals = np.stack([np.cos(p) * np.cos(t), np.cos(p) * np.sin(t), np.sin(p)], axis=-1)
    uv = np.stack([t * radius, p * radius], axis=-1)
    return move(grid(radius * normals, uv, normals), center)


def leg(
    bottom: ArrayLike,
    top: ArrayLike,
    thickness_bottom: float,
    thickness_top: float,
    bevel: float = 0.004,
) -> Mesh:
    """A square leg that tapers from the middle of its foot (3,) to the middle of its upper end (3,)."""
    foot, head = np.asarray(bottom, float), np.asarray(top, float)
    height = head[2] - foot[2]
    bar = box((thickness_top, thickness_top, height), (0, 0, height / 2), bevel, grain=2)

    def bend(v: Array) -> Array:
        s = v[:, 2:] / height
        width = (thickness_bottom + s * (thickness_top - thickness_bottom)) / thickness_top
        axis = foot + s * (head - foot)
        return np.concatenate([axis[:, :2] + v[:, :2] * width, axis[:, 2:]], axis=1)

    return deform(bar, bend)
