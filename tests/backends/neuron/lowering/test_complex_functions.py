"""Complex functions on the device: within 8 u of the modulus, and special values as the host engine has them."""

import numpy as np
import pytest

import trnarray as xp

FUNCTIONS = [
    "exp", "log", "log2", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh",
    "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh",
]  # fmt: skip
U = 2.0**-24
TINY = float(np.finfo(np.float32).tiny)


def on_device(name, z, namespace=np):
    with xp.config(fallback="error"):
        return np.asarray(getattr(namespace, name)(xp.asarray(z, device="sim:trn2")).to_device("cpu"))


@np.errstate(all="ignore")
def numbers():
    """Around 0, 1 and the unit circle, of all sizes, and where results are as large as they can be."""
    rng = np.random.default_rng(0)
    angle = np.exp(2j * np.pi * rng.random(2000))
    sizes = np.exp2(rng.uniform(-120, 120, 2000)) * angle
    near = 1 + 1e-3 * (rng.standard_normal(1000) + 1j * rng.standard_normal(1000))
    small = rng.uniform(-5, 5, 2000) + 1j * rng.uniform(-5, 5, 2000)
    large = rng.uniform(-89, 89, 1000) + 1j * rng.uniform(-30, 30, 1000)
    return np.concatenate([angle * (1 + 1e-4 * rng.standard_normal(2000)), sizes, near, small, large, large * 1j]).astype(np.complex64)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_within_the_bound(name):
    z = numbers()
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(z.astype(np.complex128))
        finite = np.isfinite(exact) & (np.maximum(np.abs(exact.real), np.abs(exact.imag)) < 3.4e38)
        found = on_device(name, z).astype(np.complex128)
        error = np.abs(found - exact) / np.maximum(np.abs(exact), TINY)
    assert error[finite].max() <= 8 * U


@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values(name):
    parts = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan], np.float32)
    z = (parts[:, None] + np.zeros(7, np.float32)).astype(np.complex64)
    z.imag = parts
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(z)
    if name == "arccosh":  # of which NumPy has what the C library gives; this is C's and the standard's
        expected[(z.real == 0) & np.isnan(z.imag)] = complex(np.nan, np.pi / 2)
    found = on_device(name, z)
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        open_sign = np.isinf(one) & np.isinf(other) & ~(np.isfinite(z.real) | np.isfinite(z.imag))
        np.testing.assert_allclose(np.where(open_sign, np.inf, one), np.where(open_sign, np.inf, other), rtol=2.0**-21, atol=2.0**-24)


STANDARD = ["expm1", "log1p", "sign", "tanh", "arccosh"]


@pytest.mark.parametrize("name", STANDARD)
def test_where_the_standard_asks_for_more_than_numpy_gives(name):
    """Within 8 u of the host engine's in twice the precision; its special values, but signs of infinities and zeros that C leaves open."""
    z = numbers()[::3]
    z = np.concatenate([z, z * np.complex64(1e-3), z - np.complex64(2)])
    with np.errstate(all="ignore"):
        exact = np.asarray(getattr(xp, name)(xp.asarray(z.astype(np.complex128), device="cpu")))
        finite = np.isfinite(exact) & (np.maximum(np.abs(exact.real), np.abs(exact.imag)) < 3.4e38)
        found = on_device(name, z, xp)
        error = np.abs(found.astype(np.complex128) - exact) / np.maximum(np.abs(exact), TINY)
    assert error[finite].max() <= 8 * U
    parts = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 3.3e38], np.float32)
    z = np.empty((8, 8), np.complex64)
    z.real, z.imag = parts[:, None], parts
    with np.errstate(all="ignore"):
        expected = np.asarray(getattr(xp, name)(xp.asarray(z, device="cpu")))
    found = on_device(name, z, xp)
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        np.testing.assert_allclose(one, other, rtol=2.0**-21, atol=0)
        known = np.isfinite(z.real) | np.isfinite(z.imag)
        np.testing.assert_array_equal(np.signbit(one)[known & (one == 0)], np.signbit(other)[known & (one == 0)])


def test_powers_of_2_are_of_the_rounded_product():
    z = numbers()[::3]
    z = z[np.abs(z) < 1e4]
    factor = np.float32(np.log(2))
    with np.errstate(all="ignore"):
        exact = np.exp((z.real * factor).astype(np.float64) + 1j * (z.imag * factor).astype(np.float64))
        finite = np.abs(exact) < 3.4e38
        error = np.abs(on_device("exp2", z).astype(np.complex128) - exact) / np.maximum(np.abs(exact), TINY)
    assert error[finite].max() <= 8 * U


def test_rounding():
    x = np.array([0.5, -0.5, 1.5, -0.0, np.inf, np.nan, 2.0**30, -2.5], np.float32)
    z = np.empty((8, 8), np.complex64)
    z.real, z.imag = x[:, None], x
    np.testing.assert_array_equal(on_device("rint", z).view(np.float32), np.rint(z).view(np.float32))
