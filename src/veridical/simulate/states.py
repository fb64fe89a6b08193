"""The record of every state: rows in memory, and finished Parquet parts on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.files import atomic_path
from veridical.core.geometry import Array

_FAST = -3
"""Of zstd: as small as level 1 where things rest, and a third of its time."""
COLUMNS = ("qpos", "qvel", "qacc", "ctrl", "act", "setpoint")
_STORED = tuple(column for column in COLUMNS if column != "qacc")
_STEP, _AFTER = b"step_ns", b"qvel_after"
"""Notes in a part's schema, from which the accelerations follow."""


@dataclass(frozen=True, eq=False)
class State:
    """The whole state at one time.

    Attributes:
        t_ns: Stamp.
        qpos: (nq,) as MuJoCo orders it.
        qvel: (nv,).
        qacc: (nv,) the acceleration that the integrator uses from this row to the next: the difference
            of their velocities over the step.
        ctrl: (nu,) actuator commands from here on.
        act: (na,) actuator activations.
        setpoint: What the pilots aim at, robot after robot.
    """

    t_ns: int
    qpos: Array
    qvel: Array
    qacc: Array
    ctrl: Array
    act: Array
    setpoint: Array


@dataclass(frozen=True, eq=False)
class StateBlock:
    """Successive rows: `t_ns` (n,) and the columns of `State` as (n, width)."""

    t_ns: NDArray[np.int64]
    qpos: Array
    qvel: Array
    qacc: Array
    ctrl: Array
    act: Array
    setpoint: Array

    def __len__(self) -> int:
        return len(self.t_ns)

    def row(self, i: int) -> State:
        """One row."""
        return State(int(self.t_ns[i]), *(getattr(self, c)[i].copy() for c in COLUMNS))

    def slice(self, first: int, last: int) -> StateBlock:
        """Rows first <= i < last, without a copy."""
        return StateBlock(self.t_ns[first:last], *(getattr(self, c)[first:last] for c in COLUMNS))


def empty_block(rows: int, widths: dict[str, int]) -> StateBlock:
    """Room for rows of these widths; nothing for a column without one."""
    return StateBlock(np.zeros(rows, np.int64), *(np.zeros((rows, widths.get(c, 0))) for c in COLUMNS))


def part_path(folder: Path, index: int) -> Path:
    """Where a part lies."""
    return folder / f"part-{index:05d}.parquet"


def write_part(path: Path, block: StateBlock, qvel_after: Array, step_ns: int) -> None:
    """Writes rows as one complete file, or not at all.

    Args:
        path: The file.
        block: The rows; their `qacc` follows from the velocities and is not looked at.
        qvel_after: (nv,) the velocity one step after the last row.
        step_ns: Time from row to row.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    def flat(values: NDArray[Any], kind: Any) -> Any:
        buffer = pa.py_buffer(np.ascontiguousarray(values))  # pa.array would import pandas, if it is there
        return pa.Array.from_buffers(kind, values.size, [None, buffer])

    columns = {"t_ns": flat(block.t_ns, pa.int64())}
    for name in _STORED:
        values: Array = getattr(block, name)
        if values.shape[1]:
            columns[name] = pa.FixedSizeListArray.from_arrays(flat(values, pa.float64()), values.shape[1])
    notes = {_STEP: str(step_ns), _AFTER: qvel_after.tobytes()}
    with atomic_path(path) as partial:
        pq.write_table(
            pa.table(columns).replace_schema_metadata(notes),
            partial,
            compression="zstd",
            compression_level=_FAST,
            use_dictionary=False,
            write_statistics=False,
        )


def read_part(path: Path) -> StateBlock:
    """Reads a part."""
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
        after = np.frombuffer(table.schema.metadata[_AFTER])
        step_s = int(table.schema.metadata[_STEP]) * 1e-9
    except Exception as error:
        msg = f"{path}: not a readable part of a run ({error}); copy the run again or simulate it anew"
        raise DataError(msg) from error
    n = table.num_rows
    values = {name: np.zeros((n, 0)) for name in _STORED}
    for name in set(_STORED) & set(table.column_names):
        values[name] = _numbers(table.column(name).combine_chunks().flatten(), np.float64).reshape(n, -1)
    values["qacc"] = (np.concatenate([values["qvel"][1:], after[None]]) - values["qvel"]) / step_s
    return StateBlock(_numbers(table.column("t_ns").combine_chunks(), np.int64), **values)


def _numbers(array: Any, dtype: type[np.generic]) -> NDArray[Any]:
    """The values of an Arrow array without nulls, without a copy (`to_numpy` would import pandas)."""
    if hasattr(array, "num_chunks"):
        array = array.chunk(0)
    return np.frombuffer(array.buffers()[1], dtype)[array.offset : array.offset + len(array)]


def parts_of(folder: Path) -> list[Path]:
    """The finished parts without a gap, in order."""
    found: list[Path] = []
    while (path := part_path(folder, len(found))).is_file():
        found.append(path)
    return found


def first_stamps(paths: list[Path]) -> Iterator[tuple[int, int]]:
    """First stamp and number of rows of each part, without reading the states."""
    import pyarrow.parquet as pq

    for path in paths:
        t_ns = pq.read_table(path, columns=["t_ns"]).column("t_ns")
        yield t_ns[0].as_py(), len(t_ns)
