"""Stamp, pose and boxes of finished frames: one small file a frame, joined into tables at the end.

The record is the last file of a frame to be written, so a frame with a record is complete.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from veridical.core.files import write_json
from veridical.core.trajectory import Trajectory
from veridical.datasets import tables
from veridical.datasets.frames import Box2d, Box3d, CameraFrame
from veridical.datasets.jsonfile import load_json

_EDGES = ("left", "top", "right", "bottom")
_T = tuple(f"t{i}{j}" for i in range(3) for j in range(4))
_SIZE = ("size_x_m", "size_y_m", "size_z_m")


def write_record(path: Path, frame: CameraFrame) -> None:
    """Commits a frame whose images are on disk."""
    record: dict[str, Any] = {
        "t_ns": int(frame.t_ns),
        "T_world_camera": np.asarray(frame.T_world_camera).tolist(),
    }
    if frame.boxes_2d is not None:
        record["boxes_2d"] = [
            [b.instance, None if b.tight is None else list(b.tight), list(b.loose), b.visible_pixels]
            for b in frame.boxes_2d
        ]
    if frame.boxes_3d is not None:
        record["boxes_3d"] = [
            [b.instance, np.asarray(b.T_world_box).tolist(), list(b.size_m)] for b in frame.boxes_3d
        ]
    write_json(path, record)


def finished(folder: Path) -> list[int]:
    """Indices of the frames that have a record, ascending."""
    return sorted(int(p.stem) for p in folder.glob("[0-9]*.json")) if folder.is_dir() else []


Boxes2d = dict[int, tuple[Box2d, ...]]
Boxes3d = dict[int, tuple[Box3d, ...]]


def read_records(folder: Path) -> tuple[Trajectory, Boxes2d, Boxes3d]:
    """All records of a stream: poses, and boxes by frame where they were recorded."""
    found = {i: load_json(folder / f"{i:06d}.json") for i in finished(folder)}
    t_ns = np.array([r["t_ns"] for r in found.values()], np.int64)
    T = np.array([r["T_world_camera"] for r in found.values()], float).reshape(-1, 4, 4)
    boxes_2d = {i: tuple(_box_2d(b) for b in r["boxes_2d"]) for i, r in found.items() if "boxes_2d" in r}
    boxes_3d = {i: tuple(_box_3d(b) for b in r["boxes_3d"]) for i, r in found.items() if "boxes_3d" in r}
    return Trajectory(t_ns, T), boxes_2d, boxes_3d


def _box_2d(row: list[Any]) -> Box2d:
    instance, tight, loose, pixels = row
    return Box2d(instance, None if tight is None else _four(tight), _four(loose), pixels)


def _four(edges: Any) -> tuple[float, float, float, float]:
    left, top, right, bottom = map(float, edges)
    return left, top, right, bottom


def _box_3d(row: list[Any]) -> Box3d:
    instance, T, (x, y, z) = row
    return Box3d(instance, np.array(T, float), (x, y, z))


def write_boxes_2d(path: Path, boxes: Boxes2d) -> None:
    """One row a box; a hidden instance has no tight box: NaN."""
    flat = [(i, b) for i, of_frame in sorted(boxes.items()) for b in of_frame]
    tight = np.array([b.tight or (np.nan,) * 4 for _, b in flat], float).reshape(-1, 4)
    loose = np.array([b.loose for _, b in flat], float).reshape(-1, 4)
    columns: dict[str, Any] = {
        "frame": np.array([i for i, _ in flat], np.int64),
        "instance": np.array([b.instance for _, b in flat], np.int64),
        "visible_pixels": np.array([b.visible_pixels for _, b in flat], np.int64),
    }
    columns |= {f"tight_{edge}_px": tight[:, k] for k, edge in enumerate(_EDGES)}
    columns |= {f"loose_{edge}_px": loose[:, k] for k, edge in enumerate(_EDGES)}
    tables.write_table(path, columns)


def read_boxes_2d(path: Path, n: int) -> Boxes2d:
    """The reverse, for n frames."""
    table = tables.read_table(path)
    head = tables.columns_of(path, table, ("frame", "instance", "visible_pixels")).astype(int).tolist()
    tight = tables.columns_of(path, table, tuple(f"tight_{e}_px" for e in _EDGES))
    loose = tables.columns_of(path, table, tuple(f"loose_{e}_px" for e in _EDGES))
    out: dict[int, list[Box2d]] = {i: [] for i in range(n)}
    for (i, instance, pixels), t, bounds in zip(head, tight, loose, strict=True):
        box = Box2d(instance, None if np.isnan(t).any() else _four(t), _four(bounds), pixels)
        out.setdefault(i, []).append(box)
    return {i: tuple(boxes) for i, boxes in out.items()}


def write_boxes_3d(path: Path, boxes: Boxes3d) -> None:
    """One row a box: T_world_box (its upper three rows, row-major) and the full size."""
    flat = [(i, b) for i, of_frame in sorted(boxes.items()) for b in of_frame]
    T = np.array([b.T_world_box[:3] for _, b in flat], float).reshape(-1, 12)
    size = np.array([b.size_m for _, b in flat], float).reshape(-1, 3)
    columns: dict[str, Any] = {
        "frame": np.array([i for i, _ in flat], np.int64),
        "instance": np.array([b.instance for _, b in flat], np.int64),
    }
    columns |= {name: T[:, k] for k, name in enumerate(_T)}
    columns |= {name: size[:, k] for k, name in enumerate(_SIZE)}
    tables.write_table(path, columns)


def read_boxes_3d(path: Path, n: int) -> Boxes3d:
    """The reverse, for n frames."""
    table = tables.read_table(path)
    head = tables.columns_of(path, table, ("frame", "instance")).astype(int).tolist()
    T = np.tile(np.eye(4), (len(head), 1, 1))
    T[:, :3] = tables.columns_of(path, table, _T).reshape(-1, 3, 4)
    size = tables.columns_of(path, table, _SIZE).tolist()
    out: dict[int, list[Box3d]] = {i: [] for i in range(n)}
    for (i, instance), T_world_box, (x, y, z) in zip(head, T, size, strict=True):
        out.setdefault(i, []).append(Box3d(instance, T_world_box, (x, y, z)))
    return {i: tuple(boxes) for i, boxes in out.items()}
