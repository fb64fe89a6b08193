"""Content hashes and the on-disk cache that is keyed by them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from veridical.core.files import temporary_sibling

try:
    import fcntl
except ImportError:  # Windows: two processes may make the same folder twice
    fcntl = None  # type: ignore[assignment]


def content_hash(*parts: object) -> str:
    """SHA-256 (hex) of bytes, numpy arrays and JSON-able values, in order."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, bytes):
            digest.update(b"b" + part)
        elif isinstance(part, np.ndarray):
            digest.update(f"a{part.dtype.str}{part.shape}".encode() + np.ascontiguousarray(part).tobytes())
        else:
            digest.update(b"j" + json.dumps(part, sort_keys=True, allow_nan=False).encode())
        digest.update(b"\x00")
    return digest.hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 (hex) of a file's bytes."""
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def cache_folder() -> Path:
    """Where derived artefacts are kept: `$VERIDICAL_CACHE`, or `~/.cache/veridical`."""
    given = os.environ.get("VERIDICAL_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "veridical"


def cached(kind: str, key: str, make: Callable[[Path], None]) -> Path:
    """A folder of artefacts made once per key.

    Args:
        kind: Short name of the kind of artefact, such as `textures`.
        key: Content hash of everything that the artefacts depend on, the making code's version included.
        make: Fills the empty folder it is given. Runs only if the key is new; a failed or killed run
            leaves nothing behind under the key.

    Returns:
        The complete folder.
    """
    folder = cache_folder() / kind / key
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        if not folder.is_dir():
            partial = temporary_sibling(folder)
            partial.mkdir()
            try:
                make(partial)
                partial.rename(folder)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
    return folder


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lets one process at a time make a folder; the lock goes with the process, so a kill leaves none."""
    lock = folder.with_name(f".{folder.name}.lock")
    with lock.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
