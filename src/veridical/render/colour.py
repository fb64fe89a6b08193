"""A picture of the scene: own rays through each pixel, light paths, denoising, exposure."""

from __future__ import annotations

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
from veridical.render.tone import to_display

_MAX_SAMPLES_AT_ONCE = 1 << 22
_AUX_SALT = 0x9E3779B9


def picture(
    scene: Any, lights: Lights, level: Level, exposure: float, camera: PinholeCamera, T: Array, seed: int
) -> NDArray[np.uint8]:
    """Renders, denoises and develops one picture from the pose T of the optical frame."""
    rays, pose = pixel_rays(camera), opaque_pose(T)
    size = (camera.height, camera.width, 3)
    noisy = np.zeros(size, np.float32)
    at_once = max(1, min(level.spp, _MAX_SAMPLES_AT_ONCE // rays.count))
    parts = [at_once] * (level.spp // at_once) + ([level.spp % at_once] if level.spp % at_once else [])
    for i, spp in enumerate(parts):
        sampler = _sampler(seed, i, rays.count * spp)
        clamp = 0.0 if level.clamp is None else level.clamp / exposure
        light = radiance(
            scene, lights, sampler, rays.through_pixels(pose, spp, sampler), level.max_depth, clamp
        )
        noisy += np.nan_to_num(_image(light, spp, size), posinf=0.0, neginf=0.0)
    noisy *= exposure / level.spp
    sampler = _sampler(seed ^ _AUX_SALT, 0, rays.count * level.aux_spp)
    albedo, normal = first_surface(
        scene, sampler, rays.through_pixels(pose, level.aux_spp, sampler), exposure
    )
    dr.eval(albedo, normal)
    clean = mitsuba_oidn.denoise(
        noisy,
        albedo=_image(albedo, level.aux_spp, size) / np.float32(level.aux_spp),
        normal=_image(normal, level.aux_spp, size) / np.float32(level.aux_spp),
        hdr=True,
        clean_aux=True,
        quality=getattr(mitsuba_oidn.Quality, level.denoiser),
    )
    return to_display(np.asarray(clean))


def _sampler(seed: int, part: int, count: int) -> Any:
    sampler = mi.load_dict({"type": "independent"})
    sampler.seed((seed + 0x85EBCA6B * part) & 0xFFFFFFFF, count)
    return sampler


def _image(colour: Any, spp: int, size: tuple[int, int, int]) -> NDArray[np.float32]:
    """Sums the samples of each pixel, always in the same order, into (h, w, 3)."""
    channels = [colour[k] if spp == 1 else dr.block_sum(colour[k], spp) for k in range(3)]
    dr.eval(channels)
    return np.stack([np.array(c, dtype=np.float32) for c in channels], axis=-1).reshape(size)
