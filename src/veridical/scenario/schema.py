"""The scenario file as data: what may be written, with units, ranges and defaults.

The only place where pydantic is used. Every model is frozen and refuses unknown keys.
Lengths are in metres, angles in degrees (the key says so), times in seconds, rates in hertz.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from veridical.core.clock import NS_PER_S

Vec3 = tuple[float, float, float]
Positive = Annotated[float, Field(gt=0)]
NonNegative = Annotated[float, Field(ge=0)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", description="lower case, digits, underscore")]


class Model(BaseModel):
    """Base of every part of the scenario: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Pose(Model):
    """A mount or a start pose: position in metres, then roll, pitch, yaw in degrees (Rz Ry Rx)."""

    position: Vec3 = (0.0, 0.0, 0.0)
    rpy_deg: Vec3 = (0.0, 0.0, 0.0)


# --- world -------------------------------------------------------------------------------------------


class ApartmentWorld(Model):
    """A furnished apartment, different for every seed."""

    kind: Literal["apartment"] = "apartment"
    rooms: Annotated[int, Field(ge=1, le=8, description="number of rooms")] = 5
    area_m2: Annotated[float, Field(ge=12, le=300, description="floor area, square metres")] = 78.0
    clutter: Annotated[float, Field(ge=0, le=2, description="1 is a lived-in home, 0 none")] = 1.0
    min_orb_per_megapixel: Annotated[
        float, Field(ge=0, description="texture gate for floors and walls; ORB keypoints per megapixel")
    ] = 3000.0


class FileWorld(Model):
    """A world read from a mesh file, GLB or OBJ."""

    kind: Literal["file"]
    path: Annotated[str, Field(description="relative to the scenario file")]
    scale: Annotated[Positive, Field(description="metres per unit of the file")] = 1.0
    up: Literal["y", "z"] = "y"
    collision: Annotated[Literal["mesh", "convex", "none"], Field(description="shapes for contact")] = "mesh"
    lamp: Annotated[bool, Field(description="add soft overhead light if the file has no light")] = True


class EmptyWorld(Model):
    """A textured floor under an open sky, for tests and first steps."""

    kind: Literal["empty"]
    size_m: Positive = 20.0


World = Annotated[ApartmentWorld | FileWorld | EmptyWorld, Field(discriminator="kind")]


class Conditions(Model):
    """Light; weather and medium join here."""

    lamps: Annotated[Literal["on", "off"], Field(description="electric light")] = "on"
    lamp_intensity: NonNegative = 1.0
    daylight: Annotated[NonNegative, Field(description="1 is a bright overcast noon, 0 is night")] = 1.0
    sun: Annotated[NonNegative, Field(description="direct sun through the windows, 1 is clear")] = 1.0
    sun_elevation_deg: Annotated[float, Field(gt=0, le=90)] = 35.0
    sun_azimuth_deg: Annotated[float, Field(description="counter-clockwise from world x")] = 215.0


# --- robots ------------------------------------------------------------------------------------------


class HoverMission(Model):
    """Holds the start pose."""

    kind: Literal["hover"]


class Waypoint(Model):
    """A position to pass; the yaw is free if not given."""

    position: Vec3
    yaw_deg: float | None = None


class WaypointMission(Model):
    """Passes the given points, under physics or as a smooth slide without physics."""

    kind: Literal["waypoints"]
    points: Annotated[tuple[Waypoint, ...], Field(min_length=2)]
    speed_mps: Positive = 0.8
    max_yaw_rate_dps: Positive = 45.0
    physics: Annotated[bool, Field(description="false: slide along the smooth path, no forces")] = True

    @field_validator("points")
    @classmethod
    def _has_length(cls, points: tuple[Waypoint, ...]) -> tuple[Waypoint, ...]:
        if len({point.position for point in points}) < 2:
            msg = "the mission has zero length: all points are equal. Give two that differ, or `kind: hover`."
            raise ValueError(msg)
        return points


class ExploreMission(Model):
    """Plans a collision-free tour through the free space and flies or drives it."""

    kind: Literal["explore"] = "explore"
    speed_mps: Positive = 0.8
    max_yaw_rate_dps: Positive = 45.0
    clearance_m: Annotated[Positive, Field(description="kept from everything solid")] = 0.35
    height_m: Annotated[tuple[float, float], Field(description="band above the floor, flyers only")] = (
        1.0,
        1.7,
    )


class DirectMission(Model):
    """No autopilot: wrenches or joint set-points are commanded from Python in a Session."""

    kind: Literal["direct"]


Mission = Annotated[
    HoverMission | WaypointMission | ExploreMission | DirectMission, Field(discriminator="kind")
]


class Camera(Model):
    """What every camera has. The mount is body to camera body (x forward, y left, z up)."""

    rate_hz: Positive = 10.0
    width: Annotated[int, Field(ge=16, le=8192)] = 320
    height: Annotated[int, Field(ge=16, le=8192)] = 240
    hfov_deg: Annotated[float, Field(gt=5, lt=170)] = 85.0
    distortion: Annotated[
        tuple[float, float, float, float, float], Field(description="Brown k1, k2, p1, p2, k3")
    ] = (0.0, 0.0, 0.0, 0.0, 0.0)
    mount: Pose = Pose()


class MonoCamera(Camera):
    """One colour camera."""

    kind: Literal["mono"]


class StereoCamera(Camera):
    """Two colour cameras with parallel axes; the mount is that of the left one."""

    kind: Literal["stereo"]
    baseline_m: Positive = 0.1


class RgbdCamera(Camera):
    """A colour camera with aligned planar depth."""

    kind: Literal["rgbd"]
    max_depth_m: Positive = 10.0


class Imu(Model):
    """An ideal strap-down IMU: angular rate and specific force in its own frame."""

    kind: Literal["imu"]
    rate_hz: Positive = 200.0
    mount: Pose = Pose()


Sensor = Annotated[MonoCamera | StereoCamera | RgbdCamera | Imu, Field(discriminator="kind")]


class Robot(Model):
    """One robot: its body, start, mission and sensors."""

    start: Annotated[Pose | Literal["auto"], Field(description="auto: a free place, by the seed")] = "auto"
    mission: Mission = ExploreMission()
    sensors: dict[Name, Sensor] = {}


class Quadrotor(Robot):
    """A quadrotor of the Skydio X2 class with cascaded position, attitude and rate control."""

    kind: Literal["quadrotor"]
    mass_kg: Positive = 1.325


class OmniRobot(Robot):
    """A three-wheel omnidirectional ground robot with an independently turning camera."""

    kind: Literal["omni"]


class JointFlyer(Robot):
    """The joint-driven free flyer of GRADE: one joint a degree of freedom, PID at joint level."""

    kind: Literal["flyer"]


class FileRobot(Robot):
    """A robot read from an MJCF or URDF file; its missions are `hover` and `direct`."""

    kind: Literal["file"]
    path: Annotated[str, Field(description="MJCF .xml or .urdf, relative to the scenario file")]
    packages: Annotated[dict[str, str], Field(description="package:// name to folder")] = {}
    floating: Annotated[bool, Field(description="add a free joint at the base if it has none")] = False


AnyRobot = Annotated[Quadrotor | OmniRobot | JointFlyer | FileRobot, Field(discriminator="kind")]


# --- changes of the world -----------------------------------------------------------------------------

Share = Annotated[float, Field(ge=0, le=1)]
Color = Annotated[tuple[Share, Share, Share], Field(description="red, green, blue in 0..1, sRGB")]


class ObjectChange(Model):
    """Things as they are not made by the world; one word is its `state`."""

    state: Annotated[
        Literal["present", "hidden", "removed"], Field(description="hidden: not seen, but still touched")
    ] = "present"
    mass_kg: Annotated[Positive | None, Field(description="also makes a fixed thing movable")] = None
    friction: Annotated[NonNegative | None, Field(description="sliding coefficient; 0.8 if not given")] = None
    physics: Annotated[Literal["on", "off"], Field(description="off: it stays where it is")] = "on"

    @model_validator(mode="before")
    @classmethod
    def _one_word(cls, value: object) -> object:
        return {"state": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _mass_needs_physics(self) -> Self:
        if self.mass_kg is not None and self.physics == "off":
            msg = "mass_kg has no meaning with physics: off; give one of them"
            raise ValueError(msg)
        return self


class AddedObject(Model):
    """A simple solid that joins the world."""

    shape: Literal["box", "sphere", "cylinder"] = "box"
    size_m: Annotated[tuple[Positive, Positive, Positive], Field(description="bounding box x, y, z")]
    pose: Annotated[Pose, Field(description="of the middle of its foot")] = Pose()
    mass_kg: Annotated[Positive | None, Field(description="none: it stays where it is")] = None
    texture: Annotated[str, Field(description="a surface kind, such as oak or brick")] = "plastic"
    color: Color | None = None
    category: Annotated[str, Field(description="its label")] = "other"

    @model_validator(mode="after")
    def _round_is_round(self) -> Self:
        x, y, z = self.size_m
        if x != y if self.shape == "cylinder" else self.shape == "sphere" and not x == y == z:
            msg = f"size_m of a {self.shape}: it is round, so its widths must be equal, not {self.size_m}"
            raise ValueError(msg)
        return self


class LightChange(Model):
    """Lamps as they are not made by the world; one word is its `state`."""

    state: Literal["on", "off"] = "on"
    intensity: Annotated[NonNegative, Field(description="factor")] = 1.0
    color: Annotated[Color | None, Field(description="of the light, its luminance kept")] = None

    @model_validator(mode="before")
    @classmethod
    def _one_word(cls, value: object) -> object:
        return {"state": value} if isinstance(value, str) else value


class MaterialChange(Model):
    """Surfaces of things as they are not made by the world."""

    texture: Annotated[str | None, Field(description="a surface kind, such as oak or brick")] = None
    color: Annotated[Color | None, Field(description="mean colour")] = None
    roughness: Annotated[Share | None, Field(description="0 mirror, 1 matte")] = None


Pattern = Annotated[
    str, Field(min_length=1, description="name, name with * or ?, category, `movable`, or `all`")
]


# --- the rest ----------------------------------------------------------------------------------------


class Physics(Model):
    """The physics engine's step."""

    rate_hz: Annotated[float, Field(ge=50, le=10000, description="steps per second")] = 1000.0
    gravity: Vec3 = (0.0, 0.0, -9.81)

    @field_validator("rate_hz")
    @classmethod
    def _whole_nanoseconds(cls, rate_hz: float) -> float:
        if NS_PER_S % Fraction(str(rate_hz)):
            msg = (
                f"a step at {rate_hz:g} Hz is not a whole number of nanoseconds; "
                "choose a rate that divides 1e9, such as 250, 500, 1000 or 2000"
            )
            raise ValueError(msg)
        return rate_hz


class Recording(Model):
    """The protocol: settle for `bootstrap_s` (times below zero), then record `duration_s`."""

    bootstrap_s: NonNegative = 1.0
    duration_s: Positive = 20.0


Label = Literal["depth", "range", "normals", "instance", "semantic", "flow", "boxes"]
Quality = Literal["none", "fast", "draft", "standard", "high", "reference"]


class Output(Model):
    """What `observe` writes. Quality `fast` is the GL renderer, `none` writes truth without colour."""

    quality: Quality = "draft"
    labels: tuple[Label, ...] = ("depth", "normals", "instance", "semantic", "flow", "boxes")


class Scenario(Model):
    """A whole experiment."""

    veridical: Annotated[Literal[1], Field(description="version of this schema")] = 1
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")] = "untitled"
    seed: Annotated[int, Field(ge=0)] = 0
    world: World = ApartmentWorld()
    conditions: Conditions = Conditions()
    robots: Annotated[dict[Name, AnyRobot], Field(min_length=1)]
    actors: Annotated[dict[Name, dict[str, object]], Field(max_length=0, description="reserved")] = {}
    objects: Annotated[dict[Pattern, ObjectChange], Field(description="changes of things")] = {}
    added: Annotated[dict[Name, AddedObject], Field(description="things that join")] = {}
    lights: Annotated[
        dict[Pattern, LightChange], Field(description="changes of lamps; also `sun` and `sky`")
    ] = {}
    materials: Annotated[dict[Pattern, MaterialChange], Field(description="changes of surfaces")] = {}
    physics: Physics = Physics()
    recording: Recording = Recording()
    output: Output = Output()

    _folder: Path = PrivateAttr(default_factory=Path)

    @property
    def folder(self) -> Path:
        """The folder from which relative paths in the scenario count."""
        return self._folder

    def in_folder(self, folder: Path) -> Self:
        """The same scenario with its relative paths counted from another folder."""
        moved = self.model_copy()
        moved._folder = folder
        return moved

    @model_validator(mode="after")
    def _sensors_not_faster_than_physics(self) -> Self:
        for robot_name, robot in self.robots.items():
            for sensor_name, sensor in robot.sensors.items():
                if sensor.rate_hz > self.physics.rate_hz:
                    msg = (
                        f"robots.{robot_name}.sensors.{sensor_name}.rate_hz: {sensor.rate_hz:g} Hz is faster "
                        f"than the physics at {self.physics.rate_hz:g} Hz; raise physics.rate_hz or lower it"
                    )
                    raise ValueError(msg)
        return self
