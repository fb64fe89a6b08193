"""Run as `python -m veridical.render.probe VARIANT`: one small real render, then `probe: good`."""

from __future__ import annotations

import sys


def main(variant: str) -> None:
    """Renders and denoises a lit ball of the principled material and checks that light arrives."""
    import mitsuba as mi
    import mitsuba_oidn
    import numpy as np

    mi.set_variant(variant)
    scene = mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 4},
            "sensor": {
                "type": "perspective",
                "film": {"type": "hdrfilm", "width": 32, "height": 32, "rfilter": {"type": "box"}},
                "to_world": mi.ScalarTransform4f().look_at([0, 0, 4], [0, 0, 0], [0, 1, 0]),
            },
            "ball": {"type": "sphere", "bsdf": {"type": "principled", "metallic": 0.3, "roughness": 0.4}},
            "box": {
                "type": "cube",
                "to_world": mi.ScalarTransform4f().translate([1, 1, -1]),
                "bsdf": {"type": "twosided", "bsdf": {"type": "principled", "specular": 0.6}},
            },
            "sky": {"type": "constant"},
        }
    )
    image = np.array(mi.render(scene, spp=2, seed=1), dtype=np.float32)[..., :3]
    clean = np.asarray(mitsuba_oidn.denoise(image, hdr=True))
    if not (np.isfinite(clean).all() and clean.mean() > 0.05):
        sys.exit("the picture is black or not finite")
    sys.stdout.write("probe: good\n")


if __name__ == "__main__":
    main(sys.argv[1])
