"""Fourier transforms on the Tensor Engine."""
