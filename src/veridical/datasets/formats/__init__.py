"""Other datasets' layouts. A format is a function that fills an empty folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from veridical.core.errors import DataError, did_you_mean
from veridical.core.files import temporary_sibling
from veridical.datasets.formats import tum
from veridical.datasets.read import Dataset

Format = Callable[[Dataset, str, Path], None]

FORMATS: dict[str, Format] = {"tum": tum.export}
"""By name: writes one camera stream of a dataset into an empty folder."""


def export(data: Dataset, format: str, folder: Path | str, stream: str | None = None) -> Path:  # noqa: A002
    """Writes a dataset in another layout. The folder appears whole or not at all.

    Args:
        data: The dataset.
        format: Key of `FORMATS`.
        folder: New folder.
        stream: Camera stream; the first one if not given. A left stream takes its right one along.

    Raises:
        DataError: If the format or stream is unknown, or the folder exists.
    """
    folder = Path(folder)
    if format not in FORMATS:
        msg = f"no format '{format}'.{did_you_mean(format, FORMATS)} Known: {', '.join(FORMATS)}"
        raise DataError(msg)
    if folder.exists():
        msg = f"{folder} exists; choose a new folder to export to"
        raise DataError(msg)
    if not data.cameras:
        msg = f"{data.folder} has no camera stream, and {format} needs one"
        raise DataError(msg)
    chosen = stream or next(iter(data.cameras))
    data.poses(chosen)
    partial = temporary_sibling(folder)
    partial.mkdir(parents=True)
    try:
        FORMATS[format](data, chosen, partial)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return folder
