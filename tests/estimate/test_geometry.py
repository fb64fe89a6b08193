from __future__ import annotations

import numpy as np
import pytest

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import apply, invert, se3_exp, se3_log
from veridical.estimate.bundle import Views, adjust
from veridical.estimate.corners import corners
from veridical.estimate.pose import fit_pose
from veridical.estimate.rig import Rig

RIG = Rig(PinholeCamera.from_hfov(320, 240, np.deg2rad(85)), 0.1)


def cloud(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.uniform([-2, -1.5, 2], [2, 1.5, 6], size=(n, 3))


@pytest.mark.parametrize("seed", range(5))
def test_exact_measurements_give_the_exact_pose(seed: int) -> None:
    points = cloud(60, seed)
    T = se3_exp(np.random.default_rng(seed).normal(scale=0.1, size=6))
    fit = fit_pose(RIG, points, RIG.measure(apply(T, points)), np.eye(4))
    assert fit is not None
    assert np.abs(se3_log(fit.T_camera_world @ invert(T))).max() < 1e-6
    assert fit.inliers.all()
    assert fit.rms_px < 1e-6


def test_a_third_of_wrong_matches_changes_nothing() -> None:
    points = cloud(90)
    T = se3_exp([0.1, -0.05, 0.08, 0.02, 0.09, -0.03])
    uvr = RIG.measure(apply(T, points))
    uvr[:30] += np.random.default_rng(1).uniform(5, 60, size=(30, 3))
    fit = fit_pose(RIG, points, uvr, np.eye(4))
    assert fit is not None
    assert np.abs(se3_log(fit.T_camera_world @ invert(T))).max() < 1e-6
    assert fit.inliers.tolist() == [False] * 30 + [True] * 60


def test_too_few_or_senseless_matches_give_no_pose() -> None:
    points = cloud(40)
    assert fit_pose(RIG, points[:3], RIG.measure(points[:3]), np.eye(4)) is None
    noise = np.random.default_rng(0).uniform(0, 240, size=(40, 3))
    fit = fit_pose(RIG, points, noise, np.eye(4))
    assert fit is None or fit.inliers.mean() < 0.3


def test_covariance_predicts_the_scatter() -> None:
    points, rng = cloud(80), np.random.default_rng(4)
    errors, sigmas = [], []
    for _ in range(150):
        fit = fit_pose(RIG, points, RIG.measure(points) + rng.normal(scale=0.15, size=(80, 3)), np.eye(4))
        assert fit is not None
        errors.append(se3_log(fit.T_camera_world))
        sigmas.append(np.sqrt(np.diag(fit.covariance)))
    ratio = np.std(errors, axis=0) / np.mean(sigmas, axis=0)
    assert (ratio > 0.7).all()
    assert (ratio < 1.4).all()


def test_triangulation_inverts_measurement_and_jacobian_is_the_slope() -> None:
    points = cloud(20)
    np.testing.assert_allclose(RIG.points(RIG.measure(points)), points, atol=1e-9)
    h = 1e-6
    for axis in range(3):
        step = h * np.eye(3)[axis]
        slope = (RIG.measure(points + step) - RIG.measure(points - step)) / (2 * h)
        np.testing.assert_allclose(RIG.jacobian(points)[..., axis], slope, rtol=1e-6, atol=1e-5)


def test_bundle_finds_exact_poses_and_points_again() -> None:
    rng = np.random.default_rng(2)
    points = cloud(50)
    poses = se3_exp(np.cumsum(np.vstack([np.zeros(6), rng.normal(scale=0.05, size=(4, 6))]), axis=0))
    frame, point = (a.ravel() for a in np.meshgrid(np.arange(5), np.arange(50), indexing="ij"))
    uvr = RIG.measure((poses[frame][:, :3, :3] @ points[point][..., None])[..., 0] + poses[frame][:, :3, 3])
    start = poses.copy()
    start[1:] = se3_exp(rng.normal(scale=0.01, size=(4, 6))) @ start[1:]
    found, cloud_found = adjust(
        RIG, start, points + rng.normal(scale=0.02, size=points.shape), Views(frame, point, uvr), 1
    )
    np.testing.assert_array_equal(found[0], poses[0])
    np.testing.assert_allclose(found, poses, atol=1e-5)
    np.testing.assert_allclose(cloud_found, points, atol=1e-3)


def test_corners_are_spread_and_leave_taken_cells_alone() -> None:
    rng = np.random.default_rng(0)
    grey = rng.integers(0, 255, (120, 160)).astype(np.uint8)
    found = corners(grey, np.zeros((0, 2)), cell_px=20, per_cell=2)
    cells, counts = np.unique(found // 20, axis=0, return_counts=True)
    assert len(cells) == 48
    assert counts.max() == 2
    taken = np.array([[10.0, 10.0], [12.0, 15.0]])
    again = corners(grey, taken, cell_px=20, per_cell=2)
    assert not ((again // 20) == [0, 0]).all(axis=1).any()
    assert len(corners(np.full((120, 160), 90, np.uint8), np.zeros((0, 2)), 20, 2)) == 0
