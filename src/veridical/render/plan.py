"""What a ray engine is given, and what it must be able to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Material
from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array
from veridical.render.pieces import Piece
from veridical.render.quality import Level
from veridical.worlds.world import Look


@dataclass(frozen=True, eq=False)
class ScenePlan:
    """A world to trace rays in, in a frame whose origin is near the things.

    Attributes:
        tiers: Pieces in groups that move together or not at all; each has its own ray structure.
        poses: T_scene_geom (ngeom, 4, 4).
        materials: Of each drawn geom.
        textures: Folder of the materials' files.
        look: Sky, sun, portals, exposure.
        origin: World position of the scene's origin.
        bounds: Lower and upper corner (2, 3) of the things.
        label: Instance id (upper half) and body number (lower half) of each geom, (ngeom,).
        level: Quality of colour; None if only truth is wanted.
    """

    tiers: tuple[tuple[Piece, ...], ...]
    poses: Array
    materials: dict[int, Material]
    textures: Path
    look: Look
    origin: Array
    bounds: Array
    label: NDArray[np.int64]
    level: Level | None


class Backend(Protocol):
    """A ray engine; all poses are in the plan's frame."""

    def move(self, geoms: set[int], poses: Array) -> None:
        """Brings some geoms to new poses T_scene_geom (ngeom, 4, 4)."""

    def trace(
        self, camera: PinholeCamera, T: Array
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32]]:
        """Depth (h, w), normals (h, w, 3) in the optical frame, labels (h, w) through pixel centres."""

    def free_between(self, T: Array, points: Array) -> NDArray[np.bool_]:
        """True for points (n, 3) in the optical frame with nothing between them and a camera at pose T."""

    def picture(self, camera: PinholeCamera, T: Array, seed: int) -> NDArray[np.uint8]:
        """An sRGB picture (h, w, 3)."""
