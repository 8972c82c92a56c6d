"""A Trainium array type that behaves like a NumPy array."""

__version__ = "0.1.0.dev0"
