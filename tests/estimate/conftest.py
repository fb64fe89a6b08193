"""A patterned wall seen by a moving camera: images with exact truth, made without a renderer."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import from_rpy, invert, transform
from veridical.datasets.frames import CameraStream

BASELINE_M = 0.1
PIXELS_PER_M = 60.0
WALL_Z = 2.5


@dataclass
class WallData:
    """Looks like a blind dataset with one stereo and one RGB-D camera at the same place."""

    T: np.ndarray
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    dark: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.camera = PinholeCamera.from_hfov(320, 240, np.deg2rad(85))
        f = self.camera
        seen = PinholeCamera(f.width, f.height, f.fx, f.fy, f.cx, f.cy, self.distortion)
        self.cameras = {
            "r/stereo/left": CameraStream("r/stereo/left", seen, np.eye(4), 10, "left", BASELINE_M),
            "r/stereo/right": CameraStream("r/stereo/right", seen, np.eye(4), 10, "right", BASELINE_M),
            "r/rgbd": CameraStream("r/rgbd", seen, np.eye(4), 10, "rgbd", max_depth_m=10),
        }
        rng = np.random.default_rng(3)
        pattern = cv2.GaussianBlur(rng.standard_normal((900, 1200)).astype(np.float32), (0, 0), 1.6)
        self.pattern = np.clip(128 + 40 * pattern / pattern.std(), 0, 255).astype(np.float32)
        self.seen = seen

    def stereo_pairs(self) -> list[tuple[str, str]]:
        return [("r/stereo/left", "r/stereo/right")]

    def stamps(self, stream: str) -> np.ndarray:
        return np.arange(len(self.T)) * 100_000_000

    def _T_camera_world(self, stream: str, i: int) -> np.ndarray:
        shift = BASELINE_M if stream.endswith("right") else 0.0
        return invert(self.T[i] @ transform(np.eye(3), [shift, 0, 0]))

    def colour(self, stream: str, i: int) -> np.ndarray:
        if i in self.dark:
            return np.zeros((240, 320, 3), np.uint8)
        T = self._T_camera_world(stream, i)
        wall = np.column_stack([T[:3, 0], T[:3, 1], T[:3, 2] * WALL_Z + T[:3, 3]])
        height, width = self.pattern.shape
        to_wall = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, PIXELS_PER_M]]) / PIXELS_PER_M
        rays = self.seen.directions(self.seen.pixel_grid())
        at = rays @ np.linalg.inv(wall @ to_wall).T
        uv = (at[..., :2] / at[..., 2:]).astype(np.float32)
        grey = cv2.remap(self.pattern, uv[..., 0], uv[..., 1], cv2.INTER_CUBIC)
        return np.repeat(np.clip(np.rint(grey), 0, 255).astype(np.uint8)[..., None], 3, axis=2)

    def depth(self, stream: str, i: int) -> np.ndarray:
        T = invert(self._T_camera_world(stream, i))
        rays = self.seen.directions(self.seen.pixel_grid())
        return ((WALL_Z - T[2, 3]) / (rays @ T[2, :3])).astype(np.float32)


def sway(n: int) -> np.ndarray:
    """Poses (n, 4, 4) of the optical frame, the first one the identity; some 5 cm and 2 degrees a frame."""
    s = np.arange(n)[:, None] * 0.35
    rpy = np.hstack([0.03 * np.sin(s), 0.10 * np.sin(s), 0.04 * np.sin(0.7 * s)])
    position = np.hstack([0.18 * np.sin(s), 0.08 * (1 - np.cos(s)), 0.25 * np.sin(0.5 * s)])
    return transform(from_rpy(rpy), position)


@pytest.fixture
def wall() -> WallData:
    return WallData(sway(14))
