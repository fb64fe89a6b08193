from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh

from veridical.core.errors import AssetError
from veridical.scenario.schema import Conditions, EmptyWorld, FileRobot, FileWorld, Scenario
from veridical.worlds import compose
from veridical.worlds.files import category_of, generate
from veridical.worlds.free_space import clearance_at

ROBOT = """<mujoco><worldbody><body name="base" pos="0 0 1"><freejoint/>
  <geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDICAL_CACHE", str(tmp_path / "cache"))


def room_glb(path: Path, unit: float = 1.0) -> None:
    """A hollow room 4 x 5 m, 3 m high, its floor at z = -1, with a chair-sized box, y up."""
    shell = trimesh.creation.box([4, 5, 3])
    shell.invert()
    shell.apply_translation([0, 0, 0.5])
    chair = trimesh.creation.box([0.5, 0.5, 1.0])
    chair.apply_translation([1, 1, -0.5])
    scene = trimesh.Scene()
    for name, mesh in (("Room", shell), ("Chair.001", chair)):
        mesh.apply_scale(unit)
        mesh.apply_transform(trimesh.transformations.rotation_matrix(-np.pi / 2, [1, 0, 0]))
        scene.add_geometry(mesh, node_name=name)
    path.write_bytes(scene.export(file_type="glb"))


def test_a_glb_room_can_be_lived_in(tmp_path: Path) -> None:
    room_glb(tmp_path / "room.glb")
    (tmp_path / "bot.xml").write_text(ROBOT)
    scenario = Scenario(
        world=FileWorld(kind="file", path="room.glb"),
        robots={"bot": FileRobot(kind="file", path="bot.xml")},
    )
    world = compose(scenario.in_folder(tmp_path), tmp_path / "world")
    names = {i.name: i for i in world.instances}
    assert names["Chair.001"].category == "chair"
    assert "lamp" in names
    chair = world.model.body("Chair.001")
    np.testing.assert_allclose(chair.pos, [1, 1, -1], atol=1e-6)
    data = mujoco.MjData(world.model)
    mujoco.mj_step(world.model, data, 2000)
    assert data.body("bot/base").xpos[2] == pytest.approx(-0.9, abs=2e-3)  # rests on the file's floor
    free, in_chair, outside = clearance_at(world.free_space, [[-1, 0, 0.5], [1, 1, -0.5], [3, 0, 0.5]])
    assert free == pytest.approx(1.0, abs=0.02)
    assert in_chair == outside == 0
    assert world.licences[0]["name"] == "room.glb"


@pytest.mark.parametrize(("unit", "proposal"), [(1000.0, "0.001"), (0.001, "1000")])
def test_a_size_that_makes_no_sense_is_said_with_a_scale_that_does(
    tmp_path: Path, unit: float, proposal: str
) -> None:
    room_glb(tmp_path / "room.glb", unit)
    with pytest.raises(AssetError, match=f"m in size .*try world.scale: {proposal},"):
        generate(FileWorld(kind="file", path="room.glb"), Conditions(), tmp_path)


def test_collision_can_be_convex_or_none(tmp_path: Path) -> None:
    room_glb(tmp_path / "room.glb")
    counts = {}
    for how in ("mesh", "convex", "none"):
        layout = generate(FileWorld(kind="file", path="room.glb", collision=how), Conditions(), tmp_path)
        counts[how] = {p.name: len(p.thing.colliders) for p in layout.placed}
    assert counts["mesh"] == {"Chair.001": 1, "Room": 6, "lamp": 0}
    assert counts["convex"] == {"Chair.001": 1, "Room": 1, "lamp": 0}
    assert counts["none"] == {"Chair.001": 0, "Room": 0, "lamp": 0}


def test_the_lamp_obeys_the_conditions(tmp_path: Path) -> None:
    room_glb(tmp_path / "room.glb")
    world = FileWorld(kind="file", path="room.glb")
    assert "lamp" not in {p.name for p in generate(world, Conditions(lamps="off"), tmp_path).placed}
    dim = generate(world, Conditions(lamp_intensity=0.5), tmp_path).placed[-1].thing.parts[0].finish.emission
    full = generate(world, Conditions(), tmp_path).placed[-1].thing.parts[0].finish.emission
    assert np.allclose(2 * np.array(dim), full)


def test_labels_are_read_from_names() -> None:
    words = ("Chair.003", "kitchen wall", "Sofas_12", "Mesh_07")
    assert [category_of(w) for w in words] == ["chair", "wall", "sofa", "other"]


def test_a_textured_urdf_robot_keeps_its_image(tmp_path: Path) -> None:
    import cv2

    cv2.imwrite(str(tmp_path / "skin.png"), np.full((4, 4, 3), 200, np.uint8))
    (tmp_path / "skin.mtl").write_text("newmtl skin\nmap_Kd skin.png\n")
    (tmp_path / "body.obj").write_text(
        "mtllib skin.mtl\nusemtl skin\nv 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nvt 0 0\nvt 1 0\nvt 0 1\n"
        "f 1/1 3/3 2/2\nf 1/1 2/2 4/3\nf 1/1 4/3 3/2\nf 2/1 3/2 4/3\n"
    )
    (tmp_path / "bot.urdf").write_text(
        '<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" '
        'ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="body.obj"/></geometry>'
        "</visual></link></robot>"
    )
    scenario = Scenario(
        world=EmptyWorld(kind="empty"),
        robots={"bot": FileRobot(kind="file", path="bot.urdf", floating=True)},
    )
    world = compose(scenario.in_folder(tmp_path), tmp_path / "world")
    skins = [m for name, m in world.look.materials.items() if name.startswith("bot/")]
    assert [m.albedo is not None for m in skins] == [True]
    assert (world.textures / str(skins[0].albedo)).is_file()


def test_packages_of_a_urdf_count_from_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "parts" / "meshes").mkdir(parents=True)
    trimesh.creation.box((0.2, 0.2, 0.1)).export(tmp_path / "parts" / "meshes" / "base.stl")
    (tmp_path / "bot.urdf").write_text(
        '<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" '
        'ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="package://kit/meshes/base.stl"/>'
        "</geometry></visual></link></robot>"
    )
    robot = FileRobot(kind="file", path="bot.urdf", packages={"kit": "parts"}, floating=True)
    scenario = Scenario(world=EmptyWorld(kind="empty"), robots={"bot": robot})
    model = compose(scenario.in_folder(tmp_path), tmp_path / "world").model
    assert any(model.mesh(i).name.startswith("bot/") for i in range(model.nmesh))
    lost = robot.model_copy(update={"packages": {"kit": "elsewhere"}})
    with pytest.raises(AssetError, match=r"^robots\.bot\.path: .*kit"):
        compose(scenario.model_copy(update={"robots": {"bot": lost}}).in_folder(tmp_path), tmp_path / "w")
