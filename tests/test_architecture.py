"""The imports of every room, held against the table in ARCHITECTURE.md."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "veridical"
ROOMS = sorted(p.name for p in SOURCE.iterdir() if p.is_dir() and (p / "__init__.py").exists())


def allowed_imports() -> dict[str, set[str]]:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", text, flags=re.MULTILINE)
    return {room: set(re.findall(r"`(\w+)`", cell)) for room, cell in rows}


def imported_rooms(file: Path) -> set[str]:
    tree = ast.parse(file.read_text())
    modules = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module and not n.level]
    modules += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    return {m.split(".")[1] for m in modules if m.startswith("veridical.")}


def relative_imports(file: Path) -> int:
    return sum(isinstance(n, ast.ImportFrom) and n.level > 0 for n in ast.walk(ast.parse(file.read_text())))


def test_table_names_every_room() -> None:
    assert set(ROOMS) == set(allowed_imports())


@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_only_what_the_table_allows(room: str) -> None:
    allowed = allowed_imports()[room] | {room}
    wrong = {
        f"{file.relative_to(SOURCE)} imports {other}"
        for file in (SOURCE / room).rglob("*.py")
        for other in imported_rooms(file) - allowed
    }
    assert not wrong


def test_imports_are_absolute() -> None:
    assert not [f for f in SOURCE.rglob("*.py") if relative_imports(f)]


def test_core_needs_numpy_only() -> None:
    roots = {
        (n.module if isinstance(n, ast.ImportFrom) else a.name).split(".")[0]
        for file in (SOURCE / "core").rglob("*.py")
        for n in ast.walk(ast.parse(file.read_text()))
        if isinstance(n, ast.Import | ast.ImportFrom)
        for a in n.names
    }
    import sys

    assert roots - set(sys.stdlib_module_names) <= {"numpy", "veridical"}


def test_no_other_project_words() -> None:
    """The product imports no GPL package."""
    gpl = re.compile(r"^\s*(?:import|from) (?:evo|bpy)\b", flags=re.MULTILINE)
    assert not [f for f in SOURCE.rglob("*.py") if gpl.search(f.read_text())]


def test_names_of_the_api_are_functions_whatever_was_imported_before() -> None:
    """A room and a function may share a name; the package's attribute is always the function."""
    code = (
        "import veridical.simulate, veridical.estimate, veridical.evaluate, veridical.report\n"
        "import veridical as vd\n"
        "assert all(callable(getattr(vd, name)) for name in vd.__all__), vd.__all__\n"
        "assert all(callable(getattr(vd, name)) for name in vd.__all__), vd.__all__\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
