"""What a dataset is going to hold, decided before the first frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.core.hashing import content_hash
from veridical.datasets.calibration import calibration_hash, camera_to_json, imu_to_json
from veridical.datasets.codecs import LAYERS
from veridical.datasets.frames import CameraStream, ImuStream
from veridical.datasets.labels import LabelRow, labels_hash
from veridical.scenario import Scenario, scenario_hash

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Plan:
    """The content of a dataset; two plans with the same identity give the same dataset.

    Attributes:
        scenario: Resolved scenario; its `output` says which labels and which quality.
        run: What identifies the run, JSON-able: at least its hash.
        cameras: All camera streams.
        stamps: Stamps (n,) int64 of each camera stream, by its name.
        imus: All IMU streams.
        labels: The label table.
        renderer: Name of the colour back-end, with its variant.
        versions: Of the packages that made the data, by name.
        licences: Of the assets: name, source, spdx, sha256.
        warnings: What was repaired or ignored on the way here.
    """

    scenario: Scenario
    run: dict[str, Any]
    cameras: tuple[CameraStream, ...]
    stamps: dict[str, NDArray[np.int64]]
    imus: tuple[ImuStream, ...]
    labels: tuple[LabelRow, ...]
    renderer: str
    versions: dict[str, str] = field(default_factory=dict)
    licences: tuple[dict[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()

    def layers(self, stream: str) -> tuple[str, ...]:
        """The image files that each frame of a camera stream has; keys of `codecs.LAYERS`."""
        role = next(c.role for c in self.cameras if c.name == stream)
        colour = () if self.scenario.output.quality == "none" else ("colour",)
        if role == "right":
            return colour
        labels = self.scenario.output.labels
        truth = [layer for layer in LAYERS if layer in labels or (layer == "depth_mm" and "depth" in labels)]
        return (*colour, *truth)

    def has_boxes(self, stream: str) -> bool:
        """True if each frame of a camera stream comes with 2D and 3D boxes."""
        role = next(c.role for c in self.cameras if c.name == stream)
        return role != "right" and "boxes" in self.scenario.output.labels

    @property
    def identity(self) -> str:
        """Content hash of everything that decides what the frames hold."""
        return content_hash(
            SCHEMA_VERSION,
            scenario_hash(self.scenario),
            self.run,
            [camera_to_json(c) for c in self.cameras],
            [np.asarray(self.stamps[c.name], np.int64).tolist() for c in self.cameras],
            [imu_to_json(i) for i in self.imus],
            [[row.id, row.name, row.semantic_id] for row in self.labels],
            self.renderer,
            self.versions,
        )

    def manifest(self) -> dict[str, Any]:
        """The first state of dataset.json."""
        return {
            "veridical_dataset": SCHEMA_VERSION,
            "status": "running",
            "identity": self.identity,
            "scenario": {
                "name": self.scenario.name,
                "sha256": scenario_hash(self.scenario),
            },
            "run": self.run,
            "quality": self.scenario.output.quality,
            "renderer": self.renderer,
            "versions": self.versions,
            "licences": list(self.licences),
            "warnings": list(self.warnings),
            "streams": {
                **{c.name: self._camera_entry(c) for c in self.cameras},
                **{i.name: {"kind": "imu", "rate_hz": i.rate_hz} for i in self.imus},
            },
            "timings_s": {},
            "sha256": {
                "calibration.json": calibration_hash(self.cameras, self.imus),
                "labels.json": labels_hash(self.labels),
            },
            "files": FILES,
            "layers": {
                name: {"dtype": layer.dtype, "unit": layer.unit, "meaning": layer.meaning}
                for name, layer in LAYERS.items()
            },
        }

    def _camera_entry(self, camera: CameraStream) -> dict[str, Any]:
        stamps = self.stamps[camera.name]
        return {
            "kind": "camera",
            "role": camera.role,
            "rate_hz": camera.rate_hz,
            "frames": len(stamps),
            "first_t_ns": int(stamps[0]) if len(stamps) else None,
            "last_t_ns": int(stamps[-1]) if len(stamps) else None,
            "layers": list(self.layers(camera.name)),
            "boxes": self.has_boxes(camera.name),
        }


FILES = {
    "colour": "sensors/<stream>/colour/<frame>.png",
    "sensed depth of an RGB-D camera": "sensors/<stream>/depth/<frame>.png, uint16 millimetres, 0 = none",
    "stamps": "sensors/<stream>/times.parquet: frame, t_ns",
    "imu": "sensors/<stream>/samples.parquet/part-*.parquet: t_ns, wx..wz_radps, fx..fz_mps2",
    "labels": "truth/<stream>/<layer>/<frame>, see layers",
    "boxes": "truth/<stream>/boxes_2d.parquet (the box of pixel (u, v) alone is u, v, u + 1, v + 1), "
    "boxes_3d.parquet (metres)",
    "poses": "truth/poses/<robot or stream>.parquet: T_world_body or T_world_camera; position, quaternion "
    "wxyz, rotation matrix row-major",
    "calibration": "calibration.json",
    "label table": "labels.json",
    "scenario": "scenario.yaml, resolved",
}


def layer_path(folder: Path, stream: str, layer: str, index: int) -> Path:
    """Where one file of one frame lies; `sensed_depth` is what an RGB-D camera gives."""
    name = f"{index:06d}"
    if layer == "colour":
        return folder / "sensors" / stream / "colour" / f"{name}.png"
    if layer == "sensed_depth":
        return folder / "sensors" / stream / "depth" / f"{name}.png"
    return folder / "truth" / stream / layer / f"{name}{LAYERS[layer].suffix}"


def records_folder(folder: Path, stream: str) -> Path:
    """Where each finished frame leaves its record until the dataset is finished."""
    return folder / "truth" / stream / "frames"


def poses_path(folder: Path, name: str) -> Path:
    """Where the trajectory of a robot's body or of a camera stream lies."""
    return folder / "truth" / "poses" / f"{name}.parquet"
