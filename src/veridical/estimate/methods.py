"""The methods by name, and the function that runs one on a dataset."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from veridical.core.camera import PinholeCamera
from veridical.core.errors import DataError, did_you_mean
from veridical.core.progress import Progress, silent
from veridical.datasets.read import BlindDataset, Dataset
from veridical.datasets.track import Track
from veridical.estimate.images import Grey, locally_normalised
from veridical.estimate.odometry import Odometry, Settings
from veridical.estimate.rig import Rig
from veridical.estimate.source import Frame, RgbdFrame, StereoFrame

_RGBD_BASELINE_M = 0.1
"""Of the virtual right camera; a depth error weighs like the disparity error of a small stereo camera."""


@dataclass(frozen=True)
class Method:
    """A visual odometry: the sensor it needs, its settings, and one line about it."""

    sensor: Literal["stereo", "rgbd"]
    settings: Settings
    about: str


_WINDOW = Settings()
_KEYFRAME = Settings(window=0)
_FRAME = Settings(window=0, every_frame=True)

METHODS: dict[str, Method] = {
    "stereo-vo": Method("stereo", _WINDOW, "keyframes, the last few adjusted together"),
    "stereo-vo-keyframe": Method("stereo", _KEYFRAME, "each frame against the last keyframe"),
    "stereo-vo-frame": Method("stereo", _FRAME, "each frame against the one before"),
    "rgbd-vo": Method("rgbd", _WINDOW, "keyframes, the last few adjusted together"),
    "rgbd-vo-keyframe": Method("rgbd", _KEYFRAME, "each frame against the last keyframe"),
    "rgbd-vo-frame": Method("rgbd", _FRAME, "each frame against the one before"),
}


def estimate(
    data: BlindDataset | Dataset,
    method: str = "stereo-vo",
    *,
    stream: str | None = None,
    progress: Progress = silent,
    **options: Any,
) -> Track:
    """Runs a method on a dataset's sensor streams.

    Args:
        data: A dataset; the truth of a full one is not looked at.
        method: A key of `METHODS`.
        stream: The left camera of the stereo pair, or the RGB-D camera; needed if there are several.
        progress: Told about each frame.
        **options: Change the method's `Settings`, by field name.

    Returns:
        One row for each frame. Poses are those after the last frame: what later frames taught about a
        keyframe within its window is in them.

    Raises:
        DataError: If the method, an option or the stream is unknown, or the data lacks the sensor.
    """
    if method not in METHODS:
        msg = f"method {method!r} is unknown.{did_you_mean(method, METHODS)} Known: {', '.join(METHODS)}"
        raise DataError(msg)
    settings = _with_options(METHODS[method].settings, options)
    blind = data.blind() if isinstance(data, Dataset) else data
    left = _choose(blind, METHODS[method].sensor, stream)
    rig, frame = _open(blind, METHODS[method].sensor, left, settings)
    t_ns = blind.stamps(left)
    odometry, seconds = Odometry(rig, settings), np.zeros(len(t_ns))
    with _one_thread():
        for i, t in enumerate(t_ns.tolist()):
            begin = time.perf_counter()
            odometry.add(t, frame(i))
            seconds[i] = time.perf_counter() - begin
            progress(f"estimate {method}", i + 1, len(t_ns))
    steps = odometry.steps
    return Track(
        method=method,
        stream=left,
        t_ns=t_ns,
        T=odometry.poses(),
        state=np.array([s.state for s in steps], dtype=str),
        inlier_ratio=np.array([s.inlier_ratio for s in steps]),
        covariance=np.array([s.covariance for s in steps]).reshape(-1, 6, 6),
        seconds=seconds,
        map_id=np.array([s.map_id for s in steps], dtype=np.int64),
        diagnostics={
            "inliers": np.array([float(s.n_inliers) for s in steps]),
            "rms_px": np.array([s.rms_px for s in steps]),
            "flow_px": np.array([s.flow_px for s in steps]),
        },
        options=asdict(settings),
    )


def _with_options(settings: Settings, options: dict[str, Any]) -> Settings:
    known = [f.name for f in fields(Settings)]
    for name in options:
        if name not in known:
            msg = f"option {name!r} is unknown.{did_you_mean(name, known)} Known: {', '.join(known)}"
            raise DataError(msg)
    return replace(settings, **options)


def _choose(data: BlindDataset, sensor: str, stream: str | None) -> str:
    if sensor == "stereo":
        fitting = [left for left, _ in data.stereo_pairs()]
    else:
        fitting = [name for name, camera in data.cameras.items() if camera.role == "rgbd"]
    named = ", ".join(fitting) or "none"
    if stream is not None:
        match = [name for name in fitting if stream in (name, name.rpartition("/")[0])]
        if not match:
            msg = f"{stream!r} is no {sensor} stream of this dataset; it has: {named}"
            raise DataError(msg)
        return match[0]
    if len(fitting) != 1:
        advice = "name one as `stream`" if fitting else f"add a {sensor} camera to the scenario"
        msg = f"the dataset has {len(fitting)} {sensor} streams ({named}), the method takes one; {advice}"
        raise DataError(msg)
    return fitting[0]


def _open(
    data: BlindDataset, sensor: str, left: str, settings: Settings
) -> tuple[Rig, Callable[[int], Frame]]:
    camera: PinholeCamera = data.cameras[left].camera

    def grey(stream: str, i: int) -> Grey:
        return locally_normalised(data.colour(stream, i), settings.contrast_px)

    if sensor == "rgbd":
        rig = Rig(camera, _RGBD_BASELINE_M)
        return rig, lambda i: RgbdFrame(grey(left, i), data.depth(left, i))
    right = dict(data.stereo_pairs())[left]
    if not np.array_equal(data.stamps(left), data.stamps(right)):
        msg = f"{left} and {right} have different stamps; stereo needs both images of each moment"
        raise DataError(msg)
    rig = Rig(camera, data.cameras[left].baseline_m)
    return rig, lambda i: StereoFrame(grey(left, i), grey(right, i), settings.patch_px)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Sums in OpenCV and so the last digits must not depend on the number of cores."""
    import cv2

    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)
