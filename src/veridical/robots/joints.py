"""Pilots at joint level: GRADE's PID flyer, and any robot file held by its actuators."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from veridical.robots import flyer
from veridical.robots.flyer import GAIN_D, GAIN_I, GAIN_P, JOINTS, MAX_TILT_RAD, VELOCITY_LIMITS
from veridical.robots.progress import Progress
from veridical.robots.reference import Reference

_PID_HZ = 100.0
_HOLD_HZ = 500.0
_HOLD_RAD_S = 30.0
"""Natural frequency of the PD that holds a joint with a plain motor."""
_HOLD_DAMPING = 0.7


class FlyerPilot:
    """Positions of six joints by PID with velocity feed-forward, within the joints' limits."""

    setpoint_names = JOINTS + tuple(f"{j}_velocity" for j in JOINTS)
    slides = False

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, name: str, reference: Reference, start_step: int
    ) -> None:
        q = model.joint(f"{name}/x").qposadr[0]
        u = model.actuator(f"{name}/x").id
        self._qpos = data.qpos[q : q + 6]
        self._ctrl = data.ctrl[u : u + 6]
        self._reference = reference
        self._dt = float(model.opt.timestep)
        self._every = max(round(1.0 / (_PID_HZ * self._dt)), 1)
        self._start = start_step
        self._integral = [0.0] * 6
        self._last = [0.0] * 6
        self._progress = Progress()
        self._given: list[float] = []
        self.setpoint = [0.0] * 12
        self._aim(0.0)

    def update(self, step: int) -> None:
        """Sets six velocities."""
        if (step - self._start) % self._every:
            return
        dt = self._dt * self._every
        if self._given:
            self.setpoint[:6] = self._given
            self.setpoint[6:] = [0.0] * 6
        else:
            self._aim(step * self._dt)
        q, target = self._qpos.tolist(), self.setpoint
        self._progress.watch(q[:3], target[:3], dt)
        command = [0.0] * 6
        for i, most in enumerate(VELOCITY_LIMITS):
            error = target[i] - q[i]
            grown = self._integral[i] + GAIN_I * error * dt
            grown = min(max(grown, -flyer.INTEGRAL_LIMIT), flyer.INTEGRAL_LIMIT)
            wanted = target[6 + i] + GAIN_P * error + grown + GAIN_D * (error - self._last[i]) / dt
            command[i] = min(max(wanted, -most), most)
            if command[i] == wanted or error * self._integral[i] < 0.0:  # no wind-up at the limit
                self._integral[i] = grown
            self._last[i] = error
        self._ctrl[:] = command

    def memory(self) -> list[float]:
        """Integrals, last errors, idle time, set-point, commanded targets."""
        return [*self._integral, *self._last, *self._progress.memory(), *self.setpoint, *self._given]

    def restore(self, memory: list[float]) -> None:
        """Goes back to a `memory`."""
        self._integral, self._last = memory[:6], memory[6:12]
        self._progress.restore(memory[12:16])
        self.setpoint, self._given = memory[16:28], memory[28:]

    def trouble(self) -> str | None:
        """Far from its set-point without getting anywhere, for seconds."""
        return self._progress.trouble()

    def set_joint_target(self, joint: str, value: float) -> bool:
        """Commands a joint (m or rad); the mission's reference is left."""
        if joint not in JOINTS:
            return False
        self._given = self._given or self.setpoint[:6]
        i = JOINTS.index(joint)
        self._given[i] = min(max(value, -MAX_TILT_RAD), MAX_TILT_RAD) if i > 3 else value
        return True

    def _aim(self, t_s: float) -> None:
        """Leans into accelerations as a multicopter does."""
        x, y, z, vx, vy, vz, ax, ay, _, yaw, rate = self._reference.at(t_s)
        c, s = math.cos(yaw), math.sin(yaw)
        pitch = math.atan2(c * ax + s * ay, 9.81)
        roll = math.atan2(s * ax - c * ay, 9.81)
        limit = 0.9 * MAX_TILT_RAD
        pitch, roll = min(max(pitch, -limit), limit), min(max(roll, -limit), limit)
        self.setpoint[:] = (x, y, z, yaw, pitch, roll, vx, vy, vz, rate, 0.0, 0.0)


class JointHold:
    """Holds every actuated joint of a robot file at a target, at first where it starts.

    Position servos get the target itself; velocity servos a command towards it; plain motors a PD
    scaled by the joint's inertia, with gravity at the start pose fed forward.
    """

    slides = False

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, name: str, start_step: int) -> None:
        drives = [
            _drive(model, u, name) for u in range(model.nu) if model.actuator(u).name.startswith(f"{name}/")
        ]
        self._drives = [d for d in drives if d is not None]
        self._q = np.array([d.qpos for d in self._drives], int)
        self._v = np.array([d.dof for d in self._drives], int)
        self._u = np.array([d.actuator for d in self._drives], int)
        self._kp = np.array([d.kp for d in self._drives])
        self._kd = np.array([d.kd for d in self._drives])
        self._kt = np.array([d.target for d in self._drives])
        self._data = data
        scratch = mujoco.MjData(model)
        scratch.qpos[:] = data.qpos
        mujoco.mj_forward(model, scratch)
        plain = np.array([d.is_motor for d in self._drives], bool)
        gear = np.array([d.gear for d in self._drives])
        self._feed = np.where(plain, scratch.qfrc_bias[self._v] / np.where(gear == 0, 1.0, gear), 0.0)
        self._every = max(round(1.0 / (_HOLD_HZ * float(model.opt.timestep))), 1)
        self._start = start_step
        self.setpoint_names = tuple(d.joint for d in self._drives)
        self.setpoint: list[float] = data.qpos[self._q].tolist()

    def update(self, step: int) -> None:
        """Sets the robot's ctrl."""
        if not len(self._u) or (step - self._start) % self._every:
            return
        target = np.array(self.setpoint)
        q, v = self._data.qpos[self._q], self._data.qvel[self._v]
        self._data.ctrl[self._u] = self._kt * target + self._kp * (target - q) - self._kd * v + self._feed

    def memory(self) -> list[float]:
        """The targets."""
        return list(self.setpoint)

    def restore(self, memory: list[float]) -> None:
        """Goes back to a `memory`."""
        self.setpoint = memory

    def trouble(self) -> str | None:
        """Never: it goes nowhere."""
        return None

    def set_joint_target(self, joint: str, value: float) -> bool:
        """Commands an actuated joint (m or rad)."""
        if joint not in self.setpoint_names:
            return False
        self.setpoint[self.setpoint_names.index(joint)] = value
        return True


class _Drive:
    """How one actuator is commanded: ctrl = target * q* + kp (q* - q) - kd q'."""

    def __init__(self, model: mujoco.MjModel, actuator: int, joint: int, robot: str) -> None:
        self.actuator = actuator
        self.joint = model.joint(joint).name.removeprefix(f"{robot}/")
        self.qpos, self.dof = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        self.gear = float(model.actuator_gear[actuator, 0])
        gain, bias = float(model.actuator_gainprm[actuator, 0]), model.actuator_biasprm[actuator]
        affine = model.actuator_biastype[actuator] == mujoco.mjtBias.mjBIAS_AFFINE
        self.target = self.kp = self.kd = 0.0
        self.is_motor = not affine
        if affine and bias[1] < 0:
            self.target = -float(bias[1]) / gain * self.gear
        elif affine:
            self.kp = 4.0
        else:
            inertia, scale = float(model.dof_M0[self.dof]), gain * self.gear or 1.0
            self.kp = inertia * _HOLD_RAD_S**2 / scale
            self.kd = 2 * _HOLD_DAMPING * inertia * _HOLD_RAD_S / scale


def _drive(model: mujoco.MjModel, actuator: int, robot: str) -> _Drive | None:
    kinds = (mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT)
    joint = int(model.actuator_trnid[actuator, 0])
    scalar = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
    if model.actuator_trntype[actuator] not in kinds or model.jnt_type[joint] not in scalar:
        return None
    return _Drive(model, actuator, joint, robot)
