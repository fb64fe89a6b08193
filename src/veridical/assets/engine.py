"""Surfaces as MuJoCo materials, for its own renderers and for the model's file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import mujoco
import numpy as np

from veridical.assets.material import Material, Rgb
from veridical.core.hashing import cached, content_hash

TEXTURE_FOLDER = "textures"
"""Folder of texture files, in the world folder and inside the zip."""

_TEXTURE_PX = 512
"""Textures inside the model are reduced to this; MuJoCo keeps them uncompressed in memory."""


def add_material(spec: mujoco.MjSpec, material: Material, files: Mapping[str, Path]) -> None:
    """Adds a material and the texture that is seen on it to the spec, unless it is there already.

    Args:
        spec: What the material joins, under its own name.
        material: Its `albedo` and `emission_map` name keys of `files`.
        files: Texture file names to where they lie.
    """
    if spec.material(material.name) is not None:
        return
    added = spec.add_material(
        name=material.name,
        rgba=_rgba(material),
        emission=1.0 if material.shines else 0.0,
        specular=material.specular * (1 - material.roughness),
        shininess=1 - material.roughness,
        roughness=material.roughness,
        metallic=material.metallic,
    )
    shown = (material.emission_map if material.shines else None) or material.albedo
    if shown is None:
        return
    file = f"{TEXTURE_FOLDER}/{shown}"
    if file not in spec.assets:
        spec.assets[file] = _reduced(files[shown])
        kind, space = mujoco.mjtTexture.mjTEXTURE_2D, mujoco.mjtColorSpace.mjCOLORSPACE_SRGB
        spec.add_texture(name=shown, file=file, type=kind, colorspace=space)
    added.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = shown


def srgb(linear: Rgb) -> Rgb:
    """Linear RGB to sRGB display values in 0..1 (IEC 61966-2-1)."""
    c = np.clip(linear, 0, 1)
    r, g, b = np.where(c <= 0.0031308, 12.92 * c, 1.055 * np.maximum(c, 1e-9) ** (1 / 2.4) - 0.055)
    return float(r), float(g), float(b)


def linear(display: Rgb) -> Rgb:
    """Display values in 0..1 to linear RGB (IEC 61966-2-1)."""
    c = np.clip(np.asarray(display, float), 0, 1)
    r, g, b = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(r), float(g), float(b)


def _reduced(file: Path) -> bytes:
    data = file.read_bytes()
    key = content_hash("engine texture", _TEXTURE_PX, data)
    return (cached("engine_textures", key, lambda folder: _reduce(data, folder)) / "texture.png").read_bytes()


def _reduce(data: bytes, folder: Path) -> None:
    import cv2

    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    largest = max(image.shape[:2])
    if largest > _TEXTURE_PX:
        scale = _TEXTURE_PX / largest
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(folder / "texture.png"), image, [cv2.IMWRITE_PNG_COMPRESSION, 1])


def _rgba(material: Material) -> tuple[float, float, float, float]:
    alpha = 1.0 - 0.75 * material.transmission
    if material.albedo is not None or (material.shines and material.emission_map is not None):
        return 1.0, 1.0, 1.0, alpha
    if material.emission is not None and material.shines:
        peak = max(material.emission)
        r, g, b = material.emission
        return *srgb((r / peak, g / peak, b / peak)), alpha
    return *srgb(material.base_color), alpha
