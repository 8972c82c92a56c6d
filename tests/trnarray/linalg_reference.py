"""Matrices to compute with, and results as ndarrays."""

import numpy as np


def host(x):
    return np.asarray(x)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def matrices(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    return a.astype(dtype)


def positive(shape, dtype):
    a = matrices(shape, dtype)
    return (a @ adjoint(a) + np.eye(shape[-1])).astype(dtype)
