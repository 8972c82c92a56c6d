"""Sorting rows of tensors in HBM."""
