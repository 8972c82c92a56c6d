"""Rounding and sums against NumPy, ml_dtypes and exact arithmetic."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from trnarray.backends.simulator import Knobs
from trnarray.backends.simulator.dtypes import DTYPES, canonical, from_float32, to_float32
from trnarray.backends.simulator.machine.arithmetic import _keep, _loop, multiply_accumulate, reduce_free

FLOATS = arrays(np.float32, st.integers(1, 20), elements=st.floats(width=32))
RNG = np.random.default_rng(3)


@given(FLOATS, st.sampled_from([name for name, row in DTYPES.items() if row.kind in ("int", "uint")]))
def test_integers_round_to_even_and_saturate(values, dtype):
    limits = np.iinfo(DTYPES[dtype].storage)
    want = [
        0 if np.isnan(v) else max(limits.min, min(limits.max, round(float(v)) if np.isfinite(v) else int(np.sign(v)) * 2**80))
        for v in values
    ]
    with np.errstate(invalid="ignore"):  # which NumPy's rint without vector instructions sets beyond int32, and execution ignores
        assert from_float32(values, dtype).tolist() == want


@given(FLOATS)
def test_tfloat32_keeps_ten_bits_of_mantissa(values):
    found = from_float32(values, "tfloat32").astype(np.float64)
    finite = np.isfinite(values)
    mantissa, exponent = np.frexp(values[finite].astype(np.float64))
    scale = np.exp2(np.maximum(exponent, -125) - 11)  # denormals have the spacing of the smallest exponent
    want = np.rint(np.ldexp(mantissa, exponent) / scale) * scale
    np.testing.assert_array_equal(found[finite], np.where(np.abs(want) >= 2.0**128, np.copysign(np.inf, want), want))
    np.testing.assert_array_equal(found[~finite], values[~finite])


@given(FLOATS)
def test_bfloat16_there_and_back(values):
    low = from_float32(values, "bfloat16")
    assert low.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(to_float32(low), low.astype(np.float32))


@pytest.mark.parametrize("bad", ["float64", "complex64", np.float64, "x", object()])
def test_dtypes_that_are_not_there(bad):
    with pytest.raises(TypeError, match="NKI has no dtype"):
        canonical(bad)


@pytest.mark.parametrize("shape", [(128, 128, 512), (128, 128, 1), (128, 1, 100), (7, 3, 5)])
@pytest.mark.parametrize("bits", [8, 24])
def test_products_are_added_in_sequence(shape, bits):
    k, m, n = shape
    left, right = (_keep(RNG.standard_normal(s).astype(np.float32), bits) for s in ((k, m), (k, n)))
    found, expected = multiply_accumulate(left, right, Knobs(), bits), np.zeros((m, n), np.float32)
    for a, b in zip(left.astype(np.float64), right.astype(np.float64), strict=True):
        expected = (expected + np.multiply.outer(a, b)).astype(np.float32)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(_loop(left, right, bits), expected)


def test_products_of_three_bits_are_added_in_sequence():
    """Most such sums are exact, in any order; the machine's products must not be taken to be in sequence for that."""
    for _ in range(8):
        left, right = (RNG.standard_normal((96, n)).astype(ml_dtypes.float8_e5m2).astype(np.float32) for n in (40, 70))
        expected = np.zeros((40, 70), np.float32)
        for row, other in zip(left.astype(np.float64), right.astype(np.float64), strict=True):
            expected = (expected + row[:, None] * other).astype(np.float32)
        np.testing.assert_array_equal(multiply_accumulate(left, right, Knobs(), 3), expected)


def test_products_beyond_float32_are_exact():
    left, right = np.array([[2.0**70], [2.0**-80]], np.float32), np.array([[2.0**70, 1], [-(2.0**-60), 2.0**80]], np.float32)
    with np.errstate(over="ignore"):
        for product in (multiply_accumulate(left, right, Knobs(), 8), _loop(left, right, 8)):
            np.testing.assert_array_equal(product, [[np.inf, 2.0**70]])


def test_order_and_products_are_knobs():
    left, right = RNG.standard_normal((2, 128, 64)).astype(np.float32)
    results = [multiply_accumulate(left, right, knobs) for knobs in (Knobs(), Knobs(pe_order="permuted:1"), Knobs(pe_product="split21"))]
    exact = left.astype(np.float64).T @ right.astype(np.float64)
    bound = np.abs(left).astype(np.float64).T @ np.abs(right)
    for result, terms in zip(results, (128, 128, 384), strict=True):
        # One rounding per addition, and 2**-20 per product for the low x low that split21 leaves out.
        assert (np.abs(result - exact) <= (terms * 2.0**-24 + 2.0**-20) * bound).all()
    assert (results[0] != results[1]).any()
    assert (results[0] != results[2]).any()


def test_sums_are_sequential():
    values = np.array([[1.0] + [2.0**-24] * 64], np.float32)
    assert reduce_free(np.add, values, "sequential")[0] == 1.0
    assert reduce_free(np.add, values[:, ::-1], "sequential")[0] > 1.0


@pytest.mark.parametrize("operator", [np.add, np.subtract, np.multiply])
@pytest.mark.parametrize("shape", [(1, 600), (2, 600), (128, 65), (3, 1, 200), (2, 63)])
def test_sums_of_long_rows_are_sequential(operator, shape):
    values = (1 + RNG.standard_normal(shape) / 1024).astype(np.float32)
    expected = values[..., 0]
    for column in range(1, shape[-1]):
        expected = operator(expected, values[..., column])
    np.testing.assert_array_equal(reduce_free(operator, values, "sequential"), expected)
    assert np.signbit(reduce_free(np.add, np.full(shape, -0.0, np.float32), "sequential")).all()
