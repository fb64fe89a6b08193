import dataclasses

import cv2
import numpy as np
import pytest

from veridical.assets.surfaces import SURFACES, orb_per_megapixel, surface
from veridical.assets.surfaces.make import normals
from veridical.assets.surfaces.noise import coordinates, fbm, worley
from veridical.assets.surfaces.recipe import to_linear, to_srgb
from veridical.assets.surfaces.tilings import basket, herringbone, rows
from veridical.assets.thing import Finish
from veridical.core.errors import AssetError

WALLS_AND_FLOORS = (
    *("oak", "walnut", "pine", "parquet", "laminate", "plaster", "paint", "wallpaper", "brick", "concrete"),
    *("tiles", "terrazzo", "carpet", "rug"),
)
UNBROKEN = (
    "oak",
    "parquet",
    "plaster",
    "paint",
    "brick",
    "tiles",
    "marble",
    "fabric",
    "carpet",
    "leather",
    "cork",
)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERIDICAL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def read(made, field):
    pixels = cv2.imread(str(made.files[getattr(made.material, field)]), cv2.IMREAD_UNCHANGED)
    return pixels[..., ::-1] if pixels.ndim == 3 else pixels


def linear_mean(pixels):
    return to_linear(pixels.astype(np.float32) / 255).reshape(-1, 3).mean(0)


@pytest.mark.parametrize("kind", SURFACES)
def test_every_kind_builds_and_its_maps_agree_with_its_material(kind):
    made = surface(Finish(kind, 1), 128)
    material = made.material
    assert made.tile_m > 0
    assert made.tile_m == 1 or not SURFACES[kind].whole_print
    assert {f for f in (material.albedo, material.roughness_map, material.normal_map) if f} == set(made.files)
    assert all(0 <= c <= 1 for c in material.base_color)
    if material.albedo:
        assert linear_mean(read(made, "albedo")) == pytest.approx(material.base_color, abs=1e-3)
    if material.roughness_map:
        assert read(made, "roughness_map").mean() / 255 == pytest.approx(material.roughness, abs=0.01)
    if material.normal_map:
        n = read(made, "normal_map").astype(float) / 127.5 - 1
        assert np.linalg.norm(n, axis=-1) == pytest.approx(1, abs=0.02)
        assert n[..., 2].min() > 0
        assert n.mean((0, 1))[:2] == pytest.approx([0, 0], abs=0.02)


@pytest.mark.parametrize("kind", WALLS_AND_FLOORS)
def test_walls_and_floors_give_a_camera_something_to_hold_on_to(kind):
    for variant in range(2):
        made = surface(Finish(kind, variant), 512)
        assert orb_per_megapixel(read(made, "albedo")) >= 3000


@pytest.mark.parametrize("tint", [(0.8, 0.77, 0.7), (0.05, 0.15, 0.14), (0.45, 0.13, 0.05)])
def test_a_tinted_wall_keeps_its_detail_and_takes_the_colour(tint):
    made = surface(Finish("paint", 0, tint), 512)
    assert orb_per_megapixel(read(made, "albedo")) >= 3000
    assert made.material.base_color == pytest.approx(tint, rel=0.2)


def test_the_gate_refuses_a_blank_wall_and_accepts_noise():
    assert orb_per_megapixel(np.full((256, 256, 3), 200, np.uint8)) == 0
    noise = np.random.default_rng(0).integers(0, 256, (512, 512), dtype=np.uint8)
    assert orb_per_megapixel(noise) > 10_000


@pytest.mark.parametrize("kind", UNBROKEN)
def test_textures_go_on_over_their_borders(kind):
    pixels = read(surface(Finish(kind, 0), 256), "albedo").astype(float).mean(-1)
    for axis in (0, 1):
        steps = np.abs(np.diff(pixels, axis=axis)).mean(1 - axis)
        seam = np.abs(np.take(pixels, 0, axis) - np.take(pixels, -1, axis)).mean()
        assert seam <= steps.max() * 1.05


def test_equal_finishes_give_equal_bytes_and_variants_differ(monkeypatch, tmp_path):
    def picture(variant):
        made = surface(Finish("plaster", variant), 128)
        return made.files[made.material.albedo].read_bytes()

    first, other = picture(0), picture(1)
    monkeypatch.setenv("VERIDICAL_CACHE", str(tmp_path))
    assert picture(0) == first
    assert other != first


def test_unknown_kinds_are_refused_with_a_suggestion():
    with pytest.raises(AssetError, match="Did you mean 'parquet'"):
        surface(Finish("parkuet"))


def test_emission_makes_a_lamp_or_a_window():
    lamp = surface(Finish("lamp_glow", 0, emission=(5.0, 4.0, 3.0)), 64).material
    window = surface(Finish("outside_view", 0, emission=(2.0, 2.0, 2.0), daylight=True), 64).material
    assert (lamp.lamp, lamp.daylight, lamp.emission) == (True, False, (5.0, 4.0, 3.0))
    assert (window.lamp, window.daylight) == (False, True)
    assert window.emission_map is not None
    dark = surface(Finish("screen"), 64).material
    assert (dark.lamp, dark.daylight, dark.emission, dark.emission_map) == (False, False, None, None)


def test_optics_of_metal_glass_and_mirror():
    made = {k: surface(Finish(k), 64).material for k in ("chrome", "glass", "mirror", "oak")}
    assert made["chrome"].metallic == made["mirror"].metallic == 1
    assert made["glass"].transmission == 1
    assert made["glass"].albedo is None
    assert made["mirror"].roughness < 0.05 < made["oak"].roughness
    assert made["oak"].metallic == made["oak"].transmission == 0


def test_finishes_that_differ_in_emission_share_their_pictures():
    dark, lit = surface(Finish("paper"), 64), surface(Finish("paper", emission=(1.0, 1.0, 1.0)), 64)
    assert set(dark.files.values()) == set(lit.files.values())
    assert dark.material.name != lit.material.name


def test_names_tell_finishes_apart():
    base = Finish("oak")
    names = {
        surface(f, 64).material.name
        for f in (base, dataclasses.replace(base, variant=1), dataclasses.replace(base, tint=(0.2, 0.1, 0.1)))
    }
    assert len(names) == 3


def test_normals_of_a_ramp_and_of_a_wave_are_the_analytic_ones():
    n, tile = 256, 0.5
    x, y = coordinates(n)
    k, amplitude = 2 * np.pi / tile, 0.002
    for height, axis, phase in ((np.sin(k * tile * x), 0, x), (np.sin(k * tile * y), 1, y)):
        field = normals(np.broadcast_to(amplitude * height, (n, n)).astype(np.float32), tile)
        slope = amplitude * k * np.cos(k * tile * phase)
        # x grows to the right as in the image; y grows upwards, against the rows.
        wanted = (-slope if axis == 0 else slope) / np.sqrt(1 + slope**2)
        assert field[..., axis] == pytest.approx(np.broadcast_to(wanted, (n, n)), abs=2e-3)


def test_srgb_round_trip_and_known_values():
    values = np.linspace(0, 1, 257, dtype=np.float32)
    assert to_srgb(to_linear(values)) == pytest.approx(values, abs=1e-5)
    assert float(to_linear(np.float32(0.5))) == pytest.approx(0.21404, abs=1e-4)


def test_noise_is_normalised_band_limited_and_seeded():
    field = fbm(np.random.default_rng(1), 256, 8, 32)
    assert field.mean() == pytest.approx(0, abs=1e-5)
    assert field.std() == pytest.approx(1, abs=1e-4)
    power = np.abs(np.fft.fft2(field)) ** 2
    f = np.fft.fftfreq(256, 1 / 256)
    radius = np.hypot(*np.meshgrid(f, f))
    assert power[(radius > 4) & (radius < 48)].sum() > 0.99 * power.sum()
    assert np.array_equal(field, fbm(np.random.default_rng(1), 256, 8, 32))


def test_cells_agree_with_a_search_over_all_points():
    first, second, index = worley(np.random.default_rng(3), 64, 5)
    points = (np.random.default_rng(3).random((5, 5, 2), dtype=np.float32) - 0.5) * 0.9 + 0.5
    j, i = np.divmod(np.arange(25), 5)
    at = points.reshape(-1, 2) + np.stack([i, j], -1)
    c = (np.arange(64) + 0.5) / 64 * 5
    px, py = np.meshgrid(c, c)
    away = [np.abs(p[..., None] - at[:, k]) for k, p in enumerate((px, py))]
    d = np.hypot(*(np.minimum(a, 5 - a) for a in away))
    assert first == pytest.approx(d.min(-1), abs=1e-4)
    assert np.array_equal(index, d.argmin(-1))
    assert (second >= first).all()


def test_pieces_of_a_tiling_are_connected_rectangles_of_equal_area():
    side = 240
    for tiling, area in ((herringbone(side, 12, 3), 3 / 144), (basket(side, 4, 4), 1 / 64)):
        pieces, counts = np.unique(tiling.piece, return_counts=True)
        assert counts / side**2 == pytest.approx(np.full(len(pieces), area), rel=1e-6)
        assert tiling.edge.min() >= 0
    bond = rows(np.random.default_rng(0), side, 6, 4, 0.5)
    assert np.unique(bond.piece).size == 24
