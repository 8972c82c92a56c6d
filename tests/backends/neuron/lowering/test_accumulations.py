"""Running sums and products, reductions, statistics and norms on the device, against the host engine and float64."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray as xp
from trnarray.backends.dtypes import DTYPES
from trnarray.backends.limits import finfo

from .beside_host import DEVICE, FLOATS, INTEGERS, NATIVE, REAL, VIEWS, U, assert_near, assert_same, parts, place, samples

BOOL, INT32, FLOAT32, COMPLEX64 = (np.dtype(name) for name in ("bool", "int32", "float32", "complex64"))
EXACT = {
    "cumsum": lambda x: xp.cumsum(x, axis=0),
    "cumsum flat": xp.cumsum,
    "cumprod": lambda x: xp.cumprod(x, axis=-1),
    "cumulative_sum": lambda x: xp.cumulative_sum(x, axis=1, include_initial=True),
    "cumulative_prod": lambda x: xp.cumulative_prod(x, axis=0, include_initial=True),
    "diff": lambda x: xp.diff(x, n=2, axis=0),
    "diff ends": lambda x: xp.diff(x, prepend=x[:, :1], append=x[:, 1:2]),
    "ediff1d": xp.ediff1d,
    "sum": lambda x: (xp.sum(x), xp.sum(x, axis=0), xp.sum(x, axis=(0, 1), keepdims=True)),
    "sum narrow": lambda x: xp.sum(x, axis=1, dtype=x.dtype),
    "prod": lambda x: (xp.prod(x), xp.prod(x, axis=0), xp.prod(x, axis=1, initial=2)),
    "max": lambda x: (xp.max(x), xp.max(x, axis=1), xp.max(x, axis=0, initial=3, where=x != x[:1])),
    "min": lambda x: (xp.min(x), xp.min(x, axis=0, keepdims=True)),
    "all": lambda x: (xp.all(x), xp.any(x, axis=0), xp.all(x, axis=1, where=x == x)),
    "count_nonzero": lambda x: xp.count_nonzero(x, axis=1),
    "ptp": lambda x: xp.ptp(x, axis=0),
    "trace": lambda x: xp.trace(x, offset=1),
    "nansum": lambda x: xp.nansum(x, axis=0),
    "nanmax": lambda x: (xp.nanmax(x, axis=0), xp.nanmin(x)),
    "array_equal": lambda x: (xp.array_equal(x, x), xp.array_equal(x, x[:2]), xp.array_equiv(x, x[:1])),
}
EMPTY = {
    "sum": lambda x: xp.sum(x, axis=0),
    "prod": lambda x: xp.prod(x, axis=0),
    "all": lambda x: (xp.all(x, axis=0), xp.any(x, axis=0)),
    "max": lambda x: xp.max(x, axis=0, initial=2),
    "cumsum": lambda x: xp.cumsum(x, axis=0),
    "cumulative_sum": lambda x: xp.cumulative_sum(x, axis=0, include_initial=True),
    "diff": lambda x: xp.diff(x, axis=1),
}


def refused(name, dtype):
    return (dtype == BOOL and name in ("ptp", "sum narrow", "ediff1d")) or (name == "sum narrow" and dtype in FLOATS)


@pytest.mark.parametrize("dtype", [xp.bfloat16, xp.float16], ids=str)
def test_repeated_differences_round_once(dtype):
    """Numbers whose differences need more digits than the dtype has."""
    x = np.random.default_rng(0).standard_normal((4, 30)).astype(dtype)
    assert_same(lambda x: (xp.diff(x, n=3), xp.diff(x, n=2, axis=0, prepend=x[:1])), x)


@pytest.mark.parametrize(
    ("name", "dtype"), [(name, dtype) for number, name in enumerate(EXACT) for dtype in (BOOL, *INTEGERS)[number % 2 :: 2]], ids=str
)
def test_integers_are_exact(name, dtype):
    if refused(name, dtype):
        pytest.skip("not defined, or the dtype says it")
    view = list(VIEWS)[len(name) % len(VIEWS)]
    assert_same(EXACT[name], samples((5, 6), dtype), views=(view,))


@pytest.mark.parametrize("dtype", [FLOAT32, COMPLEX64, np.dtype(np.float16)], ids=str)
@pytest.mark.parametrize("name", [name for name in EXACT if name not in ("cumprod", "cumulative_prod", "prod")])
def test_small_integers_in_floats_are_exact(name, dtype):
    assert_same(EXACT[name], samples((5, 6), dtype, special=False), views=("transposed",))


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize("dtype", [FLOAT32, INT32, COMPLEX64], ids=str)
def test_of_nothing(name, dtype):
    if name == "max" and dtype == COMPLEX64:
        pytest.skip("the bound of a maximum is a real number here")
    assert_same(EMPTY[name], samples((0, 3), dtype))


@pytest.mark.parametrize("dtype", REAL, ids=str)
def test_extremes_with_nan(dtype):
    x = samples((4, 7), dtype)
    assert_same(lambda y: (xp.max(y, axis=0), xp.min(y), xp.nanmax(y, axis=0), xp.nanmin(y), xp.nanmax(y[:0], axis=0, initial=1)), x)


@pytest.mark.parametrize("length", [2, 3, 5, 130, 700])
def test_integers_wrap_in_long_products_and_sums(length):
    x = np.random.default_rng(length).integers(-(2**31), 2**31, (2, length)).astype(INT32)
    with np.errstate(over="ignore"):
        assert_same(lambda y: [function(y, axis=1, dtype=INT32) for function in (xp.cumprod, xp.prod, xp.cumsum)], x)


@pytest.mark.parametrize("shape", [(3, 2, 2), (300, 20, 3), (600, 70), (4, 2, 3, 5)])
def test_reductions_of_what_is_computed_in_the_same_program(shape):
    """Along any axis; small matrices lie on partitions whole."""
    for axis in range(len(shape)):
        assert_same(lambda x, axis=axis: (xp.sum(x + 1, axis=axis), xp.max(x * 2, axis=axis)), samples(shape, FLOAT32, special=False))
        assert_same(lambda x, axis=axis: xp.sum(x, axis=axis, where=x > 2), samples(shape, np.dtype(np.float16), special=False))


ZERO_SUMS = {
    "sum": lambda x, axis: np.sum(x, axis=axis, keepdims=True),
    "sum from -0.0": lambda x, axis: np.sum(x, axis=axis, initial=-0.0),
    "sum from 0.0": lambda x, axis: np.sum(x, axis=axis, initial=0.0, where=x == x),
    "sum of some": lambda x, axis: np.sum(x, axis=axis, where=x != 1),
    "sum of some from -0.0": lambda x, axis: np.sum(x, axis=axis, where=x != 1, initial=-0.0),
    "sum of the first": lambda x, axis: np.sum(x[:1], axis=0),
    "sum of nothing": lambda x, axis: np.sum(x[:0], axis=0, initial=-0.0),
    "sum of no axis": lambda x, axis: np.sum(x, axis=()),
    "mean": lambda x, axis: np.mean(x, axis=axis),
    "mean of some": lambda x, axis: np.mean(x, axis=axis, where=x != 1),
    "nansum": lambda x, axis: np.nansum(x, axis=axis),
    "nanmean": lambda x, axis: np.nanmean(x, axis=axis),
    "median": lambda x, axis: np.median(x[:1], axis=0),
    "average": lambda x, axis: np.average(x, axis=axis),
    "trapezoid": lambda x, axis: np.trapezoid(x, axis=axis or 0),
    "einsum": lambda x, axis: np.einsum("...i->...", x),
    "trace": lambda x, axis: np.trace(x[None, :1] if x.ndim == 1 else x),
    "cumsum": lambda x, axis: np.cumsum(x, axis=axis),
    "reduceat": lambda x, axis: np.add.reduceat(x, [0], axis=axis or 0),
    "add.reduce": lambda x, axis: np.add.reduce(x, axis=axis, initial=None),
    "prod of the first": lambda x, axis: np.prod(x[:1], axis=0),
    "multiply.reduce of the first": lambda x, axis: np.multiply.reduce(x[:1], axis=0, initial=None),
}


@pytest.mark.parametrize("name", ZERO_SUMS)
@settings(max_examples=4)
@given(data=st.data())
def test_zeros_of_sums_have_numpys_sign(name, data):
    """Of few zeros and ones, whose sums are exact: as NumPy has them, zeros of complex numbers too, along any axis."""
    dtype = data.draw(st.sampled_from([FLOAT32, COMPLEX64, np.dtype(np.float16)]))
    shape = data.draw(hnp.array_shapes(max_dims=3, max_side=5))
    part = st.sampled_from([-0.0, -0.0, -0.0, 0.0, 1.0, -1.0])
    x = data.draw(hnp.arrays(dtype, shape, elements=st.builds(complex, part, part) if dtype == COMPLEX64 else part, fill=st.just(-0.0)))
    axis = data.draw(st.sampled_from([None, *range(-len(shape), len(shape))]))
    if dtype == np.float16 and "mean" in name:
        return  # whose quotients NumPy rounds twice
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of means of nothing
        expected = ZERO_SUMS[name](x, axis)
    with xp.config(fallback="error"):
        found = np.asarray(ZERO_SUMS[name](place(x, DEVICE), axis).to_device("cpu"))
    for one, other in zip(parts(found), parts(np.asarray(expected)), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("axis", [-1, 0, 1])
@pytest.mark.parametrize("axes", [(3,), (4, 3), (2, 4, 3), (2, 1, 3), (4, 1)])
def test_areas_between_points_of_other_axes(axes, axis):
    """Points of fewer axes than the values have broadcast to these, as NumPy has it; whole numbers are exact."""
    y = np.arange(24, dtype=FLOAT32).reshape(2, 4, 3)
    points = np.arange(np.prod(axes), dtype=FLOAT32).reshape(axes) ** 2
    found: list[object] = []
    for x, a in ((points, y), (place(points, DEVICE), place(y, DEVICE))):
        try:
            with xp.config(fallback="allow"):
                found.append(np.trapezoid(a, x, axis=axis).tolist())
        except (ValueError, IndexError) as error:
            found.append(type(error))
    assert found[0] == found[1]


@pytest.mark.parametrize("length", [7, 600, 3000])
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running_floats(name, length):
    rng = np.random.default_rng(length)
    x = rng.standard_normal((3, length)).astype(FLOAT32) if name == "cumsum" else rng.uniform(0.9, 1.1, (3, length)).astype(FLOAT32)
    exact = getattr(np, name)(x.astype(np.float64), axis=1)
    got = np.asarray(getattr(xp, name)(place(x, DEVICE), axis=1).to_device("cpu"))
    terms = np.arange(length)
    # kernels.scan: runs of 512 in sequence and their totals; a product errs by one rounding for each factor.
    bound = (513 + terms / 512) * U * np.cumsum(np.abs(x), axis=1) if name == "cumsum" else 1.1 * (terms + 2) * U * exact
    assert np.all(np.abs(got - exact) <= bound)


@pytest.mark.parametrize("dtype", [*FLOATS[::2], FLOAT32, COMPLEX64], ids=str)
def test_means_and_deviations(dtype):
    """A mean is a sum, a quotient and the rounding to the dtype; a variance has the squares' errors besides."""
    x = samples((6, 9), dtype, special=False)
    mask = samples((6, 1), BOOL, 3)
    unit = float(finfo(dtype).eps)
    bound = (8 + np.log2(6) + 2) * U * 18 + unit * 18
    for call in (lambda y, m: xp.mean(y, axis=0), lambda y, m: xp.mean(y, axis=0, where=m), lambda y, m: xp.average(y, axis=0)):
        assert_near(call, bound, x, mask)
    for call in (lambda y, m: xp.var(y, axis=0), lambda y, m: xp.var(y, axis=0, where=m), lambda y, m: xp.std(y, axis=0, correction=1)):
        assert_near(call, 40 * bound, x, mask)


@pytest.mark.parametrize("dtype", [np.dtype(np.int64), np.dtype(np.uint64)], ids=str)
def test_deviations_of_large_integers(dtype):
    """Whose sum of squares float32 does not hold; of elements over the whole range, and of small ones."""
    info = np.iinfo(dtype)
    large = np.array([info.min + number * ((info.max - info.min) // 59) for number in range(60)], dtype).reshape(20, 3).T.copy()
    for x in (large, np.arange(60, dtype=dtype).reshape(3, 20) % 7):
        for name in ("var", "std"):
            found = np.asarray(getattr(xp, name)(place(x, DEVICE), axis=1).to_device("cpu"))
            # One for each term of a sum of pairs, and for mean, deviation, square, quotient and root.
            np.testing.assert_allclose(found, getattr(np, name)(x.astype(np.float64), axis=1), rtol=(2 * 20 + 8) * U)


@pytest.mark.parametrize("dtype", [*FLOATS, np.dtype(np.int16)], ids=str)
def test_statistics_that_skip_nan(dtype):
    x = samples((6, 9), dtype)
    finite = np.where(np.isinf(x.astype(np.float32)), np.zeros((), x.dtype), x)
    unit = float(finfo(dtype).eps) if dtype in FLOATS else 0.0
    bound = 30 * U * 20 + unit * 60
    for name in ("nansum", "nanmean", "nanvar"):
        assert_near(lambda y, name=name: getattr(xp, name)(y, axis=1), bound * (60 if name == "nanvar" else 6), finite)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["mean", "nanmean", "average"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_means_of_complex_numbers_with_infinite_parts(name, count):
    """NumPy divides by a complex number, which makes NaN of the part beside an infinite one, and may change the sign of a zero."""
    extremes = np.float32([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -3.0])
    x = np.full((7, 7, count), complex(-0.0, -0.0) if count == 3 else 1j, np.complex64)
    x[..., 0].real, x[..., 0].imag = np.meshgrid(extremes, extremes)
    with xp.config(fallback="error"):
        found = np.asarray(getattr(xp, name)(place(x, DEVICE), axis=-1).to_device("cpu"))
    wanted = getattr(np, name)(x.astype(np.complex128), axis=-1)
    for part, other in ((found.real, wanted.real), (found.imag, wanted.imag)):
        np.testing.assert_allclose(part, other, rtol=4 * U)  # of sums of three and a quotient
        np.testing.assert_array_equal(np.signbit(part[part == 0]), np.signbit(other[part == 0]))


def test_the_axis_of_an_array_without_axes():
    """NumPy takes it for an array that it has copied to replace NaN."""
    x = samples((), FLOAT32)
    for name in ("nansum", "nanmean", "nanvar", "nanstd"):
        assert_same(lambda y, name=name: getattr(xp, name)(y, axis=-1), x)
        with pytest.raises(xp.exceptions.AxisError):
            getattr(xp, name)(place(x, DEVICE), axis=1)
    with pytest.raises(xp.exceptions.AxisError):
        xp.nanmean(place(samples((), INT32), DEVICE), axis=0)


def test_bools_are_rounded_to_no_decimals():
    x = samples((3,), BOOL)
    assert_same(lambda y: xp.round(y) == 1, x)
    with pytest.raises(TypeError, match="decimals"):
        xp.round(place(x, DEVICE), 1)


def test_of_fewer_elements_than_the_correction():
    with np.errstate(all="ignore"):
        assert_same(lambda x: (xp.mean(x, axis=0), xp.var(x, axis=0), xp.std(x, axis=1, correction=3)), samples((0, 3), FLOAT32))
        for dtype in (FLOAT32, INT32):
            for call in (lambda x: xp.var(x, axis=1, correction=2), lambda x: xp.std(x, correction=9), lambda x: xp.var(x, ddof=7)):
                assert_same(call, samples((3, 2), dtype))
            assert_same(lambda x, m: xp.var(x, axis=1, correction=2, where=m), samples((3, 2), dtype), np.eye(3, 2, dtype=bool))


@pytest.mark.parametrize("ord", [None, 0, 1, 2, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [FLOAT32, COMPLEX64, np.dtype(np.float16), INT32], ids=str)
def test_norms_of_vectors(dtype, ord):
    """Squares, their sum and a root: half the sum's relative error, and the roundings of magnitudes and of the result."""
    x = samples((4, 7), dtype, special=False)
    unit = float(finfo(dtype).eps) if dtype.kind == "f" else 0.0
    assert_near(lambda y: xp.linalg.norm(y, ord, axis=1), (14 * U + unit) * 100, x)


@pytest.mark.parametrize("ord", ["fro", 1, -1, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [FLOAT32, COMPLEX64, INT32], ids=str)
def test_norms_of_matrices(dtype, ord):
    x = samples((2, 4, 7), dtype, special=False)
    assert_near(lambda y: xp.linalg.matrix_norm(y, ord=ord, keepdims=True), 14 * U * 100, x, views=("strided",))


@pytest.mark.parametrize("decimals", [-1, 0, 2])
@pytest.mark.parametrize("dtype", [*FLOATS, COMPLEX64], ids=str)
def test_rounds_to_decimals(dtype, decimals):
    with np.errstate(all="ignore"):
        x = samples((4, 6), dtype) * dtype.type(0.375)
    assert_same(lambda y: xp.round(y, decimals), x.astype(dtype))


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if "float8_e" in dtype.name and dtype not in NATIVE], ids=str)
@pytest.mark.parametrize("name", ["cumsum", "cumprod", "sum", "max", "nan_to_num", "var", "round", "ptp"])
def test_carried_dtypes_are_refused_and_never_computed_with_as_words(name, dtype):
    x = place(samples((3, 4), dtype), DEVICE)
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError):
        getattr(xp, name)(x)


def test_writes_results_into_views():
    def call(x, out):
        return xp.cumsum(x, axis=0, out=out), xp.ptp(x, axis=0, out=out[0]), out

    assert_same(call, samples((3, 4), INT32), samples((3, 4), INT32), views=("reversed", "strided"))


@pytest.mark.parametrize("name", ["max", "min", "argmax"])
def test_extremes_of_nothing_are_refused(name):
    with pytest.raises(ValueError, match="identity|empty"):
        getattr(xp, name)(place(samples((0, 3), FLOAT32), DEVICE), axis=0)


def test_every_native_dtype_is_met():
    assert {*REAL, COMPLEX64} == set(NATIVE)


@pytest.mark.parametrize("ord", [3, 0.5, -1, 2.5])
def test_norms_of_any_order(ord):
    """A power, a sum of four and another power, each of a few roundings."""
    x = np.random.default_rng(3).uniform(0.5, 4, (4, 5)).astype(np.float32) * np.array([1, -1, 1j, 1], np.complex64)[:, None]
    for y in (x, x.real[[0, 1, 3]]):
        assert_near(lambda y: xp.linalg.vector_norm(y, axis=0, ord=ord), 24 * U * np.linalg.vector_norm(y, axis=0, ord=ord), y)


def test_deviations_from_given_means():
    x = samples((4, 7), FLOAT32, special=False)
    for y, unit in ((x, 16 * U), (x.astype(np.float16), 2.0**-9), (samples((4, 7), COMPLEX64, special=False), 16 * U)):
        assert_near(lambda y: xp.std(y, axis=1, mean=xp.mean(y, axis=1, keepdims=True), correction=1), 8 * unit, y)
    assert_near(lambda y: xp.var(y, mean=1.5, where=y > 0), 16 * U * 64, x)


@pytest.mark.parametrize("shift", [0, 1])
def test_weights_that_sum_to_zero(shift):
    """Of one of several averages, whichever that is."""
    weights = np.ones((2, 3, 2), np.float32)
    weights[0, :, 0] = [1, -1, 0]
    found = xp.average(xp.ones((2, 3, 2), device=DEVICE), axis=1, weights=xp.asarray(np.roll(weights, shift, (0, 2)), device=DEVICE))
    with pytest.raises(ZeroDivisionError, match="weights sum to zero"):
        found.to_device("cpu")
