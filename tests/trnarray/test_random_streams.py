"""Counter-based draws: one stream on every device, whatever the order of evaluation."""

import copy
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import trnarray as xp
from trnarray.random import Generator, Philox4x32, Threefry2x32, Threefry4x32

DEVICES = ("cpu", "sim:trn1", "sim:trn2", "sim:trn3")
BITS = (Philox4x32, Threefry4x32, Threefry2x32)
# Method, parameters.
NATIVE = {
    "random": (),
    "standard_normal": (),
    "standard_exponential": (),
    "standard_gamma": (2.5,),
    "standard_cauchy": (),
    "standard_t": (4.0,),
    "normal": (1.0, 2.0),
    "lognormal": (0.5, 0.25),
    "laplace": (1.0, 2.0),
    "logistic": (1.0, 2.0),
    "gumbel": (1.0, 2.0),
    "uniform": (-1.0, 3.0),
    "exponential": (3.0,),
    "rayleigh": (2.0,),
    "weibull": (1.5,),
    "pareto": (3.0,),
    "power": (0.5,),
    "gamma": (2.5, 3.0),
    "beta": (2.0, 3.0),
    "chisquare": (5.0,),
    "f": (3.0, 7.5),
    "poisson": (4.0,),
    "binomial": (10, 0.3),
    "negative_binomial": (3, 0.4),
    "geometric": (0.2,),
    "hypergeometric": (20, 30, 10),
    "logseries": (0.6,),
    "integers": (-7, 100),
}
# Parameters that are arrays, of three elements, or numbers that no table takes.
ARRAYS = {
    "standard_gamma": ([0.3, 1.0, 2.5],),
    "gamma": (2.5, [1.0, 2.0, 3.0]),
    "beta": ([0.3, 2.0, 5.0], [0.2, 3.0, 50.0]),
    "f": (3.0, [7.0, 2.0, 0.75]),
    "standard_t": ([0.5, 3.0, 50.0],),
    "noncentral_chisquare": ([3.0, 0.5, 1.0], 1.5),
    "wald": (1.0, [0.5, 2.0, 100.0]),
    "vonmises": ([0.5, -3.0, 0.0], [0.125, 2.0, 100.0]),
    "triangular": ([-1.0, 0.0, -2.0], 0.5, 2.0),
    "pareto": ([0.25, 3.0, 10.0],),
    "poisson": ([0.5, 4.0, 1e4],),
    "binomial": ([1, 10, 1000], 0.25),
    "negative_binomial": ([3.0, 0.125, 100.0], 0.5),
    "geometric": ([0.875, 0.25, 2.0**-10],),
    "hypergeometric": ([20, 500, 2], [30, 600, 2], [10, 400, 2]),
    "logseries": ([2.0**-7, 0.5, 0.99],),
    "zipf": (2.5,),
    "integers": ([-3, 0, 5], [4, 2**30, 6]),
}
VECTORS = {
    "dirichlet": ([0.25, 1.0, 5.0],),
    "multinomial": ([5, 20, 1000], [0.25, 0.125, 0.625]),
    "multivariate_hypergeometric": ([5, 8], 6),
}
COMPOSED = {"lognormal": 2.0**-20}  # of a function of float32 that has an error of its own


def fetched(x):
    return np.asarray(x.to_device("cpu"))


@pytest.mark.parametrize(
    ("name", "device"), [(name, "sim:trn2") for name in NATIVE] + [(name, d) for name in [*NATIVE][::4] for d in ("sim:trn1", "sim:trn3")]
)
def test_draws_are_those_of_the_cpu(name, device):
    """In float32 where the cpu has float64: to a few roundings of the value, or of a typical one; counts and integers exactly."""
    with xp.config(fallback="error"):
        got = fetched(getattr(Generator(Philox4x32(3), device=device), name)(*NATIVE[name], size=(30, 41)))
    want = np.asarray(getattr(Generator(Philox4x32(3), device="cpu"), name)(*NATIVE[name], size=(30, 41)))
    if want.dtype.kind == "i":
        assert got.dtype == np.int32
        np.testing.assert_array_equal(got, want)
    else:
        assert got.dtype == np.float32
        error = np.abs(got - want) / (np.abs(want) + np.median(np.abs(want)))
        assert error.max() < COMPOSED.get(name, 2.0**-21) * 2


def of_arrays(name, device, size=(6, 3), defaults="native", bits=Philox4x32, **state):
    """Draw, with parameters that are arrays on the device."""
    dtype = np.float64 if device == "cpu" or defaults == "numpy" else np.float32
    with xp.config(fallback="error", host_transfer="allow", defaults=defaults):
        given = ARRAYS.get(name) or VECTORS[name]
        dtypes = [None if type(item) is not list or type(item[0]) is int else dtype for item in given]
        given = [xp.asarray(item, dtype=dt, device=device) if type(item) is list else item for item, dt in zip(given, dtypes, strict=True)]
        return fetched(getattr(Generator(bits(3, **state), device=device), name)(*given, size=size))


def check_equal(got, want, units):
    """Counts exactly; numbers to some units of the dtype of the value or of a typical one."""
    if want.dtype.kind == "i":
        np.testing.assert_array_equal(got, want)
    else:
        error = np.abs(got - want) / (np.abs(want) + np.median(np.abs(want)))
        assert error.max() < units * np.finfo(got.dtype).eps


@pytest.mark.parametrize(
    "name", ["standard_gamma", "beta", "vonmises", "wald", "poisson", "hypergeometric", "logseries", "zipf", "integers", "multinomial"]
)
def test_arrays_of_parameters_give_the_cpus_numbers(name):
    """
    Exponentials, powers and arctangents have errors of 1 to 2 units; exponents multiply them by what they are: below 20 here.

    The suite random compares all distributions.
    """
    check_equal(of_arrays(name, "sim:trn2"), of_arrays(name, "cpu"), 64)


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn3"])
def test_arrays_of_parameters_give_the_cpus_numbers_on_other_targets(device):
    for name in ("gamma", "vonmises", "poisson"):
        check_equal(of_arrays(name, device), of_arrays(name, "cpu"), 64)


def test_arrays_of_parameters_in_double_precision():
    check_equal(of_arrays("standard_gamma", "sim:trn2", defaults="numpy"), of_arrays("standard_gamma", "cpu"), 64)
    with xp.config(fallback="error", defaults="numpy"):
        got = fetched(Generator(Philox4x32(3), device="sim:trn2").beta(2.0, 3.0, size=50))
    np.testing.assert_array_equal(got, np.asarray(Generator(Philox4x32(3), device="cpu").beta(2.0, 3.0, size=50)))


@pytest.mark.parametrize("bits", BITS)
def test_arrays_of_parameters_take_as_many_words_as_others(bits):
    """Ranks share the stream, also where the counters of tries cross a multiple of 2**32."""
    each = 24 // bits(3)._function.words
    for name in ("gamma", "hypergeometric", "multinomial"):
        size = (16, 3) if name != "multinomial" else (12, 3)
        taken = each if name != "multinomial" else each * 3  # the next power of two of outcomes for a vector of three
        for counter in (0, (1 << 27) - 3, (1 << 32) // 48 - 3):
            whole = of_arrays(name, "cpu", size, bits=bits, counter=counter)
            half = len(whole) // 2
            other = of_arrays(name, "cpu", (size[0] // 2, 3), bits=bits, counter=counter + taken)
            np.testing.assert_array_equal(whole[half:], other)


def test_tries_beyond_what_counters_carry_are_the_cpus():
    """One of the elements has tries before the multiple of 2**32 and behind it; those that follow begin anew."""
    where = (1 << 32) // 48 - 3
    np.testing.assert_array_equal(of_arrays("binomial", "sim:trn2", counter=where), of_arrays("binomial", "cpu", counter=where))


REFERENCES = {
    "standard_gamma": stats.gamma,
    "beta": stats.beta,
    "standard_t": stats.t,
    "noncentral_chisquare": stats.ncx2,
    "poisson": stats.poisson,
    "binomial": stats.binom,
    "negative_binomial": stats.nbinom,
    "geometric": stats.geom,
    "logseries": stats.logser,
    "hypergeometric": lambda good, bad, sample: stats.hypergeom(good + bad, good, sample),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_arrays_of_parameters_have_their_distributions(name):
    """Kolmogorov and Smirnov, or chi-square; a sound generator fails one of 30 in 3 * 10**5 runs."""
    drawn = of_arrays(name, "cpu", (4000, 3))
    for place in range(3):
        reference = REFERENCES[name](*[item[place] if isinstance(item, list) else item for item in ARRAYS[name]])
        column = drawn[:, place]
        if column.dtype.kind == "f":
            assert stats.kstest(column, reference.cdf).pvalue > 1e-7
            continue
        edges = np.unique(reference.ppf(np.linspace(0, 1, 12)[1:-1]))
        chances = np.diff([0.0, *reference.cdf(edges), 1.0])
        counted = np.bincount(np.searchsorted(edges, column), minlength=len(chances))
        kept = chances > 1e-9
        assert not counted[~kept].any()
        if kept.sum() > 1:
            assert stats.chisquare(counted[kept], chances[kept] / chances[kept].sum() * len(column)).pvalue > 1e-7


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_the_stream_does_not_depend_on_device_order_or_partition(data):
    """Several draws, of which some are looked at early, or in another order, or that several generators share out."""
    bits = data.draw(st.sampled_from(BITS))
    shapes = data.draw(st.lists(st.sampled_from([(), (0,), (1,), (5,), (2, 3), (129,), (1024,)]), min_size=1, max_size=4))
    device = data.draw(st.sampled_from(DEVICES))
    one, other = Generator(bits(9), device="cpu"), Generator(bits(9), device=device)
    want = [np.asarray(one.random(shape, dtype=xp.float32)) for shape in shapes]
    drawn = [other.random(shape, dtype=xp.float32) for shape in shapes]
    for place in data.draw(st.permutations(range(len(shapes)))):
        np.testing.assert_array_equal(fetched(drawn[place]), want[place])
    parts = data.draw(st.sampled_from([1, 2, 4]))
    count = data.draw(st.integers(1, 200)) * 4
    whole = np.asarray(Generator(bits(9)).random(parts * count, dtype=xp.float32))
    each = count // one.bit_generator._function.words
    shared = [fetched(Generator(bits(9).advance(rank * each), device=device).random(count, dtype=xp.float32)) for rank in range(parts)]
    np.testing.assert_array_equal(np.concatenate(shared), whole)


def test_a_program_draws_what_calls_one_by_one_draw():
    def program(rng):
        x, y = rng.standard_normal(500), rng.random(500)
        return x * y + rng.standard_exponential(500)

    together = fetched(program(Generator(Philox4x32(1), device="sim:trn2")))
    rng = Generator(Philox4x32(1), device="sim:trn2")
    parts = [fetched(draw(500)) for draw in (rng.standard_normal, rng.random, rng.standard_exponential)]
    np.testing.assert_array_equal(together, parts[0] * parts[1] + parts[2])


def test_one_program_serves_all_seeds_and_counters():
    launcher = xp.backends.engine.engine_for(xp.backends.device.parse_device("sim:trn2")).planner
    rng = Generator(Philox4x32(1), device="sim:trn2")
    fetched(rng.standard_normal(321))
    misses = launcher.misses
    fetched(rng.standard_normal(321))
    fetched(Generator(Philox4x32(2), device="sim:trn2").standard_normal(321))
    assert launcher.misses == misses


# Parameters


def test_arrays_of_parameters():
    """Those of 64 bits are rounded to the float32 of the draws."""
    for first, second in (("float32", "float32"), ("float64", "int64")):
        loc = xp.asarray([[0.0], [100.0]], dtype=getattr(xp, first), device="sim:trn2")
        scale = xp.asarray([1, 2, 3], dtype=getattr(xp, second), device="sim:trn2")
        with xp.config(fallback="error"):
            got = Generator(Philox4x32(4)).normal(loc, scale)
        assert (got.device, got.dtype) == ("sim:trn2", xp.float32)
        want = np.asarray(Generator(Philox4x32(4)).normal([[0.0], [100.0]], [1.0, 2.0, 3.0]))
        np.testing.assert_allclose(fetched(got), want, rtol=2.0**-22, atol=2.0**-20)


WRONG = [
    *[("normal", (0.0, -1.0)), ("exponential", (-1.0,)), ("gamma", (-1.0,)), ("beta", (0.0, 1.0)), ("poisson", (-1.0,))],
    *[("binomial", (-1, 0.5)), ("binomial", (5, 1.5)), ("integers", (5, 5)), ("hypergeometric", (5, 5, 11))],
    *[("standard_t", (0.0,)), ("triangular", (1.0, 0.0, 2.0)), ("lognormal", (0.0, -1.0)), ("zipf", (1.0,)), ("vonmises", (0.0, -1.0))],
]
WRONG_ARRAYS = [
    *[("gamma", ([1.0, -1.0, 1.0],)), ("integers", ([0, 3, 1], [1, 3, 2])), ("hypergeometric", ([5], 5, 11)), ("zipf", ([2.0, 3.0, 0.5],))],
    *[("binomial", ([3], 1.5)), ("wald", (1.0, [0.0])), ("multinomial", ([1, 2, -1], [0.5, 0.5])), ("dirichlet", ([1.0, -1.0],))],
]


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_wrong_parameters_are_numpys_errors(device):
    rng = Generator(Philox4x32(4), device=device)
    for name, parameters in WRONG + (WRONG_ARRAYS if device == "cpu" else WRONG_ARRAYS[:2]):
        with pytest.raises(ValueError, match=".") as theirs:
            getattr(np.random.default_rng(0), name)(*parameters, size=3)
        with xp.config(fallback="allow"), pytest.raises(ValueError, match=re.escape(str(theirs.value))):
            fetched(getattr(rng, name)(*parameters, size=3))
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="scale < 0"):
        fetched(rng.normal(0.0, xp.asarray([1.0, -1.0], device=device), size=(3, 2)))
    with pytest.raises(ValueError, match="broadcast"):
        rng.normal([0.0, 1.0], 1.0, size=3)


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_edges(device):
    """Nothing, one, whole ranges, bounds that 32 bits do not hold, shapes of 0, and what is no shape."""
    rng = Generator(Philox4x32(4), device=device)
    with xp.config(fallback="error"):
        for x, shape in (
            (rng.random(0), (0,)), (rng.normal(size=(3, 0)), (3, 0)), (rng.integers(5, size=0), (0,)), (rng.poisson(3.0, (0, 2)), (0, 2)),
            (rng.normal(), ()), (rng.integers(5), ()), (rng.normal(size=()), ()), (rng.permutation(0), (0,)),
            (rng.permutation(xp.ones((3, 0), device=device)), (3, 0)), (rng.choice(5, 0), (0,)),
        ):  # fmt: skip
            assert x.shape == shape
        assert fetched(rng.integers(1, size=4)).tolist() == [0] * 4
        assert fetched(rng.uniform(2.0, 2.0, 3)).tolist() == [2.0] * 3
        assert fetched(rng.exponential(0.0, 3)).tolist() == fetched(rng.poisson(0.0, 3)).tolist() == [0] * 3
        for low, high, dtype in ((0, 2**32, np.uint32), (-(2**31), 2**31, np.int32), (0, 2**32 - 1, np.uint32)):
            got = fetched(Generator(Philox4x32(4), device=device).integers(low, high, dtype=dtype, size=500))
            assert got.dtype == dtype
            np.testing.assert_array_equal(got, np.asarray(Generator(Philox4x32(4)).integers(low, high, dtype=dtype, size=500)))
            assert got.astype(float).std() > 1e9
        low = fetched(Generator(Philox4x32(4), device=device).random(2000, dtype=xp.bfloat16))
        np.testing.assert_array_equal(low, np.asarray(Generator(Philox4x32(4)).random(2000, dtype=xp.bfloat16)))
        with pytest.raises(ValueError, match="positive integer"):
            rng.choice(0)
        with pytest.raises(ValueError, match="broadcast"):
            rng.normal(xp.ones(3, device=device), 1.0, size=4)
    with xp.config(fallback="allow"):
        wide = rng.integers(0, 2**40, size=50)
        assert wide.dtype == xp.int64
        assert fetched(wide).max() > 2**33
        for name in ("gamma", "standard_gamma", "weibull"):
            assert fetched(getattr(rng, name)(0.0, size=3)).tolist() == [0, 0, 0]


def test_integers_and_counts_of_64_bits_are_the_cpus():
    """They take a word each where there are 2**32 of them at most."""
    ours, theirs = Generator(Philox4x32(7), device="sim:trn2"), Generator(Philox4x32(7), device="cpu")
    calls = [
        ("integers", (0, 10), {"dtype": np.int64}),
        ("integers", (-3, 2**31), {"dtype": np.int64}),
        ("integers", (2**40, 2**40 + 2**32), {"dtype": np.int64}),
        ("integers", (-(2**63), -(2**63) + 5), {"dtype": np.int64, "endpoint": True}),
        ("integers", (2**63, 2**63 + 9), {"dtype": np.uint64}),
        ("integers", (1, 100), {}),
        *[("poisson", (3.5,), {}), ("binomial", (10, 0.3), {}), ("geometric", (0.2,), {}), ("hypergeometric", (5, 6, 7), {})],
    ]
    with xp.config(fallback="error", defaults="numpy"):
        for name, parameters, others in calls:
            got, wanted = (getattr(rng, name)(*parameters, size=(5, 30), **others) for rng in (ours, theirs))
            assert got.dtype == others.get("dtype", np.int64)
            np.testing.assert_array_equal(fetched(got), np.asarray(wanted))
        assert fetched(ours.integers(5)) == np.asarray(theirs.integers(5))
        for bounds in ((0, 2**40), (-(2**63), 2**63)):  # 128 bits each
            np.testing.assert_array_equal(fetched(ours.integers(*bounds, size=9)), np.asarray(theirs.integers(*bounds, size=9)))


def test_uniform_numbers_of_an_interval():
    low, high = xp.asarray([[0.0], [5.0]], device="sim:trn2"), xp.asarray([1.0, 9.0, 5.0], device="sim:trn2")
    with xp.config(fallback="error"):
        got = fetched(Generator(Philox4x32(4)).uniform(xp.minimum(low, high), high, size=(50, 2, 3)))
        ends = fetched(Generator(Philox4x32(4), device="sim:trn2").uniform(1.0, 1 + 2.0**-22, size=10_000))
        with pytest.raises((OverflowError, ValueError)):
            fetched(Generator(Philox4x32(4)).uniform(high, low))
    want = np.asarray(Generator(Philox4x32(4)).uniform(np.minimum(fetched(low), fetched(high)), fetched(high), size=(50, 2, 3)))
    np.testing.assert_allclose(got, want, rtol=2.0**-22, atol=2.0**-22)
    assert sorted(set(ends.tolist())) == [1.0, 1 + 2.0**-23]  # without the upper end, to which half of the products round


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_dtypes_and_out(device):
    rng = Generator(Philox4x32(4), device=device)
    with xp.config(fallback="allow"):
        for dtype in (xp.float64, xp.float32, xp.bfloat16, np.float16):
            for name in ("random", "standard_normal", "standard_exponential"):
                x = getattr(rng, name)(100, dtype=dtype)
                assert x.dtype == dtype
                if name == "random":
                    assert bool(xp.all((x >= 0) & (x < 1)))
        out = xp.empty((3, 4), dtype=xp.float32, device=device)
        assert rng.random(out=out, dtype=xp.float32) is out
        for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, bool):
            top = 2 if dtype is bool else 100
            x = fetched(rng.integers(top, size=300, dtype=dtype))
            assert x.dtype == dtype
            assert {int(item) for item in x} <= set(range(top))
        wide = fetched(rng.integers(-(2**62), 2**62, size=100, dtype=np.int64))
    assert np.abs(wide).max() > 2**60
    with pytest.raises(TypeError):
        rng.random(3, dtype=int)


def test_double_precision_is_the_cpus_on_every_device():
    with xp.config(fallback="allow"):
        for name in ("random", "standard_normal", "standard_exponential"):
            drawn = [fetched(getattr(Generator(Philox4x32(4), device=device), name)(100, dtype=xp.float64)) for device in DEVICES[:2]]
            np.testing.assert_array_equal(*drawn)


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_orders(device):
    with xp.config(fallback="error", host_transfer="allow"):
        rng = Generator(Philox4x32(4), device=device)
        order = fetched(rng.permutation(100))
        np.testing.assert_array_equal(np.sort(order), np.arange(100))
        np.testing.assert_array_equal(order, np.asarray(Generator(Philox4x32(4), device="cpu").permutation(100)))
        x = xp.arange(12, device=device)
        rng.shuffle(x)
        assert sorted(fetched(x).tolist()) == list(range(12))
        rows = fetched(rng.permuted(xp.asarray(np.arange(12).reshape(3, 4), device=device), axis=1))
        assert [sorted(row) for row in rows.tolist()] == np.arange(12).reshape(3, 4).tolist()
        chosen = fetched(rng.choice(10, 10, replace=False))
        assert sorted(chosen.tolist()) == list(range(10))
        assert fetched(rng.choice(xp.asarray([5.0, 7.0], device=device), size=(3, 2), p=[0.0, 1.0])).tolist() == [[7.0, 7.0]] * 3
        np.testing.assert_array_equal(
            fetched(rng.choice(4, 500, p=[0.5, 0.25, 0.25, 0])), np.asarray(twin_of(rng, 125).choice(4, 500, p=[0.5, 0.25, 0.25, 0]))
        )
    with xp.config(fallback="allow"):
        assert sorted(fetched(rng.choice(4, 3, replace=False, p=[0.5, 0.25, 0.25, 0])).tolist()) == [0, 1, 2]
        with pytest.raises(ValueError, match="sum to 1"):
            rng.choice(3, p=[0.5, 0.25, 0.0])
        with pytest.raises(ValueError, match="larger sample"):
            fetched(rng.choice(3, 4, replace=False))
    items = list(range(9))
    Generator(Philox4x32(4)).shuffle(items)
    assert sorted(items) == list(range(9))
    assert items != list(range(9))


def twin_of(rng, blocks):
    """A generator on the cpu that is some blocks behind another."""
    return Generator(copy.deepcopy(rng.bit_generator).advance(-blocks), device="cpu")


@pytest.mark.parametrize("device", DEVICES[1:])
@pytest.mark.parametrize("count", [1 << 16, 70_000])
def test_orders_of_many_elements_need_no_sort(device, count):
    with xp.config(fallback="error"):
        got = Generator(Philox4x32(4), device=device).permutation(count)
    assert "sort" not in str(xp.explain(got))
    want = np.asarray(Generator(Philox4x32(4)).permutation(count))
    np.testing.assert_array_equal(fetched(got), want)
    np.testing.assert_array_equal(np.sort(want), np.arange(count))
