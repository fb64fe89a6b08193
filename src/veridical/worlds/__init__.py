"""From a scenario to a compiled world: generators, composition, the world folder, free space."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridical.scenario.schema import Scenario
    from veridical.worlds.world import World

__all__ = ["compose", "load_world"]


def compose(scenario: Scenario, world_folder: Path) -> World:
    """Generates the scenario's world, puts the robots into it, compiles it and stores it.

    Args:
        scenario: What to build.
        world_folder: Written atomically; must not exist.

    Returns:
        The world as read back from the folder, so that what runs is exactly what is stored.

    Raises:
        AssetError: If a mesh, texture or robot file is missing or cannot be used.
        DataError: If the folder exists.
    """
    from veridical.worlds.composition import compose_world

    return compose_world(scenario, world_folder)


def load_world(world_folder: Path) -> World:
    """Reads a world folder and compiles its scene.

    Raises:
        DataError: If the folder is missing, incomplete, or of another version.
    """
    from veridical.worlds.store import read_world

    return read_world(world_folder)
