"""Casts against exact rationals: one rounding, to nearest, ties to even, from every dtype to every low-precision one."""

import warnings
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trnarray.backends.dtypes import DTYPES, FLOAT8_E8M0FNU, KINDS
from trnarray.backends.host.cast import cast, cast_weak, to_odd_float32

from .rounding import FORMATS, LOW, SIGNED, same

INTEGERS = [np.dtype(code) for code in "bhilBHIL"]


# bfloat16 has 32640 values; what is near its midpoints depends on the pattern only through its ends and its parity.
PLACES = {
    dtype: range(len(fmt.midpoints))
    if len(fmt.midpoints) < 300
    else sorted({*range(300), *range(300, len(fmt.midpoints), 61), *range(len(fmt.midpoints) - 300, len(fmt.midpoints))})
    for dtype, fmt in FORMATS.items()
}


def converted(value, dtype):
    """The cast's result as float64, which holds every low-precision value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # overflow, of which NumPy warns for float16
        return cast(value, dtype).astype(np.float64)


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_float64_at_and_beside_every_midpoint(dtype):
    fmt = FORMATS[dtype]
    numbers = [float(fmt.midpoints[place]) for place in PLACES[dtype]]
    assert all(Fraction(number) == fmt.midpoints[place] for number, place in zip(numbers, PLACES[dtype], strict=True))
    middle = np.array(numbers)
    for offset in (-(2**40), -(2**29), -(2**28), -1, 0, 1, 2**28, 2**29, 2**40):  # float64 has 2**29 values between two float32
        near = (middle.view(np.int64) + offset).view(np.float64)
        for sign in (1, -1):
            wanted = [fmt.nearest(Fraction(float(x)) * sign) for x in near]
            assert same(converted(near * sign, dtype), wanted), (offset, sign)


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_float32_is_exact_at_and_beside_every_midpoint(dtype):
    fmt = FORMATS[dtype]
    middle = np.array([float(fmt.midpoints[place]) for place in PLACES[dtype]], np.float32)
    for offset in (-1, 0, 1):
        near = (middle.view(np.int32) + offset).view(np.float32)
        assert same(converted(near, dtype), [fmt.nearest(Fraction(float(x))) for x in near])


@pytest.mark.parametrize("source", INTEGERS, ids=str)
@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_integers_at_and_beside_midpoints_and_at_the_ends(dtype, source):
    fmt, info = FORMATS[dtype], np.iinfo(source)
    places = {int(fmt.midpoints[place]) for place in PLACES[dtype]} | {1 << n for n in range(65)} | {info.min, info.max, 0}
    integers = sorted({sign * place + d for place in places for d in (-2, -1, 0, 1, 2) for sign in (1, -1)})
    integers = [n for n in integers if info.min <= n <= info.max]
    array = np.array(integers, source)
    wanted = [fmt.nearest(Fraction(n)) for n in integers]
    assert same(converted(array, dtype), wanted)


@pytest.mark.parametrize("dtype", LOW, ids=str)
@given(number=st.floats(allow_nan=False, allow_infinity=False) | st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_any_float64(dtype, number):
    wanted = FORMATS[dtype].nearest(Fraction(number))
    if number == 0 and dtype != FLOAT8_E8M0FNU:
        wanted = number
    if np.copysign(1, number) < 0 and wanted == 0:
        wanted = -0.0
    assert same(converted(np.float64(number), dtype), wanted)
    assert same(converted(np.array([number]), dtype), [wanted])


@pytest.mark.parametrize("source", [np.dtype(code) for code in ("i4", "u4", "i8", "u8")], ids=str)
@pytest.mark.parametrize("dtype", LOW, ids=str)
@given(data=st.data())
def test_any_integer(dtype, source, data):
    info = np.iinfo(source)
    number = data.draw(st.integers(int(info.min), int(info.max)))
    wanted = FORMATS[dtype].nearest(Fraction(number))
    assert same(converted(source.type(number), dtype), wanted)


@pytest.mark.parametrize("dtype", LOW, ids=str)
@given(numbers=st.lists(st.floats(allow_nan=False), min_size=1))
def test_the_two_references_agree(dtype, numbers):
    fmt = FORMATS[dtype]
    finite = [x for x in numbers if np.isfinite(x)]
    assert np.array_equal(fmt.round(np.array(finite)), [fmt.nearest(Fraction(x)) for x in finite], equal_nan=True)


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_nan_infinity_and_zeros(dtype):
    fmt = FORMATS[dtype]
    found = converted(np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0]), dtype)
    assert np.isnan(found[:2]).all()
    assert same(found[2:], [fmt.overflow, -fmt.overflow, 0.0, -0.0])
    assert same(converted(np.array([1e300, -1e300, 5e-324, -5e-324]), dtype), [fmt.overflow, -fmt.overflow, 0.0, -0.0])


def test_float8_e8m0fnu_has_neither_zero_nor_sign_nor_infinity():
    assert np.isnan(converted(np.array([np.nan, 0.0, -0.0, -1.0, np.inf, -np.inf, 1e300]), FLOAT8_E8M0FNU)).all()
    assert same(converted(np.array([5e-324, 2.0**-127, 2.0**127]), FLOAT8_E8M0FNU), [2.0**-127, 2.0**-127, 2.0**127])


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_every_value_casts_to_itself_through_every_wider_dtype(dtype):
    values = np.arange(2 ** (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}").view(dtype)
    for wide in (np.float32, np.float64):
        with np.errstate(invalid="ignore"):  # signalling NaN
            there = cast(values, np.dtype(wide))
            back = cast(there, dtype)
        assert np.array_equal(there, back.astype(wide), equal_nan=True)
        numbers = ~np.isnan(there)
        assert np.array_equal(values.view(f"u{dtype.itemsize}")[numbers], back.view(f"u{dtype.itemsize}")[numbers])


@pytest.mark.parametrize("dtype", LOW, ids=str)
@pytest.mark.parametrize("source", LOW, ids=str)
def test_between_low_precision_dtypes(source, dtype):
    fmt = FORMATS[dtype]
    values = np.arange(2 ** (8 * source.itemsize), dtype=f"u{source.itemsize}")[:: 1 if source.itemsize == 1 else 97].view(source)
    with np.errstate(invalid="ignore"):  # signalling NaN
        numbers = values.astype(np.float64)
    values, numbers = values[np.isfinite(numbers)], numbers[np.isfinite(numbers)]
    if dtype == source:
        wanted = numbers
    else:
        wanted = np.array([fmt.nearest(Fraction(float(x))) for x in numbers])
        if dtype != FLOAT8_E8M0FNU:
            wanted = np.copysign(wanted, numbers)
    assert same(converted(values, dtype), wanted)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_shape_kind_and_dtype_are_kept(source, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the imaginary part
        for value in (np.ones((), source), np.ones((2, 0), source), np.ones((2, 3), source).T, source.type(1)):
            result = cast(value, dtype)
            assert isinstance(result, np.ndarray) == isinstance(value, np.ndarray)
            assert result.dtype == dtype
            assert result.shape == value.shape
            assert np.all(result.astype(np.float64) == 1)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_copy(dtype):
    x = np.ones(3, dtype)
    assert cast(x, dtype, copy=False) is x
    assert not np.may_share_memory(cast(x, dtype), x)


@pytest.mark.parametrize("dtype", LOW, ids=str)
@pytest.mark.parametrize("source", [np.complex64, np.complex128])
def test_a_dropped_imaginary_part_warns_as_numpy_does(source, dtype):
    with pytest.warns(np.exceptions.ComplexWarning):
        assert float(cast(np.array(1 + 2**-8 + 2**-30 + 1j, source), dtype)) == FORMATS[dtype].nearest(
            Fraction(float(source(1 + 2**-8 + 2**-30).real))
        )


def test_no_spurious_floating_point_errors():
    with np.errstate(all="raise"):
        for dtype in LOW:
            if KINDS[dtype] == "real floating" and dtype.num >= 256:  # NumPy itself reports float16's overflow
                cast(np.array([1e300, 1e-300, 1.1, np.inf]), dtype)


@given(st.integers())
@settings(max_examples=300)
def test_weak_integers_of_any_length(number):
    for dtype in SIGNED:
        if dtype.num >= 256:
            assert same(float(cast_weak(number, dtype)), FORMATS[dtype].nearest(Fraction(number)))


@pytest.mark.parametrize("shift", [0, 1, 40, 56, 57, 80, 110])
def test_weak_integers_beside_midpoints(shift):
    dtype = np.dtype(ml_dtypes.bfloat16)
    for middle in (257, 259):  # bfloat16 has 8 bits
        for number in (middle << shift, (middle << shift) + 1, (middle << shift) - 1):
            for sign in (1, -1):
                assert float(cast_weak(sign * number, dtype)) == FORMATS[dtype].nearest(Fraction(sign * number))


def test_weak_scalars_of_other_types():
    dtype = np.dtype(ml_dtypes.bfloat16)
    assert float(cast_weak(True, dtype)) == 1
    assert float(cast_weak(1 + 2**-8 + 2**-40, dtype)) == 1 + 2**-7
    assert np.isnan(cast_weak(float("nan"), dtype))
    assert type(cast_weak(1.0, dtype)) is ml_dtypes.bfloat16
    with pytest.raises(OverflowError):
        cast_weak(2**1024, dtype)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_to_odd(number):
    found = to_odd_float32(np.float64(number))
    exact = Fraction(number)
    if Fraction(float(found)) == exact if np.isfinite(found) else False:
        return
    assert found.view(np.uint32) & 1 == 1
    largest = Fraction(float(np.finfo(np.float32).max))
    if abs(exact) > largest:
        assert abs(Fraction(float(found))) == largest
    else:
        with np.errstate(over="ignore"):
            other = [np.nextafter(found, np.float32(side)) for side in (-np.inf, np.inf)]
        other = np.clip(other, np.float64(-1e39), np.float64(1e39))
        assert Fraction(float(other[0])) < exact < Fraction(float(other[1]))
