"""Decompositions of tensors: one module for each, made of the main namespace's functions alone."""
