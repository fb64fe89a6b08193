"""What a generator of worlds returns, before it is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from veridical.assets.material import Rgb
from veridical.assets.thing import Finish, Placed
from veridical.worlds.world import Sun, SunPortal

if TYPE_CHECKING:
    from veridical.assets.surfaces import Surface


@dataclass(frozen=True)
class Room:
    """A rectangular room: name, interior x0, y0, x1, y1, height above its floor, floor's z; metres."""

    name: str
    rect: tuple[float, float, float, float]
    height: float
    floor: float = 0.0


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
        surfaces: Surfaces that come with the world, such as those of a user's file, by the finish that
            asks for them; every other finish is generated.
        warnings: What was repaired or ignored, one sentence each.
        licences: Source and licence of what is not generated: name, source, spdx, sha256.
    """

    placed: tuple[Placed, ...]
    rooms: tuple[Room, ...]
    sky: Rgb | None
    sun: Sun | None
    portals: tuple[SunPortal, ...]
    exposure: float
    surfaces: Mapping[Finish, Surface] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    licences: tuple[dict[str, Any], ...] = ()
