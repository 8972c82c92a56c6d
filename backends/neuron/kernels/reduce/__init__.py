"""Reductions and scans: of tiles along the free axis, of tensors in HBM, and running ones along rows."""
