"""Division, reciprocal and square root against NumPy, which is correctly rounded, where errors would show."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.neuron.kernels import row_room
from trnarray.backends.neuron.kernels.elementwise import EMITTERS
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.knobs import Knobs

from .elementwise_harness import FLUSHED, FUSED, apply, assert_same_bits, storage

RNG = np.random.default_rng(11)
SUBNORMAL = [0, 1, 2, 3, 0x7FFFFE, 0x7FFFFF]
NORMAL = [0x800000, 0x800001, 0x1000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x40000000, 0x7F7FFFFF]
SPECIAL = np.array([*SUBNORMAL, *NORMAL, 0x7F800000, 0x7F800001, 0x7FC00000], np.uint32)
SPECIAL = np.concatenate([SPECIAL, SPECIAL | np.uint32(1 << 31)]).view(np.float32)
SHAPE = (128, 128)


def numbers(low, high, bits=24):
    """Significands of some bits, exponents of the least bit from low to high."""
    significands = RNG.integers(1, 2**bits, SHAPE).astype(np.float64)
    return (RNG.choice([-1.0, 1.0], SHAPE) * significands * 2.0 ** RNG.integers(low, high, SHAPE)).astype(np.float32)


def check(name, *operands, dtype="float32", **how):
    with np.errstate(all="ignore"):
        right = getattr(np, name)(*(operand.astype(np.float32) for operand in operands)).astype(storage(dtype))
    assert_same_bits(apply(EMITTERS[name].loops[dtype], *operands, **how), right, *operands)


def inexact(function, seed):
    """An estimate that is wrong by up to 2**-15, most often by all of it, each time in another way."""
    rng = np.random.default_rng(seed)

    def estimate(x):
        errors = rng.choice([-1, -1, -0.5, 0, 0.5, 1, 1], x.shape) * 2.0**-15
        return (function(x.astype(np.float64)) * (1 + errors)).astype(np.float32)

    return estimate


@pytest.fixture(params=["exact estimates", "estimates wrong by 2**-15"])
def estimates(request, monkeypatch):
    if request.param != "exact estimates":
        for operator, function in ((nl.reciprocal, np.reciprocal), (nl.sqrt, np.sqrt)):
            monkeypatch.setattr(operator, "activation", operator.activation._replace(compute=inexact(function, 5)))
    return request.param


@pytest.mark.parametrize("knobs", [Knobs(), FUSED, FLUSHED])
@pytest.mark.usefixtures("estimates")
class TestFloat32:
    def test_all_exponents(self, knobs):
        x, y = (RNG.integers(0, 2**32, SHAPE, dtype=np.uint32).view(np.float32) for _ in range(2))
        check("divide", x, y, knobs=knobs)
        check("reciprocal", x, knobs=knobs)
        check("sqrt", np.abs(x), knobs=knobs)

    def test_special_values(self, knobs):
        x, y = (np.ascontiguousarray(grid) for grid in np.meshgrid(SPECIAL, SPECIAL))
        check("divide", x, y, knobs=knobs)
        check("reciprocal", x, knobs=knobs)
        check("sqrt", x, knobs=knobs)

    def test_subnormal_quotients_and_their_ties(self, knobs):
        check("divide", numbers(-149, -125), numbers(-20, 6), knobs=knobs)
        check("divide", numbers(-149, -140, 12), numbers(0, 6, 3), knobs=knobs)  # of which many are ties

    def test_overflow(self, knobs):
        check("divide", numbers(90, 104), numbers(-26, -20), knobs=knobs)

    def test_close_to_midpoints(self, knobs):
        """Dividends next to the product of a divisor and a number of 25 bits; squares next to those of numbers of 25 bits."""
        y = RNG.integers(2**23, 2**24, SHAPE)
        middle = 2 * RNG.integers(2**23, 2**24, SHAPE) + 1
        x = ((y * middle) >> 24) + RNG.integers(0, 2, SHAPE)
        check("divide", x.astype(np.float32), y.astype(np.float32), knobs=knobs)
        scale = RNG.integers(0, 2, SHAPE)  # squares in both binades of [1, 4)
        check("sqrt", (((middle * middle) >> (26 + scale)) + RNG.integers(0, 2, SHAPE)).astype(np.float32), knobs=knobs)

    def test_moderate_numbers(self, knobs):
        """Which are divided as they are, zeros among them, up to the edges of all exponents."""
        y = numbers(-64, 17)
        x = np.where(RNG.random(SHAPE) < 0.1, np.copysign(np.float32(0), y[::-1]), numbers(-58, 38))
        check("divide", x, y, knobs=knobs)
        check("divide", np.ascontiguousarray(x[:, :1]), y, knobs=knobs)
        check("divide", x, np.ascontiguousarray(y[:, :1]), knobs=knobs)
        near = (2.0 ** RNG.integers(-3, 4, SHAPE) * (1 + RNG.integers(-4, 5, SHAPE) * 2.0**-23)).astype(np.float32)
        check("divide", y * near, y, knobs=knobs)  # close to powers of two, on both sides

    def test_exact_quotients_and_squares(self, knobs):
        x, y = numbers(-60, 40, 12), numbers(-60, 40, 12)
        check("divide", x * y, y, knobs=knobs)
        check("sqrt", y * y, knobs=knobs)


def test_one_number_that_is_not_moderate():
    numerators = 2.0 ** np.array([-149, -126, -59, 64]), [np.inf, np.nan]
    denominators = 2.0 ** np.array([-149, -126, -43, 43]), [np.inf, np.nan, 0, -0.0]
    for place, others in enumerate((numerators, denominators)):
        for other in np.concatenate(others):
            operands = [np.ascontiguousarray(numbers(-30, 0)[:, :16]) for _ in range(2)]
            operands[0][77, :5] = 0  # which do not hide it
            operands[place][77, 11] = other
            check("divide", *operands, knobs=FLUSHED)


@pytest.mark.usefixtures("estimates")
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_low_precision(dtype):
    everything = np.arange(2**16, dtype=np.uint16).view(storage(dtype)).reshape(128, -1)
    check("sqrt", everything, dtype=dtype)
    check("reciprocal", everything, dtype=dtype, knobs=FUSED)
    check("divide", everything, RNG.permutation(everything.ravel()).reshape(128, -1), dtype=dtype)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_reciprocals_of_integers(dtype):
    """Of 0, what NumPy gives on x86-64: of int32 the least one."""
    info = np.iinfo(dtype)
    x = np.array([0, 1, 2, 3, info.max, info.max - 1, info.min, max(info.min, -1), max(info.min, -2)], dtype)[None]
    right = np.where(np.abs(x.astype(np.int64)) == 1, x, 0)
    if dtype == "int32":
        right[x == 0] = info.min
    assert_same_bits(apply(EMITTERS["reciprocal"].loops[dtype], x), right.astype(dtype), x)


@pytest.mark.parametrize(("device", "tiles"), [("sim:trn1", 3), ("sim:trn2", 1), ("sim:trn2", 3), ("sim:trn3", 3)])
def test_rare_numbers_are_replaced_in_each_piece_of_each_tile(device, tiles, monkeypatch):
    """Pieces of 512 elements go in pairs through the function and, after the next tile, its loop: rare ones in any of three, or in none."""
    monkeypatch.setattr(row_room, "_TILES", tiles)
    rng = np.random.default_rng(3)
    y = rng.uniform(1, 2, 3 * 512 * 128).astype(np.float32)
    x = rng.standard_normal(y.size).astype(np.float32)
    for rare in ([], [700], [40, 1400]):
        divisor = y.copy()
        for at in rare:
            divisor.reshape(128, -1)[:3, at] = 1e-44, 0.0, np.inf
        with np.errstate(all="ignore"):
            want = x / divisor
        over, by = (xp.asarray(values, device=device) for values in (x, divisor))
        over /= by
        assert np.array_equal(np.asarray(over.to_device("cpu")), want)
