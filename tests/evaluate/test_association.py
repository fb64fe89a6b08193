from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.core.errors import DataError
from veridical.evaluate.association import associate

MS = 1_000_000
stamps = st.lists(st.integers(0, 2000), min_size=1, max_size=30, unique=True).map(
    lambda v: np.array(sorted(v)) * MS
)


@settings(max_examples=100, deadline=None)
@given(ref=stamps, est=stamps)
def test_pairs_are_one_to_one_near_and_in_order(ref: np.ndarray, est: np.ndarray) -> None:
    try:
        pairs = associate(ref, est, 0.01)
    except DataError:
        assert np.abs(ref[:, None] - est[None]).min() > 10 * MS
        return
    assert (np.diff(pairs.reference) > 0).all()
    assert (np.diff(pairs.estimate) > 0).all()
    np.testing.assert_array_equal(pairs.offset_ns, est[pairs.estimate] - ref[pairs.reference])
    assert (np.abs(pairs.offset_ns) <= 10 * MS).all()


def test_two_estimates_share_no_reference() -> None:
    pairs = associate(np.array([0, 100]) * MS, np.array([-4, 3, 99]) * MS, 0.01)
    assert pairs.reference.tolist() == [0, 1]
    assert pairs.estimate.tolist() == [1, 2]


T0 = 1_700_000_000_000_000_000


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (np.arange(10) + T0 // 10**9, "look like s and not nanoseconds"),
        (np.arange(10) * 1000 + T0 // 10**6, "look like ms"),
        (np.arange(10) * 10**9 + T0 + 10**12, "do not overlap"),
        (np.arange(10) * 10**9 + T0 + 5 * 10**8, "larger distance"),
        (np.array([T0, T0 + 5, T0 + 3]), "run backwards"),
        (np.array([T0, T0 + 5, T0 + 5]), "occurs twice"),
        (np.array([0.1, 0.2]), "whole nanoseconds"),
        (np.array([], dtype=np.int64), "nothing to compare"),
    ],
)
def test_nonsense_stamps_are_explained(estimate: np.ndarray, words: str) -> None:
    with pytest.raises(DataError, match=words):
        associate(np.arange(10) * 10**9 + T0, estimate, 0.01)
