"""The reference in docs/ is what the schema says."""

from pathlib import Path

from veridical.scenario.reference import markdown

DOCS = Path(__file__).parents[2] / "docs"


def test_the_reference_is_up_to_date() -> None:
    written = (DOCS / "scenario.md").read_text()
    assert written == markdown(), "run: python -c 'from veridical.scenario.reference import markdown; ...'"
