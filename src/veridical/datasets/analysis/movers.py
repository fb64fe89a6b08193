"""Which instances of a camera's view really move, and how much of the image they cover."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array, apply
from veridical.datasets.frames import Box3d
from veridical.datasets.read import Dataset

SLOW_MPS = 0.01
"""A thing moves if a corner of its 3D box does so faster than this."""

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


class Movers:
    """Of one camera stream.

    Things move by the truth: the corners of their 3D boxes, from the frame before or to the next one. Without
    boxes everything that the label table says can move counts, and `by` says so. The robot that carries the
    camera is no part of the scene.
    """

    def __init__(self, data: Dataset, stream: str) -> None:
        self._data, self._stream = data, stream
        robot = stream.split("/", 1)[0]
        own = {row.id for row in data.labels if row.category == "robot" and row.name.split("/")[0] == robot}
        self.movable = frozenset(row.id for row in data.labels if row.dynamic) - own
        self.by = "3D boxes" if data.has_boxes(stream) else "label table"
        self._t_s = data.poses(stream).t_ns * 1e-9
        self._corners: dict[int, dict[int, Array]] = {}

    def moving(self, i: int) -> frozenset[int]:
        """Ids of the instances in view of frame i that move then."""
        if self.by == "label table":
            return self.movable
        for k in [k for k in self._corners if k < i - 1]:
            del self._corners[k]
        pairs = [(k, k + 1) for k in (i - 1, i) if k >= 0 and k + 1 < len(self._t_s)]
        return frozenset(id_ for pair in pairs for id_ in self._between(*pair)) & self.movable

    def cover(self, i: int, instance: NDArray[np.uint16]) -> dict[str, float]:
        """Pixels of what can move and of what does, in percent of the image, and how many things do."""
        pixels = np.bincount(instance.ravel())
        visible = frozenset(np.flatnonzero(pixels).tolist())
        moving = self.moving(i) & visible
        percent = 100 / instance.size
        return {
            "movable_percent": percent * float(pixels[sorted(self.movable & visible)].sum()),
            "moving_percent": percent * float(pixels[sorted(moving)].sum()),
            "moving_things": float(len(moving)),
        }

    def _between(self, i: int, j: int) -> list[int]:
        a, b = self._at(i), self._at(j)
        far = SLOW_MPS * (self._t_s[j] - self._t_s[i])
        return [id_ for id_ in a.keys() & b.keys() if np.linalg.norm(a[id_] - b[id_], axis=1).max() > far]

    def _at(self, i: int) -> dict[int, Array]:
        if i not in self._corners:
            boxes = self._data.boxes_3d(self._stream, i)
            self._corners[i] = {box.instance: _corners(box) for box in boxes if box.instance in self.movable}
        return self._corners[i]


def _corners(box: Box3d) -> Array:
    return apply(box.T_world_box, _CORNERS * box.size_m)
