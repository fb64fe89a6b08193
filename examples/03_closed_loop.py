"""Physics stepped from Python: a gust pushes a hovering quadrotor, and the run is observed afterwards."""

import sys
from pathlib import Path

import veridical as vd

out = Path(sys.argv[1] if len(sys.argv) > 1 else "out/closed_loop")

scenario = vd.load(
    "apartment",
    [
        "world={kind: empty}",
        "robots.scout.mission={kind: hover}",
        "robots.scout.start={position: [0, 0, 1.2]}",
    ],
)
with vd.Session(scenario, out / "run") as session:
    while session.t_ns < 2_000_000_000:
        gust = (1.5, 0.0, 0.0) if 500_000_000 <= session.t_ns < 700_000_000 else (0.0, 0.0, 0.0)
        session.apply_wrench("scout/base", force=gust)
        session.step()

run = vd.open_run(out / "run")
print(f"recorded {run.end_ns / 1e9:.1f} s at {1e9 / run.dt_ns:.0f} steps per second")
