"""Writes to parts of complex numbers, and through the flat iterator, on the device beside the host engine."""

import numpy as np
import pytest

from .beside_host import assert_same, samples

COMPLEX64 = np.dtype(np.complex64)


@pytest.mark.parametrize("view", ["contiguous", "transposed", "reversed", "strided"])
def test_writes_parts(view):
    def call(z, x):
        z.real = 7
        z[0].imag = x
        z[1:].real = z[1:].imag
        return z

    assert_same(call, samples((3, 4), COMPLEX64), samples((4,), np.dtype(np.float32)), views=(view,))


@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8", "complex64"])
def test_reads_and_writes_flat(dtype):
    def call(x, y):
        found = [x.flat[4], x.flat[1:9:2], x.T.flat[2]]
        x.flat[3] = y[1]
        x.flat[::3] = 1
        x.flat[1:4] = y[:3]
        return *found, x

    dtype = np.dtype(dtype)
    assert_same(call, samples((3, 4), dtype), samples((4,), dtype, 1))
