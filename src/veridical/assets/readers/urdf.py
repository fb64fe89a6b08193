"""URDF as MuJoCo wants it: packages resolved, DAE and other meshes as OBJ, colours and textures kept."""

from __future__ import annotations

import copy
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import mujoco
import numpy as np

from veridical.assets.engine import add_material
from veridical.assets.msh import msh_bytes
from veridical.assets.readers.scene import FORMATS, read_mesh_file
from veridical.assets.surfaces import Surface
from veridical.core.errors import AssetError
from veridical.core.hashing import content_hash

_COMPILER = {
    "balanceinertia": "true",
    "boundmass": "0.001",
    "boundinertia": "0.000001",
    "discardvisual": "false",
    "fusestatic": "false",
    "strippath": "false",
}
"""Base links without inertia and inertias that break the triangle inequality are common in the wild."""


@dataclass
class _Meshes:
    """Meshes of the robot as they are found: engine files and the looks of visual pieces."""

    path: Path
    packages: Mapping[str, Path]
    assets: dict[str, bytes] = field(default_factory=dict)
    looks: dict[str, Surface] = field(default_factory=dict)

    def resolve(self, filename: str) -> Path:
        """The file behind `package://name/...`, `file://...` or a relative path."""
        match = re.fullmatch(r"(?:package|model)://([^/]+)/(.*)", filename)
        if match:
            found = self._package(match[1], filename) / match[2]
        else:
            found = self.path.parent / filename.removeprefix("file://")
        if not found.is_file():
            raise AssetError(f"{self.path}: mesh '{filename}' does not exist; looked for {found}")
        return found

    def _package(self, name: str, filename: str) -> Path:
        if name in self.packages:
            return Path(self.packages[name])
        for folder in self.path.resolve().parents:  # the usual layout: NAME/urdf/robot.urdf
            if folder.name == name:
                return folder
            if (folder / name).is_dir():
                return folder / name
        known = ", ".join(sorted(self.packages)) or "none"
        raise AssetError(
            f"{self.path}: no folder is known for package '{name}' of '{filename}'; "
            f"add packages: {{{name}: FOLDER}} to the robot (given: {known})"
        )

    def pieces(self, filename: str) -> list[str]:
        """Engine file names of a mesh, one a material."""
        file = self.resolve(filename)
        if file.suffix.lower().lstrip(".") not in FORMATS:
            raise AssetError(f"{file}: cannot read this mesh; known are {', '.join(FORMATS)}")
        read = read_mesh_file(file, _dae_unit(file), up="z")
        names = []
        for node in read.nodes:
            for part in node.parts:
                mesh, look = part.mesh, read.surfaces[part.finish]
                data = msh_bytes(mesh.vertices, mesh.faces, mesh.normals, mesh.uv)
                look_hash = content_hash(repr(replace(look.material, name="")))[:8]
                look = replace(look, material=replace(look.material, name=f"{file.stem}-{look_hash}"))
                name = f"{file.stem}-{look_hash}-{content_hash(data)[:8]}.msh"
                self.assets[name] = data
                self.looks[name] = look
                names.append(name)
        return names


def read_urdf(path: Path, packages: Mapping[str, Path]) -> mujoco.MjSpec:
    """Reads a URDF; visual geoms get group 2, collision geoms group 3, and every body its inertia in full.

    Args:
        path: The .urdf file.
        packages: Folder of each `package://` name; a parent folder of that name is found by itself.

    Raises:
        AssetError: If a mesh or package is missing, or MuJoCo cannot read the result.
    """
    try:
        root = ET.fromstring(path.read_bytes())
    except ET.ParseError as fault:
        raise AssetError(f"{path} is not well-formed XML: {fault}") from fault
    if root.tag != "robot":
        raise AssetError(f"{path}: expected <robot> as the outermost element, found <{root.tag}>")
    meshes = _Meshes(path, packages)
    colours = _named_colours(root)
    for link in root.iter("link"):
        _rewrite(link, meshes, colours)
    _set_compiler(root)
    try:
        spec = mujoco.MjSpec.from_string(ET.tostring(root, encoding="unicode"), assets=meshes.assets)
        _sort_geoms(spec)
        _paint(spec, meshes)
        spec.compile()
    except ValueError as fault:
        raise AssetError(f"{path}: MuJoCo cannot read this URDF: {fault}") from fault
    return spec


def bake_inertias(spec: mujoco.MjSpec) -> None:
    """Writes each body's compiled mass and inertia into the spec.

    A robot's compiler settings (bounds on mass and inertia, inertia from geoms) act on the whole model and
    do not come along when it is attached; the numbers that they lead to do.
    """
    model = spec.compile()
    for body in spec.bodies[1:]:
        i = model.body(body.name).id
        body.explicitinertial = True
        body.mass = float(model.body_mass[i])
        body.ipos, body.iquat = model.body_ipos[i], model.body_iquat[i]
        body.inertia = model.body_inertia[i]
        body.fullinertia = np.full(6, np.nan)


def _rewrite(link: ET.Element, meshes: _Meshes, colours: Mapping[str, str]) -> None:
    """One visual or collision element a mesh piece, so that each keeps its own material."""
    for element in [e for e in link if e.tag in ("visual", "collision")]:
        _set_colour(element, colours)
        mesh = element.find("geometry/mesh")
        if mesh is None:
            continue
        place = list(link).index(element)
        link.remove(element)
        for i, name in enumerate(meshes.pieces(mesh.get("filename", ""))):
            piece = copy.deepcopy(element)
            found = piece.find("geometry/mesh")
            assert found is not None
            found.set("filename", name)
            link.insert(place + i, piece)


def _named_colours(root: ET.Element) -> dict[str, str]:
    named: dict[str, str] = {}
    for material in root.iter("material"):
        colour = material.find("color")
        if colour is not None and material.get("name"):
            named.setdefault(material.get("name", ""), colour.get("rgba", "0.5 0.5 0.5 1"))
    return named


def _set_colour(element: ET.Element, colours: Mapping[str, str]) -> None:
    material = element.find("material")
    if material is not None and material.find("color") is None and material.get("name") in colours:
        ET.SubElement(material, "color", rgba=colours[material.get("name", "")])


def _set_compiler(root: ET.Element) -> None:
    settings = root.find("mujoco")
    if settings is None:
        settings = ET.SubElement(root, "mujoco")
    compiler = settings.find("compiler")
    if compiler is None:
        compiler = ET.SubElement(settings, "compiler")
    for key, value in _COMPILER.items():
        compiler.set(key, value)
    for key in ("meshdir", "texturedir", "assetdir"):
        compiler.attrib.pop(key, None)


def _sort_geoms(spec: mujoco.MjSpec) -> None:
    visual = [g for g in spec.geoms if g.contype == 0 and g.conaffinity == 0]
    for geom in visual:
        geom.group = 2
    if visual:
        for geom in spec.geoms:
            if geom.contype or geom.conaffinity:
                geom.group = 3
    for mesh in spec.meshes:
        mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL


def _paint(spec: mujoco.MjSpec, meshes: _Meshes) -> None:
    """Gives visual meshes their own colours and textures, unless the URDF says another colour."""
    files = {mesh.name: mesh.file for mesh in spec.meshes}
    for geom in spec.geoms:
        look = meshes.looks.get(files.get(geom.meshname, ""))
        unsaid = np.allclose(geom.rgba, (0.5, 0.5, 0.5, 1.0))
        if look is not None and geom.group == 2 and unsaid:
            add_material(spec, look.material, look.files)
            geom.material = look.material.name


def _dae_unit(file: Path) -> float:
    """Metres per unit; ROS tools apply a DAE's unit and ignore its up axis."""
    if file.suffix.lower() != ".dae":
        return 1.0
    head = file.read_text(errors="replace")[:4096]
    match = re.search(r"<unit\b[^>]*\bmeter=\"([^\"]+)\"", head)
    return float(match[1]) if match else 1.0
