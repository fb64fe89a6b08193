"""calibration.json: intrinsics, mounts and rates of all sensors, with the conventions spelled out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from veridical.core.camera import PinholeCamera
from veridical.core.errors import DataError
from veridical.core.files import write_json
from veridical.core.hashing import content_hash
from veridical.datasets.frames import CameraStream, ImuStream
from veridical.datasets.jsonfile import load_json

CONVENTIONS = {
    "units": "metres, radians, seconds; t_ns are integer nanoseconds from the start of the recording",
    "world": "right-handed, z up",
    "body": "x forward, y left, z up",
    "optical_frame": "x right, y down, z forward",
    "T_a_b": "4x4, row-major; maps coordinates in b to coordinates in a: p_a = T_a_b p_b",
    "quaternion": "w, x, y, z",
    "pixel": "(0, 0) is the centre of the top-left pixel; u to the right, v down",
    "K": "[[fx, 0, cx], [0, fy, cy], [0, 0, 1]] in pixels",
    "distortion": "Brown: k1, k2, p1, p2, k3",
    "stereo": "parallel axes; the right camera lies at +baseline_m along the left camera's x",
    "imu": "angular rate in rad/s and specific force in m/s^2, both in the IMU frame; "
    "at rest the specific force is +9.81 upwards",
}


def write_calibration(path: Path, cameras: Iterable[CameraStream], imus: Iterable[ImuStream]) -> None:
    """Writes calibration.json."""
    write_json(
        path,
        {
            "conventions": CONVENTIONS,
            "cameras": {c.name: camera_to_json(c) for c in cameras},
            "imus": {i.name: imu_to_json(i) for i in imus},
        },
    )


def read_calibration(path: Path) -> tuple[dict[str, CameraStream], dict[str, ImuStream]]:
    """Reads calibration.json.

    Raises:
        DataError: If it is missing or a field is.
    """
    data = load_json(path)
    try:
        cameras = {name: _camera(name, c) for name, c in data["cameras"].items()}
        imus = {name: _imu(name, i) for name, i in data["imus"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as err:
        msg = f"{path}: incomplete or wrong entry ({type(err).__name__}: {err})"
        raise DataError(msg) from err
    return cameras, imus


def calibration_hash(cameras: Iterable[CameraStream], imus: Iterable[ImuStream]) -> str:
    """Content hash of the calibration, for the manifest: shows whether the file was touched later."""
    return content_hash({c.name: camera_to_json(c) for c in cameras}, {i.name: imu_to_json(i) for i in imus})


def camera_to_json(stream: CameraStream) -> dict[str, Any]:
    """One camera as JSON-able values."""
    return {
        "role": stream.role,
        "width": stream.camera.width,
        "height": stream.camera.height,
        "K": stream.camera.K.tolist(),
        "distortion": list(stream.camera.distortion),
        "T_body_camera": np.asarray(stream.T_body_camera).tolist(),
        "rate_hz": stream.rate_hz,
        "baseline_m": stream.baseline_m,
        "max_depth_m": stream.max_depth_m,
    }


def imu_to_json(stream: ImuStream) -> dict[str, Any]:
    """One IMU as JSON-able values."""
    return {"T_body_imu": np.asarray(stream.T_body_imu).tolist(), "rate_hz": stream.rate_hz}


def _camera(name: str, c: dict[str, Any]) -> CameraStream:
    (fx, _, cx), (_, fy, cy), _ = c["K"]
    k1, k2, p1, p2, k3 = c["distortion"]
    camera = PinholeCamera(c["width"], c["height"], fx, fy, cx, cy, (k1, k2, p1, p2, k3))
    T = np.array(c["T_body_camera"], float).reshape(4, 4)
    return CameraStream(name, camera, T, c["rate_hz"], c["role"], c["baseline_m"], c["max_depth_m"])


def _imu(name: str, i: dict[str, Any]) -> ImuStream:
    return ImuStream(name, np.array(i["T_body_imu"], float).reshape(4, 4), i["rate_hz"])
