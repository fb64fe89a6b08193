"""A short flight through an apartment, observed, tracked and scored."""

import sys
from pathlib import Path

import veridical as vd

out = Path(sys.argv[1] if len(sys.argv) > 1 else "out/first_flight")

scenario = vd.load("apartment", ["recording.duration_s=2", "world.rooms=3", "world.area_m2=45"])
run = vd.simulate(scenario, out / "run")
data = vd.observe(run, out / "data")
track = vd.estimate(data, "stereo-vo")
print(vd.verify(data))
print(vd.evaluate(data, track))
