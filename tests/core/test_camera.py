"""The pinhole camera: centre convention, round trips, and OpenCV as oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.core.camera import PinholeCamera

DISTORTED = PinholeCamera(640, 480, 460.0, 455.0, 318.2, 241.7, (-0.28, 0.07, 0.0005, -0.0003, 0.01))


def test_central_ray_of_an_even_image_lies_between_pixels() -> None:
    camera = PinholeCamera.from_hfov(320, 240, np.deg2rad(90))
    assert camera.fx == pytest.approx(160.0)
    assert (camera.cx, camera.cy) == (159.5, 119.5)
    assert np.allclose(camera.directions([159.5, 119.5]), [0, 0, 1])


def test_field_of_view_spans_outer_pixel_edges() -> None:
    camera = PinholeCamera.from_hfov(320, 240, np.deg2rad(80))
    left = camera.directions([-0.5, 119.5])
    assert np.degrees(np.arctan(-left[0])) == pytest.approx(40.0)


@given(st.floats(0, 639), st.floats(0, 479), st.floats(0.1, 50))
def test_directions_invert_projection(u: float, v: float, depth: float) -> None:
    point = DISTORTED.directions([u, v]) * depth
    projection = DISTORTED.project(point[None])
    assert np.allclose(projection.uv[0], [u, v], atol=1e-6)
    assert projection.depth[0] == pytest.approx(depth)


def test_projection_agrees_with_opencv() -> None:
    cv2 = pytest.importorskip("cv2")
    points = np.random.default_rng(3).uniform([-1, -1, 2], [1, 1, 5], (50, 3))
    uv, _ = cv2.projectPoints(points, np.zeros(3), np.zeros(3), DISTORTED.K, np.array(DISTORTED.distortion))
    assert np.allclose(DISTORTED.project(points).uv, uv[:, 0], atol=1e-9)


def test_points_behind_or_outside_are_not_visible() -> None:
    camera = PinholeCamera.from_hfov(100, 100, np.deg2rad(90))
    projection = camera.project([[0, 0, -1.0], [0, 0, 1.0], [1.01, 0, 1.0], [0.99, 0, 1.0], [0, 0, 0]])
    assert projection.visible.tolist() == [False, True, False, True, False]
