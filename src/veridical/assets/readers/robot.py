"""Robot files as MuJoCo specifications that carry all their assets inside."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mujoco

from veridical.assets.readers.urdf import bake_inertias, read_urdf
from veridical.core.errors import AssetError
from veridical.core.hashing import content_hash


def robot_file(path: Path, packages: Mapping[str, str | Path], floating: bool) -> mujoco.MjSpec:
    """Reads a robot from MJCF or URDF.

    Args:
        path: The .xml or .urdf file.
        packages: Folder of each `package://` name.
        floating: Adds a free joint to the root body if it has no joint.

    Returns:
        The robot with its options (cone, integrator, ...), colours and meshes; the assets lie in the spec.

    Raises:
        AssetError: If a file is missing or MuJoCo cannot read it, or there is not exactly one root body
            where `floating` needs one.
    """
    spec = mjcf_or_urdf(path, packages)
    if floating:
        _set_free(path, spec)
    return spec


def mjcf_or_urdf(path: Path, packages: Mapping[str, str | Path]) -> mujoco.MjSpec:
    """Reads either format with all assets inside the spec."""
    if not path.is_file():
        raise AssetError(f"{path} does not exist; paths are relative to the scenario file")
    if path.suffix.lower() == ".urdf":
        spec = read_urdf(path, {name: Path(folder) for name, folder in packages.items()})
        bake_inertias(spec)
        return spec
    if path.suffix.lower() in (".xml", ".mjcf"):
        return read_mjcf(path)
    raise AssetError(f"{path}: cannot read '{path.suffix}' as a robot; known are .xml (MJCF) and .urdf")


def read_mjcf(path: Path) -> mujoco.MjSpec:
    """Reads an MJCF file with what it includes, and takes the files that it names into the spec."""
    try:
        spec = mujoco.MjSpec.from_file(str(path))
    except ValueError as fault:
        raise AssetError(f"{path}: MuJoCo cannot read this file: {fault}") from fault
    compiler = spec.compiler
    for mesh in spec.meshes:
        _take_in(path, spec, mesh, compiler.meshdir)
    for skin in (*spec.skins, *spec.hfields):
        _take_in(path, spec, skin, compiler.meshdir)
    for texture in spec.textures:
        _take_in(path, spec, texture, compiler.texturedir)
        if any(texture.cubefiles):
            texture.cubefiles = [
                _stored(path, spec, f, compiler.texturedir) if f else "" for f in texture.cubefiles
            ]
    compiler.meshdir = compiler.texturedir = ""
    spec.strippath = False
    try:
        bound = compiler.boundmass or compiler.boundinertia or compiler.balanceinertia
        if bound or compiler.settotalmass > 0 or compiler.inertiafromgeom == 1:
            bake_inertias(spec)
        spec.compile()
    except ValueError as fault:
        raise AssetError(f"{path}: MuJoCo cannot compile this file: {fault}") from fault
    return spec


def _take_in(path: Path, spec: mujoco.MjSpec, element: Any, folder: str) -> None:
    if element.file:
        element.file = _stored(path, spec, element.file, folder)


def _stored(path: Path, spec: mujoco.MjSpec, file: str, folder: str) -> str:
    """Takes a file's bytes into the spec; the new name tells equal contents apart from equal names."""
    name = Path(file).name if spec.strippath else file
    found = path.parent / folder / name
    if not found.is_file():
        raise AssetError(f"{path}: '{file}' does not exist; looked for {found}")
    data = found.read_bytes()
    stored = f"{found.stem}-{content_hash(data)[:12]}{found.suffix}"
    spec.assets[stored] = data
    return stored


def _set_free(path: Path, spec: mujoco.MjSpec) -> None:
    roots = spec.worldbody.bodies
    if len(roots) != 1:
        names = ", ".join(b.name for b in roots) or "none"
        raise AssetError(f"{path}: 'floating' needs exactly one root body, found: {names}")
    if not roots[0].joints:
        roots[0].add_freejoint(name=f"{roots[0].name}_free" if roots[0].name else "root_free")
