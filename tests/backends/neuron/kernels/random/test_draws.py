"""Kernels of counter-based random numbers: words by known answers and the host's function, numbers by NumPy's bits, under all knobs."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.counter_based.functions import FUNCTIONS, constants
from trnarray.backends.counter_based.stream import Stream
from trnarray.backends.device import Device
from trnarray.backends.dtypes import UINT32
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.graph.build import call, scalar
from trnarray.backends.neuron.kernels.random import draws
from trnarray.backends.neuron.lowering.random import draws as lowering
from trnarray.backends.simulator import Knobs

from ....counter_based.known_answers import WORDS, known_answers

TARGETS = ("trn1", "trn2", "trn3")
KNOBS = (
    Knobs(),
    Knobs(two_op="fused", pe_product="split21", pe_order="permuted:3", dve_order="permuted:5"),
    Knobs(denormals_pe="flush", denormals_dve="flush", denormals_act="flush", denormals_pool="flush"),
    Knobs(nan_to_integer="largest", shift_beyond_width="modulo", act_out_of_range="exact"),
)


def words(device, name, key, counter, count):
    engine = engine_for(Device(device))
    nodes = [scalar(word, UINT32) for word in constants(FUNCTIONS[name], key, counter)]
    (node,) = call("random", *nodes, function=name, shape=(count,), distribution="words")
    return engine.to_host(engine.builder.make((node,), UINT32), copy=True)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("name", "counter", "key", "expected"), [row[:1] + row[2:] for row in known_answers() if row[1] == FUNCTIONS[row[0]].rounds]
)
def test_known_answers(target, name, counter, key, expected):
    with simulator.options(races="strict"):
        got = words(f"sim:{target}", name, key, counter, 5)
    assert got[: len(expected)].tolist() == list(expected)
    np.testing.assert_array_equal(got, Stream(FUNCTIONS[name], key, counter).words(5))


@pytest.mark.parametrize("name", sorted(WORDS))
@pytest.mark.parametrize("count", [1, 1000, 4099, 70_000])
def test_words_are_the_hosts_whatever_the_tiles(name, count, monkeypatch):
    key, counter = (7, 8, 9, 10)[: WORDS[name][1]], 0xFFFFF000 << 4 | 3 << 40
    want = Stream(FUNCTIONS[name], key, counter).words(count)
    np.testing.assert_array_equal(words("sim:trn2", name, key, counter, count), want)
    monkeypatch.setattr(draws, "_BLOCKS", 8)  # many tiles, which a loop makes
    np.testing.assert_array_equal(words("sim:trn2", name, key, counter, count), want)


def device_and_host(device, method, *parameters, **keywords):
    import trnarray as xp

    def draw(on):
        rng = xp.random.Generator(xp.random.Philox4x32(5), device=on)
        return np.asarray(getattr(rng, method)(*parameters, **keywords).to_device("cpu"))

    with xp.config(fallback="error"):
        return draw(device), draw("cpu")


NUMBERS = [
    ("random", (4099,), {"dtype": np.float32}),
    ("random", ((3, 701),), {"dtype": np.float64}),
    ("random", (99_999,), {"dtype": np.float16}),  # some of them denormal
    ("standard_normal", ((3, 1001),), {"dtype": np.float32}),
    ("standard_exponential", (4099,), {"dtype": np.float32}),
    ("standard_normal", (301,), {"dtype": np.float64}),
    ("standard_gamma", (2.5, 2000), {"dtype": np.float32}),
    ("integers", (6,), {"size": 4099}),
    ("integers", (-5, 2**31 - 1), {"size": 2000}),
    ("integers", (2**31 + 1,), {"size": 2000, "dtype": np.uint32}),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("method", "parameters", "keywords"), NUMBERS)
def test_numbers_have_the_hosts_bits(target, method, parameters, keywords):
    with simulator.options(races="strict"):
        got, want = device_and_host(f"sim:{target}", method, *parameters, **keywords)
    np.testing.assert_array_equal(got, want)
    assert got.dtype == want.dtype or got.dtype == np.int32  # the device's default integer


@pytest.mark.parametrize("knobs", KNOBS[1:], ids=lambda knobs: next(iter(str(knobs).split(", "))))
@pytest.mark.parametrize(("method", "parameters", "keywords"), NUMBERS)
def test_no_reading_of_the_documents_changes_bits(knobs, method, parameters, keywords):
    with simulator.options(knobs=knobs):
        got, want = device_and_host("sim:trn2", method, *parameters, **keywords)
    np.testing.assert_array_equal(got, want)


def test_a_device_whose_integers_saturate_is_refused():
    import trnarray as xp

    rng = xp.random.Generator(xp.random.Philox4x32(5), device="sim:trn2")
    with simulator.options(knobs=Knobs(gpsimd_overflow="saturate")):
        with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="published words"):
            rng.random(5)
        with xp.config(fallback="allow"):
            got = np.asarray(rng.random(5, dtype=xp.float32).to_device("cpu"))
    again = xp.random.Generator(xp.random.Philox4x32(5).advance(2)).random(5, dtype=xp.float32)
    np.testing.assert_array_equal(got, np.asarray(again))


RARE = [("Philox4x32", 2_729_049), ("Philox4x32", 3_417_104), ("Threefry2x32", 5_074_748)]
"""Functions and elements whose words, with the key of seed 5, are below 1024 but for the sign: one in 2**21 is."""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("name", "place"), RARE)
def test_rare_numbers_have_a_second_word(target, name, place):
    import trnarray as xp

    make = getattr(xp.random, name)
    blocks = place // FUNCTIONS[name].words - 50

    def draw(device, dtype):
        return np.asarray(
            xp.random.Generator(make(5).advance(blocks), device=device).standard_normal(1000, dtype=dtype).to_device("cpu")
        )

    assert make(5).advance(blocks).random_raw(1000).min() < 1024 or (make(5).advance(blocks).random_raw(1000) & 0x7FFFFFFF).min() < 1024
    with simulator.options(races="strict"), xp.config(fallback="error"):
        got = draw(f"sim:{target}", xp.float32)
    np.testing.assert_array_equal(got, draw("cpu", xp.float32))
    exact = draw("cpu", xp.float64)
    assert np.abs(exact).max() > 5
    np.testing.assert_allclose(got, exact, rtol=0, atol=2.0**-21)  # of 64 bits, as the other is where it matters


def test_float64_of_any_words(monkeypatch):
    """Where the first bit of 53 is anywhere, and where there is none."""
    import trnarray as xp

    patterns = [0, 1 << 6, 0xFFFFFFFF, 63 << 6, 2047 << 6, 2048 << 6, *(1 << bit for bit in range(32))]
    pairs = np.array([(first, second) for first in (0, 31, 32, 2047, 2048, 0x80000000, 0xFFFFFFFF) for second in patterns], np.uint32)
    given = {}

    def draw(builder, stream, shape, distribution):
        return builder.from_host(given[stream.counter >> 120], copy=True).read()[0]

    monkeypatch.setattr(lowering, "draw", draw)
    given[0], given[1] = pairs[:, 0].copy(), pairs[:, 1].copy()
    with xp.config(fallback="error"):
        got = xp.random.Generator(xp.random.Philox4x32(4), device="sim:trn2").random(len(pairs), dtype=xp.float64)
    want = [((first >> 5) * 2**26 + (second >> 6)) * 2.0**-53 for first, second in pairs.tolist()]
    assert np.asarray(got.to_device("cpu")).tolist() == want


@pytest.mark.parametrize(
    ("method", "parameters"),
    [("normal", (1.5, 2.0)), ("laplace", ()), ("exponential", (3.0,)), ("gumbel", ()), ("standard_cauchy", ()), ("uniform", (-1.0, 3.0))],
)
def test_draws_under_numpys_defaults_have_the_hosts_bits(method, parameters):
    import trnarray as xp

    with xp.config(defaults="numpy"):
        got, want = device_and_host("sim:trn2", method, *parameters, size=(7, 13))
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("method", ["random", "standard_normal"])
def test_consumers_are_fused(method, monkeypatch):
    """In one stage, in a loop of tiles and without, with the bits of the functions one by one."""
    import trnarray as xp

    def draw():
        return getattr(xp.random.Generator(xp.random.Philox4x32(5), device="sim:trn2"), method)(70_000)

    whole = draw()
    np.asarray(whole.to_device("cpu"))
    want = np.asarray((whole * 3 - 1).to_device("cpu"))
    for blocks in (512, 8):
        monkeypatch.setattr(draws, "_BLOCKS", blocks)
        x = draw() * 3 - 1
        stages = xp.explain(x).steps[0].stages
        assert len(stages) == 1
        np.testing.assert_array_equal(np.asarray(x.to_device("cpu")), want)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 127, 512, 513, 10**6, 10**6 + 3, 2**21, 10**7, 2**24 + 1])
@pytest.mark.parametrize("each", [2, 4])
def test_tiles_cover_the_elements(count, each):
    blocks, tiles, even = draws.shape_of_tiles(count, each)
    width = each * blocks
    rows = -(-count // width)
    assert 1 <= blocks <= 512
    assert -(-rows // 128) == tiles
    assert even == (count % width == 0) or not even
