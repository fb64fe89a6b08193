"""Reading a run: exact rows on the grid, and what lies between them."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.core.errors import DataError, did_you_mean
from veridical.core.geometry import Array, quat_slerp
from veridical.core.trajectory import Trajectory
from veridical.scenario.schema import Scenario
from veridical.simulate.alter import seen_anew
from veridical.simulate.manifest import Status, read_manifest, read_scenario
from veridical.simulate.states import State, StateBlock, first_stamps, parts_of, read_part
from veridical.worlds.world import World

_PARTS_IN_MEMORY = 2


class Run:
    """A recorded simulation on disk.

    Attributes:
        folder: Where it lies.
        manifest: The content of run.json.
        status: `complete`, `failed`, or `running` if it was killed or still is.
        warnings: What a reader must know.
    """

    def __init__(self, folder: Path, world: World | None = None) -> None:
        self.folder = folder
        self.manifest: dict[str, Any] = read_manifest(folder)
        self.status: Status = self.manifest["status"]
        self._given_world = world
        self._paths = parts_of(folder / "states")
        if not self._paths:
            msg = f"{folder}: the run holds no states yet (status '{self.status}'); simulate it again"
            raise DataError(msg)
        starts = list(first_stamps(self._paths))
        self._part_starts = [t for t, _ in starts]
        self._end_ns = starts[-1][0] + (starts[-1][1] - 1) * self.dt_ns
        self._cache: OrderedDict[int, StateBlock] = OrderedDict()
        self.warnings = self._what_to_know()

    @cached_property
    def scenario(self) -> Scenario:
        """The resolved scenario."""
        return read_scenario(self.folder / "scenario.yaml")

    @cached_property
    def world(self) -> World:
        """The world that was simulated, loaded when first asked for."""
        if self._given_world is not None:
            return self._given_world
        from veridical.worlds import load_world

        return load_world(self.folder / "world")

    def altered(self, *overrides: str) -> Run:
        """The same states, to be observed in another way: `output.quality=high` and the like.

        Args:
            overrides: `key.path=value` each; keys of `output` and of the robots' sensors.

        Raises:
            ScenarioError: If something changes that the states depend on, or a sensor is new.
        """
        other = copy(self)
        other.scenario = seen_anew(self.scenario, overrides)
        return other

    @property
    def dt_ns(self) -> int:
        """Physics step, nanoseconds."""
        return int(self.manifest["dt_ns"])

    @property
    def start_ns(self) -> int:
        """Stamp of the first row; below zero if there was a bootstrap."""
        return self._part_starts[0]

    @property
    def end_ns(self) -> int:
        """Stamp of the last row."""
        return self._end_ns

    def state(self, t_ns: int) -> State:
        """The state at any time of the run.

        On the grid it is the recorded row. Between rows, rotations are interpolated by slerp, other
        coordinates by the cubic that meets the recorded positions and velocities, velocities linearly;
        acceleration, commands and set-points are those that act from the row before.

        Raises:
            DataError: If the time lies outside the run.
        """
        self._check(t_ns, t_ns)
        part = bisect_right(self._part_starts, t_ns) - 1
        block = self._load(part)
        offset = t_ns - self._part_starts[part]
        i, rest = divmod(offset, self.dt_ns)
        before = block.row(int(i))
        if rest == 0:
            return before
        after = self.state(before.t_ns + self.dt_ns)
        return between(self.world.model, before, after, t_ns)

    def rows(self, start_ns: int | None = None, end_ns: int | None = None) -> Iterator[StateBlock]:
        """Recorded rows with start_ns <= t_ns <= end_ns, block by block; all if not given."""
        start = self.start_ns if start_ns is None else start_ns
        end = self.end_ns if end_ns is None else end_ns
        self._check(start, end)
        for part in range(max(bisect_right(self._part_starts, start) - 1, 0), len(self._paths)):
            if self._part_starts[part] > end:
                return
            block = self._load(part)
            first, last = np.searchsorted(block.t_ns, [start, end + 1])
            if first < last:
                yield block.slice(int(first), int(last))

    def body_poses(self, body: str, t_ns: ArrayLike) -> Trajectory:
        """Poses T_world_body of a MuJoCo body at increasing stamps (n,)."""
        stamps: NDArray[np.int64] = np.atleast_1d(np.asarray(t_ns, np.int64))
        model = self.world.model
        index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body)
        if index < 0:
            names = [model.body(i).name for i in range(model.nbody)]
            msg = f"{self.folder}: no body '{body}' in this run.{did_you_mean(body, names)}"
            raise DataError(msg)
        data = mujoco.MjData(model)
        position, quat = np.empty((len(stamps), 3)), np.empty((len(stamps), 4))
        for i, t in enumerate(stamps.tolist()):
            data.qpos[:] = self.state(t).qpos
            mujoco.mj_kinematics(model, data)
            position[i], quat[i] = data.xpos[index], data.xquat[index]
        return Trajectory.from_quat(stamps, position, quat)

    def _check(self, start_ns: int, end_ns: int) -> None:
        if start_ns < self.start_ns or end_ns > self.end_ns:
            msg = (
                f"{self.folder}: asked for {start_ns} to {end_ns} ns, "
                f"but the run spans {self.start_ns} to {self.end_ns} ns"
            )
            raise DataError(msg)

    def _load(self, part: int) -> StateBlock:
        if part in self._cache:
            self._cache.move_to_end(part)
        else:
            self._cache[part] = read_part(self._paths[part])
            if len(self._cache) > _PARTS_IN_MEMORY:
                self._cache.popitem(last=False)
        return self._cache[part]

    def _what_to_know(self) -> tuple[str, ...]:
        known = list(self.manifest["warnings"])
        if self.status == "running":
            known.append(
                f"{self.folder}: incomplete run, states end at {self.end_ns / 1e9:.3f} s of "
                f"{self.manifest['end_ns'] / 1e9:.3f} s; simulate the same scenario into it to finish it"
            )
        elif self.status == "failed":
            known.append(f"{self.folder}: failed run: {self.manifest['reason']}")
        return tuple(known)


def between(model: mujoco.MjModel, before: State, after: State, t_ns: int) -> State:
    """The state between two successive rows."""
    h = (after.t_ns - before.t_ns) * 1e-9
    s = (t_ns - before.t_ns) / (after.t_ns - before.t_ns)
    qpos = before.qpos.copy()
    for kind, a, d in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, strict=True):
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            qpos[a : a + 3] = _hermite(before, after, a, d, 3, s, h)
            qpos[a + 3 : a + 7] = quat_slerp(before.qpos[a + 3 : a + 7], after.qpos[a + 3 : a + 7], s)
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            qpos[a : a + 4] = quat_slerp(before.qpos[a : a + 4], after.qpos[a : a + 4], s)
        else:
            qpos[a : a + 1] = _hermite(before, after, a, d, 1, s, h)
    qvel = before.qvel + s * (after.qvel - before.qvel)
    return State(t_ns, qpos, qvel, before.qacc, before.ctrl, before.act, before.setpoint)


def _hermite(before: State, after: State, a: int, d: int, n: int, s: float, h: float) -> Array:
    p0, p1 = before.qpos[a : a + n], after.qpos[a : a + n]
    m0, m1 = h * before.qvel[d : d + n], h * after.qvel[d : d + n]
    s2, s3 = s * s, s * s * s
    return np.asarray(
        (2 * s3 - 3 * s2 + 1) * p0 + (s3 - 2 * s2 + s) * m0 + (3 * s2 - 2 * s3) * p1 + (s3 - s2) * m1
    )


def open_run(folder: Path | str) -> Run:
    """Opens a run; warns if it is incomplete or failed.

    Raises:
        DataError: If the folder holds no run.
    """
    run = Run(Path(folder))
    if run.status != "complete":
        warnings.warn(run.warnings[-1], stacklevel=2)
    return run
