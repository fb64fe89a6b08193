"""Brings an estimate into the reference's frame before errors are taken.

Source of the closed form: Umeyama, Least-squares estimation of transformation parameters between two
point patterns (1991). It uses positions only, so on a straight or motionless path the rotation is not
determined; then the mean relative orientation decides, and the result says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from veridical.core.errors import DataError, did_you_mean
from veridical.core.geometry import Array, invert, transform

Method = Literal["none", "se3", "sim3", "yaw", "first"]
METHODS: tuple[Method, ...] = get_args(Method)

_STRAIGHT = 1e-3
"""A path whose width is below this part of its length cannot tell its roll: 1 mm on 1 m."""

_MOTIONLESS_M = 1e-3


@dataclass(frozen=True)
class Alignment:
    """A similarity that maps the estimate's frame to the reference's.

    Attributes:
        method: As asked for.
        T: Rigid part T_reference_estimate, shape (4, 4).
        scale: Applied to the estimate's positions before T.
        n_poses: Number of pairs that decided it.
        note: Empty, or the fallback that was taken and why.
    """

    method: Method
    T: Array
    scale: float = 1.0
    n_poses: int = 0
    note: str = ""

    def apply(self, T_estimate: Array) -> Array:
        """Maps poses (n, 4, 4) of the estimate: orientations turn; positions scale, turn and shift."""
        scaled = np.array(T_estimate, float)
        scaled[:, :3, 3] *= self.scale
        return np.asarray(self.T @ scaled)


def align(reference: Array, estimate: Array, method: str = "se3", first_n: int | None = None) -> Alignment:
    """Finds the alignment of matched poses.

    Args:
        reference: Poses (n, 4, 4).
        estimate: Poses (n, 4, 4), row by row the same moments.
        method: `none`; `se3` rotation and translation; `sim3` with scale; `yaw` rotation about z and
            translation; `first` puts the first pose onto the reference's.
        first_n: Use only so many leading pairs.

    Raises:
        DataError: If the method is unknown or there is no pair.
    """
    if method not in METHODS:
        msg = f"alignment {method!r} is unknown.{did_you_mean(method, METHODS)} Known: {', '.join(METHODS)}"
        raise DataError(msg)
    if first_n is not None and first_n < 1:
        msg = f"alignment by the first {first_n} poses; need 1 or more"
        raise DataError(msg)
    ref, est = np.asarray(reference, float)[:first_n], np.asarray(estimate, float)[:first_n]
    if not len(ref):
        msg = "alignment needs at least one pair of poses"
        raise DataError(msg)
    match method:
        case "se3" | "sim3":
            return _umeyama(ref, est, "sim3" if method == "sim3" else "se3")
        case "yaw":
            return _yaw(ref, est)
        case "first":
            return Alignment("first", ref[0] @ invert(est[0]), n_poses=1)
        case _:
            return Alignment("none", np.eye(4))


def _umeyama(ref: Array, est: Array, method: Method) -> Alignment:
    p, q = ref[:, :3, 3], est[:, :3, 3]
    mean_p, mean_q = p.mean(axis=0), q.mean(axis=0)
    dp, dq = p - mean_p, q - mean_q
    U, d, Vt = np.linalg.svd(dp.T @ dq / len(p))
    shape = _worse_shape(_shape_of_path(dp), _shape_of_path(dq))
    if shape:
        R = _mean_rotation(ref[:, :3, :3] @ np.swapaxes(est[:, :3, :3], 1, 2))
        scale, note = 1.0, f"{shape} path: rotation from the mean relative orientation"
        if method == "sim3":
            moves = shape == "straight"
            scale = float(np.sqrt((dp**2).sum() / (dq**2).sum())) if moves else 1.0
            note += ", scale from the lengths" if moves else ", scale left at 1"
    else:
        sign = np.array([1.0, 1.0, np.sign(np.linalg.det(U) * np.linalg.det(Vt))])
        R = (U * sign) @ Vt
        scale = float((d * sign).sum() / (dq**2).sum(axis=1).mean()) if method == "sim3" else 1.0
        note = ""
    return Alignment(method, transform(R, mean_p - scale * R @ mean_q), scale, len(p), note)


def _yaw(ref: Array, est: Array) -> Alignment:
    p, q = ref[:, :3, 3], est[:, :3, 3]
    mean_p, mean_q = p.mean(axis=0), q.mean(axis=0)
    dp, dq = (p - mean_p)[:, :2], (q - mean_q)[:, :2]
    cos, sin, note = (dp * dq).sum(), (dp[:, 1] * dq[:, 0] - dp[:, 0] * dq[:, 1]).sum(), ""
    if min(_spread(dp), _spread(dq)) < _MOTIONLESS_M:
        M = (ref[:, :3, :3] @ np.swapaxes(est[:, :3, :3], 1, 2)).sum(axis=0)
        cos, sin = M[0, 0] + M[1, 1], M[1, 0] - M[0, 1]
        note = "no motion in the plane: yaw from the mean relative orientation"
    c, s = np.array([cos, sin]) / np.hypot(cos, sin)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return Alignment("yaw", transform(R, mean_p - R @ mean_q), 1.0, len(p), note)


def _spread(centred: Array) -> float:
    return float(np.sqrt((centred**2).sum(axis=1).mean()))


def _shape_of_path(centred: Array) -> str:
    if _spread(centred) < _MOTIONLESS_M:
        return "motionless"
    length, width = np.linalg.svd(centred, compute_uv=False)[:2] if len(centred) > 1 else (1.0, 0.0)
    return "straight" if width < _STRAIGHT * length else ""


def _worse_shape(a: str, b: str) -> str:
    return "motionless" if "motionless" in (a, b) else a or b


def _mean_rotation(R: Array) -> Array:
    """The rotation (3, 3) nearest to all of R (n, 3, 3) in the sense of the Frobenius norm."""
    U, _, Vt = np.linalg.svd(R.sum(axis=0))
    sign = np.array([1.0, 1.0, np.sign(np.linalg.det(U) * np.linalg.det(Vt))])
    return np.asarray((U * sign) @ Vt)
