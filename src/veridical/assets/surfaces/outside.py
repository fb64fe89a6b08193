"""The view from an upper window by day: sky, clouds, hills, a town in haze, the crowns of trees."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from veridical.assets.surfaces.noise import Field, coordinates, fbm, smoothstep
from veridical.assets.surfaces.recipe import Canvas, mix, ramp, rgb, shade

_HORIZON = 0.56
_HAZE = rgb("cfd8de")
_WALLS = ("cfc0a6", "d9d2c3", "b79a80", "c9c6bf", "b08a74", "d3c4a0", "a3a8aa", "dcd6cb")
_ROOFS = ("7a4a3b", "5f5c5a", "86604c", "6b5a52")


def view(canvas: Canvas) -> Field:
    """(n, n, 3) sRGB-coded; the horizon lies at 0.56 of the height."""
    rng, n = canvas.rng, canvas.n
    y = np.broadcast_to(coordinates(n)[1], (n, n))
    picture = _hills(rng, _sky(rng, n, y), y)
    if canvas.variant % 3 != 1:
        picture = _town(rng, picture, tops=(0.46, 0.53), widths=(0.04, 0.09), haze=0.6)
        picture = _town(rng, picture, tops=(0.30, 0.47), widths=(0.12, 0.22), haze=0.22)
    picture = _crowns(rng, picture, base=0.66, radius=(0.025, 0.05), count=70, haze=0.3)
    picture = _crowns(rng, picture, base=0.82, radius=(0.05, 0.09), count=40, haze=0.08)
    return np.clip(picture, 0, 1)


def _sky(rng: np.random.Generator, n: int, y: Field) -> Field:
    sky = ramp(y / 0.58, "6f9dd2", "9abde0", "c6dbea", "e6edf0")
    stretch = fbm(rng, n, 1.2, 90, 1.55, stretch_x=2.2)
    lit = np.roll(stretch, n // 60, 0) - stretch
    cover = smoothstep(0.1, 1.3, stretch)
    cloud = shade(np.broadcast_to(rgb("f4f5f6"), (n, n, 3)), 0.22 * np.clip(lit, -0.6, 0.2) - 0.03 * cover)
    return mix(sky, cloud, cover * np.float32(0.9))


def _hills(rng: np.random.Generator, picture: Field, y: Field) -> Field:
    n = picture.shape[0]
    for k, base in enumerate((0.50, 0.53, _HORIZON)):
        ridge = base + 0.028 * _profile(rng, n, 1 + k, 40)
        tone = rgb("5d766c") + (_HAZE - rgb("5d766c")) * np.float32(0.78 - 0.22 * k)
        wood = fbm(rng, n, 12, 200, 1.0, stretch_x=2)
        inside = smoothstep(-0.001, 0.002, y - ridge[None, :])
        picture = mix(picture, shade(np.broadcast_to(tone, (n, n, 3)), 0.05 * wood), inside)
    return picture


def _profile(rng: np.random.Generator, n: int, low: float, high: float) -> Field:
    line: Field = fbm(rng, n, low, high, 2.0)[n // 2]
    return line


# --- houses ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Face:
    """One side of a house in the picture: x from a to b, y from t down to e, and its colour."""

    a: int
    b: int
    t: int
    e: int
    wall: Field


def _town(
    rng: np.random.Generator,
    picture: Field,
    tops: tuple[float, float],
    widths: tuple[float, float],
    haze: float,
) -> Field:
    """A row of houses side by side; the further away, the more haze."""
    n = picture.shape[0]
    town, x = picture.copy(), -float(rng.uniform(0, widths[0]))
    mask = np.zeros((n, n), np.float32)
    stain = 1 + 0.035 * fbm(rng, n, 6, n / 3, 1.0, stretch_y=2)
    while x < 1.0:
        width, top = float(rng.uniform(*widths)), float(rng.uniform(*tops))
        a, b, t, e = int(x * n), int((x + width) * n), int(top * n), int(0.9 * n)
        wall = rgb(_WALLS[int(rng.integers(len(_WALLS)))]) * np.float32(rng.uniform(0.85, 1.02))
        corner = b - int((b - a) * rng.choice([0.0, 0.2, 0.3]))
        floor = width * n / float(rng.uniform(2.6, 3.6))
        _roof(rng, town, mask, (a, b, t), floor)
        mask[t:e, max(a, 0) : max(b, 0)] = 1
        style = int(rng.integers(1 << 30))
        for face in (_Face(a, corner, t, e, wall), _Face(corner, b, t, e, wall * np.float32(0.68))):
            if face.b > face.a and face.b > 0:
                _facade(np.random.default_rng(style), town, face, floor * 0.55)
        x += width
    town = np.clip(town * stain[..., None], 0, 1)
    return mix(picture, mix(town, _HAZE, np.full((n, n), haze, np.float32)), mask)


def _fill(picture: Field, x0: float, x1: float, y0: float, y1: float, tone: Field) -> None:
    n = picture.shape[0]
    x0, x1 = (int(np.clip(round(v), 0, n)) for v in (x0, x1))
    y0, y1 = (int(np.clip(round(v), 0, n)) for v in (y0, y1))
    picture[y0:y1, x0:x1] = tone


def _facade(rng: np.random.Generator, picture: Field, face: _Face, floor: float) -> None:
    n, wall = picture.shape[0], face.wall
    _fill(picture, face.a, face.b, face.t, face.e, wall)
    line = max(1.0, n / 500)
    _fill(picture, face.a, face.b, face.t, face.t + 2 * line, wall * np.float32(1.1))
    _fill(picture, face.a, face.b, face.t + 2 * line, face.t + 3 * line, wall * np.float32(0.7))
    pitch = floor * float(rng.uniform(0.8, 1.05))
    columns = max(1, int((face.b - face.a) / pitch))
    step = (face.b - face.a) / columns
    half = step * float(rng.uniform(0.19, 0.26))
    has_balcony = rng.random(columns) < 0.25
    for y in np.arange(face.t + floor * 0.4, face.e - floor, floor):
        for k in range(columns):
            x = face.a + (k + 0.5) * step
            _window(rng, picture, (x, y), (half, floor * 0.58), wall)
            if has_balcony[k]:
                low = y + floor * 0.6
                _fill(
                    picture, x - 1.7 * half, x + 1.7 * half, low - floor * 0.26, low, wall * np.float32(0.5)
                )
                _fill(
                    picture, x - 1.7 * half, x + 1.7 * half, low, low + floor * 0.1, wall * np.float32(0.78)
                )


def _window(
    rng: np.random.Generator, picture: Field, at: tuple[float, float], size: tuple[float, float], wall: Field
) -> None:
    n = picture.shape[0]
    (x, y), (half, tall), line = at, size, max(0.6, picture.shape[0] / 900)
    bright = wall * np.float32(1.12)
    _fill(picture, x - half - line, x + half + line, y - line, y + tall + line, bright)
    _fill(picture, x - half - 2 * line, x + half + 2 * line, y + tall + line, y + tall + 3 * line, bright)
    sky, room = rgb("9fb2c0"), rgb("39434b")
    share = np.float32(np.clip(rng.normal(0.25, 0.2), 0.0, 0.8))
    glass = room + (sky - room) * share
    _fill(picture, x - half, x + half, y, y + tall, glass)
    _fill(picture, x - half, x + half, y, y + tall * 0.18, glass * np.float32(0.6))
    if rng.random() < 0.3:
        drawn = float(rng.uniform(0.2, 0.6))
        _fill(
            picture, x - half, x + half, y, y + tall * drawn, rgb("cdc9c0") * np.float32(wall.mean() + 0.15)
        )
    if half > 3 * line:
        _fill(picture, x - line / 2, x + line / 2, y, y + tall, bright)
        _fill(picture, x - half, x + half, y + tall * 0.35, y + tall * 0.35 + n / 900, bright)


def _roof(
    rng: np.random.Generator, picture: Field, mask: Field, span: tuple[int, int, int], floor: float
) -> None:
    """Flat with a parapet and a stair head, or tiled with chimneys and dormers."""
    a, b, t = span
    if rng.random() < 0.35:
        box = (a + 0.3 * (b - a), a + 0.5 * (b - a), t - 0.3 * floor, t)
        _fill(picture, *box, rgb("a9a6a0"))
        _fill(mask[..., None], *box, np.ones(1, np.float32))
        return
    tone = rgb(_ROOFS[int(rng.integers(len(_ROOFS)))])
    high = floor * float(rng.uniform(0.5, 0.8))
    eaves, ridge = 0.02 * (b - a), 0.6 * high
    for c in (a + 0.25 * (b - a), a + 0.7 * (b - a)):
        stack = (c, c + 0.12 * floor, t - high * 1.3, t - high * 0.5)
        _fill(picture, *stack, rgb("8b6655"))
        _fill(mask[..., None], *stack, np.ones(1, np.float32))
    corners = np.array(
        [[a - eaves, t], [a + ridge, t - high], [b - ridge, t - high], [b + eaves, t]], np.float32
    )
    area = np.zeros(mask.shape, np.uint8)
    cv2.fillPoly(area, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    cover = area.astype(np.float32)[..., None] / 255
    rows = 1 + 0.06 * np.sin(np.arange(mask.shape[0], dtype=np.float32) * (2 * np.pi / max(3.0, floor / 9)))
    picture += cover * (tone * rows[:, None, None] - picture)
    np.maximum(mask, cover[..., 0], out=mask)
    for c in np.arange(a + ridge + 0.3 * floor, b - ridge - 0.3 * floor, 0.9 * floor):
        _fill(picture, c - 0.16 * floor, c + 0.16 * floor, t - 0.62 * high, t - 0.12 * high, rgb("d0cbc2"))
        _fill(picture, c - 0.10 * floor, c + 0.10 * floor, t - 0.54 * high, t - 0.16 * high, rgb("4a545c"))


# --- trees -----------------------------------------------------------------------------------------------


def _crowns(
    rng: np.random.Generator,
    picture: Field,
    base: float,
    radius: tuple[float, float],
    count: int,
    haze: float,
) -> Field:
    """A wood seen from above its feet: round crowns, each a heap of dabs that are lighter towards the sun."""
    n = picture.shape[0]
    picture = picture.copy()
    picture[int((base + radius[0]) * n) :] = rgb("35482c") + (_HAZE - rgb("35482c")) * np.float32(haze)
    for x, depth in sorted(zip(rng.random(count), rng.random(count), strict=True), key=lambda p: p[1]):
        r = float(rng.uniform(*radius)) * n
        centre = np.array([x * n, (base + 0.12 * depth) * n])
        tone = ramp(np.array([rng.random()], np.float32), "4a6338", "5a7342", "707c4c")[0]
        dabs = 260
        angle, out = rng.uniform(0, 2 * np.pi, dabs), np.sqrt(rng.random(dabs))
        offset = np.stack([np.cos(angle), np.sin(angle) * 0.9], axis=1) * out[:, None]
        light = 0.62 - 0.42 * offset[:, 1] - 0.22 * offset[:, 0] + rng.normal(0, 0.11, dabs)
        for k in np.argsort(light + 0.5 * rng.random(dabs)):
            leaf = mix((tone * np.float32(light[k] + 0.35))[None], _HAZE, np.full(1, haze, np.float32))[0]
            spot = np.round((centre + offset[k] * r) * 16).astype(int)
            size = int(16 * r * rng.uniform(0.04, 0.13))
            cv2.circle(picture, tuple(spot), size, leaf.tolist(), -1, cv2.LINE_8, 4)
    leaf = fbm(rng, n, n / 24, n / 2, 0.3)
    below = smoothstep(base - 2 * radius[1], base, np.broadcast_to(coordinates(n)[1], (n, n)))
    return shade(picture, 0.035 * leaf * below)
