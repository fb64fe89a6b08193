"""All materials of a world as a few flat tables, so that one short kernel can shade every surface.

A kernel that calls each material's own code grows with the world and spends its time on dispatch. Here a
hit point looks up its material's row, and one texel in each of two packed texture pyramids.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Material
from veridical.core.errors import RenderError

ROW = 10
"""Numbers a material: base colour factor (3), roughness factor, metallic, specular, clear?, emission (3)."""

_CLEAR = 0.5
Texels = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Atlas:
    """Tables by material number.

    Attributes:
        rows: (m, ROW) float32.
        colour: Pyramids of sRGB base colour, red in the lowest byte.
        detail: Pyramids of tangent normal x, y (offset 128) and roughness, in the three lowest bytes.
        colour_at: First texel of each material's colour pyramid, and log2 of its side, (m, 2) uint32.
        detail_at: The same for the detail.
        glow_at: The same for the pyramids in `colour` that scale the emission.
    """

    rows: NDArray[np.float32]
    colour: Texels
    detail: Texels
    colour_at: NDArray[np.uint32]
    detail_at: NDArray[np.uint32]
    glow_at: NDArray[np.uint32]


def is_clear(material: Material) -> bool:
    """True for thin glass, through which light passes straight."""
    return material.transmission >= _CLEAR


def build_atlas(materials: Sequence[Material], folder: Path, max_side: int) -> Atlas:
    """Reads every texture once; `materials` are numbered in their order; larger textures are shrunk."""
    rows = np.zeros((len(materials), ROW), np.float32)
    for row, m in zip(rows, materials, strict=True):
        row[:3] = (1.0, 1.0, 1.0) if m.albedo else np.clip(m.base_color, 0, 1)
        row[3] = 1.0 if m.roughness_map else m.roughness
        row[4:7] = m.metallic, m.specular, float(is_clear(m))
        row[7:10] = m.emission or (0.0, 0.0, 0.0)
    colours = {name: None for m in materials for name in (m.albedo, m.emission_map)}
    details = {(m.normal_map, m.roughness_map): None for m in materials}
    with ThreadPoolExecutor() as pool:  # decoding leaves the interpreter's lock
        colour = list(pool.map(lambda name: _pyramid(_colour_image(folder, name, max_side)), colours))
        detail = list(pool.map(lambda pair: _pyramid(_detail_image(folder, pair, max_side)), details))
    colour_at = dict(zip(colours, _places(colour), strict=True))
    detail_at = dict(zip(details, _places(detail), strict=True))
    return Atlas(
        rows,
        np.concatenate(colour),
        np.concatenate(detail),
        np.array([colour_at[m.albedo] for m in materials], np.uint32),
        np.array([detail_at[m.normal_map, m.roughness_map] for m in materials], np.uint32),
        np.array([colour_at[m.emission_map] for m in materials], np.uint32),
    )


def _places(pyramids: list[Texels]) -> list[tuple[int, int]]:
    """First texel and log2 of the side of each pyramid; one of side 2^k has (4^(k + 1) - 1) / 3 texels."""
    starts = np.cumsum([0, *(len(p) for p in pyramids)])[:-1]
    return [
        (int(start), (3 * len(p) + 1).bit_length() // 2 - 1)
        for start, p in zip(starts, pyramids, strict=True)
    ]


def _colour_image(folder: Path, name: str | None, max_side: int) -> NDArray[np.uint8]:
    if name is None:
        return np.full((1, 1, 4), 255, np.uint8)
    rgb = _read(folder, name, max_side)
    return np.dstack([rgb, np.zeros(rgb.shape[:2], np.uint8)])


def _detail_image(folder: Path, maps: tuple[str | None, str | None], max_side: int) -> NDArray[np.uint8]:
    import cv2

    normal_map, roughness_map = maps
    normal = _read(folder, normal_map, max_side) if normal_map else np.full((1, 1, 3), 128, np.uint8)
    rough = (
        _read(folder, roughness_map, max_side)[..., :1]
        if roughness_map
        else np.full((1, 1, 1), 255, np.uint8)
    )
    side = max(normal.shape[0], rough.shape[0])
    grown = [
        np.atleast_3d(cv2.resize(a, (side, side), interpolation=cv2.INTER_LINEAR))
        for a in (np.ascontiguousarray(normal[..., :2]), np.ascontiguousarray(rough))
    ]
    return np.dstack([*grown, np.zeros((side, side, 1), np.uint8)])


def read_texture(path: Path) -> NDArray[np.uint8]:
    """An image as RGB (h, w, 3)."""
    import cv2

    data = np.fromfile(path, np.uint8) if path.is_file() else np.zeros(0, np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if image is None:
        msg = f"cannot read the texture {path}; put the picture there, or compose the world again"
        raise RenderError(msg)
    return np.ascontiguousarray(image[..., ::-1])


def _read(folder: Path, name: str, max_side: int) -> NDArray[np.uint8]:
    """An image as RGB, square, its side a power of two of at most `max_side`."""
    import cv2

    image = read_texture(folder / name)
    side = min(1 << (max(image.shape[:2]) - 1).bit_length(), max_side)
    if image.shape[:2] != (side, side):
        smaller = side < max(image.shape[:2])
        image = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)
    return image


def _pyramid(image: NDArray[np.uint8]) -> Texels:
    """A square image (2^k, 2^k, 4) and its halvings down to one texel, as one array."""
    import cv2

    levels = [image]
    while (side := levels[-1].shape[0]) > 1:
        levels.append(cv2.resize(levels[-1], (side // 2, side // 2), interpolation=cv2.INTER_AREA))
    return np.concatenate([np.ascontiguousarray(level).view(np.uint32).ravel() for level in levels])
