"""Finishes of things become materials with textures, each made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import mujoco
import numpy as np

from veridical.assets.material import Material, Rgb
from veridical.assets.surfaces import Surface, surface
from veridical.assets.thing import Finish
from veridical.core.hashing import content_hash

TEXTURE_FOLDER = "textures"
"""Folder of texture files, in the world folder and inside the zip."""


@dataclass
class Palette:
    """The materials of a world while it is composed.

    Attributes:
        given: Surfaces that come with the world, such as those of a user's file; all others are generated.
        materials: What was asked for so far, by name.
        files: Texture file name to where it lies now.
    """

    given: Mapping[Finish, Surface] = field(default_factory=dict)
    materials: dict[str, Material] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    _taken: dict[Finish, Surface] = field(default_factory=dict)

    def take(self, finish: Finish) -> Surface:
        """The surface of a finish, under a name that is unique in this world."""
        if finish not in self._taken:
            found = self.given[finish] if finish in self.given else surface(finish)
            material = found.material
            if self.materials.get(material.name, material) != material:
                suffix = content_hash(repr(finish))[:6]
                material = replace(material, name=f"{material.name}_{suffix}")
            self.materials[material.name] = material
            self.files |= found.files
            self._taken[finish] = replace(found, material=material)
        return self._taken[finish]


def add_material(spec: mujoco.MjSpec, material: Material, files: Mapping[str, Path]) -> None:
    """Adds a material and its albedo texture to the spec, for MuJoCo's own renderers."""
    added = spec.add_material(
        name=material.name,
        rgba=_rgba(material),
        emission=1.0 if material.emission else 0.0,
        specular=material.specular * (1 - material.roughness),
        shininess=1 - material.roughness,
        roughness=material.roughness,
        metallic=material.metallic,
    )
    if material.albedo is None:
        return
    file = f"{TEXTURE_FOLDER}/{material.albedo}"
    if file not in spec.assets:
        spec.assets[file] = files[material.albedo].read_bytes()
        kind, space = mujoco.mjtTexture.mjTEXTURE_2D, mujoco.mjtColorSpace.mjCOLORSPACE_SRGB
        spec.add_texture(name=material.albedo, file=file, type=kind, colorspace=space)
    added.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = material.albedo


def srgb(linear: Rgb) -> Rgb:
    """Linear RGB to sRGB display values in 0..1 (IEC 61966-2-1)."""
    c = np.clip(linear, 0, 1)
    r, g, b = np.where(c <= 0.0031308, 12.92 * c, 1.055 * np.maximum(c, 1e-9) ** (1 / 2.4) - 0.055)
    return float(r), float(g), float(b)


def _rgba(material: Material) -> tuple[float, float, float, float]:
    alpha = 1.0 - 0.75 * material.transmission
    if material.albedo is not None:
        return 1.0, 1.0, 1.0, alpha
    if material.emission is not None and max(material.emission) > 0:
        peak = max(material.emission)
        r, g, b = material.emission
        return *srgb((r / peak, g / peak, b / peak)), alpha
    return *srgb(material.base_color), alpha
