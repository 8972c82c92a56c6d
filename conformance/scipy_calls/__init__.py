"""Calls of the public functions of scipy.linalg, signal, special, fft and sparse that are ours, too, on small operands."""
