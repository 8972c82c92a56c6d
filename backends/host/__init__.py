"""The host engine: NumPy and SciPy, eager, zero-copy; the reference for every other engine."""
