"""One scenario file becomes a simulated robot experiment with perfect ground truth."""

__version__ = "0.1.0"
