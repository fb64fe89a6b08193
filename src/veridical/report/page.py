"""Puts the report together."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from veridical.core.errors import DataError
from veridical.core.files import write_bytes
from veridical.core.trajectory import Trajectory
from veridical.datasets import Certificate, Dataset, verify
from veridical.datasets.certificate import Check, kept
from veridical.datasets.frames import Box3d
from veridical.datasets.track import Track
from veridical.evaluate import Score, evaluate
from veridical.report import pictures, plots
from veridical.scenario import to_yaml

_SAMPLES = 3
_FILM_FRAMES = 60
_PLAN_FRAMES = 25


def report(data: Sequence[Dataset], path: Path | str) -> Path:
    """Writes one self-contained HTML file about datasets and the estimates that lie in them.

    Args:
        data: Datasets; each one's estimates are scored again, with SE(3) alignment.
        path: The HTML file. An older report of that name is replaced.

    Returns:
        The path.

    Raises:
        DataError: If no dataset is given, or one has no camera stream.
    """
    if not data:
        msg = "a report needs at least one dataset"
        raise DataError(msg)
    path = Path(path)
    chapters = [_Chapter(one) for one in data]
    style = (files("veridical.report") / "style.css").read_text(encoding="utf-8")
    title = ", ".join(dict.fromkeys(chapter.title for chapter in chapters))
    body = _comparison(chapters) + "".join(map(_chapter, chapters))
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{_text(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style></head>'
        f"<body>{body}</body></html>"
    )
    write_bytes(path, page.encode())
    return path


@dataclass(frozen=True)
class _Chapter:
    """A dataset with everything that the report derives from it."""

    data: Dataset

    @property
    def title(self) -> str:
        return self.data.scenario.name

    @cached_property
    def stream(self) -> str:
        roles = {camera.role: name for name, camera in reversed(self.data.cameras.items())}
        for role in ("left", "rgbd", "mono"):
            if role in roles:
                return roles[role]
        msg = f"{self.data.folder}: has no camera stream, so there is nothing to show"
        raise DataError(msg)

    @cached_property
    def truth(self) -> Trajectory:
        return self.data.poses(self.stream)

    @cached_property
    def scores(self) -> list[Score]:
        folders = sorted((self.data.folder / "estimates").glob("*/"))
        return [evaluate(self.data, Track.load(folder)) for folder in folders]

    @cached_property
    def certificate(self) -> Certificate:
        return kept(self.data) or verify(self.data)

    @cached_property
    def names(self) -> dict[int, str]:
        return {row.id: row.name for row in self.data.labels}

    def boxes(self) -> list[tuple[str, Box3d]]:
        categories = {row.id: row.category for row in self.data.labels}
        found: dict[int, Box3d] = {}
        for i in _spread(len(self.truth), _PLAN_FRAMES):
            for box in self.data.frame(self.stream, i).boxes_3d or ():
                found.setdefault(box.instance, box)
        return [(categories[k], box) for k, box in sorted(found.items())]


def _chapter(chapter: _Chapter) -> str:
    return "".join(
        [
            _head(chapter),
            _frames(chapter),
            _motion(chapter),
            _numbers(chapter),
            _certificate(chapter.certificate),
            _provenance(chapter),
        ]
    )


def _head(chapter: _Chapter) -> str:
    data, truth = chapter.data, chapter.truth
    seconds = (truth.t_ns[-1] - truth.t_ns[0]) / 1e9
    film = [data.colour(chapter.stream, i) for i in _film_frames(chapter)]
    cards = [
        _card(f"{seconds:.0f} s", f"{len(truth)} frames, {truth.length_m:.1f} m of path"),
        _card(
            "certified" if chapter.certificate.passed else "not certified",
            "the dataset agrees with itself" if chapter.certificate.passed else "see the certificate below",
            "good" if chapter.certificate.passed else "bad",
        ),
        *(_score_card(score) for score in chapter.scores),
        *(
            [_card(f"{sum(data.manifest['timings_s'].values()):.0f} s", "of computing")]
            if data.manifest["timings_s"]
            else []
        ),
    ]
    picture = f'<img src="{pictures.film_uri(film, seconds / 4)}" alt="the camera\'s view">' if film else ""
    plan = plots.plan_view(truth, chapter.boxes(), chapter.scores)
    return (
        f"<h1>{_text(chapter.title)}</h1><p class=soft>{_text(_summary(chapter))}</p>"
        f"<div class=cards>{''.join(cards)}</div>"
        f'<div class="hero plots"><figure>{picture}<figcaption>what {_text(chapter.stream)} saw, '
        f"four times as fast</figcaption></figure><figure>{plan}<figcaption>the path from above, over what "
        f"was seen on the way</figcaption></figure></div>"
    )


def _summary(chapter: _Chapter) -> str:
    scenario = chapter.data.scenario
    robots = ", ".join(f"{name} ({robot.kind})" for name, robot in scenario.robots.items())
    return (
        f"{robots} in {scenario.world.kind}; seed {scenario.seed}; colour quality {scenario.output.quality}"
    )


def _film_frames(chapter: _Chapter) -> list[int]:
    if "colour" not in chapter.data.layers(chapter.stream):
        return []
    return _spread(len(chapter.truth), _FILM_FRAMES)


def _frames(chapter: _Chapter) -> str:
    rows = []
    for i in _spread(len(chapter.truth), _SAMPLES + 2)[1:-1] or [0]:
        frame = chapter.data.frame(chapter.stream, i)
        shown = pictures.visible_layers(frame, chapter.names)
        right = chapter.stream.removesuffix("left") + "right"
        if right in chapter.data.cameras and frame.colour is not None:
            shown = {**shown, "colour, right camera": chapter.data.colour(right, i)}
        cells = [
            f'<figure><img src="{pictures.data_uri(picture)}" alt="{_text(title)}" loading=lazy>'
            f"<figcaption>{_text(title)}</figcaption></figure>"
            for title, picture in shown.items()
        ]
        rows.append(f"<h3>t = {frame.t_ns / 1e9:.2f} s</h3><div class=frames>{''.join(cells)}</div>")
    return f"<h2>Sample frames</h2>{''.join(rows)}"


def _motion(chapter: _Chapter) -> str:
    shown = {"position over time": plots.over_time(chapter.truth, chapter.scores)}
    if chapter.scores:
        shown["error over time, after SE(3) alignment"] = plots.errors_over_time(chapter.scores)
    shown["speed and turning rate"] = plots.speeds(chapter.truth)
    figures = [f"<figure>{svg}<figcaption>{title}</figcaption></figure>" for title, svg in shown.items()]
    return f"<h2>Trajectory</h2><div class=plots>{''.join(figures)}</div>"


def _numbers(chapter: _Chapter) -> str:
    if not chapter.scores:
        return (
            f"<h2>Methods</h2><p>No estimates yet: <code>veridical estimate {chapter.data.folder}</code></p>"
        )
    texts = [f"<pre>{_text(str(score))}</pre>" for score in chapter.scores]
    head = ("method", "ATE", "of path", "max", "rotation", "tracked", "conditions")
    rows = [
        (
            score.method,
            f"{100 * score.ate_m:.2f} cm",
            "" if score.ate_percent is None else f"{score.ate_percent:.3f} %",
            f"{100 * score.ape_m.max:.2f} cm",
            f"{score.ape_deg.rmse:.3f}°",
            f"{100 * score.tracking.rate_frames:.1f} %",
            score.conditions,
        )
        for score in chapter.scores
    ]
    details = f"<details><summary>All numbers</summary>{''.join(texts)}</details>"
    return f"<h2>Methods</h2>{_table(head, rows)}{details}"


def _certificate(certificate: Certificate) -> str:
    rows = [(_verdict(c.passed), c.subject, c.name, *_measured(c)) for c in certificate.checks]
    table = _table(("", "subject", "claim", "measured", "allowed", "samples", ""), rows, raw_first=True)
    return f"<h2>Certificate</h2><p>Measured on the exported files alone.</p>{table}"


def _measured(check: Check) -> tuple[str, str, str, str]:
    if check.value is None:
        return "", "", "", check.detail
    fault = f"{check.fault}: " if check.passed is False and check.fault else ""
    return (
        f"{check.value:.4g} {check.unit}",
        f"{check.threshold:g} {check.unit}",
        str(check.n),
        fault + check.detail,
    )


def _provenance(chapter: _Chapter) -> str:
    manifest = chapter.data.manifest
    timings = [(stage, f"{seconds:.1f} s") for stage, seconds in manifest["timings_s"].items()]
    versions = list(manifest["versions"].items())
    warnings = "".join(f"<li>{_text(warning)}</li>" for warning in manifest["warnings"])
    return (
        "<h2>How it was made</h2><div class=plots>"
        f"<div><h3>Time by stage</h3>{_table(('stage', 'time'), timings)}</div>"
        f"<div><h3>Versions</h3>{_table(('package', 'version'), versions)}</div></div>"
        f"<p>Renderer: {_text(str(manifest['renderer']))}</p>"
        + (f"<h3>Warnings</h3><ul>{warnings}</ul>" if warnings else "")
        + "<details><summary>The resolved scenario</summary>"
        f"<pre>{_text(to_yaml(chapter.data.scenario))}</pre></details>"
    )


def _comparison(chapters: Sequence[_Chapter]) -> str:
    if len(chapters) < 2:
        return ""
    rows = [
        (
            c.title,
            str(c.data.folder),
            s.method,
            f"{100 * s.ate_m:.2f} cm",
            f"{100 * s.tracking.rate_frames:.1f} %",
            s.conditions,
        )
        for c in chapters
        for s in c.scores
    ]
    return (
        f"<h1>Comparison</h1>{_table(('scenario', 'data', 'method', 'ATE', 'tracked', 'conditions'), rows)}"
    )


def _score_card(score: Score) -> str:
    percent = "" if score.ate_percent is None else f" ({score.ate_percent:.2f} % of path)"
    return _card(f"{100 * score.ate_m:.1f} cm", f"ATE of {score.method}{percent}; {score.conditions}")


def _card(number: str, words: str, kind: str = "") -> str:
    return f'<div class="card {kind}"><b>{_text(number)}</b><span class=condition>{_text(words)}</span></div>'


def _verdict(passed: bool | None) -> str:
    if passed is None:
        return "<span class=soft>not measured</span>"
    return "<span class=pass>passed</span>" if passed else "<span class=fail>failed</span>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, raw_first: bool = False) -> str:
    def cell(k: int, value: str) -> str:
        return f"<td>{value if raw_first and k == 0 else _text(value)}</td>"

    heads = "".join(f"<th>{_text(h)}</th>" for h in head)
    lines = "".join(f"<tr>{''.join(cell(k, v) for k, v in enumerate(row))}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def _spread(n: int, count: int) -> list[int]:
    """At most `count` indices of 0..n-1, evenly spread, first and last included."""
    if n <= count:
        return list(range(n))
    return [round(k * (n - 1) / (count - 1)) for k in range(count)]


def _text(value: str) -> str:
    return html.escape(value)
