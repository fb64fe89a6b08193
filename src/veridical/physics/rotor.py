"""A fixed-pitch rotor on a brushless motor.

Thrust kf w^2 along the axis and reaction torque km w^2 about it; the speed follows its command with
one time constant. Source: Mahony, Kumar, Corke, Multirotor Aerial Vehicles (2012), eqs. 8 and 9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Rotor:
    """Constants of one rotor.

    Attributes:
        kf: Thrust over squared speed, N s^2.
        km: Reaction torque over squared speed, N m s^2.
        time_constant_s: Of the speed's first-order lag.
        max_speed: rad/s.
    """

    kf: float
    km: float
    time_constant_s: float
    max_speed: float

    @property
    def max_thrust(self) -> float:
        """Newtons at full speed."""
        return self.kf * self.max_speed**2

    @property
    def torque_per_thrust(self) -> float:
        """km / kf, metres."""
        return self.km / self.kf

    def thrust(self, speed: float) -> float:
        """Thrust in newtons at a speed in rad/s."""
        return self.kf * speed * speed

    def speed_for(self, thrust: float) -> float:
        """Speed in rad/s that gives a thrust in newtons, within what the rotor can do."""
        return math.sqrt(min(max(thrust, 0.0), self.max_thrust) / self.kf)

    def decay(self, dt_s: float) -> float:
        """Fraction of the distance to a held command that is left after dt_s: exact for any step."""
        return math.exp(-dt_s / self.time_constant_s)
