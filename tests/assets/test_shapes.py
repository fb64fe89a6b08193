"""Shapes: closed, outward, smooth where they should be, textured in metres, and of the size asked for."""

from __future__ import annotations

import numpy as np
import pytest

from veridical.assets import shapes
from veridical.assets.thing import Mesh


def volume(mesh: Mesh) -> float:
    """Signed volume by the divergence theorem; positive if the faces wind outwards."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def open_edges(mesh: Mesh) -> int:
    """Edges, by position, without a partner that runs the other way; 0 for a closed surface."""
    _, place = np.unique(np.round(mesh.vertices, 6), axis=0, return_inverse=True)
    tri = place.reshape(-1)[mesh.faces]
    edges = np.concatenate([tri[:, [0, 1]], tri[:, [1, 2]], tri[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    key = {}
    for a, b in edges.tolist():
        key[a, b] = key.get((a, b), 0) + 1
    return sum(abs(n - key.get((b, a), 0)) for (a, b), n in key.items())


def closed_shapes() -> dict[str, Mesh]:
    rng = np.random.default_rng(3)
    return {
        "box": shapes.box((0.4, 0.3, 0.2), bevel=0.01, segments=2),
        "divided box": shapes.box((0.4, 0.3, 0.2), (1, 2, 3), 0.02, 1, divisions=(3, 2, 4)),
        "cushion": shapes.cushion((0.6, 0.7, 0.2), rng),
        "pillow": shapes.pillow((0.5, 0.4, 0.15), rng),
        "sphere": shapes.sphere(0.1),
        "cylinder": shapes.cylinder(0.1, 0.3),
        "cup": shapes.lathe([(0, 0), (0.04, 0), (0.05, 0.1), (0.047, 0.1), (0.037, 0.004), (0, 0.004)]),
        "leg": shapes.leg((0.05, 0.02, 0), (0, 0, 0.7), 0.02, 0.05),
        "tube": shapes.tube([(0, 0, 0), (0.1, 0, 0.1), (0.2, 0.1, 0.1)], 0.01),
        "extrusion": shapes.extrude(shapes.rounded_rect(0.4, 0.3, 0.05), 0.03),
        "loft": shapes.loft([(shapes.ellipse(0.3, 0.2), 0.0), (shapes.ellipse(0.4, 0.3), 0.2)]),
        "frame": shapes.frame(0.5, 0.4, [(0, 0), (0.03, 0), (0.03, 0.02), (0, 0.02)]),
    }


@pytest.mark.parametrize("name", closed_shapes())
def test_solids_are_closed_and_face_outwards(name: str) -> None:
    mesh = closed_shapes()[name]
    assert open_edges(mesh) == 0
    assert volume(mesh) > 0
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-9)
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    agree = np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.faces].mean(axis=1))
    assert np.mean(agree > 0) > 0.99


def test_volumes_are_those_of_geometry() -> None:
    assert volume(shapes.box((0.4, 0.3, 0.2), bevel=0.001)) == pytest.approx(0.024, rel=0.002)
    assert volume(shapes.sphere(0.1, rings=40, sides=60)) == pytest.approx(4 / 3 * np.pi * 1e-3, rel=0.01)
    assert volume(shapes.cylinder(0.1, 0.3, bevel=0.0005, sides=90)) == pytest.approx(np.pi * 0.003, rel=0.01)
    straight = shapes.tube(np.linspace((0, 0, 0), (0, 0, 1), 5), 0.02, 60)
    assert volume(straight) == pytest.approx(np.pi * 0.02**2, rel=0.02)
    mitred = shapes.frame(0.5, 0.4, [(0, 0), (0.03, 0), (0.03, 0.02), (0, 0.02)])
    assert volume(mitred) == pytest.approx((0.56 * 0.46 - 0.5 * 0.4) * 0.02)


def test_boxes_have_exactly_their_size_and_rounded_edges() -> None:
    mesh = shapes.box((0.4, 0.3, 0.2), (1, 2, 3), bevel=0.02, segments=3)
    low, high = shapes.bounds(mesh)
    assert np.allclose(low, [0.8, 1.85, 2.9])
    assert np.allclose(high, [1.2, 2.15, 3.1])
    inner = np.clip(mesh.vertices - [1, 2, 3], np.array([-0.18, -0.13, -0.08]), np.array([0.18, 0.13, 0.08]))
    assert np.allclose(np.linalg.norm(mesh.vertices - [1, 2, 3] - inner, axis=1), 0.02)


@pytest.mark.parametrize("grain", [0, 1, 2])
def test_texture_of_a_box_is_metric_and_its_fibre_runs_along_v(grain: int) -> None:
    mesh = shapes.box((0.5, 0.4, 0.3), bevel=0.002, grain=grain)
    a, b = mesh.faces[:, [0, 1, 2]].reshape(-1), mesh.faces[:, [1, 2, 0]].reshape(-1)
    space = mesh.vertices[b] - mesh.vertices[a]
    cloth = mesh.uv[b] - mesh.uv[a]
    long = np.linalg.norm(space, axis=1) > 0.1
    assert np.allclose(np.linalg.norm(space[long], axis=1), np.linalg.norm(cloth[long], axis=1), rtol=0.05)
    along = long & (np.abs(space[:, grain]) > 0.99 * np.linalg.norm(space, axis=1))
    assert along.sum() > 0
    assert np.allclose(np.abs(cloth[along, 1]), np.abs(space[along, grain]), rtol=0.02)


def test_cushions_stay_in_their_box() -> None:
    for seed in range(5):
        mesh = shapes.cushion((0.6, 0.7, 0.2), np.random.default_rng(seed), (0, 0, 0.1))
        low, high = shapes.bounds(mesh)
        assert np.all(low >= np.array([-0.3, -0.35, 0.0]) - 1e-9)
        assert np.all(high <= np.array([0.3, 0.35, 0.2]) + 1e-9)


def test_lathe_keeps_flat_rims_flat_and_round_walls_smooth() -> None:
    mesh = shapes.lathe([(0, 0), (0.1, 0), (0.1, 0.2), (0, 0.2)], sides=40)
    top = np.isclose(mesh.normals[:, 2], 1)
    wall = np.isclose(np.linalg.norm(mesh.normals[:, :2], axis=1), 1)
    assert top.sum() == 2 * 41
    assert wall.sum() == 2 * 41
    outward = mesh.vertices[wall, :2] / 0.1
    assert np.allclose(mesh.normals[wall, :2], outward)


def test_a_panel_shows_its_picture_upright_to_a_viewer_in_front() -> None:
    mesh = shapes.panel(2.0, 1.0, (1.0, 1.0))
    assert np.allclose(mesh.normals, [1, 0, 0])
    right_top = np.argmax(mesh.vertices[:, 1] + mesh.vertices[:, 2])
    assert np.allclose(mesh.uv[right_top], [1, 1])  # looking along -x with z up, right is +y


def test_fillet_rounds_corners_but_keeps_ends() -> None:
    path = shapes.fillet([(0, 0), (1, 0), (1, 1)], 0.1, 6)
    assert np.allclose(path[0], [0, 0])
    assert np.allclose(path[-1], [1, 1])
    assert np.min(np.linalg.norm(path - [1, 0], axis=1)) > 0.02


def test_deforming_and_moving_keep_normals_right() -> None:
    ball = shapes.deform(shapes.sphere(0.1, rings=24, sides=40), lambda v: v)
    cosine = np.einsum("ij,ij->i", ball.normals, ball.vertices / 0.1)
    assert cosine.min() > 0.99
    tall = shapes.stretch(shapes.sphere(1.0), (1, 1, 2))
    gradient = tall.vertices / np.array([1, 1, 4])
    gradient /= np.linalg.norm(gradient, axis=1, keepdims=True)
    assert np.allclose(tall.normals, gradient, atol=1e-6)
    turned = shapes.turn(shapes.sphere(0.1), (0.3, 0.2, 0.1), (1, 2, 3))
    assert np.allclose((turned.vertices - [1, 2, 3]) / 0.1, turned.normals, atol=1e-9)


def test_ripples_are_smooth_and_bounded() -> None:
    ripple = shapes.Ripple(np.random.default_rng(0), 0.5, 0.01)
    points = np.random.default_rng(1).uniform(-2, 2, (5000, 3))
    values = ripple(points)
    assert np.abs(values).max() <= 0.01
    assert np.abs(values).max() > 0.004
    near = ripple(points + np.array([1e-4, 0, 0]))
    assert np.abs(near - values).max() < 1e-4
