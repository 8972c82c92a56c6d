"""What a call draws: distributions against SciPy's with a fixed seed, and the bits that are documented."""

import numpy as np
import pytest
from scipy import stats

from trnarray.backends.counter_based.functions import FUNCTIONS, blocks
from trnarray.backends.counter_based.stream import LANES, Stream

COUNT = 100_000


def stream(seed=0, name="Philox4x32"):
    function = FUNCTIONS[name]
    return Stream(function, (11, 22, 33, 44)[: function.key_words], seed << 40)


# Method, parameters, SciPy's distribution.
CONTINUOUS = [
    ("random", (), stats.uniform),
    ("uniform", (-1.0, 2.0), stats.uniform(-1, 3)),
    ("triangular", (-1.0, 0.5, 2.0), stats.triang(0.5, -1, 3)),
    ("standard_normal", (), stats.norm),
    ("normal", (3.0, 0.5), stats.norm(3, 0.5)),
    ("lognormal", (0.5, 2.0), stats.lognorm(2, scale=np.exp(0.5))),
    ("standard_exponential", (), stats.expon),
    ("exponential", (3.0,), stats.expon(scale=3)),
    ("laplace", (1.0, 2.0), stats.laplace(1, 2)),
    ("logistic", (1.0, 2.0), stats.logistic(1, 2)),
    ("gumbel", (1.0, 2.0), stats.gumbel_r(1, 2)),
    ("standard_cauchy", (), stats.cauchy),
    ("rayleigh", (2.0,), stats.rayleigh(scale=2)),
    ("weibull", (1.5,), stats.weibull_min(1.5)),
    ("pareto", (3.0,), stats.lomax(3)),
    ("power", (0.3,), stats.powerlaw(0.3)),
    ("standard_gamma", (0.1,), stats.gamma(0.1)),
    ("gamma", (2.5, 3.0), stats.gamma(2.5, scale=3)),
    ("chisquare", (3.0,), stats.chi2(3)),
    ("beta", (2.0, 0.5), stats.beta(2, 0.5)),
    ("standard_t", (3.0,), stats.t(3)),
    ("f", (3.0, 7.5), stats.f(3, 7.5)),
    ("wald", (1.0, 2.0), stats.invgauss(0.5, scale=2)),
    ("vonmises", (0.0, 2.0), stats.vonmises(2)),
    ("noncentral_chisquare", (3.0, 1.5), stats.ncx2(3, 1.5)),
]
SLOW = {"standard_gamma", "gamma", "chisquare", "beta", "standard_t", "f", "noncentral_chisquare"}


@pytest.mark.parametrize(("name", "parameters", "reference"), CONTINUOUS)
def test_continuous_distributions(name, parameters, reference):
    drawn = getattr(stream(3), name)(*parameters, size=COUNT // 10 if name in SLOW else COUNT)
    assert drawn.dtype == np.float64
    assert stats.kstest(drawn, reference.cdf).pvalue > 1e-3  # once, of a fixed seed


@pytest.mark.parametrize("name", ["standard_normal", "standard_exponential", "random"])
def test_single_precision_is_double_precision_rounded(name):
    narrow, wide = (getattr(stream(5), name)(COUNT, dtype=dtype) for dtype in (np.float32, np.float64))
    assert narrow.dtype == np.float32
    # Uniform numbers are truncated; of others a probability of 1e-5 is known to 2**-32, and its logarithm to 2e-5.
    np.testing.assert_allclose(narrow, wide, rtol=0, atol=2.0**-24 if name == "random" else 3e-5)
    if name == "random":
        np.testing.assert_array_equal(narrow, np.floor(wide * 2**24) * 2.0**-24)


# Method, parameters, SciPy's distribution.
DISCRETE = [
    ("poisson", (3.0,), stats.poisson(3)),
    ("poisson", (1000.0,), stats.poisson(1000)),
    ("binomial", (10, 0.3), stats.binom(10, 0.3)),
    ("binomial", (1_000_000, 0.3), stats.binom(1_000_000, 0.3)),
    ("negative_binomial", (2.5, 0.4), stats.nbinom(2.5, 0.4)),
    ("geometric", (0.05,), stats.geom(0.05)),
    ("hypergeometric", (50, 60, 40), stats.hypergeom(110, 50, 40)),
    ("logseries", (0.6,), stats.logser(0.6)),
    ("zipf", (2.5,), stats.zipf(2.5)),
    ("integers", (-3, 8), stats.randint(-3, 8)),
]


@pytest.mark.parametrize(("name", "parameters", "reference"), DISCRETE)
def test_discrete_distributions(name, parameters, reference):
    drawn = getattr(stream(4), name)(*parameters, size=COUNT)
    assert drawn.dtype == np.int64
    edges = np.unique(reference.ppf(np.linspace(0.02, 0.98, 25)))
    chances = np.diff([0, *reference.cdf(edges), 1])
    counted = np.bincount(np.searchsorted(edges, drawn), minlength=len(edges) + 1)
    kept = chances > 1e-6
    assert stats.chisquare(counted[kept], chances[kept] * COUNT / chances[kept].sum() * (counted[kept].sum() / COUNT)).pvalue > 1e-3


EXTREME = [
    *[("poisson", (1e12,)), ("poisson", (0.0,)), ("binomial", (0, 0.5)), ("binomial", (9, 1.0)), ("binomial", (9, 0.0))],
    *[("geometric", (1.0,)), ("hypergeometric", (0, 5, 3)), ("hypergeometric", (5, 0, 3)), ("hypergeometric", (5, 4, 0))],
    *[("logseries", (1e-9,)), ("negative_binomial", (1, 1.0))],
]


@pytest.mark.parametrize(("name", "parameters"), EXTREME)
def test_extreme_parameters(name, parameters):
    drawn = getattr(stream(6), name)(*parameters, size=1000)
    want = getattr(np.random.default_rng(1), name)(*parameters, size=1000)
    assert abs(drawn.mean() - want.mean()) <= 5 * want.std() / np.sqrt(500)


def test_integers_are_lemires():
    """A word times the count; where the low word says that it does not count, the word of the next lane."""
    function, below = FUNCTIONS["Philox4x32"], 3 * 2**30 + 1
    draw = stream(7)
    lanes = [blocks(function, draw.key, draw.counter | lane << (32 * function.words - LANES), 500).reshape(-1) for lane in range(40)]
    want = []
    for place in range(500):
        product = next(p for p in (int(words[place]) * below for words in lanes) if p % 2**32 >= 2**32 % below)
        want.append(product >> 32)
    assert draw.integers(below, size=500).tolist() == want


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_integers_of_many_bits_are_products(name):
    """Four words, the highest first, times the count: of arrays, of ranges beyond 2**32, and of Threefry."""
    function, draw = FUNCTIONS[name], stream(7, name)
    lanes = [blocks(function, draw.key, draw.counter | lane << (32 * function.words - LANES), 50).reshape(-1)[:50] for lane in range(4)]
    bits = [sum(int(words[place]) << 32 * (3 - lane) for lane, words in enumerate(lanes)) for place in range(50)]
    for below in (3 * 2**30 + 1, 2**63 + 12345, 2**64 - 1):
        want = [word * below >> 128 for word in bits]
        assert draw.integers(np.full(50, below, object), dtype=np.uint64).tolist() == want
        if below > 2**32 or name != "Philox4x32":
            assert draw.integers(below, size=50, dtype=np.uint64).tolist() == want
    assert draw.integers(-(2**63), 2**63, size=50).tolist() == [(word >> 64) - 2**63 for word in bits]


def test_uniform_numbers_never_are_one():
    words = np.array([0xFFFFFFFF, 0xFFFFFF00, 0xFF, 0], np.uint32)

    def write(out, first, *_):
        out[...] = words[: out.size].reshape(out.shape)

    draw = stream(0)
    fixed = Stream(draw.function._replace(compute=write, compiled=""), draw.key, draw.counter)
    assert fixed.random(4, dtype=np.float32).tolist() == [1 - 2.0**-24, 1 - 2.0**-24, 0, 0]
    assert fixed.random(4)[0] == 1 - 2.0**-53
    assert np.isfinite(fixed.standard_normal(4)).all()
    assert np.isfinite(fixed.standard_exponential(4)).all()


@pytest.mark.parametrize("before", [0, 2**32 - 1000], ids=["from the first", "past 2**32 blocks"])
@pytest.mark.parametrize(
    "draw",
    [
        lambda s, n: s.random(n),
        lambda s, n: s.random(n, dtype=np.float32),
        lambda s, n: s.standard_normal(n, dtype=np.float32),
        lambda s, n: s.integers(3 * 2**30, size=n),
    ],
    ids=["float64", "float32", "normal", "integers"],
)
def test_threads_draw_what_one_draws(monkeypatch, draw, before):
    """Threads begin at blocks of their own, and elements do not depend on how many there are."""
    monkeypatch.setattr("trnarray.backends.counter_based.stream._FOR_A_THREAD", 1 << 14)
    found = []
    for count in (1, 3):
        monkeypatch.setattr("trnarray.backends.threads.available_cpus", lambda count=count: count)
        begin = stream(8)
        found.append(draw(Stream(begin.function, begin.key, begin.counter + before), (1 << 16) + 5))
    assert found[0].tobytes() == found[1].tobytes()
    scale = 3 * 2**30 if found[0].dtype == np.int64 else 1
    assert stats.kstest(found[0] / scale, "norm" if found[0].min() < 0 else "uniform").pvalue > 1e-3


def test_orders_are_uniform():
    """Each of the 24 orders of four elements as often."""
    orders = [tuple(stream(seed).permutation(4).tolist()) for seed in range(6000)]
    assert stats.chisquare(list(map(orders.count, set(orders)))).pvalue > 1e-3
    assert len(set(orders)) == 24


def test_choice_without_replacement_by_weights():
    """As NumPy's, which draws one after the other: the chance of a pair is that of a sequence."""
    p = np.array([0.1, 0.2, 0.3, 0.4, 0.0])
    pairs = [tuple(stream(seed).choice(5, 2, replace=False, p=p).tolist()) for seed in range(5000)]
    chances = {(i, j): p[i] * p[j] / (1 - p[i]) for i in range(4) for j in range(4) if i != j}
    counted = [pairs.count(pair) for pair in chances]
    assert sum(counted) == 5000
    assert stats.chisquare(counted, [5000 * chance for chance in chances.values()]).pvalue > 1e-3
