"""Results beside the data, that hold for as long as no file of the data has been touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from veridical.core.files import read_json, write_json
from veridical.core.hashing import content_hash

_RESULTS = ("certificate.json", "analysis.json", "estimates")


def keep_json(folder: Path, name: str, result: dict[str, Any]) -> None:
    """Writes a result into the dataset's folder, with what the files were like."""
    write_json(folder / name, result | {"files": _fingerprint(folder)})


def kept_json(folder: Path, name: str) -> dict[str, Any] | None:
    """The result for just these files; None if there is none, or a file differs in size or time."""
    path = folder / name
    if not path.is_file():
        return None
    stored: dict[str, Any] = read_json(path)
    return stored if stored.get("files") == _fingerprint(folder) else None


def _fingerprint(folder: Path) -> str:
    """Of the names, sizes and times of all files of the dataset."""
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.parts[0] not in _RESULTS:
            state = path.stat()
            found.append((name.as_posix(), state.st_size, state.st_mtime_ns))
    return content_hash(found)
