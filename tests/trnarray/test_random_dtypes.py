"""Draws of low-precision dtypes, and into given Arrays."""

import ml_dtypes
import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.dtypes import LOW_PRECISION
from trnarray.backends.neuron.fallback.host_call import _below

from .numpy_reference import same

FLOAT8_E8M0FNU = np.dtype(ml_dtypes.float8_e8m0fnu)
DRAWN_LOW = sorted(set(LOW_PRECISION) - {FLOAT8_E8M0FNU}, key=str)


@pytest.mark.parametrize("dtype", DRAWN_LOW, ids=str)
@pytest.mark.parametrize("name", ["standard_normal", "standard_exponential", "standard_gamma"])
def test_low_precision_draws_are_float32_draws_rounded_once(name, dtype):
    shape = (2.0,) if name == "standard_gamma" else ()
    got = getattr(xp.random.default_rng(1), name)(*shape, 10_000, dtype=dtype)
    wide = getattr(np.random.default_rng(1), name)(*shape, 10_000, dtype=np.float32)
    assert got.dtype == dtype
    np.testing.assert_array_equal(np.asarray(got), wide.astype(dtype))
    one = getattr(xp.random.default_rng(1), name)(*shape, dtype=dtype)
    assert (one.dtype, one.shape, float(one)) == (dtype, (), float(wide[:1].astype(dtype)[0]))
    out = xp.zeros(10_000, dtype=dtype)
    assert getattr(xp.random.default_rng(1), name)(*shape, dtype=dtype, out=out) is out
    np.testing.assert_array_equal(np.asarray(out), np.asarray(got))


@pytest.mark.parametrize("dtype", DRAWN_LOW, ids=str)
def test_low_precision_uniform_draws_stay_below_one(dtype):
    drawn = np.asarray(xp.random.default_rng(1).random(100_000, dtype=dtype))
    wide = np.random.default_rng(1).random(100_000, dtype=np.float32)
    assert (wide.astype(dtype) == 1).any()  # rounded to nearest, some of these would be 1
    with np.errstate(invalid="ignore"):  # there are signalling NaN among all bit patterns
        numbers = np.arange(2 ** (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}").view(dtype).astype(np.float64)
    numbers = np.unique(numbers[(numbers >= 0) & (numbers <= 1)])
    np.testing.assert_array_equal(drawn.astype(np.float64), numbers[np.searchsorted(numbers, wide, "right") - 1])
    assert float(xp.max(xp.asarray(drawn))) < 1


@pytest.mark.parametrize("dtype", [xp.float16, xp.bfloat16], ids=str)
def test_low_precision_draws_have_the_moments_of_their_distributions(dtype):
    """Six standard errors of the mean of n draws, and of their variance, plus the 2^-8 by which rounding down biases at most."""
    rng, n = xp.random.default_rng(2026), 200_000
    for x, mean, variance, kurtosis in (
        (rng.random(n, dtype=dtype), 1 / 2, 1 / 12, 1.8),
        (rng.standard_normal(n, dtype=dtype), 0, 1, 3),
        (rng.standard_exponential(n, dtype=dtype), 1, 1, 9),
        (rng.standard_gamma(4.0, n, dtype=dtype), 4, 4, 4.5),
    ):
        values = np.asarray(x).astype(np.float64)
        assert abs(values.mean() - mean) < 6 * np.sqrt(variance / n) + 2**-8
        assert abs(values.var() - variance) < 6 * variance * np.sqrt((kurtosis - 1) / n) + 2**-8 * variance


@pytest.mark.parametrize("dtype", sorted(LOW_PRECISION, key=str), ids=str)
def test_low_precision_parameters_are_taken_exactly(dtype):
    loc, scale = np.array([0.5, 2.0]).astype(dtype), np.array(0.25).astype(dtype)
    got = xp.random.default_rng(1).normal(xp.asarray(loc), xp.asarray(scale))
    same(got, np.random.default_rng(1).normal([0.5, 2.0], 0.25))
    shares, probabilities = np.array([1.0, 2.0]).astype(dtype), np.array([0.5, 0.25]).astype(dtype)
    same(xp.random.default_rng(1).dirichlet(xp.asarray(shares)), np.random.default_rng(1).dirichlet([1.0, 2.0]))
    got = xp.random.default_rng(1).multinomial(9, [xp.asarray(probabilities)[0], 0.25, 0.25])
    same(got, np.random.default_rng(1).multinomial(9, [0.5, 0.25, 0.25]))
    same(xp.random.default_rng(1).standard_gamma(xp.asarray(shares)), np.random.default_rng(1).standard_gamma([1.0, 2.0]))


def test_low_precision_covariance():
    cov = np.array([[2.0, 0.5], [0.5, 1.0]])
    got = xp.random.default_rng(1).multivariate_normal(xp.zeros(2, dtype=xp.bfloat16), xp.asarray(cov, dtype=xp.bfloat16), 3)
    assert got.dtype == np.float64
    np.testing.assert_allclose(np.asarray(got), np.random.default_rng(1).multivariate_normal([0, 0], cov, 3), rtol=1e-5)


def test_low_precision_probabilities_may_miss_one_by_their_rounding():
    p = xp.full(10, 0.1, dtype=xp.bfloat16)  # 1.001 in sum
    draws = xp.random.default_rng(1).choice(10, 20_000, p=p)
    counts = np.bincount(np.asarray(draws), minlength=10)
    assert np.abs(counts - 2000).max() < 6 * np.sqrt(20_000 * 0.1 * 0.9)  # six standard deviations
    assert xp.random.RandomState(1).choice(10, p=p).dtype == np.int64
    with pytest.raises(ValueError, match="divide them by their sum"):
        xp.random.default_rng(1).choice(10, p=p * 2)


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
def test_powers_of_two_are_not_drawn(name):
    with pytest.raises(TypeError, match="neither zero nor signs"):
        getattr(xp.random.default_rng(0), name)(3, dtype=FLOAT8_E8M0FNU)


# out


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
@pytest.mark.parametrize("dtype", [xp.float32, xp.float64, xp.bfloat16], ids=str)
def test_out_is_written_and_returned(name, dtype):
    base = xp.zeros((3, 4), dtype=dtype)
    out = base[1]
    assert getattr(xp.random.default_rng(4), name)(dtype=dtype, out=out) is out
    same(out, np.asarray(getattr(xp.random.default_rng(4), name)(4, dtype=dtype)))
    assert bool(xp.all(base[1] == out))
    assert not bool(xp.any(base[0]))
    detached = xp.zeros(3, dtype=dtype)[0]
    assert getattr(xp.random.default_rng(4), name)(dtype=dtype, out=detached) is detached
    assert float(detached) == float(out[0])
    with pytest.raises(ValueError, match="size"):
        getattr(xp.random.default_rng(4), name)(3, dtype=dtype, out=out)
    for other in (xp.float32, xp.float64, xp.bfloat16, xp.float16):
        if other is not dtype:
            with pytest.raises(TypeError, match=r"give dtype="):
                getattr(xp.random.default_rng(4), name)(dtype=other, out=out)


def test_out_defaults_to_the_default_dtype():
    out = xp.zeros(3)
    same(xp.random.default_rng(4).standard_gamma(2.0, out=out), np.random.default_rng(4).standard_gamma(2.0, 3))
    host = np.zeros(3)
    assert xp.random.default_rng(4).standard_gamma(2.0, out=host) is host
    with pytest.raises(TypeError, match="out is an Array"):
        xp.random.default_rng(4).random(out=[1.0, 2.0])


def test_uniform_draws_stay_below_their_end_on_a_device():
    """Leading bits of a draw, each with the largest rest: float32 rounds the last one to 1. The suite random has all 2**24."""
    leading = np.concatenate([np.arange(0.0, 2**24, 1021), np.arange(2**24 - 5000.0, 2**24)])
    for rest in (0.0, 0.5, 1 - 2.0**-29):
        draws = (leading + rest) * 2.0**-24
        found = _below(draws, np.dtype(np.float32), 1.0)
        assert found.dtype == np.float32
        assert found.max() < 1
        np.testing.assert_array_equal(found[:-1], draws[:-1].astype(np.float32))
    below = np.nextafter(1.0, 0)
    rng = xp.random.default_rng(1)
    draws = {"random": lambda *_, **__: np.array([below, 0.25]), "uniform": lambda *_, **__: np.float64(below)}
    rng._hold(type("Generator", (), draws)(), shared=False)
    with xp.config(fallback="allow"):
        found = rng.random(2, device="sim:trn2")
        assert found.dtype == xp.float32
        assert found.tolist() == [1 - 2.0**-24, 0.25]
        assert float(rng.uniform(device="sim:trn2")) == 1 - 2.0**-24


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_stochastic_rounding_goes_to_the_neighbors_by_their_distance(device):
    """Of n draws each share is within five standard errors; numbers that bfloat16 has stay, and so do infinities and NaN."""
    n, low, high = 40_000, np.float32(-1.5), np.float32(-1.4921875)  # neighbors in bfloat16
    rng = xp.random.default_rng(8, device=device)
    with xp.config(fallback="error"):
        for share in (0.1, 0.5, 0.93):
            number = np.float32(low + share * (high - low))
            exact = (float(number) - float(low)) / (float(high) - float(low))
            rounded = rng.round_to_bfloat16(xp.full(n, number, dtype=xp.float32, device=device))
            found = np.asarray(rounded.to_device("cpu")).astype(np.float32)
            assert set(found) == {low, high}
            assert abs(np.mean(found == high) - exact) < 5 * np.sqrt(exact * (1 - exact) / n)
        fixed = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 2.0**-130, 2.0**-126, 3.3895314e38], np.float32)
        payload = np.array([0x7FC00001, 0xFFFFFFFF], np.uint32).view(np.float32)  # NaN with bits that bfloat16 has not
        found = np.asarray(rng.round_to_bfloat16(xp.asarray(np.append(fixed, payload), device=device)).to_device("cpu"))
    np.testing.assert_array_equal(found[: fixed.size].astype(np.float32), fixed.astype(ml_dtypes.bfloat16).astype(np.float32))
    assert np.array_equal(np.signbit(found[:2].astype(np.float32)), [False, True])
    assert np.isnan(found[fixed.size :].astype(np.float32)).all()


@pytest.mark.parametrize("depth", [64, 128, 512])
def test_products_rounded_at_random_err_by_nothing_on_average(depth):
    """
    Of bfloat16 matrices, 2^14 results: what a peer asks of K up to 512.

    Each errs by less than a spacing of bfloat16, 2^-7 of it, so that the mean of n errors is within five times 2^-7 / sqrt(n) of theirs.
    """
    rng = np.random.default_rng(depth)
    a, b = (rng.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in ((128, depth), (depth, 128)))
    exact = a.astype(np.float64) @ b.astype(np.float64)
    wide = xp.einsum("ij,jk->ik", *[xp.asarray(one, device="sim:trn2") for one in (a, b)], dtype=xp.float32)
    found = np.asarray(xp.random.default_rng(depth, device="sim:trn2").round_to_bfloat16(wide).to_device("cpu")).astype(np.float64)
    assert np.all(np.abs(found - exact) <= 2.0**-7 * np.abs(exact) + (depth + 2) * 2.0**-24 * (abs(a.astype(float)) @ abs(b.astype(float))))
    assert abs(np.mean(found - exact)) < 5 * 2.0**-7 * np.sqrt(np.mean(exact**2) / exact.size)


def test_stochastic_rounding_takes_float32():
    rng = xp.random.default_rng(1)
    for x in (xp.ones(3), xp.ones(3, dtype=xp.int32), np.ones(3, np.float32)):
        with pytest.raises(TypeError, match="takes an Array of float32, not (float64|int32|ndarray)"):
            rng.round_to_bfloat16(x)
