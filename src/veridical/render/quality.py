"""Quality levels of the path-traced colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veridical.core.errors import RenderError, did_you_mean


@dataclass(frozen=True)
class Level:
    """How much work a picture gets.

    Attributes:
        spp: Light paths per pixel.
        aux_spp: Samples per pixel of albedo and normal, which guide the denoiser.
        denoiser: Filter quality of the denoiser.
        max_depth: Segments of a light path, the one from the camera included.
        clamp: Upper limit of the display value that one indirect path may add; a few very bright paths
            would else become blotches in the denoised picture. None: no limit, no bias.
        hops: Panes and mirrors through which the denoiser's guides look.
        texture_px: Longest side of a texture in memory.
    """

    spp: int
    aux_spp: int
    denoiser: Literal["Fast", "Balanced", "High"]
    max_depth: int = 6
    clamp: float | None = 8.0
    hops: int = 2
    texture_px: int = 1024


LEVELS: dict[str, Level] = {
    "draft": Level(1, 3, "Fast", max_depth=4, clamp=3.0, hops=1, texture_px=512),
    "standard": Level(4, 8, "Balanced", max_depth=5),
    "high": Level(16, 16, "High"),
    "reference": Level(96, 32, "High", max_depth=12, clamp=None, texture_px=2048),
}


def level(quality: str) -> Level:
    """The level by name; RenderError names the allowed ones."""
    if quality not in LEVELS:
        msg = f"quality '{quality}' is not one of {', '.join(LEVELS)}.{did_you_mean(quality, LEVELS)}"
        raise RenderError(msg)
    return LEVELS[quality]
