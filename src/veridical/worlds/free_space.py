"""Navigable free space: signed distances from collision shapes, on a grid.

Near surfaces the distance is exact, from the analytic distance of each primitive (box, cylinder, sphere,
capsule, convex hull, bounding box of anything else); farther away it continues from the nearest
exact cell. The floor and what lies flat on it does not count as solid, since ground robots stand on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from veridical.core.geometry import Array
from veridical.worlds.layout import Room
from veridical.worlds.world import FreeSpace

_CELL_M = 0.1
_LAYER_M = 0.2
_EXACT_M = 0.6
"""Up to this distance from a surface the distances are exact."""
_MAX_CELLS = 4_000_000
_DOORWAY_M = 0.4
"""Gaps between rooms up to this width are walls with doors in them."""
_FLAT_M = 0.03
"""Shapes whose top is lower than this can be driven over."""

_Geom = mujoco.mjtGeom


def build_free_space(model: mujoco.MjModel, geoms: Iterable[int], rooms: Sequence[Room]) -> FreeSpace:
    """The free space between static collision shapes inside rooms.

    Args:
        model: The compiled world.
        geoms: Ids of the solid geoms, floor left out.
        rooms: Where a robot may be; doorways between them count as inside.
    """
    grid = _Grid.around(rooms)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    distance = np.full(grid.shape, _EXACT_M, np.float32)
    for g in geoms:
        _carve(distance, grid, model, data, g)
    spacing = (grid.cell_m, grid.cell_m, grid.layer_m)
    far = distance >= _EXACT_M
    if far.all():
        distance[:] = np.inf
    else:
        beyond, (i, j, k) = ndimage.distance_transform_edt(far, sampling=spacing, return_indices=True)
        distance = (distance[i, j, k] + beyond).astype(np.float32)
    room = _room_index(grid, rooms)
    inside = _heights_inside(grid, rooms, room)
    walled = np.pad(np.pad(inside, ((1, 1), (1, 1), (0, 1))), ((0, 0), (0, 0), (1, 0)), mode="edge")
    to_outside = _edt(walled, spacing)[1:-1, 1:-1, 1:-1]
    # half a cell of grace: at walls their own surface is nearer and exact, in window openings this bounds
    bounded = np.where(inside, np.minimum(distance, to_outside + grid.cell_m / 2), 0.0)
    return FreeSpace(
        origin=grid.origin,
        cell_m=grid.cell_m,
        z_m=grid.z,
        distance_m=np.maximum(bounded, 0.0).astype(np.float32),
        room=room,
        room_names=tuple(r.name for r in rooms),
    )


def clearance_at(space: FreeSpace, points: ArrayLike) -> Array:
    """Distances (n,) in metres to the nearest solid at points (n, 3), trilinear; 0 outside of the grid."""
    points = np.atleast_2d(np.asarray(points, float))
    layer_m = float(space.z_m[1] - space.z_m[0]) if len(space.z_m) > 1 else 1.0
    low = np.array([*(np.array(space.origin) + space.cell_m / 2), space.z_m[0]])
    index = (points - low) / [space.cell_m, space.cell_m, layer_m]
    top = len(space.z_m) - 1
    index[:, 2] = np.where((index[:, 2] > -0.5) & (index[:, 2] < top + 0.5), np.clip(index[:, 2], 0, top), -9)
    return np.asarray(ndimage.map_coordinates(space.distance_m, index.T, order=1, cval=0.0), float)


def room_at(space: FreeSpace, points: ArrayLike) -> NDArray[np.int16]:
    """Room indices (n,) at points (n, 2) or (n, 3) in metres; -1 outside."""
    xy = np.atleast_2d(np.asarray(points, float))[:, :2]
    cell = np.floor((xy - space.origin) / space.cell_m).astype(int)
    on_grid: NDArray[np.bool_] = np.all((cell >= 0) & (cell < space.room.shape), axis=1)
    i, j = np.where(on_grid[:, None], cell, 0).T
    return np.where(on_grid, space.room[i, j], -1).astype(np.int16)


def is_free(space: FreeSpace, points: ArrayLike, clearance_m: float) -> NDArray[np.bool_]:
    """True (n,) where a sphere of radius `clearance_m` around points (n, 3) touches nothing solid."""
    return clearance_at(space, points) > clearance_m


def sample_free(
    space: FreeSpace,
    rng: np.random.Generator,
    n: int,
    clearance_m: float,
    z_range_m: tuple[float, float],
) -> Array:
    """Random points (k, 3), k <= n, with the clearance; spread evenly over free cells.

    Returns:
        n points, or none at all if no cell is free enough.
    """
    layers = (space.z_m >= z_range_m[0]) & (space.z_m <= z_range_m[1])
    cells = np.argwhere((space.distance_m > clearance_m + space.cell_m) & layers)
    if not len(cells):
        return np.zeros((0, 3))
    chosen = cells[rng.integers(len(cells), size=n)]
    jitter = rng.uniform(0, 1, size=(n, 2))
    xy = np.array(space.origin) + (chosen[:, :2] + jitter) * space.cell_m
    return np.column_stack([xy, space.z_m[chosen[:, 2]]])


def _edt(free: NDArray[np.bool_], spacing: tuple[float, float, float]) -> NDArray[np.float32]:
    return np.asarray(ndimage.distance_transform_edt(free, sampling=spacing)).astype(np.float32)


class _Grid:
    """Cell centres around the rooms."""

    def __init__(self, low: Array, high: Array, bottom: float, top: float) -> None:
        area = float(np.prod(high - low)) * (top - bottom)
        self.cell_m = max(_CELL_M, _CELL_M * (area / (_CELL_M**2 * _LAYER_M * _MAX_CELLS)) ** (1 / 3))
        self.layer_m = _LAYER_M * self.cell_m / _CELL_M
        n = np.maximum(1, np.ceil((high - low) / self.cell_m - 1e-9)).astype(int)
        self.origin = (float(low[0]), float(low[1]))
        self.x = low[0] + (np.arange(n[0]) + 0.5) * self.cell_m
        self.y = low[1] + (np.arange(n[1]) + 0.5) * self.cell_m
        layers = max(1, int(np.ceil((top - bottom) / self.layer_m - 1e-9)))
        self.z = bottom + (np.arange(layers) + 0.5) * self.layer_m
        self.shape = (len(self.x), len(self.y), len(self.z))

    @classmethod
    def around(cls, rooms: Sequence[Room]) -> _Grid:
        rects = np.array([r.rect for r in rooms])
        border = 2 * _CELL_M
        low, high = rects[:, :2].min(axis=0) - border, rects[:, 2:].max(axis=0) + border
        bottom, top = min(r.floor for r in rooms), max(r.floor + r.height for r in rooms)
        return cls(np.floor(low / _CELL_M) * _CELL_M, high, bottom, top)

    def block(self, center: Array, reach: Array) -> tuple[slice, slice, slice]:
        """The index ranges of cells within `reach` (3,) of `center` (3,)."""
        ranges = []
        for axis, c, r in zip((self.x, self.y, self.z), center, reach, strict=True):
            ranges.append(slice(*np.searchsorted(axis, [c - r, c + r])))
        return ranges[0], ranges[1], ranges[2]

    def centres(self, block: tuple[slice, slice, slice]) -> Array:
        """Cell centres (nx, ny, nz, 3) of a block."""
        grids = np.meshgrid(self.x[block[0]], self.y[block[1]], self.z[block[2]], indexing="ij")
        return np.stack(grids, axis=-1)


def _carve(
    distance: NDArray[np.float32], grid: _Grid, model: mujoco.MjModel, data: mujoco.MjData, geom: int
) -> None:
    R = data.geom_xmat[geom].reshape(3, 3)
    box_center, box_half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
    if model.geom_type[geom] == _Geom.mjGEOM_PLANE:
        block = (slice(None), slice(None), slice(None))
    else:
        reach = np.abs(R) @ box_half + _EXACT_M
        block = grid.block(data.geom_xpos[geom] + R @ box_center, reach)
    centres = grid.centres(block)
    if centres.size:
        local = (centres - data.geom_xpos[geom]) @ R
        near = geom_distance(model, geom, local.reshape(-1, 3)).reshape(local.shape[:3])
        np.minimum(distance[block], near, out=distance[block], casting="same_kind")


def geom_distance(model: mujoco.MjModel, geom: int, points: Array) -> Array:
    """Signed distances (n,) in metres from points (n, 3) in the geom's frame; below 0 inside."""
    size = model.geom_size[geom]
    kind = _Geom(model.geom_type[geom])
    if kind == _Geom.mjGEOM_BOX:
        return _outside(np.abs(points) - size)
    if kind == _Geom.mjGEOM_CYLINDER:
        radial = np.hypot(points[:, 0], points[:, 1]) - size[0]
        return _outside(np.column_stack([radial, np.abs(points[:, 2]) - size[1]]))
    if kind == _Geom.mjGEOM_SPHERE:
        return np.asarray(np.linalg.norm(points, axis=1) - size[0])
    if kind == _Geom.mjGEOM_CAPSULE:
        along = np.clip(points[:, 2], -size[1], size[1])
        return np.asarray(np.linalg.norm(points - along[:, None] * [0, 0, 1], axis=1) - size[0])
    if kind == _Geom.mjGEOM_PLANE:
        return np.array(points[:, 2])
    if kind == _Geom.mjGEOM_MESH:
        return _hull_distance(model, geom, points)
    half = model.geom_aabb[geom, 3:]
    return _outside(np.abs(points - model.geom_aabb[geom, :3]) - half)


def _outside(excess: Array) -> Array:
    """Signed distance of a box or of a cylinder's profile, from the excess over its half-sizes."""
    return np.asarray(np.linalg.norm(np.maximum(excess, 0), axis=1) + np.minimum(excess.max(axis=1), 0))


def _hull_distance(model: mujoco.MjModel, geom: int, points: Array) -> Array:
    """Distance to a convex hull: exact at faces, a lower bound beyond edges and corners."""
    from scipy.spatial import ConvexHull

    mesh = model.geom_dataid[geom]
    start, n = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    planes = ConvexHull(model.mesh_vert[start : start + n]).equations
    result = np.full(len(points), -np.inf)
    for a, b, c, d in planes:  # plane by plane: memory stays that of the points
        np.maximum(result, points @ [a, b, c] + d, out=result)
    box = _outside(np.abs(points - model.geom_aabb[geom, :3]) - model.geom_aabb[geom, 3:])
    return np.asarray(np.maximum(result, box))


def _room_index(grid: _Grid, rooms: Sequence[Room]) -> NDArray[np.int16]:
    room = np.full(grid.shape[:2], -1, np.int16)
    for i, one in enumerate(rooms):
        x0, y0, x1, y1 = one.rect
        inside = np.ix_((grid.x > x0) & (grid.x < x1), (grid.y > y0) & (grid.y < y1))
        room[inside] = i
    reach = int(np.ceil(_DOORWAY_M / 2 / grid.cell_m))
    closed = ndimage.binary_closing(
        np.pad(room >= 0, reach), iterations=1, structure=np.ones((2 * reach + 1,) * 2, np.bool_)
    )
    gaps = closed[reach:-reach, reach:-reach] & (room < 0)
    if gaps.any():
        nearest = ndimage.distance_transform_edt(room < 0, return_distances=False, return_indices=True)
        room[gaps] = room[tuple(nearest)][gaps]
    return room


def _heights_inside(grid: _Grid, rooms: Sequence[Room], room: NDArray[np.int16]) -> NDArray[np.bool_]:
    low = np.array([*(r.floor for r in rooms), 0.0])[room][:, :, None]
    high = np.array([*(r.floor + r.height for r in rooms), -np.inf])[room][:, :, None]
    return np.asarray((grid.z > low) & (grid.z < high))


def solid_geoms(model: mujoco.MjModel, robots: Sequence[str], floor: float = 0.0) -> list[int]:
    """Ids of the static geoms that can be touched and stand higher than the floor.

    Args:
        model: The compiled world.
        robots: Names of the robots, whose own shapes do not count.
        floor: Height of the lowest floor, metres.
    """
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    prefixes = tuple(f"{r}/" for r in robots)
    found = []
    for g in range(model.ngeom):
        body = model.body(model.geom_bodyid[g]).name
        static = model.body_weldid[model.geom_bodyid[g]] == 0
        touched = model.geom_contype[g] or model.geom_conaffinity[g]
        if static and touched and not body.startswith(prefixes or ("\0",)):
            R = data.geom_xmat[g].reshape(3, 3)
            top = (
                data.geom_xpos[g][2]
                + (R @ model.geom_aabb[g, :3])[2]
                + (np.abs(R) @ model.geom_aabb[g, 3:])[2]
            )
            if top > floor + _FLAT_M and model.geom_type[g] != _Geom.mjGEOM_PLANE:
                found.append(g)
    return found
