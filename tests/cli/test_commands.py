"""What the commands do when all is well, and how they go on after a stop."""

import json
import shutil

import pyarrow.parquet as pq
import pytest

import veridical.cli.start as start
from veridical.scenario import load


def test_new_writes_a_scenario_that_check_takes(desk):
    made = desk("new", "apartment", "-o", "mine.yaml")
    assert made.code == 0
    assert "veridical check mine.yaml" in made.out
    assert (desk.folder / "mine.yaml").read_text().count("#") > 10
    checked = desk("check", "mine.yaml", "--set", "recording.duration_s=40")
    assert checked.code == 0
    assert "duration_s: 40" in checked.out
    assert "on two cores" in checked.out


def test_check_as_json_resolves_defaults(desk):
    result = json.loads(desk("check", "small.yaml", "--json").out)
    assert result["scenario"] == load(desk.folder / "small.yaml").model_dump(mode="json")
    assert result["disk_bytes"]["scout/imu"] > 0
    assert result["seconds"] > 0
    assert result["overlaps"] == []


def test_check_can_build_the_world(desk):
    outcome = desk("check", "small.yaml", "--build")
    assert outcome.code == 0
    assert "nothing overlaps" in outcome.out


def test_run_then_again_then_after_a_stop(desk):
    first = desk("run", "small.yaml", "-o", "out")
    assert first.code == 0
    assert "veridical verify out/data" in first.out
    whole = desk.tree()

    again = desk("run", "small.yaml", "-o", "out")
    assert again.code == 2
    assert "complete" in again.errors[0]
    assert desk.tree() == whole

    shutil.rmtree(desk.folder / "out" / "data")  # as if killed between simulation and recording
    assert desk("run", "small.yaml", "-o", "out").code == 0
    after = desk.tree()
    samples = "out/data/sensors/scout/imu/samples.parquet/part-00000.parquet"
    assert after[samples] == whole[samples]
    assert {name: content for name, content in after.items() if name.startswith("out/run")} == {
        name: content for name, content in whole.items() if name.startswith("out/run")
    }

    other = desk("run", "small.yaml", "-o", "out", "--set", "seed=9")
    assert other.code == 2
    assert "complete" in other.errors[0]


def test_ctrl_c_says_how_to_go_on(desk, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(start, "simulate", stop)
    outcome = desk("run", "small.yaml", "-o", "out")
    assert outcome.code == 130
    assert "the same command goes on" in outcome.err
    assert "Traceback" not in outcome.err


def test_observe_again_in_another_way(desk):
    assert desk("run", "small.yaml", "-o", "out").code == 0
    rate = "robots.scout.sensors.imu.rate_hz=50"
    assert desk("observe", "out/run", "-o", "slow", "--quality", "none", "--set", rate).code == 0
    rows = [
        pq.read_table(desk.folder / data / "sensors/scout/imu/samples.parquet").num_rows
        for data in ("out/data", "slow")
    ]
    assert rows == [20, 10]
    resolved = load(desk.folder / "slow" / "scenario.yaml")
    assert resolved.output.quality == "none"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("seed=3", "simulated anew"),
        ("robots.scout.mission={kind: direct}", "simulated anew"),
        ("robots.scout.sensors.rear={kind: mono}", "own sensors"),
        ("output.quality=drft", "Did you mean 'draft'"),
    ],
)
def test_observe_refuses_what_the_states_depend_on(desk, change, words):
    assert desk("run", "small.yaml", "-o", "out").code == 0
    before = desk.tree()
    outcome = desk("observe", "out/run", "-o", "other", "--set", change)
    assert outcome.code == 2
    assert len(outcome.errors) == 1
    assert words in outcome.errors[0]
    assert desk.tree() == before


def test_schema_is_json_schema(desk):
    schema = json.loads(desk("schema").out)
    assert schema["properties"]["robots"]["type"] == "object"
    assert "Quadrotor" in schema["$defs"]
