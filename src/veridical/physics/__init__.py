"""Forces on bodies: rotors and the air around them."""

from veridical.physics.rotor import Rotor

__all__ = ["Rotor"]
