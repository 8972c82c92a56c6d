"""The instruction set of the NKI simulator as a table of small kernels with references of their own."""
