"""The floor plan: rectangular rooms, the walls between them and the openings in the walls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veridical.worlds.layout import Room

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1, metres."""

Side = Literal["south", "north", "west", "east"]
SIDES: tuple[Side, ...] = ("south", "north", "west", "east")
INWARD: dict[Side, tuple[float, float]] = {
    "south": (0.0, 1.0),
    "north": (0.0, -1.0),
    "west": (1.0, 0.0),
    "east": (-1.0, 0.0),
}
"""Direction from the wall at that side of a room into the room."""


@dataclass(frozen=True)
class Wall:
    """A straight wall: footprint, running direction, and whether the open air is behind it."""

    name: str
    axis: Literal["x", "y"]
    rect: Rect
    outer: bool

    @property
    def across(self) -> tuple[float, float]:
        """Its two faces as coordinates across its running direction, low then high."""
        return (self.rect[1], self.rect[3]) if self.axis == "x" else (self.rect[0], self.rect[2])

    @property
    def along(self) -> tuple[float, float]:
        """Its two ends as coordinates along its running direction."""
        return (self.rect[0], self.rect[2]) if self.axis == "x" else (self.rect[1], self.rect[3])


@dataclass(frozen=True)
class Opening:
    """A hole in a wall.

    Attributes:
        kind: `passage` (no leaf), `door` (an open leaf), `entrance` (a closed leaf), `window`.
        wall: Index of the wall.
        start: Lower end along the wall, metres.
        end: Upper end along the wall, metres.
        bottom: Lower edge above the floor, metres.
        top: Upper edge above the floor, metres.
        rooms: Rooms on the low and on the high side of the wall; None is the open air.
    """

    kind: Literal["passage", "door", "entrance", "window"]
    wall: int
    start: float
    end: float
    bottom: float
    top: float
    rooms: tuple[int | None, int | None]

    @property
    def width(self) -> float:
        """Width in metres."""
        return self.end - self.start


@dataclass(frozen=True)
class FloorPlan:
    """Rooms by index, walls by index, and openings. `kinds` says what each room is for."""

    rooms: tuple[Room, ...]
    kinds: tuple[str, ...]
    walls: tuple[Wall, ...]
    openings: tuple[Opening, ...]

    def wall_of(self, room: int, side: Side) -> int:
        """Index of the wall at a side of a room."""
        x0, y0, x1, y1 = self.rooms[room].rect
        low, high = (x0, x1) if side in ("south", "north") else (y0, y1)
        face = {"south": y0, "north": y1, "west": x0, "east": x1}[side]
        edge = 1 if side in ("south", "west") else 0
        axis = "x" if side in ("south", "north") else "y"
        for i, wall in enumerate(self.walls):
            a, b = wall.along
            if (
                wall.axis == axis
                and abs(wall.across[edge] - face) < 1e-6
                and a <= low + 1e-6
                and b >= high - 1e-6
            ):
                return i
        msg = f"no wall at the {side} side of {self.rooms[room].name}"
        raise ValueError(msg)

    def openings_at(self, room: int, side: Side) -> tuple[Opening, ...]:
        """Openings in that wall that lead into the room."""
        wall = self.wall_of(room, side)
        return tuple(o for o in self.openings if o.wall == wall and room in o.rooms)


def span(rect: Rect, side: Side) -> tuple[float, float]:
    """Extent of a side of a rectangle along its running direction."""
    return (rect[0], rect[2]) if side in ("south", "north") else (rect[1], rect[3])
