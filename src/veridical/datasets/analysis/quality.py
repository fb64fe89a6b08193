"""The filter of frames that teach nothing: too dark, too close, blown out, without texture.

The first two rules are those of GRADE's tool for bad frames: a pixel is dark at grey level
15 or below and close at less than 0.3 m; a frame is dropped if both are above 10 %, or if more than 40 % of
it is close.
"""

from __future__ import annotations

from collections.abc import Mapping

DARK_AND_CLOSE_PERCENT = 10.0
CLOSE_PERCENT = 40.0
DARK_PERCENT = 90.0
BRIGHT_PERCENT = 60.0
TEXTURE_PERCENT = 2.0


def why_drop(measures: Mapping[str, float]) -> tuple[str, ...]:
    """The rules that a frame breaks; empty for a good frame. A measure that is absent breaks none."""
    get = measures.get
    dark, close = get("dark_percent", 0.0), get("close_percent", 0.0)
    rules = {
        "dark and close": dark > DARK_AND_CLOSE_PERCENT and close > DARK_AND_CLOSE_PERCENT,
        "too close": close > CLOSE_PERCENT,
        "too dark": dark > DARK_PERCENT,
        "blown out": get("bright_percent", 0.0) > BRIGHT_PERCENT,
        "no texture": get("texture_percent", 100.0) < TEXTURE_PERCENT,
    }
    return tuple(reason for reason, broken in rules.items() if broken)
