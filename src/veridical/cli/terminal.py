"""What the commands share: options, progress with time left, results for people or machines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

ScenarioFile = Annotated[str, typer.Argument(metavar="SCENARIO", help="A YAML file, or a preset's name.")]
DataFolder = Annotated[Path, typer.Argument(metavar="DATA", help="A dataset folder.")]
Output = Annotated[
    Path, typer.Option("-o", "--output", help="A new folder, or one that a stopped command began.")
]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY.PATH=VALUE", help="Override a key of the scenario; repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]

_SECONDS_BETWEEN_LINES = 5.0


class ProgressLine:
    """Says on stderr which stage runs, how far it is, and how long it will still take."""

    def __init__(self) -> None:
        self._stage = ""
        self._first = (0.0, 0)
        self._shown = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Takes note of `done` of `total` steps; see `veridical.core.progress`."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._first, self._shown = stage, (now, done), 0.0
        live = sys.stderr.isatty()
        finished = done >= total
        if not finished and now - self._shown < (0.2 if live else _SECONDS_BETWEEN_LINES):
            return
        self._shown = now
        text = f"{stage}: {done}/{total}{self._time_text(now, done, total)}"
        end = "\n" if finished or not live else ""
        print(f"\r\x1b[K{text}" if live else text, end=end, file=sys.stderr, flush=True)

    def _time_text(self, now: float, done: int, total: int) -> str:
        elapsed, fresh = now - self._first[0], done - self._first[1]
        if done >= total:
            return f" in {clock_text(elapsed)}"
        return f", {clock_text(elapsed / fresh * (total - done))} left" if fresh else ""


@contextmanager
def resumable() -> Iterator[None]:
    """Ctrl-C within ends the command with a word about what to do next."""
    try:
        yield
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        raise typer.Exit(130) from None


def clock_text(seconds: float) -> str:
    """`42 s`, `3 min 05 s` or `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if whole < 10 else f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def bytes_text(n: float) -> str:
    """`12 MB` and the like, decimal units."""
    for unit in ("B", "kB", "MB"):
        if n < 1000:
            return f"{n:.3g} {unit}"
        n /= 1000
    return f"{n:.3g} GB"


def show(result: dict[str, Any], text: str, *, as_json: bool) -> None:
    """Prints a result on stdout, for machines or for people."""
    print(json.dumps(result, indent=2) if as_json else text)
