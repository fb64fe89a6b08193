"""What every room gets: radiators, curtains, lamps, pictures, plants."""

from __future__ import annotations

import numpy as np

from veridical.worlds.apartment.plan import Opening, Side
from veridical.worlds.apartment.setting import Item, Setting, pose
from veridical.worlds.apartment.space import Solid

_CURTAINED = ("living_room", "living_kitchen", "studio", "bedroom", "study", "dining_room")


def at_windows(s: Setting) -> None:
    """Radiators below and curtains beside the windows."""
    for side, hole in s.windows():
        along = (hole.start + hole.end) / 2
        if 0.75 < hole.bottom < 1.0 and s.kind != "kitchen":
            radiator = s.make("radiator", width=float(np.clip(hole.width - 0.3, 0.6, 1.3)))
            s.put([Item("radiator", radiator, s.on_wall(radiator, side, along, 0.03))], walk=False)
        if s.kind in _CURTAINED:
            _curtain(s, side, hole)


def _curtain(s: Setting, side: Side, hole: Opening) -> None:
    low, high = s.extent(side)
    along = (hole.start + hole.end) / 2
    width = min(hole.width + 0.6, 2 * (along - low) - 0.06, 2 * (high - along) - 0.06)
    height = min(hole.top + 0.2, s.room.height - 0.04)
    curtain = s.make("curtain", width=width, height=height - 0.02, variant=s.curtain_style)
    T = s.on_wall(curtain, side, along, 0.035, 0.02)
    s.put([Item("curtain", curtain, T, soft=True)], check=False)
    for sign in (-1.0, 1.0):
        cloth = 0.22 * width / 2
        center = T[:2, 3] + T[:2, 1] * sign * (width / 2 - cloth)
        half = np.array([curtain.size[0] / 2, cloth])
        s.space.add(Solid(center, T[:2, 0].copy(), half, (0.02, height)))


def ceiling_lamps(s: Setting) -> None:
    """One lamp in the middle of a room, two in a long one, unless a pendant hangs there already."""
    x0, y0, x1, y1 = s.room.rect
    long, wide = max(x1 - x0, y1 - y0), min(x1 - x0, y1 - y0)
    pendant = [i.T[:2, 3] for i in s.items if i.kind == "pendant_lamp"]
    lamp = s.make("ceiling_lamp")
    count = 2 if long > 2.1 * wide or (s.area > 26 and not pendant) else 1
    for k in range(count):
        f = (k + 0.5) / count
        along = np.array(
            [x0 + f * (x1 - x0), (y0 + y1) / 2] if x1 - x0 > y1 - y0 else [(x0 + x1) / 2, y0 + f * (y1 - y0)]
        )
        if any(np.linalg.norm(along - p) < 1.2 for p in pendant):
            continue
        T = pose(float(along[0]), float(along[1]), 0.0, s.room.height - lamp.size[2])
        s.put([Item("ceiling_lamp", lamp, T)], walk=False)


def on_walls(s: Setting) -> None:
    """Pictures at eye level, a clock in kitchens and studies."""
    if s.kind == "bathroom":
        return
    wanted = {"living_room": 4, "living_kitchen": 4, "studio": 4, "hall": 3, "kitchen": 1}.get(s.kind, 2)
    for item in [i for i in s.items if i.kind in ("sofa", "bed", "bench", "desk", "cabinet")]:
        back = -item.thing.size[0] / 2 - 0.02
        picture = s.make("picture")
        z = max(1.15, item.thing.size[2] + 0.22)
        T = item.T @ pose(back + picture.size[0] / 2 + 0.003, 0.0, 0.0, z)
        if (
            s.at_wall(T, 0.06)
            and z + picture.size[2] < s.room.height - 0.15
            and s.put([Item("picture", picture, T)], walk=False)
        ):
            wanted -= 1
    for _ in range(max(wanted, 1)):
        picture = s.make("picture")
        s.hang("picture", picture, max(0.9, 1.55 - picture.size[2] / 2))
    if s.kind in ("kitchen", "study", "living_kitchen") or s.chance(0.25):
        s.hang("clock", s.make("clock"), 1.8)
    if s.kind in ("study", "kitchen", "living_room") and s.chance(0.5):
        s.hang("wall_shelf", s.make("wall_shelf"), 1.45)


def plants(s: Setting) -> None:
    """Plants in corners."""
    wanted = {"living_room": 2, "living_kitchen": 2, "studio": 1, "bathroom": 0, "kitchen": 1}.get(s.kind, 1)
    for _ in range(wanted):
        plant = s.make("plant", height=float(s.rng.uniform(0.7, 1.5)))
        s.stand("plant", plant, gap=0.06, corner=1.2)
