"""Worlds of a few primitives, whose truth is known in closed form."""

from pathlib import Path

import mujoco
import numpy as np

from veridical.assets.material import Material
from veridical.core.geometry import Array, transform
from veridical.worlds.world import FreeSpace, Instance, Look, World

RADIUS, CENTRE = 0.3, np.array([0.2, -0.1, 1.0])
BOX_HALF, BOX_AT = np.array([0.2, 0.15, 0.25]), np.array([-0.6, 0.4, 0.25])

SCENE = """
<mujoco>
  <asset><material name="white" rgba="1 1 1 1"/><material name="lamp" rgba="1 1 1 1"/></asset>
  <worldbody>
    <body name="floor"><geom type="plane" size="3 3 .1" material="white"/></body>
    <body name="ball" pos="0.2 -0.1 1.0"><freejoint/><geom type="sphere" size=".3" material="white"/></body>
    <body name="crate" pos="-0.6 0.4 0.25"><geom type="box" size=".2 .15 .25" material="white"/></body>
  </worldbody>
</mujoco>
"""


def world(xml: str = SCENE, look: Look | None = None) -> World:
    model = mujoco.MjModel.from_xml_string(xml)
    names = [model.body(b).name for b in range(1, model.nbody)]
    dynamic = [bool(model.body(n).jntnum[0]) for n in names]
    instances = [
        Instance(i, n, "other", 1, n, d) for i, (n, d) in enumerate(zip(names, dynamic, strict=True), 1)
    ]
    space = FreeSpace(
        (0.0, 0.0),
        1.0,
        np.array([0.5]),
        np.ones((1, 1, 1), np.float32),
        np.zeros((1, 1), np.int16),
        ("room",),
    )
    return World(model, look or Look({}), tuple(instances), space, (), Path())


def matte(albedo: float, name: str = "white") -> Material:
    return Material(name, base_color=(albedo,) * 3, roughness=1.0, specular=0.0)


def looking(eye: Array, at: Array, roll: float = 0.0) -> Array:
    """Pose of an optical frame at `eye` that looks at `at`."""
    z = (np.asarray(at) - eye) / np.linalg.norm(np.asarray(at) - eye)
    x = np.cross(z, [0.0, 0.0, 1.0])
    x = x / np.linalg.norm(x)
    y = np.cross(z, x)
    c, s = np.cos(roll), np.sin(roll)
    return transform(np.stack([c * x + s * y, c * y - s * x, z], axis=1), eye)
