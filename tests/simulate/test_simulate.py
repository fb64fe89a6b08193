import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import mujoco
import numpy as np
import pytest
import tiny

from veridical.core.errors import DataError, ScenarioError, SimulationError
from veridical.scenario.schema import DirectMission, Imu, MonoCamera, Pose, Quadrotor, Recording
from veridical.simulate import Run, Session, open_run
from veridical.simulate.launch import run_in, step_ns
from veridical.simulate.manifest import read_manifest


def run(scenario, folder, **more) -> Run:
    return run_in(scenario, folder, lambda _: tiny.world(scenario, **more))


def all_rows(run: Run, column: str) -> np.ndarray:
    return np.concatenate([getattr(b, column) for b in run.rows()])


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("part-*"))}


def test_free_fall_is_analytic(tmp_path):
    robot = Quadrotor(
        kind="quadrotor", mission=DirectMission(kind="direct"), start=Pose(position=(0, 0, 2.2))
    )
    scenario = tiny.scenario(robot, seconds=0.4, bootstrap=0)
    result = run(scenario, tmp_path / "run")
    t = np.arange(401) * 1e-3
    drag, mass = 0.2, robot.mass_kg
    k = drag / mass
    exact = -9.81 / k * (1 - np.exp(-k * t))
    np.testing.assert_allclose(all_rows(result, "qvel")[:, -4], exact, atol=1e-3)
    np.testing.assert_allclose(all_rows(result, "qacc")[0, -4], -9.81, atol=2e-3)


def test_hover_thrust_equals_weight(tmp_path):
    robot = tiny.hovering(mass_kg=1.5)
    result = run(tiny.scenario(robot, seconds=2), tmp_path / "run")
    thrust = all_rows(result, "ctrl")[-500:, :4].sum(axis=1)
    np.testing.assert_allclose(thrust, 1.5 * 9.81, rtol=1e-4)
    error = all_rows(result, "qpos")[:, -7:-4] - [0, 0, 1]
    assert np.linalg.norm(error, axis=1).max() < 0.01


def test_rows_lie_on_the_grid_and_cover_the_protocol(tmp_path):
    result = run(tiny.scenario(tiny.hovering(), seconds=0.5, bootstrap=0.1), tmp_path / "run")
    t = all_rows(result, "t_ns")
    np.testing.assert_array_equal(t, np.arange(-100, 501) * 1_000_000)
    assert (result.start_ns, result.end_ns, result.status) == (-100_000_000, 500_000_000, "complete")


def test_acceleration_is_the_velocity_difference(tmp_path):
    result = run(tiny.scenario(tiny.flying((0, 0, 1), (2, 0, 1.2))), tmp_path / "run")
    v, a = all_rows(result, "qvel"), all_rows(result, "qacc")
    np.testing.assert_allclose(a[:-1] * 1e-3, np.diff(v, axis=0), atol=1e-12)


def test_same_scenario_twice_is_equal_bit_by_bit_and_a_sensor_changes_nothing(tmp_path):
    robot = tiny.flying((0, 0, 1), (2, 0, 1.2))
    with_sensor = robot.model_copy(update={"sensors": {"imu": Imu(kind="imu")}})
    for name, one in (("a", robot), ("b", robot), ("c", with_sensor)):
        run(tiny.scenario(one, seconds=1.5), tmp_path / name)
    a = files(tmp_path / "a")
    assert len(a) >= 2
    assert a == files(tmp_path / "b") == files(tmp_path / "c")


def test_plain_mujoco_steps_identically_under_recorded_ctrl(tmp_path):
    scenario = tiny.scenario(tiny.flying((0, 0, 1), (2, 0, 1.2)), seconds=1.2)
    result = run(scenario, tmp_path / "run")
    spec, _ = tiny.spec_of(scenario)
    spec.to_zip(str(tmp_path / "scene.zip"))
    model = mujoco.MjSpec.from_zip(str(tmp_path / "scene.zip")).compile()
    qpos, qvel, ctrl = (all_rows(result, c) for c in ("qpos", "qvel", "ctrl"))
    data = mujoco.MjData(result.world.model)
    data.qpos[:], data.qvel[:] = qpos[0], qvel[0]
    for k in range(1000):
        np.testing.assert_array_equal(data.qpos, qpos[k])
        data.ctrl[:] = ctrl[k]
        mujoco.mj_step(result.world.model, data)
    assert model.nq == len(data.qpos)


KILLED = """
import sys, time
from pathlib import Path
sys.path.insert(0, {here!r})
import tiny
from veridical.simulate.launch import run_in
scenario = tiny.scenario(tiny.flying((0, 0, 1), (2, 0, 1.2), (0, 1, 1)), seconds=4)
def slow(stage, done, total):
    if stage == "simulate":
        time.sleep(0.05)
run_in(scenario, Path({folder!r}), lambda _: tiny.world(scenario), slow)
"""


def test_killed_runs_resume_to_the_same_bytes(tmp_path):
    here = str(Path(__file__).parent)
    scenario = tiny.scenario(tiny.flying((0, 0, 1), (2, 0, 1.2), (0, 1, 1)), seconds=4)
    run(scenario, tmp_path / "whole")
    folder = tmp_path / "killed"
    rng = np.random.default_rng(5)
    for part in sorted(rng.choice(4, 2, replace=False).tolist()):
        code = textwrap.dedent(KILLED.format(here=here, folder=str(folder)))
        child = subprocess.Popen([sys.executable, "-c", code])
        deadline = time.monotonic() + 120
        while not (folder / f"states/part-{part:05d}.parquet").is_file() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(float(rng.uniform(0, 0.06)))
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        with pytest.warns(UserWarning, match="incomplete"):
            cut = open_run(folder)
        assert cut.status == "running"
    result = run(scenario, folder)
    assert result.status == "complete"
    assert files(folder) == files(tmp_path / "whole")


def test_resume_knows_what_sleeps(tmp_path):
    """Toys fall asleep in the first second; a run cut after that must not wake them."""
    scenario = tiny.scenario(tiny.hovering(), seconds=3)
    run(scenario, tmp_path / "whole")
    folder = tmp_path / "cut"

    class Cut(Exception):
        pass

    def stop(stage, done, total):
        if stage == "simulate" and done > 2500:
            raise Cut

    with pytest.raises(Cut):
        run_in(scenario, folder, lambda _: tiny.world(scenario), stop)
    run(scenario, folder)
    assert files(folder) == files(tmp_path / "whole")


def test_not_a_number_ends_the_run_failed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    robot = Quadrotor(kind="quadrotor", mission=DirectMission(kind="direct"), start=Pose(position=(0, 0, 1)))
    session = Session(
        tiny.scenario(robot), tmp_path / "run", get_world=lambda _: tiny.world(tiny.scenario(robot))
    )
    session.step(300)
    session.apply_wrench("scout/base", (1e14, 0, 0))
    with pytest.raises(SimulationError, match="diverged"):
        session.step(300)
    with pytest.warns(UserWarning, match="failed"):
        result = open_run(tmp_path / "run")
    assert result.status == "failed"
    assert result.end_ns >= (300 - 200) * 1_000_000
    assert "not a number" in result.manifest["reason"]
    assert [p.name for p in tmp_path.iterdir()] == ["run"]  # MuJoCo's own log is not left behind


def test_stuck_robot_ends_the_run(tmp_path):
    robot = tiny.flying((1.5, 0.0, 1), (1.5, 3.0, 1))  # a post is in the way
    with pytest.raises(SimulationError, match="scout"):
        run(tiny.scenario(robot, seconds=14), tmp_path / "run")
    with pytest.warns(UserWarning, match="failed"):
        assert open_run(tmp_path / "run").end_ns > 2_000_000_000


def test_start_inside_a_post_names_robot_thing_and_depth(tmp_path):
    with pytest.raises(ScenarioError, match=r"'scout'.* cm inside 'post_0'") as caught:
        run(tiny.scenario(tiny.hovering((1.5, 1.0, 1.0))), tmp_path / "run")
    assert caught.value.exit_code == 2
    assert not (tmp_path / "run").exists()


def test_motionless_mission_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="no length"):
        run(tiny.scenario(tiny.flying((0, 0, 1), (0, 0, 1.01))), tmp_path / "run")


def test_folders_in_the_way(tmp_path):
    scenario = tiny.scenario(tiny.hovering(), seconds=0.1)
    run(scenario, tmp_path / "run")
    with pytest.raises(DataError, match="already, complete"):
        run(scenario, tmp_path / "run")
    with pytest.raises(DataError, match="another scenario"):
        run(scenario.model_copy(update={"seed": 9}), tmp_path / "run")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("x")
    with pytest.raises(DataError, match="not a run"):
        run(scenario, tmp_path / "other")
    with pytest.raises(DataError, match="no run"):
        open_run(tmp_path / "other")


def test_step_must_be_whole_nanoseconds():
    assert step_ns(1000) == 1_000_000
    assert step_ns(62.5) == 16_000_000
    with pytest.raises(ScenarioError, match="200 and 250 Hz"):
        step_ns(240)


def test_state_between_rows(tmp_path):
    result = run(tiny.scenario(tiny.flying((0, 0, 1), (2, 0, 1.2)), seconds=1.5), tmp_path / "run")
    row = result.state(1_000_000_000)
    block = next(iter(result.rows(1_000_000_000, 1_000_000_000)))
    np.testing.assert_array_equal(row.qpos, block.qpos[0])
    half, after = result.state(1_000_500_000), result.state(1_001_000_000)
    middle = (row.qpos + after.qpos) / 2
    np.testing.assert_allclose(half.qpos[-7:-4], middle[-7:-4], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(half.qpos[-4:]), 1.0, atol=1e-12)
    np.testing.assert_allclose(half.qvel, row.qvel + 0.5e-3 * row.qacc, atol=1e-9)
    with pytest.raises(DataError, match="spans"):
        result.state(2_000_000_000)


def test_body_poses_are_those_of_the_states(tmp_path):
    result = run(tiny.scenario(tiny.flying((0, 0, 1), (2, 0, 1.2)), seconds=0.5), tmp_path / "run")
    t = np.array([0, 100_000_000, 333_333_333])
    poses = result.body_poses("scout/base", t)
    np.testing.assert_allclose(poses.position, [result.state(int(x)).qpos[-7:-4] for x in t], atol=1e-12)
    with pytest.raises(DataError, match="scout/base"):
        result.body_poses("scout/bas", t)


def test_slide_has_the_velocity_of_its_positions(tmp_path):
    robot = tiny.flying((0, 0, 1), (2, 0, 1.2), (2, 2, 1), physics=False)
    result = run(tiny.scenario(robot, seconds=4), tmp_path / "run")
    q, v = all_rows(result, "qpos")[:, -7:], all_rows(result, "qvel")[:, -6:]
    np.testing.assert_allclose(np.diff(q[:, :3], axis=0) / 1e-3, (v[1:, :3] + v[:-1, :3]) / 2, atol=1e-4)
    yaw = np.unwrap(2 * np.arctan2(q[:, 6], q[:, 3]))
    np.testing.assert_allclose(np.diff(yaw) / 1e-3, (v[1:, 5] + v[:-1, 5]) / 2, atol=1e-3)
    np.testing.assert_array_equal(q[:, 4:6], 0)


def test_session_leaves_a_run_and_pushes(tmp_path):
    robot = Quadrotor(kind="quadrotor", mission=DirectMission(kind="direct"), start=Pose(position=(0, 0, 1)))
    scenario = tiny.scenario(robot)
    with Session(scenario, tmp_path / "run", get_world=lambda _: tiny.world(scenario)) as session:
        session.apply_wrench("scout/base", (0.5, 0, robot.mass_kg * 9.81))
        session.step(500)
        assert session.t_ns == 300_000_000
        with pytest.raises(ScenarioError, match="no pilot drives"):
            session.set_joint_target("scout/free", 1.0)
        with pytest.raises(ScenarioError, match="no body"):
            session.apply_wrench("scout/bas", (0, 0, 0))
    result = session.close()
    t, k = 0.5, 0.3 / robot.mass_kg
    moved = result.state(result.end_ns).qpos[-7] + result.state(result.end_ns).qvel[-6] * 1e-3
    exact = 0.5 / 0.3 * (t - (1 - np.exp(-k * t)) / k)
    assert moved == pytest.approx(exact, rel=5e-3)
    assert (tmp_path / "run" / "commands.jsonl").read_text().count("wrench") == 1


def test_contacts_are_recorded_when_the_robot_lands(tmp_path):
    robot = Quadrotor(
        kind="quadrotor", mission=DirectMission(kind="direct"), start=Pose(position=(0, 0, 0.3))
    )
    result = run(tiny.scenario(robot, seconds=1.0), tmp_path / "run")
    import pyarrow.parquet as pq

    table = pq.read_table(result.folder / "contacts")
    last = table.filter(table["step"].to_numpy() == 1000).to_pydict()
    assert sum(last["force"]) == pytest.approx(robot.mass_kg * 9.81, rel=0.02)
    assert max(last["penetration"]) < 0.005


def test_times_and_versions_are_noted(tmp_path):
    scenario = tiny.scenario(tiny.hovering(), seconds=0.1).model_copy(
        update={"recording": Recording(bootstrap_s=0.0005, duration_s=0.1)}
    )
    result = run(scenario, tmp_path / "run")
    assert result.start_ns == -1_000_000
    assert result.manifest["versions"]["mujoco"] == mujoco.__version__
    assert result.manifest["machine"]["cpu_flags"] is not None
    assert result.scenario == scenario


def test_an_error_inside_a_session_is_the_one_that_is_seen(tmp_path):
    scenario = tiny.scenario(tiny.hovering())
    for steps in (0, 50):
        folder = tmp_path / f"run_{steps}"
        with (
            pytest.raises(ScenarioError, match="scout/bose"),
            Session(scenario, folder, get_world=lambda _: tiny.world(scenario)) as session,
        ):
            session.step(steps)
            session.apply_wrench("scout/bose", force=(1, 0, 0))
        about = read_manifest(folder)
        assert about["status"] == "failed"
        assert "scout/bose" in about["reason"]


def test_a_session_that_was_left_is_closed(tmp_path):
    scenario = tiny.scenario(tiny.hovering())
    with Session(scenario, tmp_path / "run", get_world=lambda _: tiny.world(scenario)) as session:
        session.step(30)
    with pytest.raises(DataError, match="closed"):
        session.step()
    before = files(tmp_path / "run")
    assert session.close().end_ns == -200_000_000 + 29 * 1_000_000
    assert files(tmp_path / "run") == before


def test_a_session_that_cannot_begin_leaves_nothing(tmp_path):
    scenario = tiny.scenario(tiny.hovering((1.5, 1.0, 1.0)))

    def composed(folder: Path):
        folder.mkdir(parents=True)
        return tiny.world(scenario)

    with pytest.raises(ScenarioError, match="inside 'post_0'"):
        Session(scenario, tmp_path / "deep" / "run", get_world=composed)
    assert list(tmp_path.iterdir()) == []


def test_an_altered_run_has_other_sensors_and_the_same_states(tmp_path):
    sensors = {"imu": Imu(kind="imu", rate_hz=100), "eye": MonoCamera(kind="mono")}
    result = run(tiny.scenario(tiny.hovering(sensors=sensors), seconds=0.1), tmp_path / "run")
    other = result.altered("output.quality=high", "robots.scout.sensors={imu: {kind: imu, rate_hz: 50}}")
    assert other.scenario.output.quality == "high"
    assert other.scenario.robots["scout"].sensors["imu"].rate_hz == 50
    assert result.scenario.output.quality == "draft"
    np.testing.assert_array_equal(all_rows(other, "qpos"), all_rows(result, "qpos"))
    for change in (
        "world={kind: empty, size_m: 9}",
        "physics.gravity=[0, 0, -1.6]",
        "robots.scout.mass_kg=2",
        "robots.scout.sensors.rear={kind: mono}",
        "robots.scout.sensors.imu={kind: mono}",
    ):
        with pytest.raises(ScenarioError, match="simulated anew"):
            result.altered(change)
