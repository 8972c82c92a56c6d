"""Calls of the public functions of scipy.linalg, signal, special and fft that are ours, too, on small operands."""
