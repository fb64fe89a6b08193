"""A user's mistakes: one clear message, exit code 2, nothing half-written, no traceback."""

import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest
import trimesh

MISTAKES = {
    "unknown key": (
        ("mission:", "misson:"),
        ["small.yaml:7", "robots.scout.misson", "Did you mean 'mission'"],
    ),
    "unknown value": (("kind: hover", "kind: hovr"), ["robots.scout.mission.kind", "Did you mean 'hover'"]),
    "unit in a number": (("rate_hz: 100", "rate_hz: 100 Hz"), ["small.yaml:9", "imu.rate_hz", "in hertz"]),
    "wrong unit": (("duration_s: 0.2", "duration_ms: 200"), ["recording.duration_ms", "'duration_s'"]),
    "missing mesh": (
        ("kind: empty", "kind: file, path: rom.glb"),
        ["small.yaml:2", "world.path", "rom.glb does not exist", "Did you mean 'room.glb'"],
    ),
    "missing robot": (
        ("kind: quadrotor", "kind: file\n    path: arm.urdf"),
        ["robots.scout.path", "arm.urdf does not exist"],
    ),
    "zero length": (
        ("{kind: hover}", "{kind: waypoints, points: [{position: [1, 0, 1]}, {position: [1, 0, 1]}]}"),
        ["small.yaml:7", "robots.scout.mission.points", "zero length"],
    ),
    "no duration": (
        ("duration_s: 0.2", "duration_s: 0"),
        ["recording.duration_s", "greater than 0", "seconds"],
    ),
    "sensor too fast": (
        ("rate_hz: 100", "rate_hz: 2000"),
        ["small.yaml:9: robots.scout.sensors.imu.rate_hz", "1000 Hz"],
    ),
    "not YAML": (("robots:", "robots: ["), ["small.yaml:", "not valid YAML"]),
    "no text": (("name: small", "name: \x01"), ["small.yaml:1", "control character"]),
}


def room(folder: Path) -> None:
    """A room of 4 x 4 m with its south wall at y = -2, y up as in GLB files."""
    scene = trimesh.Scene()
    for name, size, at in (
        ("floor", (4, 0.1, 4), (0, -0.05, 0)),
        ("wall_south", (4, 2.5, 0.2), (0, 1.25, 2)),
        ("wall_north", (4, 2.5, 0.2), (0, 1.25, -2)),
    ):
        box = trimesh.creation.box(size, trimesh.transformations.translation_matrix(at))
        scene.add_geometry(box, node_name=name, geom_name=name)
    scene.export(folder / "room.glb")


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_in_a_scenario(desk, name):
    (change, words) = MISTAKES[name]
    room(desk.folder)
    desk.write(change)
    before = desk.tree()
    for command in (("check", "small.yaml"), ("run", "small.yaml", "-o", "out")):
        outcome = desk(*command)
        assert outcome.code == 2
        assert len(outcome.errors) == 1, outcome.err
        assert [word for word in words if word not in outcome.errors[0]] == []
        assert outcome.out == ""
        assert desk.tree() == before


def test_every_mistake_of_a_file_is_said_at_once(desk):
    desk.write(("mission:", "misson:"), ("rate_hz: 100", "rate_hz: 100 Hz"), ("kind: empty", "kind: moon"))
    assert len(desk("check", "small.yaml").errors) == 3


def test_robot_inside_a_wall(desk):
    room(desk.folder)
    desk.write(("kind: empty", "kind: file, path: room.glb"), ("[0, 0, 1.2]", "[0, -2, 1.2]"))
    before = desk.tree()
    outcome = desk("run", "small.yaml", "-o", "deep/out")
    assert outcome.code == 2
    assert len(outcome.errors) == 1
    assert "robots.scout.start" in outcome.errors[0]
    assert "inside 'wall_south'" in outcome.errors[0]
    assert desk.tree() == before


def test_robot_off_the_floor_is_found_by_check(desk):
    desk.write(("[0, 0, 1.2]", "[0, 0, -0.3]"))
    assert desk("check", "small.yaml").code == 0
    outcome = desk("check", "small.yaml", "--build")
    assert outcome.code == 2
    assert "inside 'floor'" in outcome.errors[0]


def test_output_that_holds_something_else(desk):
    (desk.folder / "thesis").mkdir()
    (desk.folder / "thesis" / "chapter.tex").write_text("x")
    before = desk.tree()
    outcome = desk("run", "small.yaml", "-o", "thesis")
    assert outcome.code == 2
    assert len(outcome.errors) == 1
    assert "thesis exists" in outcome.errors[0]
    assert "chapter.tex" in outcome.errors[0]
    assert "-o" in outcome.errors[0]
    assert desk.tree() == before


@pytest.mark.parametrize("inside", ["run", "data"])
def test_output_whose_parts_hold_something_else(desk, inside):
    (desk.folder / "out" / inside).mkdir(parents=True)
    (desk.folder / "out" / inside / "notes.txt").write_text("x")
    outcome = desk("run", "small.yaml", "-o", "out")
    assert outcome.code == 2
    assert len(outcome.errors) == 1
    assert f"out/{inside} exists" in outcome.errors[0]
    assert (desk.folder / "out" / inside / "notes.txt").read_text() == "x"


def test_output_that_is_a_file(desk):
    before = desk.tree()
    outcome = desk("run", "small.yaml", "-o", "small.yaml")
    assert outcome.code == 2
    assert "is a file" in outcome.errors[0]
    assert desk.tree() == before


def test_too_little_disk(desk, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(500e9, 499e9, 1e9))
    camera = "imu: {kind: imu, rate_hz: 100}\n      eye: {kind: mono, width: 640, height: 480, rate_hz: 30}"
    desk.write(("imu: {kind: imu, rate_hz: 100}", camera), ("duration_s: 0.2", "duration_s: 47"))
    before = desk.tree()
    outcome = desk("run", "small.yaml", "-o", "out")
    assert outcome.code == 2
    assert len(outcome.errors) == 1
    assert "1.00 GB are free" in outcome.errors[0]
    assert "needs about 10." in outcome.errors[0]
    assert "scout/eye" in outcome.errors[0]
    assert desk.tree() == before


def test_a_folder_that_may_not_be_written_is_no_traceback(desk, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "out")

    monkeypatch.setattr(Path, "mkdir", refuse)
    outcome = desk("run", "small.yaml", "-o", "out")
    assert outcome.code == 2
    assert outcome.errors == ["error: out: Permission denied"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("check", "apartmen"), ["Did you mean 'apartment'"]),
        (("check", "."), ["no such file"]),
        (("check", "small.yaml", "--set", "sed=3"), ["'seed'"]),
        (("check", "small.yaml", "--set", "seed"), ["key.path=value"]),
        (("new", "apartmen"), ["Did you mean 'apartment'"]),
        (("new", "apartment", "-o", "small.yaml"), ["small.yaml", "exists"]),
        (("observe", "nowhere", "-o", "out"), ["nowhere", "no run"]),
        (("verify", "nowhere"), ["nowhere", "not a dataset"]),
        (("estimate", "nowhere"), ["nowhere", "not a dataset"]),
        (("evaluate", "nowhere"), ["nowhere", "not a dataset"]),
        (("report", "nowhere"), ["nowhere", "not a dataset"]),
        (("export", "nowhere", "-o", "out"), ["nowhere", "not a dataset"]),
    ],
    ids=" ".join,
)
def test_mistake_on_the_command_line(desk, command, words):
    before = desk.tree()
    outcome = desk(*command)
    assert outcome.code == 2
    assert len(outcome.errors) == 1
    assert [word for word in words if word not in outcome.errors[0]] == []
    assert desk.tree() == before


def test_exit_code_of_the_installed_command(desk):
    desk.write(("mission:", "misson:"))
    program = Path(sys.executable).with_name("veridical")
    done = subprocess.run([program, "check", "small.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("error: small.yaml:7: robots.scout.misson")
