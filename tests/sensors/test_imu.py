"""The IMU against closed forms, and forward kinematics against MuJoCo's."""

import mujoco
import numpy as np
import pytest

from veridical.core.errors import DataError
from veridical.core.geometry import from_rpy, so3_exp, transform
from veridical.core.trajectory import Trajectory
from veridical.sensors.imu import measure
from veridical.sensors.kinematics import BodyChain

DT_NS, G = 1_000_000, np.array([0.0, 0.0, -9.81])
T_NS = np.arange(2001) * DT_NS
STAMPS, PERIOD = np.arange(200, 1800, 5) * DT_NS, 5 * DT_NS


def read(T, gravity=G):
    return measure(Trajectory(T_NS, T), STAMPS, PERIOD, gravity)


def test_at_rest_it_reads_gravity_upward():
    samples = read(np.tile(transform(np.eye(3), [1, 2, 3]), (len(T_NS), 1, 1)))
    np.testing.assert_allclose(samples.specific_force, np.tile([0, 0, 9.81], (len(STAMPS), 1)), atol=1e-9)
    np.testing.assert_allclose(samples.angular_rate, 0, atol=1e-12)


def test_a_tilted_mount_turns_what_it_reads():
    R = from_rpy([0.3, -0.5, 1.1])
    samples = read(np.tile(transform(R, [0, 0, 0]), (len(T_NS), 1, 1)))
    np.testing.assert_allclose(
        samples.specific_force, np.tile(R.T @ [0, 0, 9.81], (len(STAMPS), 1)), atol=1e-9
    )


def test_in_free_fall_under_physics_it_reads_nothing():
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><option timestep='0.001'/><worldbody><body><freejoint/>"
        "<geom size='.1'/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    data.qvel[:3] = [1.0, 0.5, 2.0]
    z = np.empty((len(T_NS), 3))
    for row in z:
        row[:] = data.qpos[:3]
        mujoco.mj_step(model, data)
    samples = read(transform(np.tile(np.eye(3), (len(z), 1, 1)), z), model.opt.gravity)
    assert np.abs(samples.specific_force).max() < 1e-8


@pytest.mark.parametrize("lever", [0.0, 0.25, 1.5])
def test_off_the_axis_of_a_turntable_it_reads_the_centrifugal_term(lever):
    w, t = 2.4, T_NS * 1e-9
    R = so3_exp(np.stack([0 * t, 0 * t, w * t], axis=1))
    samples = read(transform(R, lever * R[:, :, 0]))
    np.testing.assert_allclose(samples.angular_rate, np.tile([0, 0, w], (len(STAMPS), 1)), atol=1e-9)
    mean = np.sinc(w * PERIOD * 1e-9 / 2 / np.pi)  # a sample is the mean over its period
    expected = np.tile([-w * w * lever * mean, 0, 9.81], (len(STAMPS), 1))
    np.testing.assert_allclose(samples.specific_force, expected, atol=2e-5 * max(lever, 1e-6) + 1e-9)


def test_stamps_outside_the_states_are_refused():
    track = Trajectory(T_NS, np.tile(np.eye(4), (len(T_NS), 1, 1)))
    with pytest.raises(DataError, match="outside"):
        measure(track, np.array([T_NS[-1] + 1]), PERIOD, G)


def test_poses_of_a_chain_are_those_of_mujoco():
    model = mujoco.MjModel.from_xml_string("""
        <mujoco><worldbody>
          <body name="cart" pos="0.1 0.2 0.3" euler="10 20 30">
            <joint type="slide" axis="1 2 0"/><joint axis="0 1 1"/>
            <geom size=".1"/>
            <body name="arm" pos="0.4 0 0.1" euler="0 45 0"><joint type="ball"/><geom size=".1"/>
              <body name="hand" pos="0 0.3 0"><joint axis="1 0 0" pos="0 0.1 0"/><geom size=".1"/></body>
            </body>
          </body>
          <body name="free" pos="1 1 1"><freejoint/><geom size=".1"/></body>
        </worldbody></mujoco>""")
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    qpos = rng.normal(size=(20, model.nq))
    for name in ("cart", "arm", "hand", "free"):
        poses = BodyChain(model, name).poses(qpos)
        for q, T in zip(qpos, poses, strict=True):
            data.qpos[:] = q
            mujoco.mj_kinematics(model, data)
            np.testing.assert_allclose(T[:3, 3], data.body(name).xpos, atol=1e-12)
            np.testing.assert_allclose(T[:3, :3], data.body(name).xmat.reshape(3, 3), atol=1e-12)
