"""Angles, writes to parts of complex numbers, and through the flat iterator, on the device beside the host engine."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import U, assert_near, assert_same, samples

COMPLEX64 = np.dtype(np.complex64)


@pytest.mark.parametrize("dtype", ["complex64", "float32"])
@pytest.mark.parametrize("degrees", [False, True])
def test_angles(dtype, degrees):
    bound = 8 * U * (180 if degrees else np.pi)  # of the arc tangent, and of the product with a rounded factor
    assert_near(lambda z: xp.angle(z, degrees), bound, samples((3, 5), np.dtype(dtype), special=False))


def test_angles_of_integers_are_float32():
    assert float(xp.angle(xp.asarray(np.int8(-3), device="sim:trn2"))) == np.float32(np.pi)


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
        x.flat[[5, 0]] = y[1:3]
        x.flat[xp.asarray([7, 9], device=x.device)] = y[:2]
        x.flat[xp.asarray([10, 11], device=x.device)] = 0
        return *found, x

    dtype = np.dtype(dtype)
    assert_same(call, samples((3, 4), dtype), samples((4,), dtype, 1))
