from __future__ import annotations

from pathlib import Path

import hand_made as things
import mujoco
import numpy as np
import pytest

from veridical.scenario.schema import Conditions, EmptyWorld
from veridical.worlds import empty
from veridical.worlds.bodies import add_things
from veridical.worlds.finishes import Palette
from veridical.worlds.free_space import (
    build_free_space,
    clearance_at,
    geom_distance,
    is_free,
    room_at,
    sample_free,
    solid_geoms,
)
from veridical.worlds.layout import Layout
from veridical.worlds.world import FreeSpace


def space_of(layout: Layout) -> FreeSpace:
    spec = mujoco.MjSpec()
    add_things(spec, layout.placed, Palette(layout.surfaces))
    model = spec.compile()
    return build_free_space(model, solid_geoms(model, []), layout.rooms)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> FreeSpace:
    return space_of(things.two_rooms(tmp_path_factory.mktemp("free")))


def test_the_distance_to_a_wall_is_exact(space: FreeSpace) -> None:
    points = np.array([[-2.65, -1.05, 1.1], [-1.05, -1.75, 1.1], [2.55, -0.95, 1.5]])
    assert clearance_at(space, points) == pytest.approx([0.35, 0.25, 0.45], abs=1e-5)


def test_the_door_is_open_and_as_wide_as_it_is(space: FreeSpace) -> None:
    x = np.linspace(-1.0, 1.0, 41)
    path = np.column_stack([x, np.zeros_like(x), np.full_like(x, 1.1)])
    assert is_free(space, path, 0.35).all()
    assert not is_free(space, path, 0.46).all()
    assert not is_free(space, path + np.array([0, 0.6, 0]), 0.05).all()


def test_rooms_are_told_apart_and_the_doorway_belongs_to_one_of_them(space: FreeSpace) -> None:
    rooms = room_at(space, [[-1, 0], [1, 0], [0, 0], [9, 9], [-3.15, 0]])
    assert space.room_names == ("west", "east")
    assert rooms[:2].tolist() == [0, 1]
    assert rooms[2] in (0, 1)
    assert rooms[3:].tolist() == [-1, -1]


def test_a_table_is_solid_and_what_can_be_pushed_is_not(space: FreeSpace) -> None:
    inside, above, ball = clearance_at(space, [[1.5, 1.0, 0.3], [1.5, 1.0, 1.3], [-1.5, 1.0, 0.1]])
    assert inside == 0
    assert above == pytest.approx(0.6, abs=0.02)
    assert ball > 0.5


def test_the_floor_does_not_count_but_the_outside_does(space: FreeSpace) -> None:
    low, outside, too_high = clearance_at(space, [[-1.5, 0, 0.1], [-4, 0, 1], [-1.5, 0, 2.7]])
    assert low > 0.5
    assert outside == too_high == 0


def test_samples_have_the_clearance_and_lie_in_the_band(space: FreeSpace) -> None:
    points = sample_free(space, np.random.default_rng(1), 200, 0.35, (1.0, 1.7))
    assert len(points) == 200
    assert (clearance_at(space, points) > 0.35).all()
    assert (points[:, 2] >= 1.0).all()
    assert (points[:, 2] <= 1.7).all()
    assert len(sample_free(space, np.random.default_rng(1), 5, 5.0, (1.0, 1.7))) == 0


def test_far_from_everything_the_distance_grows_on() -> None:
    layout = empty.generate(EmptyWorld(kind="empty", size_m=12.0), Conditions())
    placed = (
        *layout.placed[1:],
        things.Placed("pillar", things.block("structure", (0.1, 0.1, 1.0)), np.eye(4)),
    )
    space = space_of(Layout(placed, layout.rooms, None, None, (), 1.0, surfaces={things.OAK: OAK_SURFACE}))
    near, far = clearance_at(space, [[0.55, 0.05, 0.9], [3.05, 0.05, 0.9]])
    assert near == pytest.approx(0.45, abs=0.01)
    assert far == pytest.approx(2.95, abs=0.1)


OAK_SURFACE = things.Surface(things.Material("oak"), 1.0, {})


def test_distances_of_primitives_agree_with_the_engines_own(tmp_path: Path) -> None:
    model = mujoco.MjModel.from_xml_string("""
      <mujoco><asset><mesh name="m" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/></asset><worldbody>
        <geom type="box" size=".3 .2 .1"/><geom type="cylinder" size=".3 .2"/><geom type="sphere" size=".3"/>
        <geom type="capsule" size=".1 .3"/><geom type="mesh" mesh="m"/>
        <body name="probe"><freejoint/><geom name="probe" type="sphere" size="1e-4" mass="1"/></body>
      </worldbody></mujoco>""")
    data = mujoco.MjData(model)
    points = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    for geom in range(5):
        for point in points:
            data.qpos[:3] = point
            mujoco.mj_kinematics(model, data)
            truth = mujoco.mj_geomDistance(model, data, geom, model.geom("probe").id, 10.0, None) + 1e-4
            R = data.geom_xmat[geom].reshape(3, 3)
            local = ((point - data.geom_xpos[geom]) @ R)[None]
            found = geom_distance(model, geom, local)[0]
            if truth > 0.01:
                if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
                    assert 0 < found <= truth + 1e-4  # a lower bound: never says free where it is not
                else:
                    assert found == pytest.approx(truth, abs=1e-4)
