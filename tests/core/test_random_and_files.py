"""Named random streams, content hashes, the cache, atomic files."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from veridical.core import files, hashing
from veridical.core.errors import DataError
from veridical.core.random import rng, seed32


def test_streams_depend_on_seed_and_name_only() -> None:
    first = rng(7, "noise", "front").normal(size=4)
    rng(7, "noise", "rear").normal(size=99)
    assert np.array_equal(first, rng(7, "noise", "front").normal(size=4))
    assert not np.array_equal(first, rng(8, "noise", "front").normal(size=4))
    assert seed32(7, "a", "bc") != seed32(7, "ab", "c")


def test_hash_tells_arrays_apart_by_type_and_shape() -> None:
    a = np.arange(6)
    hashes = [
        hashing.content_hash(x) for x in (a, a.reshape(2, 3), a.astype(np.int32), a.astype(float), a.tolist())
    ]
    assert len(set(hashes)) == 5
    assert hashing.content_hash({"a": 1, "b": 2}) == hashing.content_hash({"b": 2, "a": 1})


def test_cache_makes_once_and_leaves_nothing_of_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDICAL_CACHE", str(tmp_path))
    calls = []

    def make(folder: Path) -> None:
        calls.append(folder)
        (folder / "x").write_text("1")

    def fail(folder: Path) -> None:
        (folder / "half").write_text("")
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        hashing.cached("thing", "k", fail)
    assert list((tmp_path / "thing").iterdir()) == []
    assert hashing.cached("thing", "k", make) == hashing.cached("thing", "k", make)
    assert len(calls) == 1


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "a.json"
    files.write_json(target, {"x": 1})
    with pytest.raises(RuntimeError), files.atomic_path(target) as partial:
        partial.write_text("half")
        raise RuntimeError
    assert files.read_json(target) == {"x": 1}
    assert [p.name for p in target.parent.iterdir()] == ["a.json"]


def test_processes_share_one_making(tmp_path: Path) -> None:
    """Processes that want the same key at once make it once."""
    code = (
        "import time\n"
        "from veridical.core.hashing import cached\n"
        "def make(folder):\n"
        "    time.sleep(0.3)\n"
        "    (folder / 'x').write_text('1')\n"
        f"    with open({str(tmp_path / 'made')!r}, 'a') as f: f.write('m')\n"
        "assert (cached('thing', 'k', make) / 'x').read_text() == '1'\n"
    )
    env = {**os.environ, "VERIDICAL_CACHE": str(tmp_path / "cache")}
    running = [subprocess.Popen([sys.executable, "-c", code], env=env) for _ in range(4)]
    assert [p.wait() for p in running] == [0] * 4
    assert (tmp_path / "made").read_text() == "m"
    assert [p.name for p in (tmp_path / "cache" / "thing").iterdir()] == ["k"]


def test_a_folder_and_its_parents_are_taken_back_on_an_error(tmp_path: Path) -> None:
    def make(folder: Path, fault: Exception | None) -> None:
        with files.absent_on_error(folder):
            (folder / "part").mkdir(parents=True)
            if fault:
                raise fault

    with pytest.raises(DataError):
        make(tmp_path / "a" / "b", DataError("no"))
    assert list(tmp_path.iterdir()) == []
    make(tmp_path / "a" / "b", None)
    with pytest.raises(DataError):
        make(tmp_path / "a" / "c", DataError("no"))
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["b"]


def test_what_was_there_before_an_error_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(DataError), files.absent_on_error(tmp_path):
        raise DataError("no")
    assert (tmp_path / "mine").read_text() == "x"


def test_broken_json_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(DataError, match=r"run\.json is not valid JSON"):
        files.read_json(tmp_path / "run.json")


def test_sweep_takes_temporary_names_only(tmp_path: Path) -> None:
    for name in ("states/part-0.parquet", "states/mine.part.txt", ".hidden", "deep/.x/y"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    before = sorted(tmp_path.rglob("*"))
    files.temporary_sibling(tmp_path / "states" / "part-1.parquet").write_text("x")
    cut = files.temporary_sibling(tmp_path / "world")
    (cut / "textures").mkdir(parents=True)
    files.temporary_sibling(cut / "textures" / "a.png").write_text("x")
    files.sweep(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before
