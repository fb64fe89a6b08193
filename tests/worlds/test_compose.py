from __future__ import annotations

from pathlib import Path

import hand_made as things
import mujoco
import numpy as np
import pytest

from veridical.assets.thing import Placed
from veridical.core.errors import AssetError, DataError
from veridical.core.geometry import matrix_to_quat
from veridical.scenario.schema import FileRobot, Physics, Scenario
from veridical.worlds import compose, composition, load_world
from veridical.worlds.layout import Layout
from veridical.worlds.overlaps import overlaps
from veridical.worlds.world import World

ROBOT = """
<mujoco><option cone="elliptic" impratio="10" timestep="0.01"/>
  <asset><material name="shell" rgba="0.2 0.4 0.6 1"/></asset>
  <worldbody><body name="base" pos="0 0 1"><freejoint name="root"/>
    <geom name="hull" type="sphere" size="0.1" mass="1.3" material="shell"/></body></worldbody>
  <keyframe><key name="home" qpos="0 0 1 1 0 0 0"/></keyframe>
</mujoco>"""


def scenario(folder: Path, robots: int = 1, text: str = ROBOT, rate_hz: float = 512.0) -> Scenario:
    (folder / "robot.xml").write_text(text)
    named = {f"bot{i}": FileRobot(kind="file", path="robot.xml") for i in range(robots)}
    return Scenario(robots=named, physics=Physics(rate_hz=rate_hz))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compose")


@pytest.fixture(scope="module")
def world(folder: Path) -> World:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composition, "layout_of", lambda *_: things.two_rooms(folder))
        return compose(scenario(folder).in_folder(folder), folder / "world")


def test_a_thing_stands_where_it_was_placed(world: World, folder: Path) -> None:
    data = mujoco.MjData(world.model)
    mujoco.mj_forward(world.model, data)
    for placed in things.two_rooms(folder).placed:
        body = data.body(placed.name)
        np.testing.assert_allclose(body.xpos, placed.T_world_thing[:3, 3], atol=1e-12)
        np.testing.assert_allclose(body.xquat, matrix_to_quat(placed.T_world_thing[:3, :3]), atol=1e-12)


def test_visual_vertices_lie_where_the_thing_has_them(world: World) -> None:
    model = world.model
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    body = model.body("table_0")
    visual = next(
        g for g in range(body.geomadr[0], body.geomadr[0] + body.geomnum[0]) if model.geom_group[g] == 2
    )
    mesh = model.geom_dataid[visual]
    start, n = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    vertices = (
        model.mesh_vert[start : start + n] @ data.geom_xmat[visual].reshape(3, 3).T + data.geom_xpos[visual]
    )
    expected = things.block("table", (0.4, 0.3, 0.35)).parts[0].mesh.vertices
    T = things.at(1.5, 1.0, 0, 0.3)
    np.testing.assert_allclose(
        np.sort(vertices, axis=0), np.sort(expected @ T[:3, :3].T + T[:3, 3], axis=0), atol=1e-6
    )


def test_visual_geoms_cannot_be_touched_and_collision_geoms_are_in_group_three(world: World) -> None:
    model = world.model
    own = np.array([not model.body(b).name.startswith("bot0/") for b in model.geom_bodyid])
    visual = own & (model.geom_group == 2)
    solid = own & (model.geom_group == 3)
    assert visual.any()
    assert (visual | solid)[own].all()
    assert not (model.geom_contype[visual] | model.geom_conaffinity[visual]).any()
    assert model.geom_contype[solid].all()


def test_masses_are_exact_and_inertia_is_that_of_the_collider(world: World) -> None:
    model = world.model
    assert model.body("cup_0").mass[0] == pytest.approx(0.25, rel=1e-12)
    assert model.body("ball_0").mass[0] == pytest.approx(0.4, rel=1e-12)
    np.testing.assert_allclose(model.body("ball_0").inertia, 0.4 * 0.4 * 0.1**2, rtol=1e-9)
    box = 0.25 / 3 * np.array([0.04**2 + 0.05**2, 0.04**2 + 0.05**2, 0.04**2 + 0.04**2])
    np.testing.assert_allclose(np.sort(model.body("cup_0").inertia), np.sort(box), rtol=1e-9)


def test_uv_counts_texture_repeats_from_the_top_row(world: World) -> None:
    model = world.model
    floor = model.body("floor").geomadr[0]
    mesh = model.geom_dataid[floor]
    start, n = model.mesh_texcoordadr[mesh], model.mesh_texcoordnum[mesh]
    uv = model.mesh_texcoord[start : start + n]
    assert uv[:, 0].min() == pytest.approx(-3.1 / 0.5, rel=1e-6)
    assert uv[:, 1].max() == pytest.approx(1 + 2.1 / 0.5, rel=1e-6)


def test_materials_are_in_the_look_and_in_the_model(world: World) -> None:
    names = {world.model.material(i).name for i in range(world.model.nmat)}
    assert {"oak", "red", "bot0/shell"} <= names
    assert world.look.materials["oak"].albedo == "oak.png"
    assert (world.textures / "oak.png").is_file()
    assert world.model.ntex == 1


def test_instances_keep_their_ids_when_a_robot_is_added(
    world: World, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composition, "layout_of", lambda *_: things.two_rooms(folder))
    more = compose(scenario(folder, robots=2).in_folder(folder), folder / "more")
    assert [i.id for i in more.instances] == list(range(1, len(more.instances) + 1))
    assert more.instances[: len(world.instances)] == world.instances
    assert more.instances[-1].body == "bot1/base"
    assert [i.name for i in world.instances if i.dynamic] == ["cup_0", "ball_0", "bot0"]


def test_the_stored_scene_steps_in_plain_mujoco_bit_by_bit_as_the_world(world: World, folder: Path) -> None:
    plain = mujoco.MjSpec.from_zip(str(folder / "world" / "scene.zip")).compile()
    ours, theirs = mujoco.MjData(world.model), mujoco.MjData(plain)
    mujoco.mj_step(world.model, ours, 1000)
    mujoco.mj_step(plain, theirs, 1000)
    assert ours.qpos.tobytes() == theirs.qpos.tobytes()
    assert ours.qvel.tobytes() == theirs.qvel.tobytes()
    assert plain.opt.timestep == 1 / 512


def test_things_rest_where_they_were_put(world: World) -> None:
    data = mujoco.MjData(world.model)
    mujoco.mj_forward(world.model, data)
    before = data.body("cup_0").xpos.copy()
    mujoco.mj_step(world.model, data, 480)
    assert np.abs(data.body("cup_0").xpos - before).max() < 1e-3
    assert np.abs(data.body("cup_0").cvel).max() < 1e-3


def test_options_that_attaching_drops_are_kept_and_the_timestep_is_the_scenarios(world: World) -> None:
    assert world.model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert world.model.opt.impratio == 10
    assert world.model.nkey == 0
    assert len([w for w in world.warnings if "timestep" in w]) == 1


def test_two_robots_that_disagree_leave_a_warning_that_says_who_wins(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composition, "layout_of", lambda *_: things.two_rooms(folder))
    (tmp_path / "robot.xml").write_text(ROBOT)
    (tmp_path / "other.xml").write_text(ROBOT.replace('impratio="10"', 'impratio="50"'))
    robots = {
        "bot0": FileRobot(kind="file", path="robot.xml"),
        "bot1": FileRobot(kind="file", path="other.xml"),
    }
    both = compose(Scenario(robots=robots).in_folder(tmp_path), tmp_path / "world")
    assert both.model.opt.impratio == 10
    assert any("bot1" in w and "impratio" in w and "'bot0'" in w for w in both.warnings)


def test_loading_gives_back_what_was_saved(world: World, folder: Path) -> None:
    again = load_world(folder / "world")
    assert again.look == world.look
    assert again.instances == world.instances
    assert again.robots == world.robots
    assert again.warnings == world.warnings
    np.testing.assert_array_equal(again.free_space.distance_m, world.free_space.distance_m)


def test_an_existing_folder_is_refused_and_a_broken_one_named(
    world: World, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="exists already"):
        compose(scenario(folder).in_folder(folder), folder / "world")
    with pytest.raises(DataError, match="not a complete world folder"):
        load_world(tmp_path)


def test_nothing_is_left_behind_when_composing_fails(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = things.two_rooms(folder)
    odd = Placed("odd", things.block("spaceship", (0.1, 0.1, 0.1)), np.eye(4))
    monkeypatch.setattr(
        composition,
        "layout_of",
        lambda *_: Layout((*layout.placed, odd), layout.rooms, None, None, (), 1.0, surfaces=layout.surfaces),
    )
    with pytest.raises(AssetError, match="spaceship"):
        compose(scenario(tmp_path).in_folder(tmp_path), tmp_path / "world")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["robot.xml"]


def test_overlaps_name_the_pair_and_the_depth(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = things.two_rooms(folder)
    sunk = Placed("box_9", things.block("box", (0.1, 0.1, 0.1), mass_kg=1.0), things.at(-2, -1, -0.02))
    changed = Layout((*layout.placed, sunk), layout.rooms, None, None, (), 1.0, surfaces=layout.surfaces)
    monkeypatch.setattr(composition, "layout_of", lambda *_: changed)
    world = compose(scenario(tmp_path).in_folder(tmp_path), tmp_path / "world")
    (found,) = overlaps(world)
    assert {found.first, found.second} == {"box_9", "floor"}
    assert found.depth_m == pytest.approx(0.02, abs=1e-6)


def test_equal_meshes_are_stored_once(world: World) -> None:
    assert world.model.nmesh == len(set(world.model.geom_dataid[world.model.geom_dataid >= 0].tolist()))
    walls = [world.model.geom_dataid[world.model.body(n).geomadr[0]] for n in ("wall_left", "wall_right")]
    assert walls[0] == walls[1]
