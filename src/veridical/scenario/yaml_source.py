"""Reads YAML with the line of every key, and writes it back.

Differs from YAML 1.1 where that surprises people: `on`, `off`, `yes` and `no` are words and not
booleans, `1e-3` is a number, and a key that is written twice is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from veridical.core.errors import ScenarioError

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True)
class Source:
    """Parsed YAML: plain data, the file's name for messages, and the line of each key path (from 1)."""

    name: str
    data: Any
    lines: dict[KeyPath, int]

    def where(self, path: KeyPath) -> str:
        """`file:line` of a key path, or of its nearest ancestor that is written in the file."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.name}:{self.lines[path]}" if path in self.lines else self.name


class _Loader(yaml.SafeLoader):
    yaml_implicit_resolvers = {  # noqa: RUF012  (the library's own shape)
        first: [
            (tag, regexp)
            for tag, regexp in resolvers
            if not tag.endswith((":bool", ":int", ":float", ":timestamp"))
        ]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$"),
    list("-+0123456789."),
)


def parse(text: str, name: str) -> Source:
    """Parses YAML text.

    Raises:
        ScenarioError: If it is not YAML, or a key stands twice; with the line.
    """
    try:
        loader = _Loader(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        msg = f"{name}:{line}: holds a control character (code {error.character}); remove it"
        raise ScenarioError(msg) from error
    try:
        node = loader.get_single_node()
        lines: dict[KeyPath, int] = {}
        data = None if node is None else _construct(loader, node, (), lines, name)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = f":{mark.line + 1}" if mark else ""
        msg = f"{name}{at}: this is not valid YAML: {error.problem}. Check the indentation and the colons."
        raise ScenarioError(msg) from error
    finally:
        loader.dispose()
    return Source(name, data, lines)


def parse_value(text: str, name: str) -> Any:
    """Parses one value, as written behind `--set key=`."""
    return parse(text, name).data


def _construct(loader: _Loader, node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int], name: str) -> Any:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        return [_construct(loader, item, (*path, i), lines, name) for i, item in enumerate(node.value)]
    if not isinstance(node, yaml.MappingNode):
        return _scalar(loader, node, name)
    result: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = _scalar(loader, key_node, name)
        if not isinstance(key, str):
            msg = f"{name}:{key_node.start_mark.line + 1}: the key {key!r} is not text; put it in quotes"
            raise ScenarioError(msg)
        if key in result:
            dotted = ".".join(map(str, (*path, key)))
            msg = (
                f"{name}:{key_node.start_mark.line + 1}: {dotted}: stands twice, first in line "
                f"{lines[(*path, key)]}; keep one of them"
            )
            raise ScenarioError(msg)
        lines[(*path, key)] = key_node.start_mark.line + 1
        result[key] = _construct(loader, value_node, (*path, key), lines, name)
    return result


def _scalar(loader: _Loader, node: yaml.Node, name: str) -> Any:
    try:
        return loader.construct_object(node)
    except (ValueError, TypeError) as error:
        kind = node.tag.rpartition(":")[2]
        msg = f"{name}:{node.start_mark.line + 1}: {node.value!r} cannot be read as {kind}"
        raise ScenarioError(msg) from error


def dump(data: Any) -> str:
    """YAML text of plain data, short sequences on one line, in the order given."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


class _Dumper(yaml.SafeDumper):
    def represent_sequence(
        self, tag: str, sequence: Any, flow_style: bool | None = None
    ) -> yaml.SequenceNode:
        plain = all(not isinstance(item, dict | list) for item in sequence)
        return super().represent_sequence(tag, sequence, flow_style=plain or flow_style)
