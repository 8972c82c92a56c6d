"""Powers on the device."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import assert_same
from .test_division import integers


@pytest.mark.parametrize("exponent", [1, 2, -1, 2.0])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64"])
def test_simple_exponents(dtype, exponent):
    kind = np.dtype(getattr(xp, dtype))
    values = np.array([-3.5, -1.0, 0.25, 2.0, 1e19]).astype(kind)
    device = xp.asarray(values, device="sim:trn2")
    with xp.config(fallback="error"):
        found = device**exponent
    expected = xp.asarray(values) ** exponent
    assert found.dtype == expected.dtype == kind
    np.testing.assert_allclose(*(np.asarray(x.to_device("cpu"), np.complex128) for x in (found, expected)), rtol=2.0**-22)


def test_integers_keep_their_dtype():
    x = np.arange(-4, 5, dtype=np.int32)
    device = xp.asarray(x, device="sim:trn2")
    with xp.config(fallback="error"):
        assert np.array_equal(np.asarray((device**2).to_device("cpu")), x**2)
    with xp.config(fallback="allow"):
        assert (device**2.0).dtype == xp.float32
        assert np.array_equal(np.asarray((device**0).to_device("cpu")), x**0)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint32", "int64"])
def test_integers_wrap(dtype):
    x = np.arange(100).astype(dtype) * np.dtype(dtype).type(7)
    device = xp.asarray(x, device="sim:trn2")
    for exponent in (3, 5, 8, 31, 64):
        with xp.config(fallback="error"):
            found = device**exponent
        assert found.dtype == x.dtype
        assert np.array_equal(np.asarray(found.to_device("cpu")), x**exponent)


def test_floats():
    x = np.exp2(np.linspace(-20, 20, 500)).astype(np.float32)
    device = xp.asarray(x, device="sim:trn2")
    for exponent in (3, 0.5, -2.5, 0):
        with xp.config(fallback="error"):
            found = np.asarray((device**exponent).to_device("cpu"))
        exact = x.astype(np.float64) ** exponent
        assert np.all(np.abs(found - exact) <= 2 * np.spacing(exact.astype(np.float32)))


def complex_pairs():
    """Finite numbers with zeros of both signs, in all combinations, and others."""
    parts = np.array([0.0, -0.0, 1.0, -1.0, 2.0], np.float32)
    few = np.zeros((5, 5), np.complex64)
    few.real, few.imag = parts[:, None], parts
    rng = np.random.default_rng(4)
    many = ((rng.standard_normal((2, 500)) + 1j * rng.standard_normal((2, 500))) * [[9], [1]]).astype(np.complex64)
    return tuple(np.concatenate([one.ravel(), two]) for one, two in zip(np.meshgrid(few, few), many, strict=True))


def assert_close(found, expected, exact):
    """Within 8 u of the modulus, and NaN where NumPy's loop has it."""
    assert found.dtype == np.complex64
    nan = np.isnan(expected)
    assert np.array_equal(np.isnan(found), nan)
    sized = ~nan & (np.abs(exact) < 1e37) & (np.abs(exact) > 1e-37)
    assert (np.abs(found - exact) / np.abs(exact))[sized].max() <= 8 * 2.0**-24
    assert np.array_equal(found[~nan & (exact == 0)], expected[~nan & (exact == 0)])


@np.errstate(all="ignore")
def test_complex_numbers():
    z, w = complex_pairs()
    x, y = (xp.asarray(operand, device="sim:trn2") for operand in (z, w))
    wide = z.astype(np.complex128)
    with xp.config(fallback="error"):
        assert_close(np.asarray((x**y).to_device("cpu")), z**w, wide ** w.astype(np.complex128))
        for exponent in (0, 3, 4.0, -2, 0.5, 2.5, 1 - 2j):
            assert_close(np.asarray((x**exponent).to_device("cpu")), z ** np.complex64(exponent), wide**exponent)
        for base in (-1.5, 1 + 1j):
            assert_close(np.asarray((base**y).to_device("cpu")), np.complex64(base) ** w, base ** w.astype(np.complex128))


@np.errstate(all="ignore")
def test_complex128():
    """By whole numbers below 100 NumPy's bits; others as exact as roundings of both operands allow, and NaN where NumPy's loop has it."""
    z, w = (item.astype(np.complex128)[::3] for item in complex_pairs())
    x, y = (xp.asarray(operand, device="sim:trn2") for operand in (z, w))
    with xp.config(fallback="error"):
        found = np.asarray((x**y).to_device("cpu"))
        np.testing.assert_array_equal(np.asarray((x[-40:] ** 7).to_device("cpu")), z[-40:] ** 7)
        np.testing.assert_allclose(np.asarray((x[-40:] ** -3.0).to_device("cpu")), z[-40:] ** -3.0, rtol=2.0**-51)
    assert np.array_equal(np.isnan(found), np.isnan(z**w))
    exact = z.astype(np.clongdouble) ** w.astype(np.clongdouble)
    sized = np.isfinite(exact) & (exact != 0)
    allowed = 1 + np.abs(w) + np.abs(w * np.log(np.where(z == 0, 1, z)))
    assert (np.abs(found - exact) / np.abs(exact) / allowed)[sized].max() <= 4 * 2.0**-53
    assert np.all(found[exact == 0] == 0)


@np.errstate(all="ignore")
def test_powers_of_infinite_complex_numbers():
    """They keep their direction, though not where that is an axis: infinity times a part that is 0 is NaN, as in C's product."""
    z = np.array([complex(np.inf, 1), complex(2, -np.inf), complex(-np.inf, 0)], np.complex64)
    x = xp.asarray(z, device="sim:trn2")
    with xp.config(fallback="error"):
        assert np.all(np.isinf(np.asarray((x**2.5).to_device("cpu"))))
        assert np.all(np.asarray((x**-2.5).to_device("cpu")) == 0)
        assert np.all(np.isnan(np.asarray((x ** complex(1, np.inf)).to_device("cpu"))))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_exponents_of_integers(dtype):
    base, exponent = integers(np.dtype(dtype))
    exponent &= np.iinfo(dtype).max
    assert_same(lambda x, y: x**y, base, exponent)
    small = np.arange(12, dtype=dtype).reshape(3, 4)
    assert_same(lambda x: (2**x, x ** x[:1], x**99, x**0, xp.pow(x[:, :1], x)), small, views=("transposed",))


def test_negative_exponents_of_integers():
    x = xp.asarray(np.array([2, 3, -1], np.int32), device="sim:trn2")
    with xp.config(fallback="error"):
        result = xp.ones_like(x) ** x
    with pytest.raises(ValueError, match="negative integer powers"):
        str(result)
    assert (x ** abs(x)).to_device("cpu").tolist() == [4, 27, -1]
