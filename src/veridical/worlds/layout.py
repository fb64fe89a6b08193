"""What a generator of worlds returns, before it is compiled."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.assets.material import Rgb
from veridical.assets.thing import Placed
from veridical.worlds.world import Sun, SunPortal


@dataclass(frozen=True)
class Room:
    """A rectangular room: name, interior x0, y0, x1, y1 in metres, floor at z = 0, ceiling height."""

    name: str
    rect: tuple[float, float, float, float]
    height: float


@dataclass(frozen=True, eq=False)
class Layout:
    """Placed things and light.

    Attributes:
        placed: Everything, the building included, in a stable order.
        rooms: Where a robot may be.
        sky: Uniform radiance outside; None for a closed interior.
        sun: Direct sunlight, conditions applied.
        portals: Window openings for the sun.
        exposure: Factor from radiance to display.
    """

    placed: tuple[Placed, ...]
    rooms: tuple[Room, ...]
    sky: Rgb | None
    sun: Sun | None
    portals: tuple[SunPortal, ...]
    exposure: float
