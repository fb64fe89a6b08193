"""The native dataset folder: types, writer, readers, certificate, and export to other formats."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.datasets.analysis import Analysis, analyse
    from veridical.datasets.certificate import Certificate, verify
    from veridical.datasets.formats import FORMATS, export
    from veridical.datasets.plan import Plan
    from veridical.datasets.read import BlindDataset, Dataset, open_dataset
    from veridical.datasets.size import estimate_bytes, require_space
    from veridical.datasets.write import DatasetWriter

_HOMES = {
    "Analysis": "analysis",
    "analyse": "analysis",
    "Certificate": "certificate",
    "verify": "certificate",
    "FORMATS": "formats",
    "export": "formats",
    "Plan": "plan",
    "BlindDataset": "read",
    "Dataset": "read",
    "open_dataset": "read",
    "estimate_bytes": "size",
    "require_space": "size",
    "DatasetWriter": "write",
}

__all__ = [
    "FORMATS",
    "Analysis",
    "BlindDataset",
    "Certificate",
    "Dataset",
    "DatasetWriter",
    "Plan",
    "analyse",
    "estimate_bytes",
    "export",
    "open_dataset",
    "require_space",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Image and table libraries load when a name is first used, so that the room itself stays light."""
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
