"""Arms, motors, propellers and legs of flying robots."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from veridical.core.geometry import Array
from veridical.robots import meshes

BLADE_M = 0.1
_BELL = ((0.004, -0.012), (0.013, -0.012), (0.0145, -0.009), (0.0145, 0.006), (0.012, 0.01), (0.004, 0.011))
_NUT = ((0.001, 0.0), (0.006, 0.0), (0.0055, 0.005), (0.001, 0.008))
_POD = ((0.004, -0.018), (0.014, -0.014), (0.0165, -0.005), (0.0165, 0.003), (0.004, 0.004))
_PAD = ((0.001, -0.006), (0.006, -0.006), (0.009, 0.0), (0.006, 0.006), (0.001, 0.006))


class RotorLook:
    """Adds the visible parts of rotors; equal parts share one mesh."""

    def __init__(self, spec: mujoco.MjSpec) -> None:
        self._spec = spec
        self._motor = meshes.lathe(spec, "motor", _BELL)
        self._nut = meshes.lathe(spec, "nut", _NUT)
        self._pod = meshes.lathe(spec, "pod", _POD)
        self._pad = meshes.lathe(spec, "pad", _PAD)
        self._blades = {s: _blade(spec, f"blade_{n}", s) for n, s in (("ccw", 1.0), ("cw", -1.0))}

    def add(
        self, body: mujoco.MjsBody, name: str, root: Array, rotor: Array, *, spin: float, angle: float
    ) -> Array:
        """An arm from `root` to below a rotor, with motor and a two-bladed propeller.

        Args:
            body: What they belong to.
            name: Of the rotor, unique in the robot.
            root: Where the arm leaves the fuselage, (3,) metres in the body's frame.
            rotor: Centre of the propeller, (3,).
            spin: 1 if it turns counter-clockwise seen from above, else -1.
            angle: At which the blades stand still in pictures, rad.

        Returns:
            The arm's tip, (3,).
        """
        tip = rotor - [0, 0, 0.018]
        top = np.add(rotor, (0, 0, 0.006)).tolist()
        s = np.linspace(0, 1, 7)[:, None]
        path = root + s * (tip - root) + np.array([0, 0, 0.012]) * np.sin(np.pi * s)
        sections = [meshes.superellipse(w, 0.55 * w, 2.6, 20) for w in np.linspace(0.017, 0.0105, 7)]
        arm = meshes.loft(self._spec, f"arm_{name}", meshes.along(path, sections))
        meshes.visual(body, arm, "shell")
        meshes.visual(body, self._pod, "trim", pos=(tip - [0, 0, 0.002]).tolist())
        meshes.visual(body, self._motor, "metal", pos=(rotor - [0, 0, 0.006]).tolist())
        meshes.visual(body, self._nut, "trim", pos=top)
        for half in (0.0, math.pi):
            turn = [math.cos((angle + half) / 2), 0, 0, math.sin((angle + half) / 2)]
            meshes.visual(body, self._blades[spin], "carbon", pos=top, quat=turn)
        return np.asarray(tip)

    def add_leg(self, body: mujoco.MjsBody, name: str, top: Array, foot: Array) -> None:
        """A landing leg from `top` down to `foot`, both (3,)."""
        path = np.linspace(top, foot, 5)
        sections = [meshes.superellipse(w, 0.6 * w, 2.2, 16) for w in (0.008, 0.007, 0.006, 0.006, 0.0075)]
        leg = meshes.loft(self._spec, f"leg_{name}", meshes.along(path, sections, up=(1.0, 0.0, 0.0)))
        meshes.visual(body, leg, "shell")
        meshes.visual(body, self._pad, "rubber", pos=foot.tolist())


def _blade(spec: mujoco.MjSpec, name: str, spin: float) -> str:
    """A twisted blade along x; the pitch falls from 24 degrees at the hub to 9 at the tip."""
    x = np.array([0.004, 0.012, 0.025, 0.045, 0.07, 0.09, 0.099])
    chord = np.array([0.004, 0.006, 0.0105, 0.0115, 0.009, 0.006, 0.002])
    pitch = spin * np.radians(np.linspace(24, 9, 7))
    rings = []
    for xi, c, a in zip(x, chord, pitch, strict=True):
        section = meshes.superellipse(c, 0.0011, 2.0, 14)
        u = section[:, 0] * math.cos(a) - section[:, 1] * math.sin(a)
        v = section[:, 0] * math.sin(a) + section[:, 1] * math.cos(a)
        rings.append(np.column_stack([np.full(len(u), xi), u, v]))
    return meshes.loft(spec, name, np.array(rings))
