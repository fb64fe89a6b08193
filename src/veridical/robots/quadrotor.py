"""A quadrotor of the Skydio X2 class: its constants and its body.

Mass, span and thrust-to-weight are those of the class; the inertia is that of a central box and four
motors. Drag is the linear rotor drag of Faessler, Franchi, Scaramuzza, Differential Flatness of
Quadrotor Dynamics Subject to Rotor Drag (2018): it lies in the model as affine actuators whose ctrl is
the wind along the body's axes in m/s, so that MuJoCo alone reproduces a run from the logged ctrl.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from veridical.physics import Rotor
from veridical.robots import airframe, meshes, parts
from veridical.robots.model import RobotModel
from veridical.scenario.schema import Quadrotor

ROTOR = Rotor(kf=5.4e-6, km=8.64e-8, time_constant_s=0.03, max_speed=1550.0)
ROTORS = (  # name, x, y, z in metres, sense of the reaction torque
    ("front_left", 0.14, 0.18, 0.05, -1.0),
    ("front_right", 0.14, -0.18, 0.05, 1.0),
    ("rear_left", -0.14, 0.18, 0.03, 1.0),
    ("rear_right", -0.14, -0.18, 0.03, -1.0),
)
RADIUS_M = math.hypot(0.14, 0.18) + airframe.BLADE_M
"""Of a circle about the origin that holds the whole robot seen from above."""
DRAG = (0.3, 0.3, 0.2)
"""N s/m along the body's axes."""
_INERTIA_PER_KG = (0.0103, 0.0113, 0.0204)
"""kg m^2 a kilogram: 0.95 kg box of 0.30 x 0.12 x 0.10 m and four motors of 0.09 kg, over 1.31 kg."""


def inertia(mass_kg: float) -> tuple[float, float, float]:
    """Principal moments about the body's axes, kg m^2."""
    x, y, z = _INERTIA_PER_KG
    return mass_kg * x, mass_kg * y, mass_kg * z


def build(robot: Quadrotor) -> RobotModel:
    """The body with a free joint; actuators in the order of `ROTORS`, then wind x, y, z."""
    spec = mujoco.MjSpec()
    materials = parts.add_materials(spec, ("shell", "trim", "accent", "carbon", "metal", "lens", "rubber"))
    body = spec.worldbody.add_body(name="base", sleep=mujoco.mjtSleepPolicy.mjSLEEP_NEVER)
    body.add_freejoint(name="free")
    body.explicitinertial = True
    body.mass, body.ipos = robot.mass_kg, [0, 0, 0]
    body.inertia = list(inertia(robot.mass_kg))
    _add_actuators(spec, body)
    _add_fuselage(spec, body)
    _add_arms(spec, body)
    _add_collision(body)
    return RobotModel(spec, "base", materials, "base")


def _add_actuators(spec: mujoco.MjSpec, body: mujoco.MjsBody) -> None:
    for name, x, y, z, sense in ROTORS:
        body.add_site(name=name, pos=[x, y, z], group=4)
        actuator = spec.add_actuator(
            name=name,
            target=name,
            trntype=mujoco.mjtTrn.mjTRN_SITE,
            gear=[0, 0, 1, 0, 0, sense * ROTOR.torque_per_thrust],
            ctrlrange=[0, ROTOR.max_thrust],
            ctrllimited=True,
        )
        actuator.set_to_motor()
    body.add_site(name="air", group=4)
    for axis, (name, drag) in enumerate(zip("xyz", DRAG, strict=True)):
        actuator = spec.add_actuator(
            name=f"wind_{name}", target="air", trntype=mujoco.mjtTrn.mjTRN_SITE, gear=np.eye(6)[axis].tolist()
        )
        actuator.gainprm[0] = drag
        actuator.biastype = mujoco.mjtBias.mjBIAS_AFFINE
        actuator.biasprm[2] = -drag


def _add_fuselage(spec: mujoco.MjSpec, body: mujoco.MjsBody) -> None:
    x = np.array([-0.165, -0.16, -0.14, -0.09, 0.0, 0.08, 0.125, 0.148, 0.155])
    width = np.array([0.018, 0.028, 0.036, 0.042, 0.046, 0.042, 0.034, 0.024, 0.012])
    height = np.array([0.010, 0.018, 0.024, 0.029, 0.031, 0.028, 0.023, 0.016, 0.008])
    path = np.column_stack([x, np.zeros(9), 0.004 + 0.05 * x**2])
    sections = [meshes.superellipse(w, h, 3.2) for w, h in zip(width, height, strict=True)]
    meshes.visual(body, meshes.loft(spec, "fuselage", meshes.along(path, sections)), "shell")
    spine = np.column_stack([x[1:7], np.zeros(6), np.array([0.027, 0.03, 0.034, 0.036, 0.034, 0.028])])
    ridge = [meshes.superellipse(w, 0.006, 2.5) for w in (0.008, 0.015, 0.02, 0.022, 0.018, 0.008)]
    meshes.visual(body, meshes.loft(spec, "spine", meshes.along(spine, ridge)), "trim")
    belly = np.column_stack([np.linspace(-0.12, 0.06, 4), np.zeros(4), np.full(4, -0.03)])
    battery = [meshes.superellipse(w, 0.018, 6) for w in (0.026, 0.032, 0.032, 0.026)]
    meshes.visual(body, meshes.loft(spec, "battery", meshes.along(belly, battery)), "accent")
    ring = (
        (0.004, 0.0),
        (0.016, 0.0),
        (0.018, 0.003),
        (0.018, 0.008),
        (0.014, 0.01),
        (0.012, 0.007),
        (0.004, 0.006),
    )
    forward = [math.sqrt(0.5), 0, math.sqrt(0.5), 0]
    for name, y in (("left", 0.021), ("right", -0.021)):
        eye = meshes.lathe(spec, f"eye_{name}", [(0.6 * r, z) for r, z in ring])
        meshes.visual(body, eye, "carbon", pos=[0.1415, y, 0.006], quat=forward)
        glass = meshes.lathe(
            spec, f"glass_{name}", [(0.001, 0.0), (0.007, 0.0), (0.0065, 0.002), (0.001, 0.0045)]
        )
        meshes.visual(body, glass, "lens", pos=[0.1445, y, 0.006], quat=forward)
    gimbal = meshes.lathe(
        spec, "gimbal", [(0.002, -0.017), (0.012, -0.013), (0.017, 0), (0.012, 0.013), (0.002, 0.017)]
    )
    meshes.visual(body, gimbal, "carbon", pos=[0.118, 0, -0.026])
    lens = meshes.lathe(spec, "gimbal_lens", [(0.001, 0), (0.009, 0), (0.0085, 0.003), (0.001, 0.005)])
    meshes.visual(body, lens, "lens", pos=[0.1325, 0, -0.026], quat=forward)


def _add_arms(spec: mujoco.MjSpec, body: mujoco.MjsBody) -> None:
    look = airframe.RotorLook(spec)
    for i, (name, x, y, z, sense) in enumerate(ROTORS):
        root = np.array([math.copysign(0.085, x), math.copysign(0.028, y), 0.008])
        tip = look.add(body, name, root, np.array([x, y, z]), spin=-sense, angle=0.7 + 1.9 * i)
        foot = np.array([x + math.copysign(0.012, x), y + math.copysign(0.006, y), -0.09])
        look.add_leg(body, name, tip, foot)


def _add_collision(body: mujoco.MjsBody) -> None:
    geom = mujoco.mjtGeom
    meshes.collision(body, geom.mjGEOM_BOX, (0.165, 0.05, 0.04), name="hull", pos=[0, 0, -0.005])
    for name, x, y, z, _ in ROTORS:
        meshes.collision(
            body, geom.mjGEOM_CYLINDER, (airframe.BLADE_M, 0.012), name=f"disc_{name}", pos=[x, y, z]
        )
        meshes.collision(
            body,
            geom.mjGEOM_CAPSULE,
            (0.012,),
            name=f"skid_{name}",
            fromto=[x, y, z - 0.02, x + math.copysign(0.012, x), y + math.copysign(0.006, y), -0.084],
        )
