"""An analytic dataset: a box room with boxes in it, exact truth and an exact IMU, without any engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import R_BODY_OPTICAL, Array, apply, from_rpy, invert, transform
from veridical.core.trajectory import Trajectory
from veridical.datasets import Dataset, DatasetWriter, Plan
from veridical.datasets.frames import Box2d, Box3d, CameraFrame, CameraStream, ImuSamples, ImuStream
from veridical.datasets.labels import LabelRow
from veridical.scenario import Scenario

W, H, BASELINE = 80, 60, 0.1
G = np.array([0.0, 0.0, -9.81])
T_BODY_LEFT = transform(from_rpy([0.02, 0.1, -0.03]) @ R_BODY_OPTICAL, [0.12, 0.05, 0.02])
T_BODY_RIGHT = T_BODY_LEFT @ transform(np.eye(3), [BASELINE, 0, 0])
T_BODY_IMU = transform(from_rpy([0.3, -0.2, 0.5]), [-0.03, 0.02, 0.04])


@dataclass(frozen=True)
class Solid:
    """A box: id, semantic id, half size, and its pose over time (at rest, or swinging)."""

    id: int
    name: str
    category: str
    semantic_id: int
    half: tuple[float, float, float]
    center: tuple[float, float, float]
    yaw: float = 0.0
    swing: float = 0.0

    def pose(self, t: float) -> Array:
        x, y, z = self.center
        center = [x, y + self.swing * np.sin(1.3 * t), z]
        return transform(from_rpy([0, 0, self.yaw + 0.5 * self.swing * t]), center)


ROOM = Solid(1, "room", "wall", 1, (2.5, 2.0, 1.3), (0, 0, 1.3))
SOLIDS = (
    ROOM,
    Solid(2, "chair_0", "chair", 10, (0.3, 0.3, 0.45), (1.8, 0.9, 0.45), 0.3),
    Solid(3, "chair_1", "chair", 10, (0.25, 0.3, 0.5), (1.7, -0.8, 0.5), -0.4),
    Solid(4, "bed_0", "bed", 11, (0.8, 0.5, 0.25), (0.6, 1.4, 0.25), 0.1),
    Solid(5, "box_0", "box", 29, (0.2, 0.2, 0.2), (1.9, 0.0, 1.2), 0.2, 0.35),
)


def position(t: Array, order: int = 0) -> Array:
    """Body position (n, 3), or its first or second derivative."""
    return np.stack(
        [
            (-0.8 if order == 0 else 0.0) + 0.5 * _sine(0.7, 0.2, t, order),
            0.45 * _sine(0.9, 1.0, t, order),
            (1.3 if order == 0 else 0.0) + 0.25 * _sine(1.1, -0.4, t, order),
        ],
        axis=-1,
    )


def angles(t: Array, order: int = 0) -> Array:
    """Roll, pitch, yaw (n, 3), or their first derivative."""
    return np.stack(
        [0.12 * _sine(1.3, 0.1, t, order), 0.10 * _sine(1.1, 0.9, t, order), 0.5 * _sine(0.6, 0.0, t, order)],
        axis=-1,
    )


def _sine(omega: float, phase: float, t: Array, order: int) -> Array:
    return omega**order * np.sin(omega * t + phase + order * np.pi / 2)


def body_pose(t: Array) -> Array:
    return transform(from_rpy(angles(t)), position(t))


def body_rate(t: Array) -> Array:
    """Angular rate in the body frame, from the Euler rates of Rz Ry Rx."""
    (roll, pitch, _), (dr, dp, dy) = angles(t).T, angles(t, 1).T
    return np.stack(
        [
            dr - dy * np.sin(pitch),
            dp * np.cos(roll) + dy * np.sin(roll) * np.cos(pitch),
            -dp * np.sin(roll) + dy * np.cos(roll) * np.cos(pitch),
        ],
        axis=-1,
    )


def imu_samples(t_ns: NDArray[np.int64]) -> ImuSamples:
    """Exact, with lever arm; the angular acceleration by a central difference of the exact rate."""
    t, h = t_ns * 1e-9, 1e-5
    R, w = from_rpy(angles(t)), body_rate(t)
    alpha = (body_rate(t + h) - body_rate(t - h)) / (2 * h)
    lever = T_BODY_IMU[:3, 3]
    force = (
        ((position(t, 2) - G)[:, None] @ R)[:, 0] + np.cross(alpha, lever) + np.cross(w, np.cross(w, lever))
    )
    return ImuSamples(t_ns, w @ T_BODY_IMU[:3, :3], force @ T_BODY_IMU[:3, :3])


@dataclass(frozen=True)
class Hits:
    depth: Array
    instance: NDArray[np.int64]
    normals: Array


def cast(origin: Array, directions: Array, t: float) -> Hits:
    """Nearest hits of rays (n, 3) in the world; distances are in units of the directions' length."""
    best = np.full(len(directions), np.inf)
    instance = np.zeros(len(directions), np.int64)
    normals = np.zeros_like(directions)
    for solid in SOLIDS:
        T = solid.pose(t)
        o = apply(invert(T), origin[None]).T
        d = (directions @ T[:3, :3]).T
        half = np.array(solid.half)[:, None]
        with np.errstate(divide="ignore"):
            a, b = (-half - o) / d, (half - o) / d
        near, far = np.minimum(a, b), np.maximum(a, b)
        entry = np.maximum(np.maximum(near[0], near[1]), near[2])
        leave = np.minimum(np.minimum(far[0], far[1]), far[2])
        distance, faces = (leave, far) if solid is ROOM else (entry, near)
        hit = (distance > 0) & (distance < best) & (entry < leave)
        best[hit], instance[hit] = distance[hit], solid.id
        axis = faces[:, hit].argmax(axis=0) if solid is not ROOM else faces[:, hit].argmin(axis=0)
        normals[hit] = (-np.sign(d.T[hit]) * np.eye(3)[axis]) @ T[:3, :3].T
    return Hits(best, instance, normals)


def frame(camera: PinholeCamera, T: Array, T_next: Array, t: float, t_next: float) -> CameraFrame:
    rays = camera.directions(camera.pixel_grid()).reshape(-1, 3)
    hits = cast(T[:3, 3], rays @ T[:3, :3].T, t)
    points = apply(T, rays * hits.depth[:, None])
    moved = points.copy()
    for solid in SOLIDS:
        if solid.swing:
            on = hits.instance == solid.id
            moved[on] = apply(solid.pose(t_next) @ invert(solid.pose(t)), points[on])
    seen = camera.project(apply(invert(T_next), moved))
    to_point = moved - T_next[:3, 3]
    occluded = ~seen.visible | (cast(T_next[:3, 3], to_point, t_next).depth < 1 - 1e-6)
    flow = seen.uv - camera.pixel_grid().reshape(-1, 2)
    instance = hits.instance.reshape(H, W).astype(np.uint16)
    semantic_of = np.zeros(8, np.uint16)
    for solid in SOLIDS:
        semantic_of[solid.id] = solid.semantic_id
    return CameraFrame(
        t_ns=round(t * 1e9),
        T_world_camera=T,
        colour=paint(points, hits.instance),
        depth=hits.depth.reshape(H, W).astype(np.float32),
        normals=(hits.normals @ T[:3, :3]).reshape(H, W, 3).astype(np.float32),
        instance=instance,
        semantic=semantic_of[instance],
        flow=flow.reshape(H, W, 2).astype(np.float32),
        occluded=occluded.reshape(H, W),
        boxes_2d=boxes_2d(instance),
        boxes_3d=tuple(
            Box3d(s.id, s.pose(t), tuple(2 * x for x in s.half)) for s in SOLIDS if (instance == s.id).any()
        ),
    )


def paint(points: Array, instance: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Stripes fixed in the world, of another shade for every instance."""
    stripes = np.sin(9 * points).sum(axis=1) + 0.3 * instance
    grey = (127 + 40 * stripes).clip(0, 255).reshape(H, W).astype(np.uint8)
    return np.stack([grey] * 3, axis=-1)


def colour(camera: PinholeCamera, T: Array, t: float) -> NDArray[np.uint8]:
    rays = camera.directions(camera.pixel_grid()).reshape(-1, 3)
    hits = cast(T[:3, 3], rays @ T[:3, :3].T, t)
    return paint(apply(T, rays * hits.depth[:, None]), hits.instance)


def boxes_2d(instance: NDArray[np.uint16]) -> tuple[Box2d, ...]:
    out = []
    for solid in SOLIDS:
        v, u = np.nonzero(instance == solid.id)
        if len(u):
            tight = (float(u.min()), float(v.min()), float(u.max() + 1), float(v.max() + 1))
            out.append(Box2d(solid.id, tight, tight, len(u)))
    return tuple(out)


def make(folder: Path, *, n: int = 110, distortion: tuple[float, ...] = (0.0,) * 5) -> Dataset:
    """n frames at 10 Hz, an IMU at 200 Hz, body poses at 200 Hz."""
    f = 0.5 * W / np.tan(np.deg2rad(42.5))
    camera = PinholeCamera(W, H, f, f, (W - 1) / 2, (H - 1) / 2, distortion)  # type: ignore[arg-type]
    stamps = np.arange(n, dtype=np.int64) * 100_000_000
    cameras = (
        CameraStream("scout/front/left", camera, T_BODY_LEFT, 10.0, "left", BASELINE),
        CameraStream("scout/front/right", camera, T_BODY_RIGHT, 10.0, "right", BASELINE),
    )
    sensors = {
        "front": {"kind": "stereo", "width": W, "height": H, "baseline_m": BASELINE},
        "imu": {"kind": "imu"},
    }
    plan = Plan(
        scenario=Scenario.model_validate({"robots": {"scout": {"kind": "quadrotor", "sensors": sensors}}}),
        run={"sha256": "analytic"},
        cameras=cameras,
        stamps={c.name: stamps for c in cameras},
        imus=(ImuStream("scout/imu", T_BODY_IMU, 200.0),),
        labels=tuple(LabelRow(s.id, s.name, s.category, s.semantic_id, s.swing > 0) for s in SOLIDS),
        renderer="analytic",
    )
    writer = DatasetWriter.open(folder, plan)
    for i, t_ns in enumerate(stamps):
        t, t_next = t_ns * 1e-9, (t_ns + 100_000_000) * 1e-9
        T, T_next = (body_pose(np.array(x)) @ T_BODY_LEFT for x in (t, t_next))
        left = frame(camera, T, T_next, t, t_next)
        writer.write_frame("scout/front/left", i, left)
        T_right = body_pose(np.array(t)) @ T_BODY_RIGHT
        right = CameraFrame(int(t_ns), T_right, colour=colour(camera, T_right, t))
        writer.write_frame("scout/front/right", i, right)
    fine = np.arange(0, stamps[-1] + 1, 5_000_000, dtype=np.int64)
    writer.write_imu("scout/imu", imu_samples(fine))
    writer.write_trajectory("scout", Trajectory(fine, body_pose(fine * 1e-9)))
    return writer.finish()
