"""Time as integers of nanoseconds, for any rate, without drift."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

NS_PER_S = 1_000_000_000


def to_ns(seconds: float) -> int:
    """Rounds seconds to the nearest nanosecond."""
    return round(Fraction(str(seconds)) * NS_PER_S)


def stamps(rate_hz: float, start_ns: int, end_ns: int) -> NDArray[np.int64]:
    """The ticks k / rate_hz that lie in start_ns <= t < end_ns, each rounded to a nanosecond.

    Tick k is computed from k itself and not by adding periods, so 7 Hz and 29.97 Hz do not drift.
    """
    rate = Fraction(str(rate_hz))
    numerator, denominator = NS_PER_S * rate.denominator, rate.numerator
    first = -((-start_ns * denominator) // numerator) - 1
    last = (end_ns * denominator) // numerator + 1
    ticks = [_round_half_up(k * numerator, denominator) for k in range(first, last + 1)]
    return np.array([t for t in ticks if start_ns <= t < end_ns], dtype=np.int64)


def _round_half_up(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)
