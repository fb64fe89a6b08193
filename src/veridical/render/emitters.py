"""What shines: the triangles of meshes with emission, and a uniform sky.

Points are drawn evenly over the area of an emitter. Emitters of analytic shape are seen, but not aimed
at: a lamp that matters should be a mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Material, Rgb
from veridical.core.geometry import Array
from veridical.render.alias import alias_tables
from veridical.render.pieces import Piece
from veridical.render.shading import Surfaces

NO_EMITTER = 0xFFFFFFFF


@dataclass(frozen=True)
class Emission:
    """Towards an emitter: unit direction `d`, distance, density over solid angle, radiance."""

    d: Any
    dist: Any
    pdf: Any
    radiance: Any


class Emitters:
    """All emitters of a stage.

    Args:
        pieces: The stage's pieces.
        materials: Of each piece.
        number: Of each piece's material in `surfaces`.
        surfaces: Says what emission a material has.
        poses: T_scene_geom (ngeom, 4, 4).
        sky: Radiance of a uniform surrounding, or None.

    Attributes:
        count: Emitters that can be aimed at; the sky is the last.
        of_piece: UInt32, emitter of each piece, or `NO_EMITTER`.
    """

    def __init__(
        self,
        pieces: Sequence[Piece],
        materials: Sequence[Material],
        number: Sequence[int],
        surfaces: Surfaces,
        poses: Array,
        sky: Rgb | None,
    ) -> None:
        shining = [
            i
            for i, (p, m) in enumerate(zip(pieces, materials, strict=True))
            if p.mesh is not None and m.shines
        ]
        self._pieces = [pieces[i] for i in shining]
        self._surfaces = surfaces
        self.sky = mi.Color3f(*(sky or (0.0, 0.0, 0.0)))
        self._has_sky = sky is not None and max(sky) > 0
        self.count = len(shining) + int(self._has_sky)
        of_piece = np.full(len(pieces), NO_EMITTER, np.uint32)
        of_piece[shining] = np.arange(len(shining))
        self.of_piece = mi.UInt32(of_piece)
        self._material = mi.UInt32(np.array([number[i] for i in shining] or [0], np.uint32))
        self._set_corners(poses)
        self._set_choice()

    def state(self) -> tuple[Any, ...]:
        """The arrays that a kernel reads."""
        return (
            self.sky,
            self.of_piece,
            self._material,
            self._corners,
            self._uv,
            self._first,
            self._size,
            self._area,
            self._keep,
            self._other,
        )

    def move(self, geoms: set[int], poses: Array) -> None:
        """Follows the geoms that have moved to poses T_scene_geom (ngeom, 4, 4)."""
        if any(piece.geom in geoms for piece in self._pieces):
            self._set_corners(poses)

    def sky_number(self) -> int:
        """The sky's place among the emitters, or `NO_EMITTER`."""
        return self.count - 1 if self._has_sky else NO_EMITTER

    def sample(self, p: Any, number: Any, sample1: Any, sample2: Any, active: Any) -> Emission:
        """A direction from points p towards a random point of emitter `number`."""
        size = dr.gather(mi.UInt32, self._size, number, active)
        first = dr.gather(mi.UInt32, self._first, number, active)
        scaled = sample1 * mi.Float(size)
        triangle = dr.minimum(mi.UInt32(scaled), size - 1) + first
        keep = scaled - dr.floor(scaled) < dr.gather(mi.Float, self._keep, triangle, active)
        triangle = dr.select(keep, triangle, first + dr.gather(mi.UInt32, self._other, triangle, active))
        a, ab, ac = (_point(self._corners, 3 * triangle + k, active) for k in range(3))
        b = mi.warp.square_to_uniform_triangle(sample2)
        across = dr.cross(ab, ac)
        n = across * dr.rcp(dr.maximum(dr.norm(across), 1e-20))
        d = mi.Vector3f(a + b.x * ab + b.y * ac - p)
        dist = dr.norm(d)
        d *= dr.rcp(dr.maximum(dist, 1e-9))
        u, du, dv = (_pair(self._uv, 3 * triangle + k, active) for k in range(3))
        material = dr.gather(mi.UInt32, self._material, number, active)
        radiance = self._surfaces.glow_at(material, u + b.x * du + b.y * dv, active)
        pdf = self._density(number, dist, -dr.dot(n, d), active)
        if not self._has_sky:
            return Emission(d, dist, pdf, radiance)
        is_sky = number == self.sky_number()
        return Emission(
            d=dr.select(is_sky, mi.warp.square_to_uniform_sphere(sample2), d),
            dist=dr.select(is_sky, dr.inf, dist),
            pdf=dr.select(is_sky, 0.25 * dr.inv_pi, pdf),
            radiance=dr.select(is_sky, self.sky, radiance),
        )

    def pdf(self, number: Any, dist: Any, cos: Any, active: Any) -> Any:
        """Density over solid angle with which `sample` meets a point at a distance, its normal at cos."""
        pdf = self._density(number, dist, cos, active)
        if not self._has_sky:
            return pdf
        return dr.select(number == self.sky_number(), 0.25 * dr.inv_pi, pdf)

    def _density(self, number: Any, dist: Any, cos: Any, active: Any) -> Any:
        area = dr.gather(mi.Float, self._area, number, active)
        return dr.select(cos > 1e-4, dist * dist / (area * cos), 0)

    def _set_corners(self, poses: Array) -> None:
        corners: list[Array] = [np.zeros((1, 3, 3))]
        uv: list[Array] = [np.zeros((1, 3, 2))]
        for piece in self._pieces:
            T, mesh = poses[piece.geom], piece.mesh
            assert mesh is not None
            corners.append(mesh.vertices[mesh.faces] @ T[:3, :3].T + T[:3, 3])
            uv.append(mesh.uv[mesh.faces].astype(float))
        self._triangles = _edges(np.concatenate(corners))
        self._corners = mi.Float(self._triangles.ravel())
        self._uv = mi.Float(_edges(np.concatenate(uv)).ravel())

    def _set_choice(self) -> None:
        """Tables that draw a triangle of an emitter by its area; entry 0 stands for the sky."""
        sizes = [len(piece.mesh.faces) for piece in self._pieces if piece.mesh is not None]
        starts = 1 + np.cumsum([0, *sizes])[:-1].astype(np.int64)
        across = np.cross(self._triangles[:, 1], self._triangles[:, 2])
        area = 0.5 * np.linalg.norm(across.astype(float), axis=1)
        keep, other, total = np.ones(len(area), np.float32), np.zeros(len(area), np.uint32), []
        for start, size in zip(starts, sizes, strict=True):
            mine = slice(start, start + size)
            total.append(max(float(area[mine].sum()), 1e-12))
            share = area[mine] / total[-1]
            keep[mine], other[mine] = (table[0] for table in alias_tables(share[None]))
        self._first = mi.UInt32(np.array([*starts, 0], np.uint32))
        self._size = mi.UInt32(np.array([*sizes, 1], np.uint32))
        self._area = mi.Float(np.array([*total, 1.0], np.float32))
        self._keep, self._other = mi.Float(keep), mi.UInt32(other)


def _edges(corners: Array) -> NDArray[np.float32]:
    """(n, 3, d) corners as one corner and the two edges from it."""
    return np.stack(
        [corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]], axis=1
    ).astype(np.float32)


def _point(table: Any, index: Any, active: Any) -> Any:
    return mi.Vector3f(*(dr.gather(mi.Float, table, 3 * index + k, active) for k in range(3)))


def _pair(table: Any, index: Any, active: Any) -> Any:
    return mi.Point2f(*(dr.gather(mi.Float, table, 2 * index + k, active) for k in range(2)))
