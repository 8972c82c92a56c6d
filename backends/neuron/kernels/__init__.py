"""The kernels that programs are made of: plain functions that emit instructions."""
