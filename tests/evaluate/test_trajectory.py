from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.core.errors import DataError
from veridical.core.geometry import from_rpy, rotation_angle, se3_exp, transform
from veridical.core.trajectory import Trajectory
from veridical.evaluate import Score, evaluate_trajectory
from veridical.evaluate.alignment import align

N = 40
numbers = st.floats(-3, 3, allow_nan=False)
twists = st.tuples(*[numbers] * 6).map(lambda v: np.array(v) * [3, 3, 3, 0.8, 0.8, 0.8])


def curve(n: int = N) -> np.ndarray:
    s = np.linspace(0, 4, n)
    position = np.stack([3 * np.cos(s), 2 * np.sin(1.3 * s), 0.4 * s], axis=1)
    return transform(from_rpy(np.stack([0.1 * np.sin(s), 0.2 * np.cos(s), s], axis=1)), position)


def straight(n: int = N) -> np.ndarray:
    s = np.linspace(0, 10, n)[:, None]
    return transform(from_rpy([0.1, 0.2, 0.3]), s * [1.0, 0.0, 0.0] + [0, 0, 1])


def path(T: np.ndarray) -> Trajectory:
    return Trajectory(np.arange(len(T)) * 100_000_000, T)


@settings(max_examples=30, deadline=None)
@given(twist=twists, scale=st.floats(0.1, 10))
def test_alignment_recovers_known_transforms(twist: np.ndarray, scale: float) -> None:
    T, truth = se3_exp(twist), curve()
    moved = np.linalg.inv(T) @ truth
    np.testing.assert_allclose(align(truth, moved, "se3").T, T, atol=1e-9)
    np.testing.assert_allclose(align(truth, moved, "first").T, T, atol=1e-9)
    moved[:, :3, 3] /= scale
    found = align(truth, moved, "sim3")
    assert found.scale == pytest.approx(scale, rel=1e-9)
    np.testing.assert_allclose(found.apply(moved), truth, atol=1e-8)


@settings(max_examples=20, deadline=None)
@given(yaw=st.floats(-3.1, 3.1), shift=st.tuples(numbers, numbers, numbers))
def test_yaw_alignment_keeps_the_vertical(yaw: float, shift: tuple[float, float, float]) -> None:
    T, truth = transform(from_rpy([0, 0, yaw]), shift), curve()
    np.testing.assert_allclose(align(truth, np.linalg.inv(T) @ truth, "yaw").T, T, atol=1e-9)
    tilted = se3_exp([0, 0, 0, 0.3, 0.1, 0.2]) @ truth
    np.testing.assert_allclose(align(truth, tilted, "yaw").T[2, :3], [0, 0, 1], atol=1e-12)


@settings(max_examples=20, deadline=None)
@given(twist=twists, seed=st.integers(0, 100))
def test_errors_do_not_depend_on_the_estimates_frame(twist: np.ndarray, seed: int) -> None:
    noisy = curve() @ se3_exp(np.random.default_rng(seed).normal(scale=0.02, size=(N, 6)))
    a = evaluate_trajectory(path(curve()), path(noisy))
    b = evaluate_trajectory(path(curve()), path(se3_exp(twist) @ noisy))
    assert b.ate_m == pytest.approx(a.ate_m, abs=1e-9)
    assert b.ape_deg.rmse == pytest.approx(a.ape_deg.rmse, abs=1e-6)
    assert b.rpe[0].translation_m.rmse == pytest.approx(a.rpe[0].translation_m.rmse, abs=1e-9)


def test_no_alignment_makes_the_positions_nearer() -> None:
    noisy = se3_exp([1, 2, 3, 0.1, 0.2, 0.3]) @ curve()
    noisy = noisy @ se3_exp(np.random.default_rng(1).normal(scale=0.05, size=(N, 6)))
    ate = {
        m: evaluate_trajectory(path(curve()), path(noisy), m).ate_m for m in ("none", "first", "se3", "sim3")
    }
    assert ate["sim3"] <= ate["se3"] <= min(ate["first"], ate["none"])


@pytest.mark.parametrize("alignment", ["se3", "sim3", "yaw"])
def test_straight_path_is_aligned_by_orientation_and_says_so(alignment: str) -> None:
    T = se3_exp([1, 2, 3, 0.0, 0.0, 1.2])
    score = evaluate_trajectory(path(straight()), path(T @ straight()), alignment)
    assert score.ate_m < 1e-9
    assert score.ape_deg.max < 1e-6
    if alignment != "yaw":
        assert "straight path" in score.alignment.note
        assert "straight path" in score.conditions
        assert "straight path" in str(score)


def test_straight_path_keeps_its_scale() -> None:
    half = straight()
    half[:, :3, 3] *= 0.5
    assert align(straight(), half, "sim3").scale == pytest.approx(2.0)


@pytest.mark.parametrize("alignment", ["none", "se3", "sim3", "yaw", "first"])
def test_motionless_path(alignment: str) -> None:
    still = np.repeat(curve(1), N, axis=0)
    score = evaluate_trajectory(path(still), path(still), alignment)
    assert score.ate_m < 1e-12
    assert score.ate_percent is None
    assert score.drift is None
    assert any("does not move" in w for w in score.warnings)
    assert "ATE" in str(score)


def test_rotation_error_near_half_a_turn_is_finite() -> None:
    flipped = curve() @ transform(from_rpy([np.pi - 1e-9, 0, 0]), np.zeros(3))
    score = evaluate_trajectory(path(curve()), path(flipped), "none")
    assert score.ape_deg.mean == pytest.approx(180)
    assert rotation_angle(np.eye(3)) == 0


def test_gaps_and_maps_lower_the_rates() -> None:
    T, frames = curve(), path(curve())
    keep = np.r_[0:10, 14:30]
    estimate = Trajectory(frames.t_ns[keep], T[keep])
    maps = np.where(np.arange(len(keep)) < 20, 0, 1)
    score = evaluate_trajectory(frames, estimate, map_id=maps, frames_ns=frames.t_ns)
    t = score.tracking
    assert t.rate_frames == pytest.approx(26 / 40)
    assert t.rate_time == pytest.approx((9 + 9 + 5) / 39)
    assert t.span == pytest.approx(29 / 39)
    assert (t.n_segments, t.n_maps) == (3, 2)
    assert t.longest_segment_s == pytest.approx(0.9)
    assert [s.map_id for s in score.segments] == [0, 0, 1]
    assert [s.n for s in score.segments] == [10, 10, 6]
    assert any("2 maps" in w for w in score.warnings)
    assert any("14 of 40 frames" in w for w in score.warnings)


def test_score_survives_json(tmp_path: Path) -> None:
    noisy = curve() @ se3_exp(np.random.default_rng(1).normal(scale=0.05, size=(N, 6)))
    score = evaluate_trajectory(path(curve()), path(noisy), "sim3", method="m", stream="s/left")
    score.save(tmp_path / "score.json")
    back = Score.load(tmp_path / "score.json")
    assert back == score
    assert isinstance(back.series.t_ns, np.ndarray)
    assert back.series.t_ns.dtype == np.int64
    assert str(back) == str(score)


def test_text_has_the_conditions_beside_the_error() -> None:
    text = str(evaluate_trajectory(path(curve()), path(curve())))
    for words in ("ATE", "se3 aligned", "40 of 40", "tracking rate 100.0 %", "RPE per 1 frames"):
        assert words in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alignment": "sim"}, "Did you mean 'sim3'"),
        ({"first_n": 0}, "need 1 or more"),
        ({"steps": [(1.5, "frames")]}, "whole number"),
        ({"steps": [(0.0, "m")]}, "more than 0"),
    ],
)
def test_bad_requests(options: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        evaluate_trajectory(path(curve()), path(curve()), **options)
