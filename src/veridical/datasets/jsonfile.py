"""JSON files of a dataset, with errors that name the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from veridical.core.errors import DataError
from veridical.core.files import read_json


def load_json(path: Path) -> Any:
    """Reads a JSON file.

    Raises:
        DataError: If it is missing or not JSON.
    """
    try:
        return read_json(path)
    except FileNotFoundError:
        msg = f"{path} is missing; a dataset folder holds dataset.json, calibration.json and labels.json"
        raise DataError(msg) from None
