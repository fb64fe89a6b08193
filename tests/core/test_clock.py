"""Stamps: whole nanoseconds, any rate, no drift."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.core.clock import NS_PER_S, stamps, to_ns

HOUR_NS = 3600 * NS_PER_S


@pytest.mark.parametrize("rate_hz", [240, 30, 7, 29.97, 1000, 0.3])
def test_no_drift_over_an_hour(rate_hz: float) -> None:
    t = stamps(rate_hz, 0, HOUR_NS)
    expected = Fraction(str(rate_hz)) * 3600
    assert len(t) == -(-expected.numerator // expected.denominator)
    exact = (len(t) - 1) * NS_PER_S / Fraction(str(rate_hz))
    assert abs(t[-1] - exact) <= Fraction(1, 2)


@given(st.sampled_from([7, 10, 30, 200, 240, 29.97]), st.integers(-(10**10), 10**10), st.integers(1, 10**9))
def test_stamps_lie_in_the_interval_and_do_not_depend_on_it(rate_hz: float, start: int, span: int) -> None:
    t = stamps(rate_hz, start, start + span)
    assert all(start <= x < start + span for x in t)
    wider = stamps(rate_hz, start - NS_PER_S, start + span + NS_PER_S)
    inside = wider[(wider >= start) & (wider < start + span)]
    assert np.array_equal(t, inside)


def test_zero_is_a_tick_of_every_rate() -> None:
    for rate_hz in (7, 29.97, 240):
        assert stamps(rate_hz, 0, 1).tolist() == [0]


def test_to_ns_rounds_decimals_exactly() -> None:
    assert to_ns(0.1) == 100_000_000
    assert to_ns(1e-9) == 1
    assert to_ns(3600.000000001) == 3_600_000_000_001
