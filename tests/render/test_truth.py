"""Truth against closed forms: what a perfect camera would measure of a plane, a sphere and a box."""

import numpy as np
import pytest
from little import BOX_AT, BOX_HALF, CENTRE, RADIUS, looking, world

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import apply, invert, transform
from veridical.render import RenderScene

CAMERAS = {
    "plain": PinholeCamera.from_hfov(160, 120, 1.4),
    "off-centre": PinholeCamera(161, 117, 140.0, 133.0, 61.3, 70.8),
    "distorted": PinholeCamera(160, 120, 120.0, 120.0, 80.0, 60.0, (-0.28, 0.07, 0.001, -0.0005, 0.0)),
}
POSES = [
    looking(np.array(eye), np.array(at), roll)
    for eye, at, roll in [
        ((2.0, 0.5, 1.6), (0.0, 0.0, 0.6), 0.0),
        ((-1.2, -1.8, 0.9), (0.0, 0.1, 0.7), 0.4),
        ((0.3, 2.2, 2.4), (-0.1, 0.0, 0.3), -1.1),
    ]
]
FLOOR, BALL, CRATE = 1, 2, 3


@pytest.fixture(scope="module")
def scene():
    return RenderScene(world(), "none")


def rays(camera, T):
    """Unit-z directions in the world (h, w, 3) and the eye."""
    return camera.directions(camera.pixel_grid()) @ T[:3, :3].T, T[:3, 3]


def sphere_depth(d, eye, centre=CENTRE):
    """Planar depth along rays eye + t d, inf where they miss."""
    o = eye - centre
    a, b, c = (d * d).sum(-1), (d * o).sum(-1), o @ o - RADIUS**2
    root = b * b - a * c
    return np.where(root > 0, (-b - np.sqrt(np.maximum(root, 0))) / a, np.inf)


def box_depth(d, eye):
    with np.errstate(divide="ignore"):
        t = np.stack([(BOX_AT - BOX_HALF - eye) / d, (BOX_AT + BOX_HALF - eye) / d])
    near, far = t.min(axis=0).max(axis=-1), t.max(axis=0).min(axis=-1)
    return np.where(near < far, near, np.inf)


def floor_depth(d, eye):
    with np.errstate(divide="ignore"):
        t = -eye[2] / d[..., 2]
    p = eye + d * t[..., None]
    return np.where((t > 0) & (np.abs(p[..., :2]) < 3).all(-1), t, np.inf)


def expected(camera, T):
    d, eye = rays(camera, T)
    layers = np.stack([floor_depth(d, eye), sphere_depth(d, eye), box_depth(d, eye)])
    nearest, depth = layers.argmin(axis=0) + 1, layers.min(axis=0)
    return np.where(np.isfinite(depth), depth, 0), np.where(np.isfinite(depth), nearest, 0)


@pytest.mark.parametrize("T", POSES, ids=["front", "rolled", "above"])
@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS.keys())
def test_depth_and_ids_of_plane_sphere_and_box(scene, camera, T):
    truth = scene.truth(camera, T)
    depth, instance = expected(camera, T)
    same = truth.instance == instance
    assert same.mean() > 0.997  # rays that graze an edge may fall on either side
    assert {FLOOR, BALL, CRATE} <= set(np.unique(instance))
    d, _ = rays(camera, T)
    for thing in (FLOOR, BALL, CRATE):
        mine = same & (instance == thing)
        error = np.abs(truth.depth - depth)[mine]
        assert np.percentile(error, 99.5) < 1e-5, thing  # the rim of a sphere is ill-conditioned
    np.testing.assert_allclose(truth.range, truth.depth * np.linalg.norm(d, axis=-1), rtol=1e-6)


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS.keys())
def test_the_pixel_of_a_point_is_that_of_K(scene, camera):
    """A tilted plane turns an error of a pixel into one of depth: both K and the pixel centre are right."""
    T = POSES[0]
    truth = scene.truth(camera, T)
    mine = truth.instance == FLOOR
    points = apply(T, (camera.directions(camera.pixel_grid()) * truth.depth[..., None])[mine])
    on_floor = points.copy()
    on_floor[:, 2] = 0.0
    seen = camera.project(apply(invert(T), on_floor)).uv
    assert np.abs(seen - camera.pixel_grid()[mine]).max() < 1e-3


def test_normals_of_a_sphere_and_a_plane(scene):
    camera, T = CAMERAS["plain"], POSES[1]
    truth = scene.truth(camera, T)
    ball = truth.instance == BALL
    d, eye = rays(camera, T)
    outward = (eye + d * truth.depth[..., None] - CENTRE) / RADIUS @ T[:3, :3]
    assert np.abs(truth.normals - outward)[ball].max() < 2e-3
    floor = truth.instance == FLOOR
    assert np.abs(truth.normals[floor] - T[:3, :3].T @ [0, 0, 1]).max() < 1e-6


def test_boxes_enclose_what_is_seen(scene):
    camera, T = CAMERAS["plain"], POSES[0]
    truth = scene.truth(camera, T)
    boxes = {b.instance: b for b in truth.boxes_2d}
    v, u = np.nonzero(truth.instance == BALL)
    assert boxes[BALL].tight == (u.min(), v.min(), u.max() + 1, v.max() + 1)
    assert boxes[BALL].visible_pixels == len(u)
    solid = {b.instance: b for b in truth.boxes_3d}
    np.testing.assert_allclose(sorted(solid[CRATE].size_m), sorted(2 * BOX_HALF), atol=1e-6)
    np.testing.assert_allclose(solid[CRATE].T_world_box[:3, 3], BOX_AT, atol=1e-6)


def test_what_moved_is_where_a_fresh_scene_has_it(scene):
    camera, T = CAMERAS["plain"], POSES[0]
    qpos = scene.data.qpos.copy()
    moved = qpos.copy()
    moved[:3] += [0.15, 0.2, -0.1]
    try:
        assert scene.set_state(moved)
        truth = scene.truth(camera, T)
        d, eye = rays(camera, T)
        ball = truth.instance == BALL
        assert np.percentile(np.abs(truth.depth - sphere_depth(d, eye, moved[:3]))[ball], 99.5) < 1e-5
    finally:
        scene.set_state(qpos)
    assert not scene.set_state(qpos)


def test_flow_of_a_moving_ball_under_a_moving_camera(scene):
    camera, T = CAMERAS["off-centre"], POSES[0]
    T_later = T @ transform(np.eye(3), [0.05, -0.02, 0.08])
    qpos = scene.data.qpos.copy()
    moved, shift = qpos.copy(), np.array([0.0, 0.12, 0.05])
    moved[:3] += shift
    before = scene.truth(camera, T)
    try:
        scene.set_state(moved)
        flow, occluded = scene.flow(before.hits, camera, T_later)
        after = scene.truth(camera, T_later)
    finally:
        scene.set_state(qpos)
    d, eye = rays(camera, T)
    points = eye + d * before.depth[..., None]
    points[before.instance == BALL] += shift
    seen = camera.project(apply(invert(T_later), points.reshape(-1, 3))).uv.reshape(*flow.shape)
    found = before.instance > 0
    assert np.abs(camera.pixel_grid() + flow - seen)[found].max() < 1e-3
    u, v = np.rint(seen[..., 0]).astype(int), np.rint(seen[..., 1]).astype(int)
    inside = found & (u >= 0) & (u < camera.width) & (v >= 0) & (v < camera.height)
    assert occluded[found & ~inside].mean() > 0.9
    same = after.instance[v[inside], u[inside]] == before.instance[inside]
    assert (same == ~occluded[inside]).mean() > 0.97
