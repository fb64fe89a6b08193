"""The command line: one module a group of commands, heavy imports inside the commands.

Exit codes: 0 good, 1 a check failed, 2 wrong use. Progress goes to stderr, results to stdout.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

import typer

from veridical.cli import look, make, measure
from veridical.core.errors import VeridicalError

app = typer.Typer(
    name="veridical",
    help="One scenario file becomes a simulated robot experiment with perfect ground truth.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    # a value that is a bool already is not validated: `--help` of a command need not import pydantic
    context_settings={"default_map": {"help": False}},
)

COMMANDS: dict[str, Callable[..., None]] = {
    "new": make.new,
    "check": look.check,
    "run": make.run,
    "observe": make.observe,
    "estimate": measure.estimate,
    "evaluate": measure.evaluate,
    "verify": measure.verify,
    "report": measure.report,
    "export": make.export,
    "doctor": look.doctor,
    "schema": look.schema,
}

for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


def main() -> None:
    """Runs the command line; a user's mistake is one message and exit code 2, never a traceback."""
    warnings.showwarning = _show_warning
    try:
        app()
    except VeridicalError as error:
        print(f"error: {error}".replace("\n", "\nerror: "), file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        raise SystemExit(130) from None


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"warning: {message}", file=sys.stderr)
