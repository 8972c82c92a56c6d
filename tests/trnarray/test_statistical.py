"""Reductions, accumulations, quantiles, histograms: as NumPy, and with float32 accumulators as a float64 reference."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray

from .numpy_reference import LOW, PLAIN, UNIT_ROUNDOFF, compare, data, layouts, operands, outcome, same

REDUCTIONS = {
    f"{name}, {how}": case
    for name in ("sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "ptp")
    for how, case in {
        "all": lambda xp, x, name=name: getattr(xp, name)(x),
        "last axis": lambda xp, x, name=name: getattr(xp, name)(x, axis=-1),
        "two axes": lambda xp, x, name=name: getattr(xp, name)(x, axis=(0, -1), keepdims=True),
        "no axis": lambda xp, x, name=name: getattr(xp, name)(x, axis=()),
    }.items()
}
NAN_REDUCTIONS = {
    f"{name}, {how}": case
    for name in ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanstd", "nanvar", "nanmedian")
    for how, case in {
        "all": lambda xp, x, name=name: getattr(xp, name)(x),
        "last axis": lambda xp, x, name=name: getattr(xp, name)(x, axis=-1, keepdims=True),
    }.items()
}
OTHERS = {
    "amax": lambda xp, x: xp.amax(x, 0),
    "amin": lambda xp, x: xp.amin(x, 0),
    "sum to a dtype": lambda xp, x: xp.sum(x, dtype=xp.complex64),
    "sum from a start": lambda xp, x: xp.sum(x, axis=0, initial=5),
    "sum of some": lambda xp, x: xp.sum(x, axis=0, where=x == 1),
    "prod from a start": lambda xp, x: xp.prod(x, initial=2, where=x != 0),
    "max from a start": lambda xp, x: xp.max(x, axis=0, initial=1),
    "max of some": lambda xp, x: xp.max(x, initial=0, where=x != 2),
    "min from a start": lambda xp, x: xp.min(x, axis=-1, initial=0),
    "mean to a dtype": lambda xp, x: xp.mean(x, dtype=xp.complex128),
    "mean of some": lambda xp, x: xp.mean(x, axis=0, where=x != 1),
    "var with ddof": lambda xp, x: xp.var(x, axis=-1, ddof=1),
    "var with correction": lambda xp, x: xp.var(x, correction=0.5),
    "var of some": lambda xp, x: xp.var(x, axis=0, where=x != 1),
    "std about a mean": lambda xp, x: xp.std(x, mean=xp.mean(x, axis=-1, keepdims=True), axis=-1),
    "any of some": lambda xp, x: xp.any(x, where=x == 1),
    "cumsum": lambda xp, x: xp.cumsum(x),
    "cumsum along an axis": lambda xp, x: xp.cumsum(x, axis=-1, dtype=xp.complex128),
    "cumprod": lambda xp, x: xp.cumprod(x, 0),
    "nancumsum": lambda xp, x: xp.nancumsum(x, axis=-1),
    "nancumprod": lambda xp, x: xp.nancumprod(x),
    "cumulative_sum": lambda xp, x: xp.cumulative_sum(x, axis=-1),
    "cumulative_sum from 0": lambda xp, x: xp.cumulative_sum(x, axis=0, include_initial=True),
    "cumulative_sum without axis": lambda xp, x: xp.cumulative_sum(x),
    "cumulative_prod": lambda xp, x: xp.cumulative_prod(x, axis=-1, dtype=xp.complex64),
    "cumulative_prod from 1": lambda xp, x: xp.cumulative_prod(x, axis=-1, include_initial=True),
    "average": lambda xp, x: xp.average(x),
    "average, weighted": lambda xp, x: xp.average(x, axis=-1, weights=x * x + 1, returned=True),
    "average without weight": lambda xp, x: xp.average(x, weights=x * 0),
    "median": lambda xp, x: xp.median(x),
    "median along axes": lambda xp, x: xp.median(x, axis=(0, -1), keepdims=True),
    "quantile": lambda xp, x: xp.quantile(x, 0.3),
    "quantile of many": lambda xp, x: xp.quantile(x, [0, 0.25, 1], axis=-1, method="median_unbiased"),
    "quantile, weighted": lambda xp, x: xp.quantile(x, 0.4, weights=xp.ones(x.shape), method="inverted_cdf", axis=0),
    "quantile out of range": lambda xp, x: xp.quantile(x, 1.1),
    "percentile": lambda xp, x: xp.percentile(x, xp.asarray([[10, 90]]), axis=0, keepdims=True, method="higher"),
    "nanquantile": lambda xp, x: xp.nanquantile(x, [0.1, 0.9], axis=-1),
    "nanpercentile": lambda xp, x: xp.nanpercentile(x, 40),
    "cov": lambda xp, x: xp.cov(x),
    "cov, weighted": lambda xp, x: xp.cov(x, x, rowvar=False, fweights=xp.ones(x.shape[0], dtype=xp.int64), ddof=0),
    "corrcoef": lambda xp, x: xp.corrcoef(x, dtype=xp.complex128),
    "bincount": lambda xp, x: xp.bincount(xp.abs(x) if x.dtype.kind == "i" else x, minlength=3),
    "bincount, weighted": lambda xp, x: xp.bincount(xp.ones(x.shape, dtype=xp.int64), weights=x),
    "digitize": lambda xp, x: xp.digitize(x, [-2, 0, 2], right=True),
    "histogram": lambda xp, x: xp.histogram(x, bins=4),
    "histogram at edges": lambda xp, x: xp.histogram(x, bins=xp.asarray([-3, 0, 1, 3]), density=True),
    "histogram in a range": lambda xp, x: xp.histogram(x, range=(-1, 2), weights=x * x),
    "histogram2d": lambda xp, x: xp.histogram2d(x, x, bins=[2, 3]),
    "histogramdd": lambda xp, x: xp.histogramdd(x, bins=3),
    "histogram_bin_edges": lambda xp, x: xp.histogram_bin_edges(x, bins="sturges"),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", [*REDUCTIONS, *NAN_REDUCTIONS])
def test_reductions_as_numpy(name):
    for x in operands():
        compare((REDUCTIONS | NAN_REDUCTIONS)[name], x)


@pytest.mark.parametrize("name", OTHERS)
def test_others_as_numpy(name):
    for x in operands():
        if (name == "var with correction" and x.size == 0) or (name == "var with ddof" and x.shape[-1:] == (1,)):
            continue
        compare(OTHERS[name], x)


@pytest.mark.parametrize("dtype", [t for t in PLAIN if t.kind in "fc"])
@pytest.mark.parametrize("function", ["var", "std"])
def test_no_degrees_of_freedom_is_nan(function, dtype):
    with np.errstate(all="ignore"), pytest.warns(RuntimeWarning, match="Degrees of freedom"):
        result = getattr(trnarray, function)(trnarray.ones((3, 1), dtype=dtype), axis=1, correction=2)
    assert np.isnan(np.asarray(result)).all()
    with pytest.raises(ValueError, match="provided simultaneously"):
        getattr(trnarray, function)(trnarray.ones(3), ddof=1, correction=1)


# Sums in float32 of n terms err by at most n unit roundoffs of the sum of magnitudes (Higham, Accuracy and Stability of
# Numerical Algorithms, 4.2); what is made of a few of them, by a small multiple of that. Then one rounding to the dtype.
ACCUMULATIONS = {
    "sum": lambda xp, x: xp.sum(x, axis=-1),
    "mean": lambda xp, x: xp.mean(x, axis=-1),
    "var": lambda xp, x: xp.var(x, axis=-1),
    "std": lambda xp, x: xp.std(x, axis=-1, correction=1),
    "cumulative_sum": lambda xp, x: xp.cumulative_sum(x, axis=-1),
    "cumsum": lambda xp, x: xp.cumsum(x, axis=-1),
    "nansum": lambda xp, x: xp.nansum(x, axis=-1),
    "nanmean": lambda xp, x: xp.nanmean(x, axis=-1),
    "average": lambda xp, x: xp.average(x, axis=-1),
    "median": lambda xp, x: xp.median(x, axis=-1),
    "quantile": lambda xp, x: xp.quantile(x, 0.375, axis=-1),
    "sum of some": lambda xp, x: xp.sum(x, axis=-1, where=x > 0, initial=1),
}


@pytest.mark.parametrize("dtype", LOW)
@pytest.mark.parametrize("name", ACCUMULATIONS)
def test_low_precision_rounds_once(name, dtype):
    n = 1000
    base = np.random.default_rng(5).standard_normal((3, n)).astype(dtype)
    case = ACCUMULATIONS[name]
    for x in layouts(base):
        exact = x.astype(np.float64)
        got = case(trnarray, trnarray.asarray(x))
        want = case(np, exact)
        assert (got.dtype, got.shape) == (dtype, want.shape)
        accumulated = 4 * n * 2.0**-24 * np.abs(exact).sum() / len(x)
        tolerance = UNIT_ROUNDOFF[dtype] * np.abs(want) + (accumulated if "sum" in name else accumulated / n)
        assert (np.abs(np.asarray(got).astype(np.float64) - want) <= tolerance).all()


@pytest.mark.parametrize("dtype", LOW)
def test_a_thousand_ones(dtype):
    ones = trnarray.ones(1000, dtype=dtype)
    assert float(trnarray.sum(ones)) == 1000
    assert float(trnarray.cumulative_sum(ones)[-1]) == 1000
    assert float(trnarray.mean(ones * 300)) == 300  # whose sum is no float16
    assert trnarray.sum(ones, dtype="float64").dtype == np.float64
    assert trnarray.sum(trnarray.ones(3), dtype=dtype).dtype == dtype
    out = trnarray.zeros((), dtype=dtype)
    assert trnarray.sum(ones, out=out) is out
    assert float(out) == 1000


@pytest.mark.parametrize("dtype", LOW)
def test_extrema_are_exact(dtype):
    for x in layouts(data((3, 5), dtype)):
        for name in ("max", "min", "ptp", "any", "all", "nanmax"):
            want = getattr(np, name)(x.astype(np.float32), axis=0)
            same(getattr(trnarray, name)(trnarray.asarray(x), axis=0), want.astype(dtype) if want.dtype == np.float32 else want)
    assert trnarray.histogram(trnarray.asarray([1.0, 2.0, 2.0], dtype=dtype), bins=2)[0].tolist() == [1, 2]


@pytest.mark.parametrize(
    "name", ["sum", "prod", "max", "min", "mean", "std", "var", "nansum", "nanmax", "median", "cumsum", "cumprod", "ptp"]
)
def test_out(name):
    x = np.arange(6.0).reshape(2, 3)
    want = getattr(np, name)(x, axis=0)
    out = trnarray.empty(want.shape)
    assert getattr(trnarray, name)(trnarray.asarray(x), axis=0, out=out) is out
    np.testing.assert_array_equal(out, want)
    with pytest.raises(ValueError, match="shape|dimension"):
        getattr(trnarray, name)(trnarray.asarray(x), axis=0, out=trnarray.empty(7))


def test_results_are_detached():
    total = trnarray.sum(trnarray.ones(3))
    kept = total
    total += 1
    assert (float(kept), float(total)) == (3.0, 4.0)


def test_lists_and_scalars():
    for name in ("sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "median", "cumsum", "ptp"):
        same(getattr(trnarray, name)([[1, 2], [3, 5]]), getattr(np, name)([[1, 2], [3, 5]]))
        same(getattr(trnarray, name)(2.5), getattr(np, name)(2.5))
    same(trnarray.std([1.0, 3.0], ddof=1), np.std([1.0, 3.0], ddof=1))


def test_nothing_to_reduce():
    for name in ("max", "min"):
        with pytest.raises(ValueError, match="zero-size array"):
            getattr(trnarray, name)(trnarray.zeros((0, 3)), axis=0)
    with np.errstate(invalid="ignore"), pytest.warns(RuntimeWarning, match="empty slice"):
        assert np.isnan(float(trnarray.mean(trnarray.zeros(0))))


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=4, max_side=5), elements=st.floats(-1e6, 1e6)), st.data())
def test_any_axes(x, choose):
    axes = choose.draw(st.lists(st.integers(-x.ndim, x.ndim - 1), unique_by=lambda i: i % x.ndim).map(tuple))
    keepdims = choose.draw(st.booleans())
    where = choose.draw(hnp.arrays(bool, x.shape))
    ours = trnarray.asarray(x)
    for name in ("sum", "prod", "max", "min", "mean", "var"):
        with np.errstate(all="ignore"):
            same(getattr(trnarray, name)(ours, axis=axes, keepdims=keepdims), getattr(np, name)(x, axis=axes, keepdims=keepdims))
    same(trnarray.sum(ours, axis=axes, where=where, initial=1), np.sum(x, axis=axes, where=where, initial=1))
    same(trnarray.max(ours, axis=axes, where=where, initial=-7), np.max(x, axis=axes, where=where, initial=-7))


@pytest.mark.parametrize("name", ["sum", "max", "mean", "cumulative_sum", "median"])
def test_a_wrong_axis_is_numpys_error(name):
    for axis in (2, -3, "x", 1.5):
        want = outcome(lambda x, axis=axis: getattr(np, name)(x, axis=axis), np.ones((2, 2)))[1]
        with pytest.raises(type(want)):
            getattr(trnarray, name)(trnarray.ones((2, 2)), axis=axis)
