"""The sensor streams of a scenario, with their calibration in the composed world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veridical.core.camera import PinholeCamera
from veridical.core.errors import DataError
from veridical.core.geometry import R_BODY_OPTICAL, Array, from_rpy, invert, transform
from veridical.datasets.frames import CameraStream, ImuStream
from veridical.scenario.schema import Camera, Imu, Pose, RgbdCamera, Scenario, StereoCamera
from veridical.sensors.kinematics import BodyChain
from veridical.worlds.world import RobotPart, World


@dataclass(frozen=True, eq=False)
class Carried:
    """Where a sensor sits: MuJoCo body, and T_carrier_sensor (4, 4) of its frame there."""

    body: str
    T_carrier_sensor: Array


@dataclass(frozen=True, eq=False)
class CarriedCamera(Carried):
    """A camera stream with its carrier."""

    stream: CameraStream


@dataclass(frozen=True, eq=False)
class CarriedImu(Carried):
    """An IMU stream with its carrier."""

    stream: ImuStream


def camera_streams(scenario: Scenario, world: World) -> list[CameraStream]:
    """All camera streams in the order of the scenario; a stereo camera gives left, then right."""
    return [c.stream for c in carried_cameras(scenario, world)]


def imu_streams(scenario: Scenario, world: World) -> list[ImuStream]:
    """All IMU streams in the order of the scenario."""
    return [c.stream for c in carried_imus(scenario, world)]


def carried_cameras(scenario: Scenario, world: World) -> list[CarriedCamera]:
    """All camera streams with the bodies that carry them."""
    found = []
    for robot, name, sensor in _sensors(scenario):
        if isinstance(sensor, Camera):
            found += _cameras(world, _part(world, robot), name, sensor)
    return found


def carried_imus(scenario: Scenario, world: World) -> list[CarriedImu]:
    """All IMU streams with the bodies that carry them."""
    found = []
    for robot, name, sensor in _sensors(scenario):
        if isinstance(sensor, Imu):
            part = _part(world, robot)
            T_mount = mount(sensor.mount)
            T_body_imu = _body_from_carrier(world, part) @ T_mount
            stream = ImuStream(f"{robot}/{name}", T_body_imu, sensor.rate_hz)
            found.append(CarriedImu(part.sensor_body, T_mount, stream))
    return found


def mount(pose: Pose) -> Array:
    """T_carrier_sensor (4, 4) of a mount in the scenario."""
    return transform(from_rpy(np.radians(pose.rpy_deg)), pose.position)


def _sensors(scenario: Scenario) -> list[tuple[str, str, Camera | Imu]]:
    return [
        (robot, name, sensor)
        for robot, part in scenario.robots.items()
        for name, sensor in part.sensors.items()
    ]


def _part(world: World, robot: str) -> RobotPart:
    for part in world.robots:
        if part.name == robot:
            return part
    known = ", ".join(p.name for p in world.robots) or "none"
    msg = f"the world has no robot '{robot}' (it has {known}); compose it again from this scenario"
    raise DataError(msg)


def _body_from_carrier(world: World, part: RobotPart) -> Array:
    """T_body_carrier (4, 4) while all joints are at their zero."""
    zero = np.asarray(world.model.qpos0, float)
    root, carrier = (BodyChain(world.model, body).poses(zero)[0] for body in (part.body, part.sensor_body))
    return np.asarray(invert(root) @ carrier)


def _cameras(world: World, part: RobotPart, name: str, sensor: Camera) -> list[CarriedCamera]:
    ideal = PinholeCamera.from_hfov(sensor.width, sensor.height, float(np.radians(sensor.hfov_deg)))
    camera = PinholeCamera(
        ideal.width, ideal.height, ideal.fx, ideal.fy, ideal.cx, ideal.cy, sensor.distortion
    )
    T_body_carrier = _body_from_carrier(world, part)
    T_left = mount(sensor.mount) @ transform(R_BODY_OPTICAL, np.zeros(3))
    full_name = f"{part.name}/{name}"

    def carried(
        stream_name: str, T: Array, role: str, baseline_m: float, max_depth_m: float
    ) -> CarriedCamera:
        stream = CameraStream(
            stream_name,
            camera,
            T_body_carrier @ T,
            sensor.rate_hz,
            role,  # type: ignore[arg-type]
            baseline_m,
            max_depth_m,
        )
        return CarriedCamera(part.sensor_body, T, stream)

    if isinstance(sensor, StereoCamera):
        T_right = T_left @ transform(np.eye(3), [sensor.baseline_m, 0.0, 0.0])
        return [
            carried(f"{full_name}/left", T_left, "left", sensor.baseline_m, 0.0),
            carried(f"{full_name}/right", T_right, "right", sensor.baseline_m, 0.0),
        ]
    if isinstance(sensor, RgbdCamera):
        return [carried(full_name, T_left, "rgbd", 0.0, sensor.max_depth_m)]
    return [carried(full_name, T_left, "mono", 0.0, 0.0)]
