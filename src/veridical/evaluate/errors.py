"""Trajectory errors on matched poses: absolute, relative, and drift over sub-paths.

Sources: ATE and RPE after Sturm et al., A Benchmark for the Evaluation of RGB-D SLAM Systems (2012);
drift over sub-paths after Geiger et al., Are We Ready for Autonomous Driving? (2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.geometry import Array, invert, rotation_angle

Pairs = NDArray[np.int64]


@dataclass(frozen=True)
class Statistics:
    """Of n errors: root mean square, mean, median, population standard deviation, range, sum of squares."""

    n: int
    rmse: float
    mean: float
    median: float
    std: float
    min: float
    max: float
    sse: float

    @classmethod
    def of(cls, errors: Array) -> Statistics:
        """Raises DataError if there is no error to count."""
        if not len(errors):
            msg = "no errors to make statistics of"
            raise DataError(msg)
        e = np.asarray(errors, float)
        sse = float((e**2).sum())
        return cls(
            n=len(e),
            rmse=float(np.sqrt(sse / len(e))),
            mean=float(e.mean()),
            median=float(np.median(e)),
            std=float(e.std()),
            min=float(e.min()),
            max=float(e.max()),
            sse=sse,
        )


@dataclass(frozen=True)
class RelativeError:
    """Relative pose error over a fixed step.

    Attributes:
        delta: Length of the step.
        unit: Of delta: `frames` or `m` (path length).
        overlapping: True if a step starts at every pose, False if steps follow one another.
        pairs_from: Whose path measures the steps.
        translation_m: Of the steps' translation errors.
        rotation_deg: Of the steps' rotation errors.
    """

    delta: float
    unit: Literal["frames", "m"]
    overlapping: bool
    pairs_from: Literal["reference", "estimate"]
    translation_m: Statistics
    rotation_deg: Statistics


@dataclass(frozen=True)
class Drift:
    """Mean end error of sub-paths, by their length.

    Attributes:
        lengths_m: Lengths of the sub-paths that were used.
        start_step: A sub-path starts at every so many poses.
        n_segments: Number of sub-paths.
        translation_percent: Mean of translation error by length, percent.
        rotation_deg_per_m: Mean of rotation error by length.
    """

    lengths_m: tuple[float, ...]
    start_step: int
    n_segments: int
    translation_percent: float
    rotation_deg_per_m: float


def absolute_errors(reference: Array, aligned: Array) -> tuple[Array, Array]:
    """Distances in metres (n,) and rotation angles in degrees (n,) between poses (n, 4, 4)."""
    distance = np.linalg.norm(reference[:, :3, 3] - aligned[:, :3, 3], axis=1)
    R = np.swapaxes(reference[:, :3, :3], 1, 2) @ aligned[:, :3, :3]
    return distance, np.rad2deg(rotation_angle(R))


def path_lengths(T: Array) -> Array:
    """Path length in metres from the first pose to each pose, shape (n,)."""
    steps = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1)
    return np.concatenate([[0.0], np.cumsum(steps)])


def step_pairs(T: Array, delta: float, unit: Literal["frames", "m"], overlapping: bool) -> Pairs:
    """Start and end (k, 2) of steps along poses (n, 4, 4).

    Steps in metres: a consecutive step ends at the first pose at which delta metres or more have passed
    since the last end, beginning at the first pose; an overlapping step ends at the pose whose path from
    its start is nearest to delta, if it is within 10 percent of it. Both rules are those of the common
    evaluation tools, so that numbers compare.
    """
    n = len(T)
    if unit == "frames":
        step = round(delta)
        if step < 1 or step != delta:
            msg = f"relative error over {delta} frames; need a whole number of 1 or more"
            raise DataError(msg)
        starts = np.arange(0, max(n - step, 0), 1 if overlapping else step)
        return np.stack([starts, starts + step], axis=1)
    if not delta > 0:
        msg = f"relative error over {delta} m; need more than 0"
        raise DataError(msg)
    return _overlapping_steps(path_lengths(T), delta) if overlapping else _consecutive_steps(T, delta)


def _overlapping_steps(along: Array, delta: float) -> Pairs:
    starts = np.arange(len(along) - 1)
    goal = along[:-1] + delta
    after = np.clip(np.searchsorted(along, goal), starts + 1, len(along) - 1)
    before = np.maximum(after - 1, starts + 1)
    ends = np.where(np.abs(along[before] - goal) <= np.abs(along[after] - goal), before, after)
    near = np.abs(along[ends] - goal) <= 0.1 * delta
    return np.stack([starts[near], ends[near]], axis=1)


def _consecutive_steps(T: Array, delta: float) -> Pairs:
    ends, passed = [0], 0.0
    for i, step in enumerate(np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1), start=1):
        passed += float(step)
        if passed >= delta:
            ends.append(i)
            passed = 0.0
    return np.array(list(pairwise(ends)), dtype=np.int64).reshape(-1, 2)


def pair_errors(reference: Array, aligned: Array, pairs: Pairs) -> tuple[Array, Array]:
    """Translation in metres (k,) and rotation in degrees (k,) by which steps differ."""
    i, j = pairs[:, 0], pairs[:, 1]
    E = invert(invert(reference[i]) @ reference[j]) @ invert(aligned[i]) @ aligned[j]
    return np.linalg.norm(E[:, :3, 3], axis=1), np.rad2deg(rotation_angle(E[:, :3, :3]))


def relative_error(
    reference: Array,
    aligned: Array,
    delta: float,
    unit: Literal["frames", "m"] = "frames",
    *,
    overlapping: bool = False,
    pairs_from: Literal["reference", "estimate"] = "reference",
) -> RelativeError | None:
    """The relative pose error, or None if the path is shorter than one step."""
    source = reference if pairs_from == "reference" else aligned
    pairs = step_pairs(source, delta, unit, overlapping)
    if not len(pairs):
        return None
    distance, angle = pair_errors(reference, aligned, pairs)
    return RelativeError(delta, unit, overlapping, pairs_from, Statistics.of(distance), Statistics.of(angle))


def drift(
    reference: Array, aligned: Array, lengths_m: tuple[float, ...] | None = None, start_step: int = 10
) -> Drift | None:
    """Drift over sub-paths of the reference, or None if the path is shorter than all lengths.

    Args:
        reference: Poses (n, 4, 4).
        aligned: Poses (n, 4, 4).
        lengths_m: Lengths of sub-paths; by default 100, 200, ... 800 m if the path is longer than 800 m,
            and else one to eight tenths of the path.
        start_step: A sub-path starts at every so many poses, and ends at the first pose beyond its length.
    """
    along = path_lengths(reference)
    if lengths_m is None:
        unit = 100.0 if along[-1] > 800 else float(along[-1]) / 10
        lengths_m = tuple(unit * k for k in range(1, 9))
    starts = np.arange(0, len(reference), start_step)
    used, translation, rotation = [], [], []
    for length in lengths_m:
        if not length > 0:
            continue
        ends = np.searchsorted(along, along[starts] + length, side="right")
        inside = ends < len(along)
        if inside.any():
            used.append(float(length))
            distance, angle = pair_errors(
                reference, aligned, np.stack([starts[inside], ends[inside]], axis=1)
            )
            translation.append(distance / length)
            rotation.append(angle / length)
    if not used:
        return None
    per_m, deg_per_m = np.concatenate(translation), np.concatenate(rotation)
    return Drift(tuple(used), start_step, len(per_m), 100 * float(per_m.mean()), float(deg_per_m.mean()))
