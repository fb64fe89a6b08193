"""Do the poses of the cameras, of the body, and the calibration of the rig agree?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array, invert, se3_log, so3_log
from veridical.core.trajectory import Trajectory
from veridical.datasets.certificate.check import Check, Fault, skipped
from veridical.datasets.read import Dataset

TRANSLATION_MM = 1.0
ROTATION_DEG = 0.02

_MAX_POSE_GAP_NS = 20_000_000
_MOVABLE_RAD = np.deg2rad(0.5)
_MIN_TIME_SHARE = 0.8


def check_baseline(data: Dataset, left: str, right: str) -> list[Check]:
    """The right camera lies at (baseline, 0, 0) of the left one, with parallel axes."""
    a, b = data.poses(left), data.poses(right)
    n = min(len(a), len(b))
    wanted = np.eye(4)
    wanted[0, 3] = data.cameras[left].baseline_m
    E = invert(wanted) @ invert(a.T[:n]) @ b.T[:n]
    subject = left.removesuffix("/left")
    return _offset_checks("baseline against the poses", subject, E, a.T[:n, :3, :3])


def check_mount(data: Dataset, stream: str) -> list[Check]:
    """T_world_camera = T_world_body T_body_camera at every frame; not for a mount that turns."""
    name = "camera poses against body poses and mount"
    robot = stream.split("/", 1)[0]
    body, poses = data.body_poses(robot), data.poses(stream)
    keep = _covered(body, poses)
    if keep.sum() < 2:
        why = "the body poses do not cover its stamps"
        return [skipped(f"{name}, translation", stream, TRANSLATION_MM, "mm", why)]
    T_world_body = body.at(poses.t_ns[keep])
    T_world_camera = poses.T[keep]
    E = invert(T_world_body @ data.cameras[stream].T_body_camera) @ T_world_camera
    if np.median(np.linalg.norm(so3_log(E[:, :3, :3]), axis=1)) > _MOVABLE_RAD:
        why = "the mount turns; its zero position cannot be held against the poses"
        return [skipped(f"{name}, translation", stream, TRANSLATION_MM, "mm", why)]
    late_s = _time_offset(body, poses.t_ns[keep], data.cameras[stream].T_body_camera, E)
    return _offset_checks(name, stream, E, T_world_camera[:, :3, :3], late_s)


def _covered(body: Trajectory, poses: Trajectory) -> Array:
    """Frames whose stamp is one of the body's, or lies between two that are close together."""
    k = np.searchsorted(body.t_ns, poses.t_ns)
    inside = (k > 0) & (k < len(body))
    after = np.clip(k, 1, len(body) - 1)
    near = body.t_ns[after] - body.t_ns[after - 1] <= _MAX_POSE_GAP_NS
    return np.asarray(np.isin(poses.t_ns, body.t_ns) | (inside & near))


def _time_offset(body: Trajectory, t_ns: NDArray[np.int64], T_body_camera: Array, E: Array) -> float:
    """Seconds by which the camera poses are late, if lateness explains the offsets; else 0."""
    h = _MAX_POSE_GAP_NS
    inner = (t_ns - h >= body.t_ns[0]) & (t_ns + h <= body.t_ns[-1])
    if inner.sum() < 3:
        return 0.0
    before, after = (body.at(t_ns[inner] + dt) @ T_body_camera for dt in (-h, h))
    twist = se3_log(invert(before) @ after) / (2e-9 * h)
    error = se3_log(E[inner])
    energy = float((twist * twist).sum())
    if energy < 1e-9:
        return 0.0
    late = float((twist * error).sum()) / energy
    left_over = float(((error - late * twist) ** 2).sum()) / max(float((error**2).sum()), 1e-30)
    return late if left_over < 1 - _MIN_TIME_SHARE else 0.0


def _offset_checks(
    name: str, subject: str, E: Array, R_world_frame: Array, late_s: float = 0.0
) -> list[Check]:
    """Checks that the offsets E (n, 4, 4), which should be identities, are."""
    t = E[:, :3, 3]
    angle = np.rad2deg(np.linalg.norm(so3_log(E[:, :3, :3]), axis=1))
    length = 1e3 * np.linalg.norm(t, axis=1)
    fault = _word(E, R_world_frame, late_s)
    detail = f"offset in time of {1e3 * late_s:.2f} ms" if fault == "time" else ""
    n = len(E)
    return [
        Check(f"{name}, translation", subject, float(length.max()), TRANSLATION_MM, "mm", n, fault, detail),
        Check(f"{name}, rotation", subject, float(angle.max()), ROTATION_DEG, "deg", n, fault, detail),
    ]


def _word(E: Array, R_world_frame: Array, late_s: float) -> Fault:
    """A fault of the mount or the baseline is constant in the rig; one of the poses is not."""
    if late_s:
        return "time"
    t = E[:, :3, 3]
    world = (R_world_frame @ t[:, :, None])[..., 0]
    spread_rig, spread_world = (
        float(np.linalg.norm(x - np.median(x, axis=0), axis=1).max()) for x in (t, world)
    )
    typical = float(np.linalg.norm(np.median(t, axis=0)))
    turn = np.linalg.norm(so3_log(E[:, :3, :3]), axis=1)
    is_turned = np.median(turn) > np.deg2rad(ROTATION_DEG) and np.ptp(turn) < 0.5 * np.median(turn)
    is_rigid = (
        typical > 1e-3 * TRANSLATION_MM and spread_rig < 0.1 * typical and spread_rig < 0.5 * spread_world
    )
    return "calibration" if is_turned or is_rigid else "pose"
