"""How long jobs tell a listener where they are."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with the stage's name, steps done, and steps in all."""


def silent(stage: str, done: int, total: int) -> None:
    """The listener that does nothing."""
