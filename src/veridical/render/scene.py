"""The world as Mitsuba sees it: built once, then moved from state to state."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.assets.material import Material
from veridical.core.camera import PinholeCamera
from veridical.core.errors import RenderError
from veridical.core.geometry import Array, transform
from veridical.render.boxes import InstanceShapes
from veridical.render.engine import start_engine
from veridical.render.materials import MaterialLibrary, is_clear
from veridical.render.pieces import Piece, Triangles, drawn_geoms, geom_colour, geom_pieces, support_points
from veridical.render.quality import level
from veridical.render.truth import NOTHING, TRUTH_LABELS, Hits, Later, Truth, flow, ray_lengths
from veridical.worlds.world import World

_FAR_FROM_ORIGIN_M = 50.0
_LARGE_PIECE_M = 60.0


@dataclass(frozen=True, eq=False)
class _Moving:
    """A piece whose pose can change, with the names of its parameters in the Mitsuba scene."""

    piece: Piece
    key: str


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
        self._scene, self._moving = self._build()
        self._parameters = _traverse(self._scene, self._moving)
        self.instances = InstanceShapes(world, self._pieces)
        self._start()

    def set_state(self, qpos: ArrayLike) -> bool:
        """Moves everything to the joint positions qpos (nq,); True if anything drawn moved."""
        self.data.qpos[:] = qpos
        mujoco.mj_kinematics(self.world.model, self.data)
        poses = self._geom_poses()
        changed = {g for g in self._geoms if not np.array_equal(poses[g], self._poses[g])}
        self._poses = poses
        moved = [m for m in self._moving if m.piece.geom in changed]
        for m in moved:
            self._move(m)
        if moved:
            self._parameters.update()
        return bool(moved)

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
        depth, normals, packed = self._tracer.trace(camera, self._local(T))
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
        return flow(before, later, self._tracer.free_between)

    def colour(self, camera: PinholeCamera, T_world_camera: ArrayLike, seed: int) -> NDArray[np.uint8]:
        """An sRGB picture (h, w, 3) from a pose of the optical frame; the same seed gives the same bytes."""
        from veridical.render.colour import picture

        if self._level is None:
            msg = "this scene was opened with quality 'none', so it has no colour; open it with another one"
            raise RenderError(msg)
        return picture(
            self._scene,
            self._lights,
            self._level,
            self.world.look.exposure,
            camera,
            self._local(T_world_camera),
            seed,
        )

    def _start(self) -> None:
        """Prepares tracing, and light if colour is wanted."""
        from veridical.render.lights import Lights
        from veridical.render.tracer import Tracer

        geoms = [p.geom for p in self._pieces]
        self._tracer = Tracer(self._scene, geoms, self.instances.of_geom, self.world.model.geom_bodyid)
        if self._level is None:
            return
        shapes = self._scene.shapes()
        clear = [s for s, g in zip(shapes, geoms, strict=True) if self._is_clear(g)]
        bounds = self._bounds - self._origin
        self._lights = Lights(self._scene, self.world.look, self._origin, bounds, clear)

    def _body_poses(self) -> Array:
        """T_world_body (nbody, 4, 4)."""
        return transform(self.data.xmat.reshape(-1, 3, 3), self.data.xpos)

    def _local(self, T_world_camera: ArrayLike) -> Array:
        """A pose in the renderer's frame, whose origin is near the things, so that float32 is enough."""
        T = np.array(T_world_camera, float)
        T[:3, 3] -= self._origin
        return T

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

    def _is_clear(self, geom: int) -> bool:
        return is_clear(self._material(geom))

    def _material(self, geom: int) -> Material:
        number = int(self.world.model.geom_matid[geom])
        name = "" if number < 0 else str(self.world.model.mat(number).name)
        return self._library.material(name, geom_colour(self.world.model, geom))

    def _build(self) -> tuple[Any, list[_Moving]]:
        import mitsuba as mi

        self._library = MaterialLibrary(self.world.look.materials, self.world.textures)
        description: dict[str, Any] = {"type": "scene"}
        moving = []
        fixed = _fixed_geoms(self.world.model)
        for i, piece in enumerate(self._pieces):
            key = f"piece{i:05d}"
            description[key] = self._shape(piece, key)
            if not fixed[piece.geom]:
                moving.append(_Moving(piece, key))
        sky = self.world.look.sky
        if sky is not None or not any("emitter" in d for d in description.values() if isinstance(d, dict)):
            value = [float(c) for c in sky or (0.0, 0.0, 0.0)]
            description["sky"] = {"type": "constant", "radiance": {"type": "rgb", "value": value}}
        return mi.load_dict(description, parallel=False, optimize=False), moving

    def _shape(self, piece: Piece, key: str) -> Any:
        import mitsuba as mi

        material = self._material(piece.geom)
        properties = mi.Properties()
        surface, emitter = self._library.surface(material), self._library.emitter(material)
        if piece.mesh is None:
            shape = {
                "type": piece.kind,
                "to_world": mi.ScalarTransform4f(self._shape_pose(piece)),
                "bsdf": surface,
            }
            return shape | ({"emitter": emitter} if emitter else {})
        properties["bsdf"] = surface
        if emitter:
            properties["emitter"] = mi.load_dict(emitter)
        mesh = mi.Mesh(
            key,
            vertex_count=len(piece.mesh.vertices),
            face_count=len(piece.mesh.faces),
            props=properties,
            has_vertex_normals=True,
            has_vertex_texcoords=True,
        )
        parameters = mi.traverse(mesh)
        vertices, normals = self._posed(piece)
        parameters["faces"] = piece.mesh.faces.ravel()
        parameters["vertex_positions"] = vertices
        parameters["vertex_normals"] = normals
        parameters["vertex_texcoords"] = piece.mesh.uv.ravel()
        parameters.update()
        return mesh

    def _shape_pose(self, piece: Piece) -> Array:
        return self._local(self._poses[piece.geom]) @ piece.T_geom_shape

    def _posed(self, piece: Piece) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Vertices and normals of a mesh piece in the renderer's frame, flat."""
        assert piece.mesh is not None
        T = self._local(self._poses[piece.geom])
        vertices = piece.mesh.vertices @ T[:3, :3].T + T[:3, 3]
        normals = piece.mesh.normals @ T[:3, :3].T
        return vertices.astype(np.float32).ravel(), normals.astype(np.float32).ravel()

    def _move(self, moving: _Moving) -> None:
        import mitsuba as mi

        if moving.piece.mesh is None:
            pose = mi.ScalarTransform4f(self._shape_pose(moving.piece))
            self._parameters[f"{moving.key}.to_world"] = pose
            return
        vertices, normals = self._posed(moving.piece)
        self._parameters[f"{moving.key}.vertex_positions"] = vertices
        self._parameters[f"{moving.key}.vertex_normals"] = normals


def _fixed_geoms(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """True for geoms that no joint moves."""
    return np.asarray(model.body_weldid[model.geom_bodyid] == 0) & (
        np.asarray(model.body_mocapid[model.body_rootid[model.geom_bodyid]]) < 0
    )


def _traverse(scene: Any, moving: list[_Moving]) -> Any:
    import mitsuba as mi

    parameters = mi.traverse(scene)
    wanted = {
        f"{m.key}.{name}"
        for m in moving
        for name in (("to_world",) if m.piece.mesh is None else ("vertex_positions", "vertex_normals"))
    }
    parameters.keep([k for k in parameters.keys() if k in wanted])  # noqa: SIM118
    return parameters
