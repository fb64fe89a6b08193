"""The label table: what the ids in the label images mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from veridical.core.errors import DataError
from veridical.core.files import write_json
from veridical.core.hashing import content_hash
from veridical.datasets.jsonfile import load_json


class Labelled(Protocol):
    """What the world's instances and the rows of a label table have in common."""

    @property
    def id(self) -> int: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def category(self) -> str: ...  # noqa: D102
    @property
    def semantic_id(self) -> int: ...  # noqa: D102
    @property
    def dynamic(self) -> bool: ...  # noqa: D102


@dataclass(frozen=True)
class LabelRow:
    """One instance: id in the images (from 1), name, category, semantic id, and if it can move."""

    id: int
    name: str
    category: str
    semantic_id: int
    dynamic: bool


def rows(instances: Iterable[Labelled]) -> tuple[LabelRow, ...]:
    """The label table of a world's instances."""
    return tuple(LabelRow(i.id, i.name, i.category, i.semantic_id, i.dynamic) for i in instances)


def write_labels(path: Path, labels: tuple[LabelRow, ...]) -> None:
    """Writes labels.json."""
    write_json(path, {"background": 0, "instances": [asdict(row) for row in labels]})


def labels_hash(labels: tuple[LabelRow, ...]) -> str:
    """Content hash of the label table, for the manifest: shows whether the file was touched later."""
    return content_hash([asdict(row) for row in labels])


def read_labels(path: Path) -> tuple[LabelRow, ...]:
    """Reads labels.json.

    Raises:
        DataError: If it is missing or has other fields than expected.
    """
    try:
        return tuple(LabelRow(**row) for row in load_json(path)["instances"])
    except (KeyError, TypeError) as err:
        msg = f"{path}: a row needs id, name, category, semantic_id and dynamic ({err})"
        raise DataError(msg) from err
