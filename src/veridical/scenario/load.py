"""Loads scenarios: from a file or a preset, with overrides, all errors at once."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from veridical.core.errors import ScenarioError, did_you_mean
from veridical.core.hashing import content_hash
from veridical.scenario.messages import describe
from veridical.scenario.schema import FileRobot, FileWorld, Scenario
from veridical.scenario.yaml_source import KeyPath, Source, dump, parse, parse_value


def presets() -> dict[str, str]:
    """The scenario files that come with Veridical: name to commented YAML text."""
    folder = files("veridical.scenario") / "presets"
    found = {p.name.removesuffix(".yaml"): p for p in folder.iterdir() if p.name.endswith(".yaml")}
    return {name: found[name].read_text(encoding="utf-8") for name in sorted(found)}


def load(source: str | Path, overrides: Sequence[str] = ()) -> Scenario:
    """Loads a scenario.

    Args:
        source: A YAML file, or the name of a preset.
        overrides: `key.path=value` each, as with `--set`; the value is YAML. `robots.scout=none` and
            the like take a named entry away.

    Returns:
        The validated scenario; relative paths in it count from the file's folder.

    Raises:
        ScenarioError: Names every fault of the file at once, each with file, line, key and what is
            allowed; a world's or robot's file that does not exist is one.
    """
    text, name, folder = _read(source)
    parsed = _with_overrides(parse(text, name), overrides)
    return _with_files(validate(parsed, folder), parsed)


def loads(text: str, name: str = "scenario", folder: Path = Path()) -> Scenario:
    """Loads a scenario from YAML text; `name` stands for the file in messages."""
    parsed = parse(text, name)
    return _with_files(validate(parsed, folder), parsed)


def altered(scenario: Scenario, overrides: Sequence[str]) -> Scenario:
    """A scenario with some keys set anew, `key.path=value` each.

    Raises:
        ScenarioError: If a key is unknown or a value is not allowed.
    """
    source = Source(scenario.name, scenario.model_dump(mode="json"), {})
    return validate(_with_overrides(source, overrides), scenario.folder)


def validate(source: Source, folder: Path) -> Scenario:
    """Checks parsed YAML against the schema and gives the scenario its folder."""
    if not isinstance(source.data, dict):
        msg = f"{source.name}: holds no keys; `veridical new apartment` writes a scenario to start from"
        raise ScenarioError(msg)
    try:
        return Scenario.model_validate(source.data).in_folder(folder)
    except ValidationError as error:
        raise ScenarioError("\n".join(_lines(error, source))) from None


def _with_files(scenario: Scenario, source: Source) -> Scenario:
    """The scenario, if the files that it names are there."""
    named: list[tuple[KeyPath, str]] = []
    if isinstance(scenario.world, FileWorld):
        named.append((("world", "path"), scenario.world.path))
    for name, robot in scenario.robots.items():
        if isinstance(robot, FileRobot):
            named.append((("robots", name, "path"), robot.path))
            named += [(("robots", name, "packages", key), where) for key, where in robot.packages.items()]
    lines = []
    for key, given in named:
        path = scenario.folder / given
        if not path.exists():
            beside = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
            hint = did_you_mean(path.name, beside)
            where = f"{source.where(key)}: {'.'.join(map(str, key))}"
            lines.append(f"{where}: {path} does not exist.{hint} Paths count from the scenario's folder.")
    if lines:
        raise ScenarioError("\n".join(sorted(lines, key=_line_number)))
    return scenario


def _lines(error: ValidationError, source: Source) -> list[str]:
    faults = error.errors(include_url=False)
    deeper, spoilt = _holders(faults, 2), _holders(faults, 1)
    # A union reports a fault for every member; the member that got furthest is the one that was meant.
    meant = [f for f in faults if not (f["type"] == "literal_error" and f["loc"][:-1] in deeper)]
    # A list whose entries are at fault is counted without them.
    meant = [f for f in meant if not (f["type"] == "too_short" and f["loc"] in spoilt)]
    described = {describe(fault, source, Scenario): None for fault in meant}
    return sorted(described, key=_line_number)


def _holders(faults: Sequence[ErrorDetails], levels: int) -> set[tuple[int | str, ...]]:
    """Places that have a fault at least so many levels below them."""
    return {fault["loc"][:k] for fault in faults for k in range(len(fault["loc"]) - levels + 1)}


def _line_number(message: str) -> int:
    after_name = message.split(":", 2)[1]
    return int(after_name) if after_name.isdigit() else 0


def to_yaml(scenario: Scenario) -> str:
    """The resolved scenario, every default written out."""
    return dump(scenario.model_dump(mode="json"))


def scenario_hash(scenario: Scenario) -> str:
    """SHA-256 of the resolved scenario; equal for equal experiments however they were written."""
    return content_hash(scenario.model_dump(mode="json"))


def _read(source: str | Path) -> tuple[str, str, Path]:
    path, known = Path(source), presets()
    if str(source) in known and not path.is_file():
        return known[str(source)], f"{source}.yaml", Path()
    if not path.is_file():
        msg = (
            f"{source}: there is no such file, nor a preset of that name.{did_you_mean(str(source), known)} "
            f"Presets: {', '.join(known)}."
        )
        raise ScenarioError(msg)
    try:
        return path.read_text(encoding="utf-8"), path.name, path.parent
    except UnicodeDecodeError as error:
        msg = f"{source}: is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8"
        raise ScenarioError(msg) from error


def _with_overrides(source: Source, overrides: Sequence[str]) -> Source:
    data, lines = copy.deepcopy(source.data), dict(source.lines)
    for override in overrides:
        dotted, equals, text = override.partition("=")
        keys = tuple(dotted.strip().split("."))
        if not equals or not all(keys):
            msg = f"--set {override}: is not of the form key.path=value, such as output.quality=standard"
            raise ScenarioError(msg)
        path = _insert(data, keys, parse_value(text, f"--set {dotted}"), override)
        for stale in [known for known in lines if known[: len(path)] == path]:
            del lines[stale]
    return Source(source.name, data, lines)


_ENTRIES = {
    ("robots",): 2,
    ("robots", "sensors"): 4,
    ("objects",): 2,
    ("added",): 2,
    ("lights",): 2,
    ("materials",): 2,
}
"""Mappings of named entries that `=none` takes away, by their fixed keys, with the length of such a path."""


def _is_entry(keys: Sequence[str]) -> bool:
    return _ENTRIES.get(tuple(keys[:-1:2])) == len(keys)


def _insert(data: Any, keys: Sequence[str], value: Any, override: str) -> KeyPath:
    """Sets a value in nested mappings and lists, in place; returns the path with list indices."""
    path: list[str | int] = []
    for i, key in enumerate(keys):
        last = i == len(keys) - 1
        if isinstance(data, list) and key.isdigit() and int(key) < len(data):
            index: str | int = int(key)
        elif isinstance(data, dict):
            index = key
        else:
            msg = f"--set {override}: {'.'.join(keys[:i])} holds no keys, so {key} cannot be set in it"
            raise ScenarioError(msg)
        path.append(index)
        if last and value == "none" and _is_entry(keys):
            if index not in data:
                known = ", ".join(data) or "empty"
                msg = (
                    f"--set {override}: {'.'.join(keys[:-1])} has no entry '{key}' to take away."
                    f"{did_you_mean(key, data)} It is {known}."
                )
                raise ScenarioError(msg)
            del data[index]
        elif last:
            data[index] = value
        else:
            if isinstance(data, dict) and data.get(key) is None:
                data[key] = {}
            data = data[index]
    return tuple(path)
