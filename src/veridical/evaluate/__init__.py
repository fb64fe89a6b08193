"""Measures estimates against the truth: trajectory errors with their conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veridical.core.errors import DataError
from veridical.datasets.track import Track
from veridical.evaluate.score import Score
from veridical.evaluate.trajectory import evaluate_trajectory

if TYPE_CHECKING:
    from veridical.datasets import Dataset

__all__ = ["Score", "evaluate", "evaluate_trajectory"]


def evaluate(data: Dataset, track: Track, alignment: str = "se3", **options: Any) -> Score:
    """Compares a track with the dataset's true poses of the same stream.

    Args:
        data: Full reader of the dataset.
        track: Estimate of one of its camera streams.
        alignment: `none`, `se3`, `sim3`, `yaw` or `first`.
        **options: Passed to `evaluate_trajectory`.

    Raises:
        DataError: If no frame of the track has a pose.
    """
    if not track.tracked.any():
        msg = f"{track.method} on {track.stream}: no frame was tracked, so there is no error to measure"
        raise DataError(msg)
    return evaluate_trajectory(
        data.poses(track.stream),
        track.trajectory,
        alignment,
        map_id=track.map_id[track.tracked],
        frames_ns=track.t_ns,
        method=track.method,
        stream=track.stream,
        **options,
    )
