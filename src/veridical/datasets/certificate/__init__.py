"""The certificate: proof by measurement that a dataset agrees with itself."""

from __future__ import annotations

import time

from veridical.datasets.certificate.check import Certificate, Check, skipped
from veridical.datasets.certificate.identity import check_labels, check_tables
from veridical.datasets.certificate.inertial import check_imu
from veridical.datasets.certificate.kept import keep, kept
from veridical.datasets.certificate.rig import check_baseline, check_mount
from veridical.datasets.certificate.stamps import check_stamps
from veridical.datasets.certificate.views import check_views
from veridical.datasets.read import Dataset

__all__ = ["Certificate", "Check", "keep", "kept", "verify"]


def verify(data: Dataset) -> Certificate:
    """Measures every claim that the data can show; see the checks' names.

    Returns:
        The certificate. The caller may save `to_json()` as certificate.json beside the data.

    Raises:
        DataError: If a file that a check needs is missing or corrupt.
    """
    begin = time.perf_counter()
    checks = [_complete(data), *check_tables(data), *check_stamps(data)]
    for stream in data.cameras:
        if not len(data.stamps(stream)):
            checks.append(skipped("reprojection to the next frame", stream, 0.1, "px", "it has no frame"))
            continue
        views = check_views(data, stream) if "depth" in data.layers(stream) else []
        known = ("pose", "calibration", "time")
        fault = next((c.fault for c in views if c.passed is False and c.fault in known), None)
        checks += [*views, *check_mount(data, stream), *check_labels(data, stream, fault)]
    for left, right in data.stereo_pairs():
        checks += check_baseline(data, left, right)
    for stream in data.imus:
        checks += check_imu(data, stream)
    return Certificate(tuple(checks), time.perf_counter() - begin)


def _complete(data: Dataset) -> Check:
    planned = sum(entry.get("frames", 0) for entry in data.manifest["streams"].values())
    ready = sum(len(data.stamps(stream)) for stream in data.cameras)
    return Check("frames that are missing", "dataset", planned - ready, 0.0, "", planned, "image")
