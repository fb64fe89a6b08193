"""Do images, depth, flow, poses and intrinsics tell one story?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array, invert
from veridical.datasets.certificate.check import Check, Fault, skipped
from veridical.datasets.certificate.fit import Correction, Residuals, fit
from veridical.datasets.certificate.warp import Samples, View, land, warp
from veridical.datasets.read import Dataset

MEDIAN_PX = 0.1
FOCAL_PERCENT = 0.2
TRANSLATION_MM = 2.0
ROTATION_DEG = 0.02
WRONG_ID_PERCENT = 2.0
BLIND_PERCENT = 50.0

_MAX_FLOW_PAIRS = 400
_MAX_SURFACE_PAIRS = 60
_WIDE_GAP_S = 1.0
_FIT_SAMPLES = 120
_MIN_STATIC_SAMPLES = 10


def check_views(data: Dataset, stream: str) -> list[Check]:
    """Reprojection, flow, intrinsics, relative poses and stable ids of one camera stream with depth."""
    view = View(data, stream)
    if len(view) < 2:
        return [skipped("reprojection to the next frame", stream, MEDIAN_PX, "px", "it has one frame only")]
    has_flow = "flow" in data.layers(stream)
    firsts = _spread(len(view) - 1, _MAX_FLOW_PAIRS if has_flow else _MAX_SURFACE_PAIRS)
    residuals = _flow_residuals(view, firsts) if has_flow else _surface_residuals(view, firsts)
    correction, is_observable = _explain(view, residuals, firsts)
    own = _own_checks(stream, correction, is_observable, firsts)
    fault = _fault(own)
    checks = _surface_checks(view, fault)
    if has_flow:
        checks += _flow_checks(view, firsts, fault)
    return checks + own


def _spread(n: int, most: int) -> NDArray[np.int64]:
    """At most `most` indices below n, evenly spread, all of them if they fit."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64)) if n > 0 else np.arange(0)


# --- what would explain the residuals --------------------------------------------------------------------


def _flow_residuals(view: View, firsts: NDArray[np.int64]) -> Residuals:
    """Warped pixel minus the pixel that the flow gives: u and v of some static samples of each frame."""
    uv = np.full((len(firsts), _FIT_SAMPLES, 2), np.nan)
    depth, target = np.full(uv.shape[:2], np.nan), uv.copy()
    for row, i in enumerate(map(int, firsts)):
        s = view.samples(i)
        keep = np.flatnonzero(view.static(s))
        keep = keep[_spread(len(keep), _FIT_SAMPLES)]
        uv[row, : len(keep)], depth[row, : len(keep)] = s.uv[keep], s.depth[keep]
        target[row, : len(keep)] = (s.uv + view.flow(i))[keep]

    def residuals(camera: PinholeCamera, T_j_i: Array) -> Array:
        return np.asarray((warp(camera, uv, depth, T_j_i)[0] - target).reshape(len(firsts), -1))

    return residuals


def _surface_residuals(view: View, firsts: NDArray[np.int64]) -> Residuals:
    """Distance from warped samples to the surface of the next frame, for data without flow."""
    samples = [view.samples(i) for i in map(int, firsts)]

    def residuals(camera: PinholeCamera, T_j_i: Array) -> Array:
        out = np.full((len(firsts), max(len(s.depth) for s in samples)), np.nan)
        for row, (i, s, T) in enumerate(zip(firsts, samples, T_j_i, strict=True)):
            uv, z = warp(camera, s.uv, s.depth, T)
            error = land(view, i + 1, uv, z, s.instance, camera).error_px
            out[row, : len(error)] = np.where(view.static(s), error, np.nan)
        return out

    return residuals


def _explain(view: View, residuals: Residuals, firsts: NDArray[np.int64]) -> tuple[Correction, bool]:
    """The joint fit; with fixed intrinsics if the motion does not show them."""
    T_j_i = invert(view.poses.T[firsts + 1]) @ view.poses.T[firsts]
    correction = fit(view.camera, residuals, T_j_i)
    if 100 * correction.intrinsics_std[:2].max() < FOCAL_PERCENT / 4:
        return correction, True
    return fit(view.camera, residuals, T_j_i, free_intrinsics=False), False


def _own_checks(
    stream: str, correction: Correction, is_observable: bool, firsts: NDArray[np.int64]
) -> list[Check]:
    name = "focal length that the motion in the images shows"
    checks = []
    if is_observable:
        fx, fy, cx, cy = map(float, correction.intrinsics)
        worst = 100 * max(abs(fx), abs(fy))
        numbers = {"fx_percent": 100 * fx, "fy_percent": 100 * fy, "cx_px": cx, "cy_px": cy}
        checks.append(Check(name, stream, worst, FOCAL_PERCENT, "%", len(firsts), "calibration", "", numbers))
    else:
        why = "the camera moves too little to show it"
        checks.append(skipped(name, stream, FOCAL_PERCENT, "%", why))
    return checks + _pose_checks(stream, correction, firsts)


def _pose_checks(stream: str, correction: Correction, firsts: NDArray[np.int64]) -> list[Check]:
    checks = []
    for name, part, factor, unit, limit in (
        ("relative translation against the images", slice(0, 3), 1e3, "mm", TRANSLATION_MM),
        ("relative rotation against the images", slice(3, 6), np.rad2deg(1), "deg", ROTATION_DEG),
    ):
        size = factor * np.linalg.norm(correction.twists[:, part], axis=1)
        known = factor * correction.twists_std[:, part].max(axis=1) < limit / 4
        if not known.any():
            checks.append(skipped(name, stream, limit, unit, "too few static pixels to show it"))
            continue
        worst = int(np.flatnonzero(known)[size[known].argmax()])
        bad = int((size[known] > limit).sum())
        detail = f"worst between frames {firsts[worst]} and {firsts[worst] + 1}; {bad} pairs beyond"
        numbers = {f"median_{unit}": float(np.median(size[known]))}
        value, n = float(size[worst]), int(known.sum())
        checks.append(Check(name, stream, value, limit, unit, n, "pose", detail if bad else "", numbers))
    return checks


def _fault(own: list[Check]) -> Fault:
    """The word for residuals that are too large: what the fit corrects, else the depth itself."""
    failed = [check.fault for check in own if check.passed is False and check.fault]
    return failed[0] if failed else "depth"


# --- residuals as they are -------------------------------------------------------------------------------


def _flow_checks(view: View, firsts: NDArray[np.int64], fault: Fault) -> list[Check]:
    static, moving, moving_as_static = [], [], []
    for i in map(int, firsts):
        s = view.samples(i)
        target = s.uv + view.flow(i)
        still = np.linalg.norm(warp(view.camera, s.uv, s.depth, view.relative(i, i + 1))[0] - target, axis=1)
        static.append(still[view.static(s)])
        for on, T_j_i in _movers(view, i, i + 1, s):
            landed = warp(view.camera, s.uv[on], s.depth[on], T_j_i)[0]
            moving.append(np.linalg.norm(landed - target[on], axis=1))
            moving_as_static.append(still[on])
    word: Fault = "flow" if fault == "depth" else fault
    name = "flow of moving things equals the warp by their poses"
    if word == "flow" and _median(name, "", moving_as_static, word).passed:
        moving_word: Fault = "labels"  # the pixels that bear the id stand still
    else:
        moving_word = word
    return [
        _median("flow equals the warp", view.stream, static, word),
        _median(name, view.stream, moving, moving_word),
    ]


def _movers(view: View, i: int, j: int, s: Samples) -> list[tuple[NDArray[np.bool_], Array]]:
    """Samples on each movable instance and the relative pose that carries them."""
    if not np.isin(s.instance, list(view.dynamic)).any():
        return []
    to_j, from_i = invert(view.poses.T[j]), view.poses.T[i]
    on = {k: s.instance == k for k in view.motions(i, j)}
    return [(on[k], to_j @ M @ from_i) for k, M in view.motions(i, j).items() if on[k].any()]


def _surface_checks(view: View, fault: Fault) -> list[Check]:
    gap = min(max(2, round(_WIDE_GAP_S * view.data.cameras[view.stream].rate_hz)), len(view) - 1)
    next_errors, next_wrong = _surfaces(view, 1)
    wide_errors, wide_wrong = _surfaces(view, gap)
    checks = [
        _blind_frames(view),
        _median("reprojection to the next frame", view.stream, next_errors, fault),
        _median(f"reprojection over {gap} frames", view.stream, wide_errors, fault),
    ]
    if view.has_instances:
        checks.append(_stable_ids(view.stream, next_wrong + wide_wrong, fault))
    return checks


def _blind_frames(view: View) -> Check:
    """The share of frames that show nothing that stands still: they prove nothing, so most must not be."""
    frames = list(map(int, _spread(len(view), _MAX_SURFACE_PAIRS)))
    seen = np.array([view.static(view.samples(i)).sum() for i in frames])
    share = 100 * float(np.mean(seen < _MIN_STATIC_SAMPLES))
    detail = "look at the images: does the camera sit inside its robot, or face nothing?"
    name = "frames without anything static in view"
    is_bad = share > BLIND_PERCENT
    return Check(name, view.stream, share, BLIND_PERCENT, "%", len(frames), "image", detail if is_bad else "")


def _surfaces(view: View, gap: int) -> tuple[list[Array], list[tuple[int, int, int]]]:
    """Errors of each pair, and (frame, wrong ids, judged samples)."""
    errors, wrong = [], []
    for i in map(int, _spread(len(view) - gap, _MAX_SURFACE_PAIRS)):
        s = view.samples(i)
        groups = [(view.static(s), view.relative(i, i + gap)), *_movers(view, i, i + gap, s)]
        for on, T_j_i in groups:
            uv, z = warp(view.camera, s.uv[on], s.depth[on], T_j_i)
            landing = land(view, i + gap, uv, z, s.instance[on])
            errors.append(np.abs(landing.error_px))
            wrong.append((i, int((landing.judged & ~landing.same).sum()), int(landing.judged.sum())))
    return errors, wrong


def _median(name: str, stream: str, errors: list[Array], fault: Fault) -> Check:
    known = np.concatenate(errors) if errors else np.zeros(0)
    known = known[np.isfinite(known)]
    if not len(known):
        return skipped(name, stream, MEDIAN_PX, "px", "no pixel could be compared")
    numbers = {"p95_px": float(np.percentile(known, 95)), "max_px": float(known.max())}
    value = float(np.median(known))
    return Check(name, stream, value, MEDIAN_PX, "px", len(known), fault, "", numbers)


def _stable_ids(stream: str, wrong: list[tuple[int, int, int]], fault: Fault) -> Check:
    """The share of wrong ids in the worst pair of frames with enough samples."""
    name = "ids stay with their surfaces"
    shares = [(100 * bad / n, i) for i, bad, n in wrong if n >= 30]
    if fault != "depth":
        why = f"the {fault} fault moves pixels to other things"
        return skipped(name, stream, WRONG_ID_PERCENT, "%", why)
    if not shares:
        return skipped(name, stream, WRONG_ID_PERCENT, "%", "no pixel could be compared")
    value, frame = max(shares)
    n = sum(n for _, _, n in wrong)
    return Check(
        name, stream, value, WRONG_ID_PERCENT, "%", n, "labels", f"worst at frame {frame}" if value else ""
    )
