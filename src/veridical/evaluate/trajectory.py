"""Evaluates an estimated path against the true one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veridical.core.clock import NS_PER_S
from veridical.core.geometry import Array
from veridical.core.trajectory import Trajectory
from veridical.evaluate.alignment import align
from veridical.evaluate.association import Matches, associate
from veridical.evaluate.errors import (
    RelativeError,
    Statistics,
    absolute_errors,
    drift,
    path_lengths,
    relative_error,
)
from veridical.evaluate.score import Association, Score, Segment, Series
from veridical.evaluate.tracking import Tracking, tracking

Step = tuple[float, Literal["frames", "m"]]
_MOTIONLESS_M = 1e-9


def evaluate_trajectory(
    reference: Trajectory,
    estimate: Trajectory,
    alignment: str = "se3",
    *,
    first_n: int | None = None,
    max_dt_s: float = 0.01,
    steps: Sequence[Step] = ((1, "frames"), (1.0, "m")),
    overlapping: bool = False,
    pairs_from: Literal["reference", "estimate"] = "reference",
    drift_lengths_m: Sequence[float] | None = None,
    map_id: NDArray[np.int64] | None = None,
    frames_ns: NDArray[np.int64] | None = None,
    method: str = "",
    stream: str = "",
) -> Score:
    """Compares two stamped paths of the same frame of the same body.

    Args:
        reference: True poses.
        estimate: Estimated poses, in any world frame; only those that were really tracked.
        alignment: `none`, `se3`, `sim3`, `yaw` or `first`; see `alignment.align`.
        first_n: Align by the first so many pairs only.
        max_dt_s: Largest distance in time of a pair, seconds.
        steps: Lengths of the relative errors.
        overlapping: Start a relative step at every pose, not only where the last one ended.
        pairs_from: Path that measures steps given in metres; other tools often take the estimate's.
        drift_lengths_m: Sub-paths of the drift; by default tenths of the path, or 100 to 800 m.
        map_id: Map of each estimated pose, shape (len(estimate),).
        frames_ns: Stamps of all frames the method was given; by default the reference's.
        method: Name for the score.
        stream: Name for the score.

    Raises:
        DataError: If nothing matches, or an argument is unknown.
    """
    matches = associate(reference.t_ns, estimate.t_ns, max_dt_s)
    ref, est = reference.T[matches.reference], estimate.T[matches.estimate]
    t_ns = reference.t_ns[matches.reference]
    maps = np.zeros(len(estimate), np.int64) if map_id is None else map_id
    maps = maps[matches.estimate]
    found = align(ref, est, alignment, first_n)
    aligned = found.apply(est)
    distance, angle = absolute_errors(ref, aligned)
    covered = tracking(
        reference.t_ns if frames_ns is None else frames_ns,
        t_ns if frames_ns is None else estimate.t_ns,
        maps if frames_ns is None else map_id,
    )
    length, matched_length = reference.length_m, float(path_lengths(ref)[-1])
    parts = _parts(t_ns, maps, reference.t_ns if frames_ns is None else frames_ns)
    relative = [
        relative_error(ref, aligned, delta, unit, overlapping=overlapping, pairs_from=pairs_from)
        for delta, unit in steps
    ]
    ape = Statistics.of(distance)
    moves = matched_length > _MOTIONLESS_M
    return Score(
        method=method,
        stream=stream,
        alignment=found,
        association=_association(reference, estimate, matches, max_dt_s),
        tracking=covered,
        reference_length_m=length,
        matched_length_m=matched_length,
        estimate_length_m=sum(float(path_lengths(aligned[part])[-1]) for part in parts),
        ape_m=ape,
        ape_deg=Statistics.of(angle),
        ate_percent=100 * ape.rmse / matched_length if moves else None,
        delta_percent=100 * ape.mean / matched_length if moves else None,
        rpe=tuple(r for r in relative if r is not None),
        drift=drift(ref, aligned, tuple(drift_lengths_m) if drift_lengths_m else None) if moves else None,
        segments=tuple(_segment(ref[p], est[p], t_ns[p], int(maps[p[0]]), alignment) for p in parts),
        warnings=tuple(_warnings(found.note, covered, relative, steps, moves)),
        series=Series(t_ns, ref[:, :3, 3].copy(), aligned[:, :3, 3].copy(), distance, angle),
    )


def _association(
    reference: Trajectory, estimate: Trajectory, matches: Matches, max_dt_s: float
) -> Association:
    offset = np.abs(matches.offset_ns)
    return Association(
        n_reference=len(reference),
        n_estimate=len(estimate),
        n_matched=len(matches),
        max_dt_s=max_dt_s,
        median_offset_s=float(np.median(offset)) / NS_PER_S,
        max_offset_s=float(offset.max()) / NS_PER_S,
    )


def _parts(
    t_ns: NDArray[np.int64], maps: NDArray[np.int64], frames_ns: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """Indices of each stretch without a gap of more than two frame periods or a new map."""
    period = float(np.median(np.diff(frames_ns))) if len(frames_ns) > 1 else 0.0
    cut = (np.diff(t_ns) > 2 * period * (1 + 1e-6)) | (np.diff(maps) != 0)
    return list(np.split(np.arange(len(t_ns)), np.flatnonzero(cut) + 1))


def _segment(ref: Array, est: Array, t_ns: NDArray[np.int64], map_id: int, alignment: str) -> Segment:
    ate = None
    if len(ref) > 1:
        ate = Statistics.of(absolute_errors(ref, align(ref, est, alignment).apply(est))[0]).rmse
    return Segment(
        map_id=map_id,
        start_s=float(t_ns[0]) / NS_PER_S,
        end_s=float(t_ns[-1]) / NS_PER_S,
        n=len(ref),
        reference_length_m=float(path_lengths(ref)[-1]),
        ate_m=ate,
    )


def _warnings(
    note: str,
    covered: Tracking,
    relative: Sequence[RelativeError | None],
    steps: Sequence[Step],
    moves: bool,
) -> list[str]:
    out = [f"alignment: {note}"] if note else []
    if not moves:
        out.append("the reference does not move: no percent of path, no drift")
    if covered.frames_tracked < covered.frames:
        missing = covered.frames - covered.frames_tracked
        out.append(f"{missing} of {covered.frames} frames have no pose and count in no error")
    if covered.n_maps > 1:
        out.append(
            f"{covered.n_maps} maps joined as one path: the error holds their unmeasured joints too; "
            "see the segments"
        )
    for (delta, unit), r in zip(steps, relative, strict=True):
        if r is None:
            out.append(f"the path is too short for a relative error over {delta:g} {unit}")
    return out
