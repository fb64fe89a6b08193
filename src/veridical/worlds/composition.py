"""From a scenario to a compiled world on disk."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import mujoco

from veridical.assets.categories import CATEGORIES
from veridical.assets.thing import Placed
from veridical.core.errors import AssetError
from veridical.robots import build_robot
from veridical.scenario.schema import ApartmentWorld, EmptyWorld, Physics, Scenario
from veridical.worlds import empty
from veridical.worlds.attach import Options, attach_robot, prefixed, textured
from veridical.worlds.bodies import add_things, is_dynamic
from veridical.worlds.changes import changed
from veridical.worlds.finishes import Palette, painted, pattern_of
from veridical.worlds.free_space import build_free_space, solid_geoms
from veridical.worlds.layout import Layout
from veridical.worlds.store import read_world, refuse_existing, save_world
from veridical.worlds.world import Instance, Look, RobotPart, World


def compose_world(scenario: Scenario, world_folder: Path, known: Sequence[Instance] = ()) -> World:
    """See `veridical.worlds.compose`; the instances that are `known` by name keep their ids."""
    refuse_existing(Path(world_folder))
    layout = changed(layout_of(scenario), scenario)
    spec = new_spec(scenario.physics)
    palette = _palette(layout)
    warnings = [*layout.warnings, *add_things(spec, layout.placed, palette)]
    licences = list(layout.licences)
    options = Options(spec)
    robots = []
    for name, robot in scenario.robots.items():
        built = build_robot(name, robot, scenario.folder)
        materials, images = textured(built)
        robots.append(attach_robot(spec, name, robot.kind, built, options))
        palette.materials |= prefixed(name, materials)
        palette.files |= images
        warnings += [f"{name}: {w}" for w in built.warnings]
        licences += built.licences
    warnings += options.warnings
    model = _compiled(spec)
    look = Look(palette.materials, layout.sky, layout.sun, layout.portals, layout.exposure)
    floor = min(room.floor for room in layout.rooms)
    space = build_free_space(model, solid_geoms(model, [r.name for r in robots], floor), layout.rooms)
    if not space.distance_m.any():
        warnings.append("nothing of the world is free space: its shapes fill all of its bounds")
    save_world(
        Path(world_folder),
        spec,
        look,
        label_table(layout.placed, robots, known),
        space,
        tuple(robots),
        palette.files,
        tuple(warnings),
        tuple(licences),
    )
    return read_world(Path(world_folder))


def layout_of(scenario: Scenario) -> Layout:
    """The things, rooms and lights of the scenario's world, before compilation."""
    world = scenario.world
    if isinstance(world, ApartmentWorld):
        from veridical.worlds import apartment

        return apartment.generate(world, scenario.conditions, scenario.seed)
    if isinstance(world, EmptyWorld):
        return empty.generate(world, scenario.conditions)
    from veridical.worlds import files

    return files.generate(world, scenario.conditions, scenario.folder)


def new_spec(physics: Physics) -> mujoco.MjSpec:
    """An empty specification with the scenario's step and gravity, made for many resting objects."""
    spec = mujoco.MjSpec()
    spec.modelname = "scene"
    spec.option.timestep = 1.0 / physics.rate_hz
    spec.option.gravity = physics.gravity
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    # objects at rest cost nothing until something touches them: 17 times faster with 300 of them
    spec.option.enableflags = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    return spec


def label_table(
    placed: Sequence[Placed], robots: Sequence[RobotPart], known: Sequence[Instance] = ()
) -> tuple[Instance, ...]:
    """One instance a thing in the layout's order, then one a robot, so that robots change no id before.

    What is `known` by name keeps its id; the others are numbered after all known ones.
    """
    rows = [(p.name, p.thing.category, p.name, is_dynamic(p.thing)) for p in placed]
    rows += [(r.name, "robot", r.body, True) for r in robots]
    ids = {i.name: i.id for i in known}
    fresh = count(max(ids.values(), default=0) + 1)
    found = [
        Instance(
            ids[name] if name in ids else next(fresh), name, category, CATEGORIES[category], body, dynamic
        )
        for name, category, body, dynamic in rows
    ]
    return tuple(sorted(found, key=lambda instance: instance.id))


def _palette(layout: Layout) -> Palette:
    finishes = [pattern_of(part.finish) for one in layout.placed for part in one.thing.parts]
    return Palette({**painted(f for f in finishes if f not in layout.surfaces), **layout.surfaces})


def _compiled(spec: mujoco.MjSpec) -> mujoco.MjModel:
    try:
        return spec.compile()
    except ValueError as fault:
        raise AssetError(f"MuJoCo cannot compile the world: {fault}") from fault
