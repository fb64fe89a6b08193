"""What `veridical doctor` finds: engines, versions, and how to get what is missing."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from veridical.core.errors import RenderError
from veridical.core.hashing import cache_folder

_ENGINES = ("mujoco", "mitsuba", "drjit", "mitsuba-oidn", "numpy", "opencv-python-headless")
"""Named with their version when all is well."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked for: what, whether it is there, and what to know about it."""

    what: str
    found: bool
    needed: bool
    detail: str


@dataclass(frozen=True)
class Diagnosis:
    """All findings."""

    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """True if nothing that is needed is missing."""
        return all(f.found or not f.needed for f in self.findings)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {"usable": self.usable, "findings": [asdict(f) for f in self.findings]}

    def __str__(self) -> str:
        marks = {(True, True): "ok     ", (True, False): "ok     ", (False, True): "MISSING"}
        lines = [f"{marks.get((f.found, f.needed), '-      ')} {f.what}: {f.detail}" for f in self.findings]
        return "\n".join([*lines, "ready" if self.usable else "not ready: see MISSING above"])


def diagnose() -> Diagnosis:
    """Looks at this machine; the engines are tried in child processes."""
    return Diagnosis((_machine(), *_packages(), *_path_tracer(), _opengl(), _convex(), _cache()))


def _machine() -> Finding:
    system = f"{platform.system()} {platform.machine()}"
    detail = f"Python {platform.python_version()}, {system}, {os.cpu_count()} cores"
    return Finding("machine", True, True, detail)


def _packages() -> list[Finding]:
    """What the installed distribution asks for, extras left out."""
    required = importlib.metadata.requires("veridical") or []
    names = [re.split(r"[^A-Za-z0-9_.-]", r)[0] for r in required if ";" not in r]
    missing = [name for name in names if _version(name) is None]
    found = ", ".join(f"{name} {_version(name)}" for name in _ENGINES if name not in missing)
    lacking = [Finding(name, False, True, f"pip install {name}") for name in missing]
    return [Finding("veridical", True, True, f"{_version('veridical')} with {found}"), *lacking]


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _path_tracer() -> list[Finding]:
    from veridical.render.engine import choose_engine

    try:
        engine = choose_engine()
    except RenderError as error:
        return [Finding("path tracing", False, True, str(error))]
    using = f" with {engine.llvm}" if engine.llvm and engine.variant.startswith("llvm") else ""
    warnings = [Finding("path tracing", False, False, warning) for warning in engine.warnings]
    return [*warnings, Finding("path tracing", True, True, engine.variant + using)]


def _opengl() -> Finding:
    from veridical.render.gl import find_gl

    try:
        return Finding("OpenGL for quality `fast`", True, False, find_gl())
    except RenderError as error:
        return Finding("OpenGL for quality `fast`", False, False, str(error))


def _convex() -> Finding:
    version = _version("coacd")
    missing = "pip install 'veridical[convex]' for convex parts of your own meshes"
    return Finding("coacd", version is not None, False, version or missing)


def _cache() -> Finding:
    folder = cache_folder()
    existing = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    size = sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file()) if folder.is_dir() else 0
    free = shutil.disk_usage(existing).free
    return Finding(
        "cache",
        True,
        False,
        f"{folder}, {size / 1e6:.0f} MB (made anew if deleted), {free / 1e9:.0f} GB free",
    )
