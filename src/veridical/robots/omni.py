"""A three-wheel omnidirectional ground robot with an independently turning camera.

Its base has three planar joints (slides along world x and y, a yaw hinge) driven by velocity servos,
as GRADE drives its ground robot; the wheels turn by the kinematics and bound what the base can do.
Source of the kinematics: Siegwart, Nourbakhsh, Introduction to Autonomous Mobile Robots (2011), 3.2.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from veridical.robots import meshes, parts
from veridical.robots.model import RobotModel
from veridical.scenario.schema import OmniRobot, Pose

RADIUS_M = 0.25
WHEEL_RADIUS_M = 0.05
ARM_M = 0.185
"""From the centre to a wheel."""
WHEEL_ANGLES = (math.pi / 3, math.pi, -math.pi / 3)
MAX_WHEEL_SPEED = 24.0
"""rad/s."""
MAX_SPEED = 1.0
"""m/s in any direction, with room left for turning."""
PAN_HEIGHT_M = 0.52
_MASS_KG = 14.0
_YAW_INERTIA = 0.28
_PAN_MASS_KG = 0.4
_WHEEL_INERTIA = 5e-4
_LAG_S = 0.04
"""Time constant of the velocity servos."""


def wheel_speeds(vx: float, vy: float, yaw_rate: float) -> tuple[float, float, float]:
    """Wheel speeds in rad/s for a twist in the robot's frame (m/s, m/s, rad/s)."""
    a, b, c = (
        (-math.sin(w) * vx + math.cos(w) * vy + ARM_M * yaw_rate) / WHEEL_RADIUS_M for w in WHEEL_ANGLES
    )
    return a, b, c


def twist(wheels: tuple[float, float, float]) -> tuple[float, float, float]:
    """Twist in the robot's frame that wheel speeds in rad/s make."""
    k = 2.0 / 3.0 * WHEEL_RADIUS_M
    vx = -k * sum(math.sin(a) * w for a, w in zip(WHEEL_ANGLES, wheels, strict=True))
    vy = k * sum(math.cos(a) * w for a, w in zip(WHEEL_ANGLES, wheels, strict=True))
    return vx, vy, WHEEL_RADIUS_M / (3.0 * ARM_M) * sum(wheels)


def within_limits(wheels: tuple[float, float, float]) -> tuple[float, float, float]:
    """Slows all wheels together until none is too fast: the direction of motion stays."""
    peak = max(abs(w) for w in wheels)
    k = min(1.0, MAX_WHEEL_SPEED / peak) if peak else 1.0
    return k * wheels[0], k * wheels[1], k * wheels[2]


def build(robot: OmniRobot) -> RobotModel:
    """The robot at the origin of its planar joints; sensors ride on the panning head."""
    spec = mujoco.MjSpec()
    materials = parts.add_materials(
        spec, ("shell", "trim", "accent", "carbon", "metal", "lens", "rubber", "signal")
    )
    ground = robot.start.position[2] if isinstance(robot.start, Pose) else 0.0
    base = spec.worldbody.add_body(name="base", pos=[0, 0, ground], sleep=mujoco.mjtSleepPolicy.mjSLEEP_NEVER)
    base.explicitinertial = True
    base.mass, base.ipos = _MASS_KG, [0, 0, 0.12]
    base.inertia = [0.2, 0.2, _YAW_INERTIA]
    slide, hinge = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE
    base.add_joint(name="x", type=slide, axis=[1, 0, 0])
    base.add_joint(name="y", type=slide, axis=[0, 1, 0])
    base.add_joint(name="yaw", type=hinge, axis=[0, 0, 1])
    total = _MASS_KG + _PAN_MASS_KG
    _servo(spec, "x", total / _LAG_S, 90.0)
    _servo(spec, "y", total / _LAG_S, 90.0)
    _servo(spec, "yaw", _YAW_INERTIA / _LAG_S, 15.0)
    _add_chassis(spec, base)
    _add_wheels(spec, base)
    _add_head(spec, base)
    return RobotModel(spec, "base", materials, "pan")


def _servo(spec: mujoco.MjSpec, joint: str, kv: float, most: float) -> None:
    actuator = spec.add_actuator(
        name=joint,
        target=joint,
        trntype=mujoco.mjtTrn.mjTRN_JOINT,
        forcerange=[-most, most],
        forcelimited=True,
    )
    actuator.set_to_velocity(kv=kv)


def _add_chassis(spec: mujoco.MjSpec, base: mujoco.MjsBody) -> None:
    hull = meshes.lathe(
        spec,
        "hull",
        [(0.02, 0.035), (0.15, 0.035), (0.175, 0.055), (0.178, 0.1), (0.17, 0.118), (0.02, 0.12)],
        64,
    )
    meshes.visual(base, hull, "shell")
    deck = meshes.lathe(
        spec,
        "deck",
        [(0.02, 0.12), (0.155, 0.12), (0.16, 0.128), (0.155, 0.17), (0.13, 0.19), (0.02, 0.195)],
        64,
    )
    meshes.visual(base, deck, "trim")
    band = meshes.lathe(spec, "band", [(0.1, 0.134), (0.1625, 0.134), (0.1625, 0.146), (0.1, 0.146)], 64)
    meshes.visual(base, band, "accent")
    scanner = meshes.lathe(
        spec,
        "scanner",
        [
            (0.01, 0.19),
            (0.05, 0.19),
            (0.05, 0.205),
            (0.044, 0.21),
            (0.044, 0.232),
            (0.05, 0.236),
            (0.048, 0.25),
            (0.01, 0.253),
        ],
        48,
    )
    meshes.visual(base, scanner, "carbon")
    mast = meshes.lathe(
        spec,
        "mast",
        [
            (0.005, 0.25),
            (0.02, 0.25),
            (0.016, 0.27),
            (0.014, PAN_HEIGHT_M - 0.03),
            (0.005, PAN_HEIGHT_M - 0.03),
        ],
    )
    meshes.visual(base, mast, "metal")
    stop = meshes.lathe(spec, "stop", [(0.002, 0), (0.014, 0), (0.013, 0.008), (0.002, 0.01)])
    meshes.visual(base, stop, "signal", pos=[-0.1, 0, 0.19])
    cylinder = mujoco.mjtGeom.mjGEOM_CYLINDER
    meshes.collision(base, cylinder, (0.235, 0.075), name="hull", pos=[0, 0, 0.115])
    meshes.collision(base, cylinder, (0.05, 0.17), name="mast", pos=[0, 0, 0.36])


def _add_wheels(spec: mujoco.MjSpec, base: mujoco.MjsBody) -> None:
    rim = meshes.lathe(
        spec, "rim", [(0.01, -0.012), (0.036, -0.014), (0.038, 0), (0.036, 0.014), (0.01, 0.012)]
    )
    hub = meshes.lathe(spec, "hub", [(0.002, 0.0), (0.014, 0.0), (0.012, 0.008), (0.002, 0.01)])
    roller = _roller(spec)
    for i, angle in enumerate(WHEEL_ANGLES):
        # the wheel's axis points inwards, so that a positive speed drives counter-clockwise
        half = 0.5 * (angle + math.pi)
        turn = np.array([math.cos(half), 0, 0, math.sin(half)])
        tip = np.array([math.sqrt(0.5), 0, math.sqrt(0.5), 0])
        quat = np.empty(4)
        mujoco.mju_mulQuat(quat, turn, tip)
        wheel = base.add_body(
            name=f"wheel_{i}",
            pos=[ARM_M * math.cos(angle), ARM_M * math.sin(angle), WHEEL_RADIUS_M],
            quat=quat.tolist(),
        )
        wheel.explicitinertial = True
        wheel.ipos, wheel.mass, wheel.inertia = [0, 0, 0], 0.3, [3e-4, 3e-4, _WHEEL_INERTIA]
        wheel.add_joint(name=f"wheel_{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
        _servo(spec, f"wheel_{i}", _WHEEL_INERTIA / _LAG_S, 5.0)
        meshes.visual(wheel, rim, "trim")
        meshes.visual(wheel, hub, "signal", pos=[0, 0, -0.022], quat=[0, 1, 0, 0])
        for k in range(10):
            a = k * math.pi / 5
            z = 0.008 if k % 2 else -0.008
            across = [math.cos(a / 2), 0, 0, math.sin(a / 2)]
            meshes.visual(
                wheel, roller, "rubber", pos=[0.041 * math.cos(a), 0.041 * math.sin(a), z], quat=across
            )


def _roller(spec: mujoco.MjSpec) -> str:
    """A barrel whose axis is the local y: tangent to the wheel."""
    y = np.linspace(-0.014, 0.014, 7)
    radius = np.sqrt(0.05**2 - y**2) - 0.041
    angle = np.arange(14) * (2 * math.pi / 14)
    rings = [
        np.column_stack([r * np.sin(angle), np.full(14, yi), r * np.cos(angle)])
        for yi, r in zip(y, radius, strict=True)
    ]
    return meshes.loft(spec, "roller", np.array(rings))


def _add_head(spec: mujoco.MjSpec, base: mujoco.MjsBody) -> None:
    pan = base.add_body(name="pan", pos=[0, 0, PAN_HEIGHT_M])
    pan.explicitinertial = True
    pan.ipos, pan.mass, pan.inertia = [0, 0, 0], _PAN_MASS_KG, [1e-3, 1e-3, 1e-3]
    pan.add_joint(name="pan", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1], damping=[0.01, 0, 0])
    actuator = spec.add_actuator(
        name="pan", target="pan", trntype=mujoco.mjtTrn.mjTRN_JOINT, forcerange=[-3, 3], forcelimited=True
    )
    actuator.set_to_position(kp=1.0, kv=0.06)
    neck = meshes.lathe(
        spec, "neck", [(0.004, -0.03), (0.02, -0.03), (0.024, -0.02), (0.02, -0.012), (0.004, -0.01)]
    )
    meshes.visual(pan, neck, "carbon")
    x = np.array([-0.028, -0.026, -0.02, 0.0, 0.012, 0.016])
    sections = [
        meshes.superellipse(w, h, 5)
        for w, h in zip(
            (0.06, 0.07, 0.076, 0.078, 0.074, 0.066), (0.014, 0.018, 0.021, 0.022, 0.019, 0.013), strict=True
        )
    ]
    path = np.column_stack([x, np.zeros(6), np.full(6, 0.008)])
    meshes.visual(pan, meshes.loft(spec, "head", meshes.along(path, sections)), "shell")
    glass = meshes.lathe(spec, "glass", [(0.001, 0.0), (0.011, 0.0), (0.0105, 0.002), (0.001, 0.0045)])
    for y in (-0.05, 0.0, 0.05):
        meshes.visual(pan, glass, "lens", pos=[0.0165, y, 0.008], quat=[math.sqrt(0.5), 0, math.sqrt(0.5), 0])
    meshes.collision(
        pan, mujoco.mjtGeom.mjGEOM_BOX, (0.025, 0.08, 0.022), name="head", pos=[-0.005, 0, 0.008]
    )
