"""Tileable random fields, float32, (n, n): row 0 is the top, and every field wraps around both ways."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import fft, ndimage

Field = NDArray[np.float32]

_DRAWS = 1 << 16
_STAMPED_AT_ONCE = 1 << 20


@lru_cache(maxsize=64)
def _spectrum(n: int, low: float, high: float, slope: float, stretch_x: float, stretch_y: float) -> Field:
    fy = np.fft.fftfreq(n, 1 / n).astype(np.float32)[:, None] * np.float32(stretch_y)
    fx = np.fft.rfftfreq(n, 1 / n).astype(np.float32)[None, :] * np.float32(stretch_x)
    r2 = fx * fx + fy * fy
    r2[0, 0] = 1.0
    amplitude = r2 ** np.float32(-slope / 2)
    amplitude *= 1 - np.exp(-((r2 / np.float32(low * low)) ** 2))
    amplitude *= np.exp(-r2 / np.float32(high * high))
    amplitude[0, 0] = 0.0
    amplitude /= np.sqrt(2 * np.sum(amplitude.astype(np.float64) ** 2)) / n**2
    return amplitude.astype(np.float32)


def fbm(
    rng: np.random.Generator,
    n: int,
    low: float,
    high: float | None = None,
    slope: float = 1.6,
    stretch_x: float = 1.0,
    stretch_y: float = 1.0,
) -> Field:
    """Gaussian noise of a power-law spectrum, made by one inverse FFT.

    Args:
        rng: Its source.
        n: Pixels a side.
        low: Lowest frequency, cycles per tile; the largest features are tile / low.
        high: Highest frequency, cycles per tile; the pixel grid's if omitted.
        slope: Amplitude falls as frequency ** -slope; 0 is white, 1.6 clouds, 2.5 smooth.
        stretch_x: Makes features this much longer along x.
        stretch_y: Makes features this much longer along y.

    Returns:
        (n, n) of mean 0 and standard deviation 1.
    """
    amplitude = _spectrum(n, float(low), float(high or n / 2), slope, stretch_x, stretch_y)
    wave = _normals()[rng.integers(0, _DRAWS, amplitude.shape, np.uint16)]
    wave *= amplitude
    field: Field = fft.irfft2(wave, s=(n, n), overwrite_x=True)
    flat = field.ravel()  # its mean is 0, since the spectrum is 0 at frequency 0
    field /= np.sqrt(np.dot(flat, flat) / np.float32(flat.size)) + np.float32(1e-9)
    return field


@lru_cache(maxsize=1)
def _normals() -> NDArray[np.complex64]:
    """Complex normal numbers to draw from: ten times as fast as drawing each anew."""
    parts = np.random.default_rng(0).standard_normal((2, _DRAWS), dtype=np.float32)
    return np.asarray(parts[0] + 1j * parts[1], np.complex64)


def coordinates(n: int) -> tuple[Field, Field]:
    """Pixel centres (x, y) in 0..1 of the tile, shapes (1, n) and (n, 1); y grows downwards."""
    c = ((np.arange(n) + 0.5) / n).astype(np.float32)
    return c[None, :], c[:, None]


def warp(field: Field, dx: Field, dy: Field) -> Field:
    """Moves (n, n) or (n, n, c) content by (dx, dy), in tiles; wraps around."""
    import cv2

    n = field.shape[0]
    grid = np.arange(n, dtype=np.float32)
    x = grid[None, :] + dx * np.float32(n)
    y = grid[:, None] + dy * np.float32(n)
    moved: Field = cv2.remap(field, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return moved


def blur(field: Field, sigma_px: float) -> Field:
    """Gaussian blur of (n, n) that wraps around."""
    out: Field = ndimage.gaussian_filter(field, sigma_px, mode="wrap", truncate=3.0)
    return out


def smoothstep(low: float, high: float, x: Field) -> Field:
    """0 below low, 1 above high, smooth between; high < low gives the falling step."""
    t = np.clip((x - np.float32(low)) / np.float32(high - low), 0, 1)
    step: Field = t * t * (3 - 2 * t)
    return step


def unit(field: Field) -> Field:
    """Squashes a unit-variance field into 0..1 with a mean near 0.5."""
    squashed: Field = 0.5 + 0.5 * np.tanh(field * np.float32(0.8))
    return squashed


def worley(
    rng: np.random.Generator,
    n: int,
    cells: int,
    jitter: float = 0.9,
    shift: tuple[Field, Field] | None = None,
    rows: int | None = None,
) -> tuple[Field, Field, NDArray[np.int32]]:
    """Cellular noise with one point in each box of a grid.

    Args:
        rng: Its source.
        n: Pixels a side.
        cells: Boxes along x.
        jitter: 0 leaves the points in the boxes' middles, 1 lets them go anywhere in them.
        shift: Domain warp (dx, dy) in tiles.
        rows: Boxes along y; as many as along x if omitted.

    Returns:
        Distances to the nearest and second nearest point, in boxes, and the nearest one's index.
    """
    rows = rows or cells
    points = (rng.random((rows, cells, 2), dtype=np.float32) - np.float32(0.5)) * np.float32(jitter) + 0.5
    x, y = coordinates(n)
    gx = np.broadcast_to(x * np.float32(cells), (n, n))
    gy = np.broadcast_to(y * np.float32(rows), (n, n))
    if shift is not None:
        gx = gx + shift[0] * np.float32(cells)
        gy = gy + shift[1] * np.float32(rows)
    ix, iy = np.floor(gx).astype(np.int32), np.floor(gy).astype(np.int32)
    lx, ly = gx - ix, gy - iy
    first = np.full((n, n), 9.0, np.float32)
    second = first.copy()
    nearest = np.zeros((n, n), np.int32)
    flat_x, flat_y = points[..., 0].ravel(), points[..., 1].ravel()
    for sy in (-1, 0, 1):
        row = (iy + sy) % rows * cells
        for sx in (-1, 0, 1):
            index = row + (ix + sx) % cells
            ddx = flat_x[index] + np.float32(sx) - lx
            ddy = flat_y[index] + np.float32(sy) - ly
            d = ddx * ddx + ddy * ddy
            closer = d < first
            second = np.where(closer, first, np.minimum(second, d))
            nearest = np.where(closer, index, nearest)
            first = np.minimum(first, d)
    return np.sqrt(first), np.sqrt(second), nearest


def spots(
    rng: np.random.Generator,
    n: int,
    count: int,
    radius_px: tuple[float, float],
    stretch: float = 1.0,
) -> Field:
    """Soft round spots of random strength in 0.3..1, strewn over the tile; the strongest wins.

    Args:
        rng: Its source.
        n: Pixels a side.
        count: Number of spots.
        radius_px: Smallest and largest radius; small ones are commoner.
        stretch: Makes spots this much longer along y.
    """
    field = np.zeros((n, n), np.float32)
    low, high = radius_px
    radii = low + (high - low) * rng.random(count) ** 2.5
    centres = rng.random((count, 2)) * n
    strengths = rng.uniform(0.3, 1.0, count).astype(np.float32)
    reach = (radii * 1.5).astype(int) + 2
    for r in np.unique(reach):
        chosen = np.flatnonzero(reach == r)
        tall = int(radii[chosen].max() * stretch * 1.5) + 2
        at_once = max(1, _STAMPED_AT_ONCE // ((2 * r + 1) * (2 * tall + 1)))
        for k in np.split(chosen, range(at_once, len(chosen), at_once)):
            _stamp(field, centres[k], radii[k], strengths[k], (int(r), tall), stretch)
    return field


def _stamp(
    field: Field,
    centres: NDArray[np.float64],
    radii: NDArray[np.float64],
    strengths: Field,
    reach: tuple[int, int],
    stretch: float,
) -> None:
    """Raises the field to spots of about one size; they end within `reach` pixels along x and y."""
    n = field.shape[0]
    x = centres[:, :1].astype(int) + np.arange(-reach[0], reach[0] + 1)
    y = centres[:, 1:].astype(int) + np.arange(-reach[1], reach[1] + 1)
    dx = (x - centres[:, :1]).astype(np.float32)[:, None, :]
    dy = ((y - centres[:, 1:]) / stretch).astype(np.float32)[:, :, None]
    r = radii.astype(np.float32)[:, None, None]
    stamps = strengths[:, None, None] * np.clip((r - np.hypot(dx, dy)) / (0.4 * r + 0.6) + 0.5, 0, 1)
    where = (y % n * n)[:, :, None] + (x % n)[:, None, :]
    np.maximum.at(field.reshape(-1), where.reshape(-1), stamps.reshape(-1))


def cracks(rng: np.random.Generator, n: int, cells: int, width: float, presence: float) -> Field:
    """Hairline cracks, 0..1: warped borders of cells, shown only in patches.

    width is in cells; presence 0..1 is the share of the tile that has any.
    """
    bend = 0.35 / cells
    shift = (
        np.float32(bend) * fbm(rng, n, cells / 2, cells * 24, 1.4),
        np.float32(bend) * fbm(rng, n, cells / 2, cells * 24, 1.4),
    )
    first, second, _ = worley(rng, n, cells, 1.0, shift)
    line = 1 - smoothstep(0.0, width, second - first)
    patch = fbm(rng, n, 1.5, 6, 1.5)
    limit = float(np.quantile(patch[::8, ::8], 1 - presence))
    cracked: Field = line * smoothstep(limit - 0.1, limit + 0.4, patch)
    return cracked
