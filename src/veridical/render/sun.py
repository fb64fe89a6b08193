"""The sun, which shines in through the windows although the windows themselves are opaque lights."""

from __future__ import annotations

from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np

from veridical.core.geometry import Array
from veridical.worlds.world import Look

_SUN_ANGULAR_RADIUS_RAD = 0.00465
_PORTAL_GAP_M = 0.02


class Sun:
    """Parallel light with a disk of its own size, through portals if there are any."""

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
        return dr.normalize(vector(self._d) + disk.x * vector(self._s) + disk.y * vector(self._t))

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
            rel = vector(np.asarray(portal.center) - self._origin) - mi.Vector3f(p)
            t = dr.dot(rel, vector(n)) / facing
            q = vector(self._d) * t - rel
            inside = (dr.abs(dr.dot(q, vector(u / (u @ u)))) <= 1) & (
                dr.abs(dr.dot(q, vector(v / (v @ v)))) <= 1
            )
            longest = dr.select(inside & (t > _PORTAL_GAP_M), dr.maximum(longest, t - _PORTAL_GAP_M), longest)
        return longest


def vector(v: Array) -> Any:
    """A constant (3,) as Mitsuba's vector."""
    return mi.Vector3f(*v.tolist())
