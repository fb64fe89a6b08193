"""The furnished apartment: repetition, space to move, things at rest, light."""

from functools import cache

import numpy as np
import pytest
from scipy import ndimage

from veridical.assets.categories import CATEGORIES
from veridical.scenario.schema import ApartmentWorld, Conditions
from veridical.worlds.apartment import generate
from veridical.worlds.apartment.light import mesh_area
from veridical.worlds.apartment.space import collider_solid, overlap, solid

SEEDS = (1, 2, 5)
BUILDING = {"wall", "floor", "ceiling", "door", "window", "skirting"}
LYING_FLAT = {"rug", "curtain"}
CELL = 0.04


@cache
def layout(seed):
    return generate(ApartmentWorld(), Conditions(), seed)


def _furniture(seed):
    return [p for p in layout(seed).placed if p.thing.category not in BUILDING]


def _solids(placed):
    return [collider_solid(c, placed.T_world_thing) for c in placed.thing.colliders]


def _covered(points, box, grow=0.0):
    rel = points - box.center
    u, v = rel @ box.axis, rel @ np.array([-box.axis[1], box.axis[0]])
    return (np.abs(u) <= box.half[0] + grow) & (np.abs(v) <= box.half[1] + grow)


def _free_floor(seed):
    """Grid over the apartment, free of every static collider between ankle and head."""
    out = layout(seed)
    x1, y1 = (max(r.rect[k] for r in out.rooms) for k in (2, 3))
    points = np.stack(np.meshgrid(np.arange(0, x1, CELL), np.arange(0, y1, CELL), indexing="ij"), axis=-1)
    free = np.ones(points.shape[:2], bool)
    for p in out.placed:
        for s in _solids(p) if p.thing.mass_kg is None else ():
            if s.z[0] < 1.9 and s.z[1] > 0.06:
                free &= ~_covered(points, s)
    return points, free


def test_same_seed_gives_the_same_apartment_bit_by_bit():
    first, second = layout(1), generate(ApartmentWorld(), Conditions(), 1)
    assert [p.name for p in first.placed] == [p.name for p in second.placed]
    for a, b in zip(first.placed, second.placed, strict=True):
        assert np.array_equal(a.T_world_thing, b.T_world_thing)
        assert len(a.thing.parts) == len(b.thing.parts)
        for p, q in zip(a.thing.parts, b.thing.parts, strict=True):
            assert p.finish == q.finish
            assert np.array_equal(p.mesh.vertices, q.mesh.vertices)
            assert np.array_equal(p.mesh.uv, q.mesh.uv)


def test_conditions_change_the_light_and_nothing_else():
    night = Conditions(lamps="off", daylight=0.0)
    day, dark = layout(1), generate(ApartmentWorld(), night, 1)
    for a, b in zip(day.placed, dark.placed, strict=True):
        assert a.name == b.name
        assert np.array_equal(a.T_world_thing, b.T_world_thing)
        assert [p.finish.kind for p in a.thing.parts] == [p.finish.kind for p in b.thing.parts]
    assert dark.sun is None
    assert not any(max(p.finish.emission or (0,)) > 0 for q in dark.placed for p in q.thing.parts)


def test_lamps_follow_their_intensity_and_light_every_room():
    bright = generate(ApartmentWorld(clutter=0), Conditions(lamp_intensity=2.0), 1)
    usual = generate(ApartmentWorld(clutter=0), Conditions(), 1)

    def fluxes(out):
        return {
            q.name: sum(max(p.finish.emission or (0,)) * mesh_area(p.mesh) for p in q.thing.parts)
            for q in out.placed
            if q.thing.category == "lamp"
        }

    a, b = fluxes(usual), fluxes(bright)
    assert all(b[name] == pytest.approx(2 * a[name], rel=1e-2) for name in a)
    for room in usual.rooms:
        x0, y0, x1, y1 = room.rect
        lamps = [q for q in usual.placed if q.thing.category == "lamp" and a[q.name] > 0]
        assert any(
            (p.T_world_thing[:2, 3] > (x0, y0)).all() and (p.T_world_thing[:2, 3] < (x1, y1)).all()
            for p in lamps
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_is_rich_and_named_once(seed):
    placed = layout(seed).placed
    names = [p.name for p in placed]
    assert len(set(names)) == len(names)
    assert len(_furniture(seed)) >= 60
    assert sum(len(p.mesh.faces) for q in placed for p in q.thing.parts) >= 200_000
    assert sum(p.thing.mass_kg is not None for p in placed) >= 15
    assert {p.thing.category for p in placed} <= set(CATEGORIES)
    kinds = {n.rsplit("_", 1)[0] for n in names}
    assert {
        "sofa",
        "tv",
        "bed",
        "wardrobe",
        "fridge",
        "stove",
        "sink_unit",
        "toilet",
        "dining_table",
        "chair",
    } <= kinds


def test_different_seeds_differ():
    shapes = {tuple(sorted(p.name for p in layout(s).placed)) for s in SEEDS}
    assert len(shapes) == len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_room_is_reached_through_a_corridor(seed):
    points, free = _free_floor(seed)
    wide = ndimage.distance_transform_edt(free) * CELL >= 0.35
    labels, _ = ndimage.label(wide)
    found = set()
    for room in layout(seed).rooms:
        x0, y0, x1, y1 = room.rect
        inside = (points >= (x0, y0)).all(axis=-1) & (points <= (x1, y1)).all(axis=-1) & (labels > 0)
        assert inside.any(), room.name
        found.add(int(np.bincount(labels[inside]).argmax()))
    assert len(found) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_furniture_does_not_overlap(seed):
    static = [(p, s) for p in layout(seed).placed if p.thing.mass_kg is None for s in _solids(p)]
    hits = {
        (a.name, b.name)
        for i, (a, s) in enumerate(static)
        for b, t in static[i + 1 :]
        if a is not b
        and overlap(s, t, tolerance=0.02)
        and not ({a.thing.category, b.thing.category} <= BUILDING)
    }
    assert not hits


@pytest.mark.parametrize("seed", SEEDS)
def test_loose_things_rest_just_above_something_and_touch_nothing(seed):
    placed = [p for p in layout(seed).placed if p.thing.colliders]
    solids = {p.name: _solids(p) for p in placed}
    bounds = {p.name: solid(p.thing, p.T_world_thing) for p in placed}
    for p in placed:
        if p.thing.mass_kg is None:
            continue
        foot = min(s.z[0] for s in solids[p.name])
        below = -np.inf
        for q in placed:
            if q is p:
                continue
            reach = np.hypot(*bounds[p.name].half) + np.hypot(*bounds[q.name].half) + 0.5
            if (
                q.thing.category not in BUILDING
                and np.linalg.norm(bounds[p.name].center - bounds[q.name].center) > reach
            ):
                continue
            for t in solids[q.name]:
                assert not any(overlap(s, t, tolerance=0.0) for s in solids[p.name]), (p.name, q.name)
                if _covered(bounds[p.name].center[None], t)[0] and t.z[1] <= foot + 1e-6:
                    below = max(below, t.z[1])
        assert 0 <= foot - below < 0.006, p.name


@pytest.mark.parametrize("seed", SEEDS)
def test_things_stay_inside_and_doors_stay_free(seed):
    out = layout(seed)
    x1, y1 = (max(r.rect[k] for r in out.rooms) for k in (2, 3))
    for p in _furniture(seed):
        corners = solid(p.thing, p.T_world_thing).corners()
        assert corners.min() > -0.3
        assert (corners.max(axis=0) < (x1 + 0.3, y1 + 0.3)).all()
    openings = [p for p in out.placed if p.thing.category == "door" and not p.name.endswith("_leaf")]
    for door in openings:
        gap = solid(door.thing, door.T_world_thing)
        for p in _furniture(seed):
            if p.thing.colliders:
                assert not overlap(gap, solid(p.thing, p.T_world_thing), tolerance=0.02), (door.name, p.name)


def test_windows_shine_inwards_and_let_the_sun_through():
    out = layout(1)
    windows = [p for p in out.placed if p.thing.category == "window"]
    assert len(windows) == len(out.portals) >= 4
    middle = np.mean([r.rect for r in out.rooms], axis=0).reshape(2, 2).mean(axis=0)
    for w, portal in zip(windows, out.portals, strict=True):
        shining = [p for p in w.thing.parts if p.finish.daylight]
        assert len(shining) == 1
        normal = w.T_world_thing[:3, :3] @ shining[0].mesh.normals[0]
        away = w.T_world_thing[:2, 3] - middle
        assert normal[:2] @ away < 0
        area = 4 * np.linalg.norm(portal.half_u) * np.linalg.norm(portal.half_v)
        assert area == pytest.approx(mesh_area(shining[0].mesh), rel=1e-6)
        assert w.thing.colliders


def test_meshes_are_sound():
    for p in layout(1).placed:
        for part in p.thing.parts:
            m = part.mesh
            assert m.faces.min() >= 0
            assert m.faces.max() < len(m.vertices) == len(m.normals) == len(m.uv)
            assert np.isfinite(m.vertices).all()
            assert np.isfinite(m.uv).all()
    for p in layout(1).placed:
        if p.thing.category in ("wall", "floor", "ceiling"):
            for part in p.thing.parts:
                a, b, c = (part.mesh.vertices[part.mesh.faces[:, k]] for k in range(3))
                n = np.cross(b - a, c - a)
                assert (np.sum(n * part.mesh.normals[part.mesh.faces[:, 0]], axis=1) > 0).all()
