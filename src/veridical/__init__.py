"""One scenario file becomes a simulated robot experiment with perfect ground truth.

    import veridical as vd

    scenario = vd.load("apartment")
    run = vd.simulate(scenario, "out/run")
    data = vd.observe(run, "out/data")
    track = vd.estimate(data, "stereo-vo")
    print(vd.evaluate(data, track))
    vd.report([data], "out/report.html")

Names are loaded when first used, so that the import itself costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.datasets import analyse, export, open_dataset, verify
    from veridical.estimate import estimate
    from veridical.evaluate import evaluate
    from veridical.report import report
    from veridical.scenario import load
    from veridical.sensors import observe
    from veridical.simulate import Session, open_run, simulate

__version__ = "0.1.0"

_ROOMS = {
    "load": "scenario",
    "simulate": "simulate",
    "open_run": "simulate",
    "Session": "simulate",
    "observe": "sensors",
    "open_dataset": "datasets",
    "export": "datasets",
    "verify": "datasets",
    "analyse": "datasets",
    "estimate": "estimate",
    "evaluate": "evaluate",
    "report": "report",
}

__all__ = [
    "Session",
    "analyse",
    "estimate",
    "evaluate",
    "export",
    "load",
    "observe",
    "open_dataset",
    "open_run",
    "report",
    "simulate",
    "verify",
]


class _Package(ModuleType):
    """Importing the room `simulate` must not hide the function `simulate` behind it."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _ROOMS and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return getattr(import_module(f"veridical.{_ROOMS[name]}"), name)
    msg = f"module 'veridical' has no attribute {name!r}"
    raise AttributeError(msg)
