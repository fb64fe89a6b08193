"""The world made visible: path-traced colour and exact truth by Mitsuba, fast colour by OpenGL."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.render.renderer import RENDERERS, Renderer, open_renderer
    from veridical.render.scene import RenderScene
    from veridical.render.truth import Truth

_HOMES = {
    "RENDERERS": "renderer",
    "Renderer": "renderer",
    "open_renderer": "renderer",
    "RenderScene": "scene",
    "Truth": "truth",
}

__all__ = ["RENDERERS", "RenderScene", "Renderer", "Truth", "open_renderer"]


def __getattr__(name: str) -> Any:
    """The engines load when a name is first used, so that the room itself stays light."""
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
