"""A robot given as an MJCF file in a room given as a GLB file.

The two files are made here, so that the example needs nothing else; put your own in their place.
"""

import sys
from pathlib import Path

import trimesh

import veridical as vd

out = Path(sys.argv[1] if len(sys.argv) > 1 else "out/own_robot")
out.mkdir(parents=True, exist_ok=True)

ROBOT = """
<mujoco model="turret">
  <option cone="elliptic" impratio="10"/>
  <worldbody>
    <body name="base" pos="0 0 0.05">
      <geom type="cylinder" size="0.15 0.05" rgba="0.2 0.2 0.22 1"/>
      <body name="head" pos="0 0 0.3">
        <joint name="pan" axis="0 0 1" damping="0.5"/>
        <geom type="capsule" fromto="0 0 -0.25 0 0 0" size="0.03" rgba="0.8 0.4 0.1 1"/>
        <geom type="box" size="0.06 0.09 0.05" rgba="0.9 0.9 0.9 1"/>
      </body>
    </body>
  </worldbody>
  <actuator><position name="pan" joint="pan" kp="4"/></actuator>
</mujoco>
"""

SCENARIO = """
name: own-robot
world: {kind: file, path: room.glb, up: y}
robots:
  turret:
    kind: file
    path: turret.xml
    start: {position: [0.0, 0.0, 0.0]}
    mission: {kind: hover}
    sensors:
      eye: {kind: rgbd, rate_hz: 5, width: 160, height: 120, mount: {position: [0.07, 0, 0.3]}}
recording: {duration_s: 1}
output: {quality: draft}
"""


def room() -> trimesh.Scene:
    """A room of 5 x 4 x 2.6 m with three boxes, y up as GLB files have it."""
    scene = trimesh.Scene()

    def add(
        name: str, size: tuple[float, float, float], at: tuple[float, float, float], rgb: list[int]
    ) -> None:
        box = trimesh.creation.box(size, trimesh.transformations.translation_matrix(at))
        material = trimesh.visual.material.PBRMaterial(baseColorFactor=[*rgb, 255], roughnessFactor=0.8)
        box.visual = trimesh.visual.TextureVisuals(material=material)
        scene.add_geometry(box, node_name=name, geom_name=name)

    add("floor", (5, 0.1, 4), (0, -0.05, 0), [150, 110, 70])
    add("wall_north", (5, 2.6, 0.1), (0, 1.3, -2.05), [220, 215, 200])
    add("wall_south", (5, 2.6, 0.1), (0, 1.3, 2.05), [220, 215, 200])
    add("wall_east", (0.1, 2.6, 4), (2.55, 1.3, 0), [170, 190, 200])
    add("wall_west", (0.1, 2.6, 4), (-2.55, 1.3, 0), [170, 190, 200])
    add("cupboard", (0.5, 1.6, 1.0), (2.2, 0.8, 0.8), [120, 60, 40])
    add("table", (0.8, 0.7, 0.8), (1.6, 0.35, -0.8), [60, 90, 60])
    add("stool", (0.35, 0.45, 0.35), (1.0, 0.225, 0.9), [180, 40, 40])
    return scene


room().export(out / "room.glb")
(out / "turret.xml").write_text(ROBOT)
(out / "scenario.yaml").write_text(SCENARIO)

run = vd.simulate(vd.load(out / "scenario.yaml"), out / "run")
data = vd.observe(run, out / "data")
print(vd.verify(data))
print("seen:", ", ".join(row.name for row in data.labels))
