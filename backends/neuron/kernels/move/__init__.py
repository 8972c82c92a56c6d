"""Kernels that move elements bit for bit: permutations of axes, reversal, gather, scatter, compression."""
