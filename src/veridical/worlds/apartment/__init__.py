"""The apartment: a seeded generator of believable furnished homes."""

from veridical.worlds.apartment.generate import generate

__all__ = ["generate"]
