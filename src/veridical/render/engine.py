"""Chooses the Mitsuba variant that works on this machine, by trying it in a child process.

An unsuitable LLVM aborts the whole process in the middle of the first render, without a Python
exception, so nothing compiled is used here before a child process has rendered with it.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import logging
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from veridical.core.errors import RenderError
from veridical.core.hashing import cached, content_hash

LLVM_PATH = "DRJIT_LIBLLVM_PATH"
_PROBE_TIMEOUT_S = 180.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Engine:
    """The variant in use, the LLVM library chosen for it, and what the user has to know about it."""

    variant: str
    llvm: str | None
    warnings: tuple[str, ...]

    @property
    def is_compiled(self) -> bool:
        """True if whole images are traced at once; False for the slow scalar fall-back."""
        return not self.variant.startswith("scalar")


class ProbeError(RenderError):
    """A variant cannot render here."""


def find_llvm() -> str | None:
    """The LLVM library to use: the user's `$DRJIT_LIBLLVM_PATH`, else the one of karellen-llvm-core."""
    given = os.environ.get(LLVM_PATH)
    if given:
        return given
    try:
        files = importlib.metadata.files("karellen-llvm-core") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name.startswith(("libLLVM.so.", "libLLVM.dylib", "LLVM-C.dll")):
            path = Path(str(file.locate())).resolve()
            if path.is_file():
                return str(path)
    return None


def choose_engine(wanted: str | None = None) -> Engine:
    """Finds the fastest variant that renders here; sets nothing in this process.

    Args:
        wanted: A variant's name to insist on; None takes the first that works of
            `cuda_ad_rgb`, `llvm_ad_rgb`, `scalar_rgb`.

    Raises:
        RenderError: If none works.
    """
    llvm = find_llvm()
    candidates = [wanted] if wanted else [*_gpu_variants(), "llvm_ad_rgb", "scalar_rgb"]
    warnings: list[str] = []
    for variant in candidates:
        try:
            _probe(variant, llvm)
        except ProbeError as error:
            warnings.append(str(error))
            continue
        if warnings and variant == "scalar_rgb":
            warnings.append("rendering with scalar_rgb instead: the same truth, many times slower")
        return Engine(variant, llvm, tuple(warnings))
    msg = "no renderer works here:\n  " + "\n  ".join(warnings) + "\n" + _REMEDY
    raise RenderError(msg)


def start_engine(wanted: str | None = None) -> Engine:
    """Chooses a variant and makes it this process's Mitsuba variant; its warnings are logged.

    A variant that this process already set stays. Dr.Jit looks for LLVM when it is imported, so a process
    that imported it before the library was chosen must not compile.
    """
    if "mitsuba" in sys.modules:
        import mitsuba as mi

        if mi.variant() is not None and wanted in (None, mi.variant()):
            return Engine(mi.variant(), os.environ.get(LLVM_PATH), ())
    engine = choose_engine(wanted)
    if engine.variant.startswith("llvm") and engine.llvm:
        if "drjit" in sys.modules and os.environ.get(LLVM_PATH) != engine.llvm:
            engine = _too_late(engine)
        else:
            os.environ[LLVM_PATH] = str(engine.llvm)
    import mitsuba as mi

    for warning in engine.warnings:
        _log.warning(warning)
    mi.set_variant(engine.variant)
    return engine


def _too_late(engine: Engine) -> Engine:
    warning = (
        f"Mitsuba was imported before Veridical chose {engine.llvm}, so rendering is with scalar_rgb, many "
        f"times slower; import veridical's renderer first, or set {LLVM_PATH} in the environment"
    )
    return Engine("scalar_rgb", engine.llvm, (*engine.warnings, warning))


_REMEDY = (
    "Install a usable LLVM with `pip install karellen-llvm-core`, or set DRJIT_LIBLLVM_PATH to a libLLVM of "
    "version 19 or newer; then `veridical doctor` shows what is found."
)


def _gpu_variants() -> list[str]:
    if sys.platform == "darwin":
        return []
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return []
    return ["cuda_ad_rgb"]


def _probe(variant: str, llvm: str | None) -> None:
    """Renders once in a child process; a good result is remembered for this machine and these versions."""
    library = [llvm, *_fingerprint(Path(llvm))] if llvm else []
    versions = [importlib.metadata.version(package) for package in ("mitsuba", "drjit", "mitsuba-oidn")]
    key = content_hash("probe-2", variant, library, versions, sys.version, _cpu())
    cached("engine", key, lambda _: _render_in_child(variant, llvm))


def _render_in_child(variant: str, llvm: str | None) -> None:
    environment = dict(os.environ)
    if llvm:
        environment[LLVM_PATH] = llvm
    try:
        child = subprocess.run(
            [sys.executable, "-m", "veridical.render.probe", variant],
            env=environment,
            capture_output=True,
            text=True,
            timeout=_PROBE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        msg = f"the probe of {variant} did not end within {_PROBE_TIMEOUT_S:.0f} s"
        raise ProbeError(msg) from error
    if child.returncode != 0 or "probe: good" not in child.stdout:
        lines = [line for line in (child.stderr + child.stdout).strip().splitlines() if line.strip()]
        reason = lines[-1].strip() if lines else f"exit code {child.returncode}"
        using = f" with {llvm}" if llvm and variant.startswith("llvm") else ""
        msg = f"{variant}{using} cannot render here: {reason.rstrip('.')}"
        if variant.startswith("llvm"):
            msg += ". " + _REMEDY
        raise ProbeError(msg)


def _fingerprint(path: Path) -> list[int]:
    if not path.is_file():
        return []
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns]


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if not info.is_file():
        return platform.processor() + platform.machine()
    lines = info.read_text().splitlines()
    return "\n".join(sorted({x for x in lines if x.startswith(("model name", "flags", "Features"))}))
