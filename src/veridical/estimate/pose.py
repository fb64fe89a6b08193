"""The pose of a camera from points whose positions are known.

A first pose by RANSAC over three-point solutions (Ke and Roumeliotis, An Efficient Algebraic Solution to the
Perspective-Three-Point Problem, 2017), then Gauss-Newton on (u, v, r) with Cauchy weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array, apply, hat, se3_exp, transform
from veridical.estimate.rig import Rig

CAUCHY_PX = 0.5
"""Residual at which a measurement counts half."""

_MIN_POINTS = 4
_MAX_STEPS = 15
_RANSAC_ITERATIONS = 200


@dataclass(frozen=True)
class PoseFit:
    """A pose from points.

    Attributes:
        T_camera_world: World to the optical frame.
        inliers: Measurements that agree, shape (n,).
        rms_px: Of the inliers' residuals.
        covariance: Of T_camera_world under a left perturbation, (6, 6), translation first.
    """

    T_camera_world: Array
    inliers: NDArray[np.bool_]
    rms_px: float
    covariance: Array


def fit_pose(rig: Rig, points: Array, uvr: Array, T_guess: Array, inlier_px: float = 2.0) -> PoseFit | None:
    """Fits T_camera_world to measurements, or returns None if nothing consistent is found.

    Args:
        rig: The camera.
        points: World points (n, 3).
        uvr: Their measurements (n, 3).
        T_guess: Expected T_camera_world, tried beside the RANSAC result.
        inlier_px: Largest distance between a measurement and its projection.
    """
    if len(points) < _MIN_POINTS:
        return None
    starts = [T for T in (T_guess, _three_point(rig, points, uvr, inlier_px)) if T is not None]
    T = max(starts, key=lambda T: int(_agree(rig, points, uvr, T, inlier_px).sum()))
    inliers = _agree(rig, points, uvr, T, inlier_px)
    for _ in range(2):
        if inliers.sum() < _MIN_POINTS:
            return None
        T, covariance = refine_pose(rig, points[inliers], uvr[inliers], T)
        inliers = _agree(rig, points, uvr, T, inlier_px)
    if inliers.sum() < _MIN_POINTS:
        return None
    residual = rig.measure(apply(T, points[inliers])) - uvr[inliers]
    return PoseFit(T, inliers, float(np.sqrt((residual**2).mean())), covariance)


def refine_pose(rig: Rig, points: Array, uvr: Array, T_camera_world: Array) -> tuple[Array, Array]:
    """Robust Gauss-Newton from a near pose; returns T_camera_world and its covariance (6, 6)."""
    T = T_camera_world
    H, cost_scale = np.eye(6), 1.0
    for _ in range(_MAX_STEPS):
        seen = apply(T, points)
        residual = rig.measure(seen) - uvr
        weight = cauchy(residual)
        J_point = rig.jacobian(seen)
        J = np.concatenate([J_point, -J_point @ hat(seen)], axis=2)
        JW = np.swapaxes(J * weight[:, None, None], 1, 2)
        H, g = (JW @ J).sum(axis=0), (JW @ residual[..., None]).sum(axis=0)[:, 0]
        step = -np.linalg.lstsq(H, g, rcond=None)[0]
        T = se3_exp(step) @ T
        freedom = max(3 * len(points) - 6, 1)
        cost_scale = float((weight[:, None] * residual**2).sum() / freedom)
        if np.abs(step).max() < 1e-8:
            break
    return T, np.asarray(cost_scale * np.linalg.pinv(H, hermitian=True), float)


def cauchy(residual: Array, scale_px: float = CAUCHY_PX) -> Array:
    """Weights (n,) of residuals (n, 3)."""
    return np.asarray(1 / (1 + (residual**2).sum(axis=-1) / scale_px**2))


def _agree(rig: Rig, points: Array, uvr: Array, T: Array, inlier_px: float) -> NDArray[np.bool_]:
    seen = apply(T, points)
    in_front = seen[:, 2] > 0.05
    seen[~in_front, 2] = 1.0
    near = (np.abs(rig.measure(seen) - uvr) < inlier_px).all(axis=1)
    return np.asarray(in_front & near)


def _three_point(rig: Rig, points: Array, uvr: Array, inlier_px: float) -> Array | None:
    import cv2

    cv2.setRNGSeed(0)
    ok, rotation, translation, _ = cv2.solvePnPRansac(
        points[:, None],
        uvr[:, None, :2].copy(),
        rig.camera.K,
        None,
        iterationsCount=_RANSAC_ITERATIONS,
        reprojectionError=inlier_px,
        confidence=0.9999,
        flags=cv2.SOLVEPNP_AP3P,
    )
    if not ok:
        return None
    return transform(cv2.Rodrigues(rotation)[0], translation[:, 0])
