"""How each layer of a frame becomes a file, and back.

Every layer has one file a frame. TIFF files hold plain float32 samples: Deflate would make flow a third
smaller, but takes as long as half a draft image. PNG files use the lowest compression level.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.files import write_bytes

DEPTH_MM_MAX = 65535
_NORMAL_SCALE = 32767.0

_PNG = [cv2.IMWRITE_PNG_COMPRESSION, 1]
_TIFF = [cv2.IMWRITE_TIFF_COMPRESSION, cv2.IMWRITE_TIFF_COMPRESSION_NONE]

Image = NDArray[Any]


@dataclass(frozen=True)
class Layer:
    """One kind of image file.

    Attributes:
        suffix: Of the file, with the dot.
        dtype: Of the samples in the file.
        unit: Unit of a sample.
        meaning: One sentence for the manifest.
        pack: From the array of a `CameraFrame` to the samples in the file.
        unpack: The reverse.
    """

    suffix: str
    dtype: str
    unit: str
    meaning: str
    pack: Callable[[Image], Image]
    unpack: Callable[[Image], Image]


def _swap(image: Image) -> Image:
    """OpenCV stores the last channel first."""
    return np.ascontiguousarray(image[..., ::-1])


def _same(image: Image) -> Image:
    return image


def depth_to_mm(depth: Image) -> Image:
    """Metres float32 to millimetres uint16: rounded, 0 stays 0, saturates at 65.535 m."""
    return np.clip(np.rint(depth * np.float32(1000)), 0, DEPTH_MM_MAX).astype(np.uint16)


def _mm_to_depth(mm: Image) -> Image:
    return mm.astype(np.float32) / np.float32(1000)


def _pack_normals(normals: Image) -> Image:
    codes = np.rint((normals + 1) * _NORMAL_SCALE).astype(np.uint16)
    codes[~normals.any(axis=-1)] = 0
    return _swap(codes)


def _unpack_normals(codes: Image) -> Image:
    normals = _swap(codes).astype(np.float32) / np.float32(_NORMAL_SCALE) - 1
    length = np.linalg.norm(normals, axis=-1, keepdims=True)
    normals = normals / np.where(length > 0, length, 1)
    normals[~codes.any(axis=-1)] = 0
    return normals.astype(np.float32)


LAYERS: dict[str, Layer] = {
    "colour": Layer(".png", "uint8 x 3", "sRGB", "what the camera sees, red green blue", _swap, _swap),
    "depth": Layer(
        ".tiff",
        "float32",
        "m",
        "planar depth along the optical axis; 0 where a ray hits nothing",
        _same,
        _same,
    ),
    "depth_mm": Layer(
        ".png",
        "uint16",
        "mm",
        "planar depth, rounded; 0 where a ray hits nothing; saturates at 65535 mm",
        depth_to_mm,
        _mm_to_depth,
    ),
    "range": Layer(".tiff", "float32", "m", "length of the ray; 0 where it hits nothing", _same, _same),
    "normals": Layer(
        ".png",
        "uint16 x 3",
        "code",
        "unit normal x, y, z in the optical frame = code / 32767 - 1; code 0, 0, 0 where a ray hits nothing",
        _pack_normals,
        _unpack_normals,
    ),
    "instance": Layer(
        ".png", "uint16", "id", "instance id of labels.json; 0 is the background", _same, _same
    ),
    "semantic": Layer(
        ".png", "uint16", "id", "semantic id of labels.json; 0 is the background", _same, _same
    ),
    "flow": Layer(
        ".tiff",
        "float32 x 3",
        "px",
        "samples du, dv to the next frame of this stream (NaN where undefined), and 1 where the next frame "
        "does not see the point, else 0",
        _swap,
        _swap,
    ),
}


def write_layer(path: Path, layer: str, image: Image) -> None:
    """Writes one array of a frame as one file, whole or not at all."""
    spec = LAYERS[layer]
    flags = _PNG if spec.suffix == ".png" else _TIFF
    ok, data = cv2.imencode(spec.suffix, spec.pack(image), flags)
    if not ok:
        msg = f"{path}: cannot encode a {image.dtype} array of shape {image.shape} as {layer}"
        raise DataError(msg)
    write_bytes(path, data.tobytes())


def read_layer(path: Path, layer: str, size: tuple[int, int]) -> Image:
    """Reads one file of a frame.

    Args:
        path: The file.
        layer: Key of `LAYERS`.
        size: Expected (height, width).

    Raises:
        DataError: If the file is missing, corrupt, or of another size.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except FileNotFoundError:
        msg = f"{path} is missing; the dataset is damaged: observe the run again into a new folder"
        raise DataError(msg) from None
    image = _decode(data)
    if image is None:
        msg = f"{path} is not a readable {layer} image ({len(data)} bytes); delete it and observe again"
        raise DataError(msg)
    if image.shape[:2] != size:
        msg = f"{path} is {image.shape[1]}x{image.shape[0]}, but the calibration says {size[1]}x{size[0]}"
        raise DataError(msg)
    dtype, _, channels = LAYERS[layer].dtype.partition(" x ")
    if str(image.dtype) != dtype or image.ndim != (3 if channels else 2):
        found = f"{image.dtype} samples of shape {image.shape}"
        msg = f"{path} holds {found}; {layer} must be {LAYERS[layer].dtype}"
        raise DataError(msg)
    return LAYERS[layer].unpack(image)


def _decode(data: NDArray[np.uint8]) -> Image | None:
    if not len(data):
        return None
    try:
        return np.asarray(image) if (image := cv2.imdecode(data, cv2.IMREAD_UNCHANGED)) is not None else None
    except cv2.error:
        return None
