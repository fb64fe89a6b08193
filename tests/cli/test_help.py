"""Help is light: it answers before anything heavy is loaded."""

import subprocess
import sys

import pytest

from veridical.cli import COMMANDS

HEAVY = (
    "cv2",
    "drjit",
    "matplotlib",
    "mitsuba",
    "mujoco",
    "numpy",
    "pyarrow",
    "pydantic",
    "scipy",
    "trimesh",
)

ASK = f"""
import sys
from veridical.cli import main

sys.argv = ["veridical", *sys.argv[1:]]
try:
    main()
finally:
    print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_loads_nothing_heavy(command):
    arguments = [*command.split(), "--help"]
    done = subprocess.run([sys.executable, "-c", ASK, *arguments], capture_output=True, text=True, check=True)
    assert "Usage: veridical" in done.stdout
    assert done.stderr.split() == []


def test_every_command_is_one_whole_line_of_the_overview(desk):
    outcome = desk("--help")
    assert outcome.code == 0
    lines = {
        line.split()[0]: line for line in outcome.out.splitlines() if line.startswith("  ") and line.split()
    }
    for command in COMMANDS:
        assert lines[command].endswith(".")
        assert "..." not in lines[command]
