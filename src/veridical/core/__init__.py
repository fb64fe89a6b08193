"""Geometry, cameras, clock, random streams, errors, content hashes and caches; numpy only."""
