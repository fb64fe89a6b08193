"""Light against closed forms, and pictures that can be made again."""

import numpy as np
import pytest
from little import looking, matte, world

from veridical.assets.material import Material
from veridical.core.camera import PinholeCamera
from veridical.render import RenderScene
from veridical.render.tone import decode_srgb
from veridical.worlds.world import Look, Sun

CAMERA = PinholeCamera.from_hfov(64, 48, 0.3)
BALL = """<mujoco><asset><material name="white"/></asset><worldbody>
  <body name="ball"><geom type="sphere" size="1" material="white"/></body></worldbody></mujoco>"""
LAMP = """<mujoco>
  <asset><material name="white"/><material name="lamp"/></asset>
  <worldbody>
    <body name="floor"><geom type="plane" size="5 5 .1" material="white"/></body>
    <body name="lamp" pos="0 0 2"><geom type="box" size=".5 .5 .001" material="lamp"/></body>
  </worldbody></mujoco>"""
FLOOR = """<mujoco><asset><material name="white"/></asset><worldbody>
  <body name="floor"><geom type="plane" size="50 50 .1" material="white"/></body></worldbody></mujoco>"""


def mean_linear(scene, T, rows=slice(16, 32), columns=slice(24, 40)):
    """Mean of the middle of a picture, linear; exposures here stay below the shoulder of the curve."""
    return float(decode_srgb(scene.colour(CAMERA, T, 1)[rows, columns] / 255.0).mean())


@pytest.mark.parametrize(
    "material",
    [matte(0.5), Material("white", base_color=(0.5,) * 3, roughness=0.3, metallic=1.0)],
    ids=["matte", "metal"],
)
def test_a_convex_body_under_a_uniform_sky_reflects_its_albedo(material):
    look = Look({"white": material}, sky=(1.0, 1.0, 1.0))
    scene = RenderScene(world(BALL, look), "high")
    seen = mean_linear(scene, looking(np.array([0.0, -6.0, 0.0]), np.zeros(3)))
    assert seen == pytest.approx(0.5, rel=0.03)


def test_floor_under_a_square_lamp():
    """Irradiance under the middle of a square lamp: L times the form factor, albedo over pi of it is seen."""
    look = Look({"white": matte(0.6), "lamp": Material("lamp", emission=(4.0, 4.0, 4.0))})
    scene = RenderScene(world(LAMP, look), "high")
    a = 0.5 / 2.0  # half side over distance
    x = a / np.sqrt(1 + a * a)
    form_factor = (
        4 / np.pi * x * np.arctan(x)
    )  # of a square above a point (Siegel and Howell, B-3, four times)
    eye, spot = np.array([2.5, 0.0, 1.5]), np.zeros(3)
    expected = 0.6 * 4.0 * form_factor
    assert mean_linear(scene, looking(eye, spot), slice(22, 26), slice(30, 34)) == pytest.approx(
        expected, rel=0.04
    )


def test_floor_under_the_sun():
    up = np.sin(np.radians(40.0))
    look = Look({"white": matte(0.5)}, sun=Sun((np.cos(np.radians(40.0)), 0.0, up), (3.0, 3.0, 3.0)))
    scene = RenderScene(world(FLOOR, look), "draft")
    seen = mean_linear(scene, looking(np.array([2.5, 0.0, 1.5]), np.zeros(3)))
    assert seen == pytest.approx(0.5 / np.pi * 3.0 * up, rel=0.02)


def test_same_seed_same_bytes_whatever_came_before():
    T = looking(np.array([2.5, 0.3, 1.5]), np.zeros(3))
    look = Look({"white": matte(0.6), "lamp": Material("lamp", emission=(4.0, 4.0, 4.0))})
    scene = RenderScene(world(LAMP, look), "draft")
    pictures = [scene.colour(CAMERA, T, seed) for seed in (1, 2, 3, 4, 1, 2)]
    other = RenderScene(world(LAMP, look), "draft")
    assert np.array_equal(pictures[0], pictures[4])
    assert np.array_equal(pictures[1], pictures[5])
    assert not np.array_equal(pictures[0], pictures[1])
    assert np.array_equal(other.colour(CAMERA, T, 3), pictures[2])
