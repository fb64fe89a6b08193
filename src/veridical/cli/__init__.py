"""The command line: one module a group of commands, heavy imports inside the commands.

Exit codes: 0 good, 1 a check failed, 2 wrong use. Progress goes to stderr, results to stdout.
"""

from __future__ import annotations

import errno
import logging
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
    "analyse": measure.analyse,
    "report": measure.report,
    "export": make.export,
    "doctor": look.doctor,
    "schema": look.schema,
}

for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


_DENIED = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR)
"""What the file system refuses to the user; any other refusal is a fault of the program."""


def main() -> None:
    """Runs the command line; a user's mistake is one message and exit code 2, never a traceback."""
    said = _SaidOnce()
    warnings.showwarning = lambda message, *_, **__: said.say(str(message))
    logging.getLogger("veridical").addHandler(said)
    try:
        app()
    except VeridicalError as error:
        print(f"error: {error}".replace("\n", "\nerror: "), file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    except OSError as error:
        if error.errno not in _DENIED:
            raise
        print(f"error: {error.filename or 'writing'}: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None


class _SaidOnce(logging.Handler):
    """Warnings on stderr, each of them once, whichever way they come."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Says what a logger has to say."""
        self.say(record.getMessage())

    def say(self, text: str) -> None:
        """Prints a warning unless it was printed before."""
        if text not in self._said:
            self._said.add(text)
            print(f"warning: {text}", file=sys.stderr)
