"""The compiled engine: whole images of rays at once, on the CPU by LLVM or on an NVIDIA GPU."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.camera import PinholeCamera
from veridical.core.geometry import Array
from veridical.render.atlas import build_atlas, is_clear
from veridical.render.colour import Painter
from veridical.render.emitters import Emitters
from veridical.render.lights import Lights
from veridical.render.pieces import Piece
from veridical.render.plan import ScenePlan
from veridical.render.quality import Level
from veridical.render.shading import Surfaces
from veridical.render.shapes import Tier
from veridical.render.stage import Stage
from veridical.render.tracer import Tracer


class Compiled:
    """See `plan.Backend`."""

    def __init__(self, plan: ScenePlan) -> None:
        def clear(piece: Piece) -> bool:
            return is_clear(plan.materials[piece.geom])

        solid = [[piece for piece in group if not clear(piece)] for group in plan.tiers]
        glass = [piece for group in plan.tiers for piece in group if clear(piece)]
        self._tiers = [Tier(group, plan.poses) for group in solid if group]
        if glass:
            self._tiers.append(Tier(glass, plan.poses, is_glass=True))
        stage = Stage(self._tiers)
        geoms = [piece.geom for piece in stage.pieces]
        self._tracer = Tracer(stage, plan.label[geoms])
        self.trace, self.free_between = self._tracer.trace, self._tracer.free_between
        self._has_colour = plan.level is not None
        if plan.level is not None:
            self._lights, self._painter = _paint(plan, plan.level, stage)

    def move(self, geoms: set[int], poses: Array) -> None:
        """Brings some geoms to new poses."""
        for tier in self._tiers:
            tier.move(geoms, poses)
        if self._has_colour:
            self._lights.emitters.move(geoms, poses)

    def picture(self, camera: PinholeCamera, T: Array, seed: int) -> NDArray[np.uint8]:
        """An sRGB picture (h, w, 3)."""
        return self._painter.picture(camera, T, seed)


def _paint(plan: ScenePlan, level: Level, stage: Stage) -> tuple[Lights, Painter]:
    material_of_piece = [plan.materials[piece.geom] for piece in stage.pieces]
    materials = list(dict.fromkeys(material_of_piece))
    number = {m: i for i, m in enumerate(materials)}
    surfaces = Surfaces(build_atlas(materials, plan.textures, level.texture_px))
    numbers = [number[m] for m in material_of_piece]
    emitters = Emitters(stage.pieces, material_of_piece, numbers, surfaces, plan.poses, plan.look.sky)
    lights = Lights(stage, emitters, plan.look, plan.origin, plan.bounds)
    return lights, Painter(stage, lights, surfaces, numbers, level, plan.look.exposure)
