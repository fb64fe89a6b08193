"""Adjusts the poses and points of a few keyframes together.

Levenberg-Marquardt with the points eliminated by the Schur complement; Cauchy weights. After Triggs et al.,
Bundle Adjustment: A Modern Synthesis (2000).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from veridical.core.geometry import Array, hat, se3_exp
from veridical.estimate.pose import CAUCHY_PX, cauchy
from veridical.estimate.rig import Rig

_TRIES = 8
_STOP = 1e-2
"""Relative fall of the cost below which the adjustment ends."""


@dataclass(frozen=True)
class Views:
    """Measurements: which keyframe (m,) saw which point (m,) where (m, 3)."""

    frame: NDArray[np.int64]
    point: NDArray[np.int64]
    uvr: Array


def adjust(rig: Rig, poses: Array, points: Array, views: Views, n_fixed: int) -> tuple[Array, Array]:
    """Returns better T_camera_world (k, 4, 4) and points (l, 3); the first `n_fixed` poses stay."""
    damping = 1e-4
    cost = _cost(rig, poses, points, views)
    for _ in range(_TRIES):
        pose_step, point_step = _step(rig, poses, points, views, n_fixed, damping)
        new_poses, new_points = se3_exp(pose_step) @ poses, points + point_step
        new_cost = _cost(rig, new_poses, new_points, views)
        if not new_cost < cost:
            damping *= 10
            continue
        poses, points = new_poses, new_points
        fall, cost, damping = 1 - new_cost / max(cost, 1e-300), new_cost, damping / 5
        if fall < _STOP:
            break
    return poses, points


def _seen(poses: Array, points: Array, views: Views) -> Array:
    T = poses[views.frame]
    return np.asarray((T[:, :3, :3] @ points[views.point][..., None])[..., 0] + T[:, :3, 3])


def _cost(rig: Rig, poses: Array, points: Array, views: Views) -> float:
    seen = _seen(poses, points, views)
    if (seen[:, 2] < 1e-3).any():
        return float("inf")
    squared = ((rig.measure(seen) - views.uvr) ** 2).sum(axis=1)
    return float(CAUCHY_PX**2 * np.log1p(squared / CAUCHY_PX**2).sum())


def _step(
    rig: Rig, poses: Array, points: Array, views: Views, n_fixed: int, damping: float
) -> tuple[Array, Array]:
    seen = _seen(poses, points, views)
    residual = rig.measure(seen) - views.uvr
    weight = cauchy(residual)[:, None, None]
    J = rig.jacobian(seen)
    J_point = J @ poses[views.frame][:, :3, :3]
    J_pose = np.concatenate([J, -J @ hat(seen)], axis=2)
    k, n = len(poses), len(points)
    point_W = np.swapaxes(J_point, 1, 2) * weight
    V = _sum_by(views.point, n, point_W @ J_point)
    b = _sum_by(views.point, n, point_W @ residual[..., None])[..., 0]
    pose_W = np.swapaxes(J_pose, 1, 2) * weight
    U = _sum_by(views.frame, k, pose_W @ J_pose)
    a = _sum_by(views.frame, k, pose_W @ residual[..., None])[..., 0]
    V += damping * (np.einsum("lii->li", V)[..., None] + 1e-9) * np.eye(3)
    U += damping * (np.einsum("kii->ki", U)[..., None] + 1e-9) * np.eye(6)
    W = np.zeros((k, n, 6, 3))
    W[views.frame, views.point] = pose_W @ J_point
    W = W[n_fixed:]
    free = k - n_fixed
    V_inv = np.linalg.inv(V)
    WV = W @ V_inv
    WV_flat, W_flat = (M.transpose(0, 2, 1, 3).reshape(free * 6, n * 3) for M in (WV, W))
    S = -WV_flat @ W_flat.T
    for i in range(free):
        S[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] += U[n_fixed + i]
    rhs = a[n_fixed:].ravel() - WV_flat @ b.ravel()
    pose_step = np.zeros((k, 6))
    pose_step[n_fixed:] = -np.linalg.solve(S, rhs).reshape(free, 6)
    back = b + (W_flat.T @ pose_step[n_fixed:].ravel()).reshape(n, 3)
    return pose_step, -(V_inv @ back[..., None])[..., 0]


def _sum_by(group: NDArray[np.int64], n_groups: int, values: Array) -> Array:
    """Sums values (m, ...) over the members of each group, shape (n_groups, ...)."""
    m = len(group)
    gather = csr_array((np.ones(m), (group, np.arange(m))), shape=(n_groups, m))
    return np.asarray(gather @ values.reshape(m, -1)).reshape(n_groups, *values.shape[1:])
