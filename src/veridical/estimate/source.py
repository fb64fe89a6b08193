"""Frames as odometry needs them: grey images and a way to measure depth at pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array
from veridical.estimate.flow import follow
from veridical.estimate.images import Grey
from veridical.estimate.rig import Rig

_MIN_DISPARITY_PX = 0.3
_MAX_ROW_DIFFERENCE_PX = 1.0
_EDGE_RATIO = 0.03
"""Depths around a pixel that differ by more belong to different surfaces."""


class Frame(Protocol):
    """One moment of one camera."""

    @property
    def left(self) -> Grey:
        """The image that points are followed in."""

    def columns(self, rig: Rig, uv: Array, expected: Array | None) -> tuple[Array, NDArray[np.bool_]]:
        """Measures points at left pixels (n, 2), as they are in the image.

        Args:
            rig: The camera.
            uv: Pixels in the left image, with distortion.
            expected: Points (n, 3) in the optical frame that are thought to be there, or None.

        Returns:
            Measurements (n, 3), and True (n,) where they can be trusted.
        """


@dataclass(frozen=True)
class StereoFrame:
    """Left and right image of one moment."""

    left: Grey
    right: Grey
    patch_px: int

    def columns(self, rig: Rig, uv: Array, expected: Array | None) -> tuple[Array, NDArray[np.bool_]]:
        """Finds the points in the right image by flow; see `Frame`."""
        guess = uv if expected is None else self._guess(rig, expected, uv)
        there, found = follow(
            self.left, self.right, uv, guess, self.patch_px, max_level=4 if expected is None else 1
        )
        left, right = rig.ideal(uv), rig.ideal(there)
        on_row = np.abs(left[:, 1] - right[:, 1]) < _MAX_ROW_DIFFERENCE_PX
        in_front = left[:, 0] - right[:, 0] > _MIN_DISPARITY_PX
        return np.column_stack([left, right[:, 0]]), found & on_row & in_front

    @staticmethod
    def _guess(rig: Rig, expected: Array, uv: Array) -> Array:
        left = rig.camera.project(expected).uv
        right = rig.camera.project(expected - [rig.baseline_m, 0, 0]).uv
        return uv + right - left


@dataclass(frozen=True)
class RgbdFrame:
    """Grey image and planar depth (h, w) in metres, 0 where there is none."""

    left: Grey
    depth: NDArray[np.float32]

    def columns(self, rig: Rig, uv: Array, expected: Array | None) -> tuple[Array, NDArray[np.bool_]]:
        """Reads the depth between pixels, away from edges; see `Frame`."""
        del expected
        height, width = self.depth.shape
        corner = np.clip(np.floor(uv).astype(int), 0, [width - 2, height - 2])
        s = uv - corner
        u, v = corner.T
        around = np.stack([self.depth[v + j, u + i] for j in (0, 1) for i in (0, 1)], axis=1).astype(float)
        weight = np.stack([x * y for y in (1 - s[:, 1], s[:, 1]) for x in (1 - s[:, 0], s[:, 0])], axis=1)
        nearest, farthest = around.min(axis=1), around.max(axis=1)
        smooth = (nearest > 0) & (farthest - nearest < _EDGE_RATIO * nearest)
        # on a plane it is the inverse depth that is linear in the image
        inverse = (weight / np.where(around > 0, around, 1.0)).sum(axis=1)
        left = rig.ideal(uv)
        right = left[:, 0] - rig.camera.fx * rig.baseline_m * inverse
        return np.column_stack([left, right]), smooth
