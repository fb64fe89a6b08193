"""The errors that Veridical raises for its users.

A message says what is wrong, where (file and key), what is allowed, and what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class VeridicalError(Exception):
    """Base of every error meant for a user; shown on the terminal without a traceback."""

    exit_code = 2


class ScenarioError(VeridicalError):
    """A scenario file or an override is not valid."""


class AssetError(VeridicalError):
    """A mesh, texture or robot file is missing or cannot be used."""


class SimulationError(VeridicalError):
    """The physics ended a run: not a number, or a robot inside a wall."""

    exit_code = 1


class RenderError(VeridicalError):
    """No renderer can do what was asked."""


class DataError(VeridicalError):
    """A run, dataset or estimate on disk is missing, incomplete, or in the way."""


class MissingExtraError(VeridicalError):
    """An optional package is needed; the message names the extra that brings it."""


def did_you_mean(given: str, allowed: Iterable[str]) -> str:
    """Returns ` Did you mean 'x'?` for the nearest allowed word, or an empty string."""
    near = difflib.get_close_matches(given, list(allowed), n=1, cutoff=0.6)
    return f" Did you mean '{near[0]}'?" if near else ""
