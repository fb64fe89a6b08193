"""The README's and the guides' Python runs, and the examples run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDES = sorted(p for p in (ROOT / "docs").glob("*.md") if "```python" in p.read_text())
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))

# The README flies for 20 s; the same lines are run here on a short flight in a small home.
SHORT = 'vd.load("apartment", ["recording.duration_s=1.5", "world.rooms=1", "world.area_m2=20"])'


def python_of(page: Path) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL))


def run(code: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, env=os.environ, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("page", GUIDES, ids=lambda p: p.stem)
def test_guide_runs(page: Path, tmp_path: Path) -> None:
    run(python_of(page), tmp_path)


def test_readme_runs(tmp_path: Path) -> None:
    code = python_of(ROOT / "README.md")
    assert 'vd.load("apartment")' in code
    assert len(code.strip().splitlines()) <= 10
    out = run(code.replace('vd.load("apartment")', SHORT), tmp_path)
    assert "ATE" in out
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
def test_example_runs(example: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(example), str(tmp_path / "out")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_links_in_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
