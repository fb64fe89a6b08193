"""How much a camera can hold on to: the texture gate for visual odometry."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def orb_per_megapixel(image: NDArray[Any]) -> float:
    """ORB keypoints (OpenCV's defaults, without a limit of number) per megapixel at 512 x 512.

    Args:
        image: uint8 (h, w) or (h, w, 3) sRGB; it is resized to 512 x 512.
    """
    import cv2

    grey = np.asarray(image)
    if grey.ndim == 3:
        grey = cv2.cvtColor(np.ascontiguousarray(grey[..., :3]), cv2.COLOR_RGB2GRAY)
    if grey.shape != (512, 512):
        grey = cv2.resize(grey, (512, 512), interpolation=cv2.INTER_AREA)
    return len(cv2.ORB_create(nfeatures=200_000).detect(grey, None)) / (512 * 512 / 1e6)
