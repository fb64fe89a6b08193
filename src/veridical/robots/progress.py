"""Tells a robot that moves from one that is stuck."""

from __future__ import annotations

_FAR_M = 0.5
_SLOW_MPS = 0.05
_PATIENCE_S = 3.0


class Progress:
    """Counts the time for which a robot has been far from its set-point without moving."""

    def __init__(self) -> None:
        self.idle_s = 0.0

    def watch(self, distance_m: float, speed_mps: float, dt_s: float) -> None:
        """Takes one look."""
        stuck = distance_m > _FAR_M and speed_mps < _SLOW_MPS
        self.idle_s = self.idle_s + dt_s if stuck else 0.0

    def trouble(self, position: list[float]) -> str | None:
        """A sentence if patience is over."""
        if self.idle_s <= _PATIENCE_S:
            return None
        at = ", ".join(f"{v:.2f}" for v in position)
        return f"no progress for {_PATIENCE_S:g} s at ({at}), more than {_FAR_M:g} m from its set-point"
