"""Pot plants of five habits."""

from __future__ import annotations

import numpy as np

from veridical.assets.furniture.finishes import glaze, pick, rgb
from veridical.assets.furniture.workpiece import Workpiece
from veridical.assets.shapes import blade, disc, fillet, grid, lathe, leaf, tube, turn
from veridical.assets.thing import Finish, Mesh, Thing
from veridical.core.geometry import Array

GREENS = tuple(rgb(c) for c in ("4f7a3a", "3d6b3f", "6b8f4a", "2f5a38"))

Rng = np.random.Generator


def _pot(w: Workpiece, rng: Rng, radius: float, height: float) -> float:
    """A pot with soil; returns the height of the soil."""
    finish = glaze(rng) if rng.random() < 0.6 else Finish(pick(rng, ("wicker", "concrete")), 0)
    r, h, taper = radius, height, float(rng.uniform(0.7, 0.95))
    if rng.random() < 0.4:
        shape = [
            (0, 0),
            (taper * r, 0),
            (0.97 * r, 0.8 * h),
            (r * 1.06, 0.8 * h),
            (r * 1.06, h),
            (0.96 * r, h),
            (0.92 * r, 0.75 * h),
        ]
    else:
        shape = [(0, 0), (taper * r, 0), (r, h), (0.93 * r, h), (0.9 * r, 0.75 * h)]
    w.add(finish, lathe(fillet(shape, 0.008, 3), 36))
    level = 0.86 * h
    w.add(Finish("soil"), disc(0.925 * r, (0, 0, level), 24))
    w.solid_cylinder(r, h)
    return level


def _foliage(rng: Rng) -> Finish:
    return Finish("foliage", int(rng.integers(3)), pick(rng, GREENS))


def plant(rng: Rng, *, height: float | None = None) -> Thing:
    """A floor plant of 0.8 to 1.7 m."""
    w = Workpiece(rng)
    tall = float(rng.uniform(0.9, 1.7)) if height is None else height
    radius = float(rng.uniform(0.13, 0.18))
    soil = _pot(w, rng, radius, radius * float(rng.uniform(1.6, 2.1)))
    kind = int(rng.integers(5))
    grow = (_rubber_tree, _palm, _swords, _monstera, _ficus)[kind]
    leaves, stems = grow(rng, tall - soil, soil)
    w.add(_foliage(rng), *(_veined(x, rng) for x in leaves), jitter=False)
    if stems:
        w.add(Finish("bark", 0), *stems)
    crown = max(float(x.vertices[:, 2].max()) for x in leaves)
    w.solid_cylinder(0.12, 0.9 * (crown - soil), (0, 0, soil))
    return w.done("plant")


def small_plant(rng: Rng) -> Thing:
    """A pot plant for a shelf or sill."""
    w = Workpiece(rng)
    radius = float(rng.uniform(0.055, 0.08))
    soil = _pot(w, rng, radius, radius * float(rng.uniform(1.5, 1.9)))
    kind = int(rng.integers(3))
    if kind == 0:
        leaves, stems = _swords(rng, float(rng.uniform(0.18, 0.3)), soil, 0.35)
    elif kind == 1:
        leaves, stems = _grass(rng, float(rng.uniform(0.16, 0.26)), soil)
    else:
        leaves, stems = _monstera(rng, float(rng.uniform(0.18, 0.28)), soil, 0.35)
    w.add(_foliage(rng), *(_veined(x, rng) for x in leaves), jitter=False)
    if stems:
        w.add(Finish("foliage", 0, GREENS[2]), *stems)
    w.solid_cylinder(radius * 0.93, soil)
    return w.done("plant", 0.9)


Grown = tuple[list[Mesh], list[Mesh]]


def _veined(mesh: Mesh, rng: Rng) -> Mesh:
    """Puts the vein on that of the `foliage` surface, whose tile is 0.2 m wide."""
    u, v = mesh.uv.T
    scale = min(1.0, 0.095 / max(float(np.abs(u).max()), 1e-6))
    uv = np.stack([0.1 + u * scale, v * max(scale, 0.5) + float(rng.uniform(0, 3))], axis=-1)
    return Mesh(mesh.vertices, mesh.faces, mesh.normals, uv)


def _aim(mesh: Mesh, azimuth: float, pitch: float, roll: float, at: Array) -> Mesh:
    return turn(mesh, (roll, -pitch, azimuth), at)


def _stem(rng: Rng, height: float, z: float, sway: float, lean: float = 0.0) -> Array:
    s = np.linspace(0, 1, 10)
    a = float(rng.uniform(0, 2 * np.pi))
    wave = sway * np.sin(np.pi * s * float(rng.uniform(0.7, 1.3))) + lean * s
    return np.stack([wave * np.cos(a), wave * np.sin(a), z - 0.02 + height * s], axis=-1)


def _rubber_tree(rng: Rng, height: float, z: float) -> Grown:
    leaves: list[Mesh] = []
    stems: list[Mesh] = []
    for k in range(int(rng.integers(2, 4))):
        path = _stem(rng, height * float(rng.uniform(0.65, 0.9)), z, 0.04, 0.05 + 0.08 * k)
        stems.append(tube(path, np.linspace(0.011, 0.005, len(path)), 8))
        n = int(height * 20)
        for i in range(n):
            s = 0.18 + 0.82 * i / n
            at = np.array([np.interp(s * 9, np.arange(10), path[:, d]) for d in range(3)])
            size = float(rng.uniform(0.15, 0.24)) * (1.05 - 0.35 * s)
            shape = leaf(size, size * 0.48, float(rng.uniform(0.4, 1.0)), 0.25, 0.9, (8, 4))
            azimuth = i * 2.4 + float(rng.normal(0, 0.25))
            start = at + 0.03 * np.array([np.cos(azimuth), np.sin(azimuth), 0.3])
            stems.append(tube([at, start], 0.003, 5))
            leaves.append(
                _aim(
                    shape,
                    azimuth,
                    0.3 + 0.8 * s + float(rng.normal(0, 0.15)),
                    float(rng.normal(0, 0.2)),
                    start,
                )
            )
    return leaves, stems


def _palm(rng: Rng, height: float, z: float) -> Grown:
    leaves: list[Mesh] = []
    stems: list[Mesh] = []
    for i in range(int(rng.integers(11, 16))):
        azimuth = i * 2.4 + float(rng.normal(0, 0.2))
        long = height * float(rng.uniform(0.75, 1.1))
        up = float(rng.uniform(0.9, 1.35))
        s = np.linspace(0, 1, 14)
        pitch = up - 1.5 * s**1.6 * float(rng.uniform(0.6, 1.0))
        step = long / 13
        out = np.concatenate([[0.0], np.cumsum(np.cos(pitch[1:]) * step)]) + 0.02
        rise = np.concatenate([[0.0], np.cumsum(np.sin(pitch[1:]) * step)])
        path = np.stack([out * np.cos(azimuth), out * np.sin(azimuth), z - 0.01 + rise], axis=-1)
        leaves.append(tube(path, np.linspace(0.006, 0.0015, 14), 5))
        for t in np.linspace(0.3, 0.99, 17):
            at = np.array([np.interp(t * 13, np.arange(14), path[:, d]) for d in range(3)])
            size = long * 0.26 * np.sin(np.pi * (0.16 + 0.8 * t)) ** 0.7 * float(rng.uniform(0.85, 1.1))
            here = float(np.interp(t * 13, np.arange(14), pitch))
            for side in (-1, 1):
                shape = leaf(size, max(size * 0.1, 0.012), 0.7, 0.35, 0.7, (5, 2))
                spread = azimuth + side * (0.95 - 0.5 * t)
                leaves.append(
                    _aim(shape, spread, 0.35 * here + 0.1 + float(rng.normal(0, 0.08)), side * 0.5, at)
                )
    return leaves, stems


def _swords(rng: Rng, height: float, z: float, scale: float = 1.0) -> Grown:
    leaves = []
    for i in range(int(rng.integers(11, 18))):
        a = i * 2.4
        r = 0.05 * scale * np.sqrt(i / 6)
        long, lean = height * float(rng.uniform(0.5, 1.0)), float(rng.uniform(0.02, 0.22))
        s = np.linspace(0, 1, 12)
        out = r + lean * long * s**1.6
        path = np.stack([out * np.cos(a), out * np.sin(a), z - 0.01 + long * s], axis=-1)
        wide = (0.055 * scale + 0.012) * np.minimum(1, 0.6 + s) * (1 - s**4) + 0.001
        face = a + np.pi / 2 + float(rng.normal(0, 0.5))
        leaves.append(blade(path, wide, (np.cos(face), np.sin(face), 0), 0.2))
    return leaves, []


def _grass(rng: Rng, height: float, z: float) -> Grown:
    leaves = []
    for i in range(int(rng.integers(34, 50))):
        a = i * 2.4 + float(rng.normal(0, 0.3))
        long = height * float(rng.uniform(0.8, 1.5))
        s = np.linspace(0, 1, 10)
        pitch = float(rng.uniform(0.9, 1.5)) - s * float(rng.uniform(1.2, 2.4))
        out = 0.008 + np.concatenate([[0.0], np.cumsum(np.cos(pitch[1:]) * long / 9)])
        rise = np.concatenate([[0.0], np.cumsum(np.sin(pitch[1:]) * long / 9)])
        path = np.stack([out * np.cos(a), out * np.sin(a), z - 0.005 + np.maximum(rise, -z * 0.8)], axis=-1)
        wide = 0.012 * np.sqrt(np.maximum(1 - s**2, 0)) + 0.0008
        leaves.append(blade(path, wide, (-np.sin(a), np.cos(a), 0), 0.3))
    return leaves, []


def _lobed(size: float, rng: Rng) -> Mesh:
    """A heart-shaped leaf with deep cuts at its rim."""
    n, m = 14, 6
    s, t = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(-1, 1, m + 1), indexing="ij")
    outline = np.sin(np.pi * np.clip(s, 0, 1) ** 0.55) ** 0.65
    cuts = 1 - 0.42 * (np.sin(s * np.pi * 6.5 + float(rng.uniform(0, 1))) > 0.45) * (np.abs(t) > 0.6) * (
        s > 0.12
    ) * (s < 0.9)
    half = 0.46 * size * np.maximum(outline, 0.01) * cuts
    back = 0.2 * size * np.abs(t) ** 1.5 * (1 - s) ** 2
    droop = -0.35 * size * s**2 - 0.12 * size * (t * outline) ** 2 + 0.03 * size * np.cos(9 * s) * np.abs(t)
    points = np.stack([size * s - back, half * t, droop + 0.1 * half * np.abs(t)], axis=-1)
    return grid(points, np.stack([half * t, size * s], axis=-1))


def _monstera(rng: Rng, height: float, z: float, scale: float = 1.0) -> Grown:
    leaves: list[Mesh] = []
    stems: list[Mesh] = []
    for i in range(int(rng.integers(12, 18))):
        azimuth = i * 2.4 + float(rng.normal(0, 0.2))
        reach = height * float(rng.uniform(0.15, 0.5))
        rise = height * float(rng.uniform(0.4, 0.95))
        s = np.linspace(0, 1, 8)
        out = reach * s**1.7 + 0.015 * scale
        path = np.stack([out * np.cos(azimuth), out * np.sin(azimuth), z - 0.01 + rise * s**0.8], axis=-1)
        stems.append(tube(path, np.linspace(0.007, 0.0035, 8) * (0.4 + 0.6 * scale), 6))
        size = height * float(rng.uniform(0.24, 0.36))
        leaves.append(
            _aim(
                _lobed(size, rng),
                azimuth,
                float(rng.uniform(-0.3, 0.25)),
                float(rng.normal(0, 0.25)),
                path[-1],
            )
        )
    return leaves, stems


def _ficus(rng: Rng, height: float, z: float) -> Grown:
    leaves: list[Mesh] = []
    stems: list[Mesh] = []
    trunk = _stem(rng, height * 0.62, z, 0.03)
    stems.append(tube(trunk, np.linspace(0.016, 0.009, 10), 10))
    for b in range(int(rng.integers(12, 16))):
        start = trunk[int(rng.integers(5, 10))]
        azimuth, up = b * 2.4, float(rng.uniform(0.3, 1.3))
        long = height * float(rng.uniform(0.25, 0.42))
        s = np.linspace(0, 1, 7)[:, None]
        direction = np.array([np.cos(azimuth) * np.cos(up), np.sin(azimuth) * np.cos(up), np.sin(up)])
        path = start + direction * long * s + np.array([0, 0, -0.18 * long]) * s**2
        stems.append(tube(path, np.linspace(0.006, 0.002, 7), 6))
        for t in np.linspace(0.15, 1, 13):
            at = np.array([np.interp(t * 6, np.arange(7), path[:, d]) for d in range(3)])
            size = float(rng.uniform(0.06, 0.095))
            shape = leaf(size, size * 0.5, 0.7, 0.3, 1.1, (5, 2))
            leaves.append(
                _aim(
                    shape,
                    azimuth + float(rng.normal(0, 1.1)),
                    float(rng.uniform(-0.7, 0.4)),
                    float(rng.normal(0, 0.4)),
                    at,
                )
            )
    return leaves, stems


def bunch(rng: Rng, height: float, z: float) -> tuple[list[Mesh], list[Mesh]]:
    """Stems and leaves for a vase."""
    leaves: list[Mesh] = []
    stems: list[Mesh] = []
    for i in range(int(rng.integers(5, 9))):
        a = i * 2.4
        s = np.linspace(0, 1, 6)
        out = 0.25 * height * s**1.5
        path = np.stack([out * np.cos(a), out * np.sin(a), z * 0.3 + (height + z * 0.7) * s], axis=-1)
        stems.append(tube(path, 0.002, 5))
        for k, t in enumerate(np.linspace(0.45, 1, 7)):
            at = np.array([np.interp(t * 5, np.arange(6), path[:, d]) for d in range(3)])
            shape = leaf(0.06 * float(rng.uniform(0.8, 1.2)), 0.024, 0.5, 0.25, 0.9, (5, 2))
            leaves.append(_aim(shape, a + k * 2.1, 0.6, 0.0, at))
    return [_veined(x, rng) for x in leaves], stems
