"""Kernels of sparse products."""
