"""All benchmarks on one run of the preset `apartment`: `python -m benchmarks.run [RUN]`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from veridical.scenario import load
from veridical.simulate import simulate

NAMES = ("physics", "render")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        run = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(temporary) / "run"
        if not run.exists():
            simulate(load("apartment", ["recording.duration_s=1"]), run)
        for name in NAMES:
            print(f"--- {name}", flush=True)
            subprocess.run([sys.executable, "-m", f"benchmarks.{name}", str(run)], check=True)


if __name__ == "__main__":
    main()
