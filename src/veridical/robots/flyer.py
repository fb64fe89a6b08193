"""The joint-driven free flyer of GRADE: one joint a degree of freedom.

Three slides and three hinges (yaw, then pitch, then roll) with velocity servos, held against gravity;
a PID at each joint turns set-points of position into commands of velocity. Limits and gains are those
of GRADE (Bonetto, Xu, Ahmad, GRADE: Generating Realistic And Dynamic Environments for robotics
research, section 5.1 and its controller): 0.5 m/s, 0.5 rad/s in yaw, 0.7 rad/s in roll and pitch.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from veridical.robots import airframe, meshes, parts
from veridical.robots.model import RobotModel

JOINTS = ("x", "y", "z", "yaw", "pitch", "roll")
MAX_SPEED = 0.5
MAX_YAW_RATE = 0.5
VELOCITY_LIMITS = (MAX_SPEED, MAX_SPEED, MAX_SPEED, MAX_YAW_RATE, 0.7, 0.7)
"""m/s and rad/s, in the order of `JOINTS`."""
MAX_TILT_RAD = 0.35
GAIN_P, GAIN_I, GAIN_D = 1.2, 4.0, 0.001
INTEGRAL_LIMIT = 1.0
RADIUS_M = 0.33
_MASS_KG = 1.5
_INERTIA = (0.035, 0.035, 0.05)
_LAG_S = 0.03


def build() -> RobotModel:
    """A hexacopter's body on six joints; actuators in the order of `JOINTS`, ctrl in m/s and rad/s."""
    spec = mujoco.MjSpec()
    materials = parts.add_materials(spec, ("shell", "trim", "carbon", "metal", "lens", "rubber", "signal"))
    body = spec.worldbody.add_body(name="base", sleep=mujoco.mjtSleepPolicy.mjSLEEP_NEVER)
    body.explicitinertial = True
    body.ipos, body.mass, body.inertia, body.gravcomp = [0, 0, 0], _MASS_KG, list(_INERTIA), 1.0
    axes = np.eye(3)[[0, 1, 2, 2, 1, 0]]
    inertias = (_MASS_KG,) * 3 + _INERTIA[::-1]
    for name, axis, inertia in zip(JOINTS, axes, inertias, strict=True):
        kind = mujoco.mjtJoint.mjJNT_SLIDE if name in "xyz" else mujoco.mjtJoint.mjJNT_HINGE
        joint = body.add_joint(name=name, type=kind, axis=axis.tolist())
        if name in ("pitch", "roll"):
            joint.range, joint.limited = [-MAX_TILT_RAD, MAX_TILT_RAD], True
        most = 40.0 if name in "xyz" else 3.0
        actuator = spec.add_actuator(
            name=name,
            target=name,
            trntype=mujoco.mjtTrn.mjTRN_JOINT,
            forcerange=[-most, most],
            forcelimited=True,
        )
        actuator.set_to_velocity(kv=inertia / _LAG_S)
    _add_look(spec, body)
    cylinder = mujoco.mjtGeom.mjGEOM_CYLINDER
    meshes.collision(body, cylinder, (RADIUS_M, 0.02), name="disc", pos=[0, 0, 0.035])
    meshes.collision(body, cylinder, (0.08, 0.05), name="hull", pos=[0, 0, -0.01])
    return RobotModel(spec, "base", materials, "base")


def _add_look(spec: mujoco.MjSpec, body: mujoco.MjsBody) -> None:
    core = meshes.lathe(
        spec,
        "core",
        [(0.01, -0.03), (0.055, -0.03), (0.068, -0.02), (0.07, 0.0), (0.06, 0.018), (0.01, 0.02)],
        48,
    )
    meshes.visual(body, core, "shell")
    cover = meshes.lathe(
        spec, "cover", [(0.01, 0.02), (0.056, 0.02), (0.05, 0.034), (0.03, 0.045), (0.01, 0.048)], 48
    )
    meshes.visual(body, cover, "signal")
    x = np.array([0.04, 0.06, 0.072, 0.078])
    sections = [meshes.superellipse(w, 0.34 * w, 5) for w in (0.05, 0.056, 0.054, 0.046)]
    path = np.column_stack([x, np.zeros(4), np.full(4, -0.008)])
    meshes.visual(body, meshes.loft(spec, "bar", meshes.along(path, sections)), "trim")
    glass = meshes.lathe(spec, "glass", [(0.001, 0.0), (0.01, 0.0), (0.0095, 0.002), (0.001, 0.0045)])
    for y in (-0.038, 0.038):
        meshes.visual(
            body, glass, "lens", pos=[0.0785, y, -0.008], quat=[math.sqrt(0.5), 0, math.sqrt(0.5), 0]
        )
    look = airframe.RotorLook(spec)
    for i in range(6):
        a = math.radians(30 + 60 * i)
        out = np.array([math.cos(a), math.sin(a), 0.0])
        tip = look.add(
            body,
            str(i),
            0.06 * out,
            0.225 * out + [0, 0, 0.035],
            spin=1.0 if i % 2 else -1.0,
            angle=0.4 + 1.3 * i,
        )
        if i in (0, 2, 3, 5):
            look.add_leg(body, str(i), tip, 0.24 * out + [0, 0, -0.12])
