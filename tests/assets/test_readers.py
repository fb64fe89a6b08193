from __future__ import annotations

import struct
from pathlib import Path

import cv2
import mujoco
import numpy as np
import pytest
import trimesh
from PIL import Image
from trimesh.visual.material import PBRMaterial

from veridical.assets.readers import read_mesh_file, robot_file
from veridical.assets.readers.convex import decompose, hull, merged_boxes
from veridical.assets.readers.scene import creased
from veridical.core.errors import AssetError

TEXTURE = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]], np.uint8)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDICAL_CACHE", str(tmp_path / "cache"))


def textured_glb(path: Path) -> None:
    quad = trimesh.Trimesh(
        [[0, 0, 0], [2, 0, 0], [2, 3, 0], [0, 3, 0]], [[0, 1, 2], [0, 2, 3]], process=False
    )
    material = PBRMaterial(
        name="tiles",
        baseColorTexture=Image.fromarray(TEXTURE),
        roughnessFactor=0.3,
        metallicFactor=0.1,
        emissiveFactor=[0.5, 0, 0],
    )
    quad.visual = trimesh.visual.TextureVisuals(uv=[[0, 0], [1, 0], [1, 1], [0, 1]], material=material)
    scene = trimesh.Scene()
    scene.add_geometry(
        quad, node_name="wall 1", transform=trimesh.transformations.translation_matrix([5, 6, 7])
    )
    path.write_bytes(scene.export(file_type="glb"))


def test_a_glb_keeps_pose_uv_and_material_and_turns_y_up_to_z_up(tmp_path: Path) -> None:
    textured_glb(tmp_path / "a.glb")
    file = read_mesh_file(tmp_path / "a.glb", scale=0.1, up="y")
    (node,) = file.nodes
    (part,) = node.parts
    assert node.name == "wall_1"
    # (x, y, z) of the file becomes (x, -z, y)
    expected = 0.1 * np.array([[5, -7, 6], [7, -7, 6], [7, -7, 9], [5, -7, 9]])
    order = np.lexsort(np.round(part.mesh.uv, 6).T)
    reference = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    np.testing.assert_allclose(part.mesh.vertices[order], expected[np.lexsort(reference.T)], atol=1e-6)
    np.testing.assert_allclose(part.mesh.normals, np.tile([0, -1, 0], (4, 1)), atol=1e-6)
    surface = file.surfaces[part.finish]
    assert (surface.material.roughness, surface.material.metallic) == (0.3, 0.1)
    assert surface.material.emission is not None
    assert surface.material.emission[0] > 0 == surface.material.emission[1]
    stored = cv2.imread(str(surface.files[surface.material.albedo]))[..., ::-1]  # type: ignore[index]
    np.testing.assert_array_equal(stored, TEXTURE)
    assert file.warnings == ()


def test_an_obj_with_two_materials_gives_two_nodes_and_a_missing_texture_one_warning(tmp_path: Path) -> None:
    (tmp_path / "a.mtl").write_text(
        "newmtl red\nKd 0.8 0.1 0.1\nNs 20\nnewmtl pic\nKd 1 1 1\nmap_Kd gone.png\n"
    )
    (tmp_path / "a.obj").write_text(
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\n"
        "usemtl red\nf 1/1 2/2 3/3\nusemtl pic\nf 1/1 2/2 4/3\n"
    )
    file = read_mesh_file(tmp_path / "a.obj", up="z")
    assert len(file.surfaces) == 2
    red = next(s.material for f, s in file.surfaces.items() if "red" in f.kind)
    assert red.base_color == pytest.approx((0.6038, 0.01, 0.01), abs=2e-3)  # 0.8 and 0.1 in linear light
    (warning,) = file.warnings
    assert "gone.png" in warning


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("gone.glb", None, "does not exist"),
        ("a.xyz", b"1", "cannot read '.xyz'"),
        ("broken.glb", b"glTF" + struct.pack("<II", 2, 99), "cannot be read as glb"),
        ("empty.obj", b"v 0 0 0\n", "(no triangles|cannot be read)"),
        ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not numbers"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, name: str, content: bytes | None, word: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(AssetError, match=word) as caught:
        read_mesh_file(tmp_path / name)
    assert name in str(caught.value)


def test_creased_normals_are_flat_on_a_box_and_radial_on_a_sphere() -> None:
    box = trimesh.creation.box([1, 1, 1])
    mesh = creased(np.array(box.vertices), np.array(box.faces, np.int32), np.zeros((8, 2)))
    assert len(mesh.vertices) == 24
    assert np.sort(np.abs(mesh.normals), axis=1) == pytest.approx(np.tile([0, 0, 1], (24, 1)))
    ball = trimesh.creation.icosphere(subdivisions=3)
    mesh = creased(np.array(ball.vertices), np.array(ball.faces, np.int32), np.zeros((len(ball.vertices), 2)))
    assert len(mesh.vertices) == len(ball.vertices)
    assert np.einsum("ij,ij->i", mesh.normals, mesh.vertices).min() > 0.995


def test_a_convex_mesh_is_its_own_hull_and_a_flat_one_gets_thickness_behind_it() -> None:
    box = trimesh.creation.box([1, 2, 3])
    shapes = decompose(np.array(box.vertices), np.array(box.faces, np.int32))
    (shape,) = shapes.colliders
    assert shape.kind == "hull"
    assert np.ptp(shape.hull, axis=0) == pytest.approx([1, 2, 3])
    flat = hull(np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]]))
    assert flat is not None
    assert (flat.hull[:, 2].min(), flat.hull[:, 2].max()) == pytest.approx((-0.02, 0.0))
    assert hull(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0.0]])) is None


def test_a_room_seen_from_inside_stays_hollow() -> None:
    room = trimesh.creation.box([4, 5, 3])
    faces = np.array(room.faces, np.int32)[:, ::-1]
    shapes = decompose(np.array(room.vertices), faces)
    assert len(shapes.colliders) == 6
    assert shapes.boxed == 0
    for shape in shapes.colliders:
        inner = np.abs(shape.hull) / [2, 2.5, 1.5]
        assert inner.max(axis=1).min() > 0.999  # every slab lies on or behind the surface


def test_a_concave_closed_mesh_is_decomposed_into_parts_that_leave_the_hole_free() -> None:
    torus = trimesh.creation.torus(0.4, 0.1, 16, 8)
    shapes = decompose(np.array(torus.vertices), np.array(torus.faces, np.int32))
    assert len(shapes.colliders) > 3
    for shape in shapes.colliders:
        if shape.kind == "hull":
            assert trimesh.Trimesh(shape.hull).convex_hull.contains([[0, 0, 0]])[0] is np.False_


def test_merged_boxes_cover_exactly_the_filled_cells() -> None:
    filled = np.random.default_rng(3).uniform(size=(6, 7, 5)) < 0.6
    covered = np.zeros(filled.shape, int)
    for low, high in merged_boxes(filled):
        covered[tuple(slice(int(a), int(b) + 1) for a, b in zip(low, high, strict=True))] += 1
    np.testing.assert_array_equal(covered, filled.astype(int))


def dae(path: Path) -> None:
    """Two tetrahedra in millimetres, red at x = 0 and blue at x = 100 mm."""
    import collada as c
    from collada import geometry, material, scene, source

    doc = c.Collada()
    doc.assetInfo.unitmeter, doc.assetInfo.unitname, doc.assetInfo.upaxis = 0.001, "mm", "Z_UP"
    nodes = []
    for k, (colour, x) in enumerate((((1, 0, 0, 1), 0.0), ((0, 0, 1, 1), 100.0))):
        effect = material.Effect(f"e{k}", [], "phong", diffuse=colour)
        mat = material.Material(f"m{k}", f"mat{k}", effect)
        doc.effects.append(effect)
        doc.materials.append(mat)
        points = np.array([0, 0, 0, 50, 0, 0, 0, 50, 0, 0, 0, 50.0]) + np.tile([x, 0, 0], 4)
        geom = geometry.Geometry(
            doc, f"g{k}", f"g{k}", [source.FloatSource(f"v{k}", points, ("X", "Y", "Z"))]
        )
        inputs = source.InputList()
        inputs.addInput(0, "VERTEX", f"#v{k}")
        geom.primitives.append(
            geom.createTriangleSet(np.array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]), inputs, "ref")
        )
        doc.geometries.append(geom)
        nodes.append(
            scene.Node(f"n{k}", children=[scene.GeometryNode(geom, [scene.MaterialNode("ref", mat, [])])])
        )
    doc.scenes.append(scene.Scene("s", nodes))
    doc.scene = doc.scenes[0]
    doc.write(str(path))


URDF = """<robot name="r"><link name="base_link">
  <visual><geometry><mesh filename="package://my_robot/meshes/a.dae" scale="2 2 2"/></geometry></visual>
  <collision><origin xyz="0 0 .1"/><geometry><box size=".1 .2 .3"/></geometry></collision></link>
<link name="arm"><inertial><mass value="1.5"/>
  <inertia ixx=".1" iyy=".1" izz=".1"
  ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><sphere radius=".1"/></geometry><material name="green"/></visual></link>
<link name="tip"><visual><geometry><sphere radius=".02"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="base_link"/><child link="arm"/><axis xyz="0 0 1"/>
  <origin xyz="1 0 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
<joint name="f" type="fixed"><parent link="arm"/><child link="tip"/></joint>
<material name="green"><color rgba="0 1 0 1"/></material></robot>"""


def urdf(folder: Path) -> Path:
    (folder / "pkg" / "meshes").mkdir(parents=True)
    dae(folder / "pkg" / "meshes" / "a.dae")
    (folder / "robot.urdf").write_text(URDF)
    return folder / "robot.urdf"


def test_a_urdf_with_packages_and_dae_keeps_colours_units_and_masses(tmp_path: Path) -> None:
    spec = robot_file(urdf(tmp_path), {"my_robot": tmp_path / "pkg"}, floating=True)
    model = spec.compile()
    assert (model.nq, model.nv) == (8, 7)
    assert model.body("arm").mass[0] == pytest.approx(1.5)
    assert model.body("base_link").mass[0] > 0
    visual = [g for g in range(model.ngeom) if model.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH]
    colours = {tuple(np.round(model.mat_rgba[model.geom_matid[g]], 2)) for g in visual}
    assert colours == {(1, 0, 0, 1), (0, 0, 1, 1)}
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    xs = [data.geom_xpos[g][0] for g in visual]
    assert max(xs) - min(xs) == pytest.approx(0.2, abs=1e-6)  # 100 mm times the scale of 2
    assert {int(g) for g in model.geom_group} == {2, 3}
    green = next(g for g in spec.geoms if g.parent.name == "arm")
    assert tuple(green.rgba) == (0, 1, 0, 1)


def test_a_package_that_is_not_known_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"package 'my_robot'.*packages: \{my_robot: FOLDER\}"):
        robot_file(urdf(tmp_path), {}, floating=False)
    with pytest.raises(AssetError, match=r"a\.dae' does not exist"):
        robot_file(tmp_path / "robot.urdf", {"my_robot": tmp_path}, floating=False)


def test_an_mjcf_carries_its_meshes_and_options_along_when_attached(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "tet.obj").write_text(
        trimesh.creation.box([0.2, 0.2, 0.2]).export(file_type="obj")
    )
    cv2.imwrite(str(tmp_path / "assets" / "t.png"), TEXTURE)
    (tmp_path / "r.xml").write_text(
        '<mujoco><compiler meshdir="assets" texturedir="assets"/><option cone="elliptic" impratio="100"/>'
        '<asset><mesh file="tet.obj"/><texture name="t" type="2d" file="t.png"/>'
        '<material name="m" texture="t"/></asset>'
        '<worldbody><body name="base"><geom type="mesh" mesh="tet" material="m"/></body></worldbody></mujoco>'
    )
    spec = robot_file(tmp_path / "r.xml", {}, floating=True)
    assert spec.option.impratio == 100
    world = mujoco.MjSpec()
    world.option.impratio, world.option.cone = 100, mujoco.mjtCone.mjCONE_ELLIPTIC
    world.attach(spec, prefix="bot/", frame=world.worldbody.add_frame())
    world.compile()
    world.to_zip(str(tmp_path / "w.zip"))
    (tmp_path / "assets" / "tet.obj").unlink()
    model = mujoco.MjSpec.from_zip(str(tmp_path / "w.zip")).compile()
    assert model.nmesh == 1
    assert model.ntex == 1
    assert model.joint("bot/base_free").type[0] == mujoco.mjtJoint.mjJNT_FREE
    with pytest.raises(AssetError, match=r"tet\.obj"):
        robot_file(tmp_path / "r.xml", {}, floating=True)
