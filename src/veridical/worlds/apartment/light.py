"""Light: how bright windows and lamps shine, the sun, and the exposure.

Radiances are relative: at exposure 1 a radiance of 1 is display white. Every room is given lamps of the
same effect by the integrating-sphere rule: the mean irradiance is flux / (area x (1 - reflectance)), and a
wall of reflectance r then has the radiance r x irradiance / pi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from veridical.assets.material import Rgb
from veridical.assets.thing import Mesh, Part, Thing
from veridical.scenario.schema import Conditions
from veridical.worlds.layout import Room
from veridical.worlds.world import Sun

_REFLECTANCE = 0.55
_LAMP_IRRADIANCE = 1.25  # mean over the surfaces of a room
_EXPOSED_FOR = 3.4  # mean irradiance for which the exposure is 1
_ADAPTATION = 0.6  # 1 is a camera that makes everything equally bright, 0 one that never adapts
_MOST_EXPOSURE = 6.0
_VIEW_MEAN = 0.45  # of the picture in the windows
_WARM: Rgb = (1.0, 0.86, 0.68)  # as a camera balanced between lamps and daylight sees them
_SKY: Rgb = (2.3, 2.5, 2.75)
_SUN: Rgb = (9.0, 8.1, 6.8)


def outside_radiance(conditions: Conditions) -> Rgb:
    """Radiance of the view behind the windows."""
    r, g, b = (c * conditions.daylight for c in _SKY)
    return r, g, b


def exposure(conditions: Conditions, rooms: Sequence[Room], windows_m2: float) -> float:
    """Exposure of a camera that was set once for the mean light of the apartment.

    Args:
        conditions: Lamps and daylight.
        rooms: All rooms.
        windows_m2: Area of all windows.
    """
    sky = float(np.mean(_SKY)) * _VIEW_MEAN * conditions.daylight
    losses = sum(_surface_m2(r) for r in rooms) * (1 - _REFLECTANCE)
    irradiance = np.pi * sky * windows_m2 / losses
    if _on(conditions):
        irradiance += _LAMP_IRRADIANCE * conditions.lamp_intensity
    if irradiance <= 0:
        return _MOST_EXPOSURE
    wanted = float((_EXPOSED_FOR / irradiance) ** _ADAPTATION)
    return round(min(_MOST_EXPOSURE, wanted), 4)


def sun(conditions: Conditions) -> Sun | None:
    """The sun of the conditions; None if it does not shine."""
    if conditions.sun == 0 or conditions.daylight == 0:
        return None
    elevation, azimuth = np.radians(conditions.sun_elevation_deg), np.radians(conditions.sun_azimuth_deg)
    flat = np.cos(elevation)
    direction = (float(flat * np.cos(azimuth)), float(flat * np.sin(azimuth)), float(np.sin(elevation)))
    r, g, b = (c * conditions.sun for c in _SUN)
    return Sun(direction, (r, g, b))


def lit(thing: Thing, conditions: Conditions, flux: float) -> Thing:
    """The lamp with its shining parts set to give `flux` in all, or dark if lamps are off.

    Args:
        thing: A lamp; its parts with an emission shine.
        conditions: Whether and how strongly.
        flux: Power of the lamp before `lamp_intensity`, in units of radiance x m^2 x sr.
    """
    on = _on(conditions) and flux > 0
    area = sum(mesh_area(p.mesh) for p in thing.parts if p.finish.emission is not None)
    radiance = flux * conditions.lamp_intensity / (np.pi * area) if on and area > 0 else 0.0
    r, g, b = (round(float(radiance * c / _WARM[1]), 4) for c in _WARM)

    return _shining(thing, (r, g, b) if on else None)


def screens_lit(thing: Thing, conditions: Conditions) -> Thing:
    """The thing with its screens as bright as `lamp_intensity` says, or dark if lamps are off."""
    shown = next((p.finish.emission for p in thing.parts if p.finish.emission is not None), None)
    if shown is None:
        return thing
    r, g, b = (round(c * conditions.lamp_intensity, 4) for c in shown)
    return _shining(thing, (r, g, b) if _on(conditions) else None)


def _on(conditions: Conditions) -> bool:
    return conditions.lamps == "on" and conditions.lamp_intensity > 0


def _shining(thing: Thing, emission: Rgb | None) -> Thing:
    """The thing with another emission of all its shining parts."""
    parts = (
        p if p.finish.emission is None else Part(p.mesh, replace(p.finish, emission=emission))
        for p in thing.parts
    )
    return replace(thing, parts=tuple(parts))


def room_flux(room: Room) -> float:
    """Flux that lights a room to the usual level."""
    return _LAMP_IRRADIANCE * _surface_m2(room) * (1 - _REFLECTANCE)


def _surface_m2(room: Room) -> float:
    x0, y0, x1, y1 = room.rect
    w, d = x1 - x0, y1 - y0
    return 2 * w * d + 2 * (w + d) * room.height


def mesh_area(mesh: Mesh) -> float:
    """Area of a mesh in m^2."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)
