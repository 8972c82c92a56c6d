"""float64 by the fewer instructions that usual numbers need, and again by all where a tile has others."""

from fractions import Fraction

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.neuron.function import PAIRS
from trnarray.backends.neuron.kernels.elementwise.binary64 import scheduling
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

from ..elementwise_harness import kernel_of
from .numbers import READINGS, apply, assert_same, joined, words

WIDTH = 256  # elements of a partition from which on tiles are computed so
COUNT = 128 * WIDTH
FUNCTIONS = {name: getattr(np, name) for name in ("add", "subtract", "multiply", "square", "divide", "reciprocal", "sqrt")}
OF_TWO = ("add", "subtract", "multiply", "divide")
LATER = [reading for reading in READINGS if reading[0] != "trn1"]
LEAST, MOST = np.finfo(np.float64).smallest_subnormal, np.finfo(np.float64).max
TINY = np.finfo(np.float64).tiny
UNUSUAL = (np.inf, -np.inf, np.nan, LEAST, -LEAST, 2.0**-1030, TINY - LEAST, TINY, MOST, -MOST, 2.0**-600, 2.0**600, 0.0, -0.0, -3.0)


def significands(count, rng):
    """Random ones, and those with long runs of equal bits, where carries go far and results are near the middle of two numbers."""
    kind, bits = rng.integers(0, 6, count), rng.integers(0, 2**52, count, dtype=np.uint64)
    run = (np.uint64(1) << rng.integers(0, 53, count, dtype=np.uint64)) - np.uint64(1)
    cases = [bits & ~run, bits | run, run, bits & np.uint64(2**32 - 1), bits & np.uint64(2**52 - 2**31) | np.uint64(2**31)]
    return 1 + np.select([kind == number for number in range(5)], cases, bits) * 2.0**-52 % 1


def usual(name, seed):
    """Normal numbers and zeros whose results are such; of both operands, also those whose results are short or cancel."""
    rng = np.random.default_rng(seed)
    x, y = (np.ldexp(significands(COUNT, rng), rng.integers(-250, 250, COUNT)) * rng.choice([-1, 1], COUNT) for _ in range(2))
    kind = rng.integers(0, 8, COUNT)
    if name in ("add", "subtract"):
        y = np.ldexp(np.frexp(y)[0], np.frexp(x)[1] + rng.integers(-70, 70, COUNT))
        y = np.select([kind == 0, kind == 1, kind == 2], [-x, x, -np.nextafter(x, 0)], y)
    elif name == "multiply":
        y = np.select([kind == 0, kind == 1], [1 / x, np.nextafter(1 / x, 0)], y)  # products near a power of two
    elif name == "divide":
        x = np.select([kind == 0, kind == 1], [x * y, np.nextafter(x * y, 0)], x)
    elif name == "sqrt":
        short = np.ldexp(np.frexp(x)[0], np.frexp(x)[1] // 2) ** 2
        x = np.abs(np.select([kind == 0, kind == 1], [short, np.nextafter(short, 0)], x))
    x[kind == 3] = 0.0
    if name not in ("divide", "reciprocal"):
        y[kind == 4] = -0.0
    if name == "reciprocal":
        x[x == 0] = 3.0
    return (x, y) if name in OF_TWO else (x,)


def never(bound, again, finish):
    """A second pass that reads what nobody wrote, which the simulator does not let pass."""
    del again, finish

    def body(_):
        nisa.tensor_copy(nl.ndarray((1, 1), nl.float32), nl.ndarray((1, 1), nl.float32))

    nl.fori_loop(0, bound, body)


@pytest.mark.parametrize(("target", "knobs"), LATER, ids=lambda item: item if isinstance(item, str) else "")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_usual(name, target, knobs, monkeypatch):
    """No second pass makes up for what the first one does, and none is asked for."""
    monkeypatch.setattr(scheduling, "rarely", never)
    operands = usual(name, 1)
    assert_same(apply(name, *operands, target=target, knobs=knobs), FUNCTIONS[name](*operands), *operands)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_of_a_tile(name):
    """One number, or a pair, of which each kind comes with a usual one and with others: no other number asks for the second pass."""
    rng = np.random.default_rng(2)
    operands = [np.ldexp(1 + rng.random(COUNT), rng.integers(-3, 3, COUNT)) for _ in range(2)][: 2 if name in OF_TWO else 1]
    kernel = kernel_of(PAIRS[f"float64.{name}.high"].loops["uint32"], others=("uint32",))
    for number, one in enumerate(UNUSUAL):
        near = UNUSUAL[number - 1] if number % 2 else 1.5
        for pair in ((one, near), (near, one)) if name in OF_TWO else ((one,),):
            given, at = [operand.copy() for operand in operands], rng.integers(COUNT)
            for operand, value in zip(given, pair, strict=True):
                operand[at] = value
            parts = [part.reshape(128, -1) for operand in given for part in words(operand)]
            with simulator.options("trn2"), np.errstate(all="ignore"):
                assert_same(joined(*kernel(*parts)).ravel(), FUNCTIONS[name](*given), *given)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_programs(target):
    """Chains, numbers for all elements, results that are stored only, and tiles of which some have unusual numbers."""
    rng = np.random.default_rng(3)
    x, y, z = rng.standard_normal((3, 128 * 1600))
    x[-7:] = [np.inf, np.nan, LEAST, MOST, -0.0, 0.0, TINY]
    y[5], z[COUNT * 3 + 1] = MOST, 2.0**-540
    a, b, c = (xp.asarray(item, device=f"sim:{target}") for item in (x, y, z))
    with xp.config(fallback="error"), np.errstate(all="ignore"):
        found = [a * b + c * c - a, a * b, a * 2.5, 1 / a, np.sqrt(abs(a)) / b, a.reshape(128, -1) * b[:128, None]]
        expected = [x * y + z * z - x, x * y, x * 2.5, 1 / x, np.sqrt(abs(x)) / y, x.reshape(128, -1) * y[:128, None]]
    for one, other in zip(found, expected, strict=True):
        assert_same(np.asarray(one.to_device("cpu")).ravel(), other.ravel())


@pytest.mark.parametrize("usual", [True, False])
@pytest.mark.parametrize(("target", "knobs"), LATER, ids=lambda item: item if isinstance(item, str) else "")
def test_integers_of_sums(target, knobs, usual, monkeypatch):
    """Numbers as multiples of 2**-94 of the power of two of the largest one; with exponents up to 31 below it, or all."""
    if usual:
        monkeypatch.setattr(scheduling, "rarely", never)
    rng = np.random.default_rng(5)
    largest = 1000
    x = np.ldexp(significands(COUNT, rng), largest - 1023 - rng.integers(0, 32 if usual else 100, COUNT)) * rng.choice([-1, 1], COUNT)
    x[::9], x[1::9] = 0.0, -0.0
    fields = np.full((128, 1), largest - 1, np.float32).view(np.uint32)
    kernel = kernel_of(PAIRS["float64.aligned.high"].loops["uint32"], others=("uint32", "uint32"))
    with simulator.options(target, knobs=knobs):
        found = kernel(*(part.reshape(128, -1) for part in words(x)), fields)
    parts = [part.ravel().tolist() for part in found]
    exact = [(high << 64 | middle << 32 | low) - (high >> 31 << 96) for high, middle, low in zip(*parts, strict=True)]
    unit = Fraction(2) ** (largest - 1 - 1116)
    assert exact == [int(abs(Fraction(one)) / unit) * (1 if one > 0 else -1) for one in x.tolist()]
