"""From a finish to texture files: paints, encodes, and keeps them in the cache."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Material
from veridical.assets.surfaces.catalogue import SURFACES
from veridical.assets.surfaces.noise import Field
from veridical.assets.surfaces.recipe import Canvas, Kind, Paint, coded_tint, to_linear, to_srgb
from veridical.assets.thing import Finish
from veridical.core.errors import AssetError, did_you_mean
from veridical.core.files import read_json, write_json
from veridical.core.hashing import cached, content_hash
from veridical.core.random import rng

VERSION = 7
"""Part of the cache's key; a painter that changes its pictures must raise it."""


@dataclass(frozen=True)
class Surface:
    """A finish made real.

    Attributes:
        material: Its texture fields name keys of `files`.
        tile_m: Metres of surface that one texture repeat covers; 1 for prints with UVs in 0..1.
        files: File name to the file in the cache.
    """

    material: Material
    tile_m: float
    files: dict[str, Path]


def surface(finish: Finish, size_px: int = 1024) -> Surface:
    """The texture set of a finish: painted the first time, then read from the cache.

    Args:
        finish: Its kind must be in `SURFACES`.
        size_px: Pixels a side; kinds without fine detail may use fewer.
    """
    kind = SURFACES.get(finish.kind)
    if kind is None:
        raise AssetError(
            f"Unknown surface kind '{finish.kind}'.{did_you_mean(finish.kind, SURFACES)} "
            f"Known kinds: {', '.join(sorted(SURFACES))}."
        )
    pattern = replace(finish, emission=None, daylight=False)
    size_px = min(size_px, kind.max_px)
    key = content_hash("surface", VERSION, asdict(pattern), size_px)
    folder = cached("textures", key, lambda where: _make(where, kind, pattern, size_px))
    fields = read_json(folder / "surface.json")
    stem = _material_name(finish)
    files = {f"{stem}-{path.name}": path for path in sorted(folder.glob("*.png"))}
    maps: dict[str, Any] = {field: f"{stem}-{name}" for field, name in fields.pop("maps").items()}
    if finish.emission is None:
        maps.pop("emission_map", None)
    material = Material(
        name=stem,
        emission=finish.emission,
        lamp=finish.emission is not None and not finish.daylight,
        daylight=finish.emission is not None and finish.daylight,
        base_color=tuple(fields.pop("base_color")),
        **fields,
        **maps,
    )
    return Surface(material, kind.tile_m, {name: files[name] for name in sorted(set(maps.values()))})


def _material_name(finish: Finish) -> str:
    return f"{finish.kind}-{content_hash(asdict(finish))[:10]}"


def _make(folder: Path, kind: Kind, finish: Finish, size_px: int) -> None:
    paint = render(finish, size_px)
    maps: dict[str, str] = {}
    albedo = paint.albedo if kind.tint != "mean" else _retinted(paint.albedo, coded_tint(finish.tint))
    pixels = _to_bytes(albedo)
    if pixels.ndim == 3:
        _write_png(folder / "albedo.png", pixels)
        maps["albedo"] = "albedo.png"
    roughness = paint.roughness
    if isinstance(roughness, np.ndarray):
        _write_png(folder / "roughness.png", _to_bytes(_halved(roughness)))
        maps["roughness_map"] = "roughness.png"
    if paint.height_m is not None:
        _write_png(folder / "normal.png", _to_bytes(normals(paint.height_m, kind.tile_m), 0.5, 0.5))
        maps["normal_map"] = "normal.png"
    if paint.emission_map is not None:
        _write_png(folder / "emission.png", _to_bytes(paint.emission_map))
        maps["emission_map"] = "emission.png"
    fields = {
        "base_color": mean_linear(pixels),
        "roughness": round(float(np.mean(roughness)), 4),
        "metallic": paint.metallic,
        "specular": paint.specular,
        "transmission": paint.transmission,
        "maps": maps,
    }
    write_json(folder / "surface.json", fields)


def render(finish: Finish, size_px: int) -> Paint:
    """Paints a finish without encoding it."""
    kind = SURFACES[finish.kind]
    source = rng(finish.variant, "surface", finish.kind)
    tint = None if kind.tint == "none" else coded_tint(finish.tint)
    return kind.paint(Canvas(size_px, kind.tile_m, source, finish.variant, tint))


def normals(height_m: Field, tile_m: float) -> Field:
    """Unit tangent-space normals (n, n, 3) of a tileable relief; +x right, +y up in the image."""
    scale = np.float32(height_m.shape[0] / tile_m / 2)
    field = np.empty((*height_m.shape, 3), np.float32)
    field[..., 0] = (np.roll(height_m, 1, 1) - np.roll(height_m, -1, 1)) * scale
    field[..., 1] = (np.roll(height_m, -1, 0) - np.roll(height_m, 1, 0)) * scale
    x, y = field[..., 0], field[..., 1]
    up = 1 / np.sqrt(x * x + y * y + 1)
    field[..., 0] *= up
    field[..., 1] *= up
    field[..., 2] = up
    return field


def _halved(roughness: Field) -> Field:
    """At half the resolution: gloss varies less than colour does."""
    import cv2

    n = roughness.shape[0] // 2
    return np.asarray(cv2.resize(roughness, (n, n), interpolation=cv2.INTER_AREA), np.float32)


def mean_linear(pixels: NDArray[np.uint8]) -> list[float]:
    """Mean linear RGB of sRGB bytes (..., 3)."""
    table = _decode_table().astype(np.float64)
    counts = [np.bincount(c, minlength=256) for c in pixels.reshape(-1, 3).T]
    return [round(float(table @ c) / c.sum(), 6) for c in counts]


@lru_cache(maxsize=1)
def _decode_table() -> Field:
    return to_linear(np.linspace(0, 1, 256).astype(np.float32))


def _retinted(albedo: Field, tint: Field | None) -> Field:
    """Scales linear colours channel by channel until their mean is the tint."""
    if tint is None:
        return albedo
    if albedo.ndim == 1:
        return tint
    linear = to_linear(albedo)
    wanted = np.clip(to_linear(tint), 0.004, 0.9)
    for _ in range(2):  # the second round makes up for what the first clipped
        linear = np.clip(linear * (wanted / np.maximum(linear.mean((0, 1)), 1e-4)), 0, 1).astype(np.float32)
    return to_srgb(linear)


def _to_bytes(values: Field, scale: float = 1.0, offset: float = 0.0) -> NDArray[np.uint8]:
    """Bytes of `scale * values + offset`, which counts in 0..1."""
    coded = values * np.float32(255 * scale)
    coded += np.float32(255 * offset + 0.5)
    return np.clip(coded, 0, 255, out=coded).astype(np.uint8)


def _write_png(path: Path, pixels: NDArray[np.uint8]) -> None:
    import cv2

    stored = pixels[..., ::-1] if pixels.ndim == 3 else pixels
    if not cv2.imwrite(str(path), stored):  # OpenCV's own settings are its fastest
        raise AssetError(f"Cannot write the texture {path}. Check the free space of the cache folder.")
