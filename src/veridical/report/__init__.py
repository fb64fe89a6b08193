"""One HTML file that tells what was recorded, how well a method did, and that the data can be trusted."""

from veridical.report.page import report

__all__ = ["report"]
