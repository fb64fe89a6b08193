"""Tells a robot that moves from one that is stuck."""

from __future__ import annotations

import math
from collections.abc import Sequence

_FAR_M = 0.5
_STIR_M = 0.25
_PATIENCE_S = 3.0


class Progress:
    """Counts the time for which a robot has been far from its set-point without getting anywhere.

    A robot that hangs at a wall shakes, so it is the place that counts and not the speed.
    """

    def __init__(self) -> None:
        self._idle_s = 0.0
        self._anchor = [0.0, 0.0, 0.0]

    def watch(self, position: Sequence[float], target: Sequence[float], dt_s: float) -> None:
        """Takes one look; positions (3,) in metres."""
        moved = math.dist(position, self._anchor) > _STIR_M
        if moved or math.dist(position, target) < _FAR_M:
            self._anchor = list(position)
            self._idle_s = 0.0
        else:
            self._idle_s += dt_s

    def memory(self) -> list[float]:
        """Four numbers."""
        return [self._idle_s, *self._anchor]

    def restore(self, memory: list[float]) -> None:
        """Goes back to a `memory`."""
        self._idle_s, self._anchor = memory[0], memory[1:4]

    def trouble(self) -> str | None:
        """A sentence if patience is over."""
        if self._idle_s <= _PATIENCE_S:
            return None
        at = ", ".join(f"{v:.2f}" for v in self._anchor)
        return f"no progress for {_PATIENCE_S:g} s near ({at}), more than {_FAR_M:g} m from its set-point"
