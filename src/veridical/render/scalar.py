"""The engine of last resort: Mitsuba's scalar mode, one ray after the other, where no LLVM is usable.

Truth is the same as the compiled engine's. Colour comes from Mitsuba's own path tracer and materials; sun
that falls through windows is missing, and a frame takes seconds to minutes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mitsuba as mi
import mitsuba_oidn
import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Material
from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array
from veridical.render.atlas import is_clear, read_texture
from veridical.render.pieces import Piece
from veridical.render.plan import ScenePlan
from veridical.render.shapes import analytic_shape, posed, triangle_mesh
from veridical.render.tone import decode_srgb, to_display
from veridical.render.truth import GRAZE, NOTHING, pixel_directions


class Scalar:
    """See `plan.Backend`. The scene is loaded anew whenever something has moved."""

    def __init__(self, plan: ScenePlan) -> None:
        self._plan = plan
        self._pieces = [piece for tier in plan.tiers for piece in tier]
        self._surfaces: dict[Material, Any] = {}
        self._load(plan.poses)

    def move(self, geoms: set[int], poses: Array) -> None:  # noqa: ARG002  everything is loaded anew
        """Brings some geoms to new poses."""
        self._load(poses)

    def trace(
        self, camera: PinholeCamera, T: Array
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32]]:
        """Depth, normals in the optical frame and labels through pixel centres."""
        size = (camera.height, camera.width)
        depth, normals = np.zeros(size, np.float32), np.zeros((*size, 3), np.float32)
        labels = np.full(size, NOTHING, np.uint32)
        origin = mi.Point3f(T[:3, 3])
        directions = pixel_directions(camera) @ T[:3, :3].T
        for pixel in np.ndindex(*size):
            ray = mi.Ray3f(origin, mi.Vector3f(directions[pixel]))
            hit = self._scene.ray_intersect_preliminary(ray, False)
            if not hit.is_valid():
                continue
            n = np.array(hit.compute_surface_interaction(ray, mi.RayFlags.Minimal).n)
            depth[pixel] = hit.t
            normals[pixel] = T[:3, :3].T @ (n if n @ directions[pixel] <= 0 else -n)
            labels[pixel] = self._plan.label[self._pieces[self._number[hit.shape.id()]].geom]
        return depth, normals, labels

    def free_between(self, T: Array, points: Array) -> NDArray[np.bool_]:
        """True for points (n, 3) in the optical frame with nothing between them and a camera at pose T."""
        d = points @ T[:3, :3].T
        length = np.maximum(np.linalg.norm(d, axis=1), 1e-9)
        d = d / length[:, None]
        free = np.empty(len(points), bool)
        for i in range(len(points)):
            ray = mi.Ray3f(mi.Point3f(T[:3, 3]), mi.Vector3f(d[i]))
            ray.maxt = float(length[i] * (1 - GRAZE) - GRAZE)
            free[i] = not self._scene.ray_test(ray)
        return free

    def picture(self, camera: PinholeCamera, T: Array, seed: int) -> NDArray[np.uint8]:
        """An sRGB picture (h, w, 3)."""
        level = self._plan.level
        assert level is not None
        integrator = mi.load_dict({"type": "path", "max_depth": level.max_depth})
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(seed & 0xFFFFFFFF)
        rng = np.random.default_rng(seed)
        image = np.zeros((camera.height, camera.width, 3), np.float32)
        origin = mi.Point3f(T[:3, 3])
        for _ in range(level.spp):
            uv = camera.pixel_grid() + rng.uniform(-0.5, 0.5, (camera.height, camera.width, 2))
            directions = camera.directions(uv) @ T[:3, :3].T
            directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
            for pixel in np.ndindex(*image.shape[:2]):
                ray = mi.RayDifferential3f(origin, mi.Vector3f(directions[pixel]))
                image[pixel] += np.array(integrator.sample(self._scene, sampler, ray)[0], np.float32)
        image = np.nan_to_num(image * (self._plan.look.exposure / level.spp), posinf=0.0, neginf=0.0)
        clean = mitsuba_oidn.denoise(image, hdr=True, quality=getattr(mitsuba_oidn.Quality, level.denoiser))
        return to_display(np.asarray(clean))

    def _load(self, poses: Array) -> None:
        description: dict[str, Any] = {"type": "scene"}
        self._number = {f"piece{i:05d}": i for i in range(len(self._pieces))}
        for key, piece in zip(self._number, self._pieces, strict=True):
            description[key] = self._shape(key, piece, poses[piece.geom])
        look = self._plan.look
        if self._plan.level is not None:
            radiance = {"type": "rgb", "value": list(look.sky or (0.0, 0.0, 0.0))}
            description["sky"] = {"type": "constant", "radiance": radiance}
            if look.sun is not None and not look.portals:
                irradiance = {"type": "rgb", "value": list(look.sun.irradiance)}
                towards = [-float(c) for c in look.sun.direction]
                description["sun"] = {"type": "directional", "direction": towards, "irradiance": irradiance}
        self._scene = mi.load_dict(description, parallel=False, optimize=False)

    def _shape(self, key: str, piece: Piece, T: Array) -> Any:
        material = self._plan.materials[piece.geom]
        if material not in self._surfaces:
            textures = self._plan.textures if self._plan.level else None
            self._surfaces[material] = _surface(material, textures)
        emitter = _emitter(material, self._plan.textures) if self._plan.level else None
        if piece.mesh is None:
            shape = analytic_shape(piece, T, self._surfaces[material])
            return shape | ({"emitter": emitter} if emitter else {})
        return triangle_mesh(key, posed(piece.mesh, T), self._surfaces[material], emitter)


def _surface(m: Material, folder: Path | None) -> Any:
    """Mitsuba's BSDF; a plain one if there is no folder of textures."""
    if folder is None:
        return mi.load_dict({"type": "diffuse"})
    if is_clear(m):
        tint = {"type": "rgb", "value": [0.5 + 0.5 * c for c in m.base_color]}
        return mi.load_dict({"type": "thindielectric", "specular_transmittance": tint})
    colour = {"type": "rgb", "value": [min(max(c, 0.0), 1.0) for c in m.base_color]}
    surface: dict[str, Any] = {
        "type": "principled",
        "base_color": _bitmap(folder / m.albedo, raw=False) if m.albedo else colour,
        "roughness": _bitmap(folder / m.roughness_map, raw=True)
        if m.roughness_map
        else max(m.roughness, 0.03),
        "metallic": m.metallic,
        "specular": m.specular,
    }
    if m.normal_map:
        bumps = _bitmap(folder / m.normal_map, raw=True)
        surface = {"type": "normalmap", "normalmap": bumps, "nested": surface}
    return mi.load_dict({"type": "twosided", "nested": surface})


def _emitter(m: Material, folder: Path) -> dict[str, Any] | None:
    if not m.shines:
        return None
    emission = np.asarray(m.emission, float)
    if m.emission_map is None:
        return {"type": "area", "radiance": {"type": "rgb", "value": emission.tolist()}}
    picture = mi.Bitmap(
        (decode_srgb(read_texture(folder / m.emission_map) / 255.0) * emission).astype(np.float32)
    )
    radiance = {"type": "bitmap", "bitmap": picture, "raw": True, "wrap_mode": "repeat"}
    return {"type": "area", "radiance": radiance}


def _bitmap(path: Path, *, raw: bool) -> dict[str, Any]:
    bitmap = mi.Bitmap(read_texture(path))
    return {"type": "bitmap", "bitmap": bitmap, "raw": raw, "wrap_mode": "repeat"}
