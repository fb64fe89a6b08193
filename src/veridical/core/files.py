"""Files that are either complete or absent."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

from veridical.core.errors import DataError, VeridicalError


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


def sweep(folder: Path) -> None:
    """Removes what killed writers left below a folder under temporary names."""
    for partial in sorted(folder.rglob(".*.part*")):
        if partial.is_dir():
            shutil.rmtree(partial, ignore_errors=True)
        else:
            partial.unlink(missing_ok=True)


@contextmanager
def absent_on_error(folder: Path) -> Iterator[None]:
    """Removes a folder that the block made, and the parents made for it, if a VeridicalError ends it.

    A folder that was there before stays as the block leaves it.
    """
    made = list(takewhile(lambda p: not p.exists(), (folder, *folder.parents)))
    try:
        yield
    except VeridicalError:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        for parent in made[1:]:
            with suppress(OSError):  # it holds something by now, or was never made
                parent.rmdir()
        raise


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a whole file, or nothing."""
    with atomic_path(path) as partial:
        partial.write_bytes(data)


def write_json(path: Path, value: Any) -> None:
    """Writes a value as indented JSON, as a whole or not at all."""
    write_bytes(path, (json.dumps(value, indent=2, allow_nan=False) + "\n").encode())


def read_json(path: Path) -> Any:
    """Reads a JSON file.

    Raises:
        DataError: If it is not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as fault:
        msg = f"{path} is not valid JSON: {fault}; delete what holds it and make it again"
        raise DataError(msg) from fault
