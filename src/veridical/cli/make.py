"""Commands that make things: new, run, observe, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.terminal import (
    DataFolder,
    Output,
    Overrides,
    ProgressLine,
    ScenarioFile,
    clock_text,
    resumable,
)


def new(
    preset: Annotated[str, typer.Argument(help="The preset to start from.")] = "apartment",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Default: PRESET.yaml")] = None,
) -> None:
    """Write a commented scenario to edit."""
    from veridical.core.errors import DataError, ScenarioError, did_you_mean
    from veridical.core.files import write_bytes
    from veridical.scenario import presets

    known = presets()
    if preset not in known:
        msg = f"{preset}: is no preset.{did_you_mean(preset, known)} Presets: {', '.join(known)}."
        raise ScenarioError(msg)
    path = output or Path(f"{preset}.yaml")
    if path.exists():
        msg = f"{path}: exists already; choose another name with -o"
        raise DataError(msg)
    write_bytes(path, known[preset].encode())
    print(f"wrote {path}\nnext: veridical check {path}")


def run(scenario: ScenarioFile, output: Output, overrides: Overrides = None) -> None:
    """Simulate a scenario and record every sensor.

    OUTPUT/run holds every state, OUTPUT/data the sensors with their truth. The same command again goes on
    where a killed one stopped.
    """
    import time

    from veridical.cli.start import look_at, require_engines, simulated
    from veridical.scenario import load
    from veridical.sensors import observe as observe_run

    start = time.monotonic()
    loaded = load(scenario, overrides or ())
    look_at(output, loaded)
    require_engines(loaded)
    progress = ProgressLine()
    with resumable():
        recorded = simulated(loaded, output / "run", progress)
        data = observe_run(recorded, output / "data", progress=progress)
    print(
        f"wrote {data.folder} in {clock_text(time.monotonic() - start)}\nnext: veridical verify {data.folder}"
    )


def observe(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    output: Output,
    quality: Annotated[str | None, typer.Option(help="Short for --set output.quality=QUALITY.")] = None,
    overrides: Overrides = None,
) -> None:
    """Record a finished run's sensors, at any quality.

    Only output and the run's own sensors can be overridden: all else is in the recorded states.
    """
    from veridical.cli.start import require_engines
    from veridical.sensors import observe as observe_run
    from veridical.simulate import open_run

    changes = [*(overrides or ()), *([f"output.quality={quality}"] if quality else [])]
    recorded = open_run(run).altered(*changes)
    require_engines(recorded.scenario)
    with resumable():
        data = observe_run(recorded, output, progress=ProgressLine())
    print(f"wrote {data.folder}\nnext: veridical verify {data.folder}")


def export(
    data: DataFolder,
    output: Annotated[Path, typer.Option("-o", "--output", help="A new folder.")],
    as_: Annotated[str, typer.Option("--as", help="The format.")] = "tum",
    stream: Annotated[str | None, typer.Option(help="The camera stream; default: the first.")] = None,
) -> None:
    """Write a dataset in another format."""
    from veridical.datasets import export as export_data
    from veridical.datasets import open_dataset

    print(f"wrote {export_data(open_dataset(data), as_, output, stream=stream)}")
