"""Floor plans: areas, walls that fill the gaps, openings that can be passed."""

import numpy as np
import pytest

from veridical.core.random import rng
from veridical.scenario.schema import ApartmentWorld
from veridical.worlds.apartment.openings import draw_plan
from veridical.worlds.apartment.plan import SIDES
from veridical.worlds.apartment.shell import cut

SEEDS = range(12)


def _area(rect):
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def _plan(seed, **world):
    return draw_plan(ApartmentWorld(**world), rng(seed, "plan"))


@pytest.mark.parametrize("rooms", range(1, 9))
def test_has_the_wanted_number_of_rooms_and_area(rooms):
    plan = _plan(3, rooms=rooms, area_m2=18.0 * rooms)
    assert len(plan.rooms) == rooms
    assert sum(_area(r.rect) for r in plan.rooms) == pytest.approx(18.0 * rooms, rel=0.06)
    assert len({r.name for r in plan.rooms}) == rooms


@pytest.mark.parametrize("seed", SEEDS)
def test_rooms_and_walls_tile_the_footprint_without_overlap(seed):
    plan = _plan(seed)
    rects = [r.rect for r in plan.rooms] + [w.rect for w in plan.walls]
    x0, y0 = (min(r[k] for r in rects) for k in (0, 1))
    x1, y1 = (max(r[k] for r in rects) for k in (2, 3))
    assert sum(_area(r) for r in rects) == pytest.approx((x1 - x0) * (y1 - y0), rel=1e-9)
    for i, a in enumerate(rects):
        for b in rects[i + 1 :]:
            common = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
            assert min(common) < 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_every_room_is_connected_and_every_opening_is_wide(seed):
    plan = _plan(seed)
    group = list(range(len(plan.rooms)))
    for hole in plan.openings:
        if hole.kind in ("door", "passage"):
            assert hole.width >= 0.93
            a, b = hole.rooms
            group = [group[a] if g == group[b] else g for g in group]
    assert len(set(group)) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_living_rooms_have_windows_and_openings_do_not_meet(seed):
    plan = _plan(seed)
    lit = {r for o in plan.openings if o.kind == "window" for r in o.rooms}
    assert all(i in lit for i, k in enumerate(plan.kinds) if k not in ("hall", "bathroom"))
    for i, a in enumerate(plan.openings):
        low, high = plan.walls[a.wall].along
        assert low < a.start < a.end < high
        for b in plan.openings[i + 1 :]:
            assert a.wall != b.wall or min(a.end, b.end) - max(a.start, b.start) < 0


def test_each_side_of_a_room_has_one_wall_face_to_face():
    plan = _plan(1)
    for i, room in enumerate(plan.rooms):
        for side, k in zip(SIDES, (1, 3, 0, 2), strict=True):
            assert room.rect[k] in plan.walls[plan.wall_of(i, side)].across


@pytest.mark.parametrize("seed", range(4))
def test_cut_wall_faces_cover_exactly_what_the_openings_leave(seed):
    plan = _plan(seed)
    for w, wall in enumerate(plan.walls):
        holes = [o for o in plan.openings if o.wall == w]
        pieces = cut(wall.along, (0.0, 2.5), holes)
        covered = sum((a1 - a0) * (z1 - z0) for (a0, a1), (z0, z1) in pieces)
        open_area = sum(h.width * (h.top - h.bottom) for h in holes)
        assert covered + open_area == pytest.approx((wall.along[1] - wall.along[0]) * 2.5)
        for (a0, a1), (z0, z1) in pieces:
            a, z = (a0 + a1) / 2, (z0 + z1) / 2
            assert not any(h.start < a < h.end and h.bottom < z < h.top for h in holes)


def test_other_seeds_give_other_plans():
    plans = [_plan(s) for s in range(6)]
    assert len({tuple(np.round([r.rect for r in p.rooms], 3).ravel()) for p in plans}) == 6
