"""Estimates motion from sensor streams alone; nothing here can reach the truth."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.estimate.methods import METHODS, estimate

__all__ = ["METHODS", "estimate"]


def __getattr__(name: str) -> Any:
    """OpenCV loads when a name is first used, so that the room itself stays light."""
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.methods"), name)
