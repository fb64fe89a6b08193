"""Does the IMU, integrated, follow the true poses?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array, hat, rotation_angle, so3_log
from veridical.core.trajectory import Trajectory
from veridical.datasets.certificate.check import Check, Fault, skipped
from veridical.datasets.certificate.strapdown import (
    Attitude,
    integrate_rate,
    integrate_twice,
    seconds_after,
)
from veridical.datasets.frames import ImuSamples
from veridical.datasets.read import Dataset

WINDOW_S = 10.0
POSITION_MM = 5.0
ROTATION_DEG = 0.05
OFFSET_MS = 1.0

_POSITION_NAME = "position re-integrated from the IMU"
_ROTATION_NAME = "attitude re-integrated from the gyro"
_OFFSET_NAME = "time offset of the gyro against the poses"
_SPAN_NS = 100_000_000
_PROBE_NS = 2_000_000.0
_MIN_SAMPLES = 20


def check_imu(data: Dataset, stream: str) -> list[Check]:
    """Time offset, attitude and position of an IMU against the poses of its body and its cameras."""
    robot = stream.split("/", 1)[0]
    samples = data.imu(stream)
    if len(samples.t_ns) < _MIN_SAMPLES:
        why = f"{len(samples.t_ns)} samples are too few"
        return [skipped(_POSITION_NAME, stream, POSITION_MM, "mm", why)]
    attitude = integrate_rate(samples)
    body = data.body_poses(robot)
    imu = Trajectory(body.t_ns, body.T @ data.imus[stream].T_body_imu)
    offset = _offset(attitude, imu)
    checks = [_offset_check(stream, f"{_OFFSET_NAME} of the body", offset)]
    for name, camera in data.cameras.items():
        if name.startswith(f"{robot}/") and camera.role != "right":
            T_camera_imu = np.linalg.inv(camera.T_body_camera) @ data.imus[stream].T_body_imu
            poses = data.poses(name)
            seen = _offset(attitude, Trajectory(poses.t_ns, poses.T @ T_camera_imu))
            checks.append(_offset_check(stream, f"{_OFFSET_NAME} of {name}", seen))
    gravity = np.array(data.scenario.physics.gravity)
    is_late = checks[0].passed is False
    return checks + _windows(stream, samples, attitude, imu, gravity, is_late)


# --- time offset -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Offset:
    """By how much the IMU's stamps are late, its deviation, and the rotation error before and after."""

    ms: float
    std_ms: float
    before_deg: float
    after_deg: float
    n: int


def _offset(attitude: Attitude, poses: Trajectory) -> _Offset | None:
    """Shifts the gyro's rotations over spans of 0.1 s until they fit those of the poses best.

    Gauss-Newton on one number, the derivative by a central difference.
    """
    start, end = _spans(poses, attitude)
    if len(start) < 5:
        return None
    wanted = np.swapaxes(poses.T[start, :3, :3], -1, -2) @ poses.T[end, :3, :3]

    def error(shift_ns: float) -> Array:
        a, b = (attitude.at(poses.t_ns[k].astype(float) + shift_ns) for k in (start, end))
        return so3_log(np.swapaxes(wanted, -1, -2) @ np.swapaxes(a, -1, -2) @ b)

    shift, slope, first = 0.0, np.zeros(0), error(0.0)
    for _ in range(4):
        slope = (error(shift + _PROBE_NS) - error(shift - _PROBE_NS)) / (2 * _PROBE_NS)
        energy = float((slope**2).sum())
        if energy < 1e-30:
            return None
        shift = float(np.clip(shift - float((slope * error(shift)).sum()) / energy, -5e7, 5e7))
    last = error(shift)
    std = np.sqrt(float((last**2).mean()) / float((slope**2).sum()))
    before, after = (float(np.rad2deg(np.sqrt((e**2).sum(axis=1).mean()))) for e in (first, last))
    return _Offset(shift * 1e-6, float(std) * 1e-6, before, after, len(start))


def _spans(poses: Trajectory, attitude: Attitude) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index pairs of poses about 0.1 s apart that the gyro covers with room for a shift."""
    room = 60_000_000
    t = poses.t_ns
    inside = np.flatnonzero((t >= attitude.t_ns[0] + room) & (t <= attitude.t_ns[-1] - room))
    if len(inside) < 2:
        return inside[:0], inside[:0]
    step = max(1, round(_SPAN_NS / float(np.median(np.diff(t)))))
    return inside[: -step : max(1, step // 4)], inside[step :: max(1, step // 4)]


def _offset_check(stream: str, name: str, offset: _Offset | None) -> Check:
    if offset is None or offset.std_ms > OFFSET_MS / 4:
        why = "the rotation is too even to show it"
        return skipped(name, stream, OFFSET_MS, "ms", why)
    numbers = {"offset_ms": offset.ms, "rms_before_deg": offset.before_deg, "rms_after_deg": offset.after_deg}
    return Check(name, stream, abs(offset.ms), OFFSET_MS, "ms", offset.n, "time", "", numbers)


# --- integration over windows ----------------------------------------------------------------------------


def _windows(
    stream: str, samples: ImuSamples, attitude: Attitude, imu: Trajectory, gravity: Array, is_late: bool
) -> list[Check]:
    """Position and attitude errors over windows of 10 s, every 5 s."""
    results = []
    for begin in _beginnings(samples, imu):
        end = begin + int(WINDOW_S * 1e9)
        poses = imu.between(begin, min(end, int(samples.t_ns[-1])))
        if len(poses) >= _MIN_SAMPLES // 2:
            results.append(_window(samples, attitude, poses, gravity))
    if not results:
        why = "the body poses do not cover its stamps"
        return [skipped(_POSITION_NAME, stream, POSITION_MM, "mm", why)]
    position, rotation, tilt = (np.concatenate([r[k] for r in results]) for k in range(3))
    lasting = max(float(r[3]) for r in results)
    detail = f"over {lasting:.1f} s at most"
    return [
        Check(
            _POSITION_NAME,
            stream,
            float(position.max()),
            POSITION_MM,
            "mm",
            len(position),
            _word(position, POSITION_MM, is_late),
            detail,
            {"median_mm": float(np.median(position)), "fitted_tilt_deg": float(tilt.max())},
        ),
        Check(
            _ROTATION_NAME,
            stream,
            float(rotation.max()),
            ROTATION_DEG,
            "deg",
            len(rotation),
            _word(rotation, ROTATION_DEG, is_late),
            detail,
            {"median_deg": float(np.median(rotation))},
        ),
    ]


def _word(errors: Array, limit: float, is_late: bool) -> Fault:
    """Errors at a few stamps only are those of single poses; a lasting one is the IMU's."""
    if is_late:
        return "time"
    return "pose" if float(np.mean(errors > limit)) < 0.05 else "imu"


def _beginnings(samples: ImuSamples, imu: Trajectory) -> list[int]:
    """Stamps of IMU samples, every half window; the last one leaves a whole window if there is one."""
    t = samples.t_ns[np.isin(samples.t_ns, imu.t_ns)]
    if not len(t):
        return []
    window = int(WINDOW_S * 1e9)
    last = max(int(t[0]), int(t[-1]) - window)
    wanted = [*range(int(t[0]), last, window // 2), last]
    return [int(t[min(int(np.searchsorted(t, w)), len(t) - 1)]) for w in wanted]


def _window(
    samples: ImuSamples, attitude: Attitude, poses: Trajectory, gravity: Array
) -> tuple[Array, Array, Array, float]:
    """Errors at the poses of one window: position in mm, rotation in degrees; fitted tilt; length in s.

    Start position and attitude are the true ones. The start velocity, and a small turn of the start
    attitude for the position only, are fitted: dp = v t + double integral of turn x R f.
    """
    begin = int(poses.t_ns[0])
    keep = (samples.t_ns >= begin) & (samples.t_ns <= poses.t_ns[-1])
    t_s, at_s = seconds_after(begin, samples.t_ns[keep]), seconds_after(begin, poses.t_ns)
    R_start = attitude.R[int(np.flatnonzero(keep)[0])]
    R = poses.T[0, :3, :3] @ R_start.T @ attitude.R[keep]
    force = (R @ samples.specific_force[keep][:, :, None])[..., 0]
    dead_reckoned = integrate_twice(t_s, force + gravity, at_s)
    error = poses.position - poses.position[0] - dead_reckoned
    tilted = integrate_twice(t_s, -hat(force).reshape(-1, 9), at_s).reshape(-1, 3, 3)
    M = np.concatenate([at_s[:, None, None] * np.eye(3), tilted], axis=2).reshape(-1, 6)
    fitted = np.linalg.lstsq(M, error.ravel(), rcond=1e-9)[0]
    rest = error.ravel() - M @ fitted
    R_poses = poses.T[0, :3, :3] @ R_start.T @ attitude.at(poses.t_ns.astype(float))
    angle = rotation_angle(np.swapaxes(R_poses, -1, -2) @ poses.T[:, :3, :3])
    tilt = np.array([np.rad2deg(np.linalg.norm(fitted[3:]))])
    position = 1e3 * np.linalg.norm(rest.reshape(-1, 3), axis=1)
    return position, np.rad2deg(angle), tilt, float(at_s[-1])
