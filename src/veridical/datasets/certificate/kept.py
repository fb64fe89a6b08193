"""The certificate beside the data, for as long as no file has been touched since it was measured."""

from __future__ import annotations

from veridical.core.files import read_json, write_json
from veridical.core.hashing import content_hash
from veridical.datasets.certificate.check import Certificate
from veridical.datasets.read import Dataset

_FILE = "certificate.json"
_FOREIGN = ("estimates",)


def keep(data: Dataset, certificate: Certificate) -> None:
    """Writes certificate.json into the dataset's folder."""
    write_json(data.folder / _FILE, certificate.to_json() | {"files": _fingerprint(data)})


def kept(data: Dataset) -> Certificate | None:
    """The certificate of just these files; None if there is none, or a file differs in size or time."""
    path = data.folder / _FILE
    if not path.is_file():
        return None
    stored = read_json(path)
    return Certificate.from_json(stored) if stored.get("files") == _fingerprint(data) else None


def _fingerprint(data: Dataset) -> str:
    """Of the names, sizes and times of all files of the dataset."""
    found = []
    for path in sorted(data.folder.rglob("*")):
        name = path.relative_to(data.folder)
        if path.is_file() and str(name) != _FILE and name.parts[0] not in _FOREIGN:
            state = path.stat()
            found.append((name.as_posix(), state.st_size, state.st_mtime_ns))
    return content_hash(found)
