"""What shines: materials with emission as Mitsuba's area emitters."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import mitsuba as mi
import numpy as np

from veridical.assets.material import Material, Rgb
from veridical.render.atlas import read_texture
from veridical.render.tone import decode_srgb


def emitter_of(material: Material, folder: Path) -> dict[str, Any] | None:
    """The description of the area emitter of a material that shines, else None."""
    if material.emission is None or max(material.emission) <= 0:
        return None
    if material.emission_map is None:
        return {"type": "area", "radiance": {"type": "rgb", "value": list(material.emission)}}
    return {"type": "area", "radiance": _map(folder / material.emission_map, material.emission)}


@lru_cache(maxsize=32)
def _map(path: Path, emission: Rgb) -> Any:
    radiance = decode_srgb(read_texture(path) / 255.0) * np.asarray(emission)
    bitmap = mi.Bitmap(radiance.astype(np.float32))
    return mi.load_dict({"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "repeat"})
