"""Which pose of an estimate belongs to which pose of the reference, by time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.core.clock import NS_PER_S
from veridical.core.errors import DataError

_UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


@dataclass(frozen=True)
class Matches:
    """One-to-one pairs in the order of time.

    Attributes:
        reference: Indices into the reference, shape (n,).
        estimate: Indices into the estimate, shape (n,).
        offset_ns: Estimate's stamp minus the reference's, shape (n,).
    """

    reference: NDArray[np.int64]
    estimate: NDArray[np.int64]
    offset_ns: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.reference)


def check_stamps(t_ns: ArrayLike, name: str) -> NDArray[np.int64]:
    """Returns the stamps as int64.

    Raises:
        DataError: If they are not whole numbers, not sorted, or not all different.
    """
    given = np.asarray(t_ns)
    stamps = given.astype(np.int64)
    if given.ndim != 1 or not np.array_equal(stamps, given):
        msg = f"{name}: stamps must be one row of whole nanoseconds; multiply seconds by 1e9 and round"
        raise DataError(msg)
    steps = np.diff(stamps)
    if np.any(steps < 0):
        i = int(np.argmax(steps < 0))
        msg = (
            f"{name}: stamps run backwards {int((steps < 0).sum())} times, first from {stamps[i]} to "
            f"{stamps[i + 1]} ns at row {i + 1}; sort the rows, or split them if sessions were joined"
        )
        raise DataError(msg)
    if np.any(steps == 0):
        i = int(np.argmax(steps == 0))
        msg = f"{name}: stamp {stamps[i]} ns occurs twice (rows {i} and {i + 1}); keep one of them"
        raise DataError(msg)
    return stamps


def associate(reference_ns: ArrayLike, estimate_ns: ArrayLike, max_dt_s: float = 0.01) -> Matches:
    """Pairs each estimate with its nearest reference; each reference is used once, by its nearest estimate.

    Args:
        reference_ns: Stamps (n,), strictly increasing.
        estimate_ns: Stamps (m,), strictly increasing.
        max_dt_s: Largest distance in time of a pair, seconds; a pair at exactly this distance counts.

    Raises:
        DataError: If stamps are unsorted or double, or nothing matches. The message names a likely mix of
            time units or a constant offset.
    """
    ref, est = check_stamps(reference_ns, "reference"), check_stamps(estimate_ns, "estimate")
    max_dt_ns = round(max_dt_s * NS_PER_S)
    if len(ref) and len(est):
        nearest = _nearest(ref, est)
        back = _nearest(est, ref)
        mutual = (back[nearest] == np.arange(len(est))) & (np.abs(est - ref[nearest]) <= max_dt_ns)
        e = np.flatnonzero(mutual).astype(np.int64)
        r = nearest[e].astype(np.int64)
        if len(e):
            return Matches(r, e, est[e] - ref[r])
    raise DataError(_why_nothing_matches(ref, est, max_dt_s))


def _nearest(sorted_ns: NDArray[np.int64], query_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    right = np.clip(np.searchsorted(sorted_ns, query_ns), 1, max(len(sorted_ns) - 1, 1))
    left = right - 1
    right = np.minimum(right, len(sorted_ns) - 1)
    closer_right = sorted_ns[right] - query_ns < query_ns - sorted_ns[left]
    return np.where(closer_right, right, left).astype(np.int64)


def _why_nothing_matches(ref: NDArray[np.int64], est: NDArray[np.int64], max_dt_s: float) -> str:
    if not len(ref) or not len(est):
        return f"nothing to compare: {len(ref)} reference and {len(est)} estimated poses"
    spans = (
        f"reference {ref[0] / 1e9:.6f} to {ref[-1] / 1e9:.6f} s, "
        f"estimate {est[0] / 1e9:.6f} to {est[-1] / 1e9:.6f} s"
    )
    head = f"no estimate lies within {max_dt_s * 1e3:g} ms of a reference stamp ({spans})"
    unit = _mixed_unit(ref, est)
    if unit:
        return (
            f"{head}; the estimate's stamps look like {unit} and not nanoseconds: multiply by {_UNITS[unit]}"
        )
    unit = _mixed_unit(est, ref)
    if unit:
        return (
            f"{head}; the reference's stamps look like {unit} and not nanoseconds: multiply by {_UNITS[unit]}"
        )
    if est[0] > ref[-1] or est[-1] < ref[0]:
        shift_s = (est[0] - ref[0]) / 1e9
        return (
            f"{head}; they do not overlap: bring both to one clock (first stamps differ by {shift_s:.6f} s)"
        )
    return f"{head}; allow a larger distance in time, or correct the clock offset"


def _mixed_unit(good: NDArray[np.int64], suspect: NDArray[np.int64]) -> str | None:
    middle = 0.5 * (float(suspect[0]) + float(suspect[-1]))
    span = max(float(good[-1] - good[0]), 1.0)
    for unit in ("s", "ms", "us"):
        scaled = middle * _UNITS[unit]
        if good[0] - span <= scaled <= good[-1] + span and middle < good[0]:
            return unit
    own, other = float(suspect[-1] - suspect[0]), float(good[-1] - good[0])
    for unit in ("s", "ms", "us"):
        if own > 0 and other > 0 and 0.5 < own * _UNITS[unit] / other < 2:
            return unit
    return None
