"""Free space as a planner needs it: distances on a grid, lowered around things that may be pushed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from veridical.core.geometry import Array


class FreeSpaceLike(Protocol):
    """The fields of a world's free space that planning reads."""

    @property
    def origin(self) -> tuple[float, float]:
        """World x, y of the corner of cell (0, 0), metres."""

    @property
    def cell_m(self) -> float:
        """Cell size, metres."""

    @property
    def z_m(self) -> NDArray[np.float64]:
        """Heights of the layers' centres, (nz,)."""

    @property
    def distance_m(self) -> NDArray[np.float32]:
        """Distance to the nearest solid, (nx, ny, nz)."""

    @property
    def room(self) -> NDArray[np.int16]:
        """Room index by cell, -1 outside, (nx, ny)."""

    @property
    def room_names(self) -> tuple[str, ...]:
        """One a room."""


class Space:
    """Distances to everything solid, movable things included.

    Attributes:
        x: Cell centres along x, (nx,).
        y: Cell centres along y, (ny,).
        z: Layer centres, (nz,).
        distance: Metres to the nearest solid or movable thing, (nx, ny, nz) float32.
        room: Room index by cell, (nx, ny), -1 outside.
        room_names: One a room.
    """

    def __init__(self, free: FreeSpaceLike, spheres: ArrayLike = ()) -> None:
        """From a world's free space and movable things as spheres (n, 4): centre and radius in metres."""
        nx, ny, _ = free.distance_m.shape
        self.cell = float(free.cell_m)
        self.x = free.origin[0] + (np.arange(nx) + 0.5) * self.cell
        self.y = free.origin[1] + (np.arange(ny) + 0.5) * self.cell
        self.z = np.asarray(free.z_m, float)
        self.room, self.room_names = free.room, free.room_names
        self.static_distance = free.distance_m
        self.distance = _with_spheres(self, np.reshape(np.asarray(spheres, float), (-1, 4)))

    def clearance(self, points: ArrayLike) -> Array:
        """Distances (n,) at points (n, 3), trilinear; 0 off the grid in x or y, held constant in z."""
        index = self._index(np.atleast_2d(np.asarray(points, float)))
        return np.asarray(ndimage.map_coordinates(self.distance, index, order=1, cval=0.0), float)

    def in_solid(self, point: Sequence[float]) -> bool:
        """True if a point (3,) on the grid lies inside something that cannot move, or outside all rooms."""
        x, y, z = (float(v[0]) for v in self._index(np.array([point], float)))
        cell = round(x), round(y), round(z)
        if any(not 0 <= c < n for c, n in zip(cell, self.distance.shape, strict=True)):
            return False
        return bool(self.static_distance[cell] <= 0.0)

    def layers(self, low: float, high: float) -> NDArray[np.int64]:
        """Indices of layers within a band of heights; the nearest one if none lies inside."""
        inside = np.flatnonzero((self.z >= low - 1e-9) & (self.z <= high + 1e-9))
        return inside if len(inside) else np.array([np.abs(self.z - (low + high) / 2).argmin()])

    def _index(self, points: Array) -> Array:
        step = self.z[1] - self.z[0] if len(self.z) > 1 else 1.0
        return np.stack(
            [
                (points[:, 0] - self.x[0]) / self.cell,
                (points[:, 1] - self.y[0]) / self.cell,
                np.clip((points[:, 2] - self.z[0]) / step, 0, len(self.z) - 1),
            ]
        )


def _with_spheres(space: Space, spheres: Array) -> NDArray[np.float32]:
    distance = np.array(space.static_distance, np.float32)
    reach = 1.5
    for cx, cy, cz, radius in spheres.tolist():
        i = slice(*np.searchsorted(space.x, [cx - reach, cx + reach]))
        j = slice(*np.searchsorted(space.y, [cy - reach, cy + reach]))
        if i.start == i.stop or j.start == j.stop:
            continue
        dx, dy, dz = space.x[i, None, None] - cx, space.y[None, j, None] - cy, space.z[None, None, :] - cz
        near = np.sqrt(dx * dx + dy * dy + dz * dz) - radius
        distance[i, j] = np.minimum(distance[i, j], np.maximum(near, 0.0))
    return distance
