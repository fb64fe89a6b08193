"""Mitsuba's description of the world's materials: principled surfaces, thin glass and emission."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Material, Rgb
from veridical.core.errors import RenderError

_CLEAR = 0.5
"""From this transmission on, a surface is drawn as thin glass."""


class MaterialLibrary:
    """Builds each material and reads each texture file once, whoever uses it."""

    def __init__(self, materials: dict[str, Material], folder: Path) -> None:
        self._materials = materials
        self._folder = folder
        self._textures: dict[tuple[str, bool], Any] = {}
        self._surfaces: dict[object, Any] = {}

    def material(self, name: str, plain_srgb: Rgb) -> Material:
        """The named material, or a matte one of the plain colour."""
        if name in self._materials:
            return self._materials[name]
        return Material(name or "plain", base_color=_linear(plain_srgb), roughness=0.8, specular=0.3)

    def surface(self, material: Material) -> Any:
        """The Mitsuba BSDF of a material."""
        key = (material.name, material.base_color)
        if key not in self._surfaces:
            self._surfaces[key] = self._build(material)
        return self._surfaces[key]

    def emitter(self, material: Material) -> dict[str, Any] | None:
        """The area emitter of a material that shines, else None."""
        if material.emission is None or max(material.emission) <= 0:
            return None
        radiance: Any = {"type": "rgb", "value": list(material.emission)}
        if material.emission_map:
            picture = _decode_srgb(self._read(material.emission_map, grey=False))
            radiance = _bitmap((picture * np.asarray(material.emission)).astype(np.float32), raw=True)
        return {"type": "area", "radiance": radiance}

    def _build(self, m: Material) -> Any:
        import mitsuba as mi

        if is_clear(m):
            tint = [0.5 + 0.5 * c for c in m.base_color]
            glass = {"type": "thindielectric", "specular_transmittance": {"type": "rgb", "value": tint}}
            return mi.load_dict(glass)
        surface: dict[str, Any] = {
            "type": "principled",
            "base_color": self._texture(m.albedo, raw=False)
            or {"type": "rgb", "value": [min(max(c, 0.0), 1.0) for c in m.base_color]},
            "roughness": self._texture(m.roughness_map, raw=True) or max(m.roughness, 0.03),
            "metallic": m.metallic,
            "specular": m.specular,
        }
        if m.normal_map:
            bumps = self._texture(m.normal_map, raw=True)
            surface = {"type": "normalmap", "normalmap": bumps, "nested": surface}
        return mi.load_dict({"type": "twosided", "nested": surface})

    def _texture(self, file: str | None, *, raw: bool) -> Any:
        if file is None:
            return None
        if (file, raw) not in self._textures:
            self._textures[file, raw] = _bitmap(self._read(file, grey=False), raw=raw)
        return self._textures[file, raw]

    def _read(self, file: str, *, grey: bool) -> NDArray[np.uint8]:
        from PIL import Image

        path = self._folder / file
        try:
            with Image.open(path) as image:
                mode = "L" if grey or image.mode in ("L", "1", "I", "I;16") else "RGB"
                pixels = np.array(image.convert(mode), np.uint8)  # Mitsuba takes no read-only array
        except OSError as error:
            msg = f"cannot read the texture {path}: {error}; put the file there, or compose the world again"
            raise RenderError(msg) from error
        return pixels[..., None] if pixels.ndim == 2 else pixels


def is_clear(material: Material) -> bool:
    """True for thin glass, through which light passes straight."""
    return material.transmission >= _CLEAR


def _bitmap(pixels: NDArray[Any], *, raw: bool) -> Any:
    import mitsuba as mi

    return mi.load_dict({"type": "bitmap", "bitmap": mi.Bitmap(pixels), "raw": raw, "wrap_mode": "repeat"})


def _linear(srgb: Rgb) -> Rgb:
    r, g, b = (float(x) for x in _decode_srgb(np.asarray(srgb) * 255.0))
    return r, g, b


def _decode_srgb(value: Any) -> NDArray[np.float64]:
    x = np.asarray(value, float) / 255.0
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
