"""Which light to ask at a place: one of the emitters, or the sun.

Choosing among all emitters evenly makes a home of several rooms noisy: most lamps are behind walls. So
a coarse grid over the world stores, cell by cell, how much each emitter gives there with walls in
between, found by some rays when the scene is loaded; emitters are then drawn by the alias method. A
share of the draws stays even, so the estimate has no bias wherever things move later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np

from veridical.core.geometry import Array
from veridical.render.alias import alias_tables
from veridical.render.emitters import NO_EMITTER, Emission, Emitters
from veridical.render.stage import Stage
from veridical.render.sun import Sun
from veridical.worlds.world import Look

_CELL_M = 0.5
_MAX_CELLS = 4096
_RAYS_PER_CELL = 24
_EVEN_SHARE = 0.1


@dataclass(frozen=True)
class LightSample:
    """A direction towards light: unit `d`, length `dist`, density `pdf`, radiance over density.

    `delta` is True for the sun, which no ray meets by chance.
    """

    d: Any
    dist: Any
    pdf: Any
    delta: Any
    radiance: Any


class Lights:
    """The emitters of a stage with the grid of their shares, and the sun with its portals.

    Args:
        stage: What rays meet.
        emitters: What shines.
        look: Says where the sun is.
        origin: World position of the stage's own origin.
        bounds: Lower and upper corner (2, 3) of the stage, in its own frame.
    """

    def __init__(self, stage: Stage, emitters: Emitters, look: Look, origin: Array, bounds: Array) -> None:
        self.emitters = emitters
        self._sun = Sun(look, origin) if look.sun and max(look.sun.irradiance) > 0 else None
        self._low, self._cell, self._shape = _grid(bounds)
        shares = self._measure(stage) if emitters.count else np.ones((int(np.prod(self._shape)), 1))
        self._count = max(emitters.count, 1)
        self._share = mi.Float(shares.ravel().astype(np.float32))
        chance, other = alias_tables(shares)
        self._chance, self._other = mi.Float(chance.ravel()), mi.UInt32(other.ravel())

    def state(self) -> tuple[Any, ...]:
        """The arrays that a kernel reads."""
        return (self.emitters.state(), self._share, self._chance, self._other)

    def sample(self, p: Any, sample2: Any, sample1: Any, active: Any) -> LightSample:
        """Draws a direction from which light may come to points p, whatever is in between."""
        if self._sun is None:
            return self._sample_emitter(p, sample2, sample1, active)
        dist = self._sun.distance(p)
        maybe = active & (dist > 0)
        if self.emitters.count == 0:
            d = self._sun.direction(sample2)
            return LightSample(d, dist, dr.select(maybe, 1.0, 0.0), mi.Bool(True), self._sun.irradiance)
        to_sun = maybe & (sample1 < 0.5)
        rescaled = dr.select(maybe, dr.select(to_sun, sample1 * 2, sample1 * 2 - 1), sample1)
        other = self._sample_emitter(p, sample2, rescaled, active & ~to_sun)
        share = dr.select(maybe, mi.Float(0.5), mi.Float(1))
        return LightSample(
            d=dr.select(to_sun, self._sun.direction(sample2), other.d),
            dist=dr.select(to_sun, dist, other.dist),
            pdf=dr.select(to_sun, 1.0, other.pdf * share),
            delta=to_sun,
            radiance=dr.select(to_sun, self._sun.irradiance * 2, other.radiance / share),
        )

    def pdf(self, p: Any, emitter: Any, dist: Any, cos: Any, active: Any) -> Any:
        """Density with which `sample` at p would have met a point of an emitter, its normal at cos."""
        found = active & (emitter != NO_EMITTER)
        share = dr.gather(mi.Float, self._share, self._row(p) + emitter, found)
        density = share * self.emitters.pdf(emitter, dist, cos, found)
        if self._sun is not None:
            density *= dr.select(found & (self._sun.distance(p) > 0), mi.Float(0.5), mi.Float(1))
        return dr.select(found, density, 0)

    def _sample_emitter(self, p: Any, sample2: Any, sample1: Any, active: Any) -> LightSample:
        row = self._row(p)
        scaled = sample1 * self._count
        number = dr.minimum(mi.UInt32(scaled), self._count - 1)
        rest = scaled - mi.Float(number)
        chance = dr.gather(mi.Float, self._chance, row + number, active)
        keep = rest < chance
        number = dr.select(keep, number, dr.gather(mi.UInt32, self._other, row + number, active))
        rest = dr.select(keep, rest / chance, (rest - chance) / dr.maximum(1 - chance, 1e-9))
        share = dr.gather(mi.Float, self._share, row + number, active)
        found = self.emitters.sample(p, number, dr.clip(rest, 0, 1), sample2, active)
        pdf = dr.select(active & (share > 0), found.pdf * share, 0)
        return LightSample(found.d, found.dist, pdf, mi.Bool(False), _over(found.radiance, pdf))

    def _row(self, p: Any) -> Any:
        """First entry in the tables of the grid cell that holds each point."""
        nx, ny, nz = self._shape
        x, y, z = ((p[k] - float(self._low[k])) / float(self._cell) for k in range(3))
        i, j, k = (mi.UInt32(dr.clip(c, 0, n - 0.5)) for c, n in ((x, nx), (y, ny), (z, nz)))
        return ((i * ny + j) * nz + k) * self._count

    def _measure(self, stage: Stage) -> Array:
        """Each emitter's share (cells, emitters) by what arrives in a cell, walls considered."""
        cells, count = int(np.prod(self._shape)), self.emitters.count
        even = np.full((cells, count), 1.0 / count)
        if count == 1:
            return even
        total = cells * _RAYS_PER_CELL
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(0, total)
        cell = dr.arange(mi.UInt32, total) // _RAYS_PER_CELL
        _, ny, nz = self._shape
        corner = mi.Vector3f(mi.Float(cell // (ny * nz)), mi.Float(cell // nz % ny), mi.Float(cell % nz))
        jitter = mi.Vector3f(sampler.next_1d(), sampler.next_1d(), sampler.next_1d())
        p = mi.Point3f(*self._low.tolist()) + (corner + jitter) * float(self._cell)
        arriving = np.zeros((cells, count))
        for e in range(count):
            number = dr.opaque(mi.UInt32, e)
            found = self.emitters.sample(p, number, sampler.next_1d(), sampler.next_2d(), mi.Bool(True))
            flux = self._flux(stage, p, found)
            arriving[:, e] = np.array(dr.block_sum(flux, _RAYS_PER_CELL))
        arriving = self._spread(arriving)
        sums = arriving.sum(axis=1, keepdims=True)
        shares = np.where(sums > 0, arriving / np.where(sums > 0, sums, 1), even)
        return (1 - _EVEN_SHARE) * shares + _EVEN_SHARE * even

    def _flux(self, stage: Stage, p: Any, found: Emission) -> Any:
        ray = mi.Ray3f(p, found.d)
        ray.maxt = dr.select(found.dist < 1e6, found.dist * (1 - 1e-3), dr.inf)
        seen = stage.light_through(ray, found.pdf > 0) > 0
        flux = dr.select(seen, mi.luminance(_over(found.radiance, found.pdf)), 0)
        # The near field of a lamp would outweigh everything in its cell
        return dr.minimum(flux, 50 * dr.mean(flux) + 1e-6)

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


def _over(radiance: Any, pdf: Any) -> Any:
    return dr.select(pdf > 0, radiance / pdf, 0)


def _grid(bounds: Array) -> tuple[Array, float, tuple[int, int, int]]:
    low, high = bounds
    extent = np.maximum(high - low, 0.1)
    cell = _CELL_M
    while np.prod(np.ceil(extent / cell)) > _MAX_CELLS:
        cell *= 1.1
    nx, ny, nz = (int(n) for n in np.ceil(extent / cell))
    return low, cell, (nx, ny, nz)
