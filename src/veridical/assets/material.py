"""What a surface looks like: the parameters of a physically based material."""

from __future__ import annotations

from dataclasses import dataclass

Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Material:
    """A Disney-principled surface; geoms refer to it by its MuJoCo material's name.

    Texture fields are file names inside the world's `textures` folder. Mesh UVs count texture repeats,
    so no scale is needed here. A thing's v grows upwards (v = 0 is the bottom row of the image); the
    compiled model's `mesh_texcoord` has v = 0 at the top row, as MuJoCo's and Mitsuba's textures want it.

    Attributes:
        name: Unique in the world; equals the name of the MuJoCo material.
        base_color: Linear RGB in 0..1; multiplied into nothing if `albedo` is given, then it is its mean.
        roughness: 0 mirror, 1 matte.
        metallic: 0 dielectric, 1 metal.
        specular: Principled specular level, 0.5 is an index of refraction of 1.5.
        transmission: 1 is clear thin glass.
        emission: Emitted radiance, linear RGB, W/(sr m^2) up to a common exposure factor; turns
            every geom with this material into a light.
        albedo: sRGB PNG of base colour.
        roughness_map: Grey PNG of roughness.
        normal_map: Tangent-space normals, PNG, OpenGL convention (+y up).
        emission_map: sRGB PNG, scales `emission`.
        two_sided: False for closed surfaces seen from outside only.
        lamp: True if this emission is electric light, which `conditions.lamps` switches.
        daylight: True if this emission is the sky in a window, which `conditions.daylight` scales.
    """

    name: str
    base_color: Rgb = (0.5, 0.5, 0.5)
    roughness: float = 0.6
    metallic: float = 0.0
    specular: float = 0.5
    transmission: float = 0.0
    emission: Rgb | None = None
    albedo: str | None = None
    roughness_map: str | None = None
    normal_map: str | None = None
    emission_map: str | None = None
    two_sided: bool = True
    lamp: bool = False
    daylight: bool = False

    @property
    def shines(self) -> bool:
        """True if it gives off light."""
        return self.emission is not None and max(self.emission) > 0
