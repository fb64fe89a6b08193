"""The scenario reference as Markdown, made from the schema so that it cannot be out of date."""

from __future__ import annotations

import json
from typing import Any

from veridical.scenario.schema import Scenario

Json = dict[str, Any]

_HEAD = """\
# Scenario reference

Made from the schema; `veridical schema` prints the JSON schema for editors. Lengths are metres, angles
degrees, times seconds, rates hertz. Unknown keys are refused.
"""

_SECTIONS = {
    "Worlds": ("ApartmentWorld", "FileWorld", "EmptyWorld"),
    "Conditions": ("Conditions",),
    "Robots": ("Quadrotor", "OmniRobot", "JointFlyer", "FileRobot"),
    "Missions": ("HoverMission", "WaypointMission", "ExploreMission", "DirectMission", "Waypoint"),
    "Sensors": ("MonoCamera", "StereoCamera", "RgbdCamera", "Imu", "Pose"),
    "Changes": ("ObjectChange", "AddedObject", "LightChange", "MaterialChange"),
    "Physics, recording, output": ("Physics", "Recording", "Output"),
}


def markdown() -> str:
    """The whole reference."""
    schema = Scenario.model_json_schema()
    parts = [_HEAD, _table(schema)]
    for title, models in _SECTIONS.items():
        parts.append(f"\n## {title}\n")
        parts += [_model(schema["$defs"][name]) for name in models]
    return "\n".join(parts)


def _model(body: Json) -> str:
    kind = body["properties"].get("kind", {}).get("const")
    heading = f"`kind: {kind}`" if kind else f"`{body['title']}`"
    return f"\n### {heading}\n\n{body['description']}\n\n{_table(body)}"


def _table(body: Json) -> str:
    required = set(body.get("required", ()))
    rows = [
        f"| `{key}` | {_type(field)} | {_default(field, key in required)} | {_note(field)} |"
        for key, field in body["properties"].items()
        if key != "kind"
    ]
    return "\n".join(["| key | value | default | meaning |", "|---|---|---|---|", *rows]) if rows else ""


def _type(field: Json) -> str:
    if "$ref" in field:
        return f"`{field['$ref'].rpartition('/')[2]}`"
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return " \\| ".join(f"`{value}`" for value in field["enum"])
    for union in ("oneOf", "anyOf"):
        if union in field:
            return " or ".join(_type(option) for option in field[union])
    if field.get("type") == "array":
        return _array(field)
    if field.get("type") == "object":
        inner: Json = field.get("additionalProperties") or next(
            iter(field.get("patternProperties", {}).values()), {}
        )
        return f"name to {_type(inner)}" if isinstance(inner, dict) and inner else "mapping"
    kind = str(field.get("type", "any"))
    return {"null": "nothing", "string": "text", "boolean": "`true` \\| `false`"}.get(kind, kind)


def _array(field: Json) -> str:
    items = field.get("prefixItems")
    if items:
        return f"list of {len(items)} {_type(items[0])}s"
    return f"list of {_type(field['items'])}"


def _default(field: Json, required: bool) -> str:
    if required:
        return "required"
    value = field.get("default")
    if isinstance(value, dict):
        return "see there" if value else "none"
    return f"`{json.dumps(value)}`" if value is not None else ""


def _note(field: Json) -> str:
    symbols = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    bounds = [f"{sign} {field[key]:g}" for key, sign in symbols.items() if key in field]
    return "; ".join(filter(None, [field.get("description", ""), ", ".join(bounds)]))
