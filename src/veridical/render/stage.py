"""What rays meet: the resting part of the world and the moving part, each with its own ray structure.

Embree rebuilds the whole structure of a scene when one of its shapes moves. Robots move in every frame and
are small; the rest of the world is large and moves seldom. Tracing both costs a little, rebuilding a home
for every frame costs more than the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from veridical.render.shapes import Tier

_PANE_TRANSMISSION = 0.92
"""Of a pane of refractive index 1.5 at normal incidence, both faces (Fresnel)."""
_MAX_PANES = 8


class Stage:
    """Tiers that rays see as one scene.

    Attributes:
        scenes: The tiers' Mitsuba scenes.
        pieces: All pieces, tier by tier.
    """

    def __init__(self, tiers: Sequence[Tier]) -> None:
        self.scenes = tuple(tier.scene for tier in tiers)
        self._solid = tuple(tier.scene for tier in tiers if not tier.is_glass)
        self._glass = tuple(tier.scene for tier in tiers if tier.is_glass)
        self.pieces = tuple(piece for tier in tiers for piece in tier.pieces)
        shapes = [shape for scene in self.scenes for shape in scene.shapes()]
        starts = np.cumsum([0, *(len(tier.pieces) for tier in tiers)])
        owners = [
            own + np.uint32(start)
            for tier, start in zip(tiers, starts, strict=False)
            for own in tier.piece_of_primitive
        ]
        numbers = [_number(mi.ShapePtr(s)) for s in shapes]
        sizes = np.array([len(own) for own in owners])
        self._piece_of_slot = mi.UInt32(np.concatenate(owners))
        self._slot = _table(numbers, np.cumsum(sizes) - sizes)
        self._stride = _table(numbers, sizes > 1)

    def state(self) -> tuple[Any, ...]:
        """The arrays that a kernel reads."""
        return (self._piece_of_slot, self._slot, self._stride)

    def piece_of(self, hit: Any, active: Any) -> Any:
        """Place in `pieces` of what each ray hit."""
        number = dr.reinterpret_array(mi.UInt32, hit.shape)
        slot = dr.gather(mi.UInt32, self._slot, number, active)
        stride = dr.gather(mi.UInt32, self._stride, number, active)
        return dr.gather(mi.UInt32, self._piece_of_slot, slot + stride * hit.prim_index, active)

    def meet(self, ray: Any, coherent: Any, active: Any = True) -> Any:
        """The nearest hit of each ray, a PreliminaryIntersection3f."""
        hit = self.scenes[0].ray_intersect_preliminary(ray, coherent, active=active)
        for scene in self.scenes[1:]:
            shorter = mi.Ray3f(ray)
            shorter.maxt = dr.minimum(ray.maxt, hit.t)
            other = scene.ray_intersect_preliminary(shorter, coherent, active=active)
            hit = dr.select(other.is_valid(), other, hit)
        return hit

    def is_blocked(self, ray: Any, active: Any = True) -> Any:
        """True where something, be it glass, lies on the ray before its end."""
        return _any_hit(self.scenes, ray, active)

    def light_through(self, ray: Any, active: Any) -> Any:
        """Share of the light that comes along the ray: 0 behind something solid, less than 1 behind glass."""
        free = mi.Bool(active) & ~_any_hit(self._solid, ray, active)
        passed = dr.select(free, mi.Float(1), mi.Float(0))
        for scene in self._glass:
            passed *= _panes(scene, ray, free)
        return passed


def _any_hit(scenes: Sequence[Any], ray: Any, active: Any) -> Any:
    hit = mi.Bool(False)
    for scene in scenes:
        hit |= scene.ray_test(ray, active & ~hit)
    return hit


@dr.syntax  # type: ignore[untyped-decorator]
def _panes(glass: Any, ray: Any, active: Any) -> Any:
    """Share of the light that panes on the ray let through."""
    ray, active = mi.Ray3f(ray), mi.Bool(active)
    passed, panes = mi.Float(1), mi.UInt32(0)
    while active:
        hit = glass.ray_intersect_preliminary(ray, False, active=active)
        active &= hit.is_valid()
        step = hit.t + 1e-4 * (1 + dr.abs(hit.t))
        ray.o = dr.select(active, ray.o + ray.d * step, ray.o)
        ray.maxt = dr.select(active, ray.maxt - step, ray.maxt)
        passed = dr.select(active, passed * _PANE_TRANSMISSION, passed)
        panes += 1
        active &= (ray.maxt > 0) & (panes < _MAX_PANES)
    return passed


def _number(pointer: Any) -> int:
    return int(dr.reinterpret_array(mi.UInt32, pointer)[0])


def _table(numbers: list[int], values: NDArray[Any]) -> Any:
    """From a number in Dr.Jit's registry to a value, as UInt32."""
    table = np.zeros(max(numbers, default=0) + 1, np.uint32)
    table[numbers] = values
    return mi.UInt32(table)
