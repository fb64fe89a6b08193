"""The composed world: physics, look, labels and free space, as one value and as one folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from veridical.assets.material import Material, Rgb


@dataclass(frozen=True)
class Instance:
    """A thing with an identity in the label images: a body with everything below it.

    Attributes:
        id: Instance id in the label images, from 1; 0 is the background.
        name: Unique, stable name, such as `sofa_0` or `scout`.
        category: Key of `veridical.assets.categories.CATEGORIES`.
        semantic_id: The category's number.
        body: Name of the root MuJoCo body. Bodies below it belong to it unless they are roots themselves.
        dynamic: True if it can move.
    """

    id: int
    name: str
    category: str
    semantic_id: int
    body: str
    dynamic: bool


@dataclass(frozen=True)
class Sun:
    """Direct sunlight: unit vector towards the sun (world frame) and irradiance, linear RGB."""

    direction: tuple[float, float, float]
    irradiance: Rgb


@dataclass(frozen=True)
class SunPortal:
    """A window opening through which the sun may shine: a rectangle in world coordinates, metres."""

    center: tuple[float, float, float]
    half_u: tuple[float, float, float]
    half_v: tuple[float, float, float]


@dataclass(frozen=True)
class Look:
    """Everything about appearance that physics does not need.

    Attributes:
        materials: By name. A geom without one is drawn with its MuJoCo rgba, matte.
        sky: Uniform radiance of the surroundings, linear RGB; None for a closed interior.
        sun: Direct sunlight, if any.
        portals: Windows that let the sun in; empty means that the sun is unobstructed outdoors light.
        exposure: Factor from radiance to display, before the sRGB curve.
    """

    materials: dict[str, Material]
    sky: Rgb | None = None
    sun: Sun | None = None
    portals: tuple[SunPortal, ...] = ()
    exposure: float = 1.0


@dataclass(frozen=True)
class FreeSpace:
    """Where a body may be: height intervals free of anything solid, on a horizontal grid.

    Attributes:
        origin: World x, y of the corner of cell (0, 0), metres.
        cell_m: Cell size, metres.
        z_m: Heights of the layers' centres above the world origin, shape (nz,).
        distance_m: Distance from the cell's centre to the nearest solid surface, or to the outside of
            the apartment, shape (nx, ny, nz) float32; 0 inside solids.
        room: Room index by cell, -1 outside, shape (nx, ny) int16.
        room_names: One a room.
    """

    origin: tuple[float, float]
    cell_m: float
    z_m: NDArray[np.float64]
    distance_m: NDArray[np.float32]
    room: NDArray[np.int16]
    room_names: tuple[str, ...]


@dataclass(frozen=True)
class RobotPart:
    """Where a robot stands in the composed model.

    Attributes:
        name: Its name in the scenario; every MuJoCo name of it begins with `<name>/`.
        kind: Its kind in the scenario.
        body: Root body's name; the robot's frame (x forward, y left, z up).
        sensor_body: Name of the body that carries its sensors.
    """

    name: str
    kind: str
    body: str
    sensor_body: str


@dataclass(frozen=True)
class World:
    """A compiled world.

    Attributes:
        model: The compiled MuJoCo model, robots included.
        look: Appearance.
        instances: The label table, by ascending id.
        free_space: Navigable space, without the robots and the movable things in it.
        robots: In the order of the scenario.
        textures: Folder with the texture files that `look` names.
        warnings: What was repaired or ignored, one sentence each.
        licences: Source and licence of each asset that is not generated: name, source, spdx, sha256.
    """

    model: mujoco.MjModel
    look: Look
    instances: tuple[Instance, ...]
    free_space: FreeSpace
    robots: tuple[RobotPart, ...]
    textures: Path
    warnings: tuple[str, ...] = ()
    licences: tuple[dict[str, Any], ...] = field(default=())
