"""Drawing from a discrete distribution in constant time (Walker 1977)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.core.geometry import Array


def alias_tables(shares: Array) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """For distributions (m, n): probability of keeping entry i, and the entry to take instead, (m, n)."""
    m, n = shares.shape
    chance = np.ones((m, n), np.float32)
    other = np.tile(np.arange(n, dtype=np.uint32), (m, 1))
    for c in range(m):
        scaled = (shares[c] * n).tolist()
        small, large = [i for i in range(n) if scaled[i] < 1], [i for i in range(n) if scaled[i] >= 1]
        while small and large:
            s, big = small.pop(), large[-1]
            chance[c, s], other[c, s] = scaled[s], big
            scaled[big] -= 1 - scaled[s]
            if scaled[big] < 1:
                small.append(large.pop())
    return chance, other
