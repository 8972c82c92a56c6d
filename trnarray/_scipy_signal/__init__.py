"""scipy.signal's functions on Arrays, by concept."""
