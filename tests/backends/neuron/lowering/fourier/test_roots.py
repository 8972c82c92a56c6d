"""Roots of unity beside a reference of 64 bits, and what their symmetry gives."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron.lowering.fourier import roots

PI = np.longdouble("3.14159265358979323846264338327950288")


@pytest.mark.parametrize("n", [1, 2, 3, 8, 12, 256, 997, 1000])
def test_roots_of_unity(n):
    """Three roundings of an angle of up to 1, and one of the result; mirror images are equal."""
    exponents = np.arange(n + 1)
    found, angle = roots.powers(n, exponents), 2 * PI * exponents.astype(np.longdouble) / n
    assert np.abs(found.real - np.cos(angle)).max() <= 2 * 2.0**-53
    assert np.abs(found.imag + np.sin(angle)).max() <= 2 * 2.0**-53
    np.testing.assert_array_equal(found.conj(), found[::-1])
    if n % 4 == 0:
        quarter = found[: n // 4 + 1]
        np.testing.assert_array_equal(quarter.real, -quarter.imag[::-1])
        np.testing.assert_array_equal(found[: n // 2], -found[n // 2 : n])


def test_what_cancels_exactly_is_zero():
    """Every second number of the transform of a signal that repeats after half of it, in float64."""
    x = np.tile(np.random.default_rng(1).standard_normal(64), 2)
    found = np.asarray(scipy.fft.fft(xp.asarray(x + 0j, device="sim:trn2")).to_device("cpu"))
    np.testing.assert_array_equal(found[1::2], 0.0)
    np.testing.assert_allclose(found[::2], scipy.fft.fft(x)[::2], rtol=0, atol=8 * 2.0**-53 * np.abs(x).sum())
