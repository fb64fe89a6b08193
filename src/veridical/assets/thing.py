"""A thing of a world before it is compiled: visual parts, collision shapes, places to put more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Rgb
from veridical.core.geometry import Array


@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh; vertices are split where normals or UVs are discontinuous.

    Attributes:
        vertices: (n, 3) metres, in the thing's frame (x forward, y left, z up).
        faces: (m, 3) int32, counter-clockwise seen from outside.
        normals: (n, 3) unit.
        uv: (n, 2) in metres along the surface, v upwards; the compiler divides by the finish's tile size.
    """

    vertices: Array
    faces: NDArray[np.int32]
    normals: Array
    uv: Array


@dataclass(frozen=True)
class Finish:
    """A request for a surface: a kind of `veridical.assets.surfaces.SURFACES` with its variation.

    Attributes:
        kind: Such as `oak` or `brick`.
        variant: Seeds the pattern; equal finishes share one texture set.
        tint: Linear RGB that the pattern is coloured with, where the kind takes one.
        emission: Emitted radiance, linear RGB; makes a lamp of it.
        daylight: True if the emission is the sky in a window and not a lamp.
    """

    kind: str
    variant: int = 0
    tint: Rgb | None = None
    emission: Rgb | None = None
    daylight: bool = False


@dataclass(frozen=True)
class Repainted(Finish):
    """A finish whose surface is not as it is made.

    Attributes:
        made: The finish to begin with.
        plain: Linear RGB in place of its picture.
        roughness: Even roughness in place of its own.
        glow: Emitted radiance in place of its own, linear RGB; zeros for none.
    """

    made: Finish = field(kw_only=True)
    plain: Rgb | None = None
    roughness: float | None = None
    glow: Rgb | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """One visual mesh with its finish."""

    mesh: Mesh
    finish: Finish


@dataclass(frozen=True, eq=False)
class Collider:
    """A collision primitive in the thing's frame.

    size follows MuJoCo: half-sizes of a box; radius and half-height of a cylinder; radius of a sphere;
    empty for a hull, which is the convex hull of the points `hull` (n, 3) in the collider's frame, metres.
    """

    kind: Literal["box", "cylinder", "sphere", "hull"]
    size: tuple[float, ...]
    T_thing_collider: Array
    hull: Array | None = None


@dataclass(frozen=True)
class TopSurface:
    """A horizontal rectangle on which small things may stand, in the thing's frame, metres."""

    center: tuple[float, float, float]
    half_x: float
    half_y: float
    headroom: float = 1.0


@dataclass(frozen=True, eq=False)
class Thing:
    """A piece of furniture, an object or a part of the building.

    Its frame stands on the floor (z = 0) in the middle of its footprint; x points to its front, so a
    wardrobe against a wall has its back at negative x.

    Attributes:
        category: Key of `veridical.assets.categories.CATEGORIES`.
        parts: What is seen.
        colliders: What is touched; empty for things that nothing can touch (rugs, pictures, curtains).
        size: Bounding box (x, y, z) in metres, as placed.
        tops: Where clutter may stand.
        mass_kg: None for static things; a light object's mass makes it a free body.
        friction: Sliding coefficient; None for that of all things.
    """

    category: str
    parts: tuple[Part, ...]
    colliders: tuple[Collider, ...]
    size: tuple[float, float, float]
    tops: tuple[TopSurface, ...] = ()
    mass_kg: float | None = None
    friction: float | None = None


@dataclass(frozen=True, eq=False)
class Placed:
    """A thing at its place: unique stable name, and pose T_world_thing (4, 4)."""

    name: str
    thing: Thing
    T_world_thing: Array
