"""The types that sensors fill and datasets hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array


@dataclass(frozen=True)
class CameraStream:
    """One camera of one robot.

    Attributes:
        name: `<robot>/<sensor>` or, for stereo, `<robot>/<sensor>/left` and `.../right`.
        camera: Intrinsics.
        T_body_camera: Robot's root body to the optical frame while the mount is in its zero position.
        rate_hz: Frames per second.
        role: `mono`, `left`, `right` or `rgbd`.
        baseline_m: Distance of a stereo pair; 0 otherwise.
        max_depth_m: Sensed depth range of an RGB-D camera; 0 otherwise.
    """

    name: str
    camera: PinholeCamera
    T_body_camera: Array
    rate_hz: float
    role: Literal["mono", "left", "right", "rgbd"]
    baseline_m: float = 0.0
    max_depth_m: float = 0.0


@dataclass(frozen=True)
class ImuStream:
    """One IMU of one robot: `<robot>/<sensor>`, its mount, and its rate."""

    name: str
    T_body_imu: Array
    rate_hz: float


@dataclass(frozen=True)
class Box2d:
    """Axis-aligned box in pixels of an instance: outer edges, half-open, clipped to the image.

    The tight box encloses the visible pixels; the loose one the projected whole shape, hidden parts
    included. visible_fraction = visible pixels / pixels the shape would cover alone, if known, else -1.
    """

    instance: int
    tight: tuple[float, float, float, float] | None
    loose: tuple[float, float, float, float]
    visible_pixels: int


@dataclass(frozen=True)
class Box3d:
    """Oriented box: pose of its centre in the world, full size in metres along its own axes."""

    instance: int
    T_world_box: Array
    size_m: tuple[float, float, float]


@dataclass(frozen=True)
class CameraFrame:
    """Everything of one camera at one time; a field that was not asked for is None.

    Attributes:
        t_ns: Stamp.
        T_world_camera: Pose of the optical frame.
        colour: sRGB, (h, w, 3) uint8.
        depth: Planar depth in metres, (h, w) float32; 0 where a ray hits nothing.
        range: Length of the ray in metres, (h, w) float32; 0 where a ray hits nothing.
        normals: Unit normals in the optical frame, facing the camera, (h, w, 3) float32; 0 for nothing.
        instance: (h, w) uint16.
        semantic: (h, w) uint16.
        flow: Pixels to the next frame of this stream, (h, w, 2) float32 as (du, dv); NaN where undefined.
        occluded: True where the point is not seen by the next frame (hidden or outside), (h, w) bool.
        boxes_2d: Of the instances in view.
        boxes_3d: Of the instances in view.
    """

    t_ns: int
    T_world_camera: Array
    colour: NDArray[np.uint8] | None = None
    depth: NDArray[np.float32] | None = None
    range: NDArray[np.float32] | None = None
    normals: NDArray[np.float32] | None = None
    instance: NDArray[np.uint16] | None = None
    semantic: NDArray[np.uint16] | None = None
    flow: NDArray[np.float32] | None = None
    occluded: NDArray[np.bool_] | None = None
    boxes_2d: tuple[Box2d, ...] | None = None
    boxes_3d: tuple[Box3d, ...] | None = None


@dataclass(frozen=True)
class ImuSamples:
    """IMU readings: stamps (n,), angular rate rad/s (n, 3), specific force m/s^2 (n, 3), IMU frame."""

    t_ns: NDArray[np.int64]
    angular_rate: Array
    specific_force: Array
