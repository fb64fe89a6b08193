"""Furnishing rules: bedrooms, bathrooms, halls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.worlds.apartment.setting import Item, Setting, moved, pose


def sleeping_place(s: Setting, widest: float = 1.88) -> bool:
    """A bed with its head at a wall, nightstands, lamps and a rug."""

    def away_from_corners(items: Sequence[Item]) -> float:
        return float(s.rng.uniform(0, 0.6)) - 0.6 * min(s.to_corner(items[0].T[:2, 3]), 2.5)

    narrow = min(s.room.rect[2] - s.room.rect[0], s.room.rect[3] - s.room.rect[1])
    widths = [w for w in (1.88, 1.68, 1.48, 0.98) if w <= widest and w < narrow - 1.3] or [0.98]
    for width in widths[int(s.rng.integers(max(1, len(widths) - 1))) :]:
        bed = s.make("bed", width=width, style=s.cabinet_style)
        options = ([Item("bed", bed, s.on_wall(bed, side, a, 0.03))] for side, a in s.slots(bed.size[1]))
        placed = s.put_best(options, away_from_corners if width > 1.2 else None)
        if placed is not None:
            _beside_bed(s, placed[0])
            return True
    return False


def _beside_bed(s: Setting, bed: Item) -> None:
    stand = s.make("nightstand", style=s.cabinet_style)
    lamp = s.make("table_lamp")
    for sign in (1.0, -1.0):
        y = sign * (bed.thing.size[1] / 2 + stand.size[1] / 2 + 0.05)
        item = Item("nightstand", stand, moved(bed.T, x=-bed.thing.size[0] / 2 + stand.size[0] / 2, y=y))
        if s.put([item], walk=False):
            s.on_top(item, "table_lamp", lamp, x=-0.06, y=sign * 0.06)
    wide = bed.thing.size[1] + 1.0
    rug = s.make("rug", width=wide, depth=1.5)
    x = bed.thing.size[0] / 2 - 0.5
    item = Item("rug", rug, moved(bed.T, x=x))
    if s.inside(item, 0.05):
        s.put([Item("rug", rug, item.T, soft=True)], check=False)


def clothes(s: Setting) -> None:
    """Wardrobe and dresser, with a mirror over the dresser."""
    for width in (float(s.rng.uniform(1.5, 2.0)), 1.2, 1.0):
        if s.stand("wardrobe", s.make("wardrobe", width=width, style=s.cabinet_style), corner=0.4):
            break
    dresser = s.stand(
        "cabinet", s.make("cabinet", width=float(s.rng.uniform(0.8, 1.2)), style=s.cabinet_style)
    )
    if dresser is not None:
        over(s, dresser, "mirror", 1.1)


def over(s: Setting, base: Item, kind: str, z: float, **options: object) -> bool:
    """Hangs something on the wall above a piece of furniture that stands at that wall."""
    thing = s.make(kind, **options)
    back = -base.thing.size[0] / 2 - 0.02 + thing.size[0] / 2 + 0.003
    if z + thing.size[2] > s.room.height - 0.1:
        return False
    return s.put([Item(kind, thing, moved(base.T, x=back, z=z))], walk=False)


def bathroom(s: Setting) -> None:
    """Bathtub, washbasin with mirror, toilet, washing machine, towels."""
    for width in (1.7, 1.6, 1.5, 1.4):
        if s.stand("bathtub", s.make("bathtub", width=width), gap=0.004, corner=3.0):
            break
    basin = s.stand("washbasin", s.make("washbasin", style=s.cabinet_style), gap=0.004)
    if basin is not None:
        over(s, basin, "mirror", 1.15, width=0.6, height=0.8)
    s.stand("toilet", s.make("toilet"), gap=0.004)
    if s.area > 5.5:
        s.stand("washing_machine", s.make("washing_machine"), gap=0.03, corner=0.5)
    rail = s.make("towel_rail")
    s.hang("towel_rail", rail, 0.8)
    if s.area > 6.5:
        s.stand("cabinet", s.make("cabinet", width=0.6, style=s.cabinet_style), corner=0.3)
    s.stand("bin", s.make("bin"), corner=0.5, gap=0.05)
    s.stand("basket", s.make("basket"), corner=0.5, gap=0.05)


def hall(s: Setting) -> None:
    """Cabinet with mirror, bench below a coat rack, shoes."""
    chest = s.stand("cabinet", s.make("cabinet", width=float(s.rng.uniform(0.7, 1.1)), style=s.cabinet_style))
    if chest is not None:
        over(s, chest, "mirror", 1.05)
    bench = s.stand("bench", s.make("bench", width=float(s.rng.uniform(0.8, 1.1))))
    if bench is not None:
        over(s, bench, "coat_rack", 1.6)
        shoe = s.make("shoe")
        for k in range(3):
            x = bench.thing.size[0] / 2 + shoe.size[0] / 2 + 0.05
            for dy in (-0.06, 0.06):
                y = (k - 1) * 0.28 + dy
                yaw = np.pi + float(s.rng.normal(0, 0.12))
                s.put_extra([Item("shoe", shoe, moved(bench.T, x=x, y=y, z=0.001, yaw_rad=yaw))], walk=False)
    x0, y0, x1, y1 = s.room.rect
    long, wide = max(x1 - x0, y1 - y0), min(x1 - x0, y1 - y0)
    runner = s.make("rug", width=min(long - 1.2, 2.4), depth=min(wide - 1.0, 0.8))
    T = pose((x0 + x1) / 2, (y0 + y1) / 2, 0.0 if y1 - y0 > x1 - x0 else np.pi / 2)
    s.put([Item("rug", runner, T, soft=True)], check=False)
    if s.area > 9:
        s.stand("wardrobe", s.make("wardrobe", width=1.0, style=s.cabinet_style), corner=0.5)
