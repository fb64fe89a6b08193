import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage
from scipy.spatial import cKDTree

from veridical.core.errors import ScenarioError
from veridical.robots import Place, Space, choose_start, plan
from veridical.robots.explore import smooth
from veridical.scenario.schema import ExploreMission, HoverMission, OmniRobot, Pose, Quadrotor

CELL, N = 0.1, 80


@dataclass(frozen=True)
class Free:
    origin: tuple[float, float]
    cell_m: float
    z_m: np.ndarray
    distance_m: np.ndarray
    room: np.ndarray
    room_names: tuple[str, ...]


def grid():
    xy = (np.arange(N) + 0.5) * CELL
    return np.meshgrid(xy, xy, indexing="ij")


def room_with(boxes) -> Free:
    """An 8 m room with boxes (x, y, half) from floor to ceiling; distances are exact, from their shapes."""
    X, Y = grid()
    distance = np.minimum.reduce([X, Y, N * CELL - X, N * CELL - Y])
    for x, y, half in boxes:
        dx, dy = np.abs(X - x) - half, np.abs(Y - y) - half
        outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
        distance = np.minimum(distance, outside + np.minimum(np.maximum(dx, dy), 0))
    z = (np.arange(12) + 0.5) * 0.2
    stack = np.repeat(np.maximum(distance, 0)[:, :, None], len(z), axis=2).astype(np.float32)
    return Free((0.0, 0.0), CELL, z, stack, np.zeros((N, N), np.int16), ("room",))


def exact_clearance(points, boxes):
    x, y = points[:, 0], points[:, 1]
    distance = np.minimum.reduce([x, y, N * CELL - x, N * CELL - y])
    for bx, by, half in boxes:
        dx, dy = np.maximum(np.abs(x - bx) - half, 0), np.maximum(np.abs(y - by) - half, 0)
        distance = np.minimum(distance, np.hypot(dx, dy))
    return distance


BOXES = st.lists(
    st.tuples(st.floats(0.5, 7.5), st.floats(0.5, 7.5), st.floats(0.1, 0.6)), min_size=0, max_size=9
)


@settings(max_examples=12, deadline=None)
@given(BOXES, st.sampled_from(["quadrotor", "omni"]), st.integers(0, 100))
def test_tour_keeps_its_clearance_among_random_boxes(boxes, kind, seed):
    robot = (Quadrotor if kind == "quadrotor" else OmniRobot)(kind=kind)
    space = Space(room_with(boxes))
    try:
        start = choose_start("scout", robot, space, seed, [])
        found = plan("scout", robot, start, space, seed, 15.0)
    except ScenarioError:
        return
    rows = found.motion.rows
    assert exact_clearance(rows[:, :3], boxes).min() >= 0.35 - 0.06
    assert np.linalg.norm(rows[:, 3:6], axis=1).max() <= 0.82
    assert np.abs(rows[:, 10]).max() <= math.radians(45) + 1e-9
    if kind == "quadrotor":
        assert rows[:, 2].min() >= 0.99
        assert rows[:, 2].max() <= 1.71


def test_tour_lasts_for_the_recording_and_is_long():
    robot = Quadrotor(kind="quadrotor")
    space = Space(room_with([(4, 4, 0.5)]))
    start = choose_start("scout", robot, space, 0, [])
    motion = plan("scout", robot, start, space, 0, 60.0).motion
    assert motion.end_s >= 60.0
    assert np.linalg.norm(np.diff(motion.rows[:, :3], axis=0), axis=1).sum() > 25.0


def test_tour_sees_every_part_of_the_room():
    space = Space(room_with([]))
    robot = Quadrotor(kind="quadrotor")
    start = choose_start("scout", robot, space, 3, [])
    rows = plan("scout", robot, start, space, 3, 120.0).motion.rows
    seen, *_ = np.histogram2d(rows[:, 0], rows[:, 1], bins=[[0, 2.7, 5.3, 8]] * 2)
    assert (seen > 0).all()


def test_camera_looks_along_the_way():
    space = Space(room_with([(4, 4, 0.5)]))
    robot = Quadrotor(kind="quadrotor")
    start = choose_start("scout", robot, space, 1, [])
    rows = plan("scout", robot, start, space, 1, 40.0).motion.rows
    fast = np.hypot(rows[:, 3], rows[:, 4]) > 0.3
    off = np.arctan2(rows[fast, 4], rows[fast, 3]) - rows[fast, 9]
    assert np.quantile(np.abs(np.angle(np.exp(1j * off))), 0.95) < math.radians(30)


def test_movable_things_are_kept_clear():
    free = room_with([])
    ball = np.array([[4.0, 4.0, 1.3, 0.3]])
    space = Space(free, ball)
    robot = Quadrotor(kind="quadrotor", start=Pose(position=(1, 4, 1.3)))
    rows = plan("scout", robot, Place((1, 4, 1.3)), space, 0, 60.0).motion.rows
    assert (np.linalg.norm(rows[:, :3] - ball[0, :3], axis=1) - 0.3).min() > 0.3


def test_auto_start_depends_on_seed_and_keeps_robots_apart():
    space = Space(room_with([(4, 4, 0.5)]))
    robot = Quadrotor(kind="quadrotor", mission=HoverMission(kind="hover"))
    a, b = (choose_start("scout", robot, space, s, []) for s in (1, 2))
    assert a == choose_start("scout", robot, space, 1, [])
    assert a != b
    second = choose_start("guide", robot, space, 1, [a])
    assert math.dist(second.position[:2], a.position[:2]) > 1.0


def test_a_full_room_is_said():
    space = Space(room_with([(4, 4, 4)]))
    with pytest.raises(ScenarioError, match=r"robots\.scout\.start: no place is free"):
        choose_start("scout", Quadrotor(kind="quadrotor"), space, 0, [])


def test_a_closed_in_start_is_said():
    free = room_with([])
    X, Y = grid()
    ring = np.abs(np.hypot(X - 2, Y - 2) - 0.8) < 0.15
    distance = np.minimum(free.distance_m, ndimage.distance_transform_edt(~ring, sampling=CELL)[:, :, None])
    space = Space(Free((0.0, 0.0), CELL, free.z_m, distance.astype(np.float32), free.room, ("room",)))
    robot = Quadrotor(kind="quadrotor", start=Pose(position=(2, 2, 1.3)), mission=ExploreMission())
    with pytest.raises(ScenarioError, match="nothing can be reached"):
        plan("scout", robot, Place((2.0, 2.0, 1.3)), space, 0, 10.0)


def test_a_way_between_walls_all_along_is_followed_as_closely_as_the_spacing_allows():
    corners = np.array([(i, i % 2, 1.0) for i in range(9)], float)
    dense = np.concatenate([np.linspace(a, b, 100) for a, b in itertools.pairwise(corners)])

    class Corridor:
        """No clearance is left a hand's breadth off the way."""

        def clearance_of(self, points):
            return 0.5 - 10 * cKDTree(dense).query(points)[0]

    path = smooth(dense, Corridor(), 0.5)
    assert cKDTree(dense).query(path.curve(path.s))[0].max() < 0.05
