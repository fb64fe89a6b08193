"""Materials shared by the built-in robots."""

from __future__ import annotations

from collections.abc import Iterable

import mujoco

from veridical.assets.material import Material

_ALL = (
    Material("shell", base_color=(0.055, 0.06, 0.068), roughness=0.42, two_sided=False),
    Material("trim", base_color=(0.78, 0.79, 0.8), roughness=0.35, two_sided=False),
    Material("accent", base_color=(0.02, 0.16, 0.5), roughness=0.3, two_sided=False),
    Material("carbon", base_color=(0.022, 0.022, 0.024), roughness=0.5, two_sided=False),
    Material("metal", base_color=(0.56, 0.57, 0.58), roughness=0.28, metallic=1.0, two_sided=False),
    Material("lens", base_color=(0.006, 0.006, 0.01), roughness=0.06, specular=0.8, two_sided=False),
    Material("rubber", base_color=(0.018, 0.018, 0.018), roughness=0.85, two_sided=False),
    Material("signal", base_color=(0.7, 0.12, 0.02), roughness=0.35, two_sided=False),
)
_BY_NAME = {m.name: m for m in _ALL}


def add_materials(spec: mujoco.MjSpec, names: Iterable[str]) -> dict[str, Material]:
    """Adds MuJoCo materials of these names; returns their appearance."""
    chosen = {name: _BY_NAME[name] for name in names}
    for name, material in chosen.items():
        spec.add_material(
            name=name,
            rgba=[*(c ** (1 / 2.2) for c in material.base_color), 1.0],
            roughness=material.roughness,
        )
    return chosen
