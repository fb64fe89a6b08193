"""Contacts of robots, recorded where there are any."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from veridical.core.files import atomic_path

_COLUMNS = ("step", "geom1", "geom2", "position", "normal", "force", "penetration")


def robot_of_geoms(model: mujoco.MjModel, names: list[str]) -> NDArray[np.int32]:
    """Index of the robot that each geom belongs to, -1 for none, shape (ngeom,)."""
    owner = np.full(model.nbody, -1, np.int32)
    for b in range(1, model.nbody):
        prefix = model.body(b).name.split("/")[0]
        if "/" in model.body(b).name and prefix in names:
            owner[b] = names.index(prefix)
    return np.asarray(owner[model.geom_bodyid])


class ContactLog:
    """Gathers contacts that touch a robot; cleared with each part."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, names: list[str]) -> None:
        self._model, self._data = model, data
        self._owner = robot_of_geoms(model, names)
        self._rows: list[tuple[object, ...]] = []
        self._force = np.zeros(6)
        self.deepest = 0.0
        self.deepest_geoms = (0, 0)

    def look(self, step: int) -> None:
        """Takes the contacts of the step that has just been made."""
        data = self._data
        if not data.ncon:
            return
        touching = self._owner[data.contact.geom]
        hits = np.flatnonzero(touching[:, 0] != touching[:, 1])
        if not len(hits):
            return
        for i in hits.tolist():
            contact = data.contact[i]
            mujoco.mj_contactForce(self._model, data, i, self._force)
            geom1, geom2 = int(contact.geom1), int(contact.geom2)
            depth = -float(contact.dist)
            if depth > self.deepest:
                self.deepest, self.deepest_geoms = depth, (geom1, geom2)
            self._rows.append(
                (
                    step,
                    geom1,
                    geom2,
                    contact.pos.tolist(),
                    contact.frame[:3].tolist(),
                    float(self._force[0]),
                    depth,
                )
            )

    def write(self, path: Path) -> None:
        """Writes a part if there is something to write, and forgets it."""
        if self._rows:
            import pyarrow as pa
            import pyarrow.parquet as pq

            kinds = (
                pa.int64(),
                pa.int32(),
                pa.int32(),
                pa.list_(pa.float64(), 3),
                pa.list_(pa.float64(), 3),
                pa.float64(),
                pa.float64(),
            )
            columns = zip(*self._rows, strict=True)
            arrays = [pa.array(list(c), k) for c, k in zip(columns, kinds, strict=True)]
            with atomic_path(path) as partial:
                pq.write_table(
                    pa.table(dict(zip(_COLUMNS, arrays, strict=True))), partial, compression="zstd"
                )
        else:
            path.unlink(missing_ok=True)
        self._rows = []
        self.deepest = 0.0
