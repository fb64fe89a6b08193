"""Metals, plastics, glass and glazes: little pattern, exact optics, and the marks of use.

Colours of metals: reflectance at normal incidence, after Lagarde, "Feeding a physically based shading
model" (2011): steel, chromium, brass.
"""

from __future__ import annotations

import numpy as np

from veridical.assets.surfaces.noise import Field, blur, coordinates, fbm, smoothstep, spots
from veridical.assets.surfaces.recipe import Canvas, Paint, flat, mix, rgb, shade


def _scratches(canvas: Canvas, per_m2: float, length: float = 14.0) -> Field:
    """Fine scratches, upright and level."""
    n, count = canvas.n, max(4, int(per_m2 * canvas.tile_m**2))
    width = (max(0.5, canvas.px(0.0003)), max(0.8, canvas.px(0.0007)))
    upright = spots(canvas.rng, n, count, width, length)
    return np.maximum(upright, spots(canvas.rng, n, count, width, length).T)


def brushed_metal(canvas: Canvas) -> Paint:
    """Steel or aluminium brushed along u."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("c4c2be", "b9bcbf", "d3d3d1", "a9a49c")
    brush = fbm(rng, n, canvas.cycles(0.01), n / 2, 0.2, stretch_x=60)
    cloud = fbm(rng, n, 1, canvas.cycles(0.03), 1.3)
    scratch = _scratches(canvas, 500)
    colour = shade(flat(n, base), 0.035 * brush + 0.02 * cloud - 0.12 * scratch)
    rough = np.clip(0.33 + 0.05 * brush + 0.04 * cloud + 0.1 * scratch, 0.15, 0.7)
    return Paint(colour, (2.5e-6 * brush).astype(np.float32), rough, metallic=1.0)


def chrome(canvas: Canvas) -> Paint:
    """Polished plating with faint fingerprints."""
    return _polished(canvas, "c6c7c8", 0.06)


def brass(canvas: Canvas) -> Paint:
    """Rubbed brass with tarnish."""
    rng, n = canvas.rng, canvas.n
    tarnish = smoothstep(-1.5, 2.8, fbm(rng, n, 1, canvas.cycles(0.004), 1.5))
    scratch = _scratches(canvas, 500)
    colour = mix(flat(n, rgb("e8c98a")), rgb("9c7640"), 0.6 * tarnish)
    return Paint(
        shade(colour, -0.1 * scratch),
        None,
        np.clip(0.22 + 0.25 * tarnish + 0.1 * scratch, 0.1, 0.8),
        metallic=1.0,
    )


def _polished(canvas: Canvas, code: str, rough: float) -> Paint:
    rng, n = canvas.rng, canvas.n
    smear = smoothstep(0.6, 2.2, fbm(rng, n, 2, canvas.cycles(0.01), 1.0))
    scratch = _scratches(canvas, 200)
    return Paint(
        shade(flat(n, rgb(code)), -0.04 * smear), None, rough + 0.08 * smear + 0.05 * scratch, metallic=1.0
    )


def painted_metal(canvas: Canvas) -> Paint:
    """Powder coat: orange peel, chips down to the primer."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("e9e9e6", "2d3034", "8d9499", "3f5a6b", "a33a2c", "4d5b45", "d8a531")
    peel = fbm(rng, n, canvas.cycles(0.004), canvas.cycles(0.0012), 0.4)
    cloud = fbm(rng, n, 1, canvas.cycles(0.02), 1.3)
    chips = spots(rng, n, int(130 * canvas.tile_m**2), (canvas.px(0.0008), canvas.px(0.004)))
    scratch = _scratches(canvas, 120)
    colour = shade(flat(n, base), 0.012 * peel + 0.015 * cloud)
    colour = mix(colour, rgb("77736d"), 0.55 * chips + 0.25 * scratch)
    return Paint(
        colour,
        (1.5e-5 * peel - 1e-4 * chips).astype(np.float32),
        np.clip(0.36 + 0.04 * cloud + 0.2 * chips, 0.1, 1),
    )


def plastic(canvas: Canvas) -> Paint:
    """Moulded plastic with a fine grain and scuffs."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("e6e5e1", "2a2b2e", "b23a31", "2f5d8a", "d9a22e", "3f7d58", "8c8f93", "d0743c")
    grain = fbm(rng, n, canvas.cycles(0.002), n / 2, 0.3)
    cloud = fbm(rng, n, 1, canvas.cycles(0.03), 1.3)
    scratch = _scratches(canvas, 160)
    dust = spots(rng, n, int(160 * canvas.tile_m**2), (canvas.px(0.0006), canvas.px(0.0022)))
    colour = shade(flat(n, base), 0.012 * grain + 0.012 * cloud - 0.07 * scratch)
    colour = mix(colour, rgb("8f8a82"), 0.3 * dust)
    return Paint(
        colour, (6e-6 * grain).astype(np.float32), np.clip(0.36 + 0.03 * cloud + 0.15 * scratch, 0.1, 1)
    )


def rubber(canvas: Canvas) -> Paint:
    """Dull rubber with dust in its grain."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("232323", "2e2d2c", "1d1f21")
    grain = fbm(rng, n, canvas.cycles(0.004), n / 2, 0.4)
    dust = smoothstep(0.3, 2.2, fbm(rng, n, 2, canvas.cycles(0.004), 0.9))
    colour = mix(shade(flat(n, base), 0.10 * grain), rgb("6d675f"), 0.35 * dust)
    return Paint(colour, (4e-5 * grain).astype(np.float32), np.clip(0.82 + 0.08 * dust, 0, 1), specular=0.35)


def ceramic(canvas: Canvas) -> Paint:
    """Stoneware: glaze with iron speckles and a darker, breaking tone."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("ddd3c1", "5f7f86", "8a9a7b", "c98f63", "46505a", "e6e2da", "b46a52")
    run = fbm(rng, n, 1, canvas.cycles(0.008), 1.4, stretch_y=2.5)
    speck = spots(rng, n, int(5000 * canvas.tile_m**2), (canvas.px(0.0004), canvas.px(0.0015)))
    x = np.clip(0.5 + 0.22 * run, 0, 1)
    colour = mix(shade(flat(n, base), 0.07 * run), base * 0.72, 0.5 * x * x)
    colour = mix(colour, rgb("4a3526"), 0.75 * speck)
    return Paint(colour, (4e-5 * run).astype(np.float32), np.clip(0.16 + 0.04 * x + 0.2 * speck, 0.05, 0.6))


def porcelain(canvas: Canvas) -> Paint:
    """White glaze; odd variants carry a blue hand-painted band of leaves."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("f1efea", "eceae6", "f3f1ee")
    cloud = fbm(rng, n, 1, canvas.cycles(0.01), 1.4)
    speck = spots(rng, n, int(500 * canvas.tile_m**2), (canvas.px(0.0003), canvas.px(0.0009)))
    colour = shade(flat(n, base), 0.008 * cloud - 0.25 * speck)
    if canvas.variant % 2 == 1:
        cobalt = rgb(("2c4a86", "3c6a57", "8a3b35")[canvas.variant // 2 % 3])
        colour = mix(colour, cobalt, _sprigs(canvas))
    return Paint(colour, None, 0.08)


def _sprigs(canvas: Canvas) -> Field:
    """Brushed flowers of five petals between thin wavy bands, 0..1."""
    n = canvas.n
    x, y = coordinates(n)
    row = np.floor(y * 4)
    u, v = ((x * 4 + 0.5 * (row % 2)) % 1 - 0.5) * 2, (y * 4) % 1 * 2 - 1
    r, a = np.hypot(u, v), np.arctan2(v, u)
    soft = 10 / n * 4
    petals = smoothstep(soft, -soft, r - 0.27 - 0.17 * np.cos(5 * a)) * smoothstep(0.08, 0.2, r)
    heart = smoothstep(0.07 + soft, 0.07 - soft, r)
    wave = smoothstep(0.05 + soft, 0.05 - soft, np.abs(np.abs(v) - 0.86 - 0.06 * np.cos(6 * np.pi * u)))
    wash = 0.72 + 0.12 * np.clip(fbm(canvas.rng, n, 8, 120, 0.9), -2, 2)
    brushed: Field = np.clip(np.maximum(np.maximum(0.75 * petals, heart), wave) * wash, 0, 0.95)
    return brushed.astype(np.float32)


def glass(canvas: Canvas) -> Paint:
    """Clear thin glass."""
    tint = canvas.tint if canvas.tint is not None else rgb("f4f7f6")
    return Paint(tint, None, 0.02, transmission=1.0)


def mirror(canvas: Canvas) -> Paint:
    """Silvered glass."""
    del canvas
    return Paint(rgb("f0f1f1"), None, 0.01, metallic=1.0)


def lamp_glow(canvas: Canvas) -> Paint:
    """A shade lit from within: brightest in the middle of the height, weave of the shade visible."""
    rng, n = canvas.rng, canvas.n
    base = canvas.pick("fff4e0", "ffeed2", "fff8ec")
    y = ((np.arange(n, dtype=np.float32) + 0.5) / n)[:, None]
    hot = (0.82 + 0.18 * np.sin(np.pi * y)) * np.ones((1, n), np.float32)
    thread = blur(
        fbm(rng, n, n / 6, n / 2, 0.2, stretch_x=6) + fbm(rng, n, n / 6, n / 2, 0.2, stretch_y=6), 0.6
    )
    glow = np.clip(hot + 0.018 * thread, 0, 1)
    return Paint(flat(n, base), None, 0.8, emission_map=np.clip(np.repeat(glow[..., None], 3, -1), 0, 1))
