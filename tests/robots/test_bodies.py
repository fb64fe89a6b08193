import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.robots import build_robot, omni, quadrotor
from veridical.robots.fly import mix
from veridical.robots.quadrotor import ROTOR, ROTORS
from veridical.scenario.schema import Imu, JointFlyer, OmniRobot, Quadrotor

SPEED = st.floats(-1, 1)


def compiled(robot) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    spec.attach(build_robot("r", robot, Path()).spec, prefix="r/", frame=spec.worldbody.add_frame())
    first = spec.compile()
    again = mujoco.MjSpec.from_string(spec.to_xml()).compile()
    np.testing.assert_allclose(again.body_mass, first.body_mass)
    np.testing.assert_allclose(again.body_inertia, first.body_inertia, rtol=1e-5)
    return first


@pytest.mark.parametrize(
    ("kind", "cls"), [("quadrotor", Quadrotor), ("omni", OmniRobot), ("flyer", JointFlyer)]
)
def test_bodies_survive_attaching_and_the_file(kind, cls):
    robot = cls(kind=kind, sensors={"imu": Imu(kind="imu")})
    model = compiled(robot)
    built = build_robot("r", robot, Path())
    assert f"r/{built.sensor_body}" in [model.body(i).name for i in range(model.nbody)]
    seen = [g for g in range(model.ngeom) if model.geom_group[g] == 2]
    touched = [g for g in range(model.ngeom) if model.geom_group[g] == 3]
    assert seen
    assert touched
    assert not model.geom_contype[seen].any()
    assert all(model.material(model.geom_matid[g]).name.removeprefix("r/") in built.materials for g in seen)


def test_mass_and_hover_thrust():
    model = compiled(Quadrotor(kind="quadrotor", mass_kg=2.0))
    assert model.body_mass.sum() == pytest.approx(2.0)
    assert model.body_ipos[1] == pytest.approx([0, 0, 0])
    data = mujoco.MjData(model)
    data.ctrl[:4] = 2.0 * 9.81 / 4
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.qacc, 0, atol=1e-9)


def test_rotor_torque_and_drag_are_in_the_model():
    model = compiled(Quadrotor(kind="quadrotor"))
    data = mujoco.MjData(model)
    data.ctrl[:4] = [1.0 if s < 0 else 0.0 for *_, s in ROTORS]
    data.qvel[:3] = 2.0, 0.0, 0.0
    mujoco.mj_forward(model, data)
    torque = model.body_inertia[1, 2] * data.qacc[5]
    assert torque == pytest.approx(-2.0 * ROTOR.torque_per_thrust)
    assert data.qacc[0] == pytest.approx(-0.3 * 2.0 / 1.325)
    data.ctrl[4] = 2.0  # as fast a wind leaves no drag
    mujoco.mj_forward(model, data)
    assert data.qacc[0] == pytest.approx(0.0, abs=1e-12)


def test_rotor_lag_is_exact_for_any_step():
    assert ROTOR.decay(0.03) == pytest.approx(math.exp(-1))
    assert ROTOR.decay(0.01) ** 3 == pytest.approx(ROTOR.decay(0.03))


@given(st.floats(4, 25), st.tuples(*[st.floats(-0.15, 0.15)] * 3))
def test_mixing_gives_the_wrench_where_nothing_saturates(thrust, torque):
    f = mix(thrust, torque)
    assert all(0 <= x <= ROTOR.max_thrust for x in f)
    assert sum(f) == pytest.approx(thrust)
    made = [
        sum(y * x for x, (_, _, y, _, _) in zip(f, ROTORS, strict=True)),
        sum(-lx * x for x, (_, lx, _, _, _) in zip(f, ROTORS, strict=True)),
    ]
    np.testing.assert_allclose(made, torque[:2], atol=1e-9)


@given(st.floats(-50, 80), st.tuples(*[st.floats(-20, 20)] * 3))
def test_mixing_never_leaves_the_rotors_range(thrust, torque):
    assert all(-1e-9 <= x <= ROTOR.max_thrust + 1e-9 for x in mix(thrust, torque))


@given(SPEED, SPEED, SPEED)
def test_omni_kinematics_round_trip(vx, vy, rate):
    assert omni.twist(omni.wheel_speeds(vx, vy, rate)) == pytest.approx((vx, vy, rate), abs=1e-12)


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-9, 9))
def test_wheel_limits_keep_the_direction(vx, vy, rate):
    wheels = omni.within_limits(omni.wheel_speeds(vx, vy, rate))
    assert max(map(abs, wheels)) <= omni.MAX_WHEEL_SPEED + 1e-9
    made = np.array(omni.twist(wheels))
    assert np.linalg.norm(np.cross(made, [vx, vy, rate])) == pytest.approx(0, abs=1e-7)


def test_wheels_roll_where_the_body_goes():
    """A point of the rim at the floor stands still along the rolling direction."""
    model = compiled(OmniRobot(kind="omni"))
    data = mujoco.MjData(model)
    twist = (0.3, -0.2, 0.5)
    names = ("x", "y", "yaw", "wheel_0", "wheel_1", "wheel_2")
    for name, v in zip(names, (*twist, *omni.wheel_speeds(*twist)), strict=True):
        data.qvel[model.joint(f"r/{name}").dofadr[0]] = v
    mujoco.mj_forward(model, data)
    for i, a in enumerate(omni.WHEEL_ANGLES):
        body = model.body(f"r/wheel_{i}").id
        floor_point = data.xpos[body] - [0, 0, omni.WHEEL_RADIUS_M]
        jacobian = np.zeros((3, model.nv))
        mujoco.mj_jac(model, data, jacobian, None, floor_point, body)
        slip = jacobian @ data.qvel
        assert slip @ [-math.sin(a), math.cos(a), 0] == pytest.approx(0, abs=1e-9)


def test_quadrotor_fits_its_radius():
    model = compiled(Quadrotor(kind="quadrotor"))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    far = 0.0
    for g in range(model.ngeom):
        corner = np.abs(data.geom_xmat[g].reshape(3, 3)) @ model.geom_aabb[g, 3:]
        far = max(far, float(np.hypot(*(np.abs(data.geom_xpos[g][:2]) + corner[:2]))) * 0.99)
    assert far < quadrotor.RADIUS_M + 0.08
