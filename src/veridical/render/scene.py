"""The world as Mitsuba sees it: built once, then moved from state to state."""

from __future__ import annotations

from collections.abc import Collection

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.assets.material import Material
from veridical.core.camera import PinholeCamera
from veridical.core.errors import RenderError
from veridical.core.geometry import Array, transform
from veridical.render.boxes import InstanceShapes
from veridical.render.engine import start_engine
from veridical.render.pieces import Piece, Triangles, drawn_geoms, geom_colour, geom_pieces, support_points
from veridical.render.plan import Backend, ScenePlan
from veridical.render.quality import level
from veridical.render.tone import linear
from veridical.render.truth import NOTHING, TRUTH_LABELS, Hits, Later, Truth, flow, ray_lengths
from veridical.worlds.world import World

_FAR_FROM_ORIGIN_M = 50.0
_LARGE_PIECE_M = 60.0
_STILL = 1e-6
"""Metres or radians by which a thing may differ from how it is drawn; below what float32 rays resolve."""


class RenderScene:
    """A world ready to be looked at: `set_state`, then `truth` and `colour` from any camera.

    Args:
        world: The composed world.
        quality: `draft`, `standard`, `high` or `reference`; `none` if only truth is wanted.
        variant: Mitsuba variant to insist on; None chooses the fastest that works.

    Attributes:
        name: Back-end and variant, for the record.
        warnings: What the user has to know about the engine.
        data: The MuJoCo kinematics of the present state; poses of bodies may be read from it.
    """

    def __init__(self, world: World, quality: str = "draft", variant: str | None = None) -> None:
        self._level = None if quality == "none" else level(quality)
        self._engine = start_engine(variant)
        self.name = f"mitsuba {self._engine.variant}"
        self.warnings = self._engine.warnings
        self.world = world
        self.data = mujoco.MjData(world.model)
        mujoco.mj_kinematics(world.model, self.data)
        self._geoms = drawn_geoms(world.model)
        if not self._geoms:
            msg = "the world has nothing to draw: no geom of groups 0, 1, 2 with alpha above 0"
            raise RenderError(msg)
        meshes: dict[int, Triangles] = {}
        self._pieces = [p for g in self._geoms for p in geom_pieces(world.model, g, meshes)]
        self._bounds = self._measure_bounds()
        self._origin = self._choose_origin()
        self._poses = self._geom_poses()
        self.instances = InstanceShapes(world, self._pieces)
        self._backend = self._open_backend()

    def set_state(self, qpos: ArrayLike) -> bool:
        """Moves everything to the joint positions qpos (nq,); True if anything drawn moved."""
        self.data.qpos[:] = qpos
        mujoco.mj_kinematics(self.world.model, self.data)
        poses = self._geom_poses()
        apart = np.abs(poses - self._poses).max(axis=(1, 2)) > _STILL
        moved = {g for g in self._geoms if apart[g]}
        if not moved:
            return False
        numbers = list(moved)
        self._poses[numbers] = poses[numbers]
        self._backend.move(moved, _shifted(self._poses, self._origin))
        return True

    def body_pose(self, body: str) -> Array:
        """T_world_body (4, 4) in the present state."""
        number = mujoco.mj_name2id(self.world.model, mujoco.mjtObj.mjOBJ_BODY, body)
        if number < 0:
            msg = f"the world has no body '{body}'"
            raise RenderError(msg)
        return transform(self.data.xmat[number].reshape(3, 3), self.data.xpos[number])

    def truth(
        self, camera: PinholeCamera, T_world_camera: ArrayLike, labels: Collection[str] = TRUTH_LABELS
    ) -> Truth:
        """What the camera would measure if it were perfect; layers that `labels` does not name stay None.

        Args:
            camera: Intrinsics.
            T_world_camera: Pose (4, 4) of the optical frame.
            labels: Of `TRUTH_LABELS`. `depth` and `hits` come always.
        """
        T = np.asarray(T_world_camera, float)
        depth, normals, packed = self._backend.trace(camera, _shifted(T, self._origin))
        T_world_body = self._body_poses()
        found = packed != NOTHING
        instance = np.where(found, packed >> 16, 0).astype(np.uint16)
        body = np.where(found, packed & 0xFFFF, -1).astype(np.int32)
        wants_boxes = "boxes" in labels
        return Truth(
            depth=depth,
            range=ray_lengths(camera, depth) if "range" in labels else None,
            normals=normals if "normals" in labels else None,
            instance=instance if "instance" in labels else None,
            semantic=self.instances.semantic[instance] if "semantic" in labels else None,
            boxes_2d=self.instances.boxes_2d(instance, camera, T, T_world_body) if wants_boxes else None,
            boxes_3d=self.instances.boxes_3d(instance, T_world_body) if wants_boxes else None,
            hits=Hits(camera, T, T_world_body, depth, body),
        )

    def flow(
        self, before: Hits, camera: PinholeCamera, T_world_camera: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Optical flow of an earlier frame to a camera in the present state, moving bodies included.

        Returns:
            Flow (h, w, 2) in pixels, NaN where the ray hit nothing or its point is now behind the camera;
            and whether that point is now hidden or outside the image, (h, w).
        """
        T = np.asarray(T_world_camera, float)
        later = Later(camera, T, self._body_poses(), self._origin)
        return flow(before, later, self._backend.free_between)

    def colour(self, camera: PinholeCamera, T_world_camera: ArrayLike, seed: int) -> NDArray[np.uint8]:
        """An sRGB picture (h, w, 3) from a pose of the optical frame; the same seed gives the same bytes."""
        if self._level is None:
            msg = "this scene was opened with quality 'none', so it has no colour; open it with another one"
            raise RenderError(msg)
        return self._backend.picture(camera, _shifted(np.asarray(T_world_camera, float), self._origin), seed)

    def _open_backend(self) -> Backend:
        model = self.world.model
        plan = ScenePlan(
            tiers=self._tiers(),
            poses=_shifted(self._poses, self._origin),
            materials={g: self._material(g) for g in self._geoms},
            textures=self.world.textures,
            look=self.world.look,
            origin=self._origin,
            bounds=self._bounds - self._origin,
            label=(self.instances.of_geom << 16) | np.asarray(model.geom_bodyid, np.int64),
            level=self._level,
        )
        if self._engine.is_compiled:
            from veridical.render.compiled import Compiled

            return Compiled(plan)
        from veridical.render.scalar import Scalar

        return Scalar(plan)

    def _tiers(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces by how often they move: what stands for ever, objects, and robots."""
        model = self.world.model
        prefixes = tuple(f"{r.name}/" for r in self.world.robots)

        def tier(piece: Piece) -> int:
            body = int(model.geom_bodyid[piece.geom])
            if model.body_weldid[body] == 0:
                return 0
            return 2 if prefixes and model.body(body).name.startswith(prefixes) else 1

        tiers: list[list[Piece]] = [[], [], []]
        for piece in self._pieces:
            tiers[tier(piece)].append(piece)
        return tuple(tuple(pieces) for pieces in tiers if pieces)

    def _body_poses(self) -> Array:
        """T_world_body (nbody, 4, 4)."""
        return transform(self.data.xmat.reshape(-1, 3, 3), self.data.xpos)

    def _geom_poses(self) -> Array:
        """T_world_geom (ngeom, 4, 4)."""
        return transform(self.data.geom_xmat.reshape(-1, 3, 3), self.data.geom_xpos)

    def _choose_origin(self) -> Array:
        middle = self._bounds.mean(axis=0)
        return np.where(np.abs(middle) > _FAR_FROM_ORIGIN_M, np.round(middle), 0.0)

    def _measure_bounds(self) -> Array:
        """Lower and upper corner (2, 3) of what is drawn; large floors count only if all is large."""
        poses = self._geom_poses()
        corners = []
        for piece in self._pieces:
            points = support_points(piece)
            T = poses[piece.geom]
            world = points @ T[:3, :3].T + T[:3, 3]
            corners.append([world.min(axis=0), world.max(axis=0)])
        box = np.array(corners)
        usual = np.linalg.norm(box[:, 1] - box[:, 0], axis=1) < _LARGE_PIECE_M
        box = box[usual] if usual.any() else box
        return np.stack([box[:, 0].min(axis=0), box[:, 1].max(axis=0)])

    def _material(self, geom: int) -> Material:
        """The geom's material; a matte one of its MuJoCo colour if the look has none for it."""
        number = int(self.world.model.geom_matid[geom])
        name = "" if number < 0 else str(self.world.model.mat(number).name)
        if name in self.world.look.materials:
            return self.world.look.materials[name]
        colour = linear(geom_colour(self.world.model, geom))
        return Material(name or "plain", base_color=colour, roughness=0.8, specular=0.3)


def _shifted(T: Array, origin: Array) -> Array:
    """Poses (..., 4, 4) relative to an origin near the things, so that float32 is enough for the rays."""
    out = T.copy()
    out[..., :3, 3] -= origin
    return out
