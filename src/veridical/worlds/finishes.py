"""Finishes of things become materials with textures, each made once."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from veridical.assets.material import Material
from veridical.assets.surfaces import Surface, surface
from veridical.assets.thing import Finish
from veridical.core.hashing import content_hash

_CACHED_S = 0.3
"""Reading a surface from the cache takes less than this, painting it more."""
_CHILD = (
    "import pickle, sys\n"
    "from veridical.assets.surfaces import surface\n"
    "for finish in pickle.load(sys.stdin.buffer): surface(finish)\n"
)


@dataclass
class Palette:
    """The materials of a world while it is composed.

    Attributes:
        given: Surfaces at hand, such as those of a user's file; any other is generated when asked for.
        materials: What was asked for so far, by name.
        files: Texture file name to where it lies, or its bytes.
    """

    given: Mapping[Finish, Surface] = field(default_factory=dict)
    materials: dict[str, Material] = field(default_factory=dict)
    files: dict[str, Path | bytes] = field(default_factory=dict)
    _taken: dict[Finish, Surface] = field(default_factory=dict)

    def take(self, finish: Finish) -> Surface:
        """The surface of a finish, under a name that is unique in this world."""
        if finish not in self._taken:
            found = self.given[finish] if finish in self.given else surface(finish)
            material = found.material
            if self.materials.get(material.name, material) != material:
                material = replace(material, name=f"{material.name}-{content_hash(repr(finish))[:8]}")
            self.materials[material.name] = material
            self.files |= found.files
            self._taken[finish] = replace(found, material=material)
        return self._taken[finish]


def painted(finishes: Iterable[Finish]) -> dict[Finish, Surface]:
    """The surfaces of many finishes, painted by two processes if they are not cached yet.

    The second one is a plain child that works through the list from its end, so that a user's script needs
    no guard against being imported again, as it would with `multiprocessing`.
    """
    wanted = sorted(set(finishes), key=repr)
    done: dict[Finish, Surface] = {}
    child: subprocess.Popen[bytes] | None = None
    for finish in wanted:
        start = time.monotonic()
        done[finish] = surface(finish)
        is_new = time.monotonic() - start > _CACHED_S
        if child is None and is_new and len(wanted) - len(done) > 3:
            child = subprocess.Popen([sys.executable, "-c", _CHILD], stdin=subprocess.PIPE)
            assert child.stdin is not None
            child.stdin.write(pickle.dumps(wanted[: len(done) - 1 : -1]))
            child.stdin.close()
    if child is not None:
        child.wait()
    return done
