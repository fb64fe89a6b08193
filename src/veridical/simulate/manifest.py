"""run.json: what was simulated, with what, on what."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

import yaml

from veridical.core.errors import DataError
from veridical.core.files import read_json, write_bytes, write_json
from veridical.core.hashing import content_hash
from veridical.scenario.schema import Scenario

SCHEMA = 1
Status = Literal["running", "complete", "failed"]
_PACKAGES = ("veridical", "mujoco", "numpy", "scipy", "pyarrow")


def scenario_hash(scenario: Scenario) -> str:
    """Of the resolved scenario."""
    return content_hash(scenario.model_dump(mode="json"))


def versions() -> dict[str, str]:
    """Of Python and of the packages that the states depend on."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found


def machine() -> dict[str, Any]:
    """Platform, CPU model and its flags: bit-exact repetition holds for equal ones."""
    model, flags = platform.processor(), ""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                model = value.strip()
            elif key.strip() == "flags":
                flags = value.strip()
            if model and flags:
                break
    return {
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cpu": model,
        "cpu_flags": flags.split(),
    }


def write_scenario(scenario: Scenario, path: Path) -> None:
    """The resolved scenario, every default spelled out."""
    text = yaml.safe_dump(scenario.model_dump(mode="json"), sort_keys=False, allow_unicode=True)
    write_bytes(path, text.encode())


def read_scenario(path: Path) -> Scenario:
    """Reads what `write_scenario` wrote."""
    return Scenario.model_validate(yaml.safe_load(path.read_text()))


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Writes run.json."""
    write_json(folder / "run.json", manifest)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Reads run.json.

    Raises:
        DataError: If the folder holds no run, or one of another schema.
    """
    path = folder / "run.json"
    if not path.is_file():
        msg = f"{folder}: holds no run (no run.json); name a folder that `veridical run` or simulate() wrote"
        raise DataError(msg)
    manifest: dict[str, Any] = read_json(path)
    if manifest.get("schema") != SCHEMA:
        msg = f"{path}: schema {manifest.get('schema')}, but this version reads {SCHEMA}; simulate it again"
        raise DataError(msg)
    return manifest
