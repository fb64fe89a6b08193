"""How a surface reflects: a diffuse base under a rough dielectric or metal, in Dr.Jit.

The metal-roughness part of Burley's principled model (SIGGRAPH 2012 course): GGX microfacets with
Smith's height-correlated shadowing and Schlick's Fresnel term over a Lambertian base. Reflections are
sampled by visible normals (Heitz, JCGT 2018). Textures are read by one random texel of the pyramid level
that fits the ray's footprint, which is trilinear filtering on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import drjit as dr
import mitsuba as mi

from veridical.render.atlas import ROW, Atlas

_MIN_ALPHA = 0.002
_MIRROR_ROUGHNESS = 0.12
_IOR = 1.5


class Surfaces:
    """The materials' tables on the device."""

    def __init__(self, atlas: Atlas) -> None:
        self.rows = mi.Float(atlas.rows.ravel())
        self.colour, self.detail = mi.UInt32(atlas.colour), mi.UInt32(atlas.detail)
        self.colour_at, self.detail_at = (
            mi.UInt32(atlas.colour_at.ravel()),
            mi.UInt32(atlas.detail_at.ravel()),
        )
        self.glow_places = mi.UInt32(atlas.glow_at.ravel())

    def state(self) -> tuple[Any, ...]:
        """The arrays that a kernel reads."""
        return (self.rows, self.colour, self.detail, self.colour_at, self.detail_at, self.glow_places)

    def glow_at(self, material: Any, uv: Any, active: Any) -> Any:
        """Emitted radiance at UV positions."""
        packed = _texel(
            self.colour,
            self.glow_places,
            material,
            uv,
            mi.Float(1),
            mi.Float(0),
            mi.Point2f(0.5),
            0.0,
            active,
        )
        first = material * ROW + 7
        return mi.Color3f(
            *(dr.gather(mi.Float, self.rows, first + k, active) * _decode(_byte(packed, k)) for k in range(3))
        )

    def look_up(self, si: Any, ray: Any, material: Any, width: Any, sampler: Any, active: Any) -> Surface:
        """The surface at hit points, as seen along `ray` through a beam of `width` metres."""
        row = [dr.gather(mi.Float, self.rows, material * ROW + k, active) for k in range(7)]
        texel_m = dr.maximum(dr.norm(si.dp_du), 1e-6)
        jitter, level_jitter = sampler.next_2d(), sampler.next_1d() - 0.5
        detail = _texel(
            self.detail, self.detail_at, material, si.uv, texel_m, width, jitter, level_jitter, active
        )
        colour = _texel(
            self.colour, self.colour_at, material, si.uv, texel_m, width, jitter, level_jitter, active
        )
        base = mi.Color3f(*(row[k] * _decode(_byte(colour, k)) for k in range(3)))
        roughness = dr.maximum(row[3] * _byte(detail, 2), 0.03)
        n, geometric = _normal(si, ray, _byte(detail, 0), _byte(detail, 1))
        return Surface(
            frame=mi.Frame3f(n),
            geometric=geometric,
            wi=-ray.d,
            base=base,
            roughness=roughness,
            metallic=row[4],
            reflectance=dr.lerp(mi.Color3f(0.08 * row[5]), base, row[4]),
            clear=active & (row[6] > 0.5),
        )


@dataclass(frozen=True)
class Surface:
    """Reflection at hit points; directions are world directions away from the surface.

    Attributes:
        frame: Shading frame, its normal on the viewer's side.
        geometric: Geometric normal on the viewer's side.
        wi: Towards the viewer.
        base: Base colour.
        roughness: Perceptual roughness; GGX alpha is its square.
        metallic: 0 dielectric, 1 metal.
        reflectance: Of the specular lobe at normal incidence.
        clear: True for thin glass, which this reflection does not describe.
    """

    frame: Any
    geometric: Any
    wi: Any
    base: Any
    roughness: Any
    metallic: Any
    reflectance: Any
    clear: Any

    @property
    def mirrors(self) -> Any:
        """True where what is seen is mostly a mirror image."""
        return (self.metallic > 0.9) & (self.roughness < _MIRROR_ROUGHNESS)

    def eval_pdf(self, wo: Any) -> tuple[Any, Any]:
        """BRDF times cosine, and the density of `sample`, for light from wo."""
        wi_l, wo_l = self.frame.to_local(self.wi), self.frame.to_local(wo)
        cos_i, cos_o = dr.maximum(wi_l.z, 1e-4), wo_l.z
        ok = (cos_o > 1e-5) & (dr.dot(self.geometric, wo) > 0)
        h = dr.normalize(wi_l + wo_l)
        fresnel = self._fresnel(dr.dot(wi_l, h))
        ggx = self._distribution()
        d = ggx.eval(h)
        specular = fresnel * (d * ggx.G(wi_l, wo_l, h) / (4 * cos_i))
        diffuse = self._diffuse() * (1 - fresnel) * (cos_o * dr.inv_pi)
        share = self._specular_share()
        pdf = share * d * ggx.smith_g1(wi_l, h) / (4 * cos_i) + (1 - share) * cos_o * dr.inv_pi
        return dr.select(ok, specular + diffuse, 0), dr.select(ok, pdf, 0)

    def sample(self, sample1: Any, sample2: Any) -> tuple[Any, Any, Any]:
        """A direction, BRDF times cosine over density, and the density."""
        wi_l = self.frame.to_local(self.wi)
        h, _ = self._distribution().sample(wi_l, sample2)
        mirrored = dr.fma(h, 2 * dr.dot(wi_l, h), -wi_l)
        wo_l = dr.select(
            sample1 < self._specular_share(), mirrored, mi.warp.square_to_cosine_hemisphere(sample2)
        )
        wo = self.frame.to_world(wo_l)
        value, pdf = self.eval_pdf(wo)
        return wo, dr.select(pdf > 0, value / pdf, 0), pdf

    def through_glass(self, sample: Any) -> tuple[Any, Any, Any]:
        """Thin glass: the direction that follows, its weight, and whether it goes straight on."""
        n = self.geometric
        once = mi.fresnel(dr.abs(dr.dot(n, self.wi)), _IOR)[0]
        both = 2 * once / (1 + once)  # all reflections between the two faces
        straight = sample >= both
        mirrored = dr.fma(n, 2 * dr.dot(n, self.wi), -self.wi)
        tint = dr.select(straight, 0.5 + 0.5 * self.base, mi.Color3f(1))
        return dr.select(straight, -self.wi, mirrored), tint, straight

    def _distribution(self) -> Any:
        alpha = dr.maximum(dr.square(self.roughness), _MIN_ALPHA)
        return mi.MicrofacetDistribution(mi.MicrofacetType.GGX, alpha, True)

    def _fresnel(self, cos: Any) -> Any:
        m = dr.clip(1 - cos, 0, 1)
        return dr.lerp(self.reflectance, mi.Color3f(1), dr.square(dr.square(m)) * m)

    def _diffuse(self) -> Any:
        return self.base * (1 - self.metallic)

    def _specular_share(self) -> Any:
        specular = mi.luminance(self._fresnel(dr.dot(self.frame.n, self.wi)))
        diffuse = mi.luminance(self._diffuse())
        return dr.maximum(specular / dr.maximum(specular + diffuse, 1e-6), 0.1)


def _normal(si: Any, ray: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Shading normal, tilted by the normal map (bytes / 255), and geometric one, towards the viewer."""
    n = si.sh_frame.n
    tx, ty = x * (255 / 127) - 128 / 127, y * (255 / 127) - 128 / 127
    t = dr.fma(-n, dr.dot(n, si.dp_du), si.dp_du)
    has_tangent = dr.squared_norm(t) > 1e-16
    t = dr.select(has_tangent, dr.normalize(t), 0)
    tilted = t * tx + dr.cross(n, t) * ty + n * dr.safe_sqrt(1 - tx * tx - ty * ty)
    back = dr.dot(si.n, ray.d) > 0
    geometric = dr.select(back, -si.n, si.n)
    tilted = dr.select(back, -tilted, tilted)
    # A tilt away from the viewer would show the back of a facet
    behind = dr.minimum(dr.dot(tilted, -ray.d) - 0.02, 0)
    return dr.normalize(dr.fma(ray.d, behind, tilted)), geometric


def _texel(
    texels: Any,
    places: Any,
    material: Any,
    uv: Any,
    repeat_m: Any,
    width: Any,
    jitter: Any,
    level_jitter: Any,
    active: Any,
) -> Any:
    start = dr.gather(mi.UInt32, places, 2 * material, active)
    k = dr.gather(mi.UInt32, places, 2 * material + 1, active)
    finest = mi.Float(1 << k)
    wanted = dr.log2(dr.maximum(width * finest / repeat_m, 1e-6)) + level_jitter
    level = mi.UInt32(dr.clip(dr.round(wanted), 0, mi.Float(k)))
    bits = k - level
    side = mi.UInt32(1) << bits
    # Levels before this one hold 4^k + ... + 4^(bits + 1) texels
    before = ((mi.UInt32(1) << (2 * k + 2)) - (mi.UInt32(1) << (2 * bits + 2))) // 3
    x, y = ((c - dr.floor(c)) * mi.Float(side) + j - 0.5 for c, j in ((uv.x, jitter.x), (uv.y, jitter.y)))
    column, row = (mi.UInt32(mi.Int32(dr.floor(c)) + mi.Int32(side)) & (side - 1) for c in (x, y))
    return dr.gather(mi.UInt32, texels, start + before + (row << bits) + column, active)


def _byte(packed: Any, k: int) -> Any:
    return mi.Float((packed >> (8 * k)) & 0xFF) * (1 / 255)


def _decode(srgb: Any) -> Any:
    """sRGB to linear by a cubic, within 0.002 of IEC 61966-2-1."""
    return srgb * (srgb * (srgb * 0.305306011 + 0.682171111) + 0.012522878)
