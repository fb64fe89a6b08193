import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "simulate"))

import tiny

from veridical.robots import flyer, omni, reference
from veridical.robots.fly import QuadrotorPilot
from veridical.scenario.schema import DirectMission, JointFlyer, OmniRobot, Pose, Waypoint, WaypointMission
from veridical.simulate import Session
from veridical.simulate.launch import run_in


def run(scenario, folder):
    result = run_in(scenario, folder, lambda _: tiny.world(scenario))
    return result, {
        c: np.concatenate([getattr(b, c) for b in result.rows()])
        for c in ("qpos", "qvel", "ctrl", "setpoint")
    }


def names(result):
    return [n.split("/")[1] for n in result.manifest["setpoints"]]


def test_quadrotor_tracks_waypoints(tmp_path):
    robot = tiny.flying((0, 0, 1), (2, 0, 1.2), (2, 2, 1))
    _, rows = run(tiny.scenario(robot, seconds=8), tmp_path / "run")
    error = np.linalg.norm(rows["qpos"][:, -7:-4] - rows["setpoint"][:, :3], axis=1)
    assert error.max() < 0.05
    np.testing.assert_allclose(rows["qpos"][-1, -7:-4], [2, 2, 1], atol=0.02)


def test_quadrotor_step_response():
    """A step of half a metre: there within two seconds, with little overshoot."""
    scenario = tiny.scenario(tiny.hovering((0, 0, 1)), seconds=3)
    world = tiny.world(scenario)
    data = mujoco.MjData(world.model)
    joint = world.model.joint("scout/free").qposadr[0]
    data.qpos[joint : joint + 7] = [0, 0, 1, 1, 0, 0, 0]
    pilot = QuadrotorPilot(world.model, data, "scout", reference.rest(np.array([0.5, 0, 1]), 0.0), 0)
    x = []
    for k in range(3000):
        pilot.update(k)
        mujoco.mj_step(world.model, data)
        x.append(data.qpos[joint])
    assert max(x) < 0.5 * 1.25
    assert abs(np.array(x[2200:]) - 0.5).max() < 0.05


def test_omni_follows_within_its_wheels_and_turns_them(tmp_path):
    robot = tiny.flying((0, 0, 0), (2, 0, 0), (2, 2, 0), kind=OmniRobot, name="omni")
    result, rows = run(tiny.scenario(robot, seconds=8), tmp_path / "run")
    target = rows["setpoint"]
    base = rows["qpos"][:, -7:]
    assert np.linalg.norm(base[:, :2] - target[:, :2], axis=1).max() < 0.05
    assert np.abs(rows["ctrl"][:, 3:6]).max() <= omni.MAX_WHEEL_SPEED + 1e-9
    turned = np.abs(np.diff(base[:, 3:6], axis=0)).sum(axis=0)
    assert (turned > 10).all()
    assert np.abs(base[:, 6] - target[:, names(result).index("pan")]).max() < 0.1
    assert np.abs(target[:, 3]).max() > 0.3  # the camera turns before the base does


def test_flyer_keeps_the_limits_of_its_joints(tmp_path):
    points = (Waypoint(position=(0, 0, 1)), Waypoint(position=(1.5, -0.5, 1.3)), Waypoint(position=(2, 0, 1)))
    mission = WaypointMission(kind="waypoints", points=points, speed_mps=2.0)
    _, rows = run(tiny.scenario(JointFlyer(kind="flyer", mission=mission), seconds=12), tmp_path / "run")
    q, v = rows["qpos"][:, -6:], rows["qvel"][:, -6:]
    assert (np.abs(rows["ctrl"]).max(axis=0) <= flyer.VELOCITY_LIMITS).all()
    assert (np.abs(v).max(axis=0) <= np.array(flyer.VELOCITY_LIMITS) * 1.05).all()
    assert np.abs(q[:, 4:]).max() <= flyer.MAX_TILT_RAD
    assert np.linalg.norm(q[:, :3] - rows["setpoint"][:, :3], axis=1).max() < 0.05
    np.testing.assert_allclose(q[-1, :3], points[-1].position, atol=0.02)


@pytest.mark.parametrize(
    ("robot", "joint", "value"),
    [
        (
            JointFlyer(kind="flyer", mission=DirectMission(kind="direct"), start=Pose(position=(0, 0, 1))),
            "z",
            1.4,
        ),
        (
            JointFlyer(kind="flyer", mission=DirectMission(kind="direct"), start=Pose(position=(0, 0, 1))),
            "yaw",
            0.6,
        ),
        (OmniRobot(kind="omni", mission=DirectMission(kind="direct"), start=Pose()), "x", 0.5),
        (OmniRobot(kind="omni", mission=DirectMission(kind="direct"), start=Pose()), "pan", 0.7),
    ],
)
def test_joints_go_where_they_are_told(tmp_path, robot, joint, value):
    scenario = tiny.scenario(robot, bootstrap=0)
    with Session(scenario, tmp_path / "run", get_world=lambda _: tiny.world(scenario)) as session:
        session.set_joint_target(f"scout/{joint}", value)
        session.step(6000)
        address = session.model.joint(f"scout/{joint}").qposadr[0]
        assert session.data.qpos[address] == pytest.approx(value, abs=0.03)
