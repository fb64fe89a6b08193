"""Equality with numbers taken by an independent tool, and with that tool where it is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from veridical.core.errors import DataError
from veridical.core.trajectory import Trajectory
from veridical.evaluate import Score, evaluate_trajectory
from veridical.evaluate.alignment import align

Paths = dict[str, Trajectory]
TOLERANCE = 1e-6


def score(paths: Paths, which: str, alignment: str, **options: Any) -> Score:
    return evaluate_trajectory(paths["truth"], paths[which], alignment, **options)


@pytest.mark.parametrize(
    ("which", "alignment", "first_n", "expected"),
    [
        ("a", "none", None, {"rmse": 0.124736, "mean": 0.110540, "median": 0.102082, "max": 0.242151,
                             "std": 0.057792, "sse": 1.571463}),
        ("a", "se3", None, {"rmse": 0.066923, "mean": 0.060660, "median": 0.057419, "max": 0.155896}),
        ("b", "se3", None, {"rmse": 1.003494, "mean": 1.002574, "median": 1.002828, "max": 1.089604}),
        ("b", "sim3", None, {"rmse": 0.066909, "mean": 0.060657, "median": 0.056884, "max": 0.154683}),
        ("b", "sim3", 20, {"rmse": 0.165444, "mean": 0.146457, "median": 0.169394, "max": 0.268109}),
        ("a", "first", None, {"rmse": 0.138852, "mean": 0.127584, "median": 0.122569, "max": 0.252961,
                              "min": 0.0}),
        ("c", "sim3", None, {"rmse": 0.052693, "mean": 0.049680, "median": 0.048796, "max": 0.094195}),
    ],
)  # fmt: skip
def test_absolute_errors(
    paths: Paths, which: str, alignment: str, first_n: int | None, expected: dict[str, float]
) -> None:
    found = score(paths, which, alignment, first_n=first_n).ape_m
    assert {k: getattr(found, k) for k in expected} == pytest.approx(expected, abs=TOLERANCE)


def test_rotation_errors(paths: Paths) -> None:
    expected = {"rmse": 0.579282, "mean": 0.504145, "median": 0.407989, "max": 0.972015}
    for which, alignment in (("a", "se3"), ("b", "sim3")):
        found = score(paths, which, alignment).ape_deg
        assert {k: getattr(found, k) for k in expected} == pytest.approx(expected, abs=2e-6)


def test_scales_and_pairs(paths: Paths) -> None:
    b, c = score(paths, "b", "sim3"), score(paths, "c", "sim3")
    assert b.alignment.scale == pytest.approx(1.24966544, abs=1e-8)
    assert c.alignment.scale == pytest.approx(1.24692172, abs=1e-8)
    assert c.association.n_matched == 61
    assert b.association.median_offset_s == pytest.approx(0.004)


def test_too_narrow_in_time(paths: Paths) -> None:
    with pytest.raises(DataError, match="within 3 ms"):
        score(paths, "b", "sim3", max_dt_s=0.003)


def test_relative_errors(paths: Paths) -> None:
    (one,) = score(paths, "a", "none", steps=[(1, "frames")]).rpe
    assert one.translation_m.rmse == pytest.approx(0.038593, abs=TOLERANCE)
    assert one.translation_m.mean == pytest.approx(0.036968, abs=TOLERANCE)
    assert one.translation_m.median == pytest.approx(0.038390, abs=TOLERANCE)
    assert one.translation_m.max == pytest.approx(0.056874, abs=TOLERANCE)
    assert one.rotation_deg.rmse == pytest.approx(0.266811, abs=TOLERANCE)
    for overlapping, rmse, mean, largest in (
        (False, 0.066018, 0.063984, 0.095785),
        (True, 0.067027, 0.062344, 0.112608),
    ):
        (r,) = score(
            paths, "a", "none", steps=[(2.0, "m")], overlapping=overlapping, pairs_from="estimate"
        ).rpe
        assert r.translation_m.rmse == pytest.approx(rmse, abs=TOLERANCE)
        assert r.translation_m.mean == pytest.approx(mean, abs=TOLERANCE)
        assert r.translation_m.max == pytest.approx(largest, abs=TOLERANCE)
    for which, rmse in (("b", 0.038584), ("c", 0.045186)):
        (r,) = score(paths, which, "sim3", steps=[(1, "frames")]).rpe
        assert r.translation_m.rmse == pytest.approx(rmse, abs=TOLERANCE)


def test_coverage_lengths_delta_and_drift(paths: Paths) -> None:
    a, c = score(paths, "a", "none", drift_lengths_m=(5, 10, 15, 20, 25)), score(paths, "c", "none")
    assert c.tracking.rate_frames == pytest.approx(0.603960, abs=TOLERANCE)
    assert c.tracking.span == pytest.approx(0.7)
    assert c.tracking.rate_time == pytest.approx(0.7)
    assert c.reference_length_m == pytest.approx(31.722244, abs=TOLERANCE)
    assert c.estimate_length_m == pytest.approx(17.897747, abs=TOLERANCE)
    assert score(paths, "a", "none").delta_percent == pytest.approx(0.348461, abs=100 * TOLERANCE / 31.722244)
    assert a.drift is not None
    assert a.drift.n_segments == 29
    assert a.drift.translation_percent == pytest.approx(1.119651, abs=TOLERANCE)
    assert a.drift.rotation_deg_per_m == pytest.approx(0.071029, abs=TOLERANCE)


@pytest.mark.parametrize("which", ["a", "b", "c"])
@pytest.mark.parametrize("alignment", ["none", "se3", "sim3", "first"])
def test_against_the_oracle(paths: Paths, which: str, alignment: str) -> None:
    """Any disagreement beyond rounding is a fault of one of the two."""
    evo = pytest.importorskip("evo", reason="the oracle (evo, GPL, tests only) is not installed")
    assert evo.__version__
    from evo.core import metrics, sync
    from evo.core.trajectory import PoseTrajectory3D

    def as_evo(path: Trajectory) -> Any:
        return PoseTrajectory3D(path.position, path.quat_wxyz, path.t_ns / 1e9)

    ref, est = sync.associate_trajectories(as_evo(paths["truth"]), as_evo(paths[which]), max_diff=0.01)
    if alignment == "first":
        est.align_origin(ref)
    elif alignment != "none":
        est.align(ref, correct_scale=alignment == "sim3")

    def oracle(metric: Any) -> dict[str, float]:
        metric.process_data((ref, est))
        return {k.value: v for k, v in ((s, metric.get_statistic(s)) for s in metrics.StatisticsType)}

    relation = metrics.PoseRelation
    mine = score(
        paths, which, alignment, steps=[(1, "frames"), (7, "frames"), (1.5, "m")], pairs_from="estimate"
    )
    pairs = [
        (mine.ape_m, metrics.APE(relation.translation_part)),
        (mine.ape_deg, metrics.APE(relation.rotation_angle_deg)),
    ]
    for r in mine.rpe:
        unit = metrics.Unit.frames if r.unit == "frames" else metrics.Unit.meters
        delta = int(r.delta) if r.unit == "frames" else r.delta
        pairs.append((r.translation_m, metrics.RPE(relation.translation_part, delta, unit)))
        pairs.append((r.rotation_deg, metrics.RPE(relation.rotation_angle_deg, delta, unit)))
    assert len(pairs) == 8
    for statistics, metric in pairs:
        for name, value in oracle(metric).items():
            assert getattr(statistics, name) == pytest.approx(value, abs=TOLERANCE), (metric, name)
    (all_pairs,) = score(
        paths, which, alignment, steps=[(1.5, "m")], overlapping=True, pairs_from="estimate"
    ).rpe
    rpe = metrics.RPE(relation.translation_part, 1.5, metrics.Unit.meters, all_pairs=True)
    assert all_pairs.translation_m.rmse == pytest.approx(oracle(rpe)["rmse"], abs=TOLERANCE)


def test_alignment_of_the_oracle_set_is_a_rotation(paths: Paths) -> None:
    found = align(paths["truth"].T, paths["b"].T, "sim3")
    np.testing.assert_allclose(found.T[:3, :3] @ found.T[:3, :3].T, np.eye(3), atol=1e-12)
