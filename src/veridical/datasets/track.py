"""What an odometry or SLAM method says about one stream: a pose, a state and a doubt for each frame."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.files import read_json, temporary_sibling, write_bytes, write_json
from veridical.core.geometry import Array, matrix_to_quat, quat_to_matrix, transform
from veridical.core.trajectory import Trajectory

State = Literal["ok", "lost", "start"]
STATES: tuple[State, ...] = ("ok", "lost", "start")
_FORMAT = 1


@dataclass(frozen=True)
class Track:
    """The estimate of a stream's path, one row for each frame that the method was given.

    A frame whose pose could not be found says `lost` and holds NaN, never a made-up pose. `start` is the
    first frame of a map: its pose is set and not measured. Poses of different maps are not connected by
    a measurement.

    Attributes:
        method: Name of the method.
        stream: Camera stream whose optical frame the poses belong to (the left one of a stereo pair).
        t_ns: Stamps, strictly increasing, shape (n,) int64.
        T: Poses T_first_camera: optical frame to the first frame's optical frame, shape (n, 4, 4), metres.
        state: `ok`, `lost` or `start`, shape (n,) of strings.
        inlier_ratio: Matches that agree with the pose, by all matches tried, shape (n,).
        covariance: Of each pose relative to the frame it was measured against (previous frame or
            keyframe), shape (n, 6, 6), in the order of `core.geometry.se3_log`, camera side; NaN if lost.
        seconds: Computing time for each frame, shape (n,).
        map_id: Grows by one at each new start, shape (n,) int64.
        diagnostics: Further columns of the method, each of shape (n,).
        options: The method's settings, JSON-able.
    """

    method: str
    stream: str
    t_ns: NDArray[np.int64]
    T: Array
    state: NDArray[np.str_]
    inlier_ratio: Array
    covariance: Array
    seconds: Array
    map_id: NDArray[np.int64]
    diagnostics: Mapping[str, Array] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.t_ns)
        shapes = {
            "T": (n, 4, 4),
            "state": (n,),
            "inlier_ratio": (n,),
            "covariance": (n, 6, 6),
            "seconds": (n,),
            "map_id": (n,),
        }
        for name, shape in shapes.items():
            if np.shape(getattr(self, name)) != shape:
                msg = f"track: {name} has shape {np.shape(getattr(self, name))}, need {shape} for {n} stamps"
                raise DataError(msg)
        for name, column in self.diagnostics.items():
            if np.shape(column) != (n,):
                msg = f"track: diagnostic {name} has shape {np.shape(column)}, need ({n},)"
                raise DataError(msg)
        unknown = sorted(set(self.state.tolist()) - set(STATES))
        if unknown:
            msg = f"track: unknown state {unknown[0]!r}; allowed: {', '.join(STATES)}"
            raise DataError(msg)
        if np.any(np.diff(self.t_ns) <= 0):
            msg = "track stamps are not strictly increasing; sort them and drop duplicates"
            raise DataError(msg)
        if not np.isfinite(self.T[self.tracked]).all():
            msg = "track: a pose is not finite though its state is not 'lost'"
            raise DataError(msg)

    def __len__(self) -> int:
        return len(self.t_ns)

    @property
    def tracked(self) -> NDArray[np.bool_]:
        """True where a frame has a pose, shape (n,)."""
        return np.asarray(self.state != "lost")

    @property
    def trajectory(self) -> Trajectory:
        """The poses T_first_camera of the frames that have one."""
        keep = self.tracked
        return Trajectory(self.t_ns[keep], self.T[keep])

    def save(self, folder: Path) -> None:
        """Writes `track.parquet`, `track.json` and `trajectory.tum` into a new folder, or nothing.

        Raises:
            DataError: If the folder exists already.
        """
        folder = Path(folder)
        if folder.exists():
            msg = f"{folder}: exists already; give another folder, or remove it first"
            raise DataError(msg)
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = temporary_sibling(folder)
        partial.mkdir()
        try:
            self._write_table(partial / "track.parquet")
            write_bytes(partial / "trajectory.tum", self._tum().encode())
            head = {
                "format": _FORMAT,
                "method": self.method,
                "stream": self.stream,
                "frames": len(self),
                "tracked": int(self.tracked.sum()),
                "maps": len(np.unique(self.map_id)),
                "diagnostics": list(self.diagnostics),
                "options": dict(self.options),
            }
            write_json(partial / "track.json", head)
            partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path) -> Track:
        """Reads a folder written by `save`.

        Raises:
            DataError: If the folder is not a complete track.
        """
        import pyarrow.parquet as pq

        folder = Path(folder)
        try:
            head = read_json(folder / "track.json")
            table = pq.read_table(folder / "track.parquet")
        except (OSError, ValueError) as err:
            msg = f"{folder}: no complete track here (needs track.json and track.parquet): {err}"
            raise DataError(msg) from err
        if head["format"] != _FORMAT:
            msg = f"{folder}/track.json: format {head['format']} is unknown; this version reads {_FORMAT}"
            raise DataError(msg)

        def column(name: str) -> NDArray[Any]:
            return np.asarray(table[name].to_numpy())

        position = np.stack([column(c) for c in ("px", "py", "pz")], axis=-1)
        quat = np.stack([column(c) for c in ("qw", "qx", "qy", "qz")], axis=-1)
        covariance = np.stack(table["covariance"].to_numpy()) if len(table) else np.zeros((0, 36))
        state = np.array(table["state"].to_pylist(), dtype=str)
        T = transform(quat_to_matrix(quat), position)
        T[state == "lost"] = np.nan
        return cls(
            method=head["method"],
            stream=head["stream"],
            t_ns=column("t_ns"),
            T=T,
            state=state,
            inlier_ratio=column("inlier_ratio"),
            covariance=covariance.reshape(-1, 6, 6).astype(float),
            seconds=column("seconds"),
            map_id=column("map_id"),
            diagnostics={name: column(name) for name in head["diagnostics"]},
            options=head["options"],
        )

    def _write_table(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        position, quat = self._position_quat()
        columns: dict[str, Any] = {
            "t_ns": self.t_ns,
            "state": self.state.tolist(),
            "map_id": self.map_id,
            **dict(zip(("px", "py", "pz"), position.T, strict=True)),
            **dict(zip(("qw", "qx", "qy", "qz"), quat.T, strict=True)),
            "inlier_ratio": self.inlier_ratio,
            "seconds": self.seconds,
            **self.diagnostics,
            "covariance": pa.array(
                list(self.covariance.reshape(len(self), 36)), type=pa.list_(pa.float64(), 36)
            ),
        }
        pq.write_table(pa.table(columns), path)

    def _position_quat(self) -> tuple[Array, Array]:
        keep = self.tracked
        quat = np.full((len(self), 4), np.nan)
        quat[keep] = matrix_to_quat(self.T[keep, :3, :3])
        return np.where(keep[:, None], self.T[:, :3, 3], np.nan), quat

    def _tum(self) -> str:
        position, quat = self._position_quat()
        rows = ["# timestamp_s tx ty tz qx qy qz qw"]
        for t, p, (w, x, y, z), keep in zip(self.t_ns.tolist(), position, quat, self.tracked, strict=True):
            if keep:
                stamp = f"{t // 10**9}.{t % 10**9:09d}" if t >= 0 else f"{t / 1e9:.9f}"
                rows.append(f"{stamp} " + " ".join(f"{v:.9f}" for v in (*p, x, y, z, w)))
        return "\n".join(rows) + "\n"
