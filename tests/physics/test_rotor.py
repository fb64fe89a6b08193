import pytest

from veridical.physics import Rotor

ROTOR = Rotor(kf=2e-6, km=3e-8, time_constant_s=0.05, max_speed=1000.0)


def test_thrust_and_speed_are_inverse_within_the_range():
    assert ROTOR.max_thrust == pytest.approx(2.0)
    assert ROTOR.thrust(ROTOR.speed_for(1.3)) == pytest.approx(1.3)
    assert ROTOR.speed_for(5.0) == pytest.approx(1000.0)
    assert ROTOR.speed_for(-1.0) == 0.0
