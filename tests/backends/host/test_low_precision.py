"""Low-precision computation against float64, rounded by an independent reference; u is float32's unit roundoff, 2**-24."""

import itertools
import warnings

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray
from trnarray.backends.dtypes import DTYPES, FLOAT8_E8M0FNU, LOW_PRECISION, kind_of
from trnarray.backends.engine import HOST
from trnarray.backends.host.low_precision import has_low_precision
from trnarray.backends.op import COMPUTE, ELEMENTWISE, FIRST, MOVE, NATIVE, VIEW, Op
from trnarray.backends.ops import elementwise, indexing, manipulation, statistical
from trnarray.backends.ops.ufuncs import ufunc_op
from trnarray.backends.promotion import NUMPY as PROMOTION
from trnarray.backends.rules import UfuncRule

from .rounding import FORMATS, LOW, SIGNED, every_value, same

U = 2.0**-24
BFLOAT16, FLOAT16 = np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16)
EIGHT_BITS = [dtype for dtype in SIGNED if dtype.itemsize == 1]
ARITHMETIC = {elementwise.add: np.add, elementwise.subtract: np.subtract, elementwise.multiply: np.multiply, elementwise.divide: np.divide}
UFUNCS = [
    op for op in vars(elementwise).values() if isinstance(op, Op) and isinstance(op.rule, UfuncRule) and op.kind in (COMPUTE, ELEMENTWISE)
]
SIGNIFICANDS = {FLOAT16: 2**10, BFLOAT16: 2**7}


def run(op, *args, **kwargs):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return HOST.run(op, args, kwargs)


def wide(x):
    with np.errstate(invalid="ignore"):  # signalling NaN
        return np.asarray(x).astype(np.float64)


def reference(ufunc, *args, **kwargs):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return ufunc(*(wide(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in args), **kwargs)


def within(found, exact, dtype, relative, absolute=0.0):
    """Whether rounding, which is monotone, gives the result for some number that close to the exact one."""
    found = wide(found)
    error = np.where(np.isfinite(exact), np.abs(exact) * relative + absolute, 0)
    with np.errstate(invalid="ignore"):
        low, high = FORMATS[dtype].round(exact - error), FORMATS[dtype].round(exact + error)
    between = ((low <= found) | np.isnan(low)) & ((found <= high) | np.isnan(high))
    return np.all(np.where(np.isnan(found), np.isnan(low) | np.isnan(high), between & ~np.isnan(exact)))


# Correct rounding of the four operations and the square root


@pytest.mark.parametrize("op", ARITHMETIC, ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", EIGHT_BITS, ids=str)
def test_arithmetic_of_all_pairs_of_float8(dtype, op):
    values = every_value(dtype)
    x, y = values[:, None], values[None, :]
    found = run(op, x, y)
    assert found.dtype == dtype
    assert same(wide(found), FORMATS[dtype].round(reference(ARITHMETIC[op], x, y)))


def representable(op, x):
    """Without what underflows to 0 in float32, which float8_e8m0fnu takes for NaN."""
    if x.dtype != FLOAT8_E8M0FNU:
        return x
    exact = reference(op.host, x)
    return x[~(np.abs(exact[0] if isinstance(exact, tuple) else exact) < 2.0**-148)]


def significands(dtype, exponent=0):
    """All values in one binade."""
    return np.ldexp(1 + np.arange(SIGNIFICANDS[dtype]) / SIGNIFICANDS[dtype], exponent).astype(dtype)


@pytest.mark.parametrize("op", [elementwise.add, elementwise.subtract], ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", SIGNIFICANDS, ids=str)
def test_sums_of_all_pairs_of_significands(dtype, op):
    x = significands(dtype)[:, None]
    for shift in range(13 if dtype == FLOAT16 else 10):  # beyond, the smaller one is less than a quarter of the last place
        y = significands(dtype, -shift)[None, :: 3 if dtype == FLOAT16 else 1]
        assert same(wide(run(op, x, y)), FORMATS[dtype].round(reference(ARITHMETIC[op], x, y))), shift


@pytest.mark.parametrize("op", [elementwise.multiply, elementwise.divide], ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", SIGNIFICANDS, ids=str)
def test_products_and_quotients_of_all_pairs_of_significands(dtype, op):
    x, y = significands(dtype)[:, None], significands(dtype)[None, :]
    assert same(wide(run(op, x, y)), FORMATS[dtype].round(reference(ARITHMETIC[op], x, y)))


@pytest.mark.parametrize("op", [elementwise.multiply, elementwise.divide], ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", SIGNIFICANDS, ids=str)
def test_products_and_quotients_that_are_subnormal_or_overflow(dtype, op):
    lowest, highest = (-24, 15) if dtype == FLOAT16 else (-133, 127)
    step = 5 if dtype == FLOAT16 else 1
    for exponent in (*range(lowest - 2, lowest + 12), highest - 1, highest, highest + 1):
        half = exponent // 2
        x = significands(dtype, half)[::step, None]
        y = significands(dtype, exponent - half if op is elementwise.multiply else half - exponent)[None, ::step]
        assert same(wide(run(op, x, y)), FORMATS[dtype].round(reference(ARITHMETIC[op], x, y))), exponent


@pytest.mark.parametrize("op", ARITHMETIC, ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", SIGNED, ids=str)
@given(data=st.data())
def test_arithmetic_of_any_two_values(dtype, op, data):
    patterns = st.lists(st.integers(0, 2 ** (8 * dtype.itemsize) - 1), min_size=1, max_size=20)
    x, y = (np.array(data.draw(patterns), f"u{dtype.itemsize}").view(dtype)[:, None] for _ in range(2))
    # float64 has 53 ≥ 2 · 11 + 2 bits: what it rounds away never decides
    assert same(wide(run(op, x, y.T)), FORMATS[dtype].round(reference(ARITHMETIC[op], x, y.T)))


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_square_root_and_reciprocal_of_every_value(dtype):
    for op in (elementwise.sqrt, elementwise.reciprocal, elementwise.square):
        x = representable(op, every_value(dtype))
        assert same(wide(run(op, x)), FORMATS[dtype].round(reference(op.host, x))), op


# Every other ufunc


def floating(op, dtype, operands):
    """The results, or None where the op is not for floating-point numbers."""
    try:
        found = run(op, *operands)
    except TypeError:
        with pytest.raises(TypeError):
            reference(op.host, *operands)
        return None
    return found if isinstance(found, tuple) else (found,)


def check(op, dtype, operands):
    found = floating(op, dtype, operands)
    exact = reference(op.host, *operands)
    for one, want in zip(found, exact if isinstance(exact, tuple) else (exact,), strict=True):
        if one.dtype != dtype:
            # Truth values, exponents, and float_power's float64; float_power is itself exact to some u of float64.
            assert one.dtype == want.dtype
            assert np.allclose(one, want, rtol=1e-12, atol=0, equal_nan=True) if one.dtype.kind == "f" else np.array_equal(one, want)
        else:
            # NumPy's float32 functions err by less than 4 ulp = 8 u, by a few of its least subnormals near zero. float32
            # may overflow or underflow where float64 does not, but then so does the low-precision dtype.
            assert within(one, want, dtype, 8 * U, 4 * 2.0**-149), op


@pytest.mark.parametrize("op", [op for op in UFUNCS if op.rule.operands == 1], ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_functions_of_every_value(dtype, op):
    x = every_value(dtype, finite=False)
    if floating(op, dtype, (x,)) is not None:
        check(op, dtype, (representable(op, x),))


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.0, 3.0, 7.0, -0.25, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("op", [op for op in UFUNCS if op.rule.operands == 2], ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_functions_of_two_values(dtype, op):
    values = every_value(dtype)
    sample = np.concatenate([values[:: max(len(values) // 100, 1)], np.array(SPECIAL, dtype)])
    x, y = sample[:, None], sample[None, :]
    if op.name.removeprefix("standard.") in ("floor_divide", "remainder", "divmod"):
        # Where the quotient is beyond float32's or float64's integers, NumPy's floor of it is of one rounding or another.
        y = np.where(np.abs(wide(x)) > 2.0**20 * np.abs(wide(y)), x, y)
    if floating(op, dtype, (x, y)) is not None:
        check(op, dtype, np.broadcast_arrays(x, y))


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_comparisons_are_exact(dtype):
    values = np.concatenate([every_value(dtype)[:: max(2 ** (8 * dtype.itemsize) // 256, 1)], np.array(SPECIAL, dtype)])
    for other in SIGNED:
        against = np.concatenate([every_value(other)[:: max(2 ** (8 * other.itemsize) // 256, 1)], np.array(SPECIAL, other)])
        for op in (elementwise.equal, elementwise.not_equal, elementwise.less, elementwise.greater_equal):
            assert np.array_equal(run(op, values[:, None], against), reference(op.host, values[:, None], against))


# Which dtype


@pytest.mark.parametrize(("one", "other"), [*itertools.product(LOW, DTYPES)], ids=str)
def test_mixed_dtypes_meet_in_the_promotion_table(one, other):
    x, y = np.array([1, 2, 4], one), np.array([1, 1, 0.5]).astype(other)
    common = PROMOTION.promote(one, other)
    for operands in ((x, y), (y, x), (x, y[0]), (x[0], y)):
        found = run(elementwise.multiply, *operands)
        assert found.dtype == common
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # float8_e8m0fnu has no zero
            wanted = np.multiply(*(z.astype(np.complex128 if kind_of(other) == "complex floating" else np.float64) for z in operands))
        assert np.array_equal(found.astype(wanted.dtype), wanted, equal_nan=True)


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_weak_scalars_take_the_dtype_first(dtype):
    x = np.array([1.0, 2.0, -0.5], dtype)
    for scalar in (0.1, 1 / 3, 1 + 2**-8 + 2**-40, 7, 257, True, -3, 2**24 + 1):
        operand = FORMATS[dtype].round(np.float64(scalar))
        for op, ufunc in ARITHMETIC.items():
            found = run(op, x, scalar)
            assert found.dtype == dtype
            assert same(wide(found), FORMATS[dtype].round(reference(ufunc, x, operand)))
            assert same(wide(run(op, scalar, x)), FORMATS[dtype].round(reference(ufunc, operand, x)))
    rounded = FORMATS[dtype].round(np.float64(0.1))
    assert np.all(run(elementwise.equal, np.array([rounded], dtype), 0.1))  # as np.float16(0.1) == 0.1
    assert run(elementwise.add, x, 1j).dtype == np.complex64


def test_weak_scalars_match_numpy_in_float16():
    x = np.linspace(-9, 9, 1001).astype(np.float16)
    for scalar in (0.1, 3, 2049, 1e-9, -1e5, 2**20, float("inf"), True):
        for op, ufunc in ARITHMETIC.items():
            with np.errstate(all="ignore"):
                assert same(run(op, x, scalar), ufunc(x, scalar))


def test_overflow_warns_as_in_numpy():
    with pytest.warns(RuntimeWarning, match="overflow"):
        HOST.run(elementwise.add, (np.array([6e4], np.float16), np.float16(6e4)), {})
    with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow"):
        HOST.run(elementwise.add, (np.array([6e4], np.float16), np.float16(6e4)), {})
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        HOST.run(elementwise.divide, (np.ones(2, BFLOAT16), np.zeros(2, BFLOAT16)), {})


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_explicit_dtype_is_taken_by_the_operands(dtype):
    x, y = np.array([0.1, 1 + 2**-8 + 2**-40, 3.0]), np.array([1.0, 2.0**-9, 1 / 3])
    for op, ufunc in ARITHMETIC.items():
        found = run(op, x, y, dtype=dtype)
        assert found.dtype == dtype
        rounded = [FORMATS[dtype].round(z) for z in (x, y)]
        assert same(wide(found), FORMATS[dtype].round(reference(ufunc, *rounded)))
    assert run(elementwise.add, np.ones(2, dtype), 1, dtype=np.dtype(np.float64)).dtype == np.float64
    with pytest.raises(TypeError, match="safe"):
        run(elementwise.add, x, y, dtype=dtype, casting="safe")
    with pytest.raises(TypeError):
        run(elementwise.add, np.ones(2, complex), 1, dtype=dtype)


def test_explicit_dtype_matches_numpy_in_float16():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 1000))
    for op, ufunc in ARITHMETIC.items():
        assert same(run(op, x, y, dtype=FLOAT16), ufunc(x, y, dtype=np.float16))


# Where to


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_out_where_and_overlap(dtype):
    x = np.array([1.0, 2.0, 3.0, 4.0], dtype)
    wanted = FORMATS[dtype].round(wide(x) + wide(x)[::-1])
    out = np.full(4, 9, dtype)
    assert run(elementwise.add, x, x[::-1], out=out) is out
    assert same(out, wanted)
    out = np.full(4, 9, dtype)
    where = np.array([True, False, True, False])
    assert run(elementwise.add, x, x[::-1], out=out, where=where) is out
    assert same(out, np.where(where, wanted, FORMATS[dtype].round(np.float64(9))))
    out = np.full((2, 4), 1, dtype)
    run(elementwise.add, x, 1, out=(out,))  # which broadcasts
    assert same(out, np.tile(FORMATS[dtype].round(wide(x) + 1), (2, 1)))
    z = x.copy()
    run(elementwise.add, z[:-1], z[1:], out=z[1:])
    assert same(z[1:], FORMATS[dtype].round(wide(x)[:-1] + wide(x)[1:]))
    run(elementwise.add, x, x[::-1], out=x)
    assert same(x, wanted)


@pytest.mark.parametrize("wider", [np.float32, np.float64, np.complex64])
@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_a_wider_out_takes_the_rounded_result_as_in_numpy(dtype, wider):
    x, y = np.array([1.0, 2.0, 1.0], dtype), np.array([2.0**-5, 2.0**-6, -(2.0**-5)], dtype)
    out = np.full(3, np.pi, wider)
    where = np.array([True, True, False])
    run(elementwise.add, x, y, out=out, where=where)
    assert np.array_equal(out, np.where(where, FORMATS[dtype].round(wide(x) + wide(y)), wider(np.pi)))
    if dtype == FLOAT16:
        assert np.array_equal(out[:2], np.add(x, y, out=np.zeros(3, wider))[:2])


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_wide_operands_round_once_into_a_low_precision_out(dtype):
    middle = FORMATS[dtype].middles[np.searchsorted(FORMATS[dtype].values, 1.0)]  # above 1, an even value
    x = np.array([middle, middle, -middle])
    y = np.array([2.0**-40, -(2.0**-40), -(2.0**-40)])  # which float32 would drop
    out = np.zeros(3, dtype)
    run(elementwise.add, x, y, out=out)
    assert same(out, FORMATS[dtype].round(x + y))
    run(elementwise.add, np.array([2, 3]), np.array([[3], [1]]), out=(out := np.zeros((2, 2), dtype)))
    assert same(out, [[5, 6], [3, 4]])
    out = np.zeros((), dtype)
    run(statistical.sum, np.array([middle, 2.0**-40]), axis=None, out=out)
    assert same(out, FORMATS[dtype].round(np.float64(middle + 2.0**-40)))


def test_out_casting():
    x, y = np.ones(2, BFLOAT16), np.ones(2, np.float32)
    with pytest.raises(TypeError):
        run(elementwise.add, x, x, out=np.zeros(2, np.int32))
    with pytest.raises(TypeError, match="safe"):
        run(elementwise.add, x, y, out=np.zeros(2, BFLOAT16), casting="safe")
    with pytest.raises(TypeError):
        run(elementwise.add, x, 1j, out=np.zeros(2, BFLOAT16))
    with pytest.raises(ValueError, match="broadcast"):
        run(elementwise.add, x, x, out=np.zeros(3, BFLOAT16))
    frozen = np.zeros(2, BFLOAT16)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        run(elementwise.add, x, x, out=frozen)
    out = np.zeros(2, BFLOAT16)
    run(elementwise.absolute, np.array([3 + 4j, 1j]), out=out)  # whose result is real
    assert same(out, [5, 1])
    run(elementwise.less, x, 2, out=(truth := np.zeros(2, bool)))
    assert truth.all()


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_two_results(dtype):
    x = np.array([1.75, -3.5, 0.25, 6.0], dtype)
    fraction, whole = run(elementwise.modf, x)
    assert fraction.dtype == whole.dtype == dtype
    assert same(fraction, np.modf(wide(x))[0])
    assert same(whole, np.modf(wide(x))[1])
    mantissa, exponent = run(elementwise.frexp, x)
    assert (mantissa.dtype, exponent.dtype) == (dtype, np.int32)
    assert same(np.ldexp(wide(mantissa), exponent), x)
    back = run(elementwise.ldexp, mantissa, exponent.astype(np.int64))
    assert back.dtype == dtype
    assert same(back, x)
    assert run(elementwise.ldexp, x, 1).dtype == dtype
    quotient, rest = run(elementwise.divmod_, x, 1.5)
    assert quotient.dtype == rest.dtype == dtype
    assert same(quotient, np.floor_divide(wide(x), 1.5))
    assert same(rest, np.remainder(wide(x), 1.5))
    outs = np.zeros(4, dtype), np.zeros(4, np.int32)
    found = run(elementwise.frexp, x, out=outs)
    assert found[0] is outs[0]
    assert found[1] is outs[1]
    assert same(outs[0], mantissa)
    assert np.array_equal(outs[1], exponent)
    found = run(elementwise.modf, x, out=(None, outs[0]))
    assert found[1] is outs[0]
    assert found[0].dtype == dtype
    assert same(found[0], fraction)


@pytest.mark.parametrize("dtype", [FLOAT16, BFLOAT16], ids=str)
def test_nested_lists(dtype):
    x = np.array([1.0, 2.0], dtype)
    found = run(elementwise.add, [[x[0], x[1]], [x[1], x[0]]], x)
    assert found.dtype == dtype
    assert same(found, [[2, 4], [3, 3]])
    assert run(elementwise.add, x, [1.0, 2.0]).dtype == np.float64  # numbers in lists are strong, as in NumPy
    assert run(elementwise.add, [x[0], 1.0], x).dtype == np.float64
    assert run(elementwise.add, x, [True, False]).dtype == dtype


# Kinds other than elementwise


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_nextafter_and_spacing_are_of_the_dtype(dtype):
    values = FORMATS[dtype].values
    x = values[1:-1].astype(dtype)
    up, down = run(elementwise.nextafter, x, values[-1].astype(dtype)), run(elementwise.nextafter, x, 0.0)
    assert up.dtype == down.dtype == dtype
    assert same(up, values[2:])
    assert same(down, values[:-2])
    assert run(elementwise.nextafter, 1, x).dtype == dtype
    spacing = run(elementwise.spacing, x)
    assert spacing.dtype == dtype
    assert same(spacing, np.diff(values)[1:])
    assert run(elementwise.nextafter, x, np.float32(9)).dtype == np.float32


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_sums_of_ones(dtype):
    for count in (10, 200, 1000):
        x = np.ones(count, dtype)
        wanted = FORMATS[dtype].round(np.float64(count))
        assert same(run(statistical.sum, x, axis=None), wanted)
        assert same(run(statistical.cumsum, x, axis=0), FORMATS[dtype].round(np.arange(1.0, count + 1)))
        assert same(run(elementwise.matmul, x, x), wanted)
        assert same(run(ufunc_op(np.add, "reduce"), x), wanted)
        at = np.zeros(2, dtype)
        run(ufunc_op(np.add, "at"), at, np.zeros(count, int), x)
        assert same(at, [wanted, 0])


@pytest.mark.parametrize("dtype", [FLOAT16, BFLOAT16, np.dtype(ml_dtypes.float8_e4m3fn)], ids=str)
@given(data=st.data())
def test_reductions_accumulate_in_float32(dtype, data):
    count = data.draw(st.integers(1, 300))
    seed = data.draw(st.integers(0, 2**32 - 1))
    x = FORMATS[dtype].round(np.random.default_rng(seed).normal(size=(count, 3))).astype(dtype)
    exact = wide(x)
    size = np.abs(exact).sum(axis=0)
    # A sum of n terms in any order errs by at most (n - 1) u of the sum of their sizes, to first order.
    total = run(statistical.sum, x, axis=0)
    assert total.dtype == dtype
    assert within(total, exact.sum(axis=0), dtype, 0, 1.01 * count * U * size)
    assert within(run(statistical.mean, x, axis=0), exact.mean(axis=0), dtype, U, 1.01 * U * size)
    running = run(statistical.cumsum, x, axis=0)
    assert within(running, exact.cumsum(axis=0), dtype, 0, 1.01 * count * U * size)
    product = run(elementwise.matmul, x.T, x)
    assert within(product, exact.T @ exact, dtype, 0, 1.01 * count * U * (np.abs(exact).T @ np.abs(exact)))
    squares = (exact**2).sum(axis=0)
    # The deviations of the variance err by u of the mean's terms each, and their squares add up like a sum.
    assert within(run(statistical.var, x, axis=0), exact.var(axis=0), dtype, 0, 4 * count * U * (squares + size**2) / count + 2.0**-149)
    assert within(run(statistical.prod, x[:8], axis=0), exact[:8].prod(axis=0), dtype, 1.01 * 8 * U, 2.0**-149)


def test_reductions_with_dtype_and_out():
    x = np.full(1000, 0.1)
    rounded = FORMATS[BFLOAT16].round(np.float64(0.1))
    found = run(statistical.sum, x, axis=None, dtype=BFLOAT16)  # the standard: the elements are cast before they are added
    assert found.dtype == BFLOAT16
    assert within(found, np.float64(1000 * rounded), BFLOAT16, 1000 * U)
    y = np.full(1000, 0.1, BFLOAT16)
    out = np.zeros((), np.float32)
    assert run(statistical.sum, y, axis=None, out=out) is out
    assert abs(float(out) - 1000 * rounded) <= 1000 * U * 1000 * rounded  # not rounded to bfloat16
    assert run(statistical.sum, y, axis=None, dtype=np.dtype(np.float64)).dtype == np.float64
    assert run(statistical.sum, np.ones(3, np.int8), axis=None, out=(low := np.zeros((), BFLOAT16))) is low
    assert low == 3
    found = run(ufunc_op(np.add, "reduceat"), y[:6], np.array([0, 3]), dtype=FLOAT16)
    assert found.dtype == FLOAT16
    assert run(ufunc_op(np.add, "reduceat"), y[:6], np.array([0, 3])).dtype == BFLOAT16
    assert run(ufunc_op(np.add, "outer"), y[:2], np.ones(2, np.int8)).dtype == BFLOAT16
    assert run(ufunc_op(np.add, "outer"), y[:2], 257)[0] == 256
    assert run(statistical.max, y, axis=None, where=y > 0, initial=0.0).dtype == BFLOAT16
    found = run(statistical.sum, np.ones(3, FLOAT8_E8M0FNU), axis=None, where=np.array([True, True, False]))
    assert (found, found.dtype) == (2, FLOAT8_E8M0FNU)


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_joining_and_looking(dtype):
    x = np.arange(1, 7).astype(dtype).reshape(2, 3)
    for op, args in ((manipulation.reshape, ((3, 2),)), (manipulation.transpose, ()), (indexing.getitem, (slice(None, None, -1),))):
        view = run(op, x, *args)
        assert np.shares_memory(view, x)
        assert view.dtype == dtype
    for other in LOW:
        joined = run(manipulation.concatenate, [x, np.ones((1, 3), other)])
        assert joined.dtype == PROMOTION.promote(dtype, other)
        assert same(joined, np.concatenate([wide(x), np.ones((1, 3))]))
    assert run(manipulation.concatenate, [[0.1], [0.2]], dtype=BFLOAT16).dtype == BFLOAT16
    z = x.copy()
    run(indexing.setitem, z, (0, 0), 1 + 2**-3 + 2**-40 if dtype != FLOAT8_E8M0FNU else 2)
    assert float(z[0, 0]) == FORMATS[dtype].nearest(1 + 2**-3 + 2**-40 if dtype != FLOAT8_E8M0FNU else 2)


def test_finding_low_precision():
    for dtype in DTYPES:
        low = dtype in LOW_PRECISION
        for operand in (np.ones(2, dtype), np.ones((), dtype)[()], dtype, [np.ones(2, dtype)], (1, [2, dtype.type(1)])):
            assert has_low_precision([operand]) == low
            assert has_low_precision([1, "x", None, operand]) == low
    assert not has_low_precision([1, 2.0, 1j, True, "bfloat16", None, ..., slice(1), object(), [], ((),)])


def test_kinds_are_distinct():
    assert len({COMPUTE, ELEMENTWISE, FIRST, MOVE, NATIVE, VIEW}) == 6


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_of_two_zeros_numpys_is_chosen(name):
    zeros = np.asarray([0.0, -0.0] * 20, dtype=np.float16)
    expected = getattr(np, name)(zeros, -zeros)
    got = np.asarray(getattr(trnarray, name)(trnarray.asarray(zeros), trnarray.asarray(-zeros)))
    np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))


@pytest.mark.parametrize("scalar", [np.float16(1.5), np.float32(1.5), np.float64(1.5), BFLOAT16.type(1.5), np.int8(3)], ids=repr)
def test_numbers_in_sequences_have_their_dtypes(scalar):
    """Beside a low-precision array: a list of NumPy scalars promotes as an array of them does."""
    x = np.asarray([1, 2], BFLOAT16)
    wanted = PROMOTION.result_type(BFLOAT16, scalar.dtype)
    for operands in ((x, [scalar, scalar]), ((scalar, scalar), x), (x, [[scalar], [scalar]])):
        found = trnarray.add(*(trnarray.asarray(a) if a is x else a for a in operands))
        assert found.dtype == wanted
        np.testing.assert_array_equal(np.asarray(found).astype(np.float64), np.add(*(np.asarray(a).astype(np.float64) for a in operands)))
