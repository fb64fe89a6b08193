"""The exact point from which a killed run goes on."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from veridical.core.files import write_bytes
from veridical.core.geometry import Array

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION
_SLEEP_ARRAYS = (
    "tree_asleep",
    "tree_awake",
    "body_awake",
    "body_awake_ind",
    "parent_awake_ind",
    "dof_awake_ind",
)
_SLEEP_COUNTS = ("nbody_awake", "nparent_awake", "ntree_awake", "nv_awake")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Integration state (warm start included), which trees sleep, the pilots' memory, and the place.

    Attributes:
        step: Grid index of the next row.
        part: Index of the next part.
        state: MuJoCo's integration state.
        sleep: Which trees sleep; not part of MuJoCo's state vector.
        pilots: Memory by robot.
    """

    step: int
    part: int
    state: Array
    sleep: dict[str, Any]
    pilots: dict[str, list[float]]


def take(
    model: mujoco.MjModel, data: mujoco.MjData, step: int, part: int, pilots: dict[str, list[float]]
) -> Checkpoint:
    """Copies what is needed from a running simulation."""
    state = np.empty(mujoco.mj_stateSize(model, _STATE))
    mujoco.mj_getState(model, data, state, _STATE)
    sleep = {name: np.copy(getattr(data, name)) for name in (*_SLEEP_ARRAYS, *_SLEEP_COUNTS)}
    return Checkpoint(step, part, state, sleep, pilots)


def apply(checkpoint: Checkpoint, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Puts fresh data where the checkpoint was taken.

    Derived quantities of sleeping bodies are not computed again while they sleep, so one forward pass
    with everything awake fills them before the state and the sleepers are restored.
    """
    mujoco.mj_setState(model, data, checkpoint.state, _STATE)
    mujoco.mj_forward(model, data)
    mujoco.mj_setState(model, data, checkpoint.state, _STATE)
    for name in _SLEEP_ARRAYS:
        getattr(data, name)[:] = checkpoint.sleep[name]
    for name in _SLEEP_COUNTS:
        setattr(data, name, int(checkpoint.sleep[name]))


def save(checkpoint: Checkpoint, path: Path) -> None:
    """Writes it whole or not at all. JSON keeps floats exactly."""
    note = json.dumps({"step": checkpoint.step, "part": checkpoint.part, "pilots": checkpoint.pilots})
    buffer = io.BytesIO()
    np.savez(buffer, state=checkpoint.state, note=np.array(note), **checkpoint.sleep)
    write_bytes(path, buffer.getvalue())


def load(path: Path) -> Checkpoint:
    """Reads it."""
    with np.load(path) as stored:
        note = json.loads(str(stored["note"]))
        sleep = {name: stored[name] for name in (*_SLEEP_ARRAYS, *_SLEEP_COUNTS)}
        return Checkpoint(note["step"], note["part"], stored["state"], sleep, note["pilots"])
