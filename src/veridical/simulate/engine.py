"""The loop: pilots, physics, record, guard."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np

from veridical.robots import Pilot
from veridical.simulate import checkpoint, states
from veridical.simulate.contacts import ContactLog
from veridical.worlds.world import World

_PART_S = 1.0
_PART_BYTES = 48_000_000
_GUARD_HZ = 20.0
_DEEP_M = 0.06
"""A robot that far inside something else is no contact any more."""

_log = logging.getLogger(__name__)
_BAD = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)


class Failure(Exception):
    """The run cannot go on; the text says why."""


class Engine:
    """Steps one world and records it.

    Attributes:
        model: The compiled model.
        data: Its live state; at rest between steps it is that of row `step`.
        step: Grid index of the next row; t_ns = step * dt_ns.
        part: Index of the next part.
        checkpoints: False where a run cannot be resumed anyway.
    """

    def __init__(
        self,
        world: World,
        data: mujoco.MjData,
        pilots: dict[str, Pilot],
        folder: Path,
        *,
        start_step: int,
        dt_ns: int,
    ) -> None:
        self.model, self.data, self.pilots = world.model, data, pilots
        self.step = start_step
        self.part = 0
        self.checkpoints = True
        self._world, self._folder, self._dt_ns = world, folder, dt_ns
        self._contacts = ContactLog(self.model, data, [r.name for r in world.robots])
        self._forces = [p for p in pilots.values() if not p.slides]
        self._slides = [p for p in pilots.values() if p.slides]
        widths = {
            "qpos": self.model.nq,
            "qvel": self.model.nv,
            "ctrl": self.model.nu,
            "act": self.model.na,
            "setpoint": sum(len(p.setpoint) for p in pilots.values()),
        }
        per_row = 8 * (1 + sum(widths.values()))
        self._rows = max(min(round(_PART_S * 1e9 / dt_ns), _PART_BYTES // per_row), 20)
        self._block = states.empty_block(self._rows, widths)
        self._filled = 0
        self._guard_every = max(round(1e9 / _GUARD_HZ / dt_ns), 1)
        for pilot in self._slides:
            pilot.update(start_step)

    def run(self, steps: int) -> None:
        """Makes steps; writes each part and a checkpoint as soon as it is full.

        Raises:
            Failure: Not a number, or a robot that is stuck; the rows up to there are on disk.
        """
        # MuJoCo would write its complaints into a file in the user's folder
        before = mujoco.get_mju_user_warning()
        mujoco.set_mju_user_warning(_noted)
        try:
            self._run(steps)
        except Failure:
            if self._filled:
                self._write_part()
            raise
        finally:
            mujoco.set_mju_user_warning(before)

    def _run(self, steps: int) -> None:
        model, data, block, pilots = self.model, self.data, self._block, self.pilots
        qpos, qvel, ctrl, act = data.qpos, data.qvel, data.ctrl, data.act
        contacts, guard_every = self._contacts, self._guard_every
        has_act, mj_step = model.na > 0, mujoco.mj_step
        step = self.step
        for _ in range(steps):
            for pilot in self._forces:
                pilot.update(step)
            i = self._filled
            block.t_ns[i] = step * self._dt_ns
            block.qpos[i] = qpos
            block.qvel[i] = qvel
            block.ctrl[i] = ctrl
            if has_act:
                block.act[i] = act
            column = 0
            for pilot in pilots.values():
                values = pilot.setpoint
                block.setpoint[i, column : column + len(values)] = values
                column += len(values)
            before = data.time
            mj_step(model, data)
            self._filled = i + 1
            contacts.look(step)
            if data.time <= before:
                self._give_up_on_numbers(step)
            step += 1
            self.step = step
            for pilot in self._slides:
                pilot.update(step)
            if step % guard_every == 0:
                self._guard(step)
            if self._filled == self._rows:
                self._write_part()
                if self.checkpoints:
                    self.save_checkpoint()

    def save_checkpoint(self) -> None:
        """Marks the place after the last finished part."""
        memory = {name: p.memory() for name, p in self.pilots.items()}
        taken = checkpoint.take(self.model, self.data, self.step, self.part, memory)
        checkpoint.save(taken, self._folder / "checkpoint.npz")

    def restore(self, saved: checkpoint.Checkpoint) -> None:
        """Goes on from a checkpoint."""
        checkpoint.apply(saved, self.model, self.data)
        self.step, self.part = saved.step, saved.part
        for name, memory in saved.pilots.items():
            self.pilots[name].restore(memory)

    def finish(self) -> None:
        """Writes what is left."""
        if self._filled:
            self._write_part()

    def _write_part(self) -> None:
        block = self._block.slice(0, self._filled)
        self._contacts.write(states.part_path(self._folder / "contacts", self.part))
        states.write_part(
            states.part_path(self._folder / "states", self.part), block, self.data.qvel, self._dt_ns
        )
        self.part += 1
        self._filled = 0

    def _guard(self, step: int) -> None:
        depth = self._contacts.deepest
        if depth > _DEEP_M:
            one, two = (owner_of(self._world, g) for g in self._contacts.deepest_geoms)
            msg = f"'{one}' is {depth * 100:.0f} cm inside '{two}' at {step * self._dt_ns / 1e9:.3f} s"
            raise Failure(msg)
        for name, pilot in self.pilots.items():
            trouble = pilot.trouble()
            if trouble:
                msg = f"robot '{name}': {trouble}, at {step * self._dt_ns / 1e9:.3f} s"
                raise Failure(msg)

    def _give_up_on_numbers(self, step: int) -> None:
        model, kind = self.model, mujoco.mjtWarning
        bad = next((w for w in _BAD if self.data.warning[w].number), kind.mjWARN_BADQACC)
        index = int(self.data.warning[bad].lastinfo)
        if bad == kind.mjWARN_BADQPOS:
            joint = int(np.searchsorted(model.jnt_qposadr, index, side="right")) - 1
            body = model.body(model.jnt_bodyid[joint]).name
        else:
            body = model.body(model.dof_bodyid[index]).name
        self.data.qvel[:] = np.nan
        msg = (
            f"the physics diverged at {step * self._dt_ns / 1e9:.3f} s (not a number, or an acceleration "
            f"beyond 1e10), first at body '{body}'; try a higher physics.rate_hz"
        )
        raise Failure(msg)


def owner_of(world: World, geom: int) -> str:
    """Name of the instance that a geom belongs to, else of its body."""
    by_body = {i.body: i.name for i in world.instances}
    body = int(world.model.geom_bodyid[geom])
    first = world.model.body(body).name
    while body > 0:
        name = world.model.body(body).name
        if name in by_body:
            return by_body[name]
        body = int(world.model.body_parentid[body])
    return first.split("/")[0] if first else "world"


def setpoint_names(pilots: dict[str, Pilot], order: Sequence[str]) -> list[str]:
    """`robot/set-point` for each column of `setpoint`."""
    return [f"{robot}/{name}" for robot in order for name in pilots[robot].setpoint_names]


def _noted(text: str) -> None:
    """Takes a complaint of MuJoCo; `Failure` says those about numbers, with more to go by."""
    if "unstable" not in text:
        _log.warning("MuJoCo: %s", text)
