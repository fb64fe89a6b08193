"""The scenario file: schema, loading with overrides, presets."""

from veridical.scenario.load import altered, load, loads, presets, scenario_hash, to_yaml
from veridical.scenario.schema import Scenario

__all__ = ["Scenario", "altered", "load", "loads", "presets", "scenario_hash", "to_yaml"]
