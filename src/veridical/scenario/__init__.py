"""The scenario file: schema, loading with overrides, presets."""

from veridical.scenario.load import load, loads, presets, scenario_hash, to_yaml
from veridical.scenario.schema import Scenario

__all__ = ["Scenario", "load", "loads", "presets", "scenario_hash", "to_yaml"]
