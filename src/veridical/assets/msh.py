"""MuJoCo's binary mesh file, the quickest way to hand a mesh with normals and UVs to the engine.

Layout (MuJoCo documentation, XML reference, "MSH file format"): four int32 counts (vertices, normals,
texture coordinates, faces), then float32 vertices, normals and texture coordinates, then int32 faces.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def msh_bytes(
    vertices: ArrayLike, faces: ArrayLike, normals: ArrayLike | None, uv: ArrayLike | None
) -> bytes:
    """Encodes one mesh.

    Args:
        vertices: (n, 3) metres.
        faces: (m, 3) indices, counter-clockwise seen from outside.
        normals: (n, 3) unit, or None to let MuJoCo compute them.
        uv: (n, 2) texture repeats with v = 0 at the bottom row of the image, or None. They are stored with
            v = 0 at the top row, as MuJoCo's and Mitsuba's textures want them.
    """
    v = np.ascontiguousarray(vertices, dtype="<f4")
    f = np.ascontiguousarray(faces, dtype="<i4")
    n = np.zeros((0, 3), "<f4") if normals is None else np.ascontiguousarray(normals, dtype="<f4")
    t = np.zeros((0, 2), "<f4") if uv is None else (np.asarray(uv) * [1, -1] + [0, 1]).astype("<f4")
    counts = np.array([len(v), len(n), len(t), len(f)], "<i4")
    return b"".join(a.tobytes() for a in (counts, v, n, t, f))
