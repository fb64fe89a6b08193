"""Label images made visible, and images as data URIs."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence

import numpy as np
from matplotlib import colormaps
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from veridical.datasets.frames import Box2d, CameraFrame

Picture = NDArray[np.uint8]

_GOLDEN = 0.618033988749895


def visible_layers(frame: CameraFrame, names: dict[int, str]) -> dict[str, Picture]:
    """Every layer of a frame as an sRGB picture (h, w, 3), by title.

    Args:
        frame: A frame with any of its layers.
        names: Instance names by id, written beside the boxes.
    """
    pictures: dict[str, Picture] = {}
    if frame.colour is not None:
        pictures["colour"] = frame.colour
    if frame.depth is not None:
        pictures[f"depth, 0 to {_far(frame.depth):.1f} m"] = depth_picture(frame.depth)
    if frame.range is not None:
        pictures[f"range, 0 to {_far(frame.range):.1f} m"] = depth_picture(frame.range)
    if frame.normals is not None:
        pictures["normals"] = _bytes(0.5 * (frame.normals * [1, -1, -1] + 1))
    if frame.instance is not None:
        pictures["instances"] = id_picture(frame.instance)
    if frame.semantic is not None:
        pictures["semantic classes"] = id_picture(frame.semantic)
    if frame.flow is not None:
        pictures[f"flow to the next frame, up to {_longest(frame.flow):.0f} px"] = flow_picture(frame.flow)
    if frame.colour is not None and frame.boxes_2d is not None:
        pictures["boxes, tight"] = box_picture(frame.colour, frame.boxes_2d, names)
    return pictures


def depth_picture(depth: NDArray[np.float32]) -> Picture:
    """Near is warm, far is cold; black where there is nothing."""
    picture = _bytes(colormaps["turbo"](1 - np.clip(depth / _far(depth), 0, 1))[..., :3])
    picture[depth <= 0] = 0
    return picture


def id_picture(ids: NDArray[np.uint16]) -> Picture:
    """A fixed colour for each id, the same in every report; 0 is black."""
    unique, inverse = np.unique(ids, return_inverse=True)
    hue = (unique * _GOLDEN) % 1.0
    value = np.where(unique == 0, 0.0, 0.65 + 0.35 * ((unique * 7) % 3) / 2)
    return _bytes(_hsv(hue, np.full(len(hue), 0.62), value))[inverse.reshape(ids.shape)]


def flow_picture(flow: NDArray[np.float32]) -> Picture:
    """Direction as hue, length as brightness; black where undefined."""
    defined = np.isfinite(flow).all(axis=-1)
    du, dv = np.where(defined, flow[..., 0], 0), np.where(defined, flow[..., 1], 0)
    hue = np.arctan2(dv, du) / (2 * np.pi) % 1.0
    length = np.clip(np.hypot(du, dv) / max(_longest(flow), 1e-6), 0, 1)
    return _bytes(_hsv(hue, np.sqrt(length), np.where(defined, 1.0, 0.0)))


def box_picture(colour: Picture, boxes: Sequence[Box2d], names: dict[int, str]) -> Picture:
    """Tight boxes with names over the darkened image, large ones first."""
    image = Image.fromarray((colour * 0.75).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    seen = [box for box in boxes if box.tight is not None and box.visible_pixels >= 40]
    for box in sorted(seen, key=lambda b: -b.visible_pixels):
        left, top, right, bottom = box.tight or (0, 0, 0, 0)
        outline = tuple(id_picture(np.array([[box.instance]], np.uint16))[0, 0].tolist())
        draw.rectangle((left, top, right - 1, bottom - 1), outline=outline)
        if box.visible_pixels >= 400:
            draw.text((left + 2, top), names.get(box.instance, str(box.instance)), fill=outline)
    return np.asarray(image)


def data_uri(picture: Picture) -> str:
    """A picture as a JPEG inside an address."""
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "JPEG", quality=88)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def film_uri(pictures: Sequence[Picture], seconds: float) -> str:
    """Pictures as one looping animation that lasts `seconds`."""
    buffer = io.BytesIO()
    frames = [Image.fromarray(p) for p in pictures]
    duration_ms = max(20, round(1000 * seconds / len(frames)))
    frames[0].save(
        buffer, "WEBP", save_all=True, append_images=frames[1:], duration=duration_ms, loop=0, quality=70
    )
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def _far(depth: NDArray[np.float32]) -> float:
    return max(float(np.percentile(depth, 99.5)), 0.1)


def _longest(flow: NDArray[np.float32]) -> float:
    length = np.linalg.norm(flow, axis=-1)
    return float(np.nanpercentile(length, 99)) if np.isfinite(length).any() else 0.0


def _bytes(unit: NDArray[np.floating]) -> Picture:
    return np.asarray(np.clip(unit, 0, 1) * 255 + 0.5).astype(np.uint8)


def _hsv(
    hue: NDArray[np.floating], saturation: NDArray[np.floating], value: NDArray[np.floating]
) -> NDArray[np.floating]:
    k = (np.array([5.0, 3.0, 1.0]) + 6 * hue[..., None]) % 6
    ramp = np.clip(np.minimum(k, 4 - k), 0, 1)
    return np.asarray(value[..., None] * (1 - saturation[..., None] * ramp))
