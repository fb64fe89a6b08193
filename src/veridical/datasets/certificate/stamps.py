"""Do all clocks of a dataset agree?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.clock import NS_PER_S
from veridical.datasets.certificate.check import Check
from veridical.datasets.read import Dataset

_ROUNDING_NS = 2.0


def check_stamps(data: Dataset) -> list[Check]:
    """Regular stamps in every stream, stamps of images and poses equal, stereo stamps equal."""
    checks = []
    for stream, rate_hz in _rates(data).items():
        t_ns = data.stamps(stream)
        checks.append(_regular(stream, t_ns, rate_hz))
        if stream in data.cameras:
            name = "stamps of images and true poses are equal"
            checks.append(_equal(name, stream, t_ns, data.poses(stream).t_ns[: len(t_ns)]))
    for left, right in data.stereo_pairs():
        name = "stamps of left and right are equal"
        checks.append(_equal(name, left.removesuffix("/left"), data.stamps(left), data.stamps(right)))
    return checks


def _rates(data: Dataset) -> dict[str, float]:
    cameras = {name: camera.rate_hz for name, camera in data.cameras.items()}
    return cameras | {name: imu.rate_hz for name, imu in data.imus.items()}


def _regular(stream: str, t_ns: NDArray[np.int64], rate_hz: float) -> Check:
    """Deviation of the stamps from an even ladder of the stated rate, which starts with the first."""
    ladder = np.arange(len(t_ns)) * (NS_PER_S / rate_hz)
    off = (t_ns - t_ns[0]) - ladder if len(t_ns) else np.zeros(1)
    worst = float(np.abs(off).max())
    name = "stamps are even at the stated rate"
    return Check(name, stream, worst, _ROUNDING_NS, "ns", len(t_ns), "time")


def _equal(name: str, subject: str, a: NDArray[np.int64], b: NDArray[np.int64]) -> Check:
    if len(a) != len(b):
        detail = f"{len(a)} stamps against {len(b)}"
        return Check(name, subject, abs(len(a) - len(b)), 0.0, "stamps", min(len(a), len(b)), "time", detail)
    worst = float(np.abs(a - b).max()) if len(a) else 0.0
    return Check(name, subject, worst, 0.0, "ns", len(a), "time")
