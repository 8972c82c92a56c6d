"""Functions that are no ufuncs: parts and rounding, comparison, interpolation, derivative and integral."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp

import trnarray
from trnarray import Array

from .numpy_reference import LOW, PLAIN, UNIT_ROUNDOFF, compare, data, layouts, operands, same

CASES = {
    "real": lambda xp, x: xp.real(x),
    "imag": lambda xp, x: xp.imag(x),
    "angle": lambda xp, x: xp.angle(x, deg=True),
    "real_if_close": lambda xp, x: xp.real_if_close(x),
    "clip": lambda xp, x: xp.clip(x, 0, 2),
    "clip by arrays": lambda xp, x: xp.clip(x, -xp.ones(x.shape[-1:]), xp.ones(1)),
    "clip from below": lambda xp, x: xp.clip(x, min=1),
    "clip from above": lambda xp, x: xp.clip(x, max=1),
    "clip by nothing": lambda xp, x: xp.clip(x, None, None),
    "clip the wrong way round": lambda xp, x: xp.clip(x, 3, 1),
    "clip beyond the dtype": lambda xp, x: xp.clip(x, -300, 300),
    "round": lambda xp, x: xp.round(x),
    "round to decimals": lambda xp, x: xp.round(x * 0.37, 1),
    "round to tens": lambda xp, x: xp.around(x, -1),
    "nan_to_num": lambda xp, x: xp.nan_to_num(x),
    "sinc": lambda xp, x: xp.sinc(x),
    "i0": lambda xp, x: xp.i0(x),
    "isclose": lambda xp, x: xp.isclose(x, 1, rtol=0.1, atol=[0.5]),
    "allclose": lambda xp, x: xp.allclose(x, x),
    "array_equal": lambda xp, x: xp.array_equal(x, x + 0),
    "array_equal to another": lambda xp, x: xp.array_equal(x, xp.ones(3)),
    "array_equiv": lambda xp, x: xp.array_equiv(x, x[None]),
    "interp": lambda xp, x: xp.interp(x, [-3, 0, 1], [1.5, 2, 10], left=-1.0),
    "interp, periodic": lambda xp, x: xp.interp(x, xp.asarray([-3, 0, 1]), [1, 2, 1j], period=5),
    "unwrap": lambda xp, x: xp.unwrap(x),
    "unwrap along an axis": lambda xp, x: xp.unwrap(x, axis=0, period=4, discont=3),
    "convolve": lambda xp, x: xp.convolve(x, [1, 2, 3]),
    "convolve, same size": lambda xp, x: xp.convolve(x, x, "same"),
    "correlate": lambda xp, x: xp.correlate(x, xp.asarray([1, 2])),
    "gradient": lambda xp, x: xp.gradient(x),
    "gradient along axes": lambda xp, x: xp.gradient(x, 0.5, axis=-1, edge_order=2),
    "trapezoid": lambda xp, x: xp.trapezoid(x),
    "trapezoid at points": lambda xp, x: xp.trapezoid(x, x=xp.arange(x.shape[0]), axis=0),
}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name):
    for x in operands():
        compare(CASES[name], x)


# How much a few float32 operations may magnify their unit roundoff, in what each of these does before its one rounding.
ROUNDED = {
    "angle": lambda xp, x: xp.angle(x),
    "clip": lambda xp, x: xp.clip(x, -1.5, 0.75),
    "round": lambda xp, x: xp.round(x, 1),
    "sinc": lambda xp, x: xp.sinc(x),
    "i0": lambda xp, x: xp.i0(x),
    "convolve": lambda xp, x: xp.convolve(x, x[:100]),
    "gradient": lambda xp, x: xp.gradient(x, 0.25),
    "trapezoid": lambda xp, x: xp.trapezoid(x, dx=0.5),
    "unwrap": lambda xp, x: xp.unwrap(x),
    "diff": lambda xp, x: xp.diff(x, 2),
}


@pytest.mark.parametrize("dtype", LOW)
@pytest.mark.parametrize("name", ROUNDED)
def test_low_precision_rounds_once(name, dtype):
    for x in layouts(np.random.default_rng(2).standard_normal(300).astype(dtype)):
        got = ROUNDED[name](trnarray, trnarray.asarray(x))
        want = ROUNDED[name](np, x.astype(np.float64))
        assert got.dtype == dtype
        float32_errors = 2.0**-24 * 300 * 4  # at most 300 terms of size at most 4, then the rounding to the dtype
        error = np.abs(np.asarray(got).astype(np.float64) - want)
        assert (error <= UNIT_ROUNDOFF[dtype] * np.abs(want) + float32_errors).all()


@pytest.mark.parametrize("dtype", LOW)
def test_tolerances_are_not_rounded_to_the_dtype(dtype):
    zero = trnarray.zeros(1, dtype=dtype)
    tiny = trnarray.asarray([2.0**-24], dtype=dtype)  # the smallest float16; atol=1e-8 would be 0 in it
    assert trnarray.isclose(zero, tiny, atol=6e-8)[0]
    assert not trnarray.isclose(zero, tiny, atol=5e-8)[0]
    assert trnarray.allclose(tiny, tiny)


def test_clip_knows_both_names_of_a_limit():
    x = np.arange(5)
    for call in (
        lambda: trnarray.clip(x, 1, 3),
        lambda: trnarray.clip(x, min=1, max=3),
        lambda: trnarray.clip(x, a_min=1, a_max=3),
    ):
        same(call(), np.clip(x, 1, 3))
    with pytest.raises(TypeError, match="two names of one limit"):
        trnarray.clip(x, 1, 3, a_max=3)
    out = trnarray.empty(5, dtype="float32")
    assert trnarray.clip(x, 1, 3, out=out) is out
    assert out.tolist() == [1.0, 1.0, 2.0, 3.0, 3.0]


@pytest.mark.parametrize("dtype", [*LOW, *(t for t in PLAIN if t.kind == "f")])
def test_nan_to_num(dtype):
    x = trnarray.asarray([np.nan, np.inf, -np.inf, 1.5], dtype=dtype)
    largest = float(trnarray.finfo(dtype).max)
    assert trnarray.nan_to_num(x).tolist() == [0.0, largest, -largest, 1.5]
    assert trnarray.nan_to_num(x, nan=2, posinf=3, neginf=4).tolist() == [2.0, 3.0, 4.0, 1.5]
    assert trnarray.isnan(x)[0]
    assert trnarray.nan_to_num(x, copy=False) is x
    assert x.tolist() == [0.0, largest, -largest, 1.5]


def test_parts_are_views_that_can_be_written():
    z = trnarray.asarray([1 + 2j, 3 + 4j])
    trnarray.real(z)[0] = 10
    trnarray.imag(z)[1] = 40
    assert z.tolist() == [10 + 2j, 3 + 40j]
    assert type(trnarray.real(1 + 2j)) is type(trnarray.imag([1, 2])) is Array
    for dtype in LOW:
        x = trnarray.asarray([1.0], dtype=dtype)
        assert trnarray.real(x).dtype == trnarray.imag(x).dtype == dtype


def test_rounds_halves_to_even_and_into_out():
    x = trnarray.asarray([0.5, 1.5, -2.5, 2.675])
    out = trnarray.empty(4)
    assert trnarray.round(x, 2, out=out) is out
    np.testing.assert_array_equal(out, np.round([0.5, 1.5, -2.5, 2.675], 2))
    assert trnarray.fix(x).tolist() == [0.0, 1.0, -2.0, 2.0]
    assert trnarray.fix(x, out=out) is out
    assert trnarray.around is trnarray.round


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=1, max_dims=3, min_side=2, max_side=5), elements={"allow_nan": False}))
def test_derivatives_and_integrals(x):
    ours = trnarray.asarray(x)
    with np.errstate(all="ignore"):
        same(trnarray.gradient(ours), np.gradient(x))
        same(trnarray.trapezoid(ours, axis=0), np.trapezoid(x, axis=0))
        same(trnarray.interp(ours, [-1, 0, 2], [3, 4, 5]), np.interp(x, [-1, 0, 2], [3, 4, 5]))


def test_comparisons_give_python_booleans():
    x = data((3,), np.dtype(np.float32))
    for answer in (trnarray.allclose(x, x), trnarray.array_equal(x, x), trnarray.array_equiv(x, x)):
        assert answer is True
    assert trnarray.array_equal([np.nan], [np.nan]) is False
    assert trnarray.array_equal(trnarray.asarray([np.nan]), [np.nan], equal_nan=True) is True
