"""Finishes of things become materials with textures, each made once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from veridical.assets.material import Material
from veridical.assets.surfaces import Surface, surface
from veridical.assets.thing import Finish, Repainted
from veridical.core.hashing import content_hash


@dataclass
class Palette:
    """The materials of a world while it is composed.

    Attributes:
        given: Surfaces at hand, such as those of a user's file; any other is generated when asked for.
        materials: What was asked for so far, by name.
        files: Texture file name to where it lies, or its bytes.
    """

    given: Mapping[Finish, Surface] = field(default_factory=dict)
    materials: dict[str, Material] = field(default_factory=dict)
    files: dict[str, Path | bytes] = field(default_factory=dict)
    _taken: dict[Finish, Surface] = field(default_factory=dict)

    def take(self, finish: Finish) -> Surface:
        """The surface of a finish, under a name that is unique in this world."""
        if finish not in self._taken:
            pattern = pattern_of(finish)
            found = self.given[pattern] if pattern in self.given else surface(pattern)
            material = _as_told(finish, found.material)
            if self.materials.get(material.name, material) != material:
                material = replace(material, name=f"{material.name}-{content_hash(repr(finish))[:8]}")
            self.materials[material.name] = material
            self.files |= {f: p for f, p in found.files.items() if f in texture_files(material)}
            self._taken[finish] = replace(found, material=material)
        return self._taken[finish]


def pattern_of(finish: Finish) -> Finish:
    """The finish whose pictures a finish shows."""
    return finish.made if isinstance(finish, Repainted) else finish


def texture_files(material: Material) -> set[str]:
    """Names of the files that a material names."""
    files = (material.albedo, material.roughness_map, material.normal_map, material.emission_map)
    return {f for f in files if f is not None}


def _as_told(finish: Finish, material: Material) -> Material:
    if not isinstance(finish, Repainted):
        return material
    material = replace(material, name=f"{material.name}-{content_hash(repr(finish))[:8]}")
    if finish.plain is not None:
        material = replace(material, base_color=finish.plain, albedo=None)
    if finish.roughness is not None:
        material = replace(material, roughness=finish.roughness, roughness_map=None)
    if finish.glow is not None:
        glow = finish.glow if max(finish.glow) > 0 else None
        material = replace(material, emission=glow, emission_map=material.emission_map if glow else None)
    return material


def painted(finishes: Iterable[Finish]) -> dict[Finish, Surface]:
    """The surfaces of many finishes; those that are not cached yet are painted by all processors.

    Threads are enough, since the work is numpy's and OpenCV's, and they ask nothing of a user's script,
    as child processes would.
    """
    wanted = sorted(set(finishes), key=repr)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(wanted, pool.map(surface, wanted), strict=True))
