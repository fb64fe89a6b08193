"""From a run to a dataset: every sensor at its own rate, with its truth."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.core.clock import NS_PER_S, stamps, to_ns
from veridical.core.errors import DataError
from veridical.core.geometry import Array
from veridical.core.hashing import content_hash
from veridical.core.progress import Progress, silent
from veridical.core.random import seed32
from veridical.core.trajectory import Trajectory
from veridical.datasets import Dataset, DatasetWriter, Plan
from veridical.datasets.frames import Box2d, Box3d, CameraFrame
from veridical.datasets.labels import rows
from veridical.render import Renderer, Truth, open_renderer
from veridical.sensors.background import BackgroundWriter
from veridical.sensors.imu import joined, measure
from veridical.sensors.kinematics import BodyChain
from veridical.sensors.streams import CarriedCamera, CarriedImu, carried_cameras, carried_imus
from veridical.simulate import Run

_PACKAGES = ("veridical", "mujoco", "mitsuba", "drjit", "mitsuba-oidn", "numpy")


def observe(run: Run, folder: Path | str, *, progress: Progress = silent) -> Dataset:
    """Makes the dataset that the run's scenario asks for: all sensors of all robots, 0 <= t < duration.

    Args:
        run: A run whose states cover the recording.
        folder: Where the dataset goes. If it holds the beginning of the same dataset, only what is
            missing is made, and the result is the same to the byte.
        progress: Told about stages.

    Raises:
        DataError: If the run is too short or the folder holds something else.
        RenderError: If no renderer works here.
    """
    session = _Observation(run, Path(folder), progress)
    session.write_imus()
    session.write_trajectories()
    session.write_frames()
    return session.writer.finish({k: round(v, 3) for k, v in session.seconds.items()})


@dataclass(frozen=True, eq=False)
class _Pending:
    """A frame that waits for the next state of its stream to know its flow."""

    camera: CarriedCamera
    index: int
    frame: CameraFrame
    truth: Truth


@dataclass
class _Observation:
    """One dataset in the making."""

    run: Run
    folder: Path
    progress: Progress
    seconds: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scenario, world = self.run.scenario, self.run.world
        self.end_ns = to_ns(scenario.recording.duration_s)
        self.cameras, self.imus = carried_cameras(scenario, world), carried_imus(scenario, world)
        rates = {c.stream.name: c.stream.rate_hz for c in self.cameras}
        rates |= {i.stream.name: i.stream.rate_hz for i in self.imus}
        self.stamps = {name: stamps(rate, 0, self.end_ns) for name, rate in rates.items()}
        _require_states(self.run, max((int(t[-1]) for t in self.stamps.values() if len(t)), default=0))
        with self._timed("scene"):
            self.renderer: Renderer | None = (
                open_renderer(world, scenario.output.quality) if self.cameras else None
            )
        self.writer = DatasetWriter.open(self.folder, self._plan())

    def _plan(self) -> Plan:
        run, renderer = self.run, self.renderer
        warnings = (*run.warnings, *run.world.warnings, *(renderer.warnings if renderer else ()))
        return Plan(
            scenario=run.scenario,
            run={"sha256": run_hash(run), "folder": run.folder.name},
            cameras=tuple(c.stream for c in self.cameras),
            stamps={c.stream.name: self.stamps[c.stream.name] for c in self.cameras},
            imus=tuple(i.stream for i in self.imus),
            labels=rows(run.world.instances),
            renderer=renderer.name if renderer else "none",
            versions={package: version(package) for package in _PACKAGES},
            licences=run.world.licences,
            warnings=tuple(dict.fromkeys(warnings)),
        )

    # --- inertial ------------------------------------------------------------------------------------

    def write_imus(self) -> None:
        """All IMU samples from the recorded rows."""
        todo = [i for i in self.imus if self.writer.missing(i.stream.name)]
        with self._timed("imu"):
            tracks = self._grid_tracks(todo)
            for done, imu in enumerate(todo, start=1):
                name = imu.stream.name
                period = round(NS_PER_S / imu.stream.rate_hz)
                gravity = self.run.scenario.physics.gravity
                self.writer.write_imu(name, measure(tracks[name], self.stamps[name], period, gravity))
                self.progress("imu", done, len(todo))

    def _grid_tracks(self, imus: list[CarriedImu]) -> dict[str, Trajectory]:
        """T_world_imu at every physics step, from a margin before the recording to one after it."""
        if not imus:
            return {}
        margin = max(round(NS_PER_S / i.stream.rate_hz) for i in imus) + 2 * self.run.dt_ns
        start, end = (
            int(np.clip(t, self.run.start_ns, self.run.end_ns)) for t in (-margin, self.end_ns + margin)
        )
        chains = {i.stream.name: (BodyChain(self.run.world.model, i.body), i.T_carrier_sensor) for i in imus}
        parts: dict[str, list[Trajectory]] = {name: [] for name in chains}
        for block in self.run.rows(start, end):
            for name, (chain, T_carrier_imu) in chains.items():
                parts[name].append(Trajectory(block.t_ns, chain.poses(block.qpos) @ T_carrier_imu))
        return {name: joined(p) for name, p in parts.items()}

    # --- poses ---------------------------------------------------------------------------------------

    def write_trajectories(self) -> None:
        """Poses of the robots at all sensors' stamps, and of everything that can move at the cameras'."""
        with self._timed("poses"):
            model = self.run.world.model
            everything = _union(list(self.stamps.values()))
            seen = _union([self.stamps[c.stream.name] for c in self.cameras])
            robots = {r.name: r.body for r in self.run.world.robots}
            others = {
                f"objects/{i.name}": i.body
                for i in self.run.world.instances
                if i.dynamic and i.body not in robots.values()
            }
            for bodies, at in ((robots, everything), (others, seen)):
                if not bodies or not len(at):
                    continue
                qpos = self._qpos(at)
                for name, body in bodies.items():
                    self.writer.write_trajectory(name, Trajectory(at, BodyChain(model, body).poses(qpos)))

    def _qpos(self, at: NDArray[np.int64]) -> Array:
        """Joint positions (n, nq) at increasing stamps."""
        out = np.empty((len(at), self.run.world.model.nq))
        for block in self.run.rows(int(at[0]), int(at[-1])):
            here, row = np.isin(at, block.t_ns), np.searchsorted(block.t_ns, at)
            out[here] = block.qpos[row[here]]
        on_grid = (at - self.run.start_ns) % self.run.dt_ns == 0
        for i in np.flatnonzero(~on_grid):
            out[i] = self.run.state(int(at[i])).qpos
        return out

    # --- frames --------------------------------------------------------------------------------------

    def write_frames(self) -> None:
        """All missing frames in order of time: one state is set once for all cameras."""
        if self.renderer is None:
            return
        wanted = {c.stream.name: set(self.writer.missing(c.stream.name)) for c in self.cameras}
        total, done = sum(map(len, wanted.values())), 0
        self.progress("frames", 0, total)
        with BackgroundWriter() as background:
            pending: dict[str, _Pending] = {}
            for t_ns, due in self._schedule(wanted):
                with self._timed("state"):
                    self.renderer.set_state(self.run.state(t_ns).qpos)
                for camera, index in due:
                    name = camera.stream.name
                    if name in pending:
                        self._finish(pending.pop(name), background)
                        done += 1
                    if index not in wanted[name]:
                        continue
                    shot = self._shoot(camera, index, t_ns)
                    if self._needs_flow(camera) and index + 1 < len(self.stamps[name]):
                        pending[name] = shot
                    else:
                        self._hand_over(shot, background)
                        done += 1
                self.progress("frames", done, total)
        self.seconds["write, in the background"] = background.busy_s

    def _schedule(self, wanted: dict[str, set[int]]) -> Iterator[tuple[int, list[tuple[CarriedCamera, int]]]]:
        """Stamps at which a frame is missing, or its successor is needed for flow, with the frames there."""
        due: dict[int, list[tuple[CarriedCamera, int]]] = {}
        for camera in self.cameras:
            name = camera.stream.name
            indices = set(wanted[name])
            if self._needs_flow(camera):
                indices |= {i + 1 for i in indices if i + 1 < len(self.stamps[name])}
            for i in indices:
                due.setdefault(int(self.stamps[name][i]), []).append((camera, i))
        for t_ns in sorted(due):
            yield t_ns, due[t_ns]

    def _needs_flow(self, camera: CarriedCamera) -> bool:
        return "flow" in self.run.scenario.output.labels and camera.stream.role != "right"

    def _pose(self, camera: CarriedCamera) -> Array:
        assert self.renderer is not None
        return self.renderer.body_pose(camera.body) @ camera.T_carrier_sensor

    def _shoot(self, camera: CarriedCamera, index: int, t_ns: int) -> _Pending:
        """One frame in the present state, without flow."""
        assert self.renderer is not None
        output, stream, T = self.run.scenario.output, camera.stream, self._pose(camera)
        frame, truth = CameraFrame(t_ns, T), None
        if output.quality != "none":
            seed = seed32(self.run.scenario.seed, "render", stream.name, index)
            with self._timed("colour"):
                frame = replace(frame, colour=self.renderer.colour(stream.camera, T, seed))
        if stream.role != "right":
            with self._timed("truth"):
                truth = self.renderer.truth(stream.camera, T, output.labels)
            frame = _with_truth(frame, truth)
        return _Pending(camera, index, frame, truth)  # type: ignore[arg-type]

    def _finish(self, shot: _Pending, background: BackgroundWriter) -> None:
        """Adds the flow to the present state, and hands the frame over."""
        assert self.renderer is not None
        camera = shot.camera.stream.camera
        with self._timed("flow"):
            flow, occluded = self.renderer.flow(shot.truth.hits, camera, self._pose(shot.camera))
        frame = replace(shot.frame, flow=flow, occluded=occluded)
        self._hand_over(replace(shot, frame=frame), background)

    def _hand_over(self, shot: _Pending, background: BackgroundWriter) -> None:
        job = partial(self.writer.write_frame, shot.camera.stream.name, shot.index, shot.frame)
        with self._timed("waiting for the disk"):
            background.put(job)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - begin


_IDENTITY = ("schema", "scenario_hash", "seed", "dt_ns", "start_ns", "end_ns", "counts", "versions", "starts")


def run_hash(run: Run) -> str:
    """Content hash of what decides a run's states: its manifest without times, paths and status."""
    return content_hash({key: run.manifest.get(key) for key in _IDENTITY})


def _require_states(run: Run, last_ns: int) -> None:
    if run.start_ns > 0 or run.end_ns < last_ns:
        msg = (
            f"{run.folder}: the states span {run.start_ns / 1e9:.3f} s to {run.end_ns / 1e9:.3f} s, but the "
            f"sensors need 0 s to {last_ns / 1e9:.3f} s; simulate the same scenario into it to finish it"
        )
        raise DataError(msg)


def _with_truth(frame: CameraFrame, truth: Truth) -> CameraFrame:
    return replace(
        frame,
        depth=truth.depth,
        range=truth.range,
        normals=truth.normals,
        instance=truth.instance,
        semantic=truth.semantic,
        boxes_2d=_boxes(truth.boxes_2d, Box2d),
        boxes_3d=_boxes(truth.boxes_3d, Box3d),
    )


def _boxes(boxes: tuple[Any, ...] | None, kind: type[Any]) -> tuple[Any, ...] | None:
    if boxes is None:
        return None
    return tuple(kind(**{f.name: getattr(box, f.name) for f in fields(box)}) for box in boxes)


def _union(stamps_of: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.unique(np.concatenate(stamps_of)) if stamps_of else np.zeros(0, np.int64)
