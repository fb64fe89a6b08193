"""Procedural texture sets: every surface of the generated worlds, made from a kind and a seed.

Prints (`poster`, `book`, `label`, `screen`, `outside_view`, `lamp_glow`) show one whole picture for UVs in
0..1: their tile size is 1, so meshes give UVs of 0..1 for them instead of metres.
"""

from veridical.assets.surfaces.catalogue import SURFACES
from veridical.assets.surfaces.gate import orb_per_megapixel
from veridical.assets.surfaces.make import Surface, surface

__all__ = ["SURFACES", "Surface", "orb_per_megapixel", "surface"]
