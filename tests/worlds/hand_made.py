"""Small worlds made by hand."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import trimesh

from veridical.assets.material import Material
from veridical.assets.surfaces import Surface
from veridical.assets.thing import Collider, Finish, Mesh, Part, Placed, Thing
from veridical.core.geometry import Array, from_rpy, transform
from veridical.worlds.layout import Layout, Room

OAK, RED, LAMP = Finish("test_oak"), Finish("test_red"), Finish("test_lamp")


def at(x: float, y: float, z: float, yaw: float = 0.0) -> Array:
    return transform(from_rpy([0, 0, yaw]), [x, y, z])


def box_part(half: tuple[float, float, float], center: tuple[float, float, float], finish: Finish) -> Part:
    mesh = trimesh.creation.box(2 * np.array(half))
    mesh.apply_translation(center)
    mesh.unmerge_vertices()
    vertices = np.array(mesh.vertices)
    faces, normals = np.array(mesh.faces, np.int32), np.array(mesh.vertex_normals)
    return Part(Mesh(vertices, faces, normals, vertices[:, :2].copy()), finish)


def block(category: str, half: tuple[float, float, float], mass_kg: float | None = None) -> Thing:
    center = (0.0, 0.0, half[2])
    part = box_part(half, center, OAK)
    size = tuple(2 * h for h in half)
    return Thing(category, (part,), (Collider("box", half, at(*center)),), size, mass_kg=mass_kg)


def ball(radius: float, mass_kg: float) -> Thing:
    sphere = trimesh.creation.icosphere(subdivisions=2, radius=radius)
    sphere.apply_translation([0, 0, radius])
    vertices = np.array(sphere.vertices)
    mesh = Mesh(vertices, np.array(sphere.faces, np.int32), np.array(sphere.vertex_normals), vertices[:, :2])
    size = (2 * radius,) * 3
    collider = Collider("sphere", (radius,), at(0, 0, radius))
    return Thing("toy", (Part(mesh, RED),), (collider,), size, mass_kg=mass_kg)


def surfaces(folder: Path) -> dict[Finish, Surface]:
    oak = folder / "oak.png"
    cv2.imwrite(str(oak), np.random.default_rng(0).integers(0, 255, (32, 32, 3), np.uint8))
    return {
        OAK: Surface(Material("oak", albedo="oak.png", roughness=0.4), 0.5, {"oak.png": oak}),
        RED: Surface(Material("red", base_color=(0.8, 0.1, 0.1)), 1.0, {}),
        LAMP: Surface(Material("lamp", emission=(3.0, 3.0, 3.0), lamp=True), 1.0, {}),
    }


def two_rooms(folder: Path) -> Layout:
    """Two rooms of 3 x 4 m behind each other in x, a door of 0.9 m at y = 0, a table with a cup, a ball."""
    floor = Thing(
        "floor",
        (box_part((3.1, 2.1, 0.1), (0, 0, -0.1), OAK),),
        (Collider("box", (3.1, 2.1, 0.1), at(0, 0, -0.1)),),
        (6.2, 4.2, 0.2),
    )
    walls = [
        ("wall_left", (0.05, 0.775, 1.25), (0.0, 1.225)),
        ("wall_right", (0.05, 0.775, 1.25), (0.0, -1.225)),
        ("wall_north", (3.05, 0.05, 1.25), (0.0, 2.05)),
        ("wall_south", (3.05, 0.05, 1.25), (0.0, -2.05)),
        ("wall_west", (0.05, 2.0, 1.25), (-3.05, 0.0)),
        ("wall_east", (0.05, 2.0, 1.25), (3.05, 0.0)),
    ]
    placed = [Placed("floor", floor, np.eye(4))]
    placed += [Placed(name, block("wall", half), at(*xy, 0)) for name, half, xy in walls]
    placed += [
        Placed("table_0", block("table", (0.4, 0.3, 0.35)), at(1.5, 1.0, 0, 0.3)),
        Placed("cup_0", block("cup", (0.04, 0.04, 0.05), mass_kg=0.25), at(1.5, 1.0, 0.7)),
        Placed("ball_0", ball(0.1, 0.4), at(-1.5, 1.0, 0.0)),
    ]
    rooms = (Room("west", (-3.0, -2.0, -0.05, 2.0), 2.5), Room("east", (0.05, -2.0, 3.0, 2.0), 2.5))
    return Layout(tuple(placed), rooms, None, None, (), 1.0, surfaces=surfaces(folder))
