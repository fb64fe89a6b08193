"""Visual odometry: points of a keyframe are followed into each new frame, whose pose is fitted to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array, apply, invert, se3_exp, se3_log
from veridical.estimate.bundle import Views, adjust
from veridical.estimate.corners import corners
from veridical.estimate.flow import follow
from veridical.estimate.pose import PoseFit, fit_pose
from veridical.estimate.rig import Rig
from veridical.estimate.source import Frame

_MIN_START_POINTS = 30
_MIN_INLIERS = 12
_MIN_INLIER_RATIO = 0.35


@dataclass(frozen=True)
class Settings:
    """How the odometry works.

    Attributes:
        every_frame: True measures each frame against the one before it.
        window: Keyframes adjusted together; with 0, each keyframe triangulates its points anew.
        fixed: Older keyframes that hold the window in place.
        cell_px: Side of the cells that corners are spread over.
        per_cell: Corners in a cell.
        patch_px: Side of the patch that is followed.
        contrast_px: Surroundings whose contrast is made equal, see `images.locally_normalised`.
        inlier_px: Largest distance between a measurement and its projection.
        keep_ratio: A new keyframe is made when fewer of the keyframe's points are still followed.
        max_flow_px: ... or when the median point has moved so far.
        patience: Frames that the odometry tries to recover after a loss, before it starts a new map.
    """

    every_frame: bool = False
    window: int = 8
    fixed: int = 3
    cell_px: int = 20
    per_cell: int = 2
    patch_px: int = 15
    contrast_px: float = 3.0
    inlier_px: float = 1.5
    keep_ratio: float = 0.7
    max_flow_px: float = 25.0
    patience: int = 5


@dataclass
class _Keyframe:
    T: Array  # camera <- world
    ids: NDArray[np.int64]
    uvr: Array


@dataclass(frozen=True)
class Step:
    """What is known of one frame at the time it was seen.

    `keyframe` is the index of the keyframe that `T_keyframe_camera` refers to; both are None if lost.
    """

    state: Literal["ok", "lost", "start"]
    map_id: int
    keyframe: int | None
    T_keyframe_camera: Array | None
    inlier_ratio: float = 0.0
    n_inliers: int = 0
    rms_px: float = float("nan")
    flow_px: float = float("nan")
    covariance: Array = field(default_factory=lambda: np.full((6, 6), np.nan))


class Odometry:
    """Takes frames one after the other; poses can be read at any time."""

    def __init__(self, rig: Rig, settings: Settings) -> None:
        self._rig = rig
        self._settings = settings
        self._keyframes: list[_Keyframe] = []
        self._points: dict[int, Array] = {}
        self._next_id = 0
        self._map_first = 0  # index of the first keyframe of the current map
        self._map_id = -1
        self._reference: Frame | None = None  # the image of the last keyframe
        self._uv = np.zeros((0, 2))  # its points, as they are in the image
        self._T_world_camera = np.eye(4)
        self._twist = np.zeros(6)
        self._t_ns = 0
        self._lost = 0
        self.steps: list[Step] = []

    def add(self, t_ns: int, frame: Frame) -> Step:
        """Takes the next frame."""
        expected = self._predict(t_ns)
        if self._reference is None or self._lost >= self._settings.patience:
            step = self._start(frame, expected)
        else:
            step = self._track(t_ns, frame, expected)
        self._lost = self._lost + 1 if step.state == "lost" else 0
        if step.state != "lost":
            self._t_ns = t_ns
        self.steps.append(step)
        return step

    def poses(self) -> Array:
        """Poses T_first_camera (n, 4, 4) of all frames so far by the present keyframes; NaN where lost."""
        out = np.full((len(self.steps), 4, 4), np.nan)
        for T, step in zip(out, self.steps, strict=True):
            if step.keyframe is not None and step.T_keyframe_camera is not None:
                T[:] = invert(self._keyframes[step.keyframe].T) @ step.T_keyframe_camera
        return out

    def _predict(self, t_ns: int) -> Array:
        return np.asarray(self._T_world_camera @ se3_exp(self._twist * (t_ns - self._t_ns) * 1e-9))

    def _start(self, frame: Frame, T_world_camera: Array) -> Step:
        first = self._map_id < 0
        T = np.eye(4) if first else T_world_camera
        empty = _Keyframe(invert(T), np.zeros(0, np.int64), np.zeros((0, 3)))
        uv, keyframe = self._with_new_points(frame, np.zeros((0, 2)), empty)
        if len(uv) < _MIN_START_POINTS:
            return Step("lost", max(self._map_id, 0), None, None)
        self._map_id += 1
        self._map_first = len(self._keyframes)
        self._keep(frame, uv, keyframe)
        self._T_world_camera, self._twist = T, np.zeros(6)
        return Step(
            "start",
            self._map_id,
            len(self._keyframes) - 1,
            np.eye(4),
            1.0,
            len(uv),
            0.0,
            0.0,
            np.zeros((6, 6)),
        )

    def _track(self, t_ns: int, frame: Frame, expected: Array) -> Step:
        assert self._reference is not None
        last = self._keyframes[-1]
        points = np.array([self._points[i] for i in last.ids])
        found = self._match(frame, points, expected) or self._match(frame, points, self._T_world_camera)
        if found is None:
            return Step("lost", self._map_id, None, None)
        index, uv, uvr, fit = found
        T = invert(fit.T_camera_world)
        dt = (t_ns - self._t_ns) * 1e-9
        self._twist = se3_log(invert(self._T_world_camera) @ T) / dt
        self._T_world_camera = T
        n_last, k = len(last.ids), len(self._keyframes) - 1
        kept = index[fit.inliers]
        flow = float(np.median(np.linalg.norm(uv - self._uv[index], axis=1)))
        step = Step(
            "ok",
            self._map_id,
            k,
            last.T @ T,
            inlier_ratio=len(kept) / n_last,
            n_inliers=len(kept),
            rms_px=fit.rms_px,
            flow_px=flow,
            covariance=fit.covariance,
        )
        s = self._settings
        if s.every_frame or len(kept) < s.keep_ratio * n_last or flow > s.max_flow_px:
            keyframe = _Keyframe(fit.T_camera_world, last.ids[kept], uvr[fit.inliers])
            if s.window == 0:
                self._triangulate_anew(keyframe)
            new_uv, keyframe = self._with_new_points(frame, uv[fit.inliers], keyframe)
            self._keep(frame, new_uv, keyframe)
            if s.window:
                self._adjust()
                self._T_world_camera = invert(self._keyframes[-1].T)
            step = Step(
                "ok",
                self._map_id,
                k + 1,
                np.eye(4),
                inlier_ratio=step.inlier_ratio,
                n_inliers=step.n_inliers,
                rms_px=fit.rms_px,
                flow_px=flow,
                covariance=fit.covariance,
            )
        return step

    def _match(
        self, frame: Frame, points: Array, T_world_camera: Array
    ) -> tuple[NDArray[np.int64], Array, Array, PoseFit] | None:
        """Follows the keyframe's points; returns their indices, pixels, measurements and the pose."""
        assert self._reference is not None
        T = invert(T_world_camera)
        seen = apply(T, points)
        ahead = seen[:, 2] > 0.05
        guess = np.where(ahead[:, None], self._rig.camera.project(seen).uv, self._uv)
        uv, ok = follow(self._reference.left, frame.left, self._uv, guess, self._settings.patch_px)
        index = np.flatnonzero(ok & ahead)
        uvr, good = frame.columns(self._rig, uv[index], seen[index])
        index, uvr = index[good], uvr[good]
        fit = fit_pose(self._rig, points[index], uvr, T, self._settings.inlier_px)
        if fit is None or fit.inliers.sum() < _MIN_INLIERS or fit.inliers.mean() < _MIN_INLIER_RATIO:
            return None
        return index, uv[index], uvr, fit

    def _triangulate_anew(self, keyframe: _Keyframe) -> None:
        world = apply(invert(keyframe.T), self._rig.points(keyframe.uvr))
        self._points.update(zip(keyframe.ids.tolist(), world, strict=True))

    def _with_new_points(self, frame: Frame, uv: Array, keyframe: _Keyframe) -> tuple[Array, _Keyframe]:
        s = self._settings
        new = corners(frame.left, uv, s.cell_px, s.per_cell)
        uvr, good = frame.columns(self._rig, new, None)
        new, uvr = new[good], uvr[good]
        ids = np.arange(self._next_id, self._next_id + len(new))
        self._next_id += len(new)
        world = apply(invert(keyframe.T), self._rig.points(uvr))
        self._points.update(zip(ids.tolist(), world, strict=True))
        joined = _Keyframe(
            keyframe.T, np.concatenate([keyframe.ids, ids]), np.concatenate([keyframe.uvr, uvr])
        )
        return np.concatenate([uv, new]), joined

    def _keep(self, frame: Frame, uv: Array, keyframe: _Keyframe) -> None:
        self._keyframes.append(keyframe)
        self._reference, self._uv = frame, uv
        used = set(np.concatenate([k.ids for k in self._recent()]).tolist())
        self._points = {i: p for i, p in self._points.items() if i in used}

    def _recent(self) -> list[_Keyframe]:
        count = max(self._settings.window + self._settings.fixed, 1)
        return self._keyframes[self._map_first :][-count:]

    def _adjust(self) -> None:
        frames = self._recent()
        n_fixed = max(len(frames) - self._settings.window, 1)
        if len(frames) <= n_fixed:
            return
        ids = np.concatenate([k.ids for k in frames])
        frame = np.repeat(np.arange(len(frames)), [len(k.ids) for k in frames])
        uvr = np.concatenate([k.uvr for k in frames])
        known, point, count = np.unique(ids, return_inverse=True, return_counts=True)
        keep = count[point] > 1
        chosen, point = np.unique(point[keep], return_inverse=True)
        points = np.array([self._points[i] for i in known[chosen].tolist()])
        poses = np.array([k.T for k in frames])
        poses, points = adjust(self._rig, poses, points, Views(frame[keep], point, uvr[keep]), n_fixed)
        before = frames[-1].T
        for k, T in zip(frames, poses, strict=True):
            k.T = T
        self._points.update(zip(known[chosen].tolist(), points, strict=True))
        # points seen once move along with the keyframe that saw them
        last = frames[-1]
        alone = np.setdiff1d(last.ids, known[chosen])
        if len(alone):
            moved = apply(invert(last.T) @ before, np.array([self._points[i] for i in alone.tolist()]))
            self._points.update(zip(alone.tolist(), moved, strict=True))
