"""The closed loop: physics that is stepped, commanded and observed from Python."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import mujoco
import numpy as np

from veridical.core.errors import DataError, ScenarioError, SimulationError, did_you_mean
from veridical.core.files import absent_on_error
from veridical.scenario.schema import Scenario
from veridical.simulate import manifest
from veridical.simulate.engine import Failure
from veridical.simulate.launch import GetWorld, begin, end, step_ns, world_maker
from veridical.simulate.run import Run
from veridical.simulate.states import State


class Session:
    """A simulation that waits for its caller; what it leaves behind is a `Run`.

    Use it as a context manager, or call `close`. Commands are kept in `commands.jsonl` beside the
    states. A session that was killed cannot be resumed, because its commands came from outside.

    Attributes:
        folder: The run's folder.
        world: The composed world.
        model: Its MuJoCo model.
        data: The live MuJoCo data; qpos and qvel are those of the present time, derived quantities
            (xpos, contacts) those of the step before.
    """

    def __init__(
        self,
        scenario: Scenario,
        folder: Path | str | None = None,
        *,
        observer: Callable[[Session, str], Any] | None = None,
        get_world: GetWorld | None = None,
    ) -> None:
        """Composes the world and stands at the start of the bootstrap.

        Args:
            scenario: What to simulate; robots with the mission `direct` wait for commands.
            folder: Where the run goes, new; a temporary folder if not given.
            observer: What `observe` calls: (session, sensor) to an observation.
            get_world: Makes the world in its folder; composes it if not given.
        """
        self.folder = Path(folder) if folder is not None else Path(tempfile.mkdtemp(prefix="veridical-"))
        if folder is not None and self.folder.exists():
            msg = f"{self.folder} exists; a session needs a new folder: choose another or delete it"
            raise DataError(msg)
        dt_ns = step_ns(scenario.physics.rate_hz)
        make = get_world or world_maker(scenario)
        self._scenario, self._observer, self._dt_ns = scenario, observer, dt_ns
        with absent_on_error(self.folder):
            self.world = make(self.folder / "world")
            self._engine, self._about = begin(scenario, self.folder, self.world, dt_ns)
        self._engine.checkpoints = False
        self._about["session"] = True
        self.model, self.data = self._engine.model, self._engine.data
        manifest.write_scenario(scenario, self.folder / "scenario.yaml")
        manifest.write_manifest(self.folder, self._about)
        self._begun = time.perf_counter()
        self._ended = False

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._ended:
            self._end("complete" if error is None else "failed", repr(error) if error else None)

    @property
    def t_ns(self) -> int:
        """Present time; below zero during the bootstrap."""
        return self._engine.step * self._dt_ns

    @property
    def dt_ns(self) -> int:
        """Physics step."""
        return self._dt_ns

    def state(self) -> State:
        """The state at the present time; its qacc is that of the step before."""
        data = self.data
        setpoint = [v for p in self._engine.pilots.values() for v in p.setpoint]
        columns = (data.qpos, data.qvel, data.qacc, data.ctrl, data.act, setpoint)
        return State(self.t_ns, *(np.array(c, float) for c in columns))

    def step(self, steps: int = 1) -> None:
        """Makes physics steps.

        Raises:
            SimulationError: If the physics diverges or a robot is stuck; the run is kept up to there.
        """
        self._check_open()
        try:
            self._engine.run(steps)
        except Failure as failure:
            self._end("failed", str(failure))
            msg = f"{self.folder}: the session ended: {failure}; what was recorded up to there is kept"
            raise SimulationError(msg) from failure

    def step_to(self, t_ns: int) -> None:
        """Steps until the present time is `t_ns` or the first grid time after it."""
        self.step(max(-(-(t_ns - self.t_ns) // self._dt_ns), 0))

    def observe(self, sensor: str) -> Any:
        """An observation by `robot/sensor` at the present time, by the observer given at the start.

        Raises:
            ScenarioError: If there is no observer or no such sensor.
        """
        known = [f"{r}/{s}" for r, robot in self._scenario.robots.items() for s in robot.sensors]
        if sensor not in known:
            hint = did_you_mean(sensor, known)
            msg = f"no sensor '{sensor}' in this scenario.{hint} Known: {', '.join(known)}"
            raise ScenarioError(msg)
        if self._observer is None:
            msg = "this session has no observer; give observer= when opening it"
            raise ScenarioError(msg)
        return self._observer(self, sensor)

    def apply_wrench(
        self, body: str, force: Sequence[float], torque: Sequence[float] = (0.0, 0.0, 0.0)
    ) -> None:
        """Applies a force (3,) in N and a torque (3,) in N m, world frame, at a body's centre of mass.

        It acts until it is set anew; zeros end it.
        """
        self._check_open()
        index = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, body)
        if index < 0:
            names = [self.model.body(i).name for i in range(self.model.nbody)]
            msg = f"no body '{body}' in this world.{did_you_mean(body, names)}"
            raise ScenarioError(msg)
        wrench = [float(v) for v in (*force, *torque)]
        if len(wrench) != 6:
            msg = f"a wrench has three numbers of force and three of torque, not {len(wrench)} in all"
            raise ScenarioError(msg)
        self.data.xfrc_applied[index] = wrench
        self._log("wrench", body, wrench)

    def set_joint_target(self, joint: str, value: float) -> None:
        """Commands the set-point of `robot/joint`, rad or m."""
        self._check_open()
        robot, _, name = joint.partition("/")
        pilot = self._engine.pilots.get(robot)
        if pilot is None or not pilot.set_joint_target(name, float(value)):
            prefix = f"{robot}/"
            names = [self.model.joint(j).name for j in range(self.model.njnt)]
            known = [n for n in names if n.startswith(prefix)] or names
            msg = f"no pilot drives the joint '{joint}'.{did_you_mean(joint, known)} Name it as robot/joint."
            raise ScenarioError(msg)
        self._log("joint_target", joint, [float(value)])

    def close(self) -> Run:
        """Ends the session and opens the run that it leaves behind."""
        if not self._ended:
            self._end("complete", None)
        return Run(self.folder, self.world)

    def _end(self, status: manifest.Status, reason: str | None) -> None:
        self._ended = True
        self._engine.finish()
        self._about["end_ns"] = self.t_ns - self._dt_ns
        end(self.folder, self._about, self._engine, status, self._begun, reason)

    def _check_open(self) -> None:
        if self._ended:
            msg = f"{self.folder}: this session is closed; open a new one"
            raise DataError(msg)

    def _log(self, kind: str, target: str, values: list[float]) -> None:
        line = json.dumps({"t_ns": self.t_ns, "kind": kind, "target": target, "values": values})
        with (self.folder / "commands.jsonl").open("a") as file:
            file.write(line + "\n")
