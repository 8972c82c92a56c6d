"""Detached Arrays where Python programs put NumPy scalars: `round`, `math`, repetition of sequences, `bytes`."""

import math

import numpy as np
import pytest

import trnarray as xp

NUMBERS = [np.float64(2.5), np.float64(-3.5), np.float32(1234.567), np.float16(2.7), np.int64(25), np.int8(-25), np.uint64(2**64 - 1)]


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_round_gives_a_python_int(number):
    got = round(xp.asarray(number)[()])
    assert type(got) is int
    assert got == round(number)
    assert round(xp.asarray(number)) == round(number)  # 0-d, not detached


@pytest.mark.parametrize("digits", [-1, 0, 2])
@pytest.mark.parametrize("number", [x for x in NUMBERS if x.dtype.name != "uint64"], ids=repr)
def test_round_to_decimals_keeps_the_dtype(number, digits):
    got = round(xp.asarray(number)[()], digits)
    assert type(got) is xp.Array
    assert got.dtype == number.dtype
    assert got == round(number, digits)


def test_round_of_extra_dtypes():
    x = xp.asarray([2.5, 1.75], dtype=xp.bfloat16)
    assert round(x[0]) == 2
    assert round(x[1], 1).dtype == xp.bfloat16
    assert float(round(x[1], 1)) == 1.796875  # 1.8, rounded to bfloat16


def test_round_refuses_what_has_no_nearest_integer():
    with pytest.raises(ValueError, match="NaN"):
        round(xp.asarray(math.nan))
    with pytest.raises(OverflowError, match="infinity"):
        round(xp.asarray(math.inf))
    with pytest.raises(TypeError, match=r"0-d Arrays .* shape \(2,\)"):
        round(xp.ones(2))
    with pytest.raises(TypeError, match="complex128 .* x.real"):
        round(xp.asarray(1j))


@pytest.mark.parametrize("function", [math.trunc, math.floor, math.ceil, math.sqrt, math.isnan])
def test_math(function):
    for value in (2.75, 3.0):
        assert function(xp.asarray([value])[0]) == function(value)


@pytest.mark.parametrize("sequence", [[1, 2], (1, 2), "ab", b"ab", [[]]], ids=repr)
def test_a_detached_integer_repeats_sequences(sequence):
    three = xp.asarray([3], dtype=xp.int16)[0]
    assert sequence * three == sequence * 3
    assert type(three * sequence) is type(sequence)
    assert three * sequence == 3 * sequence


def test_repetition_in_place():
    items = [0]
    items *= xp.asarray([3])[0]
    assert items == [0, 0, 0]


def test_a_detached_float_repeats_nothing():
    with pytest.raises(TypeError, match="cannot be interpreted as an integer|can't multiply sequence"):
        [1, 2] * xp.asarray([2.0])[0]


def test_other_products_with_sequences_are_elementwise():
    three = xp.asarray([3])[0]
    functions = (xp.multiply(three, [1, 2]), xp.multiply([1, 2], three), np.multiply(three, [1, 2]))
    for got in (*functions, [1, 2] * xp.asarray(3), xp.asarray(3) * [1, 2]):
        assert type(got) is xp.Array
        assert got.tolist() == [3, 6]
    assert three.__add__([1, 2]).tolist() == [4, 5]


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float32, np.complex128, np.bool_])
def test_bytes_are_those_of_the_elements(dtype):
    reference = np.asarray([[1, 2, 0], [1, 0, 3]]).astype(dtype)
    x = xp.asarray(reference)
    assert bytes(x) == bytes(reference)
    assert bytes(x.T) == bytes(reference.T)
    assert bytes(x[:0]) == b""


def test_bytes_of_numbers():
    assert bytes(xp.asarray([3])[0]) == bytes(np.int64(3)) == bytes(3)
    assert bytes(xp.asarray([3.5])[0]) == bytes(np.float64(3.5))
    assert bytes(xp.asarray([1.0], dtype=xp.bfloat16)) == b"\x80\x3f"
