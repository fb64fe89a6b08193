"""Furniture: every kind builds, differs by seed, repeats by seed, stands on the floor, and rests."""

from __future__ import annotations

from functools import cache

import mujoco
import numpy as np
import pytest

from veridical.assets.categories import CATEGORIES
from veridical.assets.furniture import CATALOGUE, SMALL, build
from veridical.assets.surfaces import SURFACES
from veridical.assets.thing import Thing
from veridical.core.errors import AssetError
from veridical.core.geometry import matrix_to_quat

SEEDS = range(5)
LARGE = {"plant", "bookshelf"}
UNTOUCHED = {"rug", "curtain", "picture", "mirror", "clock", "towel_rail", "coat_rack"}
ROLLING = {"ball", "fruit"}


@cache
def things(kind: str) -> tuple[Thing, ...]:
    return tuple(build(kind, np.random.default_rng(seed)) for seed in SEEDS)


@pytest.mark.parametrize("kind", CATALOGUE)
def test_meshes_are_sound(kind: str) -> None:
    for thing in things(kind):
        triangles = 0
        for part in thing.parts:
            mesh = part.mesh
            triangles += len(mesh.faces)
            assert part.finish.kind in SURFACES
            assert len(mesh.vertices) == len(mesh.normals) == len(mesh.uv)
            assert mesh.faces.min() >= 0
            assert mesh.faces.max() < len(mesh.vertices)
            assert np.isfinite(mesh.vertices).all()
            assert np.isfinite(mesh.uv).all()
            assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)
        assert triangles <= (25_000 if kind in LARGE else 16_000)


@pytest.mark.parametrize("kind", CATALOGUE)
def test_bounding_box_is_centred_on_the_floor_and_holds_everything(kind: str) -> None:
    for thing in things(kind):
        points = np.concatenate([p.mesh.vertices for p in thing.parts])
        half = np.array(thing.size) / 2
        assert np.allclose(points.min(axis=0), [-half[0], -half[1], 0], atol=1e-9)
        assert np.allclose(points.max(axis=0), [half[0], half[1], thing.size[2]], atol=1e-9)
        for collider in thing.colliders:
            low, high = reach(collider.kind, collider.size, collider.T_thing_collider)
            assert np.all(low >= points.min(axis=0) - 0.025), (low, thing.size)
            assert np.all(high <= points.max(axis=0) + 0.025), (high, thing.size)
        for top in thing.tops:
            assert abs(top.center[0]) + top.half_x <= half[0]
            assert abs(top.center[1]) + top.half_y <= half[1]
            assert 0 < top.center[2] <= thing.size[2] + 1e-6
            assert min(top.half_x, top.half_y, top.headroom) > 0


def reach(kind: str, size: tuple[float, ...], T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    half = {"box": size, "cylinder": (size[0], size[0], size[-1]), "sphere": (size[0],) * 3}[kind]
    extent = np.abs(T[:3, :3]) @ np.array(half)
    return T[:3, 3] - extent, T[:3, 3] + extent


@pytest.mark.parametrize("kind", CATALOGUE)
def test_equal_seeds_give_equal_things_and_others_differ(kind: str) -> None:
    again = build(kind, np.random.default_rng(0))
    first, *others = things(kind)
    for a, b in zip(first.parts, again.parts, strict=True):
        assert a.finish == b.finish
        assert np.array_equal(a.mesh.vertices, b.mesh.vertices)
        assert np.array_equal(a.mesh.uv, b.mesh.uv)
    assert len({looks(t) for t in (first, *others)}) > 1


def looks(thing: Thing) -> tuple[object, ...]:
    return (thing.size, *((p.finish, len(p.mesh.faces), float(p.mesh.uv.sum())) for p in thing.parts))


@pytest.mark.parametrize("kind", CATALOGUE)
def test_categories_colliders_and_masses(kind: str) -> None:
    for thing in things(kind):
        assert thing.category in CATEGORIES
        assert (thing.mass_kg is not None) == (kind in SMALL)
        assert bool(thing.colliders) != (kind in UNTOUCHED)
        if thing.mass_kg is not None:
            assert 0.02 < thing.mass_kg < 15


def test_lamps_shine_with_few_outward_triangles() -> None:
    for kind in ("floor_lamp", "table_lamp", "pendant_lamp", "ceiling_lamp"):
        for thing in things(kind):
            assert thing.category == "lamp"
            shining = [p for p in thing.parts if p.finish.emission is not None]
            assert shining
            assert sum(len(p.mesh.faces) for p in shining) <= 100
            for part in shining:
                assert part.mesh.uv.min() >= 0
                assert part.mesh.uv.max() <= 1


def test_prints_span_their_picture_once() -> None:
    for kind in ("picture", "monitor", "can", "bookshelf"):
        for thing in things(kind):
            for part in thing.parts:
                if SURFACES[part.finish.kind].whole_print:
                    assert part.mesh.uv.min() >= -1e-6
                    assert part.mesh.uv.max() <= 1 + 1e-6


def test_a_flier_fits_under_a_table() -> None:
    for thing in things("dining_table"):
        for collider in thing.colliders:
            low, high = reach(collider.kind, collider.size, collider.T_thing_collider)
            clear_middle = max(low[0], -high[0]) > 0.1 or max(low[1], -high[1]) > 0.1 or low[2] > 0.6
            round_foot = high[0] - low[0] < 0.75 and len(thing.colliders) == 3
            assert clear_middle or round_foot


def test_one_style_makes_a_kitchen_match() -> None:
    def fronts(kind: str) -> set[object]:
        thing = build(kind, np.random.default_rng(hash_free(kind)), style=4)
        return {p.finish for p in thing.parts}

    shared = fronts("kitchen_base") & fronts("kitchen_wall") & fronts("sink_unit")
    assert shared


def hash_free(kind: str) -> int:
    return sum(map(ord, kind))


def test_options_set_dimensions() -> None:
    assert build("sofa", np.random.default_rng(0), width=2.0).size[1] == pytest.approx(2.0, abs=0.05)
    assert build("curtain", np.random.default_rng(0), height=2.2).size[2] == pytest.approx(2.2, abs=0.02)
    assert build("kitchen_base", np.random.default_rng(0), width=0.4).size[1] == pytest.approx(0.4, abs=0.005)
    assert build("wardrobe", np.random.default_rng(0), width=1.5).size[1] == pytest.approx(1.5, abs=0.05)


def test_unknown_kinds_and_options_say_what_is_known() -> None:
    with pytest.raises(AssetError, match="Did you mean 'sofa'"):
        build("soffa", np.random.default_rng(0))
    with pytest.raises(AssetError, match=r"no option 'widht'.*Did you mean 'width'"):
        build("sofa", np.random.default_rng(0), widht=2.0)


def bulk(kind: str, size: tuple[float, ...]) -> float:
    """Volume of a collider, by which the mass is spread."""
    if kind == "box":
        return 8 * size[0] * size[1] * size[2]
    return np.pi * size[0] ** 2 * 2 * size[1] if kind == "cylinder" else 4 / 3 * np.pi * size[0] ** 3


def scene(seed: int) -> tuple[mujoco.MjModel, dict[str, int]]:
    """All light kinds side by side on a plane, a hair above it."""
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.002
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    types = {
        "box": mujoco.mjtGeom.mjGEOM_BOX,
        "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
        "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    }
    for i, kind in enumerate(SMALL):
        thing = things(kind)[seed]
        room = [bulk(c.kind, c.size) for c in thing.colliders]
        body = spec.worldbody.add_body(name=kind, pos=[(i % 6) * 1.2, (i // 6) * 1.2, 0.0005])
        body.add_freejoint()
        for c, volume in zip(thing.colliders, room, strict=True):
            body.add_geom(
                type=types[c.kind],
                size=[*c.size, *[0.0] * (3 - len(c.size))],
                pos=c.T_thing_collider[:3, 3],
                quat=matrix_to_quat(c.T_thing_collider[:3, :3]),
                mass=(thing.mass_kg or 1) * volume / sum(room),
            )
    model = spec.compile()
    return model, {kind: model.body(kind).id for kind in SMALL}


@pytest.mark.parametrize("seed", SEEDS)
def test_light_things_rest_where_they_are_put(seed: int) -> None:
    model, bodies = scene(seed)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    before = data.xpos.copy()
    for _ in range(500):
        mujoco.mj_step(model, data)
    for kind, body in bodies.items():
        if kind in ROLLING:
            continue
        moved = float(np.linalg.norm(data.xpos[body] - before[body]))
        tilt = float(np.degrees(np.arccos(np.clip(data.xmat[body, 8], -1, 1))))
        assert moved < 0.005, f"{kind} moved {moved * 1000:.1f} mm"
        assert tilt < 2.0, f"{kind} tipped by {tilt:.1f} degrees"


@pytest.mark.parametrize("kind", SMALL)
def test_lowest_collider_touches_the_floor(kind: str) -> None:
    for thing in things(kind):
        lowest = min(reach(c.kind, c.size, c.T_thing_collider)[0][2] for c in thing.colliders)
        assert abs(lowest) < 1e-3
