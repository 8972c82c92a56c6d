"""What trnrand has, by its names and with the inputs of its own tests: the counterparts here, on a device and without fallbacks."""

import inspect

import numpy as np
import pytest
from scipy import special as scipy_special
from scipy.stats import qmc as scipy_qmc

import trnarray as xp
from trnarray.random import Generator, Philox4x32, Threefry4x32
from trnarray.scipy.stats import qmc

DEVICE = "sim:trn2"


@pytest.fixture(autouse=True)
def _without_fallbacks():
    with xp.config(fallback="error", host_transfer="allow"), xp.default_device(DEVICE):
        yield


def fetched(x):
    assert x.device == DEVICE
    return np.asarray(x.to_device("cpu")).astype(np.float64)


def moments(x):
    x = fetched(x)
    return x.mean(), x.var()


@pytest.mark.parametrize("seed", [42, 123])
def test_uniform_normal_standard_normal_exponential(seed):
    rng, count = xp.random.default_rng(seed), 50_000
    for drawn, mean, variance in (
        (rng.uniform(0.0, 1.0, count), 1 / 2, 1 / 12), (rng.normal(0.0, 1.0, count), 0, 1), (rng.standard_exponential(count), 1, 1),
    ):  # fmt: skip
        found = moments(drawn)
        assert abs(found[0] - mean) < 0.012
        assert abs(found[1] - variance) < 0.03


def test_bernoulli_randint_randperm():
    rng = xp.random.default_rng(42)
    assert abs(moments(rng.random(20_000) < 0.3)[0] - 0.3) < 0.015
    assert set(fetched(rng.integers(0, 10, 2000)).tolist()) == set(range(10))
    assert sorted(fetched(rng.permutation(500)).tolist()) == list(range(500))


@pytest.mark.parametrize(("low", "high"), [(-2.0, 2.0), (3.0, 4.0)])
def test_truncated_normal(low, high):
    """By quantiles, with one number for each, in far tails, too; there is no loop of rejections."""
    a, b = (float(scipy_special.ndtr(-end)) for end in (high, low))
    drawn = fetched(-xp.special.ndtri(xp.random.default_rng(42).uniform(a, b, 20_000)))
    assert low - 1e-3 <= drawn.min()
    assert drawn.max() <= high + 1e-3
    want = scipy_special.ndtri(np.linspace(a, b, 200_001))
    assert abs(drawn.mean() + want.mean()) < 0.02


def test_gamma_chi_squared_beta():
    """Of means and variances; and of shapes below 1, which trnrand boosts."""
    rng = xp.random.default_rng(42)
    for drawn, mean, variance in (
        (rng.gamma(2.0, 2.0, 50_000), 4.0, 8.0), (rng.chisquare(6.0, 50_000), 6.0, 12.0), (rng.beta(2.0, 3.0, 50_000), 0.4, 0.04),
        (rng.gamma(0.5, 1.0, 50_000), 0.5, 0.5),
    ):  # fmt: skip
        found = moments(drawn)
        assert abs(found[0] - mean) < 5 * np.sqrt(variance / 50_000)
        assert abs(found[1] - variance) < 0.06 * variance


@pytest.mark.parametrize("lam", [3, 4, 5, 7, 10, 25, 30, 40])
def test_poisson(lam):
    """Exact for all of them, where trnrand rounds normal numbers from 20 on: the third moment tells."""
    drawn = fetched(xp.random.default_rng(42).poisson(lam, 20_000))
    assert abs(drawn.mean() - lam) < 5 * np.sqrt(lam / 20_000)
    assert abs(drawn.var() - lam) < 0.06 * lam
    assert abs(((drawn - lam) ** 3).mean() - lam) < 5 * np.sqrt(15 * lam**3 / 20_000)


def test_into_buffers():
    rng, twin = xp.random.default_rng(42), xp.random.default_rng(42)
    for name in ("random", "standard_normal", "standard_exponential"):
        out = xp.empty((3, 70), dtype=xp.float32)
        view = out[1:]
        assert getattr(rng, name)(out=view, dtype=xp.float32) is view
        np.testing.assert_array_equal(fetched(out)[1:], fetched(getattr(twin, name)((2, 70))))


@pytest.mark.parametrize("ranks", [2, 4])
def test_partitions_and_positions(ranks):
    whole = fetched(Generator(Threefry4x32(42)).random(2048))
    parts = [fetched(Generator(Threefry4x32(42).advance(rank * 512 // ranks)).random(2048 // ranks)) for rank in range(ranks)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    bits = Philox4x32(42)
    rng, saved = Generator(bits), bits.state
    first = fetched(rng.random(10))
    bits.state = saved
    np.testing.assert_array_equal(fetched(rng.random(10)), first)


def test_seeds_have_all_their_bits():
    """Those of trnrand have 24."""
    words = {Philox4x32(seed).random_raw(2).tobytes() for seed in (1, 1 + 2**24, 1 + 2**40, 1 + 2**100)}
    assert len(words) == 4


def test_a_program_made_once_serves_all_launches():
    """GeneratorProgram."""
    rng = xp.random.default_rng(42)
    x = rng.normal(size=1024) + rng.random(1024) * rng.standard_exponential(1024)
    (step,) = xp.explain(x).steps
    assert len(step.stages) >= 3
    fetched(x)


of_recent_scipy = pytest.mark.skipif("rng" not in inspect.signature(scipy_qmc.Sobol).parameters, reason="older SciPy has seed= for rng=")


@of_recent_scipy
@pytest.mark.parametrize(("count", "d"), [(128, 5), (1024, 2)])
def test_sobol(count, d):
    points = fetched(qmc.Sobol(d, rng=42).random(count))
    np.testing.assert_array_equal(points, np.minimum(scipy_qmc.Sobol(d, rng=42).random(count).astype(np.float32), 1 - 2.0**-24))
    assert abs(points.mean() - 0.5) < 0.01


@pytest.mark.parametrize(("count", "d"), [(4, 1), (100, 3), (1000, 5)])
def test_halton(count, d):
    points = fetched(qmc.Halton(d, scramble=False).random(count))
    np.testing.assert_array_equal(points, scipy_qmc.Halton(d, scramble=False).random(count).astype(np.float32))


@of_recent_scipy
@pytest.mark.parametrize(("count", "d"), [(50, 3), (100, 4)])
def test_latin_hypercube(count, d):
    """SciPy's: the host draws it, which is counted."""
    with xp.config(fallback="allow"):
        points = fetched(qmc.LatinHypercube(d, rng=42).random(count))
    assert (np.sort(np.floor(points * count), axis=0) == np.arange(count)[:, None]).all()


def test_multivariate_normal():
    cov = np.array([[2.0, 0.6], [0.6, 1.0]])
    for method in ("svd", "eigh", "cholesky"):
        drawn = fetched(xp.random.default_rng(42).multivariate_normal([1.0, -1.0], cov, size=(20_000,), method=method))
        np.testing.assert_allclose(drawn.mean(axis=0), [1, -1], atol=0.06)
        np.testing.assert_allclose(np.cov(drawn.T), cov, atol=0.1)
        there = np.asarray(Generator(Philox4x32(42), device="cpu").multivariate_normal([1.0, -1.0], cov, size=20_000, method=method))
        np.testing.assert_allclose(drawn, there, rtol=0, atol=2.0**-12)  # a tail of 32 bits, and one of 64
