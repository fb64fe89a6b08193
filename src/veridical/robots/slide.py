"""Waypoints without physics: the robot is put where the reference is, with the velocity of it."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from veridical.robots import omni
from veridical.robots.reference import Reference


class SlidePilot:
    """Sets qpos and qvel of a robot to a level pose on the reference, so that an IMU on it stays right."""

    setpoint_names: tuple[str, ...] = ("x", "y", "z", "yaw")
    slides = True

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, name: str, kind: str, reference: Reference
    ) -> None:
        self._reference, self._kind = reference, kind
        self._dt = float(model.opt.timestep)
        first = model.joint(f"{name}/free" if kind == "quadrotor" else f"{name}/x")
        joints = [j for j in range(model.njnt) if model.joint(j).name.startswith(f"{name}/")]
        q, v, n = int(first.qposadr[0]), int(first.dofadr[0]), len(joints)
        self._qpos = data.qpos[q : q + (7 if kind == "quadrotor" else n)]
        self._qvel = data.qvel[v : v + (6 if kind == "quadrotor" else n)]
        self._wheels = [0.0, 0.0, 0.0]
        self._last = -math.inf
        self.setpoint = [0.0] * 4

    def update(self, step: int) -> None:
        """Puts the robot where it is at this grid index."""
        t = step * self._dt
        x, y, z, vx, vy, vz, _, _, _, yaw, rate = self._reference.at(t)
        self.setpoint = [x, y, z, yaw]
        if self._kind == "quadrotor":
            self._qpos[:] = (x, y, z, math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
            self._qvel[:] = (vx, vy, vz, 0.0, 0.0, rate)
        elif self._kind == "omni":
            self._roll_wheels(t, vx, vy, yaw, rate)
            self._qpos[:3], self._qvel[:3] = (x, y, yaw), (vx, vy, rate)
        else:
            self._qpos[:], self._qvel[:] = (x, y, z, yaw, 0.0, 0.0), (vx, vy, vz, rate, 0.0, 0.0)

    def memory(self) -> list[float]:
        """Wheel angles and the time they belong to."""
        return [*self._wheels, self._last]

    def restore(self, memory: list[float]) -> None:
        """Goes back to a `memory`."""
        self._wheels, self._last = memory[:3], memory[3]

    def trouble(self) -> str | None:
        """Never: nothing holds it up."""
        return None

    def set_joint_target(self, joint: str, value: float) -> bool:  # noqa: ARG002
        """A slide takes no commands."""
        return False

    def _roll_wheels(self, t: float, vx: float, vy: float, yaw: float, rate: float) -> None:
        c, s = math.cos(yaw), math.sin(yaw)
        speeds = omni.wheel_speeds(c * vx + s * vy, c * vy - s * vx, rate)
        if t > self._last and self._last > -1e9:
            self._wheels = [w + v * self._dt for w, v in zip(self._wheels, speeds, strict=True)]
        self._last = t
        self._qpos[3:] = np.array([*self._wheels, 0.0])
        self._qvel[3:] = np.array([*speeds, 0.0])
