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
    """Around 0, 1 and the unit circle, of all sizes, where results are largest, and at all distances from poles and branch points."""
    rng = np.random.default_rng(0)
    angle = np.exp(2j * np.pi * rng.random(2000))
    sizes = np.exp2(rng.uniform(-120, 120, 2000)) * angle
    near = 1 + 1e-3 * (rng.standard_normal(1000) + 1j * rng.standard_normal(1000))
    small = rng.uniform(-5, 5, 2000) + 1j * rng.uniform(-5, 5, 2000)
    large = rng.uniform(-89, 89, 1000) + 1j * rng.uniform(-30, 30, 1000)
    fixed = [angle * (1 + 1e-4 * rng.standard_normal(2000)), sizes, near, small, large, large * 1j]
    return np.concatenate([np.concatenate(fixed).astype(np.complex64), *(around(point, rng) for point in (0, 1, -1, 1j, -1j))])


def around(point, rng):
    """One part at each distance from that of the point, up to sign, beside the other at each; subnormal numbers among them."""
    scales = np.concatenate([[0.0], np.exp2(np.arange(-149.0, 128.0, 7.0))])
    distances = rng.uniform(1, 2, (2, len(scales), len(scales))) * rng.choice([-1, 1], (2, len(scales), len(scales)))
    z = np.empty((len(scales), len(scales)), np.complex64)
    z.real = np.real(point) + (distances[0] * scales[:, None]).astype(np.float32)
    z.imag = np.imag(point) + (distances[1] * scales).astype(np.float32)
    return z[np.isfinite(z)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_within_the_bound(name):
    z = numbers()
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(z.astype(np.complex128))
        finite = np.isfinite(exact) & (np.maximum(np.abs(exact.real), np.abs(exact.imag)) < 3.4e38)
        found = on_device(name, z).astype(np.complex128)
        error = np.abs(found - exact) / np.maximum(np.abs(exact), TINY)
    assert error[finite].max() <= 8 * U


def beside(*parts):
    """Make numbers with each of the parts as real and as imaginary part."""
    z = np.empty((len(parts), len(parts)), np.complex64)
    z.real, z.imag = np.array(parts, np.float32)[:, None], parts
    return z


def assert_signs(found, expected, z):
    """Zeros and infinities have the sign that NumPy gives, but where C leaves it open: beside NaN, and of numbers with no finite part."""
    known = (np.isfinite(z.real) | np.isfinite(z.imag)) & ~(np.isnan(expected.real) | np.isnan(expected.imag))
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        extreme = known & ((other == 0) | np.isinf(other))
        np.testing.assert_array_equal(np.signbit(one[extreme]), np.signbit(other[extreme]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values(name):
    z = beside(0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 4.0, -4.0, 30.0, np.inf, -np.inf, np.nan)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(z)
    if name == "arccosh":  # of which NumPy has what the C library gives; this is C's and the standard's
        expected[(z.real == 0) & np.isnan(z.imag)] = complex(np.nan, np.pi / 2)
    found = on_device(name, z)
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        open_sign = np.isinf(one) & np.isinf(other) & ~(np.isfinite(z.real) | np.isfinite(z.imag))
        np.testing.assert_allclose(np.where(open_sign, np.inf, one), np.where(open_sign, np.inf, other), rtol=2.0**-20, atol=2.0**-22)
    assert_signs(found, expected, z)


def test_numpys_own_values_where_the_standard_asks_for_others():
    """Through `numpy.*`; of NumPy's terms, each of which has an error of at most 2 u here and 1 u there, and is rounded once more."""
    z = numbers()[::3]
    special = beside(0.0, -0.0, 1.0, -1.0, 1e-20, 1e-45, 100.0, 3e38, -3e38, np.inf, -np.inf, np.nan)
    z = np.concatenate([z, z * np.complex64(1e-3), special.ravel()])
    with np.errstate(all="ignore"):
        x, y = z.real.astype(float), z.imag.astype(float)
        terms = {"expm1": np.abs(np.expm1(x) * np.cos(y)) + 2 * np.sin(y / 2) ** 2, "log1p": 1.0, "sign": 1.0}
        for name, size in terms.items():
            expected, found = getattr(np, name)(z), on_device(name, z)
            for one, other, of in ((found.real, expected.real, size), (found.imag, expected.imag, 0.0)):
                usual = np.isfinite(other) & np.isfinite(one)
                error = np.abs(one.astype(float) - other) / np.maximum(np.maximum(np.abs(other), of), TINY)
                assert error[usual & np.isfinite(error)].max() <= 8 * U
                overflow = np.isinf(one) | np.isinf(other)  # of numbers that round to infinity or to the largest number
                np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
                assert (np.abs(np.where(overflow, one, np.inf)) >= 3.4e38).all()
                assert (np.abs(np.where(overflow, other, np.inf)) >= 3.4e38).all()
            assert_signs(found, expected, z)


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
    z = beside(0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 3.3e38)
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
    z = beside(0.5, -0.5, 1.5, -0.0, np.inf, np.nan, 2.0**30, -2.5)
    np.testing.assert_array_equal(on_device("rint", z).view(np.float32), np.rint(z).view(np.float32))
