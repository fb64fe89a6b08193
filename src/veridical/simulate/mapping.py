"""Which columns of recorded states belong to the joints and actuators of an altered world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array
from veridical.simulate.states import State, StateBlock

_Columns = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class StateMap:
    """For each column of the new states the recorded column by the same name, -1 where there is none.

    Attributes:
        qpos: (nq,) of the new model.
        qvel: (nv,); also for qacc.
        ctrl: (nu,).
        act: (na,).
        setpoint: One a set-point of the new run.
    """

    qpos: _Columns
    qvel: _Columns
    ctrl: _Columns
    act: _Columns
    setpoint: _Columns

    @classmethod
    def between(
        cls,
        recorded: mujoco.MjModel,
        new: mujoco.MjModel,
        recorded_setpoints: Sequence[str],
        new_setpoints: Sequence[str],
    ) -> StateMap:
        """By the names of joints, actuators and set-points."""
        positions, velocities = _joint_columns(recorded)
        known = {name: i for i, name in enumerate(recorded_setpoints)}
        return cls(
            _columns(_joint_columns(new)[0], positions, new.nq),
            _columns(_joint_columns(new)[1], velocities, new.nv),
            _columns(_actuators(new), _actuators(recorded), new.nu),
            _columns(_activations(new), _activations(recorded), new.na),
            np.array([known.get(name, -1) for name in new_setpoints], np.intp),
        )

    @cached_property
    def is_complete(self) -> bool:
        """True if every joint of the new world was recorded."""
        return bool((self.qpos >= 0).all())

    def is_identity(self, like: StateBlock) -> bool:
        """True if nothing is left out, added or moved."""
        widths = [(self.qpos, like.qpos), (self.qvel, like.qvel), (self.ctrl, like.ctrl)]
        widths += [(self.act, like.act), (self.setpoint, like.setpoint)]
        return all(np.array_equal(columns, np.arange(values.shape[1])) for columns, values in widths)

    def block(self, recorded: StateBlock) -> StateBlock:
        """Recorded rows in the order of the new world, zeros for what was not recorded."""
        return StateBlock(
            recorded.t_ns,
            _taken(recorded.qpos, self.qpos),
            _taken(recorded.qvel, self.qvel),
            _taken(recorded.qacc, self.qvel),
            _taken(recorded.ctrl, self.ctrl),
            _taken(recorded.act, self.act),
            _taken(recorded.setpoint, self.setpoint),
        )

    def put(self, recorded: State, data: mujoco.MjData) -> None:
        """Puts the recorded positions, velocities and activations into live data, and leaves the rest."""
        for columns, values, target in (
            (self.qpos, recorded.qpos, data.qpos),
            (self.qvel, recorded.qvel, data.qvel),
            (self.act, recorded.act, data.act),
        ):
            held = columns >= 0
            target[held] = values[columns[held]]

    def of_robots(self, model: mujoco.MjModel, robots: Sequence[str]) -> StateMap:
        """The same for the joints and actuators of these robots alone."""
        mine = tuple(f"{robot}/" for robot in robots)

        def only(columns: _Columns, named: dict[str, list[int]]) -> _Columns:
            kept = [i for name, where in named.items() if name.startswith(mine) for i in where]
            out = np.full(len(columns), -1, np.intp)
            out[kept] = columns[kept]
            return out

        positions, velocities = _joint_columns(model)
        return StateMap(
            only(self.qpos, positions),
            only(self.qvel, velocities),
            only(self.ctrl, _actuators(model)),
            only(self.act, _activations(model)),
            self.setpoint,
        )


def _joint_columns(model: mujoco.MjModel) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Columns of qpos and of qvel by joint."""
    positions, velocities = {}, {}
    widths = {mujoco.mjtJoint.mjJNT_FREE: (7, 6), mujoco.mjtJoint.mjJNT_BALL: (4, 3)}
    for j in range(model.njnt):
        nq, nv = widths.get(mujoco.mjtJoint(model.jnt_type[j]), (1, 1))
        q, v = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
        name = model.joint(j).name
        positions[name], velocities[name] = list(range(q, q + nq)), list(range(v, v + nv))
    return positions, velocities


def _actuators(model: mujoco.MjModel) -> dict[str, list[int]]:
    return {model.actuator(u).name: [u] for u in range(model.nu)}


def _activations(model: mujoco.MjModel) -> dict[str, list[int]]:
    found = {}
    for u in range(model.nu):
        first, count = int(model.actuator_actadr[u]), int(model.actuator_actnum[u])
        if count:
            found[model.actuator(u).name] = list(range(first, first + count))
    return found


def _columns(new: dict[str, list[int]], recorded: dict[str, list[int]], width: int) -> _Columns:
    out = np.full(width, -1, np.intp)
    for name, where in new.items():
        if len(recorded.get(name, ())) == len(where):
            out[where] = recorded[name]
    return out


def _taken(values: Array, columns: _Columns) -> Array:
    out = np.zeros((len(values), len(columns)))
    held = columns >= 0
    out[:, held] = values[:, columns[held]]
    return out
