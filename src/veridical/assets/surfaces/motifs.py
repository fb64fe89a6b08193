"""Pictures for posters: each motif takes a generator and a size and gives (n, n, 3) sRGB-coded 0..1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from veridical.assets.surfaces import landscapes
from veridical.assets.surfaces.landscapes import grid
from veridical.assets.surfaces.noise import Field, fbm, smoothstep, worley
from veridical.assets.surfaces.recipe import flat, mix, ramp, rgb, shade
from veridical.assets.surfaces.sheet import Sheet, words

Motif = Callable[[np.random.Generator, int], Field]


def _any(rng: np.random.Generator, options: tuple[str, ...]) -> str:
    return options[int(rng.integers(len(options)))]


def _geometry(rng: np.random.Generator, n: int) -> Field:
    s = Sheet(n, "efe6d2")
    colours = ("c8452f", "1f3d56", "e0a63a", "26262a", "7fa09a")
    for _ in range(8):
        x, y, r = rng.uniform(0.15, 0.85), rng.uniform(0.12, 0.75), rng.uniform(0.05, 0.2)
        s.disc(x, y, r, _any(rng, colours))
        if rng.random() < 0.6:
            s.disc(x, y, r * 0.55, "efe6d2")
            s.disc(x, y, r * 0.25, _any(rng, colours))
    for _ in range(7):
        x, y = rng.uniform(0.05, 0.65), rng.uniform(0.1, 0.8)
        s.polygon(
            [(x, y), (x + 0.3, y - 0.06), (x + 0.31, y - 0.03), (x + 0.01, y + 0.03)], _any(rng, colours)
        )
    for k in range(12):
        s.line([(0.06, 0.7 + 0.02 * k), (0.4, 0.7 + 0.02 * k)], "26262a", 0.004)
    s.fitted(0.5, 0.94, 0.92, words(rng, 1)[0].upper(), 0.09, "26262a")
    return s.pixels()


def _typographic(rng: np.random.Generator, n: int) -> Field:
    ground, letters, accent = (
        ("e8442e", "f6efe0", "1c1c1e"),
        ("f2ede2", "1c1c1e", "d8452f"),
        ("1f3a5f", "f4ecd8", "f0b840"),
    )[int(rng.integers(3))]
    s = Sheet(n, ground)
    y = 0.05
    while y < 0.78:
        size = float(rng.uniform(0.09, 0.22))
        word = "".join(words(rng, 2)).upper()[: int(rng.integers(4, 9))]
        s.fitted(0.05, 0.95, y + size / 2, word, size * 1.4, _any(rng, (letters, letters, accent)))
        y += size * 1.05
        s.box(0.05, y - 0.012, 0.95, y - 0.006, letters)
        y += 0.012
    s.paragraph(rng, 0.05, 0.86, 0.48, 0.97, 0.016, letters)
    s.disc(0.85, 0.91, 0.05, accent)
    return s.pixels()


def _city_map(rng: np.random.Generator, n: int) -> Field:
    bend = (0.012 * fbm(rng, n, 2, 8, 2.0), 0.012 * fbm(rng, n, 2, 8, 2.0))
    f1, f2, block = worley(rng, n, 18, 0.75, bend)
    g1, g2, _ = worley(rng, n, 5, 0.9, bend)
    tones = np.stack([rgb(c) for c in ("f1ead9", "eee4cf", "e6dcc6", "f4efe3", "cfdcb0")])
    picture = tones[rng.choice(5, size=18 * 18, p=(0.35, 0.3, 0.14, 0.1, 0.11))[block]].astype(np.float32)
    street = smoothstep(0.09, 0.06, f2 - f1)
    avenue = smoothstep(0.05, 0.038, g2 - g1)
    picture = mix(picture, rgb("ffffff"), street)
    picture = mix(picture, rgb("d9a24a"), smoothstep(0.068, 0.058, g2 - g1))
    picture = mix(picture, rgb("f6d98f"), avenue)
    x, y = grid(n)
    course = 0.5 + 0.12 * np.sin(5 * x + float(rng.uniform(0, 6))) + 0.25 * (x - 0.5)
    picture = mix(picture, rgb("8fb8cf"), smoothstep(0.045, 0.042, np.abs(y - course)))
    s = Sheet(n, "f7f2e6")
    s.paste(picture, 0.05, 0.05, 0.95, 0.84)
    for _ in range(26):
        s.text(rng.uniform(0.07, 0.8), rng.uniform(0.07, 0.8), words(rng, 1)[0], 0.017, "4a4238")
    s.fitted(0.1, 0.9, 0.90, " ".join(words(rng, 1)[0].upper()), 0.075, "2b2a28")
    s.fitted(0.2, 0.8, 0.955, "52° 31′ N   13° 24′ E", 0.022, "6a6258")
    return s.pixels()


def _blocks(rng: np.random.Generator, n: int) -> Field:
    s = Sheet(n, "161616")
    colours = ("f4f1e8", "f4f1e8", "f4f1e8", "c8312b", "21458a", "ecc23a", "dcd8cc")

    def split(x0: float, y0: float, x1: float, y1: float, depth: int) -> None:
        w, h = x1 - x0, y1 - y0
        if depth == 0 or (w < 0.16 and h < 0.16) or (depth < 4 and rng.random() < 0.15):
            s.box(x0 + 0.007, y0 + 0.007, x1 - 0.007, y1 - 0.007, _any(rng, colours))
            return
        t = float(rng.uniform(0.3, 0.7))
        if w > h:
            split(x0, y0, x0 + t * w, y1, depth - 1)
            split(x0 + t * w, y0, x1, y1, depth - 1)
        else:
            split(x0, y0, x1, y0 + t * h, depth - 1)
            split(x0, y0 + t * h, x1, y1, depth - 1)

    split(0.03, 0.03, 0.97, 0.97, 6)
    return s.pixels()


def _flow(rng: np.random.Generator, n: int) -> Field:
    s = Sheet(n, "f3eee3")
    field = fbm(rng, 64, 1, 5, 2.0)
    colours = ("1f3d56", "c8623f", "e0a63a", "5f8f8a", "8c2f39", "26262a")
    for _ in range(330):
        x, y = rng.random(2)
        path = []
        for _ in range(34):
            path.append((float(x), float(y)))
            a = float(field[int(y * 63) % 64, int(x * 63) % 64]) * 1.6
            x, y = x + 0.012 * np.cos(a), y + 0.012 * np.sin(a)
        s.line(path, _any(rng, colours), float(rng.uniform(0.002, 0.008)))
    for a, b, c, d in ((0, 0, 1, 0.06), (0, 0.94, 1, 1), (0, 0, 0.06, 1), (0.94, 0, 1, 1)):
        s.box(a, b, c, d, "f3eee3")
    return s.pixels()


def _botanical(rng: np.random.Generator, n: int) -> Field:
    s = Sheet(n, "f2ead8")
    greens = ("3f6b3f", "5f8a4f", "2f5a45", "7f9f5f")
    for root, lean in ((0.3, -0.05), (0.52, 0.02), (0.74, 0.07)):
        stem = [(root + lean * k / 20 + 0.012 * np.sin(k / 3), 0.86 - 0.036 * k) for k in range(20)]
        s.line(stem, "4a5a34", 0.006)
        tone = _any(rng, greens)
        for k in range(3, 20):
            x, y = stem[k]
            for side in (-1, 1):
                size, up = 0.115 * (1.15 - k / 20), 0.5 + 0.4 * k / 20
                dx, dy = side * size * np.cos(up), -size * np.sin(up)
                w = 0.22
                tip = (x + dx, y + dy)
                s.polygon(
                    [
                        (x, y),
                        (x + dx / 2 + dy * w, y + dy / 2 - dx * w),
                        tip,
                        (x + dx / 2 - dy * w, y + dy / 2 + dx * w),
                    ],
                    tone,
                )
                s.line([(x, y), tip], "dfe3c0", 0.0018)
    s.fitted(0.2, 0.8, 0.91, " ".join(words(rng, 2)), 0.04, "4a4030")
    s.fitted(0.3, 0.7, 0.95, f"Fig. {int(rng.integers(2, 99))}. {words(rng, 1)[0]}", 0.022, "6a6050")
    return s.pixels()


def _skyline(rng: np.random.Generator, n: int) -> Field:
    _, y = grid(n)
    s = Sheet(n, "101830")
    s.paste(ramp(y * 1.2, "0d1430", "3a2a5a", "b5567a", "f4a06a"), 0, 0, 1, 1)
    s.disc(float(rng.uniform(0.2, 0.8)), 0.22, 0.09, "f6e6c0")
    for layer, tone, window in ((0, "4a3a66", "8f6f8a"), (1, "221f42", "f0c070"), (2, "0c0e20", "ffd98a")):
        at = -0.02
        while at < 1.0:
            w = float(rng.uniform(0.05, 0.12))
            top = 0.86 - float(rng.uniform(0.12, 0.42)) + 0.09 * layer
            s.box(at, top, at + w, 1.0, tone)
            if rng.random() < 0.3:
                s.line([(at + w / 2, top), (at + w / 2, top - 0.07)], tone, 0.004)
            for wy in np.arange(top + 0.015, 0.99, 0.02):
                for wx in np.arange(at + 0.008, at + w - 0.01, 0.014):
                    if rng.random() < 0.4:
                        s.box(wx, wy, wx + 0.007, wy + 0.01, window)
            at += w + float(rng.uniform(-0.01, 0.01))
    return s.pixels()


def _contours(rng: np.random.Generator, n: int) -> Field:
    level = fbm(rng, n, 1.5, 14, 2.2) * np.float32(5)
    picture = ramp(0.5 + level * np.float32(1 / 24), "2f5d62", "7fa99b", "dfe3c0", "e0b070", "a8553a")
    steep = np.hypot(*np.gradient(level)) + 1e-6
    line = np.abs((level * 2 + 0.5) % 1 - 0.5) / (2 * steep)
    bold = np.abs((level * 0.4 + 0.5) % 1 - 0.5) / (0.4 * steep)
    ink = np.maximum(0.6 * smoothstep(1.4, 0.4, line), smoothstep(2.4, 1.2, bold))
    return mix(picture, rgb("2a2620"), ink)


def _fields(rng: np.random.Generator, n: int) -> Field:
    x, y = grid(n)
    sets = (
        ("7a1f1c", "d8552f", "f0a03a", "4a1518"),
        ("1a2440", "3a5f8f", "c8d0d8", "101828"),
        ("3a3020", "c9a23f", "efe0b0", "8c4a2a"),
    )
    ground, a, b, c = sets[int(rng.integers(3))]
    rough = 0.012 * fbm(rng, n, 8, 200, 1.0)
    cloud = fbm(rng, n, 2, n / 2, 0.9)
    picture = flat(n, rgb(ground))
    for code, y0, y1 in ((a, 0.06, 0.42), (b, 0.46, 0.70), (c, 0.74, 0.94)):
        inside = np.minimum(np.minimum(x - 0.07, 0.93 - x), np.minimum(y - y0, y1 - y)) + rough
        picture = mix(picture, rgb(code), 0.93 * smoothstep(-0.008, 0.022, inside))
    return shade(picture, 0.06 * cloud)


def _memphis(rng: np.random.Generator, n: int) -> Field:
    s = Sheet(n, _any(rng, ("f6d8d0", "d8ecec", "fbf0d0")))
    colours = ("e8556a", "2f6f9f", "f0b840", "3f9f8a", "26262a", "8a5fa8")
    for _ in range(75):
        x, y, r, a = rng.random(), rng.random(), rng.uniform(0.012, 0.05), rng.uniform(0, 6.28)
        tone = _any(rng, colours)
        shape = int(rng.integers(4))
        if shape == 0:
            s.disc(x, y, r, tone)
        elif shape == 1:
            s.polygon(
                [(x + r * np.cos(a + k * 2.094), y + r * np.sin(a + k * 2.094)) for k in range(3)], tone
            )
        elif shape == 2:
            zig = [(x + (k - 3) * r * 0.6, y + (k % 2) * r * 0.7) for k in range(7)]
            s.line(zig, tone, 0.009)
        else:
            s.ring(x, y, r, tone, 0.009)
    return s.pixels()


def _metro(rng: np.random.Generator, n: int) -> Field:
    s = Sheet(n, "fbfaf4")
    for tone in ("d8312b", "21458a", "3f9f5a", "f0b020", "8a5fa8", "e07a2f"):
        x, y = float(rng.uniform(0.05, 0.3)), float(rng.uniform(0.1, 0.85))
        path = [(x, y)]
        for _ in range(7):
            step = float(rng.uniform(0.07, 0.14))
            turn = float(rng.integers(-1, 2))
            x, y = x + step, float(np.clip(y + turn * step * 0.9, 0.08, 0.84))
            path.append((min(x, 0.96), y))
        s.line(path, tone, 0.013)
        for px, py in path:
            s.disc(px, py, 0.0125, "26262a")
            s.disc(px, py, 0.008, "ffffff")
            s.text(px + 0.012, py - 0.03, words(rng, 1)[0], 0.017, "33363c")
    s.box(0, 0.9, 1, 1, "21458a")
    s.text(0.04, 0.92, " ".join(words(rng, 2)), 0.05, "ffffff")
    return s.pixels()


def _pulses(rng: np.random.Generator, n: int) -> Field:
    s = Sheet(n, "0c0c0e")
    for k in range(54):
        y = 0.12 + 0.0145 * k
        bump = np.abs(fbm(rng, 128, 3, 30, 1.0)[0])
        xs = np.linspace(0.14, 0.86, 128)
        lift = 0.055 * bump * np.exp(-(((xs - 0.5) / 0.15) ** 2)) + 0.002 * bump
        path = [(float(a), float(y - b)) for a, b in zip(xs, lift, strict=True)]
        s.polygon([*path, (0.86, y + 0.02), (0.14, y + 0.02)], "0c0c0e")
        s.line(path, "f0f0ee", 0.0024)
    return s.pixels()


def _quilt(rng: np.random.Generator, n: int) -> Field:
    s = Sheet(n, "f0e8d8")
    colours = ("1f4e5f", "e0913f", "efe6d2", "7c2f39", "6fa3a0", "d9c08f")
    k = int(rng.integers(6, 9))
    for i in range(k):
        for j in range(k):
            x, y, w = i / k, j / k, 1 / k
            a, b = _any(rng, colours), _any(rng, colours)
            s.box(x, y, x + w, y + w, a)
            turn = int(rng.integers(5))
            if turn < 2:
                corner = [(x, y), (x + w, y), (x + w, y + w), (x, y + w)]
                s.polygon([corner[turn], corner[turn + 1], corner[(turn + 2) % 4]], b)
            elif turn == 2:
                s.disc(x + w / 2, y + w / 2, w * 0.4, b)
            elif turn == 3:
                s.polygon([(x + w / 2, y), (x + w, y + w / 2), (x + w / 2, y + w), (x, y + w / 2)], b)
    return s.pixels()


def _balloons(rng: np.random.Generator, n: int) -> Field:
    _, y = grid(n)
    s = Sheet(n, "8fc3d8")
    cloud = smoothstep(0.5, 1.6, fbm(rng, n, 1.5, 60, 1.6, stretch_x=2))
    s.paste(mix(ramp(y, "5fa3cf", "a9d3e3", "f2e3c8"), rgb("fbfbf6"), 0.85 * cloud), 0, 0, 1, 1)
    sets = (("d8452f", "f4e3c0"), ("21458a", "f0b840"), ("3f8f6a", "f4f0e0"), ("8a3f6a", "f0a060"))
    for x, cy, r in (
        (0.3, 0.3, 0.16),
        (0.7, 0.45, 0.2),
        (0.45, 0.72, 0.1),
        (0.85, 0.17, 0.07),
        (0.13, 0.62, 0.06),
    ):
        a, b = sets[int(rng.integers(4))]
        s.polygon(
            [
                (x - r * 0.72, cy + r * 0.68),
                (x + r * 0.72, cy + r * 0.68),
                (x + 0.12 * r, cy + 1.5 * r),
                (x - 0.12 * r, cy + 1.5 * r),
            ],
            a,
        )
        for k, width in enumerate((1.0, 0.72, 0.45, 0.17)):
            tone = (a, b)[k % 2]
            box = [(x - r * width, cy), (x + r * width, cy)]
            s.polygon([box[0], (x, cy - r), box[1], (x, cy + r)], tone)
            s.draw.ellipse(
                [(x - r * width) * s.side, (cy - r) * s.side, (x + r * width) * s.side, (cy + r) * s.side],
                fill=tuple(int(v) for v in (rgb(tone) * 255)),
            )
        s.box(x - 0.12 * r, cy + 1.55 * r, x + 0.12 * r, cy + 1.75 * r, "6b4a2f")
    ridge = [(k / 30, 0.9 + 0.03 * float(np.sin(k * 0.7) + np.sin(k * 0.31))) for k in range(31)]
    s.polygon([(0, 1), *ridge, (1, 1)], "3f6b4a")
    return s.pixels()


MOTIFS: tuple[Motif, ...] = (
    landscapes.mountains,
    _geometry,
    _city_map,
    landscapes.sea,
    _typographic,
    _botanical,
    landscapes.forest,
    _blocks,
    _contours,
    landscapes.dunes,
    _flow,
    _skyline,
    _fields,
    landscapes.flowers,
    _metro,
    _balloons,
    landscapes.aurora,
    _memphis,
    _pulses,
    _quilt,
    landscapes.nebula,
)
"""One a variant of `poster`, in a stable order: append only."""
