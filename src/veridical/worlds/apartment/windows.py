"""Windows: frames, sills, and the light and the view behind them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from veridical.assets.material import Rgb
from veridical.assets.shapes import merge
from veridical.assets.thing import Finish, Mesh, Placed, TopSurface
from veridical.core.geometry import Array, transform
from veridical.worlds.apartment.plan import FloorPlan, Opening, Wall
from veridical.worlds.apartment.shell import at, face, wall_box
from veridical.worlds.apartment.solids import Box, board, stand
from veridical.worlds.apartment.style import Style
from veridical.worlds.world import SunPortal

_FRAME_M = 0.055  # width of the fixed frame, of which the sash covers the inner part
_SASH_M = 0.05
_SET_BACK_M = 0.1  # of the frame from the outer face
_DEPTH_M = 0.07
_SILL_M = 0.028
_WIDE_M = 1.3  # from here on a window has two sashes
_VIEW_M = 3.0  # width and height of the picture of the outside
_PORTAL_GAP_M = 0.01

_TALL_M = 0.2  # windows that begin lower have no sill

Piece = tuple[Mesh, Finish]


@dataclass(frozen=True, eq=False)
class Sill:
    """A window sill to put things on: room index, pose of its middle, and top in that frame."""

    room: int
    T: Array
    top: TopSurface


def build_windows(
    plan: FloorPlan, style: Style, view: Finish, radiance: Rgb, rng: np.random.Generator
) -> tuple[list[Placed], list[SunPortal], list[Sill]]:
    """All windows, the rectangles through which the sun may shine, and the sills.

    Args:
        plan: The floor plan.
        style: Finishes.
        view: Picture of the outside; each window shows another part of it.
        radiance: Of the outside, linear RGB; zero is night.
        rng: Places the views.
    """
    placed, portals, sills = [], [], []
    for i, hole in enumerate(o for o in plan.openings if o.kind == "window"):
        wall = plan.walls[hole.wall]
        outside_low = hole.rooms[0] is None
        pieces = [(m, style.frame) for m in _frame_boards(wall, hole, outside_low)]
        handle = _handle(wall, hole, outside_low)
        pieces.append((handle, style.metal))
        sill = _sill_boxes(wall, hole, outside_low)
        pieces += [(board(*b, bevel), style.joinery) for b, bevel in zip(sill, (0.001, 0.008), strict=False)]
        finish = replace(view, emission=radiance, daylight=True)
        pieces.append((_view(wall, hole, outside_low, float(rng.random())), finish))
        depth = _frame_depth(wall, outside_low)
        pane: Box = wall_box(wall, (hole.start, hole.end), depth, (hole.bottom, hole.top))
        placed.append(stand(f"window_{i}", "window", pieces, [pane, *sill]))
        portals.append(_portal(wall, hole, outside_low))
        if hole.bottom > _TALL_M:
            sills.append(_sill_top(wall, hole, outside_low))
    return placed, portals, sills


def _frame_depth(wall: Wall, outside_low: bool) -> tuple[float, float]:
    d0, d1 = wall.across
    return (
        (d0 + _SET_BACK_M, d0 + _SET_BACK_M + _DEPTH_M)
        if outside_low
        else (d1 - _SET_BACK_M - _DEPTH_M, d1 - _SET_BACK_M)
    )


def _frame_boards(wall: Wall, hole: Opening, outside_low: bool) -> list[Mesh]:
    """Fixed frame and one or two sashes, butt-jointed boards."""
    depth = _frame_depth(wall, outside_low)
    a0, a1, z0, z1 = hole.start, hole.end, hole.bottom, hole.top
    f = _FRAME_M
    boards = [
        board(*wall_box(wall, a, depth, z), 0.004)
        for a, z in (
            ((a0, a0 + f), (z0, z1)),
            ((a1 - f, a1), (z0, z1)),
            ((a0 + f, a1 - f), (z0, z0 + f)),
            ((a0 + f, a1 - f), (z1 - f, z1)),
        )
    ]
    shift = 0.018 if outside_low else -0.018
    depth = (depth[0] + shift, depth[1] + shift)
    for s0, s1 in _sashes(hole):
        s = _SASH_M
        lo, hi = z0 + f - 0.012, z1 - f + 0.012
        boards += [
            board(*wall_box(wall, a, depth, z), 0.006)
            for a, z in (
                ((s0, s0 + s), (lo, hi)),
                ((s1 - s, s1), (lo, hi)),
                ((s0 + s, s1 - s), (lo, lo + s)),
                ((s0 + s, s1 - s), (hi - s, hi)),
            )
        ]
    return boards


def _sashes(hole: Opening) -> list[tuple[float, float]]:
    a0, a1 = hole.start + _FRAME_M - 0.012, hole.end - _FRAME_M + 0.012
    if hole.width < _WIDE_M:
        return [(a0, a1)]
    middle = (a0 + a1) / 2
    return [(a0, middle - 0.002), (middle + 0.002, a1)]


def _handle(wall: Wall, hole: Opening, outside_low: bool) -> Mesh:
    depth = _frame_depth(wall, outside_low)
    inner = depth[1] + 0.018 if outside_low else depth[0] - 0.018
    sign = 1.0 if outside_low else -1.0
    a = _sashes(hole)[0][1] - _SASH_M / 2
    z = hole.bottom + 0.45 * (hole.top - hole.bottom)
    pieces = []
    for half, reach, low, high in ((0.014, (0.0, 0.008), -0.035, 0.035), (0.008, (0.008, 0.05), -0.01, 0.01)):
        d = sorted((inner + sign * reach[0], inner + sign * reach[1]))
        pieces.append(board(*wall_box(wall, (a - half, a + half), (d[0], d[1]), (z + low, z + high)), 0.003))
    d = sorted((inner + sign * 0.038, inner + sign * 0.052))
    pieces.append(board(*wall_box(wall, (a - 0.01, a + 0.01), (d[0], d[1]), (z - 0.12, z + 0.01)), 0.005))
    return merge(pieces)


def _sill_boxes(wall: Wall, hole: Opening, outside_low: bool) -> list[Box]:
    """The inner board, and its nose that stands out from the wall; tall windows have none."""
    if hole.bottom <= _TALL_M:
        return []
    frame = _frame_depth(wall, outside_low)
    inner = wall.across[1] if outside_low else wall.across[0]
    nose = inner + (0.045 if outside_low else -0.045)
    up = (hole.bottom, hole.bottom + _SILL_M)
    rest = (frame[1], inner) if outside_low else (inner, frame[0])
    front = (inner, nose) if outside_low else (nose, inner)
    return [
        wall_box(wall, (hole.start, hole.end), rest, up),
        wall_box(wall, (hole.start - 0.05, hole.end + 0.05), front, up),
    ]


def _sill_top(wall: Wall, hole: Opening, outside_low: bool) -> Sill:
    frame = _frame_depth(wall, outside_low)
    low, high = (
        (frame[1] + 0.045, wall.across[1] + 0.04)
        if outside_low
        else (wall.across[0] - 0.04, frame[0] - 0.045)
    )
    centre = at(wall, (hole.start + hole.end) / 2, (low + high) / 2, hole.bottom + _SILL_M)
    yaw = 0.0 if wall.axis == "y" else np.pi / 2
    c, s = np.cos(yaw), np.sin(yaw)
    T = transform([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], centre)
    room = next(r for r in hole.rooms if r is not None)
    return Sill(room, T, TopSurface((0.0, 0.0, 0.0), (high - low) / 2, hole.width / 2 - 0.1, 0.6))


def _view(wall: Wall, hole: Opening, outside_low: bool, offset: float) -> Mesh:
    """The shining picture at the outer face; its horizon lies at eye level."""
    across = wall.across[0] if outside_low else wall.across[1]
    flat = face(wall, not outside_low, (hole.start, hole.end), across, (hole.bottom, hole.top))
    u0 = offset * max(0.0, 1.0 - hole.width / _VIEW_M)
    u = (flat.uv[:, 0] - flat.uv[:, 0].min()) / _VIEW_M + u0
    v = np.clip(flat.uv[:, 1] / _VIEW_M, 0.0, 1.0)
    return replace(flat, uv=np.stack([u, v], axis=1))


def _portal(wall: Wall, hole: Opening, outside_low: bool) -> SunPortal:
    d0, d1 = wall.across
    across = d0 + _PORTAL_GAP_M if outside_low else d1 - _PORTAL_GAP_M
    centre = at(wall, (hole.start + hole.end) / 2, across, (hole.bottom + hole.top) / 2)
    half = at(wall, hole.width / 2, 0.0, 0.0)
    return SunPortal(
        (float(centre[0]), float(centre[1]), float(centre[2])),
        (float(half[0]), float(half[1]), 0.0),
        (0.0, 0.0, (hole.top - hole.bottom) / 2),
    )
