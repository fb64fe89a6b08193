from __future__ import annotations

import numpy as np
import pytest

from veridical.core.errors import ScenarioError
from veridical.scenario import Scenario, altered, loads
from veridical.worlds import compose
from veridical.worlds.changes import changed
from veridical.worlds.composition import layout_of
from veridical.worlds.layout import Layout

TEXT = """
seed: 3
world: {kind: apartment, rooms: 2, area_m2: 36}
robots: {scout: {kind: flyer}}
"""


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return loads(TEXT)


@pytest.fixture(scope="module")
def layout(scenario: Scenario) -> Layout:
    return layout_of(scenario)


def names(layout: Layout) -> list[str]:
    return [p.name for p in layout.placed]


def of_category(layout: Layout, category: str) -> list[str]:
    return [p.name for p in layout.placed if p.thing.category == category]


def thing(layout: Layout, name: str):
    return next(p.thing for p in layout.placed if p.name == name)


def test_nothing_asked_is_nothing_changed(layout: Layout, scenario: Scenario) -> None:
    after = changed(layout, scenario)
    assert all(a is b for a, b in zip(after.placed, layout.placed, strict=True))
    assert (after.sun, after.sky, after.portals) == (layout.sun, layout.sky, layout.portals)


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("chair", lambda p: p.thing.category == "chair"),
        ("ceiling_lamp_*", lambda p: p.name.startswith("ceiling_lamp_")),
        ("movable", lambda p: p.thing.mass_kg is not None),
        ("chair_0", lambda p: p.name == "chair_0"),
    ],
)
def test_a_pattern_removes_what_it_means_and_nothing_else(layout, scenario, pattern, meant) -> None:
    after = changed(layout, altered(scenario, [f"objects.{pattern}=removed"]))
    assert any(meant(p) for p in layout.placed)
    assert names(after) == [p.name for p in layout.placed if not meant(p)]


def test_a_hidden_thing_is_touched_but_not_seen(layout, scenario) -> None:
    after = changed(layout, altered(scenario, ["objects.chair_0=hidden"]))
    assert thing(after, "chair_0").parts == ()
    assert thing(after, "chair_0").colliders is thing(layout, "chair_0").colliders


def test_mass_friction_and_physics(layout, scenario) -> None:
    movable = next(p for p in layout.placed if p.thing.mass_kg is not None)
    keys = [f"objects.{movable.name}={{mass_kg: 7, friction: 0.1}}", "objects.chair_0.mass_kg=4"]
    after = changed(layout, altered(scenario, keys))
    assert (thing(after, movable.name).mass_kg, thing(after, movable.name).friction) == (7, 0.1)
    assert thing(after, "chair_0").mass_kg == 4
    still = changed(layout, altered(scenario, ["objects.movable.physics=off"]))
    assert all(p.thing.mass_kg is None for p in still.placed)
    assert names(still) == names(layout)


def test_a_lamp_is_switched_dimmed_and_coloured(layout, scenario) -> None:
    lamp = of_category(layout, "lamp")[0]
    before = next(p.finish.emission for p in thing(layout, lamp).parts if p.finish.emission)

    def glow(text: str) -> np.ndarray:
        after = changed(layout, altered(scenario, [f"lights.{lamp}={text}"]))
        return np.array(next(p.finish.glow for p in thing(after, lamp).parts if p.finish.emission))

    luminance = np.array([0.2126, 0.7152, 0.0722])
    np.testing.assert_array_equal(glow("off"), 0)
    np.testing.assert_allclose(glow("{intensity: 0.5}"), np.array(before) / 2)
    red = glow("{color: [1, 0, 0]}")
    np.testing.assert_allclose(red[1:], 0)
    np.testing.assert_allclose(red @ luminance, np.array(before) @ luminance)


def test_the_sun_is_put_out(layout, scenario) -> None:
    assert layout.sun is not None
    assert changed(layout, altered(scenario, ["lights.sun=off"])).sun is None
    half = changed(layout, altered(scenario, ["lights.sun.intensity=0.5"])).sun
    np.testing.assert_allclose(half.irradiance, np.array(layout.sun.irradiance) / 2)


def test_a_wall_is_repainted_with_its_pattern_kept(layout, scenario) -> None:
    wall = of_category(layout, "wall")[0]
    after = changed(layout, altered(scenario, [f"materials.{wall}={{color: [1, 0, 0], roughness: 0.2}}"]))
    for now, then in zip(thing(after, wall).parts, thing(layout, wall).parts, strict=True):
        assert now.finish.made.kind == then.finish.kind
        assert now.finish.made.tint == (1.0, 0.0, 0.0)
        assert now.finish.roughness == 0.2
    brick = changed(layout, altered(scenario, [f"materials.{wall}.texture=brick"]))
    assert {p.finish.kind for p in thing(brick, wall).parts} == {"brick"}


@pytest.mark.parametrize(
    ("key", "what"),
    [
        ("objects.chiar=removed", r"objects.chiar: nothing in this world fits it. Did you mean 'chair'"),
        ("lights.ceiling_lmp_0=off", r"no lamp in this world fits it. Did you mean 'ceiling_lamp_0'"),
        ("lights.chair_0=off", "lights.chair_0: no lamp"),
        ("lights.sky=off", "no open sky"),
        ("materials.wall.texture=brik", "materials.wall.texture: 'brik' is unknown. Did you mean 'brick'"),
        ("objects.rug.mass_kg=1", "no collision shape"),
        ("added.chair_0={size_m: [1, 1, 1]}", "has a 'chair_0' already"),
        ("added.cube={size_m: [1, 1, 1], category: chiar}", "Did you mean 'chair'"),
        ("added.cube={size_m: [1, 1, 1], texture: oka}", "Did you mean 'oak'"),
    ],
)
def test_mistakes_are_named(layout, scenario, key, what) -> None:
    with pytest.raises(ScenarioError, match=what):
        changed(layout, altered(scenario, [key]))


@pytest.mark.parametrize(
    ("key", "what"),
    [
        ("objects.chair=remved", "Did you mean 'removed'"),
        ("objects.chair={mass_kg: 2, physics: off}", "give one of them"),
        ("added.ball={shape: sphere, size_m: [1, 1, 2]}", "must be equal"),
        ("added.can={shape: cylinder, size_m: [1, 2, 2]}", "must be equal"),
        ("robots.rover=none", "no entry 'rover'"),
        ("objects.chair=none", "no entry 'chair'"),
    ],
)
def test_the_schema_refuses(scenario, key, what) -> None:
    with pytest.raises(ScenarioError, match=what):
        altered(scenario, [key])


def test_an_entry_is_taken_away(scenario) -> None:
    two = altered(scenario, ["robots.rover={kind: omni, sensors: {imu: {kind: imu}}}"])
    assert list(altered(two, ["robots.rover=none"]).robots) == ["scout"]
    assert altered(two, ["robots.rover.sensors.imu=none"]).robots["rover"].sensors == {}


def test_an_added_ball_falls_and_rolls_like_one(tmp_path) -> None:
    text = """
world: {kind: empty}
robots: {scout: {kind: flyer}}
added:
  ball: {shape: sphere, size_m: [0.2, 0.2, 0.2], mass_kg: 0.3, color: [1, 0, 0],
         pose: {position: [1, 2, 0.5]}}
  post: {shape: cylinder, size_m: [0.3, 0.3, 1.2], texture: oak, pose: {position: [-1, 0, 0]}}
"""
    world = compose(loads(text), tmp_path / "world")
    by_name = {i.name: i for i in world.instances}
    assert by_name["ball"].dynamic
    assert not by_name["post"].dynamic
    body = world.model.body("ball")
    np.testing.assert_allclose(body.mass, 0.3)
    np.testing.assert_allclose(world.model.body("ball").pos, [1, 2, 0.5])
    np.testing.assert_allclose(body.ipos, [0, 0, 0.1], atol=1e-12)
    np.testing.assert_allclose(body.inertia, 0.4 * 0.3 * 0.1**2, rtol=1e-9)
