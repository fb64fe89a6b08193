"""Readers of users' files: meshes with materials (GLB, OBJ, ...) and robots (MJCF, URDF with DAE)."""

from veridical.assets.readers.robot import robot_file
from veridical.assets.readers.scene import MeshFile, Node, read_mesh_file

__all__ = ["MeshFile", "Node", "read_mesh_file", "robot_file"]
