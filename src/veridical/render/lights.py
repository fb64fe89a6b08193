"""Which light to ask at a place, and the sun that shines in through the windows.

Choosing among all emitters evenly makes a home of several rooms noisy: most lamps are behind walls. So
a coarse grid over the world stores, cell by cell, how much each emitter gives there with walls in
between, found by some rays when the scene is loaded; emitters are then drawn by Walker's alias method
(1977). A share of the draws stays even, so the estimate has no bias wherever things move later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np

from veridical.core.geometry import Array
from veridical.render.stage import Stage
from veridical.worlds.world import Look

_CELL_M = 0.5
_MAX_CELLS = 4096
_RAYS_PER_CELL = 24
_EVEN_SHARE = 0.1
_SUN_ANGULAR_RADIUS_RAD = 0.00465
_PORTAL_GAP_M = 0.02


@dataclass(frozen=True)
class LightSample:
    """A direction towards light: unit `d`, length `dist`, density `pdf`, radiance over density."""

    d: Any
    dist: Any
    pdf: Any
    delta: Any
    radiance: Any


class Lights:
    """The emitters of a stage with the grid of their shares, and the sun with its portals.

    Args:
        stage: What rays meet.
        look: Says where the sun is.
        origin: World position of the stage's own origin.
        bounds: Lower and upper corner (2, 3) of the stage, in its own frame.
    """

    def __init__(self, stage: Stage, look: Look, origin: Array, bounds: Array) -> None:
        self._count = len(stage.emitters)
        self._index, self._emitters = stage.emitter_number, stage.emitter_pointers
        self._sun = _Sun(look, origin) if look.sun and max(look.sun.irradiance) > 0 else None
        self._low, self._cell, self._shape = _grid(bounds)
        shares = self._measure(stage)
        self._share = mi.Float(shares.ravel().astype(np.float32))
        chance, other = _alias_tables(shares)
        self._chance, self._other = mi.Float(chance.ravel()), mi.UInt32(other.ravel())

    def state(self) -> tuple[Any, ...]:
        """The arrays that a kernel reads."""
        return (self._share, self._chance, self._other)

    def sample(self, si: Any, sample2: Any, sample1: Any, active: Any) -> LightSample:
        """Draws a direction from which light may come, without regard to what is in between."""
        if self._sun is None:
            return self._sample_emitter(si, sample2, sample1, active)
        dist = self._sun.distance(si.p)
        maybe = active & (dist > 0)
        to_sun = maybe & (sample1 < 0.5)
        rescaled = dr.select(maybe, dr.select(to_sun, sample1 * 2, sample1 * 2 - 1), sample1)
        other = self._sample_emitter(si, sample2, rescaled, active & ~to_sun)
        share = dr.select(maybe, mi.Float(0.5), mi.Float(1))
        return LightSample(
            d=dr.select(to_sun, self._sun.direction(sample2), other.d),
            dist=dr.select(to_sun, dist, other.dist),
            pdf=dr.select(to_sun, 1.0, other.pdf * share),
            delta=to_sun | other.delta,
            radiance=dr.select(to_sun, self._sun.irradiance * 2, other.radiance / share),
        )

    def pdf(self, origin: Any, towards: Any, emitter: Any, active: Any) -> Any:
        """Density with which `sample` at `origin` would have drawn this direction to this emitter."""
        found = active & (emitter != dr.zeros(mi.EmitterPtr))
        number = dr.gather(mi.UInt32, self._index, dr.reinterpret_array(mi.UInt32, emitter), found)
        share = dr.gather(mi.Float, self._share, self._row(origin.p) + number, found)
        density = share * emitter.pdf_direction(origin, towards, found)
        if self._sun is not None:
            density *= dr.select(found & (self._sun.distance(origin.p) > 0), mi.Float(0.5), mi.Float(1))
        return dr.select(found, density, 0)

    def visibility(self, stage: Stage, si: Any, sample: LightSample, active: Any) -> Any:
        """Share of the light that gets through: 0 behind something solid, 1 if free, less behind glass."""
        ray = si.spawn_ray(sample.d)
        ray.maxt = dr.select(sample.dist < 1e6, sample.dist * (1 - 1e-4) - 1e-4, dr.inf)
        return stage.light_through(ray, active)

    def _sample_emitter(self, si: Any, sample2: Any, sample1: Any, active: Any) -> LightSample:
        row = self._row(si.p)
        scaled = sample1 * self._count
        number = dr.minimum(mi.UInt32(scaled), self._count - 1)
        keep = scaled - mi.Float(number) < dr.gather(mi.Float, self._chance, row + number, active)
        number = dr.select(keep, number, dr.gather(mi.UInt32, self._other, row + number, active))
        share = dr.gather(mi.Float, self._share, row + number, active)
        emitter = dr.gather(mi.EmitterPtr, self._emitters, number, active)
        ds, radiance = emitter.sample_direction(si, sample2, active)
        pdf = dr.select(active & (share > 0), ds.pdf * share, 0)
        return LightSample(ds.d, ds.dist, pdf, ds.delta, mi.Color3f(radiance) / dr.maximum(share, 1e-9))

    def _row(self, p: Any) -> Any:
        """First entry in the tables of the grid cell that holds each point."""
        nx, ny, nz = self._shape
        x, y, z = ((p[k] - float(self._low[k])) / float(self._cell) for k in range(3))
        i, j, k = (mi.UInt32(dr.clip(c, 0, n - 0.5)) for c, n in ((x, nx), (y, ny), (z, nz)))
        return ((i * ny + j) * nz + k) * self._count

    def _measure(self, stage: Stage) -> Array:
        """Each emitter's share (cells, emitters) by what arrives in a cell, walls considered."""
        cells, count = int(np.prod(self._shape)), self._count
        even = np.full((cells, count), 1.0 / count)
        if count == 1:
            return even
        total = cells * _RAYS_PER_CELL
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(0, total)
        number = dr.arange(mi.UInt32, total) // _RAYS_PER_CELL
        _, ny, nz = self._shape
        corner = mi.Vector3f(
            mi.Float(number // (ny * nz)), mi.Float(number // nz % ny), mi.Float(number % nz)
        )
        jitter = mi.Vector3f(sampler.next_1d(), sampler.next_1d(), sampler.next_1d())
        points = dr.zeros(mi.SurfaceInteraction3f, total)
        points.p = mi.Point3f(*self._low.tolist()) + (corner + jitter) * float(self._cell)
        arriving = np.zeros((cells, count))
        for e, emitter in enumerate(stage.emitters):
            ds, weight = emitter.sample_direction(points, sampler.next_2d(), True)
            ray = mi.Ray3f(points.p, ds.d)
            ray.maxt = dr.select(ds.dist < 1e6, ds.dist * (1 - 1e-3), dr.inf)
            seen = stage.light_through(ray, True) > 0
            flux = dr.select(seen & (ds.pdf > 0), mi.luminance(mi.Color3f(weight)), 0)
            # The near field of a lamp would outweigh everything in its cell
            flux = dr.minimum(flux, 50 * dr.mean(flux) + 1e-6)
            arriving[:, e] = np.array(dr.block_sum(flux, _RAYS_PER_CELL))
        arriving = self._spread(arriving)
        sums = arriving.sum(axis=1, keepdims=True)
        shares = np.where(sums > 0, arriving / np.where(sums > 0, sums, 1), even)
        return (1 - _EVEN_SHARE) * shares + _EVEN_SHARE * even

    def _spread(self, arriving: Array) -> Array:
        """Adds a part of the neighbour cells, for surfaces just inside a cell's walls."""
        grid = arriving.reshape(*self._shape, -1)
        out = grid.copy()
        for axis in range(3):
            for step in (-1, 1):
                moved = np.roll(grid, step, axis=axis)
                edge = [slice(None)] * 4
                edge[axis] = slice(0, 1) if step == 1 else slice(-1, None)
                moved[tuple(edge)] = 0
                out += 0.1 * moved
        return out.reshape(arriving.shape)


class _Sun:
    def __init__(self, look: Look, origin: Array) -> None:
        assert look.sun is not None
        d = np.asarray(look.sun.direction, float)
        self._d = d / np.linalg.norm(d)
        self._portals = look.portals
        self._origin = origin
        self.irradiance = mi.Color3f(*look.sun.irradiance)
        side = np.cross(self._d, [0.0, 0.0, 1.0] if abs(self._d[2]) < 0.9 else [1.0, 0.0, 0.0])
        self._s = side / np.linalg.norm(side)
        self._t = np.cross(self._d, self._s)

    def direction(self, sample2: Any) -> Any:
        """A direction towards a point of the sun's disk."""
        disk = mi.warp.square_to_uniform_disk_concentric(sample2) * _SUN_ANGULAR_RADIUS_RAD
        return dr.normalize(_vector(self._d) + disk.x * _vector(self._s) + disk.y * _vector(self._t))

    def distance(self, p: Any) -> Any:
        """Free length towards the sun: to the portal that it shines through; 0 where it cannot shine."""
        if not self._portals:
            return dr.full(mi.Float, np.inf, dr.width(p))
        longest = mi.Float(0)
        for portal in self._portals:
            u, v = np.asarray(portal.half_u), np.asarray(portal.half_v)
            n = np.cross(u, v)
            facing = float(n @ self._d)
            if abs(facing) < 1e-9:
                continue
            rel = _vector(np.asarray(portal.center) - self._origin) - mi.Vector3f(p)
            t = dr.dot(rel, _vector(n)) / facing
            q = _vector(self._d) * t - rel
            inside = (dr.abs(dr.dot(q, _vector(u / (u @ u)))) <= 1) & (
                dr.abs(dr.dot(q, _vector(v / (v @ v)))) <= 1
            )
            longest = dr.select(inside & (t > _PORTAL_GAP_M), dr.maximum(longest, t - _PORTAL_GAP_M), longest)
        return longest


def _vector(v: Array) -> Any:
    return mi.Vector3f(*v.tolist())


def _grid(bounds: Array) -> tuple[Array, float, tuple[int, int, int]]:
    low, high = bounds
    extent = np.maximum(high - low, 0.1)
    cell = _CELL_M
    while np.prod(np.ceil(extent / cell)) > _MAX_CELLS:
        cell *= 1.1
    nx, ny, nz = (int(n) for n in np.ceil(extent / cell))
    return low, cell, (nx, ny, nz)


def _alias_tables(shares: Array) -> tuple[Any, Any]:
    """Walker's tables (cells, n): probability of keeping entry i, and the entry to take instead."""
    cells, n = shares.shape
    chance, other = np.ones((cells, n), np.float32), np.tile(np.arange(n, dtype=np.uint32), (cells, 1))
    for c in range(cells):
        scaled = shares[c] * n
        small, large = [i for i in range(n) if scaled[i] < 1], [i for i in range(n) if scaled[i] >= 1]
        while small and large:
            s, big = small.pop(), large[-1]
            chance[c, s], other[c, s] = scaled[s], big
            scaled[big] -= 1 - scaled[s]
            if scaled[big] < 1:
                small.append(large.pop())
    return chance, other
