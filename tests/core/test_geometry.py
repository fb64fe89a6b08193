"""SE(3) and quaternions by their axioms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from veridical.core import geometry as g

finite = st.floats(-3.0, 3.0, allow_nan=False)
vectors = arrays(float, 3, elements=finite)
twists = arrays(float, 6, elements=st.floats(-1.8, 1.8, allow_nan=False))  # |rotation| < pi


@given(twists, twists, twists)
def test_composition_is_associative_and_closed(a: g.Array, b: g.Array, c: g.Array) -> None:
    A, B, C = map(g.se3_exp, (a, b, c))
    assert np.allclose((A @ B) @ C, A @ (B @ C))
    R = (A @ B)[:3, :3]
    assert np.allclose(R @ R.T, np.eye(3))
    assert np.isclose(np.linalg.det(R), 1.0)


@given(twists)
def test_inverse_and_identity(xi: g.Array) -> None:
    T = g.se3_exp(xi)
    assert np.allclose(T @ g.invert(T), np.eye(4))
    assert np.allclose(g.se3_exp(np.zeros(6)), np.eye(4))
    assert np.allclose(g.invert(g.invert(T)), T)


@given(twists)
def test_log_inverts_exp(xi: g.Array) -> None:
    angle = np.linalg.norm(xi[3:])
    if angle < np.pi - 1e-3:
        assert np.allclose(g.se3_log(g.se3_exp(xi)), xi, atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1.0, np.pi - 1e-7, np.pi])
def test_rotation_angle_is_exact_from_zero_to_pi(angle: float) -> None:
    axis = np.array([1.0, -2.0, 0.5]) / np.linalg.norm([1.0, -2.0, 0.5])
    assert g.rotation_angle(g.so3_exp(angle * axis)) == pytest.approx(angle, abs=1e-14, rel=1e-9)


@given(vectors)
def test_exp_agrees_with_scipy(phi: g.Array) -> None:
    assert np.allclose(g.so3_exp(phi), Rotation.from_rotvec(phi).as_matrix(), atol=1e-12)


@given(vectors)
def test_matrix_and_quaternion_round_trip(phi: g.Array) -> None:
    R = g.so3_exp(phi)
    q = g.matrix_to_quat(R)
    assert q[0] >= 0
    assert np.allclose(g.quat_to_matrix(q), R, atol=1e-12)


@given(vectors, vectors)
def test_quaternion_product_is_rotation_product(a: g.Array, b: g.Array) -> None:
    qa, qb = g.matrix_to_quat(g.so3_exp(a)), g.matrix_to_quat(g.so3_exp(b))
    assert np.allclose(g.quat_to_matrix(g.quat_multiply(qa, qb)), g.so3_exp(a) @ g.so3_exp(b), atol=1e-9)
    identity = g.quat_multiply(qa, g.quat_conjugate(qa))
    assert np.allclose(identity, [1, 0, 0, 0], atol=1e-12)


@given(vectors, vectors, st.floats(0, 1))
def test_slerp_has_constant_rate(a: g.Array, b: g.Array, s: float) -> None:
    qa, qb = g.matrix_to_quat(g.so3_exp(a)), g.matrix_to_quat(g.so3_exp(b))
    Ra, Rs = g.quat_to_matrix(qa), g.quat_to_matrix(g.quat_slerp(qa, qb, s))
    whole = g.rotation_angle(Ra.T @ g.quat_to_matrix(qb))
    assert g.rotation_angle(Ra.T @ Rs) == pytest.approx(s * whole, abs=1e-7)


@given(twists, twists)
def test_interpolation_meets_its_ends(a: g.Array, b: g.Array) -> None:
    A, B = g.se3_exp(a), g.se3_exp(b)
    assert np.allclose(g.interpolate(A, B, 0.0), A, atol=1e-9)
    assert np.allclose(g.interpolate(A, B, 1.0), B, atol=1e-9)


def test_functions_take_batches() -> None:
    xi = np.random.default_rng(0).normal(size=(4, 5, 6)) * 0.5
    T = g.se3_exp(xi)
    assert T.shape == (4, 5, 4, 4)
    assert np.allclose(T[2, 3], g.se3_exp(xi[2, 3]))
    assert np.allclose(g.se3_log(T), xi)
    points = np.ones((4, 5, 7, 3))
    assert np.allclose(g.apply(T, points)[1, 2], g.apply(T[1, 2], points[1, 2]))


def test_rpy_is_yaw_pitch_roll() -> None:
    R = g.from_rpy([0.1, -0.2, 0.3])
    assert np.allclose(R, Rotation.from_euler("ZYX", [0.3, -0.2, 0.1]).as_matrix())


def test_optical_frame_looks_along_body_x() -> None:
    assert np.allclose(g.R_BODY_OPTICAL @ [0, 0, 1], [1, 0, 0])
    assert np.allclose(g.R_BODY_OPTICAL @ [1, 0, 0], [0, -1, 0])
    assert np.isclose(np.linalg.det(g.R_BODY_OPTICAL), 1.0)
