"""How planks, bricks and tiles lie: periodic layouts with an identity and local coordinates per piece."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.assets.surfaces.noise import Field, coordinates


@dataclass(frozen=True, eq=False)
class Tiling:
    """Per pixel (n, n).

    Attributes:
        piece: Index of the piece, below `count`.
        along: Position from the piece's start along its length, in tiles.
        across: Position from the piece's edge across its length, in tiles.
        edge: Distance to the nearest border of the piece, in tiles.
        upright: True where the piece's length runs along y.
        count: Number of pieces.
    """

    piece: NDArray[np.int32]
    along: Field
    across: Field
    edge: Field
    upright: NDArray[np.bool_]
    count: int


def rows(
    rng: np.random.Generator, n: int, rows_: int, per_row: int, shift: float | None = None, vary: float = 0.0
) -> Tiling:
    """Rows of pieces along x.

    Args:
        rng: Draws offsets and lengths.
        n: Pixels a side.
        rows_: Rows in the tile.
        per_row: Pieces a row.
        shift: Offset of each row against the one above, in pieces; None draws it at random.
        vary: Share of a piece's length by which joints move at random, below 0.9.
    """
    x, y = coordinates(n)
    row = np.minimum((y * rows_).astype(np.int32), rows_ - 1)
    across = np.broadcast_to(y - row / np.float32(rows_), (n, n)).astype(np.float32)
    offsets = rng.random(rows_) if shift is None else np.arange(rows_) * shift
    piece = np.zeros((n, n), np.int32)
    along = np.zeros((n, n), np.float32)
    length = np.zeros((n, n), np.float32)
    for r in range(rows_):
        lines = np.flatnonzero(row[:, 0] == r)
        if lines.size == 0:
            continue
        starts = (np.arange(per_row) + rng.uniform(-0.5, 0.5, per_row) * vary) / per_row
        u = (x[0] - starts[0] + offsets[r] / per_row) % 1.0
        cuts = np.append(starts - starts[0], 1.0).astype(np.float32)
        k = np.clip(np.searchsorted(cuts, u, side="right") - 1, 0, per_row - 1)
        piece[lines] = r * per_row + k
        along[lines] = u - cuts[k]
        length[lines] = (cuts[1:] - cuts[:-1])[k]
    height = np.float32(1 / rows_)
    edge = np.minimum(across, height - across)
    if per_row > 1:  # a single piece runs on through the tile's border
        edge = np.minimum(edge, np.minimum(along, length - along))
    return Tiling(piece, along, across, edge, np.zeros((n, n), bool), rows_ * per_row)


def herringbone(n: int, units: int, ratio: int) -> Tiling:
    """Blocks of `ratio` x 1 units at right angles; units (a multiple of 2 ratio) fit into the tile's side."""
    x, y = coordinates(n)
    gx = np.broadcast_to(x * np.float32(units), (n, n))
    gy = np.broadcast_to(y * np.float32(units), (n, n))
    i, j = gx.astype(np.int32), gy.astype(np.int32)
    d = (i - j) % (2 * ratio)
    upright = d >= ratio
    step = np.where(upright, 2 * ratio - 1 - d, d)
    first_i = np.where(upright, i, i - step) % units
    first_j = np.where(upright, j - step, j) % units
    along = np.where(upright, gy - j, gx - i) + step
    across = np.where(upright, gx - i, gy - j)
    edge = np.minimum(np.minimum(along, ratio - along), np.minimum(across, 1 - across))
    piece = ((first_i * units + first_j) * 2 + upright).astype(np.int32)
    scale = np.float32(1 / units)
    return Tiling(
        piece,
        (along * scale).astype(np.float32),
        (across * scale).astype(np.float32),
        (edge * scale).astype(np.float32),
        upright,
        units * units * 2,
    )


def basket(n: int, squares: int, strips: int) -> Tiling:
    """Squares of parallel strips, turned by a quarter from square to square; squares must be even."""
    x, y = coordinates(n)
    gx = np.broadcast_to(x * np.float32(squares), (n, n))
    gy = np.broadcast_to(y * np.float32(squares), (n, n))
    i, j = gx.astype(np.int32), gy.astype(np.int32)
    upright = (i + j) % 2 == 1
    along = np.where(upright, gy - j, gx - i)
    cross = np.where(upright, gx - i, gy - j) * strips
    strip = np.minimum(cross.astype(np.int32), strips - 1)
    across = (cross - strip) / strips
    edge = np.minimum(np.minimum(along, 1 - along), np.minimum(across, 1 / strips - across))
    piece = ((i * squares + j) * strips + strip).astype(np.int32)
    scale = np.float32(1 / squares)
    return Tiling(
        piece,
        (along * scale).astype(np.float32),
        (across * scale).astype(np.float32),
        (edge * scale).astype(np.float32),
        upright,
        squares * squares * strips,
    )


def sample(field: Field, tiling: Tiling, rng: np.random.Generator) -> Field:
    """Cuts each piece from its own random place of a tileable field whose grain runs along x.

    Works on (n, n) and (n, n, c). Equal generators give equal cuts, so several maps stay aligned.
    """
    n = field.shape[0]
    start = rng.integers(0, n, (2, tiling.count), dtype=np.int32)
    flip = np.where(rng.random(tiling.count) < 0.5, -1, 1).astype(np.int32)
    ix = (start[0][tiling.piece] + flip[tiling.piece] * (tiling.along * n).astype(np.int32)) % n
    iy = (start[1][tiling.piece] + (tiling.across * n).astype(np.int32)) % n
    cut: Field = field.reshape(n * n, *field.shape[2:]).take(iy * n + ix, axis=0)
    return cut
