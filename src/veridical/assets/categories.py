"""The stable table of semantic classes. Numbers are never reused; append only."""

from __future__ import annotations

_NAMES = ["background", "wall", "floor", "ceiling", "window", "door", "skirting", "sofa", "armchair", "table", "chair", "bed", "wardrobe", "shelf", "book", "kitchen_unit", "sink", "fridge", "stove", "desk", "lamp", "rug", "plant", "curtain", "picture", "cup", "bowl", "plate", "bottle", "box", "vase", "cushion", "toy", "electronics", "appliance", "fruit", "clutter", "robot", "wheel", "structure", "mirror", "toilet", "bathtub", "washbasin", "cabinet", "blanket", "pillow", "basket", "shoe", "bin", "monitor", "keyboard", "clock", "other"]

CATEGORIES: dict[str, int] = {name: i for i, name in enumerate(_NAMES)}
"""Class name to semantic id (0..65535); 0 is the background where a ray hits nothing."""
