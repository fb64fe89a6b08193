"""Materials of mesh files become surfaces with texture files of our own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.assets.engine import linear
from veridical.assets.material import Material, Rgb
from veridical.assets.surfaces import Surface
from veridical.core.hashing import cached, content_hash

_EMISSION_SCALE = 4.0
"""Radiance of an emissive factor of 1: about that of a generated ceiling lamp."""
_VERSION = 1

Pixels = NDArray[np.uint8]


def surface_of(material: Any, vertex_colour: Rgb | None, name: str) -> Surface:
    """The surface of a trimesh material (PBR, simple, or None) under a given name.

    Args:
        material: As trimesh read it.
        vertex_colour: Mean linear colour of the vertices, if they carry colour instead of a material.
        name: Unique name for the result.
    """
    if material is None:
        return Surface(Material(name, base_color=vertex_colour or (0.6, 0.6, 0.6)), 1.0, {})
    if hasattr(material, "baseColorFactor"):
        return _from_pbr(material, name)
    return _from_simple(material, name)


def _from_pbr(material: Any, name: str) -> Surface:
    factor = _factor(material.baseColorFactor, 4)
    roughness = 1.0 if material.roughnessFactor is None else float(material.roughnessFactor)
    metallic = 1.0 if material.metallicFactor is None else float(material.metallicFactor)
    base: Rgb = (factor[0], factor[1], factor[2])
    maps: dict[str, Pixels] = {}
    if material.baseColorTexture is not None:
        maps["albedo"] = _tinted(_rgb(material.baseColorTexture), base)
        base = _mean(maps["albedo"])
    if material.metallicRoughnessTexture is not None:
        packed = _rgb(material.metallicRoughnessTexture)  # glTF 2.0: green roughness, blue metalness
        maps["roughness_map"] = np.round(packed[..., 1] * min(roughness, 1.0)).astype(np.uint8)
        roughness *= float(packed[..., 1].mean()) / 255
        metallic *= float(packed[..., 2].mean()) / 255
    if material.normalTexture is not None:
        maps["normal_map"] = _rgb(material.normalTexture)
    emission = tuple(_EMISSION_SCALE * c for c in _factor(material.emissiveFactor, 3, 0.0))
    if max(emission) > 0 and material.emissiveTexture is not None:
        maps["emission_map"] = _rgb(material.emissiveTexture)
    see_through = material.alphaMode == "BLEND" and factor[3] < 0.95
    return _surface(
        name,
        maps,
        base_color=base,
        roughness=roughness,
        metallic=metallic,
        transmission=1.0 - factor[3] if see_through else 0.0,
        emission=emission if max(emission) > 0 else None,
        lamp=max(emission) > 0,
    )


def _from_simple(material: Any, name: str) -> Surface:
    factor = _factor(material.diffuse, 4)
    base = linear((factor[0], factor[1], factor[2]))  # MTL colours are display values
    maps: dict[str, Pixels] = {}
    if getattr(material, "image", None) is not None:
        maps["albedo"] = _rgb(material.image)
        base = _mean(maps["albedo"])
    shine = float(material.glossiness) if material.glossiness is not None else 1.0
    extra = {k.lower(): v for k, v in (getattr(material, "kwargs", None) or {}).items()}
    emission = tuple(_EMISSION_SCALE * c for c in _numbers(extra.get("ke"), 3))
    opacity = _numbers(extra.get("d"), 1)[0] if "d" in extra else 1.0
    return _surface(
        name,
        maps,
        base_color=base,
        # Blinn-Phong exponent to roughness, Karis, Real Shading in Unreal Engine 4 (2013): n = 2/r^4 - 2
        roughness=float(np.clip((2.0 / (shine + 2.0)) ** 0.25, 0.05, 1.0)),
        transmission=1.0 - opacity if opacity < 0.95 else 0.0,
        emission=emission if max(emission) > 0 else None,
        lamp=max(emission) > 0,
    )


def _surface(name: str, maps: Mapping[str, Pixels], **fields: Any) -> Surface:
    files = {}
    names: dict[str, Any] = {}
    for field, pixels in maps.items():
        key = content_hash("file texture", _VERSION, pixels)
        folder = cached("file_textures", key, lambda where, pixels=pixels: _write(where, pixels))  # type: ignore[misc]
        names[field] = f"{key[:16]}.png"
        files[names[field]] = folder / "texture.png"
    return Surface(Material(name, **fields, **names), 1.0, files)


def _write(folder: Path, pixels: Pixels) -> None:
    import cv2

    cv2.imwrite(str(folder / "texture.png"), pixels[..., ::-1] if pixels.ndim == 3 else pixels)


def _rgb(image: Any) -> Pixels:
    return np.asarray(image.convert("RGB"), np.uint8)


def _mean(pixels: Pixels) -> Rgb:
    r, g, b = (pixels.reshape(-1, 3) / 255).mean(axis=0)
    return linear((float(r), float(g), float(b)))


def _tinted(pixels: Pixels, factor: Rgb) -> Pixels:
    """Multiplies a linear factor into display values."""
    if min(factor) > 0.999:
        return pixels
    table = np.array([linear((v, v, v))[0] for v in np.arange(256) / 255])
    c = np.clip(table[pixels] * factor, 0, 1)
    display = np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055)
    return np.round(display * 255).astype(np.uint8)


def _factor(value: Any, n: int, default: float = 1.0) -> list[float]:
    if value is None:
        return [default] * n
    a = np.asarray(value)
    a = a / 255 if np.issubdtype(a.dtype, np.integer) else a.astype(float)
    return [float(v) for v in np.concatenate([a.ravel(), np.ones(n)])[:n]]


def _numbers(value: Any, n: int) -> list[float]:
    if value is None:
        return [0.0] * n
    words = value.split() if isinstance(value, str) else np.ravel(value)
    found = [float(w) for w in words][:n]
    return found if len(found) == n else [0.0] * n
