"""A tour through the free space: targets, shortest ways between them, and a smooth path with clearance.

Ways are shortest paths on a grid of free cells whose cost grows near obstacles, so that they keep to
the middle of rooms and doors; a uniform cubic B-spline over their points makes them smooth, and it is
accepted only where its own clearance holds (the spline stays in the hull of its control points, so
denser points bring it back to the way on the grid).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage, sparse
from scipy.interpolate import BSpline
from scipy.sparse import csgraph

from veridical.core.errors import ScenarioError
from veridical.core.geometry import Array
from veridical.core.random import rng
from veridical.robots import reference
from veridical.robots.model import Place
from veridical.robots.reference import Limits, Path, Reference
from veridical.robots.space import Space
from veridical.scenario.schema import AnyRobot, ExploreMission, OmniRobot

_CLIMB_COST = 2.0
"""A metre up or down counts like two along: tours stay level."""
_NEAR_COST = 3.0
_COMFORT_M = 0.8
"""Cost grows where the nearest solid is closer than this."""
_TARGET_SPACING_M = 2.4
_OMNI_HEIGHTS_M = (0.0, 0.7)
_SPACINGS_M = (0.6, 0.4, 0.25, 0.12, 0.05)
_SLACK_M = 0.02
_LOOK_AHEAD = 40
_SIGHT_STEP_M = 0.05
_MIN_EXTENT_M = 1.0
"""A region smaller than that is no tour."""


class Roadmap:
    """Free cells and the edges between them.

    Attributes:
        points: Cell centres (n, 3) in metres where the clearance holds.
        clearance: Distance to the nearest solid at each, (n,).
    """

    def __init__(self, space: Space, robot: AnyRobot, clearance_m: float, band: tuple[float, float]) -> None:
        self.flat = isinstance(robot, OmniRobot)
        distance, z = _flat_field(space) if self.flat else _band_field(space, band)
        self._space, self._distance = space, distance
        self._free = distance >= clearance_m
        self._index: NDArray[np.int64] = np.full(distance.shape, -1, np.int64)
        self._index[self._free] = np.arange(int(self._free.sum()))
        cells = np.argwhere(self._free)
        self.points = np.column_stack([space.x[cells[:, 0]], space.y[cells[:, 1]], z[cells[:, 2]]])
        self.clearance = distance[self._free].astype(float)
        self.room = space.room[cells[:, 0], cells[:, 1]]
        self._graph = self._edges(space.cell, float(z[1] - z[0]) if len(z) > 1 else 1.0)
        _, self.component = csgraph.connected_components(self._graph, directed=False)

    def largest_component(self) -> Array:
        """Points (k, 3) of the largest part that hangs together."""
        if not len(self.points):
            return self.points
        return np.asarray(self.points[self.component == np.bincount(self.component).argmax()])

    def clearance_of(self, points: Array) -> Array:
        """Distances (n,) at points (n, 3); in the plane for a ground robot."""
        if not self.flat:
            return self._space.clearance(points)
        index = (
            np.stack([(points[:, 0] - self._space.x[0]), (points[:, 1] - self._space.y[0])])
            / self._space.cell
        )
        return np.asarray(ndimage.map_coordinates(self._distance[:, :, 0], index, order=1, cval=0.0), float)

    def nearest(self, position: tuple[float, float, float]) -> int:
        """Index of the free cell nearest to a position."""
        offset = self.points - position
        if self.flat:
            offset[:, 2] = 0.0
        return int(np.einsum("ij,ij->i", offset, offset).argmin())

    def ways_from(self, node: int) -> tuple[Array, NDArray[np.int32]]:
        """Cost to every cell (inf if there is no way), and predecessors."""
        # one source as a scalar, which the stubs do not know
        ways = csgraph.dijkstra(self._graph, directed=False, indices=node, return_predecessors=True)  # type: ignore[call-overload]
        cost, before = ways
        return np.asarray(cost, float), np.asarray(before, np.int32)

    def _edges(self, cell: float, layer: float) -> sparse.csr_matrix:
        n = len(self.points)
        rows, cols, costs = [], [], []
        for di, dj, dk in _HALF_NEIGHBOURS:
            if dk and self._index.shape[-1] == 1:
                continue
            a, b = _shifted(self._index, (di, dj, dk))
            both = (a >= 0) & (b >= 0)
            a, b = a[both], b[both]
            length = math.hypot(di * cell, dj * cell, _CLIMB_COST * dk * layer)
            near = np.minimum(self.clearance[a], self.clearance[b])
            rows.append(a)
            cols.append(b)
            costs.append(length * (1 + _NEAR_COST * np.maximum(1 - near / _COMFORT_M, 0.0) ** 2))
        parts = (np.concatenate(costs), (np.concatenate(rows), np.concatenate(cols)))
        return sparse.csr_matrix(parts, shape=(n, n))


_HALF_NEIGHBOURS = [
    (i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if (i, j, k) > (0, 0, 0)
]


def _shifted(
    index: NDArray[np.int64], shift: tuple[int, int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    here = tuple(slice(max(-d, 0), n - max(d, 0)) for d, n in zip(shift, index.shape, strict=True))
    there = tuple(slice(max(d, 0), n - max(-d, 0)) for d, n in zip(shift, index.shape, strict=True))
    return index[here], index[there]


def _flat_field(space: Space) -> tuple[NDArray[np.float32], Array]:
    """Distances in the plane (nx, ny, 1) to whatever stands at a ground robot's height."""
    layers = space.layers(*_OMNI_HEIGHTS_M)
    free = (space.distance[:, :, layers] > 0.0).all(axis=2) & (space.room >= 0)
    inner = ndimage.distance_transform_edt(np.pad(free, 1), sampling=space.cell)[1:-1, 1:-1]
    flat = np.maximum(inner - space.cell / 2, 0.0).astype(np.float32)
    exact = space.distance[:, :, layers].min(axis=2)  # in three dimensions, so never more than in the plane
    return np.maximum(flat, np.where(free, np.minimum(exact, flat + space.cell), 0.0))[:, :, None], np.zeros(
        1
    )


def _band_field(space: Space, band: tuple[float, float]) -> tuple[NDArray[np.float32], Array]:
    layers = space.layers(*band)
    return np.where(space.room[:, :, None] >= 0, space.distance[:, :, layers], 0.0), space.z[layers]


def tour(
    name: str,
    robot: AnyRobot,
    mission: ExploreMission,
    start: Place,
    space: Space,
    seed: int,
    duration_s: float,
    limits: Limits,
    radius_m: float,
) -> tuple[Reference, tuple[str, ...]]:
    """Plans the way and times it.

    Raises:
        ScenarioError: If nothing can be reached from the start with the clearance.
    """
    clearance = max(mission.clearance_m, radius_m)
    roadmap = Roadmap(space, robot, clearance, mission.height_m)
    warnings = []
    if clearance > mission.clearance_m:
        warnings.append(
            f"robots.{name}.mission.clearance_m: {mission.clearance_m} m is less than the robot's radius; "
            f"planned with {clearance:.2f} m from its centre"
        )
    needed = limits.speed * (duration_s + 1.0)
    way = _visit(name, roadmap, start, rng(seed, "explore", name), needed, clearance)
    path = smooth(way, roadmap, clearance)
    wanted = reference.headings(path, start.yaw)
    first = start.yaw if robot.start != "auto" else float(wanted[0])
    motion = reference.follow(path, wanted, first, limits, until_s=duration_s)
    return motion, tuple(warnings)


def _visit(
    name: str,
    roadmap: Roadmap,
    start: Place,
    stream: np.random.Generator,
    needed_m: float,
    clearance_m: float,
) -> Array:
    if not len(roadmap.points):
        msg = f"robots.{name}.mission: no cell is free with a clearance of {clearance_m:.2f} m; lower it"
        raise ScenarioError(msg)
    node = roadmap.nearest(start.position)
    reachable = np.flatnonzero(roadmap.component == roadmap.component[node])
    targets = _targets(roadmap, reachable, stream)
    spread = np.ptp(roadmap.points[reachable], axis=0)
    if len(targets) < 2 or np.hypot(spread[0], spread[1]) < _MIN_EXTENT_M:
        msg = (
            f"robots.{name}.mission: nothing can be reached from {_text(start)} "
            f"with a clearance of {clearance_m:.2f} m; start elsewhere or lower clearance_m"
        )
        raise ScenarioError(msg)
    pieces, length, left = [np.array([start.position]), roadmap.points[node : node + 1]], 0.0, set(targets)
    while length < needed_m:
        left.discard(node)
        if not left:
            left = set(targets) - {node}
        cost, before = roadmap.ways_from(node)
        goal = min(left, key=lambda t: (cost[t], t))
        chain = [goal]
        while chain[-1] != node:
            chain.append(int(before[chain[-1]]))
        piece = roadmap.points[chain[::-1]]
        length += float(np.linalg.norm(np.diff(piece, axis=0), axis=1).sum())
        pieces.append(_straighten(roadmap, piece)[1:])
        node = goal
    way = np.concatenate(pieces)
    if roadmap.flat:
        way[:, 2] = start.position[2]
    return way


def _straighten(roadmap: Roadmap, way: Array) -> Array:
    """Cuts the corners of a way (n, 3) where that costs no clearance that matters."""
    own = roadmap.clearance_of(way)
    kept, i = [0], 0
    while i < len(way) - 1:
        j = min(i + _LOOK_AHEAD, len(way) - 1)
        while j > i + 1:
            n = max(int(np.linalg.norm(way[j] - way[i]) / _SIGHT_STEP_M), 2)
            line = way[i] + np.linspace(0, 1, n)[:, None] * (way[j] - way[i])
            if roadmap.clearance_of(line).min() >= min(_COMFORT_M, float(own[i : j + 1].min())):
                break
            j -= 1
        kept.append(j)
        i = j
    return way[kept]


def _text(place: Place) -> str:
    return "(" + ", ".join(f"{v:.2f}" for v in place.position) + ")"


def _targets(roadmap: Roadmap, reachable: NDArray[np.int64], stream: np.random.Generator) -> list[int]:
    """Roomy cells spread over all reachable rooms: farthest points first, until they are close together."""
    points, room = roadmap.points[reachable], roadmap.clearance[reachable]
    roomy = room >= min(0.55, float(np.quantile(room, 0.5)))
    points, cells = points[roomy], reachable[roomy]
    chosen = [int(stream.integers(len(cells)))]
    distance = np.linalg.norm(points - points[chosen[0]], axis=1)
    while distance.max() > _TARGET_SPACING_M:
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, np.linalg.norm(points - points[chosen[-1]], axis=1))
    if len(chosen) < 2 and len(cells) > 1:
        chosen.append(int(distance.argmax()))
    return [int(cells[i]) for i in chosen]


def smooth(way: Array, roadmap: Roadmap, clearance_m: float) -> Path:
    """A twice differentiable path near a way (n, 3) on the grid, with the clearance where the way has it."""
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    way = way[np.concatenate([[True], steps > 1e-9])]
    s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    spacing = np.full(max(int(s[-1] / 0.05), 2), _SPACINGS_M[0])
    level = np.zeros(len(spacing), int)
    while True:
        controls = _controls(way, s, spacing)
        points, at = _spline(controls)
        bad = roadmap.clearance_of(points) < np.minimum(clearance_m, _along(roadmap, way, s, at)) - _SLACK_M
        bad_cells = np.unique((at[bad] / s[-1] * (len(spacing) - 1)).astype(int))
        worse = [c for c in bad_cells.tolist() if level[c] < len(_SPACINGS_M) - 1]
        if not worse:
            return reference.path_from_samples(points)
        raised = level.copy()
        for c in worse:
            around = slice(max(c - 12, 0), c + 13)
            raised[around] = np.maximum(raised[around], level[c] + 1)
        level = raised
        spacing = np.array(_SPACINGS_M)[level]


def _along(roadmap: Roadmap, way: Array, s: Array, at: Array) -> Array:
    on_way = np.stack([np.interp(at, s, way[:, i]) for i in range(3)], axis=-1)
    return roadmap.clearance_of(on_way)


def _controls(way: Array, s: Array, spacing: Array) -> tuple[Array, Array]:
    """Points along the way with a spacing that varies along it: (n, 3) and their arc lengths (n,)."""
    at, x = [0.0], 0.0
    while x < s[-1]:
        x += spacing[min(int(x / s[-1] * (len(spacing) - 1)), len(spacing) - 1)]
        at.append(min(x, float(s[-1])))
    if len(at) > 2 and at[-1] - at[-2] < 0.3 * spacing[-1]:
        del at[-2]
    stations = np.array(at)
    return np.stack([np.interp(stations, s, way[:, i]) for i in range(3)], axis=-1), stations


def _spline(controls: tuple[Array, Array]) -> tuple[Array, Array]:
    """Dense samples (m, 3) of the cubic B-spline over control points, with their stations along the way."""
    points, stations = controls
    points = np.concatenate([np.repeat(points[:1], 2, axis=0), points, np.repeat(points[-1:], 2, axis=0)])
    stations = np.concatenate([np.repeat(stations[:1], 2), stations, np.repeat(stations[-1:], 2)])
    n = len(points)
    curve = BSpline(np.arange(n + 4, dtype=float), np.column_stack([points, stations]), 3)
    u = np.linspace(3.0, float(n), (n - 3) * 24 + 1)
    values = curve(u)
    return values[:, :3], values[:, 3]
