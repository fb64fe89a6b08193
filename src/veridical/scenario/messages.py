"""Turns what validation found into messages for people: file, line, key, what is allowed."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from veridical.core.errors import did_you_mean
from veridical.scenario.yaml_source import KeyPath, Source

_TYPE_NAMES = ("Pose",)  # members of unions without a `kind`

_UNITS = {
    "_m": "metres",
    "_m2": "square metres",
    "_s": "seconds",
    "_hz": "hertz",
    "_deg": "degrees",
    "_dps": "degrees per second",
    "_mps": "metres per second",
    "_kg": "kilograms",
    "position": "metres",
}

_NO_GROUP = ("model_type", "model_attributes_type", "dict_type")
"""Faults that Pydantic reports where a group of keys should stand, not at a key of it."""


def describe(error: ErrorDetails, source: Source, root: type[BaseModel]) -> str:
    """One line for one validation error."""
    if error["type"] == "value_error" and not error["loc"]:  # a rule over several keys names one itself
        dotted, _, what = str(error.get("ctx", {})["error"]).partition(": ")
        return f"{source.where(tuple(dotted.split('.')))}: {dotted}: {what}"
    path = _written_path(error["loc"], source.data)
    if error["type"] == "union_tag_invalid":
        path = (*path, "kind")
    loc = (*error["loc"], "") if error["type"] in _NO_GROUP else error["loc"]
    model = _model_at(root, loc)
    dotted = ".".join(map(str, path)) or "the file"
    return f"{source.where(path)}: {dotted}: {_what(error, path, model)}"


def _what(error: ErrorDetails, path: KeyPath, model: type[BaseModel] | None) -> str:
    kind, given, ctx = error["type"], error["input"], error.get("ctx", {})
    key = str(path[-1]) if path else ""
    match kind:
        case "extra_forbidden":
            return f"'{key}' is unknown.{_choice(key, model.model_fields if model else ())}"
        case "union_tag_invalid":
            tag = str(ctx["tag"])
            return f"'{tag}' is unknown.{_choice(tag, _quoted_words(ctx['expected_tags']))}"
        case "union_tag_not_found":
            return "needs a `kind`; `veridical new` writes a file that shows which there are."
        case "missing":
            return "is missing; it has no default."
        case "literal_error":
            return f"{given!r} is not allowed.{_choice(str(given), _quoted_words(ctx['expected']))}"
        case "float_parsing" | "float_type" | "int_parsing" | "int_type":
            return f"{given!r} is not a number; write the number alone{_unit(path)}."
        case "string_pattern_mismatch":
            return f"{given!r} is not a name; use letters, digits and underscores, a letter first."
        case _ if kind in _NO_GROUP:
            keys = f" Keys: {', '.join(model.model_fields)}." if model else ""
            return f"{given!r} stands where a group of keys is needed.{keys}"
        case "too_short":
            return f"needs at least {ctx['min_length']} entries; it has {len(given)}."
        case "value_error":
            return str(ctx["error"])
    return f"{given!r}: {error['msg'][0].lower()}{error['msg'][1:]}{_unit(path)}."


def _choice(given: str, allowed: Iterable[str]) -> str:
    allowed = list(allowed)
    return f"{did_you_mean(given, allowed)} Allowed: {', '.join(allowed)}."


def _quoted_words(text: object) -> list[str]:
    return re.findall(r"'([^']*)'", str(text)) or [str(text)]


def _unit(path: KeyPath) -> str:
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    for suffix in sorted(_UNITS, key=len, reverse=True):
        if key.endswith(suffix):
            return f", in {_UNITS[suffix]}"
    return ""


def _written_path(loc: tuple[int | str, ...], data: Any) -> KeyPath:
    """Drops from an error's location what is no key of the file: union tags and names of types."""
    path: list[int | str] = []
    for part in loc:
        is_key = isinstance(data, Mapping) and part in data
        if isinstance(data, Mapping) and not is_key and (part == data.get("kind") or part in _TYPE_NAMES):
            continue
        if isinstance(part, str) and part.startswith(("literal[", "[key]")):
            continue
        path.append(part)
        in_list = isinstance(data, list) and isinstance(part, int) and part < len(data)
        data = data[part] if is_key or in_list else None
    return tuple(path)


def _model_at(root: type[BaseModel], loc: tuple[int | str, ...]) -> type[BaseModel] | None:
    """The model that holds the last part of an error's location."""
    current: Any = root
    for part in loc[:-1]:
        current = _step(current, part)
    return current if isinstance(current, type) and issubclass(current, BaseModel) else None


def _step(annotation: Any, part: int | str) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = annotation.model_fields.get(str(part))
        return _plain(field.annotation) if field else None
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        for option in map(_plain, args):
            if isinstance(option, type) and issubclass(option, BaseModel):
                kind = option.model_fields.get("kind")
                if part == option.__name__ or (kind and part in get_args(kind.annotation)):
                    return option
        return None
    if origin is dict:
        return _plain(args[1])
    if origin is tuple:
        return _plain(args[0])
    return None


def _plain(annotation: Any) -> Any:
    return _plain(get_args(annotation)[0]) if get_origin(annotation) is Annotated else annotation
