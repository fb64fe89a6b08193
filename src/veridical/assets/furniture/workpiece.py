"""Collects what a thing is made of while it is built."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from veridical.assets.shapes import box, merge, move, shift_uv
from veridical.assets.thing import Collider, Finish, Mesh, Part, Thing, TopSurface
from veridical.core.geometry import from_rpy, transform

_UV_RANGE_M = 3.0


class Workpiece:
    """Meshes by finish, colliders and tops of a thing under construction, in any frame with z up.

    Args:
        rng: Shifts the texture of each mesh, so that equal boards do not look equal.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._meshes: dict[Finish, list[Mesh]] = {}
        self._colliders: list[Collider] = []
        self._tops: list[TopSurface] = []

    @property
    def finishes(self) -> tuple[Finish, ...]:
        """Finishes in the order in which they were first added."""
        return tuple(self._meshes)

    def add(self, finish: Finish, *meshes: Mesh, jitter: bool = True) -> None:
        """Adds visible meshes; `jitter=False` keeps their UVs, for pictures."""
        for mesh in meshes:
            shift = self._rng.uniform(0, _UV_RANGE_M, 2) if jitter else np.zeros(2)
            self._meshes.setdefault(finish, []).append(shift_uv(mesh, shift))

    def block(
        self,
        finish: Finish,
        size: ArrayLike,
        center: ArrayLike,
        bevel: float = 0.003,
        grain: int | None = None,
        solid: bool = False,
    ) -> None:
        """Adds a bevelled box, with `solid` also as a collider."""
        self.add(finish, box(size, center, bevel, grain=grain))
        if solid:
            self.solid(size, center)

    def solid(self, size: ArrayLike, center: ArrayLike, rpy_rad: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Adds a box that can be touched; full lengths."""
        half = np.asarray(size, float) / 2
        T = transform(from_rpy(rpy_rad), center)
        self._colliders.append(Collider("box", (float(half[0]), float(half[1]), float(half[2])), T))

    def solid_cylinder(self, radius: float, height: float, foot: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Adds an upright cylinder that can be touched; `foot` is the middle of its lower face."""
        T = transform(np.eye(3), np.asarray(foot, float) + np.array([0, 0, height / 2]))
        self._colliders.append(Collider("cylinder", (radius, height / 2), T))

    def solid_sphere(self, radius: float, center: ArrayLike) -> None:
        """Adds a ball that can be touched."""
        self._colliders.append(Collider("sphere", (radius,), transform(np.eye(3), center)))

    def top(
        self, center: tuple[float, float, float], half_x: float, half_y: float, headroom: float = 1.0
    ) -> None:
        """Says where small things may stand."""
        self._tops.append(TopSurface(center, half_x, half_y, headroom))

    def done(self, category: str, mass_kg: float | None = None) -> Thing:
        """The thing, its bounding box centred over the origin and standing on z = 0."""
        joined = {finish: merge(meshes) for finish, meshes in self._meshes.items()}
        low = np.min([m.vertices.min(axis=0) for m in joined.values()], axis=0)
        high = np.max([m.vertices.max(axis=0) for m in joined.values()], axis=0)
        shift = -np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
        T = transform(np.eye(3), shift)
        size = high - low
        return Thing(
            category=category,
            parts=tuple(Part(move(mesh, shift), finish) for finish, mesh in joined.items()),
            colliders=tuple(Collider(c.kind, c.size, T @ c.T_thing_collider) for c in self._colliders),
            size=(float(size[0]), float(size[1]), float(size[2])),
            tops=tuple(_moved(top, shift) for top in self._tops),
            mass_kg=mass_kg,
        )


def _moved(top: TopSurface, shift: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> TopSurface:
    x, y, z = (float(c + s) for c, s in zip(top.center, shift, strict=True))
    return TopSurface((x, y, z), top.half_x, top.half_y, top.headroom)
