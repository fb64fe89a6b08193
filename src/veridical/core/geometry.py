"""Rigid transforms and rotations on plain numpy arrays.

A transform `T_a_b` is a (..., 4, 4) float64 matrix that maps coordinates in b to coordinates in a.
Quaternions are (..., 4) arrays in the order w, x, y, z, of unit length. Every function takes any
number of leading batch dimensions. Compose transforms with `@`.

Sources: exponential and logarithm of SE(3) after Barfoot, State Estimation for Robotics (2017),
sections 7.1.3 and 8.1; slerp after Shoemake, Animating Rotation with Quaternion Curves (1985).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

_SMALL_RAD = 1e-5


def transform(R: ArrayLike, t: ArrayLike) -> Array:
    """Builds (..., 4, 4) from rotations (..., 3, 3) and translations (..., 3) in metres."""
    R, t = np.asarray(R, float), np.asarray(t, float)
    T = np.zeros((*np.broadcast_shapes(R.shape[:-2], t.shape[:-1]), 4, 4))
    T[..., :3, :3] = R
    T[..., :3, 3] = t
    T[..., 3, 3] = 1.0
    return T


def invert(T: ArrayLike) -> Array:
    """Inverts rigid transforms (..., 4, 4): `T_b_a = invert(T_a_b)`."""
    T = np.asarray(T, float)
    R_t = np.swapaxes(T[..., :3, :3], -1, -2)
    return transform(R_t, -(R_t @ T[..., :3, 3:])[..., 0])


def apply(T: ArrayLike, points: ArrayLike) -> Array:
    """Maps points (..., n, 3) in metres by T (..., 4, 4)."""
    T, points = np.asarray(T, float), np.asarray(points, float)
    return np.asarray(points @ np.swapaxes(T[..., :3, :3], -1, -2) + T[..., None, :3, 3])


def hat(v: ArrayLike) -> Array:
    """The (..., 3, 3) cross-product matrices of vectors (..., 3)."""
    v = np.asarray(v, float)
    M = np.zeros((*v.shape[:-1], 3, 3))
    M[..., 0, 1], M[..., 0, 2], M[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    M[..., 1, 0], M[..., 2, 0], M[..., 2, 1] = v[..., 2], -v[..., 1], v[..., 0]
    return M


def quat_multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """Hamilton product of wxyz quaternions (..., 4)."""
    aw, ax, ay, az = np.moveaxis(np.asarray(a, float), -1, 0)
    bw, bx, by, bz = np.moveaxis(np.asarray(b, float), -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def quat_conjugate(q: ArrayLike) -> Array:
    """The inverse rotation of unit quaternions (..., 4) wxyz."""
    return np.asarray(np.asarray(q, float) * [1.0, -1.0, -1.0, -1.0])


def quat_to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices (..., 3, 3) of wxyz quaternions (..., 4); normalises first."""
    q = np.asarray(q, float)
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def matrix_to_quat(R: ArrayLike) -> Array:
    """Unit quaternions (..., 4) wxyz with w >= 0 of rotation matrices (..., 3, 3)."""
    R = np.asarray(R, float)
    m00, m11, m22 = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    four_squares = np.stack(
        [1 + m00 + m11 + m22, 1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22], axis=-1
    )
    xw, yw, zw = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    xy, xz, yz = R[..., 0, 1] + R[..., 1, 0], R[..., 0, 2] + R[..., 2, 0], R[..., 1, 2] + R[..., 2, 1]
    s = four_squares
    candidates = np.stack(
        [
            np.stack([s[..., 0], xw, yw, zw], axis=-1),
            np.stack([xw, s[..., 1], xy, xz], axis=-1),
            np.stack([yw, xy, s[..., 2], yz], axis=-1),
            np.stack([zw, xz, yz, s[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(four_squares, axis=-1)[..., None, None]
    q = np.take_along_axis(candidates, best, axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.asarray(np.where(q[..., :1] < 0, -q, q))


def quat_slerp(a: ArrayLike, b: ArrayLike, s: ArrayLike) -> Array:
    """Interpolates from a (s = 0) to b (s = 1) at constant angular rate, the short way round."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    s = np.asarray(s, float)[..., None]
    cos = np.sum(a * b, axis=-1, keepdims=True)
    b, cos = np.where(cos < 0, -b, b), np.abs(cos)
    angle = np.arctan2(np.linalg.norm(b - cos * a, axis=-1, keepdims=True), cos)
    near = angle < _SMALL_RAD
    sin = np.where(near, 1.0, np.sin(angle))
    wa = np.where(near, 1 - s, np.sin((1 - s) * angle) / sin)
    wb = np.where(near, s, np.sin(s * angle) / sin)
    q = wa * a + wb * b
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def so3_exp(phi: ArrayLike) -> Array:
    """Rotation matrices (..., 3, 3) of rotation vectors (..., 3) in radians."""
    phi = np.asarray(phi, float)
    angle = np.linalg.norm(phi, axis=-1)[..., None, None]
    K = hat(phi)
    small = angle < _SMALL_RAD
    safe = np.where(small, 1.0, angle)
    a = np.where(small, 1 - angle**2 / 6, np.sin(safe) / safe)
    b = np.where(small, 0.5 - angle**2 / 24, (1 - np.cos(safe)) / safe**2)
    return np.asarray(np.eye(3) + a * K + b * (K @ K))


def so3_log(R: ArrayLike) -> Array:
    """Rotation vectors (..., 3) in radians, of length at most pi, of rotation matrices (..., 3, 3)."""
    q = matrix_to_quat(R)
    n = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(n, q[..., :1])
    scale = np.where(n < _SMALL_RAD, 2.0 + n**2 / 3, angle / np.where(n < _SMALL_RAD, 1.0, n))
    return np.asarray(q[..., 1:] * scale)


def _left_jacobian(phi: Array) -> Array:
    angle = np.linalg.norm(phi, axis=-1)[..., None, None]
    K = hat(phi)
    small = angle < 1e-3
    safe = np.where(small, 1.0, angle)
    a = np.where(small, 0.5 - angle**2 / 24, (1 - np.cos(safe)) / safe**2)
    b = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    return np.asarray(np.eye(3) + a * K + b * (K @ K))


def se3_exp(xi: ArrayLike) -> Array:
    """Transforms (..., 4, 4) of twists (..., 6): translation part in metres first, then rotation in rad."""
    xi = np.asarray(xi, float)
    rho, phi = xi[..., :3], xi[..., 3:]
    return transform(so3_exp(phi), (_left_jacobian(phi) @ rho[..., None])[..., 0])


def se3_log(T: ArrayLike) -> Array:
    """Twists (..., 6) of transforms (..., 4, 4); the inverse of `se3_exp` for rotations below pi."""
    T = np.asarray(T, float)
    phi = so3_log(T[..., :3, :3])
    rho = np.linalg.solve(_left_jacobian(phi), T[..., :3, 3:])[..., 0]
    return np.concatenate([rho, phi], axis=-1)


def interpolate(T0: ArrayLike, T1: ArrayLike, s: ArrayLike) -> Array:
    """Poses between T0 (s = 0) and T1 (s = 1): slerp on rotation, straight line on position."""
    T0, T1, s = np.asarray(T0, float), np.asarray(T1, float), np.asarray(s, float)
    q = quat_slerp(matrix_to_quat(T0[..., :3, :3]), matrix_to_quat(T1[..., :3, :3]), s)
    t = T0[..., :3, 3] + s[..., None] * (T1[..., :3, 3] - T0[..., :3, 3])
    return transform(quat_to_matrix(q), t)


def from_rpy(rpy_rad: ArrayLike) -> Array:
    """Rotation matrices (..., 3, 3) of roll, pitch, yaw (..., 3): `Rz(yaw) Ry(pitch) Rx(roll)`."""
    rpy = np.asarray(rpy_rad, float)
    cr, cp, cy = np.moveaxis(np.cos(rpy), -1, 0)
    sr, sp, sy = np.moveaxis(np.sin(rpy), -1, 0)
    R = np.empty((*rpy.shape[:-1], 3, 3))
    R[..., 0, 0], R[..., 0, 1], R[..., 0, 2] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    R[..., 1, 0], R[..., 1, 1], R[..., 1, 2] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    R[..., 2, 0], R[..., 2, 1], R[..., 2, 2] = -sp, cp * sr, cp * cr
    return R


def rotation_angle(R: ArrayLike) -> Array:
    """Angles (...) in radians of rotation matrices (..., 3, 3), exact near zero and near pi."""
    return np.asarray(np.linalg.norm(so3_log(R), axis=-1))


R_BODY_OPTICAL: Array = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Optical frame (x right, y down, z forward) to a body frame that looks along its x (y left, z up)."""
