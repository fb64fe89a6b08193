"""The quadrotor's autopilot: position, attitude and rate in cascade, mixing, rotor lag.

Attitude error on SO(3) after Lee, Leok, McClamroch, Geometric Tracking Control of a Quadrotor UAV on
SE(3) (2010); drag is fed forward after Faessler et al. (2018). Plain floats throughout: at one
call a step the time of small numpy arrays would be that of the physics.
"""

from __future__ import annotations

import math

import mujoco

from veridical.robots import quadrotor
from veridical.robots.progress import Progress
from veridical.robots.quadrotor import DRAG, ROTOR, ROTORS
from veridical.robots.reference import Reference

CONTROL_HZ = 200.0
_KP = (3.2, 3.2, 6.0)  # 1/s^2
_KV = (3.2, 3.2, 4.5)  # 1/s
_KI = (0.5, 0.5, 1.0)  # 1/s^3
_INTEGRAL_LIMIT = 1.5  # m/s^2
_INTEGRAL_NEAR_M = 0.1
_FAR_M = 0.3
"""Beyond this error the integral waits: it is for steady loads and not for steps."""
_K_TILT = 9.0  # 1/s
_K_YAW = 4.0  # 1/s
_K_RATE = (22.0, 22.0, 10.0)  # 1/s
_MAX_SLOPE = math.tan(math.radians(35.0))
_MAX_RATE = (6.0, 6.0, 2.0)  # rad/s
_MAX_CLIMB = 6.0  # m/s^2, either way, on top of gravity

_NAMES = ("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "yaw", "yaw_rate")


class QuadrotorPilot:
    """Tracks a reference with four rotors."""

    setpoint_names: tuple[str, ...] = _NAMES
    slides = False

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, name: str, reference: Reference, start_step: int
    ) -> None:
        joint = model.joint(f"{name}/free")
        self._qpos = data.qpos[joint.qposadr[0] : joint.qposadr[0] + 7]
        self._qvel = data.qvel[joint.dofadr[0] : joint.dofadr[0] + 6]
        first = model.actuator(f"{name}/{ROTORS[0][0]}").id
        self._ctrl = data.ctrl[first : first + 4]
        self._reference = reference
        self._dt = float(model.opt.timestep)
        self._every = max(round(1.0 / (CONTROL_HZ * self._dt)), 1)
        self._start = start_step
        self._decay = ROTOR.decay(self._dt)
        self._mass = float(model.body(f"{name}/base").mass[0])
        self._inertia = quadrotor.inertia(self._mass)
        self._gravity = -float(model.opt.gravity[2])
        hover = ROTOR.speed_for(self._mass * self._gravity / 4.0)
        self._speed = [hover] * 4
        self._command = [hover] * 4
        self._integral = [0.0, 0.0, 0.0]
        self._progress = Progress()
        self.setpoint = reference.at(0.0)

    def update(self, step: int) -> None:
        """Sets the four thrusts for the step; the cascade runs at `CONTROL_HZ`."""
        if (step - self._start) % self._every == 0:
            self.setpoint = self._reference.at(step * self._dt)
            self._control()
        speed, command, decay = self._speed, self._command, self._decay
        kf = _KF
        thrusts = [0.0, 0.0, 0.0, 0.0]
        for i in (0, 1, 2, 3):
            w = speed[i]
            thrusts[i] = kf * w * w
            speed[i] = command[i] + (w - command[i]) * decay
        self._ctrl[:] = thrusts

    def memory(self) -> list[float]:
        """Rotor speeds and commands, integrals, idle time, set-point."""
        return [*self._speed, *self._command, *self._integral, *self._progress.memory(), *self.setpoint]

    def restore(self, memory: list[float]) -> None:
        """Goes back to a `memory`."""
        self._speed, self._command = memory[:4], memory[4:8]
        self._integral, self.setpoint = memory[8:11], memory[15:]
        self._progress.restore(memory[11:15])

    def trouble(self) -> str | None:
        """Far from its set-point without getting anywhere, for seconds."""
        return self._progress.trouble()

    def set_joint_target(self, joint: str, value: float) -> bool:  # noqa: ARG002
        """A quadrotor has no driven joints."""
        return False

    def _control(self) -> None:
        px, py, pz, qw, qx, qy, qz = self._qpos.tolist()
        vx, vy, vz, wx, wy, wz = self._qvel.tolist()
        ref = self.setpoint
        dt = self._dt * self._every
        R = (
            (1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qw * qz), 2 * (qx * qz + qw * qy)),
            (2 * (qx * qy + qw * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qw * qx)),
            (2 * (qx * qz - qw * qy), 2 * (qy * qz + qw * qx), 1 - 2 * (qx * qx + qy * qy)),
        )
        error = (ref[0] - px, ref[1] - py, ref[2] - pz)
        self._progress.watch((px, py, pz), ref[:3], dt)
        force = self._wanted_force(error, (vx, vy, vz), R)
        bx, by, bz = R[0][2], R[1][2], R[2][2]
        thrust = force[0] * bx + force[1] * by + force[2] * bz
        rate = self._wanted_rate(force, ref[9], ref[10], R)
        ix, iy, iz = self._inertia
        torque = (
            ix * _K_RATE[0] * (rate[0] - wx) + (iz - iy) * wy * wz,
            iy * _K_RATE[1] * (rate[1] - wy) + (ix - iz) * wz * wx,
            iz * _K_RATE[2] * (rate[2] - wz) + (iy - ix) * wx * wy,
        )
        self._command = [math.sqrt(f / _KF) for f in mix(thrust, torque)]

    def _wanted_force(
        self,
        error: tuple[float, float, float],
        v: tuple[float, float, float],
        R: tuple[tuple[float, float, float], ...],
    ) -> tuple[float, float, float]:
        ref, dt = self.setpoint, self._dt * self._every
        acceleration = [0.0, 0.0, 0.0]
        for i in (0, 1, 2):
            near = min(max(error[i], -_INTEGRAL_NEAR_M), _INTEGRAL_NEAR_M) if abs(error[i]) < _FAR_M else 0.0
            grown = self._integral[i] + _KI[i] * near * dt
            self._integral[i] = min(max(grown, -_INTEGRAL_LIMIT), _INTEGRAL_LIMIT)
            acceleration[i] = (
                ref[6 + i] + _KP[i] * error[i] + _KV[i] * (ref[3 + i] - v[i]) + self._integral[i]
            )
        rx, ry, rz = R
        vx, vy, vz = ref[3:6]
        along = (
            DRAG[0] * (rx[0] * vx + ry[0] * vy + rz[0] * vz),
            DRAG[1] * (rx[1] * vx + ry[1] * vy + rz[1] * vz),
            DRAG[2] * (rx[2] * vx + ry[2] * vy + rz[2] * vz),
        )
        drag = [r[0] * along[0] + r[1] * along[1] + r[2] * along[2] for r in R]
        m = self._mass
        climb = min(max(acceleration[2], -_MAX_CLIMB), _MAX_CLIMB)
        fz = max(m * (climb + self._gravity) + drag[2], 0.2 * m * self._gravity)
        fx, fy = m * acceleration[0] + drag[0], m * acceleration[1] + drag[1]
        level, most = math.hypot(fx, fy), fz * _MAX_SLOPE
        if level > most:
            fx, fy = fx * most / level, fy * most / level
        return fx, fy, fz

    def _wanted_rate(
        self,
        force: tuple[float, float, float],
        yaw: float,
        yaw_rate: float,
        R: tuple[tuple[float, float, float], ...],
    ) -> tuple[float, float, float]:
        norm = math.sqrt(force[0] ** 2 + force[1] ** 2 + force[2] ** 2)
        zx, zy, zz = force[0] / norm, force[1] / norm, force[2] / norm
        cx, cy = math.cos(yaw), math.sin(yaw)
        yx, yy, yz = -zz * cy, zz * cx, zx * cy - zy * cx  # z cross (cos, sin, 0)
        length = math.sqrt(yx * yx + yy * yy + yz * yz)
        yx, yy, yz = yx / length, yy / length, yz / length
        xx, xy, xz = yy * zz - yz * zy, yz * zx - yx * zz, yx * zy - yy * zx
        (a, b, c), (d, e, f), (g, h, k) = R
        about_x = 0.5 * ((zx * b + zy * e + zz * h) - (yx * c + yy * f + yz * k))
        about_y = 0.5 * ((xx * c + xy * f + xz * k) - (zx * a + zy * d + zz * g))
        about_z = 0.5 * ((yx * a + yy * d + yz * g) - (xx * b + xy * e + xz * h))
        most_x, most_y, most_z = _MAX_RATE
        return (
            min(max(g * yaw_rate - _K_TILT * about_x, -most_x), most_x),
            min(max(h * yaw_rate - _K_TILT * about_y, -most_y), most_y),
            min(max(k * yaw_rate - _K_YAW * about_z, -most_z), most_z),
        )


_KF, _MOST = ROTOR.kf, ROTOR.max_thrust
_PER_ROLL, _PER_PITCH = 0.25 / ROTORS[0][2], 0.25 / ROTORS[0][1]
_PER_YAW = 0.25 / ROTOR.torque_per_thrust


def mix(thrust: float, torque: tuple[float, float, float]) -> list[float]:
    """Rotor thrusts in newtons, in the order of `ROTORS`, for a thrust (N) and torques (N m).

    Where rotors saturate, yaw gives way first, then roll and pitch together, then the thrust.
    """
    most = _MOST
    roll, pitch, yaw = torque[0] * _PER_ROLL, torque[1] * _PER_PITCH, torque[2] * _PER_YAW
    peak = abs(roll) + abs(pitch)
    if peak > 0.45 * most:
        shrink = 0.45 * most / peak
        roll, pitch, peak = roll * shrink, pitch * shrink, 0.45 * most
    base = min(max(0.25 * thrust, peak), most - peak)
    room = max(min(base, most - base) - peak, 0.0)
    twist = abs(yaw)
    if twist > room:
        yaw *= room / twist
    wanted = (
        base + roll - pitch - yaw,
        base - roll - pitch + yaw,
        base + roll + pitch + yaw,
        base - roll + pitch - yaw,
    )
    return [min(max(f, 0.0), most) for f in wanted]
