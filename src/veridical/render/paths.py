"""Light transport: a path tracer over Mitsuba's scene, emitters and surfaces, in Dr.Jit.

It is Mitsuba's own `path` (Pharr, Jakob, Humphreys, Physically Based Rendering, 4th ed., 13.4: next-event
estimation and BSDF sampling joined by the power heuristic, Russian roulette) with three additions that
interiors need: the sun shines through window portals although the windows themselves are opaque light
sources; light and shadow rays go straight through thin glass; and emitters are chosen by how much they
give at the place in question (see `lights.py`).
"""

from __future__ import annotations

from typing import Any

import drjit as dr
import mitsuba as mi

from veridical.render.lights import Lights

_MAX_PANES = 4
_ROULETTE_DEPTH = 3


@dr.syntax  # type: ignore[untyped-decorator]
def radiance(
    scene: mi.Scene, lights: Lights, sampler: mi.Sampler, ray: mi.Ray3f, max_depth: int, clamp: float
) -> mi.Color3f:
    """Radiance that arrives along each ray; `clamp` limits what an indirect path may add (0: no limit)."""
    ctx = mi.BSDFContext()
    ray = mi.Ray3f(ray)
    total, throughput = mi.Color3f(0), mi.Color3f(1)
    from_p, from_pdf, from_delta = mi.Point3f(ray.o), mi.Float(1), mi.Bool(True)
    depth, panes, active = mi.UInt32(0), mi.UInt32(0), mi.Bool(True)

    while active:
        si = scene.ray_intersect(ray, mi.RayFlags.All, depth == 0, active)

        # Light that this ray happened to hit
        emitter = si.emitter(scene)
        origin = dr.zeros(mi.Interaction3f)
        origin.p = from_p
        towards = mi.DirectionSample3f(scene, si, origin)
        chance = lights.pdf(origin, towards, emitter, active & ~from_delta)
        weight = dr.select(from_delta, 1, _heuristic(from_pdf, chance))
        found = throughput * weight * emitter.eval(si, active)
        total += _limited(found, clamp, depth > 1)

        # Light sampled on purpose
        go_on = active & si.is_valid() & (depth + 1 < max_depth)
        bsdf = si.bsdf(ray)
        smooth = go_on & mi.has_flag(bsdf.flags(), mi.BSDFFlags.Smooth)
        sample = lights.sample(scene, si, sampler.next_2d(), sampler.next_1d(), smooth)
        smooth &= sample.pdf > 0
        value, bsdf_pdf = bsdf.eval_pdf(ctx, si, si.to_local(sample.d), smooth)
        value = mi.Color3f(value) * sample.radiance
        smooth &= dr.max(value) > 0
        passed = lights.visibility(scene, si, sample, smooth)
        value *= dr.select(sample.delta, 1, _heuristic(sample.pdf, bsdf_pdf)) * passed
        found = dr.select(smooth, throughput * value, 0)
        total += _limited(found, clamp, depth > 0)

        # Where the path goes on
        chosen, scale = bsdf.sample(ctx, si, sampler.next_1d(), sampler.next_2d(), go_on)
        throughput *= mi.Color3f(scale)
        straight = mi.has_flag(chosen.sampled_type, mi.BSDFFlags.Null)
        ray = mi.Ray3f(si.spawn_ray(si.to_world(chosen.wo)))
        from_p = dr.select(straight, from_p, si.p)
        from_pdf = dr.select(straight, from_pdf, chosen.pdf)
        from_delta = dr.select(straight, from_delta, mi.has_flag(chosen.sampled_type, mi.BSDFFlags.Delta))
        panes = dr.select(straight, panes + 1, panes)
        depth = dr.select(straight, depth, depth + 1)

        brightest = dr.max(throughput)
        survival = dr.select(depth >= _ROULETTE_DEPTH, dr.minimum(brightest, 0.95), 1.0)
        active = go_on & (brightest > 0) & (sampler.next_1d() < survival) & (panes <= 2 * _MAX_PANES)
        throughput *= dr.rcp(dr.maximum(survival, 1e-6))
    return total


@dr.syntax  # type: ignore[untyped-decorator]
def first_surface(
    scene: mi.Scene, sampler: mi.Sampler, ray: mi.Ray3f, exposure: float
) -> tuple[mi.Color3f, mi.Normal3f]:
    """Albedo and world normal of what is seen, looking through glass and by mirrors once."""
    ctx = mi.BSDFContext()
    ray = mi.Ray3f(ray)
    albedo, normal = mi.Color3f(0), mi.Normal3f(0)
    bounces, active = mi.UInt32(0), mi.Bool(True)
    while active:
        si = scene.ray_intersect(ray, mi.RayFlags.All, bounces == 0, active)
        hit = active & si.is_valid()
        bsdf = si.bsdf(ray)
        shining = mi.Color3f(si.emitter(scene).eval(si, active)) * exposure
        seen = mi.Color3f(bsdf.eval_diffuse_reflectance(si, hit)) + shining
        # What is merely specular (glass, mirrors) shows other things
        through = hit & ~mi.has_flag(bsdf.flags(), mi.BSDFFlags.Smooth) & (bounces < _MAX_PANES)
        done = active & ~through
        albedo = dr.select(done, dr.clip(seen, 0, 1), albedo)
        normal = dr.select(done & hit, si.sh_frame.n, normal)
        chosen, _ = bsdf.sample(ctx, si, mi.Float(1), sampler.next_2d(), through)
        ray = mi.Ray3f(si.spawn_ray(si.to_world(chosen.wo)))
        bounces += 1
        active = through
    return albedo, normal


def _heuristic(a: Any, b: Any) -> Any:
    """Weight of a strategy with density a beside one with density b (Veach 1997, beta = 2)."""
    a2, b2 = a * a, b * b
    return dr.select(a2 > 0, a2 / (a2 + b2), 0)


def _limited(colour: Any, limit: float, is_indirect: Any) -> Any:
    if limit <= 0:
        return colour
    brightest = dr.max(colour)
    return dr.select(is_indirect & (brightest > limit), colour * (limit / brightest), colour)
