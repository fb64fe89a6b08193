"""Named random streams.

Each consumer of randomness names its stream, so adding a sensor, robot or object changes no other.
"""

from __future__ import annotations

import hashlib

import numpy as np


def rng(seed: int, *names: str | int) -> np.random.Generator:
    """A generator that depends on the scenario's seed and the stable names only."""
    key = "\x1f".join([str(seed), *map(str, names)]).encode()
    words = np.frombuffer(hashlib.sha256(key).digest(), dtype=np.uint32)
    return np.random.default_rng(np.random.SeedSequence(words.tolist()))


def seed32(seed: int, *names: str | int) -> int:
    """A 32-bit seed for engines that take an integer."""
    return int(rng(seed, *names).integers(0, 2**32, dtype=np.uint32))
