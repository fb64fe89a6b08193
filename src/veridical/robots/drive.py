"""The ground robot's autopilot: base twist within the wheels' limits, and a camera that looks ahead."""

from __future__ import annotations

import math

import mujoco

from veridical.robots import omni
from veridical.robots.progress import Progress
from veridical.robots.reference import Reference

CONTROL_HZ = 200.0
_KP = 2.5  # 1/s
_KP_YAW = 3.0  # 1/s
_BASE_FOLLOWS = 0.7
"""1/s: the base turns after the camera with this rate, the pan joint makes up the difference."""
_NAMES = ("x", "y", "yaw", "pan", "vx", "vy", "yaw_rate")
_TARGETS = ("x", "y", "yaw", "pan")


class OmniPilot:
    """Tracks a reference whose yaw is that of the camera."""

    setpoint_names: tuple[str, ...] = _NAMES
    slides = False

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, name: str, reference: Reference, start_step: int
    ) -> None:
        q = model.joint(f"{name}/x").qposadr[0]
        u = model.actuator(f"{name}/x").id
        self._qpos = data.qpos[q : q + 3]
        self._ctrl = data.ctrl[u : u + 7]
        self._reference = reference
        self._dt = float(model.opt.timestep)
        self._every = max(round(1.0 / (CONTROL_HZ * self._dt)), 1)
        self._start = start_step
        self._base_yaw = reference.yaw
        self._progress = Progress()
        self._given: list[float] = []
        self.setpoint = [0.0] * len(_NAMES)
        self._aim(0.0, 0.0)

    def update(self, step: int) -> None:
        """Sets velocities of base and wheels, and the pan angle."""
        if (step - self._start) % self._every:
            return
        dt = self._dt * self._every
        if self._given:
            self.setpoint[:4] = self._given
            self.setpoint[4:] = (0.0, 0.0, 0.0)
        else:
            self._aim(step * self._dt, dt)
        x, y, yaw = self._qpos.tolist()
        sx, sy, syaw, span, svx, svy, srate = self.setpoint
        self._progress.watch((x, y, 0.0), (sx, sy, 0.0), dt)
        wx, wy = svx + _KP * (sx - x), svy + _KP * (sy - y)
        c, s = math.cos(yaw), math.sin(yaw)
        wanted = omni.wheel_speeds(c * wx + s * wy, c * wy - s * wx, srate + _KP_YAW * (syaw - yaw))
        wheels = omni.within_limits(wanted)
        bx, by, rate = omni.twist(wheels)
        self._ctrl[:] = (c * bx - s * by, s * bx + c * by, rate, *wheels, span)

    def memory(self) -> list[float]:
        """Yaw of the base, idle time, commanded targets, set-point."""
        return [self._base_yaw, *self._progress.memory(), *self.setpoint, *self._given]

    def restore(self, memory: list[float]) -> None:
        """Goes back to a `memory`."""
        n = 5 + len(_NAMES)
        self._base_yaw = memory[0]
        self._progress.restore(memory[1:5])
        self.setpoint, self._given = memory[5:n], memory[n:]

    def trouble(self) -> str | None:
        """Far from its set-point without getting anywhere, for seconds."""
        return self._progress.trouble()

    def set_joint_target(self, joint: str, value: float) -> bool:
        """Commands x, y (m), yaw or pan (rad); the mission's reference is left."""
        if joint not in _TARGETS:
            return False
        self._given = self._given or self.setpoint[:4]
        self._given[_TARGETS.index(joint)] = value
        return True

    def _aim(self, t_s: float, dt: float) -> None:
        x, y, _, vx, vy, _, _, _, _, view, _ = self._reference.at(t_s)
        rate = _BASE_FOLLOWS * (view - self._base_yaw)
        self._base_yaw += rate * dt
        self.setpoint[:] = (x, y, self._base_yaw, view - self._base_yaw, vx, vy, rate)
