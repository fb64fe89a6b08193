"""A picture of the world: own rays through each pixel, light paths, denoising, exposure."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import drjit as dr
import mitsuba as mi
import mitsuba_oidn
import numpy as np
from numpy.typing import NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array
from veridical.render.lights import Lights
from veridical.render.paths import first_surface, radiance
from veridical.render.quality import Level
from veridical.render.rays import opaque_pose, pixel_rays
from veridical.render.shading import Surfaces
from veridical.render.stage import Stage
from veridical.render.tone import to_display

_MAX_SAMPLES_AT_ONCE = 1 << 22
_AUX_SALT = 0x9E3779B9


class Painter:
    """Renders one stage at one quality.

    Tracing a kernel in Python takes longer than running it, so both kernels are recorded at a camera's
    first frames and replayed from then on (`dr.freeze`).

    Args:
        stage: What rays meet.
        lights: What shines.
        surfaces: What reflects.
        material_of_piece: Material number of each of `stage.pieces`.
        level: Quality.
        exposure: Factor from radiance to display.
    """

    def __init__(
        self,
        stage: Stage,
        lights: Lights,
        surfaces: Surfaces,
        material_of_piece: Sequence[int],
        level: Level,
        exposure: float,
    ) -> None:
        self._stage, self._lights, self._surfaces = stage, lights, surfaces
        self._level, self._exposure = level, exposure
        self._materials = mi.UInt32(np.asarray(material_of_piece, np.uint32))
        self._kernels: dict[tuple[PinholeCamera, str, int], Any] = {}

    def picture(self, camera: PinholeCamera, T: Array, seed: int) -> NDArray[np.uint8]:
        """Renders, denoises and develops one picture (h, w, 3) from the pose T of the optical frame."""
        with _no_collection():
            return self._picture(camera, opaque_pose(T), seed)

    def _picture(self, camera: PinholeCamera, pose: Any, seed: int) -> NDArray[np.uint8]:
        level = self._level
        size = (camera.height, camera.width, 3)
        noisy = np.zeros(size, np.float32)
        for i, spp in enumerate(_parts(level.spp, camera.width * camera.height)):
            kernel = self._kernel(camera, "light", spp)
            light = kernel(self._stage.scenes, pose, _opaque_seed(seed + 0x85EBCA6B * i))
            noisy += np.nan_to_num(_image(light, spp, size), posinf=0.0, neginf=0.0)
        noisy *= self._exposure / level.spp
        kernel = self._kernel(camera, "guide", level.aux_spp)
        albedo, normal = kernel(self._stage.scenes, pose, _opaque_seed(seed ^ _AUX_SALT))
        clean = mitsuba_oidn.denoise(
            noisy,
            albedo=_image(albedo, level.aux_spp, size) / np.float32(level.aux_spp),
            normal=_image(normal, level.aux_spp, size) / np.float32(level.aux_spp),
            hdr=True,
            clean_aux=True,
            quality=getattr(mitsuba_oidn.Quality, level.denoiser),
        )
        return to_display(np.asarray(clean))

    def _kernel(self, camera: PinholeCamera, kind: str, spp: int) -> Any:
        key = (camera, kind, spp)
        if key not in self._kernels:
            rays = pixel_rays(camera)
            make = self._light if kind == "light" else self._guide

            def run(scenes: tuple[Any, ...], pose: Any, seed: Any) -> Any:  # noqa: ARG001  an input of the kernel
                sampler = mi.load_dict({"type": "independent"})
                sampler.seed(seed, rays.count * spp)
                return make(rays.through_pixels(pose, spp, sampler), sampler, rays.spread)

            def state(*_: Any) -> tuple[Any, ...]:
                return (
                    self._stage.state(),
                    self._lights.state(),
                    self._surfaces.state(),
                    self._materials,
                    rays.state(),
                )

            self._kernels[key] = dr.freeze(run, state_fn=state)
        return self._kernels[key]

    def _light(self, ray: Any, sampler: Any, spread: float) -> Any:
        clamp = 0.0 if self._level.clamp is None else self._level.clamp / self._exposure
        return radiance(
            self._stage,
            self._lights,
            self._surfaces,
            self._materials,
            sampler,
            ray,
            spread,
            self._level.max_depth,
            clamp,
        )

    def _guide(self, ray: Any, sampler: Any, spread: float) -> Any:
        return first_surface(
            self._stage,
            self._lights.emitters.sky,
            self._surfaces,
            self._materials,
            sampler,
            ray,
            spread,
            self._exposure,
            self._level.hops,
        )


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing is collected meanwhile: freeing another scene while a kernel is recorded ends the process."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _parts(spp: int, pixels: int) -> list[int]:
    """Samples per pixel of successive passes, each of which fits into memory."""
    at_once = max(1, min(spp, _MAX_SAMPLES_AT_ONCE // pixels))
    return [at_once] * (spp // at_once) + ([spp % at_once] if spp % at_once else [])


def _opaque_seed(seed: int) -> Any:
    return dr.opaque(mi.UInt32, seed & 0xFFFFFFFF)


def _image(colour: Any, spp: int, size: tuple[int, int, int]) -> NDArray[np.float32]:
    """Sums the samples of each pixel, always in the same order, into (h, w, 3)."""
    channels = [colour[k] if spp == 1 else dr.block_sum(colour[k], spp) for k in range(3)]
    dr.eval(channels)
    return np.stack([np.array(c, dtype=np.float32) for c in channels], axis=-1).reshape(size)
