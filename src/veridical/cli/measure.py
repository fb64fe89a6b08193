"""Commands that judge: estimate, evaluate, verify, analyse, report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.terminal import AsJson, DataFolder, ProgressLine, show

Method = Annotated[str, typer.Option(help="The method under test.")]


def estimate(data: DataFolder, method: Method = "stereo-vo") -> None:
    """Run a method on a dataset's sensor streams.

    The method never sees the truth. Its track goes to DATA/estimates/METHOD.
    """
    from veridical.datasets import open_dataset
    from veridical.estimate import estimate as run_method

    folder = data / "estimates" / method
    track = run_method(open_dataset(data).blind(), method, progress=ProgressLine())
    track.save(folder)
    print(f"wrote {folder}\nnext: veridical evaluate {data}")


def evaluate(
    data: DataFolder,
    alignment: Annotated[str, typer.Option(help="none, se3, sim3, yaw or first")] = "se3",
    as_json: AsJson = False,
) -> None:
    """Score every estimate of a dataset against the truth."""
    from veridical.core.errors import DataError
    from veridical.datasets import open_dataset
    from veridical.datasets.track import Track
    from veridical.evaluate import evaluate as score_track

    opened = open_dataset(data)
    folders = sorted((data / "estimates").glob("*/"))
    if not folders:
        msg = f"{data}: holds no estimates; run `veridical estimate {data} --method stereo-vo` first"
        raise DataError(msg)
    scores = {folder.name: score_track(opened, Track.load(folder), alignment=alignment) for folder in folders}
    text = "\n\n".join(str(score) for score in scores.values())
    show({name: score.to_dict() for name, score in scores.items()}, text, as_json=as_json)


def verify(data: DataFolder, as_json: AsJson = False) -> None:
    """Prove that a dataset agrees with itself.

    Writes DATA/certificate.json; the exit code is 1 if a check fails.
    """
    from veridical.datasets import open_dataset
    from veridical.datasets import verify as certify
    from veridical.datasets.certificate import keep

    dataset = open_dataset(data)
    certificate = certify(dataset)
    keep(dataset, certificate)
    show(certificate.to_json(), str(certificate), as_json=as_json)
    if not certificate.passed:
        raise typer.Exit(1)


def analyse(data: DataFolder, as_json: AsJson = False) -> None:
    """Measure what a dataset is like; list bad frames.

    Motion by robot; moving things, light, sharpness, texture and depth range by camera; the frames that a
    quality filter would drop. Writes DATA/analysis.json.
    """
    from veridical.datasets import analyse as analyse_data
    from veridical.datasets import open_dataset
    from veridical.datasets.analysis import keep

    dataset = open_dataset(data)
    analysis = analyse_data(dataset, progress=ProgressLine())
    keep(dataset, analysis)
    show(analysis.to_json(), str(analysis), as_json=as_json)


def report(
    data: Annotated[list[Path], typer.Argument(metavar="DATA...", help="Dataset folders.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The HTML file.")] = Path("report.html"),
) -> None:
    """Write one HTML file about datasets.

    Sample frames, trajectory, errors over time, certificate, versions, and the time spent.
    """
    from veridical.datasets import open_dataset
    from veridical.report import report as write_report

    print(f"wrote {write_report([open_dataset(folder) for folder in data], output)}")
