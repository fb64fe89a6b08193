"""What space in a room is taken, and whether one can still walk from door to door."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from veridical.assets.thing import Collider, Placed, Thing
from veridical.core.geometry import Array
from veridical.worlds.apartment.plan import Rect

CORRIDOR_M = 0.7
_CELL_M = 0.05
_LOWEST_M = 0.06  # lower things are stepped over
_HEAD_M = 1.9  # higher things are passed below
_PAD_M = 0.6


@dataclass(frozen=True, eq=False)
class Solid:
    """An upright box: middle and unit axis of its footprint, half sizes, and height interval, metres."""

    center: Array
    axis: Array
    half: Array
    z: tuple[float, float]

    def corners(self) -> Array:
        """The footprint's corners (4, 2)."""
        u, v = self.axis * self.half[0], np.array([-self.axis[1], self.axis[0]]) * self.half[1]
        return np.asarray(self.center + np.array([u + v, u - v, -u - v, -u + v]))

    def bounds(self) -> tuple[float, float, float, float, float, float]:
        """Lowest x, y, z and highest x, y, z."""
        (x, y), (c, s), (u, v) = self.center.tolist(), np.abs(self.axis).tolist(), self.half.tolist()
        dx, dy = c * u + s * v, s * u + c * v
        return x - dx, y - dy, self.z[0], x + dx, y + dy, self.z[1]


def solid(thing: Thing, T: Array) -> Solid:
    """The bounding box of a thing that stands upright at T."""
    half = np.array(thing.size[:2]) / 2
    return Solid(T[:2, 3].copy(), T[:2, 0].copy(), half, (float(T[2, 3]), float(T[2, 3]) + thing.size[2]))


def collider_solid(collider: Collider, T_world_thing: Array) -> Solid:
    """An upright box around a collider; tilted ones get their axis-aligned bounds."""
    T = T_world_thing @ collider.T_thing_collider
    if collider.kind == "sphere":
        half = np.full(3, collider.size[0])
    elif collider.kind == "cylinder":
        half = np.array([collider.size[0], collider.size[0], collider.size[1]])
    else:
        half = np.array(collider.size)
    if abs(T[2, 2]) < 1 - 1e-9:
        half = np.abs(T[:3, :3]) @ half
        axis = np.array([1.0, 0.0])
    else:
        axis = T[:2, 0].copy()
    return Solid(T[:2, 3].copy(), axis, half[:2], (float(T[2, 3] - half[2]), float(T[2, 3] + half[2])))


def rect_solid(rect: Rect, z: tuple[float, float] = (0.0, 2.0)) -> Solid:
    """An axis-aligned box over a rectangle."""
    x0, y0, x1, y1 = rect
    return Solid(
        np.array([(x0 + x1) / 2, (y0 + y1) / 2]),
        np.array([1.0, 0.0]),
        np.array([(x1 - x0) / 2, (y1 - y0) / 2]),
        z,
    )


def overlap(a: Solid, b: Solid, tolerance: float = 0.003) -> bool:
    """True if two boxes share more than `tolerance` metres in every direction (separating axes)."""
    if min(a.z[1], b.z[1]) - max(a.z[0], b.z[0]) <= tolerance:
        return False
    (dx, dy), (ca, sa), (cb, sb) = (b.center - a.center).tolist(), a.axis.tolist(), b.axis.tolist()
    (a0, a1), (b0, b1) = a.half.tolist(), b.half.tolist()
    c, s = abs(ca * cb + sa * sb), abs(ca * sb - sa * cb)
    depths = (
        a0 + c * b0 + s * b1 - abs(dx * ca + dy * sa),
        a1 + s * b0 + c * b1 - abs(dy * ca - dx * sa),
        b0 + c * a0 + s * a1 - abs(dx * cb + dy * sb),
        b1 + s * a0 + c * a1 - abs(dy * cb - dx * sb),
    )
    return bool(min(depths) > tolerance)


class RoomSpace:
    """The taken space of one room.

    Args:
        rect: Its interior.
        height: Of its ceiling.
        doors: Openings as rectangles outside `rect` that one walks through.
        keep: Boxes that furniture must leave free.
    """

    def __init__(self, rect: Rect, height: float, doors: Sequence[Rect], keep: Iterable[Solid]) -> None:
        self.rect, self.height = rect, height
        self._doors = doors
        self._keep = list(keep)
        self._taken: list[Solid] = []
        self._bounds = np.array([k.bounds() for k in self._keep]).reshape(-1, 6)
        self._away: Array | None = None
        self._origin = np.array(rect[:2]) - _PAD_M
        shape = np.ceil((np.array(rect[2:]) - rect[:2] + 2 * _PAD_M) / _CELL_M).astype(int)
        x, y = (self._origin[i] + (np.arange(shape[i]) + 0.5) * _CELL_M for i in (0, 1))
        self._points = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
        self._free = _within(self._points, rect)
        for door in doors:
            self._free |= _within(self._points, door)

    def add(self, *solids: Solid) -> None:
        """Takes space."""
        for s in solids:
            self._taken.append(s)
            self._free &= ~self._covers(s)
        self._bounds = (
            np.concatenate([self._bounds, [s.bounds() for s in solids]]) if solids else self._bounds
        )
        self._away = None

    def fits(self, solids: Sequence[Solid], keep: bool = True) -> bool:
        """True if the boxes lie in the room and overlap nothing; they may overlap one another.

        Args:
            solids: New boxes.
            keep: Also respect the space in front of doors.
        """
        x0, y0, x1, y1 = self.rect
        others = [*self._keep, *self._taken]
        low, high = self._bounds[:, :3], self._bounds[:, 3:]
        for s in solids:
            box = s.bounds()
            if box[0] < x0 - 1e-6 or box[1] < y0 - 1e-6 or box[3] > x1 + 1e-6 or box[4] > y1 + 1e-6:
                return False
            if box[5] > self.height + 0.002:
                return False
            near = np.flatnonzero(((low < box[3:]) & (high > box[:3])).all(axis=1))
            if any(overlap(s, others[k]) for k in near if keep or k >= len(self._keep)):
                return False
        return True

    def walkable_with(self, solids: Sequence[Solid], corridor: float = CORRIDOR_M + 0.06) -> bool:
        """True if with the new boxes a corridor still joins all doors and most of the free floor."""
        free = self._free.copy()
        for s in solids:
            free &= ~self._covers(s)
        return _joined(free, self._points, self._doors, corridor)

    def distance_to_taken(self, point: Array) -> float:
        """Rough distance from a floor point to the nearest taken cell or wall, metres."""
        if self._away is None:
            self._away = ndimage.distance_transform_edt(self._free) * _CELL_M
        i, j = ((point - self._origin) / _CELL_M).astype(int)
        return float(self._away[i, j])

    def _covers(self, s: Solid) -> NDArray[np.bool_]:
        if s.z[0] > _HEAD_M or s.z[1] < _LOWEST_M:
            return np.zeros(self._points.shape[:2], bool)
        rel = self._points - s.center
        u, v = rel @ s.axis, rel @ np.array([-s.axis[1], s.axis[0]])
        return np.asarray((np.abs(u) <= s.half[0] + 0.01) & (np.abs(v) <= s.half[1] + 0.01))


def _within(points: Array, rect: Rect) -> NDArray[np.bool_]:
    x, y = points[..., 0], points[..., 1]
    return np.asarray((x >= rect[0]) & (x <= rect[2]) & (y >= rect[1]) & (y <= rect[3]))


def _joined(free: NDArray[np.bool_], points: Array, doors: Sequence[Rect], corridor: float) -> bool:
    wide = ndimage.distance_transform_edt(free) * _CELL_M >= corridor / 2
    labels, _ = ndimage.label(wide)
    found = set()
    for door in doors:
        inside = labels[_within(points, door)]
        inside = inside[inside > 0]
        if len(inside) == 0:
            return False
        found.add(int(np.bincount(inside).argmax()))
    if len(found) > 1:
        return False
    sizes = np.bincount(labels.ravel())[1:]
    if len(sizes) == 0:
        return False
    largest = int(sizes.argmax()) + 1
    return not found or (largest in found and sizes.max() >= 0.75 * sizes.sum())


def taken_by(placed: Iterable[Placed]) -> list[Solid]:
    """Bounding boxes of placed things."""
    return [solid(p.thing, p.T_world_thing) for p in placed]
