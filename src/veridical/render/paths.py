"""Light transport: a path tracer over Mitsuba's rays, in Dr.Jit.

The algorithm is the classic one (Pharr, Jakob, Humphreys, Physically Based Rendering, 4th ed., 13.4:
next-event estimation and BSDF sampling joined by the power heuristic, Russian roulette) with what
interiors need: the sun shines through window portals although the windows themselves are opaque light
sources; light and shadow rays go straight through thin glass; emitters are chosen by how much they give
at the place in question (see `lights.py`); textures are read at the resolution of the ray's beam.
"""

from __future__ import annotations

from typing import Any

import drjit as dr
import mitsuba as mi

from veridical.render.lights import Lights, LightSample
from veridical.render.shading import Surfaces
from veridical.render.stage import Stage

_MAX_PANES = 8
_ROULETTE_DEPTH = 2
_ROUGH_SPREAD = 0.3
"""Opening of the beam after a diffuse bounce, rad: later bounces read coarse textures."""


@dr.syntax  # type: ignore[untyped-decorator]
def radiance(
    stage: Stage,
    lights: Lights,
    surfaces: Surfaces,
    materials: Any,
    sampler: Any,
    ray: Any,
    spread: float,
    max_depth: int,
    clamp: float,
) -> Any:
    """Radiance that arrives along each ray.

    Args:
        stage: What rays meet.
        lights: What shines.
        surfaces: What reflects.
        materials: Material number by piece.
        sampler: Mitsuba sampler, seeded for as many samples as there are rays.
        ray: Rays from the camera.
        spread: Angle between neighbouring pixels, rad.
        max_depth: Segments of a path.
        clamp: Limit of what an indirect path may add; 0 for none.
    """
    ray = mi.Ray3f(ray)
    total, throughput = mi.Color3f(0), mi.Color3f(1)
    from_p, from_pdf, from_delta = mi.Point3f(ray.o), mi.Float(1), mi.Bool(True)
    emitters = lights.emitters
    width, opening = mi.Float(0), mi.Float(spread)
    depth, panes, active = mi.UInt32(0), mi.UInt32(0), mi.Bool(True)

    while active:
        hit = stage.meet(ray, depth == 0, active)
        si = hit.compute_surface_interaction(ray, mi.RayFlags.All, active)
        width += dr.select(hit.is_valid(), opening * hit.t, 0)

        # Light that this ray happened to meet
        met = active & hit.is_valid()
        piece = stage.piece_of(hit, met)
        material = dr.gather(mi.UInt32, materials, piece, met)
        emitter = dr.gather(mi.UInt32, emitters.of_piece, piece, met)
        emitter = dr.select(met, emitter, emitters.sky_number())
        facing = -dr.dot(si.n, ray.d)
        chance = lights.pdf(from_p, emitter, dr.norm(si.p - from_p), facing, active & ~from_delta)
        weight = dr.select(from_delta, 1, _heuristic(from_pdf, chance))
        glow = dr.select(met, surfaces.glow_at(material, si.uv, met & (facing > 0)), emitters.sky)
        total += _limited(dr.select(active, throughput * weight * glow, 0), clamp, depth > 1)

        # Light sampled on purpose
        go_on = met & (depth + 1 < max_depth)
        surface = surfaces.look_up(si, ray, material, width, sampler, go_on)
        lit = go_on & ~surface.clear
        sample = lights.sample(si.p, sampler.next_2d(), sampler.next_1d(), lit)
        value, bsdf_pdf = surface.eval_pdf(sample.d)
        value *= sample.radiance
        lit &= (sample.pdf > 0) & (dr.max(value) > 0)
        passed = _visibility(stage, si, sample, lit)
        value *= dr.select(sample.delta, 1, _heuristic(sample.pdf, bsdf_pdf)) * passed
        total += _limited(dr.select(lit, throughput * value, 0), clamp, depth > 0)

        # Where the path goes on
        choice = sampler.next_1d()
        wo, scale, pdf = surface.sample(choice, sampler.next_2d())
        glass_wo, glass_scale, straight = surface.through_glass(choice)
        wo = dr.select(surface.clear, glass_wo, wo)
        throughput *= dr.select(surface.clear, glass_scale, scale)
        straight &= surface.clear
        ray = si.spawn_ray(wo)
        from_p = dr.select(straight, from_p, si.p)
        from_pdf = dr.select(straight, from_pdf, pdf)
        from_delta = dr.select(straight, from_delta, surface.clear)
        opening = dr.select(
            surface.clear, opening, dr.maximum(opening, _ROUGH_SPREAD * dr.minimum(surface.roughness, 1))
        )
        panes = dr.select(straight, panes + 1, panes)
        depth = dr.select(straight, depth, depth + 1)

        brightest = dr.max(throughput)
        survival = dr.select(depth >= _ROULETTE_DEPTH, dr.clip(brightest, 0.05, 0.95), 1.0)
        active = go_on & (brightest > 0) & (sampler.next_1d() < survival) & (panes <= _MAX_PANES)
        throughput *= dr.rcp(survival)
    return total


def first_surface(
    stage: Stage,
    sky: Any,
    surfaces: Surfaces,
    materials: Any,
    sampler: Any,
    ray: Any,
    spread: float,
    exposure: float,
    hops: int,
) -> tuple[Any, Any]:
    """Albedo and world normal of what is seen; up to `hops` panes and mirrors are looked through."""
    albedo, normal, tint = mi.Color3f(0), mi.Normal3f(0), mi.Color3f(1)
    active, width = mi.Bool(True), mi.Float(0)
    for hop in range(hops + 1):
        hit = stage.meet(ray, hop == 0, active)
        si = hit.compute_surface_interaction(ray, mi.RayFlags.All, active)
        width += dr.select(hit.is_valid(), spread * hit.t, 0)
        found = active & hit.is_valid()
        material = dr.gather(mi.UInt32, materials, stage.piece_of(hit, found), found)
        surface = surfaces.look_up(si, ray, material, width, sampler, found)
        lit = found & (dr.dot(si.n, ray.d) < 0)
        shining = dr.select(found, surfaces.glow_at(material, si.uv, lit), sky) * exposure
        through = found & (surface.clear | surface.mirrors) if hop < hops else mi.Bool(False)
        done = active & ~through
        seen = dr.select(found, surface.base, 0) + shining
        albedo = dr.select(done, tint * dr.clip(seen, 0, 1), albedo)
        normal = dr.select(done & found, surface.frame.n, normal)
        if hop < hops:
            n, d = surface.frame.n, ray.d
            mirrored = dr.fma(n, -2 * dr.dot(n, d), d)
            tint *= dr.select(through & surface.mirrors, surface.base, 1)
            ray = si.spawn_ray(dr.select(surface.clear, d, mirrored))
            active = through
    return albedo, normal


def _visibility(stage: Stage, si: Any, sample: LightSample, active: Any) -> Any:
    """Share of the light that gets through."""
    ray = si.spawn_ray(sample.d)
    ray.maxt = dr.select(sample.dist < 1e6, sample.dist * (1 - 1e-4) - 1e-4, dr.inf)
    return stage.light_through(ray, active)


def _heuristic(a: Any, b: Any) -> Any:
    """Weight of a strategy with density a beside one with density b (Veach 1997, beta = 2)."""
    a2, b2 = a * a, b * b
    return dr.select(a2 > 0, a2 / (a2 + b2), 0)


def _limited(colour: Any, limit: float, is_indirect: Any) -> Any:
    if limit <= 0:
        return colour
    brightest = dr.max(colour)
    return dr.select(is_indirect & (brightest > limit), colour * (limit / brightest), colour)
