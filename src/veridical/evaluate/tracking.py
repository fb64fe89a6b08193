"""How much of a recording a method tracked at all; an error means little without it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.core.clock import NS_PER_S

_GAP_PERIODS = 2.0
"""Poses further apart than this many frame periods leave the time between them lost."""


@dataclass(frozen=True)
class Tracking:
    """Coverage of a recording.

    Attributes:
        frames: Frames that were there to be tracked.
        frames_tracked: Frames with a pose.
        rate_frames: frames_tracked / frames.
        rate_time: Time between neighbouring poses of one map, gaps of more than two frame periods left out,
            by the recording's duration.
        span: Time from first to last pose, by the recording's duration.
        first_pose_delay_s: From the first frame to the first pose.
        longest_segment_s: Longest time without a gap or a new map.
        n_segments: Stretches without a gap or a new map.
        n_maps: Maps; poses of different maps are not connected by a measurement.
    """

    frames: int
    frames_tracked: int
    rate_frames: float
    rate_time: float
    span: float
    first_pose_delay_s: float
    longest_segment_s: float
    n_segments: int
    n_maps: int


def tracking(
    frames_ns: NDArray[np.int64], tracked_ns: NDArray[np.int64], map_id: NDArray[np.int64] | None = None
) -> Tracking:
    """Compares the stamps of all frames (n,) with those of the tracked ones (m,), m >= 1."""
    maps = np.zeros(len(tracked_ns), np.int64) if map_id is None else map_id
    duration = max(int(frames_ns[-1] - frames_ns[0]), 1)
    period = float(np.median(np.diff(frames_ns))) if len(frames_ns) > 1 else 0.0
    steps = np.diff(tracked_ns)
    together = (steps <= _GAP_PERIODS * period * (1 + 1e-6)) & (np.diff(maps) == 0)
    parts = np.split(tracked_ns, np.flatnonzero(~together) + 1)
    alone = len(frames_ns) == 1
    return Tracking(
        frames=len(frames_ns),
        frames_tracked=len(tracked_ns),
        rate_frames=len(tracked_ns) / len(frames_ns),
        rate_time=1.0 if alone else float(steps[together].sum()) / duration,
        span=1.0 if alone else float(tracked_ns[-1] - tracked_ns[0]) / duration,
        first_pose_delay_s=float(tracked_ns[0] - frames_ns[0]) / NS_PER_S,
        longest_segment_s=max(float(part[-1] - part[0]) for part in parts) / NS_PER_S,
        n_segments=len(parts),
        n_maps=len(np.unique(maps)),
    )
