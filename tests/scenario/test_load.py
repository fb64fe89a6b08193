"""Scenario files: what they say when they are wrong, and round trips when they are right."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.core.errors import ScenarioError
from veridical.scenario import load, loads, presets, scenario_hash, to_yaml
from veridical.scenario.yaml_source import parse

GOOD = """
robots:
  scout:
    kind: quadrotor
    sensors:
      front: {kind: stereo, rate_hz: 15}
"""


def faults(text: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        loads(text, "test.yaml")
    return str(caught.value).splitlines()


@pytest.mark.parametrize("name", sorted(presets()))
def test_presets_load_and_round_trip(name: str) -> None:
    scenario = load(name)
    assert loads(to_yaml(scenario)) == scenario


@given(
    st.integers(0, 2**31),
    st.floats(0.1, 100),
    st.sampled_from(["on", "off"]),
    st.sampled_from(["draft", "standard", "none"]),
)
def test_dump_and_load_round_trip(seed: int, duration: float, lamps: str, quality: str) -> None:
    text = GOOD + f"seed: {seed}\nrecording: {{duration_s: {duration!r}}}\nconditions: {{lamps: {lamps}}}\n"
    scenario = loads(text + f"output: {{quality: {quality}}}\n")
    again = loads(to_yaml(scenario))
    assert again == scenario
    assert scenario_hash(again) == scenario_hash(scenario)


def test_every_fault_is_named_at_once_with_its_line() -> None:
    text = (
        "sed: 3\n"
        "robots:\n"
        "  scout:\n"
        "    kind: quadrotor\n"
        "    sensors:\n"
        "      front:\n"
        "        kind: stero\n"
        "      rear: {kind: mono, widht: 3, hfov_deg: 1.2}\n"
    )
    found = faults(text)
    assert [line.split(" ")[0] for line in found] == ["test.yaml:1:", "test.yaml:7:", *["test.yaml:8:"] * 2]
    assert "sed: 'sed' is unknown. Did you mean 'seed'?" in found[0]
    assert "robots.scout.sensors.front.kind: 'stero' is unknown. Did you mean 'stereo'?" in found[1]
    assert any("widht' is unknown. Did you mean 'width'?" in line for line in found)
    assert any("greater than 5, in degrees" in line for line in found)


@pytest.mark.parametrize(
    ("snippet", "says"),
    [
        ("physics: {rate_hz: 333}", "not a whole number of nanoseconds"),
        ("recording: {duration_s: 0}", "greater than 0, in seconds"),
        ("recording: {duration_s: 20 s}", "'20 s' is not a number; write the number alone, in seconds"),
        ("output: {quality: hihg}", "Did you mean 'high'?"),
        ("physics: {rate_hz: 100}\noutput: {}", None),
        ("world: {kind: apartment, rooms: 99}", "less than or equal to 8"),
        ("seed: .nan", "is not a number"),
        ("name: 'a/b'", "is not a name"),
        ("actors: {bob: {kind: human}}", "at most 0"),
        ("world: 7", "a group of keys is needed"),
    ],
)
def test_what_is_said(snippet: str, says: str | None) -> None:
    if says is None:
        loads(GOOD + snippet)
        return
    (line,) = faults(GOOD + snippet)
    assert says in line
    assert line.startswith("test.yaml:")


def test_mission_of_zero_length() -> None:
    mission = "    mission: {kind: waypoints, points: [{position: [1,1,1]}, {position: [1,1,1]}]}\n"
    (line,) = faults(GOOD + mission)
    assert "robots.scout.mission.points: the mission has zero length" in line


def test_waypoints_in_a_wrong_form_are_each_named_with_the_keys_of_a_right_one() -> None:
    one, two = faults(GOOD + "    mission: {kind: waypoints, points: [[1, 1, 1], [2, 1, 1]]}\n")
    assert "robots.scout.mission.points.0: [1, 1, 1] stands where a group of keys is needed" in one
    assert "Keys: position, " in one
    assert "points.1" in two
    (line,) = faults(GOOD + "    mission: {kind: waypoints, points: []}\n")
    assert "needs at least 2 entries; it has 0." in line


def test_start_may_be_auto_or_a_pose_and_the_meant_one_is_reported() -> None:
    (line,) = faults(GOOD + "    start: {positoin: [1, 2, 3]}\n")
    assert "robots.scout.start.positoin" in line
    assert "Did you mean 'position'" in line


def test_overrides_reach_nested_keys_and_their_faults_name_the_key() -> None:
    scenario = load("apartment", ["robots.scout.sensors.front.rate_hz=15", "output.labels=[depth]"])
    assert scenario.robots["scout"].sensors["front"].rate_hz == 15
    assert scenario.output.labels == ("depth",)
    with pytest.raises(ScenarioError, match=r"output\.qualty: 'qualty' is unknown"):
        load("apartment", ["output.qualty=high"])
    with pytest.raises(ScenarioError, match="not of the form"):
        load("apartment", ["output.quality"])


def test_yaml_says_words_where_yaml_1_1_says_booleans() -> None:
    data = parse("a: on\nb: no\nc: true\nd: 1e-3\ne: 12:30\nf: 2026-01-01\ng: 1.\nh: -3\ni: .5", "x").data
    expected = ["on", "no", True, 1e-3, "12:30", "2026-01-01", 1.0, -3, 0.5]
    assert list(data.values()) == expected


@pytest.mark.parametrize("text", ["a: [1, 2", "a: b: c", "\t- x", "a: 1\na: 2", "'", "- *x", "1: 2"])
def test_broken_yaml_is_one_message_with_a_line(text: str) -> None:
    with pytest.raises(ScenarioError, match=r"^x\.yaml:\d+: "):
        parse(text, "x.yaml")


@given(st.text(max_size=60))
def test_no_text_ends_in_a_traceback(text: str) -> None:
    with pytest.raises(ScenarioError):  # no random text names a robot
        loads(text)


def test_missing_file_names_presets() -> None:
    with pytest.raises(ScenarioError, match="Did you mean 'apartment'"):
        load("apartmnt")


def test_relative_paths_count_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    assert load(tmp_path / "a.yaml").folder == tmp_path


def test_every_field_of_the_schema_is_described_or_named_with_its_unit() -> None:
    from veridical.scenario.schema import Scenario

    schema = Scenario.model_json_schema()
    for model, body in schema["$defs"].items():
        assert body.get("description"), f"{model} has no docstring"
        for key in body.get("properties", {}):
            assert re.fullmatch(r"[a-z0-9_]+", key)
