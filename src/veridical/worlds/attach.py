"""Robots join the world: every name gets its prefix, and the options that attaching drops are kept."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from veridical.assets.material import Material
from veridical.core.hashing import content_hash
from veridical.robots import RobotModel
from veridical.worlds.world import RobotPart

_WORLD_RULES = ("timestep", "gravity", "wind", "magnetic", "density", "viscosity")
"""Options of the world around the robot: the scenario says them, never a robot's file."""

_NAMES: dict[str, type] = {
    "cone": mujoco.mjtCone,
    "integrator": mujoco.mjtIntegrator,
    "jacobian": mujoco.mjtJacobian,
    "solver": mujoco.mjtSolver,
}

_OPTIONS = (
    "cone",
    "impratio",
    "integrator",
    "jacobian",
    "solver",
    "iterations",
    "ls_iterations",
    "noslip_iterations",
    "ccd_iterations",
    "sdf_iterations",
    "sdf_initpoints",
    "tolerance",
    "ls_tolerance",
    "noslip_tolerance",
    "ccd_tolerance",
    "disableflags",
    "enableflags",
    "o_margin",
    "o_solref",
    "o_solimp",
    "o_friction",
)


class Options:
    """The engine's options while robots join: who set which, and what had to give way."""

    def __init__(self, spec: mujoco.MjSpec) -> None:
        self._spec = spec
        self._default = mujoco.MjSpec().option
        self._owner: dict[str, str] = {}
        self.warnings: list[str] = []

    def adopt(self, robot: str, option: Any) -> None:
        """Takes over what the robot's file sets, as far as the world and earlier robots leave it open."""
        for name in _OPTIONS:
            self._adopt_one(robot, name, getattr(option, name))
        for name in _WORLD_RULES:
            wanted, kept = getattr(option, name), getattr(self._spec.option, name)
            if not _equal(wanted, getattr(self._default, name)) and not _equal(wanted, kept):
                self._warn(robot, name, wanted, kept, "the scenario's")

    def _adopt_one(self, robot: str, name: str, wanted: Any) -> None:
        if _equal(wanted, getattr(self._default, name)):
            return
        kept = getattr(self._spec.option, name)
        if name in ("disableflags", "enableflags"):
            wanted = kept | wanted
        if name in self._owner and not _equal(wanted, kept):
            self._warn(robot, name, wanted, kept, f"that of robot '{self._owner[name]}'")
            return
        self._owner.setdefault(name, robot)
        setattr(self._spec.option, name, wanted)

    def _warn(self, robot: str, name: str, wanted: Any, kept: Any, whose: str) -> None:
        self.warnings.append(
            f"robot '{robot}' asks for {name} = {_text(name, wanted)}, but the model has one value for all: "
            f"{_text(name, kept)}, {whose}"
        )


def attach_robot(spec: mujoco.MjSpec, name: str, kind: str, robot: RobotModel, options: Options) -> RobotPart:
    """Attaches the robot at the world's origin, with `<name>/` before each of its names."""
    child = robot.spec
    for key in list(child.keys):  # they do not fit the state of the whole
        child.delete(key)
    options.adopt(name, child.option)
    child.option = spec.option
    with warnings.catch_warnings():
        # it warns of a child without assets, which a robot made of primitives is
        warnings.filterwarnings("ignore", message="Attaching a child without asset dict")
        spec.attach(child, prefix=f"{name}/", frame=spec.worldbody.add_frame())
    return RobotPart(name, kind, f"{name}/{robot.body}", f"{name}/{robot.sensor_body}")


def prefixed(name: str, materials: Mapping[str, Material]) -> dict[str, Material]:
    """A robot's materials under the names that they have in the composed model."""
    return {f"{name}/{key}": replace(m, name=f"{name}/{key}") for key, m in materials.items()}


def textured(robot: RobotModel) -> tuple[dict[str, Material], dict[str, bytes]]:
    """A robot's materials with the images that its file gives them, and those images by file name.

    Only PNG images that are laid on by mesh coordinates are taken; the others stay plain colours.
    """
    spec = robot.spec
    materials, images = dict(robot.materials), {}
    for material in spec.materials:
        texture = spec.texture(material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB])
        known = materials.get(material.name)
        if known is None or known.albedo is not None or texture is None:
            continue
        data = spec.assets.get(texture.file, b"")
        if texture.type == mujoco.mjtTexture.mjTEXTURE_2D and data.startswith(b"\x89PNG"):
            name = f"{content_hash(data)[:16]}.png"
            materials[material.name] = replace(known, albedo=name)
            images[name] = data
    return materials, images


def _equal(a: Any, b: Any) -> bool:
    return bool(np.array_equal(np.asarray(a), np.asarray(b)))


def _text(name: str, value: Any) -> str:
    if name in _NAMES:
        return str(_NAMES[name](value).name.split("_", 1)[1].lower())
    return str(value.tolist() if isinstance(value, np.ndarray) else value)
