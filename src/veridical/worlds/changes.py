"""The scenario's changes of a generated world: objects, added things, lights and materials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial

import numpy as np

from veridical.assets.categories import CATEGORIES
from veridical.assets.material import Rgb
from veridical.assets.shapes.solids import box, sphere
from veridical.assets.shapes.turned import cylinder
from veridical.assets.surfaces import SURFACES
from veridical.assets.thing import Collider, Finish, Mesh, Part, Placed, Repainted, Thing
from veridical.core.errors import ScenarioError, did_you_mean
from veridical.core.geometry import from_rpy, transform
from veridical.scenario.schema import AddedObject, Color, LightChange, MaterialChange, ObjectChange, Scenario
from veridical.worlds.bodies import is_dynamic
from veridical.worlds.finishes import pattern_of
from veridical.worlds.layout import Layout

_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
"""Of linear Rec. 709 primaries (ITU-R BT.709)."""


def changed(layout: Layout, scenario: Scenario) -> Layout:
    """The layout with the scenario's `objects`, `added`, `lights` and `materials` applied.

    Raises:
        ScenarioError: If a pattern fits nothing, or a surface, label or name cannot be used.
    """
    placed = list(layout.placed)
    for pattern, material in scenario.materials.items():
        placed = _each(placed, f"materials.{pattern}", partial(_repainted, pattern, material, layout))
    for pattern, light in scenario.lights.items():
        if pattern not in ("sun", "sky"):
            _check_lamps(placed, pattern, layout)
            placed = _each(placed, f"lights.{pattern}", partial(_relit, light, layout))
    for pattern, change in scenario.objects.items():
        placed = _each(placed, f"objects.{pattern}", partial(_altered, pattern, change))
    taken = {p.name for p in layout.placed} | set(scenario.robots)
    placed += [_added(name, added, taken) for name, added in scenario.added.items()]
    layout = replace(layout, placed=tuple(placed))
    return _under_sky(layout, scenario.lights)


def fits(placed: Placed, pattern: str) -> bool:
    """True if a pattern (name, name with * or ?, category, `movable`, `all`) means this thing."""
    if pattern == "all" or (pattern == "movable" and is_dynamic(placed.thing)):
        return True
    return placed.thing.category == pattern or fnmatchcase(placed.name, pattern)


def touched(layout: Layout, patterns: Iterable[str]) -> set[str]:
    """Names of the things that any of the patterns means."""
    wanted = list(patterns)
    return {p.name for p in layout.placed if any(fits(p, pattern) for pattern in wanted)}


def _each(placed: list[Placed], key: str, change: Callable[[Placed], Placed | None]) -> list[Placed]:
    pattern = key.partition(".")[2]
    found = [fits(one, pattern) for one in placed]
    if not any(found):
        known = [*{p.name: None for p in placed}, *{p.thing.category: None for p in placed}, "movable"]
        some = ", ".join(sorted({p.thing.category for p in placed}))
        msg = (
            f"{key}: nothing in this world fits it.{did_you_mean(pattern, known)} Give a name, a "
            f"name with *, `movable`, or a category: {some}"
        )
        raise ScenarioError(msg)
    changed_or_not = [change(one) if hit else one for one, hit in zip(placed, found, strict=True)]
    return [one for one in changed_or_not if one is not None]


# --- objects -----------------------------------------------------------------------------------------


def _altered(pattern: str, change: ObjectChange, one: Placed) -> Placed | None:
    if change.state == "removed":
        return None
    thing = one.thing
    if change.mass_kg is not None:
        if not thing.colliders:
            msg = f"objects.{pattern}.mass_kg: '{one.name}' has no collision shape, so it cannot move"
            raise ScenarioError(msg)
        thing = replace(thing, mass_kg=change.mass_kg)
    if change.physics == "off":
        thing = replace(thing, mass_kg=None)
    if change.friction is not None:
        thing = replace(thing, friction=change.friction)
    if change.state == "hidden":
        thing = replace(thing, parts=())
    return replace(one, thing=thing)


def _added(name: str, added: AddedObject, taken: set[str]) -> Placed:
    if name in taken:
        msg = f"added.{name}: this world has a '{name}' already; choose another name"
        raise ScenarioError(msg)
    labels = [c for c in CATEGORIES if c != "background"]
    if added.category not in labels:
        hint = did_you_mean(added.category, labels)
        msg = f"added.{name}.category: '{added.category}' is unknown.{hint} Allowed: {', '.join(labels)}"
        raise ScenarioError(msg)
    kind = _surface_kind(added.texture, f"added.{name}.texture")
    finish = _coloured(Finish(kind), added.color, known=True)
    mesh, collider = _solid(added)
    thing = Thing(added.category, (Part(mesh, finish),), (collider,), added.size_m, mass_kg=added.mass_kg)
    T = transform(from_rpy(np.radians(added.pose.rpy_deg)), added.pose.position)
    return Placed(name, thing, T)


def _solid(added: AddedObject) -> tuple[Mesh, Collider]:
    x, y, z = added.size_m
    middle = transform(np.eye(3), [0.0, 0.0, z / 2])
    if added.shape == "sphere":
        return sphere(x / 2, (0, 0, z / 2), 24, 48), Collider("sphere", (x / 2,), middle)
    if added.shape == "cylinder":
        mesh = cylinder(x / 2, z, sides=48)
        return mesh, Collider("cylinder", (x / 2, z / 2), middle)
    return box((x, y, z), (0, 0, z / 2)), Collider("box", (x / 2, y / 2, z / 2), middle)


# --- surfaces ----------------------------------------------------------------------------------------


def _repainted(pattern: str, change: MaterialChange, layout: Layout, one: Placed) -> Placed:
    def new(finish: Finish) -> Finish:
        if change.texture is not None:
            kind = _surface_kind(change.texture, f"materials.{pattern}.texture")
            finish = replace(pattern_of(finish), kind=kind, tint=None)
        finish = _coloured(finish, change.color, known=pattern_of(finish) not in layout.surfaces)
        if change.roughness is not None:
            finish = replace(_told(finish), roughness=change.roughness)
        return finish

    return _with_finishes(one, new)


def _surface_kind(kind: str, key: str) -> str:
    if kind not in SURFACES:
        hint, allowed = did_you_mean(kind, SURFACES), ", ".join(sorted(SURFACES))
        raise ScenarioError(f"{key}: '{kind}' is unknown.{hint} Allowed: {allowed}")
    return kind


def _coloured(finish: Finish, color: Color | None, *, known: bool) -> Finish:
    """A surface that takes a tint keeps its pattern; any other becomes plain."""
    if color is None:
        return finish
    made = pattern_of(finish)
    if known and SURFACES[made.kind].tint != "none":
        tinted = replace(made, tint=_linear(color))
        return replace(finish, made=tinted) if isinstance(finish, Repainted) else tinted
    return replace(_told(finish), plain=_linear(color))


def _linear(color: Color) -> Rgb:
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color)
    return r, g, b


def _told(finish: Finish) -> Repainted:
    if isinstance(finish, Repainted):
        return finish
    return Repainted(finish.kind, finish.variant, finish.tint, finish.emission, finish.daylight, made=finish)


def _with_finishes(one: Placed, new: Callable[[Finish], Finish]) -> Placed:
    parts = tuple(Part(p.mesh, new(p.finish)) for p in one.thing.parts)
    return replace(one, thing=replace(one.thing, parts=parts))


# --- light -------------------------------------------------------------------------------------------


def _relit(change: LightChange, layout: Layout, one: Placed) -> Placed:
    def new(finish: Finish) -> Finish:
        radiance = _radiance(finish, layout)
        if radiance is None:
            return finish
        return replace(_told(finish), glow=_changed_light(radiance, change))

    return _with_finishes(one, new)


def _radiance(finish: Finish, layout: Layout) -> Rgb | None:
    """What a finish shines with, linear RGB; None for what is no lamp."""
    if isinstance(finish, Repainted) and finish.glow is not None:
        return finish.glow
    made = pattern_of(finish)
    return layout.surfaces[made].material.emission if made in layout.surfaces else made.emission


def _changed_light(radiance: Rgb, change: LightChange) -> Rgb:
    if change.state == "off":
        return (0.0, 0.0, 0.0)
    light = np.array(radiance) * change.intensity
    if change.color is not None:
        hue = np.array(_linear(change.color))
        if hue.max() == 0:
            return (0.0, 0.0, 0.0)
        light = hue * (light @ _LUMINANCE) / (hue @ _LUMINANCE)
    r, g, b = light.tolist()
    return r, g, b


def _check_lamps(placed: list[Placed], pattern: str, layout: Layout) -> None:
    lamps = [p for p in placed if any(_radiance(part.finish, layout) is not None for part in p.thing.parts)]
    if any(fits(p, pattern) for p in lamps):
        return
    names = [p.name for p in lamps]
    msg = (
        f"lights.{pattern}: no lamp in this world fits it.{did_you_mean(pattern, [*names, 'sun', 'sky'])} "
        f"Lamps: {', '.join(names) or 'none'}; also sun and sky"
    )
    raise ScenarioError(msg)


def _under_sky(layout: Layout, lights: Mapping[str, LightChange]) -> Layout:
    if "sun" in lights:
        if layout.sun is None:
            raise ScenarioError(
                "lights.sun: the sun does not shine in this world; set conditions.sun above 0"
            )
        light = _changed_light(layout.sun.irradiance, lights["sun"])
        layout = replace(layout, sun=replace(layout.sun, irradiance=light) if max(light) > 0 else None)
    if "sky" in lights:
        if layout.sky is None:
            raise ScenarioError("lights.sky: this world has no open sky; its windows are among the lamps")
        layout = replace(layout, sky=_changed_light(layout.sky, lights["sky"]))
    return layout
