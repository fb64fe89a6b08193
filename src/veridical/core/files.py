"""Files that are either complete or absent."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def temporary_sibling(path: Path) -> Path:
    """A fresh hidden name beside `path`, on the same file system, with the same suffix."""
    return path.with_name(f".{path.stem}.{os.getpid()}-{uuid.uuid4().hex[:8]}.part{path.suffix}")


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Gives a temporary name to write to; renames it to `path` if the block succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = temporary_sibling(path)
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a whole file, or nothing."""
    with atomic_path(path) as partial:
        partial.write_bytes(data)


def write_json(path: Path, value: Any) -> None:
    """Writes a value as indented JSON, as a whole or not at all."""
    write_bytes(path, (json.dumps(value, indent=2, allow_nan=False) + "\n").encode())


def read_json(path: Path) -> Any:
    """Reads a JSON file."""
    return json.loads(path.read_text())
