"""Writes a dataset, frame by frame, so that a killed writer can go on where it stopped."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.core.errors import DataError
from veridical.core.files import sweep, write_bytes, write_json
from veridical.core.trajectory import Trajectory
from veridical.datasets import records, tables
from veridical.datasets.calibration import write_calibration
from veridical.datasets.codecs import write_layer
from veridical.datasets.frames import CameraFrame, ImuSamples
from veridical.datasets.jsonfile import load_json
from veridical.datasets.labels import write_labels
from veridical.datasets.plan import Plan, layer_path, poses_path, records_folder
from veridical.datasets.read import Dataset, open_dataset
from veridical.datasets.size import require_space
from veridical.scenario import to_yaml

MANIFEST = "dataset.json"


class DatasetWriter:
    """Fills one dataset folder. Every file appears whole or not at all.

    Frames may be written in any order. A frame counts as done when all its files and its record are.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self.plan = plan
        self._streams = {c.name: c for c in plan.cameras}

    @classmethod
    def open(cls, folder: Path | str, plan: Plan) -> DatasetWriter:
        """Creates the folder, or resumes it if it holds the beginning of the same dataset.

        Raises:
            DataError: If something else is in the way, the dataset is complete already, or the disk is
                too full for it. Nothing is changed then.
        """
        writer = cls(Path(folder), plan)
        resumed = writer._is_begun()
        done = sum(len(writer._stamps(s)) - len(writer.missing(s)) for s in writer._streams)
        require_space(writer.folder, plan.scenario, done / max(1, sum(map(len, plan.stamps.values()))))
        if not resumed:
            write_json(writer.folder / MANIFEST, plan.manifest())
        sweep(writer.folder)
        write_bytes(writer.folder / "scenario.yaml", to_yaml(plan.scenario).encode())
        write_labels(writer.folder / "labels.json", plan.labels)
        write_calibration(writer.folder / "calibration.json", plan.cameras, plan.imus)
        for stream in writer._streams:
            tables.write_stamps(writer.folder / "sensors" / stream / "times.parquet", plan.stamps[stream])
        return writer

    def missing(self, stream: str) -> list[int]:
        """Indices of a camera stream's frames that are still to do; for an IMU [0] until it is written."""
        if any(imu.name == stream for imu in self.plan.imus):
            return [] if (self._imu_folder(stream) / "part-00000.parquet").exists() else [0]
        done = set(records.finished(records_folder(self.folder, stream)))
        return [i for i in range(len(self._stamps(stream))) if i not in done]

    def write_frame(self, stream: str, index: int, frame: CameraFrame) -> None:
        """Writes all files of one frame, and its record last.

        Raises:
            DataError: If the stamp is not that of the plan, or a layer of the plan is None.
        """
        planned = int(self._stamps(stream)[index])
        if frame.t_ns != planned:
            msg = f"{stream} frame {index} is stamped {frame.t_ns} ns, but the plan says {planned} ns"
            raise DataError(msg)
        for layer in self.plan.layers(stream):
            image = self._image(stream, index, layer, frame)
            write_layer(layer_path(self.folder, stream, layer, index), layer, image)
        if self.plan.has_boxes(stream) and (frame.boxes_2d is None or frame.boxes_3d is None):
            msg = f"{stream} frame {index} comes without boxes, which the scenario's output asks for"
            raise DataError(msg)
        if self._streams[stream].role == "rgbd":
            self._write_sensed_depth(stream, index, frame)
        records.write_record(records_folder(self.folder, stream) / f"{index:06d}.json", frame)

    def write_imu(self, stream: str, samples: ImuSamples, part: int = 0) -> None:
        """Writes IMU samples; a long stream may come as parts 0, 1, 2 ... in order of time."""
        tables.write_imu(self._imu_folder(stream) / f"part-{part:05d}.parquet", samples)

    def write_trajectory(self, name: str, trajectory: Trajectory) -> None:
        """Writes true poses T_world_body of a robot. Those of the cameras come with the frames."""
        tables.write_trajectory(poses_path(self.folder, name), trajectory)

    def finish(self, timings_s: dict[str, float] | None = None) -> Dataset:
        """Joins the records into tables, and declares the dataset complete.

        Args:
            timings_s: Seconds spent by stage, for the manifest.

        Raises:
            DataError: If frames or IMU samples are missing.
        """
        for stream in [*self._streams, *(imu.name for imu in self.plan.imus)]:
            if lacking := self.missing(stream):
                msg = f"{self.folder}: {stream} still lacks {len(lacking)} parts, the first is {lacking[0]}"
                raise DataError(msg)
        for stream in self._streams:
            self._join_records(stream)
        manifest = load_json(self.folder / MANIFEST)
        manifest |= {"status": "complete", "timings_s": manifest["timings_s"] | (timings_s or {})}
        write_json(self.folder / MANIFEST, manifest)
        for stream in self._streams:
            shutil.rmtree(records_folder(self.folder, stream), ignore_errors=True)
        return open_dataset(self.folder)

    def _stamps(self, stream: str) -> NDArray[np.int64]:
        if stream not in self.plan.stamps:
            msg = f"no camera stream '{stream}' in the plan; it has {', '.join(self.plan.stamps) or 'none'}"
            raise DataError(msg)
        return self.plan.stamps[stream]

    def _imu_folder(self, stream: str) -> Path:
        return self.folder / "sensors" / stream / "samples.parquet"

    def _is_begun(self) -> bool:
        """True if the folder holds the beginning of this dataset, False if it is free."""
        if not (self.folder / MANIFEST).exists():
            if self.folder.exists() and any(p for p in self.folder.iterdir() if not p.name.startswith(".")):
                msg = f"{self.folder} exists and holds something else; choose another output folder"
                raise DataError(msg)
            return False
        manifest = load_json(self.folder / MANIFEST)
        if manifest.get("identity") != self.plan.identity:
            msg = (
                f"{self.folder} holds another dataset (scenario '{manifest['scenario']['name']}', "
                f"status {manifest['status']}); choose another output folder or delete it"
            )
            raise DataError(msg)
        if manifest["status"] == "complete":
            msg = f"{self.folder} exists and is complete; choose another output folder to observe again"
            raise DataError(msg)
        return True

    def _image(self, stream: str, index: int, layer: str, frame: CameraFrame) -> NDArray[Any]:
        camera = self._streams[stream].camera
        size = (camera.height, camera.width)
        if layer == "flow":
            image: NDArray[Any] | None = _flow_image(
                frame, size, is_last=index == len(self._stamps(stream)) - 1
            )
        else:
            image = getattr(frame, "depth" if layer == "depth_mm" else layer)
        if image is None:
            msg = f"{stream} frame {index} comes without {layer}, which the scenario's output asks for"
            raise DataError(msg)
        if image.shape[:2] != size:
            shape = f"{layer} has shape {image.shape}"
            msg = f"{stream} frame {index}: {shape}, but the camera is {size[1]}x{size[0]}"
            raise DataError(msg)
        return image

    def _write_sensed_depth(self, stream: str, index: int, frame: CameraFrame) -> None:
        if frame.depth is None:
            msg = f"{stream} is an RGB-D camera, but frame {index} comes without depth"
            raise DataError(msg)
        within = frame.depth <= self._streams[stream].max_depth_m
        path = layer_path(self.folder, stream, "sensed_depth", index)
        write_layer(path, "depth_mm", np.where(within, frame.depth, np.float32(0)))

    def _join_records(self, stream: str) -> None:
        poses, boxes_2d, boxes_3d = records.read_records(records_folder(self.folder, stream))
        self.write_trajectory(stream, poses)
        if self.plan.has_boxes(stream):
            records.write_boxes_2d(self.folder / "truth" / stream / "boxes_2d.parquet", boxes_2d)
            records.write_boxes_3d(self.folder / "truth" / stream / "boxes_3d.parquet", boxes_3d)


def _flow_image(frame: CameraFrame, size: tuple[int, int], *, is_last: bool) -> NDArray[np.float32] | None:
    """(h, w, 3): du, dv, occluded. The last frame has no next one: all undefined."""
    if frame.flow is None:
        nowhere = np.full((*size, 3), np.nan, np.float32)
        nowhere[..., 2] = 1
        return nowhere if is_last else None
    occluded = np.zeros(size, bool) if frame.occluded is None else frame.occluded
    return np.dstack([frame.flow, occluded.astype(np.float32)])
