"""The layout of the TUM RGB-D benchmark.

Source: Sturm et al., A Benchmark for the Evaluation of RGB-D SLAM Systems (IROS 2012), and its file format
page: depth PNG with factor 5000, 0 for none; ground truth lines `t tx ty tz qx qy qz qw`, the pose of the
optical frame in the world; times in seconds. The right images of a stereo pair go to rgb_right/.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from veridical.core.clock import NS_PER_S
from veridical.core.errors import DataError
from veridical.core.files import write_json
from veridical.datasets.calibration import CONVENTIONS, camera_to_json
from veridical.datasets.plan import layer_path
from veridical.datasets.read import Dataset

DEPTH_FACTOR = 5000


def export(data: Dataset, stream: str, folder: Path) -> None:
    """Writes one camera stream into an empty folder; what the dataset lacks (colour, depth) is left out."""
    stamps = [seconds(t) for t in data.stamps(stream)]
    right = dict(data.stereo_pairs()).get(stream)
    has_depth = data.cameras[stream].role == "rgbd" or "depth" in data.layers(stream)
    has_colour = "colour" in data.layers(stream)
    if has_colour:
        _copy_colour(data, stream, stamps, folder, "rgb")
    if has_colour and right is not None:
        _copy_colour(data, right, stamps, folder, "rgb_right")
    if has_depth:
        _write_depth(data, stream, stamps, folder)
    if has_colour and has_depth:
        lines = [f"{t} rgb/{t}.png {t} depth/{t}.png" for t in stamps]
        (folder / "associations.txt").write_text("".join(f"{line}\n" for line in lines))
    poses = data.poses(stream)
    rows = zip(stamps, poses.position, poses.quat_wxyz, strict=True)
    _write_list(
        folder / "groundtruth.txt",
        "t tx ty tz qx qy qz qw: pose of the optical frame in the world; s, m",
        [f"{t} {' '.join(f'{x:.9f}' for x in (*p, *q[1:], q[0]))}" for t, p, q in rows],
    )
    cameras = {name: camera_to_json(data.cameras[name]) for name in (stream, right) if name}
    write_json(
        folder / "calibration.json",
        {"conventions": CONVENTIONS, "depth_factor": DEPTH_FACTOR, "cameras": cameras},
    )


def seconds(t_ns: int) -> str:
    """Nanoseconds as decimal seconds, exactly."""
    whole, rest = divmod(abs(int(t_ns)), NS_PER_S)
    return f"{'-' if t_ns < 0 else ''}{whole}.{rest:09d}"


def _copy_colour(data: Dataset, stream: str, stamps: list[str], folder: Path, name: str) -> None:
    (folder / name).mkdir()
    for i, t in enumerate(stamps):
        source = layer_path(data.folder, stream, "colour", i)
        try:
            shutil.copyfile(source, folder / name / f"{t}.png")
        except FileNotFoundError:
            msg = f"{source} is missing; the dataset is damaged: observe the run again into a new folder"
            raise DataError(msg) from None
    _write_list(folder / f"{name}.txt", "timestamp filename", [f"{t} {name}/{t}.png" for t in stamps])


def _write_depth(data: Dataset, stream: str, stamps: list[str], folder: Path) -> None:
    (folder / "depth").mkdir()
    for i, t in enumerate(stamps):
        is_sensed = data.cameras[stream].role == "rgbd"
        depth = data.depth(stream, i) if is_sensed else data.read(stream, i, "depth")
        if not cv2.imwrite(str(folder / "depth" / f"{t}.png"), depth_codes(depth)):
            msg = f"cannot write {folder / 'depth' / t}.png"
            raise DataError(msg)
    _write_list(folder / "depth.txt", "timestamp filename", [f"{t} depth/{t}.png" for t in stamps])


def depth_codes(depth: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Metres to uint16 with factor 5000; what lies beyond 13.107 m has no code and becomes 0."""
    codes: NDArray[Any] = np.rint(depth.astype(np.float64) * DEPTH_FACTOR)
    return np.where(codes <= np.iinfo(np.uint16).max, codes, 0).astype(np.uint16)


def _write_list(path: Path, header: str, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in (f"# {header}", *lines)))
