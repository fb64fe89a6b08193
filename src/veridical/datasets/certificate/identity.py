"""Do label images, label table and boxes agree?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import apply, invert
from veridical.datasets.calibration import calibration_hash
from veridical.datasets.certificate.check import Check, Fault
from veridical.datasets.labels import labels_hash
from veridical.datasets.read import Dataset

BOX_2D_PX = 0.0
BOX_3D_MM = 5.0

_MAX_FRAMES = 80
_MIN_BOX_PIXELS = 30
_FAR_MM = 50.0


def check_tables(data: Dataset) -> list[Check]:
    """The label table and the calibration are those that were written with the data."""
    recorded = data.manifest.get("sha256", {})
    now = {
        "labels.json": labels_hash(data.labels),
        "calibration.json": calibration_hash(data.cameras.values(), data.imus.values()),
    }
    words: dict[str, Fault] = {"labels.json": "labels", "calibration.json": "calibration"}
    checks = [
        Check(f"{name} is as recorded", "dataset", float(recorded.get(name) != h), 0.0, "", 1, words[name])
        for name, h in now.items()
    ]
    ids = [row.id for row in data.labels]
    names = [row.name for row in data.labels]
    repeated = len(ids) - len(set(ids)) + len(names) - len(set(names))
    return [*checks, Check("ids and names are unique", "dataset", repeated, 0.0, "", len(ids), "labels")]


def check_labels(data: Dataset, stream: str, fault: Fault | None) -> list[Check]:
    """Ids are in the table, semantic = f(instance), boxes agree with the masks and the depth.

    `fault` is what is known to be wrong with the views: it moves points out of their 3D boxes, too.
    """
    layers = data.layers(stream)
    if "instance" not in layers:
        return []
    n = len(data.stamps(stream))
    frames = np.unique(np.linspace(0, n - 1, min(n, _MAX_FRAMES)).round().astype(int))
    semantic_of = np.full(1 << 16, -1, np.int64)
    semantic_of[0] = 0
    for row in data.labels:
        semantic_of[row.id] = row.semantic_id
    unknown, wrong, box_2d, box_3d = [], [], [], []
    for i in map(int, frames):
        instance = data.read(stream, i, "instance")
        unknown.append(100 * float(np.mean(semantic_of[instance] < 0)))
        if "semantic" in layers:
            semantic = data.read(stream, i, "semantic")
            wrong.append(100 * float(np.mean(semantic_of[instance] != semantic)))
        if data.has_boxes(stream):
            box_2d += _box_2d_errors(data, stream, i, instance)
        if data.has_boxes(stream) and "depth" in layers:
            box_3d += _box_3d_errors(data, stream, i, instance)
    checks = [Check("every id is in the table", stream, max(unknown, default=0.0), 0.0, "%", n, "labels")]
    if wrong:
        name = "semantic id follows from the instance"
        checks.append(Check(name, stream, max(wrong), 0.0, "%", len(wrong), "labels"))
    if box_2d:
        name = "2D boxes are those of their masks"
        checks.append(Check(name, stream, max(box_2d), BOX_2D_PX, "px", len(box_2d), "labels"))
    if box_3d:
        checks.append(_inside_check(stream, box_3d, fault))
    return checks


def _box_2d_errors(data: Dataset, stream: str, i: int, instance: NDArray[np.uint16]) -> list[float]:
    """Largest distance of an edge of each tight box to that of its mask; a pixel's is u, v, u + 1, v + 1."""
    out = []
    for box in data.boxes_2d(stream, i):
        mask = instance == box.instance
        if box.tight is None or not mask.any():
            out.append(float(mask.any() != (box.tight is not None)) * max(mask.shape))
            continue
        u, v = np.flatnonzero(mask.any(axis=0)), np.flatnonzero(mask.any(axis=1))
        edges = np.array([u[0], v[0], u[-1] + 1, v[-1] + 1], float)
        out.append(float(np.abs(edges - box.tight).max()))
    return out


def _box_3d_errors(data: Dataset, stream: str, i: int, instance: NDArray[np.uint16]) -> list[float]:
    """For each 3D box: how far the points of its pixels lie outside, 90th percentile, mm."""
    camera, T = data.cameras[stream].camera, data.poses(stream).T[i]
    depth = data.read(stream, i, "depth")
    out = []
    for box in data.boxes_3d(stream, i):
        v, u = np.nonzero((instance == box.instance) & (depth > 0))
        if len(u) < _MIN_BOX_PIXELS:
            continue
        pick = slice(None, None, max(1, len(u) // 200))
        u, v = u[pick], v[pick]
        rays = camera.directions(np.stack([u, v], axis=-1))
        points = apply(invert(box.T_world_box) @ T, rays * depth[v, u].astype(float)[:, None])
        beyond = points - np.clip(points, -np.array(box.size_m) / 2, np.array(box.size_m) / 2)
        distance = np.linalg.norm(beyond, axis=1)
        out.append(1e3 * float(np.percentile(distance, 90)))
    return out


def _inside_check(stream: str, distances: list[float], fault: Fault | None) -> Check:
    """Points far outside their box are those of another thing; a little outside, the poses are wrong."""
    worst = max(distances)
    own: Fault = "labels" if worst > _FAR_MM else "pose"
    name = "3D boxes enclose the points of their masks"
    return Check(name, stream, worst, BOX_3D_MM, "mm", len(distances), fault or own)
