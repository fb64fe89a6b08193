"""Reads a dataset: blind, as a method under test may see it, or whole, with the truth."""

from __future__ import annotations

import warnings
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from veridical.core.errors import DataError, did_you_mean
from veridical.core.trajectory import Trajectory
from veridical.datasets import records, tables
from veridical.datasets.calibration import read_calibration
from veridical.datasets.codecs import read_layer
from veridical.datasets.frames import Box2d, Box3d, CameraFrame, CameraStream, ImuSamples, ImuStream
from veridical.datasets.jsonfile import load_json
from veridical.datasets.labels import LabelRow, read_labels
from veridical.datasets.plan import SCHEMA_VERSION, layer_path, poses_path, records_folder
from veridical.scenario.schema import Scenario

_Tables = tuple[Trajectory, records.Boxes2d | None, records.Boxes3d | None]


class BlindDataset:
    """The sensor streams and their calibration, and nothing of the truth.

    Attributes:
        cameras: Camera streams by name.
        imus: IMU streams by name.
    """

    def __init__(
        self,
        sensors: Path,
        cameras: dict[str, CameraStream],
        imus: dict[str, ImuStream],
        counts: dict[str, int],
    ) -> None:
        self.cameras = cameras
        self.imus = imus
        self._sensors = sensors
        self._counts = counts

    def __repr__(self) -> str:
        streams = ", ".join([*self.cameras, *self.imus])
        return f"{type(self).__name__}({streams})"

    def stamps(self, stream: str) -> NDArray[np.int64]:
        """Stamps (n,) in nanoseconds of a camera stream's frames or of an IMU's samples."""
        if stream in self.imus:
            return self.imu(stream).t_ns
        self._camera(stream)
        return tables.read_stamps(self._sensors / stream / "times.parquet")[: self._counts[stream]]

    def colour(self, stream: str, i: int) -> NDArray[np.uint8]:
        """Colour image i, sRGB, (h, w, 3) uint8."""
        return self._sensed(stream, i, "colour", "colour")

    def depth(self, stream: str, i: int) -> NDArray[np.float32]:
        """Sensed depth i of an RGB-D camera: planar, metres, (h, w) float32, millimetre steps, 0 = none."""
        if self._camera(stream).role != "rgbd":
            rgbd = [name for name, camera in self.cameras.items() if camera.role == "rgbd"]
            msg = f"{stream} senses no depth; RGB-D streams: {', '.join(rgbd) or 'none'}"
            raise DataError(msg)
        return self._sensed(stream, i, "depth", "depth_mm")

    def imu(self, stream: str) -> ImuSamples:
        """All samples of an IMU."""
        if stream not in self.imus:
            raise DataError(_unknown("IMU stream", stream, self.imus))
        return tables.read_imu(self._sensors / stream / "samples.parquet")

    def stereo_pairs(self) -> list[tuple[str, str]]:
        """Names of the (left, right) streams of each stereo camera."""
        lefts = [name for name, camera in self.cameras.items() if camera.role == "left"]
        return [(left, left.removesuffix("left") + "right") for left in lefts]

    def _camera(self, stream: str) -> CameraStream:
        if stream not in self.cameras:
            raise DataError(_unknown("camera stream", stream, self.cameras))
        return self.cameras[stream]

    def _check_index(self, stream: str, i: int) -> None:
        self._camera(stream)
        if not 0 <= i < self._counts[stream]:
            msg = f"{stream} has frames 0 to {self._counts[stream] - 1}; {i} was asked for"
            raise DataError(msg)

    def _sensed(self, stream: str, i: int, folder: str, layer: str) -> NDArray[Any]:
        self._check_index(stream, i)
        camera = self.cameras[stream].camera
        path = self._sensors / stream / folder / f"{i:06d}.png"
        return read_layer(path, layer, (camera.height, camera.width))


class Dataset(BlindDataset):
    """A whole dataset, truth included.

    Attributes:
        folder: Where it lies.
        manifest: dataset.json.
        labels: The label table, by ascending id.
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        cameras, imus = read_calibration(folder / "calibration.json")
        self.folder = folder
        self.manifest = manifest
        self.labels: tuple[LabelRow, ...] = read_labels(folder / "labels.json")
        self._cached_tables: dict[str, _Tables] = {}
        super().__init__(folder / "sensors", cameras, imus, {s: self._count(s) for s in cameras})

    @property
    def is_complete(self) -> bool:
        """True if the writer finished it."""
        return bool(self.manifest["status"] == "complete")

    @cached_property
    def scenario(self) -> Scenario:
        """The resolved scenario that made it."""
        path = self.folder / "scenario.yaml"
        try:
            return Scenario.model_validate(yaml.safe_load(path.read_text()))
        except (OSError, ValueError, yaml.YAMLError) as err:
            msg = f"{path} cannot be read as a scenario: {err}"
            raise DataError(msg) from err

    def blind(self) -> BlindDataset:
        """The same streams without any way to the truth."""
        return BlindDataset(self._sensors, self.cameras, self.imus, self._counts)

    def layers(self, stream: str) -> tuple[str, ...]:
        """The image layers that each frame of a camera stream has."""
        self._camera(stream)
        return tuple(self.manifest["streams"][stream]["layers"])

    def read(self, stream: str, i: int, layer: str) -> NDArray[Any]:
        """One layer of one frame, as in `CameraFrame`; `flow` comes with its occlusion as (h, w, 3).

        Raises:
            DataError: If the frame or the layer does not exist, or its file is missing or corrupt.
        """
        self._check_index(stream, i)
        if layer not in self.layers(stream):
            raise DataError(_unknown(f"layer of {stream}", layer, self.layers(stream)))
        camera = self.cameras[stream].camera
        return read_layer(layer_path(self.folder, stream, layer, i), layer, (camera.height, camera.width))

    def frame(self, stream: str, i: int) -> CameraFrame:
        """Everything of one camera at one time; layers that were not recorded are None."""
        self._check_index(stream, i)
        layers = [layer for layer in self.layers(stream) if layer != "depth_mm"]
        images = {layer: self.read(stream, i, layer) for layer in layers}
        flow = images.pop("flow", None)
        poses, boxes_2d, boxes_3d = self._tables(stream)
        return CameraFrame(
            t_ns=int(poses.t_ns[i]),
            T_world_camera=poses.T[i],
            flow=None if flow is None else np.ascontiguousarray(flow[..., :2]),
            occluded=None if flow is None else flow[..., 2] > 0,
            boxes_2d=None if boxes_2d is None else boxes_2d.get(i, ()),
            boxes_3d=None if boxes_3d is None else boxes_3d.get(i, ()),
            **images,
        )

    def poses(self, stream: str) -> Trajectory:
        """True poses T_world_camera of the optical frame, one a frame."""
        self._camera(stream)
        return self._tables(stream)[0]

    def boxes_2d(self, stream: str, i: int) -> tuple[Box2d, ...]:
        """2D boxes of the instances in view of frame i; none if they were not recorded."""
        self._check_index(stream, i)
        return (self._tables(stream)[1] or {}).get(i, ())

    def boxes_3d(self, stream: str, i: int) -> tuple[Box3d, ...]:
        """3D boxes of the instances in view of frame i; none if they were not recorded."""
        self._check_index(stream, i)
        return (self._tables(stream)[2] or {}).get(i, ())

    def has_boxes(self, stream: str) -> bool:
        """True if boxes were recorded for a camera stream."""
        self._camera(stream)
        return bool(self.manifest["streams"][stream]["boxes"])

    def body_poses(self, robot: str) -> Trajectory:
        """True poses T_world_body of a robot's root body."""
        path = poses_path(self.folder, robot)
        if not path.exists():
            robots = [p.stem for p in (self.folder / "truth" / "poses").glob("*.parquet")]
            raise DataError(_unknown("robot with poses", robot, robots))
        return tables.read_trajectory(path)

    def _count(self, stream: str) -> int:
        if self.is_complete:
            return int(self.manifest["streams"][stream]["frames"])
        done = records.finished(records_folder(self.folder, stream))
        return next((i for i, k in enumerate(done) if i != k), len(done))

    def _tables(self, stream: str) -> _Tables:
        if stream not in self._cached_tables:
            self._cached_tables[stream] = self._read_tables(stream)
        return self._cached_tables[stream]

    def _read_tables(self, stream: str) -> _Tables:
        has_boxes = self.manifest["streams"][stream]["boxes"]
        if not self.is_complete:
            poses, boxes_2d, boxes_3d = records.read_records(records_folder(self.folder, stream))
            return (poses, boxes_2d, boxes_3d) if has_boxes else (poses, None, None)
        poses = tables.read_trajectory(poses_path(self.folder, stream))
        if not has_boxes:
            return poses, None, None
        truth, n = self.folder / "truth" / stream, self._counts[stream]
        boxes_2d = records.read_boxes_2d(truth / "boxes_2d.parquet", n)
        return poses, boxes_2d, records.read_boxes_3d(truth / "boxes_3d.parquet", n)


def open_dataset(folder: Path | str) -> Dataset:
    """Opens a dataset folder. An incomplete one is opened with a warning and serves what is complete.

    Raises:
        DataError: If it is no dataset, or one of another version.
    """
    folder = Path(folder)
    if not (folder / "dataset.json").exists():
        msg = f"{folder} is not a dataset: it has no dataset.json; give the folder that `observe` wrote"
        raise DataError(msg)
    manifest = load_json(folder / "dataset.json")
    version = manifest.get("veridical_dataset")
    if version != SCHEMA_VERSION:
        where = folder / "dataset.json"
        msg = f"{where}: dataset version {version}; this program reads version {SCHEMA_VERSION}"
        raise DataError(msg)
    data = Dataset(folder, manifest)
    if not data.is_complete:
        planned = sum(entry.get("frames", 0) for entry in manifest["streams"].values())
        ready = sum(data._counts.values())
        warnings.warn(
            f"{folder} is incomplete: {ready} of {planned} frames; observe the run again to resume it",
            stacklevel=2,
        )
    return data


def _unknown(what: str, given: str, allowed: Any) -> str:
    known = ", ".join(allowed) or "none"
    return f"no {what} '{given}'.{did_you_mean(given, allowed)} Known: {known}"
