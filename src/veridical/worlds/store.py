"""The world folder: everything of a composed world on disk, complete or absent.

scene.zip        standalone MJCF with its meshes and textures; plain MuJoCo loads and steps it
look.json        materials, sky, sun, portals, exposure
instances.json   the label table
free_space.npz   navigable space
textures/        every texture that look.json names
world.json       robots, warnings, licences, versions
"""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from veridical.assets.engine import TEXTURE_FOLDER
from veridical.assets.material import Material
from veridical.assets.msh import msh_bytes
from veridical.core.errors import DataError
from veridical.core.files import read_json, temporary_sibling, write_json
from veridical.core.hashing import content_hash
from veridical.worlds.finishes import texture_files
from veridical.worlds.world import FreeSpace, Instance, Look, RobotPart, Sun, SunPortal, World

_VERSION = 2
_FULL_PRECISION = 17


def save_world(
    folder: Path,
    spec: mujoco.MjSpec,
    look: Look,
    instances: tuple[Instance, ...],
    free_space: FreeSpace,
    robots: tuple[RobotPart, ...],
    texture_files: Mapping[str, Path | bytes],
    warnings: tuple[str, ...],
    licences: tuple[dict[str, Any], ...],
) -> None:
    """Writes the world folder under a temporary name and renames it when it is complete.

    Raises:
        DataError: If the folder exists.
    """
    refuse_existing(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = temporary_sibling(folder)
    (partial / TEXTURE_FOLDER).mkdir(parents=True)
    try:
        write_scene(partial / "scene.zip", spec)
        for name in sorted(_texture_names(look)):
            _store_texture(texture_files[name], partial / TEXTURE_FOLDER / name)
        write_json(partial / "look.json", asdict(look))
        write_json(partial / "instances.json", [asdict(i) for i in instances])
        np.savez_compressed(partial / "free_space.npz", **_free_space_arrays(free_space))  # type: ignore[arg-type]
        write_json(
            partial / "world.json",
            {
                "version": _VERSION,
                "mujoco": mujoco.__version__,
                "robots": [asdict(r) for r in robots],
                "warnings": list(warnings),
                "licences": list(licences),
            },
        )
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def refuse_existing(folder: Path) -> None:
    """Raises DataError if the folder is there, before any work is done for it."""
    if folder.exists():
        raise DataError(f"{folder} exists already; give another folder or remove it")


def read_world(world_folder: Path) -> World:
    """See `veridical.worlds.load_world`."""
    folder = Path(world_folder)
    try:
        about = read_json(folder / "world.json")
        look = _look(read_json(folder / "look.json"))
        instances = tuple(Instance(**i) for i in read_json(folder / "instances.json"))
        with np.load(folder / "free_space.npz") as arrays:
            free_space = _free_space(arrays)
        model = mujoco.MjSpec.from_zip(str(folder / "scene.zip")).compile()
    except (FileNotFoundError, KeyError, TypeError) as fault:
        raise DataError(
            f"{folder} is not a complete world folder ({fault}); compose the world again"
        ) from fault
    if about["version"] != _VERSION:
        raise DataError(f"{folder} has version {about['version']}, but this program reads {_VERSION}")
    return World(
        model=model,
        look=look,
        instances=instances,
        free_space=free_space,
        robots=tuple(RobotPart(**r) for r in about["robots"]),
        textures=folder / TEXTURE_FOLDER,
        warnings=tuple(about["warnings"]),
        licences=tuple(about["licences"]),
    )


def write_scene(path: Path, spec: mujoco.MjSpec) -> None:
    """Writes the spec with all its assets as one zip that `MjSpec.from_zip` reads, numbers in full."""
    _move_meshes_to_files(spec)
    with _full_precision():
        spec.to_zip(str(path))


def _move_meshes_to_files(spec: mujoco.MjSpec) -> None:
    """Meshes held as numbers inside the spec become binary files; as text they would be large and slow."""
    for mesh in spec.meshes:
        n = len(mesh.uservert) // 3
        if n == 0 or not len(mesh.userface) or mesh.userfacenormal or mesh.userfacetexcoord:
            continue
        vertices, faces = np.reshape(mesh.uservert, (n, 3)), np.reshape(mesh.userface, (-1, 3))
        normals = np.reshape(mesh.usernormal, (n, 3)) if len(mesh.usernormal) == 3 * n else None
        uv = (
            np.reshape(mesh.usertexcoord, (n, 2)) * [1, -1] + [0, 1]
            if len(mesh.usertexcoord) == 2 * n
            else None
        )
        data = msh_bytes(vertices, faces, normals, uv)
        file = f"meshes/{content_hash(data)[:16]}.msh"
        spec.assets[file] = data
        mesh.file = file
        mesh.uservert, mesh.userface, mesh.usernormal, mesh.usertexcoord = [], [], [], []


@contextmanager
def _full_precision() -> Iterator[None]:
    """MuJoCo writes six digits, so 1/240 s would drift from the clock; this makes it write all of them.

    The switch exists since MuJoCo 2.1 for dm_control, which relies on it, but has no Python binding.
    """
    package = Path(mujoco.__file__).parent
    library = ctypes.CDLL(
        str(next(p for p in package.iterdir() if p.name.startswith(("libmujoco", "mujoco.dll"))))
    )
    before = library._mjPRIVATE__get_xml_precision()
    library._mjPRIVATE__set_xml_precision(_FULL_PRECISION)
    try:
        yield
    finally:
        library._mjPRIVATE__set_xml_precision(before)


def _store_texture(source: Path | bytes, target: Path) -> None:
    if isinstance(source, bytes):
        target.write_bytes(source)
        return
    try:
        target.hardlink_to(source)  # 200 MB a world otherwise; files of the cache are never changed in place
    except OSError:
        shutil.copyfile(source, target)


def _texture_names(look: Look) -> set[str]:
    return {name for material in look.materials.values() for name in texture_files(material)}


def _look(value: dict[str, Any]) -> Look:
    sun, sky = value["sun"], value["sky"]
    return Look(
        materials={name: Material(**_tuples(m)) for name, m in value["materials"].items()},
        sky=None if sky is None else tuple(sky),
        sun=None if sun is None else Sun(**_tuples(sun)),
        portals=tuple(SunPortal(**_tuples(p)) for p in value["portals"]),
        exposure=value["exposure"],
    )


def _tuples(value: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in value.items()}


def _free_space_arrays(space: FreeSpace) -> dict[str, np.ndarray]:
    return {
        "origin": np.array(space.origin),
        "cell_m": np.array(space.cell_m),
        "z_m": space.z_m,
        "distance_m": space.distance_m,
        "room": space.room,
        "room_names": np.array(space.room_names, dtype=np.str_),
    }


def _free_space(arrays: Mapping[str, np.ndarray]) -> FreeSpace:
    x, y = arrays["origin"]
    return FreeSpace(
        origin=(float(x), float(y)),
        cell_m=float(arrays["cell_m"]),
        z_m=arrays["z_m"],
        distance_m=arrays["distance_m"],
        room=arrays["room"],
        room_names=tuple(str(n) for n in arrays["room_names"]),
    )
