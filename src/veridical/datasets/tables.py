"""Parquet tables: trajectories, IMU samples, stamps and boxes. Units and orders stand in the column names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.files import atomic_path
from veridical.core.geometry import Array
from veridical.core.trajectory import Trajectory
from veridical.datasets.frames import ImuSamples

_POSITION = ("x_m", "y_m", "z_m")
_ROTATION = tuple(f"r{i}{j}" for i in range(3) for j in range(3))
_QUATERNION = ("qw", "qx", "qy", "qz")
_RATE = ("wx_radps", "wy_radps", "wz_radps")
_FORCE = ("fx_mps2", "fy_mps2", "fz_mps2")


def write_table(path: Path, columns: dict[str, Any]) -> None:
    """Writes columns as one Parquet file, whole or not at all."""
    with atomic_path(path) as partial:
        pq.write_table(pa.table(columns), partial)


def read_table(path: Path) -> dict[str, NDArray[Any]]:
    """Reads a Parquet file, or a folder of finished parts in the order of their names.

    Raises:
        DataError: If it is missing or corrupt.
    """
    parts = sorted(path.glob("part-*.parquet")) if path.is_dir() else [path]
    if not parts:
        msg = f"{path} holds no finished part; the dataset is incomplete: observe the run again to resume it"
        raise DataError(msg)
    table = pa.concat_tables([_read_part(part) for part in parts])
    return {name: table[name].to_numpy() for name in table.column_names}


def _read_part(path: Path) -> Any:
    try:
        with pq.ParquetFile(path) as file:
            return file.read()
    except FileNotFoundError:
        msg = f"{path} is missing; the dataset is damaged or incomplete: observe the run again to resume it"
        raise DataError(msg) from None
    except (pa.ArrowInvalid, OSError) as err:
        msg = f"{path} is not a readable Parquet file ({err}); observe the run again into a new folder"
        raise DataError(msg) from err


def columns_of(path: Path, table: dict[str, NDArray[Any]], names: tuple[str, ...]) -> Array:
    """Columns side by side, shape (n, len(names)).

    Raises:
        DataError: If one is absent; the message names the file.
    """
    absent = [name for name in names if name not in table]
    if absent:
        msg = f"{path} has no column {', '.join(absent)}; it has {', '.join(table)}"
        raise DataError(msg)
    return np.stack([np.asarray(table[name]) for name in names], axis=-1)


def write_trajectory(path: Path, trajectory: Trajectory) -> None:
    """Stamps, position, quaternion for people's convenience, and the rotation matrix, which is exact."""
    R = trajectory.T[:, :3, :3].reshape(-1, 9)
    columns: dict[str, Any] = {"t_ns": trajectory.t_ns}
    for names, values in (
        (_POSITION, trajectory.position),
        (_QUATERNION, trajectory.quat_wxyz),
        (_ROTATION, R),
    ):
        columns |= {name: values[:, i] for i, name in enumerate(names)}
    write_table(path, columns)


def read_trajectory(path: Path) -> Trajectory:
    """The reverse of `write_trajectory`, equal to the bit."""
    table = read_table(path)
    T = np.zeros((len(columns_of(path, table, ("t_ns",))), 4, 4))
    T[:, :3, :3] = columns_of(path, table, _ROTATION).reshape(-1, 3, 3)
    T[:, :3, 3] = columns_of(path, table, _POSITION)
    T[:, 3, 3] = 1
    return Trajectory(table["t_ns"].astype(np.int64), T)


def write_imu(path: Path, samples: ImuSamples) -> None:
    """IMU samples in the IMU frame: angular rate and specific force."""
    columns: dict[str, Any] = {"t_ns": samples.t_ns}
    columns |= {name: samples.angular_rate[:, i] for i, name in enumerate(_RATE)}
    columns |= {name: samples.specific_force[:, i] for i, name in enumerate(_FORCE)}
    write_table(path, columns)


def read_imu(path: Path) -> ImuSamples:
    """The reverse of `write_imu`, over all finished parts."""
    table = read_table(path)
    t_ns = columns_of(path, table, ("t_ns",))[:, 0].astype(np.int64)
    return ImuSamples(t_ns, columns_of(path, table, _RATE), columns_of(path, table, _FORCE))


def write_stamps(path: Path, t_ns: NDArray[np.int64]) -> None:
    """The stamps of a camera stream; row k belongs to frame k."""
    write_table(path, {"frame": np.arange(len(t_ns)), "t_ns": np.asarray(t_ns, np.int64)})


def read_stamps(path: Path) -> NDArray[np.int64]:
    """The reverse of `write_stamps`."""
    return columns_of(path, read_table(path), ("t_ns",))[:, 0].astype(np.int64)
