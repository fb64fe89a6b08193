"""What change of intrinsics and poses would explain the residuals of many pairs of frames.

Every pair gives residuals r(K, T) in pixels. A damped Gauss-Newton fit over all pairs at once finds one
correction of the intrinsics (shared) and one twist a pair (its own); the intrinsics come from the Schur
complement, so the two kinds of fault do not spill into each other: a wrong focal length bends the flow of
every frame in the same way, a wrong pose moves only the pairs it belongs to. Residuals are weighted after
Huber, Robust Estimation of a Location Parameter (1964), so that some wrong pixels do no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array, se3_exp

Residuals = Callable[[PinholeCamera, Array], Array]
"""From intrinsics and T_j_i (p, 4, 4) of all pairs to residuals (p, m) in pixels; NaN where there is none."""

_N_INTRINSICS = 4
_ITERATIONS = 3
_HUBER = 1.5
_MIN_SIGMA_PX = 2e-3
_STEP = np.array([1e-4, 1e-4, 0.02, 0.02])
_TWIST_STEP = 1e-5
_PRIOR = np.array([0.1, 0.1, 30.0, 30.0])


@dataclass(frozen=True)
class Correction:
    """The fit's result.

    Attributes:
        intrinsics: (fx relative, fy relative, cx px, cy px) to add to the exported ones.
        intrinsics_std: One standard deviation of it; infinite if the motion does not show them.
        twists: (n, 6) metres and radians, to apply on the right of each T_j_i.
        twists_std: (n, 6).
    """

    intrinsics: Array
    intrinsics_std: Array
    twists: Array
    twists_std: Array


def fit(
    camera: PinholeCamera, residuals: Residuals, T_j_i: Array, *, free_intrinsics: bool = True
) -> Correction:
    """Fits intrinsics and relative poses T_j_i (p, 4, 4) to the residuals of all p pairs."""
    delta, twists = np.zeros(_N_INTRINSICS), np.zeros((len(T_j_i), 6))
    std, twists_std = np.full(_N_INTRINSICS, np.inf), np.full((len(T_j_i), 6), np.inf)
    for _ in range(_ITERATIONS):
        r, A, B = _linearise(camera, residuals, T_j_i, delta, twists)
        sigma = _weigh(r, A, B)
        step, std, twist_steps, twists_std = _solve(r, A, B, sigma, free_intrinsics)
        delta, twists = delta + step, twists + twist_steps
    return Correction(delta, std, twists, twists_std)


def corrected(camera: PinholeCamera, delta: Array) -> PinholeCamera:
    """The camera with (fx relative, fy relative, cx px, cy px) added."""
    return replace(
        camera,
        fx=camera.fx * (1 + delta[0]),
        fy=camera.fy * (1 + delta[1]),
        cx=camera.cx + delta[2],
        cy=camera.cy + delta[3],
    )


def _linearise(
    camera: PinholeCamera, residuals: Residuals, T_j_i: Array, delta: Array, twists: Array
) -> tuple[Array, Array, Array]:
    """Residuals (p, m), their derivatives by intrinsics (p, m, 4) and twist (p, m, 6); 0 where unknown."""
    now, T = corrected(camera, delta), T_j_i @ se3_exp(twists)
    r = residuals(now, T)
    by_intrinsics = [
        (residuals(corrected(camera, delta + step), T) - r) / step[k] for k, step in enumerate(np.diag(_STEP))
    ]
    by_twist = [(residuals(now, T @ se3_exp(step)) - r) / _TWIST_STEP for step in np.eye(6) * _TWIST_STEP]
    J = np.stack([*by_intrinsics, *by_twist], axis=-1)
    known = np.isfinite(r) & np.isfinite(J).all(axis=-1)
    J = np.where(known[..., None], J, 0)
    return np.where(known, r, 0), J[..., :_N_INTRINSICS], J[..., _N_INTRINSICS:]


def _weigh(r: Array, A: Array, B: Array) -> float:
    """Scales rows in place by the square root of their Huber weights; returns the typical deviation."""
    known = B.any(axis=-1)
    if not known.any():
        return _MIN_SIGMA_PX
    left_over = np.abs(r + (B @ _own_twists(r, B)[..., None])[..., 0])
    sigma = max(1.4826 * float(np.median(left_over[known])), _MIN_SIGMA_PX)
    w = np.sqrt(np.minimum(1, _HUBER * sigma / np.maximum(left_over, 1e-12)))
    r *= w
    A *= w[..., None]
    B *= w[..., None]
    return sigma


def _own_twists(r: Array, B: Array) -> Array:
    """The twists (p, 6) that would reduce the residuals best if the intrinsics were right."""
    C = np.linalg.inv(_t(B) @ B + np.eye(6) * _MIN_SIGMA_PX**2)
    return -(C @ _t(B) @ r[..., None])[..., 0]


def _solve(
    r: Array, A: Array, B: Array, sigma: float, free_intrinsics: bool
) -> tuple[Array, Array, Array, Array]:
    C = np.linalg.inv(_t(B) @ B + np.eye(6) * sigma**2)
    E, b = _t(A) @ B, (_t(B) @ r[..., None])[..., 0]
    H = np.diag((sigma / _PRIOR) ** 2) + (_t(A) @ A - E @ C @ _t(E)).sum(axis=0)
    g = ((_t(A) @ r[..., None])[..., 0] - (E @ C @ b[..., None])[..., 0]).sum(axis=0)
    step = -np.linalg.solve(H, g) if free_intrinsics else np.zeros(_N_INTRINSICS)
    twists = -(C @ (b + _t(E) @ step)[..., None])[..., 0]
    std = sigma * np.sqrt(np.diag(np.linalg.inv(H)))
    return step, std, twists, sigma * np.sqrt(np.diagonal(C, axis1=-2, axis2=-1))


def _t(M: Array) -> Array:
    return np.swapaxes(M, -1, -2)
