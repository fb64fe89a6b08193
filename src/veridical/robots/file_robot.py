"""Robots from the user's own MJCF or URDF files."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco

from veridical.assets.material import Material
from veridical.core.errors import AssetError
from veridical.core.geometry import from_rpy, matrix_to_quat
from veridical.core.hashing import file_hash
from veridical.robots.model import RobotModel
from veridical.scenario.schema import FileRobot, Pose


def build(name: str, robot: FileRobot, scenario_folder: Path) -> RobotModel:
    """Reads the file; a base that cannot move is put at the start pose, one that can gets there later.

    Raises:
        AssetError: If the file is missing, cannot be used, or holds not exactly one root body.
    """
    from veridical.assets.readers import robot_file

    packages = {package: scenario_folder / folder for package, folder in robot.packages.items()}
    try:
        spec: mujoco.MjSpec = robot_file(scenario_folder / robot.path, packages, robot.floating)
    except AssetError as error:
        raise AssetError(f"robots.{name}.path: {error}") from error
    roots = list(spec.worldbody.bodies)
    if len(roots) != 1:
        names = ", ".join(b.name for b in roots) or "none"
        msg = f"robots.{name}.path: {robot.path} has {len(roots)} root bodies ({names}); a robot needs one"
        raise AssetError(msg)
    base = roots[0]
    warnings: list[str] = []
    free = any(j.type == mujoco.mjtJoint.mjJNT_FREE for j in base.joints)
    if not free:
        _put(base, robot, warnings)
    _keep_awake(base)
    base.name = base.name or "base"
    licence = {
        "name": name,
        "source": robot.path,
        "spdx": "unknown",
        "sha256": file_hash(scenario_folder / robot.path),
    }
    return RobotModel(spec, base.name, _materials(spec), base.name, (licence,), tuple(warnings))


def _keep_awake(body: mujoco.MjsBody) -> None:
    """Moves at once when commanded; MuJoCo takes this policy on the first movable body of a tree only."""
    if body.joints:
        body.sleep = mujoco.mjtSleepPolicy.mjSLEEP_NEVER
        return
    for child in body.bodies:
        _keep_awake(child)


def _materials(spec: mujoco.MjSpec) -> dict[str, Material]:
    """Colours as the file gives them; textures stay with the GL renderer."""
    found = {}
    for material in spec.materials:
        r, g, b = (float(c) ** 2.2 for c in material.rgba[:3])
        found[material.name] = Material(material.name, base_color=(r, g, b), roughness=0.5)
    return found


def _put(base: mujoco.MjsBody, robot: FileRobot, warnings: list[str]) -> None:
    if not isinstance(robot.start, Pose):
        warnings.append("start 'auto': the robot's base is fixed, it stands where its file puts it")
        return
    base.pos = list(robot.start.position)
    base.quat = matrix_to_quat(from_rpy([math.radians(a) for a in robot.start.rpy_deg])).tolist()
