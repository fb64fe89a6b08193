"""A textured floor under an open sky."""

from __future__ import annotations

import numpy as np

from veridical.assets.material import Rgb
from veridical.assets.thing import Collider, Finish, Mesh, Part, Placed, Thing
from veridical.core.geometry import from_rpy, transform
from veridical.scenario.schema import Conditions, EmptyWorld
from veridical.worlds.layout import Layout, Room
from veridical.worlds.world import Sun

_SKY = (0.55, 0.68, 0.90)
_SUN = (2.4, 2.3, 2.1)
_HEIGHT_M = 10.0
_THICKNESS_M = 0.5


def generate(world: EmptyWorld, conditions: Conditions) -> Layout:
    """A concrete floor of `size_m` squared, centred at the origin, its top at z = 0."""
    half = world.size_m / 2
    return Layout(
        placed=(Placed("floor", _floor(half), np.eye(4)),),
        rooms=(Room("field", (-half, -half, half, half), _HEIGHT_M),),
        sky=open_sky(conditions),
        sun=sunlight(conditions),
        portals=(),
        exposure=1.0,
    )


def open_sky(conditions: Conditions) -> Rgb:
    """Radiance of a clear sky, linear RGB."""
    r, g, b = (c * conditions.daylight for c in _SKY)
    return r, g, b


def sunlight(conditions: Conditions) -> Sun | None:
    """The sun of the conditions, which shines by day only; None without."""
    strength = conditions.sun * min(conditions.daylight, 1.0)
    if strength == 0:
        return None
    elevation, azimuth = np.deg2rad([conditions.sun_elevation_deg, conditions.sun_azimuth_deg])
    x, y, z = np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)
    r, g, b = (strength * c for c in _SUN)
    return Sun((float(x), float(y), float(z)), (r, g, b))


def _floor(half: float) -> Thing:
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]], float)
    mesh = Mesh(
        vertices=corners,
        faces=np.array([[0, 1, 2], [0, 2, 3]], np.int32),
        normals=np.tile([0.0, 0.0, 1.0], (4, 1)),
        uv=corners[:, :2].copy(),
    )
    below = transform(from_rpy([0, 0, 0]), [0, 0, -_THICKNESS_M / 2])
    slab = Collider("box", (half, half, _THICKNESS_M / 2), below)
    return Thing("floor", (Part(mesh, Finish("concrete")),), (slab,), (2 * half, 2 * half, _THICKNESS_M))
