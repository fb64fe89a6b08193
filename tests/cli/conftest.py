"""Commands run within the test's process, through the same `main` as on a terminal."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from veridical.cli import main

SMALL = """\
name: small
world: {kind: empty}
robots:
  scout:
    kind: quadrotor
    start: {position: [0, 0, 1.2]}
    mission: {kind: hover}
    sensors:
      imu: {kind: imu, rate_hz: 100}
recording: {bootstrap_s: 0.1, duration_s: 0.2}
"""


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith("error: ")]


class Desk:
    """A folder to work in, with a small scenario, and the commands."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._patch, self._capture = patch, capture
        patch.chdir(folder)
        self.write()

    def write(self, *changes: tuple[str, str], name: str = "small.yaml") -> None:
        """The small scenario with parts of its text replaced."""
        text = SMALL
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (self.folder / name).write_text(text)

    def __call__(self, *arguments: str) -> Outcome:
        self._patch.setattr(sys, "argv", ["veridical", *arguments])
        self._capture.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        out, err = self._capture.readouterr()
        return Outcome(code, out, err)

    def tree(self) -> dict[str, bytes | None]:
        """Every path below the folder, with the content of files."""
        return {
            str(p.relative_to(self.folder)): p.read_bytes() if p.is_file() else None
            for p in sorted(self.folder.rglob("*"))
        }


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    """Stands in a folder with `small.yaml`; call it with the arguments of a command."""
    monkeypatch.setenv("COLUMNS", "120")
    return Desk(tmp_path, monkeypatch, capsys)
