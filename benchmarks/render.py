"""Truth and colour at 640x480, each beside a peer that runs in the same process.

    python benchmarks/render.py [RUN]

Takes the world of a finished run, or composes the preset `apartment`. The peers: for truth, Mitsuba's
bare ray query through the same pixels; for colour, Open Image Denoise alone at its highest quality.
Medians of wall time; an idle machine is needed.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.physics import source
from veridical.core.camera import PinholeCamera
from veridical.core.geometry import R_BODY_OPTICAL, Array, from_rpy, transform
from veridical.render import RenderScene
from veridical.worlds.world import World

CAMERA = PinholeCamera.from_hfov(640, 480, 1.4)
EYE_Z_M = 1.4


def median_s(work: Callable[[int], object], repeats: int, warm_up: int = 3) -> float:
    for i in range(warm_up):
        work(i)
    times = []
    for i in range(repeats):
        t0 = time.perf_counter()
        work(warm_up + i)
        times.append(time.perf_counter() - t0)
    return statistics.median(times)


def view(world: World) -> Array:
    """A pose in the roomiest place, at eye height."""
    space = world.free_space
    level = int(np.argmin(np.abs(space.z_m - EYE_Z_M)))
    i, j = np.unravel_index(np.argmax(space.distance_m[:, :, level]), space.distance_m.shape[:2])
    x, y = (np.array(space.origin) + (np.array([i, j]) + 0.5) * space.cell_m).tolist()
    return transform(from_rpy([0.0, 0.1, 0.7]) @ R_BODY_OPTICAL, [x, y, EYE_Z_M])


def bare_rays_s(scene: RenderScene, T: Array) -> float:
    import drjit as dr
    import mitsuba as mi

    from veridical.render.rays import opaque_pose, pixel_rays

    stage = scene._backend._tracer._stage  # type: ignore[attr-defined]
    rays = pixel_rays(CAMERA)

    def trace(_: int) -> None:
        ray = rays.through_centres(opaque_pose(T))
        hits = [s.ray_intersect_preliminary(ray, True) for s in stage.scenes]
        dr.eval([h.t for h in hits], [h.prim_index for h in hits])
        dr.sync_thread()

    assert mi.variant()
    return median_s(trace, 15)


def denoiser_s() -> float:
    import mitsuba_oidn

    image = np.random.default_rng(0).random((CAMERA.height, CAMERA.width, 3), np.float32)
    more = {"albedo": image, "normal": image, "hdr": True, "clean_aux": True}
    return median_s(lambda _: mitsuba_oidn.denoise(image, **more, quality=mitsuba_oidn.Quality.High), 3, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", nargs="?", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        _, world = source(given.run, Path(temporary))
        T = view(world)
        scene = RenderScene(world, "draft")
        qpos, robot = scene.data.qpos.copy(), world.robots[0].body
        first = int(world.model.jnt_qposadr[world.model.body(robot).jntadr[0]])

        def fly(_: int) -> None:
            qpos[first] += 1e-3
            scene.set_state(qpos)

        rays, denoise = bare_rays_s(scene, T), denoiser_s()
        rows = [
            ("bare ray query of all pixels (peer)", rays, rays),
            ("Open Image Denoise, High (peer)", denoise, denoise),
        ]
        rows.append(("a robot moves: update of its ray structure", median_s(fly, 15), rays))
        rows.append(
            (
                "depth, normals, ids",
                median_s(lambda _: scene.truth(CAMERA, T, ("normals", "instance")), 15),
                rays,
            )
        )
        rows.append(("all truth with boxes", median_s(lambda _: scene.truth(CAMERA, T), 15), rays))
        hits = scene.truth(CAMERA, T).hits
        rows.append(("flow with occlusion", median_s(lambda _: scene.flow(hits, CAMERA, T), 7), rays))
        rows.append(("colour, draft", median_s(lambda i: scene.colour(CAMERA, T, i), 5), denoise))
        scene = RenderScene(world, "standard")
        rows.append(("colour, standard", median_s(lambda i: scene.colour(CAMERA, T, i), 3), denoise))
    for name, seconds, peer in rows:
        print(f"{name:45s} {seconds * 1e3:9.1f} ms   {seconds / peer:6.2f} x its peer")


if __name__ == "__main__":
    main()
