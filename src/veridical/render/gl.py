"""Fast colour by MuJoCo's own OpenGL renderer; truth stays with the rays of `RenderScene`."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from collections.abc import Collection
from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.errors import RenderError
from veridical.core.geometry import Array
from veridical.core.hashing import cached, content_hash
from veridical.render.pieces import DRAWN_GROUPS
from veridical.render.scene import RenderScene
from veridical.render.truth import TRUTH_LABELS, Hits, Truth
from veridical.worlds.world import World

_BACKENDS = ("egl", "osmesa", "glfw")
_PROBE = (
    "import mujoco; m = mujoco.MjModel.from_xml_string("
    "\"<mujoco><worldbody><light pos='0 0 3'/><geom size='1'/></worldbody></mujoco>\"); "
    "d = mujoco.MjData(m); mujoco.mj_forward(m, d); r = mujoco.Renderer(m, 16, 16); r.update_scene(d); "
    "assert r.render().any(); print('probe: good')"
)
_TIMEOUT_S = 60.0


def find_gl() -> str:
    """The value of `MUJOCO_GL` that works here, found in child processes; the user's own is respected.

    Raises:
        RenderError: If none works.
    """
    given = os.environ.get("MUJOCO_GL")
    candidates = [given] if given else _BACKENDS
    for backend in candidates:
        key = content_hash("gl-probe-1", backend, importlib.metadata.version("mujoco"), sys.version)
        try:
            cached("engine", key, lambda _, backend=backend: _try(backend))  # type: ignore[misc]
        except RenderError:
            continue
        return backend
    msg = (
        f"quality 'fast' needs OpenGL, and none of MUJOCO_GL={', '.join(candidates)} works here; install "
        "Mesa (Debian: libegl1 libgl1-mesa-dri), or choose output.quality draft, which needs no OpenGL"
    )
    raise RenderError(msg)


def _try(backend: str) -> None:
    environment = os.environ | {"MUJOCO_GL": backend}
    try:
        child = subprocess.run(
            [sys.executable, "-c", _PROBE],
            env=environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RenderError(backend) from error
    if "probe: good" not in child.stdout:
        raise RenderError(backend)


class GlScene:
    """`RenderScene` with colour by OpenGL: no bounce light, hard shadows, tens of milliseconds a frame."""

    def __init__(self, world: World) -> None:
        backend = find_gl()
        # MuJoCo reads it when its renderer is first used, so a process has one back-end
        os.environ["MUJOCO_GL"] = backend
        self.name = f"gl {backend}"
        self._rays = RenderScene(world, "none")
        self.warnings = self._rays.warnings
        self._renderers: dict[tuple[int, int], Any] = {}
        self._options = mujoco.MjvOption()
        for group in range(mujoco.mjNGROUP):
            self._options.geomgroup[group] = group in DRAWN_GROUPS

    def set_state(self, qpos: ArrayLike) -> bool:
        """Moves everything to joint positions (nq,)."""
        moved = self._rays.set_state(qpos)
        mujoco.mj_fwdPosition(self._rays.world.model, self._rays.data)
        return moved

    def body_pose(self, body: str) -> Array:
        """T_world_body (4, 4) in the present state."""
        return self._rays.body_pose(body)

    def truth(
        self, camera: PinholeCamera, T_world_camera: ArrayLike, labels: Collection[str] = TRUTH_LABELS
    ) -> Truth:
        """See `RenderScene.truth`."""
        return self._rays.truth(camera, T_world_camera, labels)

    def flow(
        self, before: Hits, camera: PinholeCamera, T_world_camera: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """See `RenderScene.flow`."""
        return self._rays.flow(before, camera, T_world_camera)

    def colour(
        self,
        camera: PinholeCamera,
        T_world_camera: ArrayLike,
        seed: int,  # noqa: ARG002  nothing is random here
    ) -> NDArray[np.uint8]:
        """An sRGB picture (h, w, 3); RenderError for a distorted camera, which OpenGL cannot draw."""
        if camera.is_distorted:
            msg = "quality 'fast' cannot draw a distorted camera; remove its distortion or choose draft"
            raise RenderError(msg)
        renderer = self._renderer(camera)
        renderer.update_scene(self._rays.data, camera=-1, scene_option=self._options)
        _aim(renderer.scene, camera, np.asarray(T_world_camera, float), self._rays.world.model)
        return np.array(renderer.render())

    def _renderer(self, camera: PinholeCamera) -> Any:
        size = (camera.height, camera.width)
        if size not in self._renderers:
            model = self._rays.world.model
            model.vis.global_.offwidth = max(int(model.vis.global_.offwidth), camera.width)
            model.vis.global_.offheight = max(int(model.vis.global_.offheight), camera.height)
            self._renderers[size] = mujoco.Renderer(model, *size)
        return self._renderers[size]


def _aim(scene: Any, camera: PinholeCamera, T: Array, model: mujoco.MjModel) -> None:
    """Gives the scene's two eyes the exact frustum of a pinhole camera."""
    near = float(model.vis.map.znear * model.stat.extent)
    left, right = ((edge - camera.cx) / camera.fx for edge in (-0.5, camera.width - 0.5))
    top, bottom = ((edge - camera.cy) / camera.fy for edge in (-0.5, camera.height - 0.5))
    for eye in scene.camera:
        eye.pos, eye.forward, eye.up = T[:3, 3], T[:3, 2], -T[:3, 1]
        eye.frustum_center = near * (left + right) / 2
        eye.frustum_width = near * (right - left) / 2
        eye.frustum_bottom, eye.frustum_top = -near * bottom, -near * top
        eye.frustum_near, eye.frustum_far = near, float(model.vis.map.zfar * model.stat.extent)
