"""A world from a user's mesh file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from veridical.assets.categories import CATEGORIES
from veridical.assets.readers import Node, read_mesh_file
from veridical.assets.readers.convex import decompose, hull
from veridical.assets.thing import Collider, Finish, Mesh, Part, Placed, Thing
from veridical.core.errors import AssetError
from veridical.core.geometry import Array, transform
from veridical.core.hashing import file_hash
from veridical.scenario.schema import Conditions, FileWorld
from veridical.worlds.empty import open_sky, sunlight
from veridical.worlds.layout import Layout, Room

_SENSIBLE_M = (0.5, 1000.0)
"""Largest extent of a world between these is believed."""
_USUAL_M = 10.0
_UNITS = (0.001, 0.01, 0.0254, 0.1, 0.3048, 1.0, 10.0, 100.0, 1000.0)
_LAMP_FLUX = 0.25
"""A lamp's power by area of the surfaces around it, as in generated rooms: 0.55 x (1 - 0.55) reflectance."""


def generate(world: FileWorld, conditions: Conditions, scenario_folder: Path) -> Layout:
    """Reads the file, one thing a node, with collision shapes as asked for.

    Raises:
        AssetError: If the file is missing or broken, or its size makes no sense in metres.
    """
    path = scenario_folder / world.path
    try:
        file = read_mesh_file(path, world.scale, world.up)
    except AssetError as error:
        raise AssetError(f"world.path: {error}") from error
    bounds = file.bounds
    _check_size(path, bounds, world)
    warnings = list(file.warnings)
    placed = [_thing(node, world, warnings) for node in file.nodes]
    lit = any(s.material.emission for s in file.surfaces.values())
    if world.lamp and not lit and conditions.lamps == "on" and conditions.lamp_intensity > 0:
        placed.append(_panel(bounds, conditions, {p.name for p in placed}))
    (x0, y0, z0), (x1, y1, z1) = bounds
    return Layout(
        placed=tuple(placed),
        rooms=(Room(path.stem, (x0, y0, x1, y1), z1 - z0, floor=z0),),
        sky=open_sky(conditions),
        sun=sunlight(conditions),
        portals=(),
        exposure=1.0,
        surfaces=file.surfaces,
        warnings=tuple(warnings),
        licences=(
            {"name": path.name, "source": world.path, "spdx": "NOASSERTION", "sha256": file_hash(path)},
        ),
    )


def _check_size(path: Path, bounds: Array, world: FileWorld) -> None:
    extent = bounds[1] - bounds[0]
    largest = float(extent.max())
    if _SENSIBLE_M[0] <= largest <= _SENSIBLE_M[1]:
        return
    better = min(_UNITS, key=lambda f: abs(np.log(largest * f / _USUAL_M)))
    size = " x ".join(f"{e:.4g}" for e in extent)
    raise AssetError(
        f"{path} is {size} m in size with world.scale = {world.scale:g}, which is no room; "
        f"try world.scale: {world.scale * better:g}, which makes it {largest * better:.3g} m"
    )


def _thing(node: Node, world: FileWorld, warnings: list[str]) -> Placed:
    corners = np.concatenate([p.mesh.vertices for p in node.parts])
    low, high = corners.min(axis=0), corners.max(axis=0)
    foot = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    parts = tuple(Part(_moved(p.mesh, -foot), p.finish) for p in node.parts)
    colliders = _colliders(node.name, [p.mesh for p in parts], world, warnings)
    x, y, z = (float(v) for v in high - low)
    thing = Thing(category_of(node.name), parts, colliders, (x, y, z))
    return Placed(node.name, thing, transform(np.eye(3), foot))


def category_of(name: str) -> str:
    """The label that a node's name speaks of, such as `chair` for `Chair.003`; else `other`."""
    words = re.split(r"[^a-z]+", name.lower())
    for word in words:
        for candidate in (word, word.removesuffix("s")):
            if candidate in CATEGORIES and candidate != "background":
                return candidate
    return "other"


def _colliders(
    name: str, meshes: Sequence[Mesh], world: FileWorld, warnings: list[str]
) -> tuple[Collider, ...]:
    if world.collision == "none":
        return ()
    vertices = np.concatenate([m.vertices for m in meshes])
    if world.collision == "convex":
        around = hull(vertices)
        return () if around is None else (around,)
    offsets = np.cumsum([0, *(len(m.vertices) for m in meshes[:-1])])
    faces = np.concatenate([m.faces + o for m, o in zip(meshes, offsets, strict=True)]).astype(np.int32)
    shapes = decompose(vertices, faces)
    if shapes.boxed:
        warnings.append(
            f"{name}: {shapes.boxed} pieces have no convex parts and touch as boxes; "
            "close their surfaces, and install the extra 'convex' if it is missing"
        )
    return shapes.colliders


def _moved(mesh: Mesh, by: Array) -> Mesh:
    return Mesh(mesh.vertices + by, mesh.faces, mesh.normals, mesh.uv)


def _panel(bounds: Array, conditions: Conditions, taken: set[str]) -> Placed:
    """A soft light just below the highest point, over the middle third."""
    center = (bounds[0] + bounds[1]) / 2
    x, y, z = bounds[1] - bounds[0]
    hx, hy = x / 6, y / 6
    corners = np.array([[-hx, -hy, 0], [-hx, hy, 0], [hx, hy, 0], [hx, -hy, 0]], float)
    mesh = Mesh(
        corners, np.array([[0, 1, 2], [0, 2, 3]], np.int32), np.tile([0.0, 0, -1], (4, 1)), corners[:, :2]
    )
    flux = _LAMP_FLUX * 2 * (x * y + y * z + z * x) * conditions.lamp_intensity
    radiance = float(flux / (np.pi * 4 * hx * hy))
    finish = Finish("plastic", tint=(0.9, 0.9, 0.9), emission=(radiance, radiance * 0.95, radiance * 0.85))
    thing = Thing("lamp", (Part(mesh, finish),), (), (2 * hx, 2 * hy, 0.01))
    name = next(n for n in ("lamp", *(f"lamp_{i}" for i in range(10**6))) if n not in taken)
    return Placed(name, thing, transform(np.eye(3), [center[0], center[1], bounds[1][2] - 0.05]))
