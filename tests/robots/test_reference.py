import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.robots import reference
from veridical.robots.reference import TABLE_DT_S, Limits

LIMITS = Limits(0.8, 1.0, math.radians(45))
POINTS = np.array([[0, 0, 1], [2, 0, 1.2], [2, 2, 1], [0, 2, 1.5], [0, 0, 1.0]])


def tour(points=POINTS, limits=LIMITS):
    path = reference.path_through(points)
    return reference.follow(path, reference.headings(path, 0.0), 0.0, limits)


def test_passes_every_waypoint_when_it_says():
    motion = tour()
    for point, t in zip(POINTS, motion.arrivals_s, strict=True):
        np.testing.assert_allclose(motion.at(t)[:3], point, atol=1e-3)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(*[st.floats(-3, 3)] * 3), min_size=2, max_size=6))
def test_limits_hold_and_derivatives_agree(points):
    points = np.array(points)
    if np.linalg.norm(np.diff(points, axis=0), axis=1).min() < 0.2:
        return
    rows = tour(points).rows
    assert np.linalg.norm(rows[:, 3:6], axis=1).max() <= 0.8 * 1.02
    assert np.linalg.norm(rows[:, 6:9], axis=1).max() <= 1.5
    assert np.abs(rows[:, 10]).max() <= LIMITS.yaw_rate + 1e-9
    v = np.diff(rows[:, :3], axis=0) / TABLE_DT_S
    np.testing.assert_allclose(v, (rows[1:, 3:6] + rows[:-1, 3:6]) / 2, atol=2e-3)
    np.testing.assert_allclose(rows[[0, -1], 3:9], 0, atol=1e-9)
    np.testing.assert_allclose(rows[-1, :3], points[-1], atol=1e-6)


def test_between_rows_it_is_smooth():
    motion = tour()
    t = np.arange(2000, 2400) * 1e-3
    rows = np.array([motion.at(x) for x in t])
    np.testing.assert_allclose(np.diff(rows[:, :3], axis=0) / 1e-3, rows[:-1, 3:6], atol=2e-3)
    np.testing.assert_allclose(np.diff(rows[:, 9]) / 1e-3, (rows[1:, 10] + rows[:-1, 10]) / 2, atol=1e-3)


def test_rests_before_and_after():
    motion = tour()
    assert motion.at(-1.0)[:6] == [0, 0, 1, 0, 0, 0]
    assert motion.at(1e3)[3:9] == pytest.approx([0] * 6)
