"""What every back-end can do, and which one serves a quality."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array
from veridical.render.truth import Hits, Truth
from veridical.worlds.world import World


class Renderer(Protocol):
    """A world that can be looked at: set a state, then ask for truth and colour from any camera.

    Attributes:
        name: Back-end and variant, for the record.
        warnings: What the user has to know about it.
    """

    name: str
    warnings: tuple[str, ...]

    def set_state(self, qpos: ArrayLike) -> bool:
        """Moves everything to joint positions (nq,); True if anything drawn moved."""

    def body_pose(self, body: str) -> Array:
        """T_world_body (4, 4) in the present state."""

    def colour(self, camera: PinholeCamera, T_world_camera: ArrayLike, seed: int) -> NDArray[np.uint8]:
        """An sRGB picture (h, w, 3) from a pose of the optical frame."""

    def truth(self, camera: PinholeCamera, T_world_camera: ArrayLike, labels: Collection[str] = ...) -> Truth:
        """Ground truth through pixel centres."""

    def flow(
        self, before: Hits, camera: PinholeCamera, T_world_camera: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Flow (h, w, 2) of an earlier frame to the present state, and occlusion (h, w)."""


def _mitsuba(world: World, quality: str) -> Renderer:
    from veridical.render.scene import RenderScene

    return RenderScene(world, quality)


def _gl(world: World, quality: str) -> Renderer:  # noqa: ARG001  one quality only
    from veridical.render.gl import GlScene

    return GlScene(world)


RENDERERS: dict[str, Callable[[World, str], Renderer]] = {"mitsuba": _mitsuba, "gl": _gl}
"""Back-ends by name: each opens a world with a quality of the scenario's `output.quality`."""


def open_renderer(world: World, quality: str) -> Renderer:
    """The back-end of a quality: `fast` is OpenGL, everything else is path tracing.

    Raises:
        RenderError: If it does not work on this machine.
    """
    return RENDERERS["gl" if quality == "fast" else "mitsuba"](world, quality)
