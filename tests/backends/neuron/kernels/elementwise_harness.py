"""A kernel around one emitter, values that provoke errors, and comparison of bits."""

import zlib

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.neuron.kernels.elementwise import EMITTERS
from trnarray.backends.neuron.kernels.sbuf import load_tables
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.knobs import Knobs

FUSED = Knobs(two_op="fused", dve_order="permuted:1", pe_order="permuted:2")
FLUSHED = Knobs(denormals_pe="flush", denormals_dve="flush", denormals_act="flush", denormals_pool="flush")
SATURATING = Knobs(gpsimd_overflow="saturate", two_op="fused")
WITHOUT_WRAPPING = "without_wrapping."
EXACT = {name: emitter for name, emitter in EMITTERS.items() if not emitter.error and not name.startswith(("order.", "digit.", "half."))}
"""Without what sorts, and sums and products of integers, are made of, which are tested with these."""
ROWS = [(name, dtype) for name, emitter in EXACT.items() for dtype in emitter.loops]


def rows(*dtypes, least_arity=1):
    """The functions that take one of some dtypes."""
    return [(name, dtype) for name, dtype in ROWS if dtype in dtypes and EMITTERS[name].arity >= least_arity]


def storage(dtype):
    return np.dtype(getattr(ml_dtypes, dtype, dtype)) if dtype != "bool" else np.dtype(np.uint8)


def kernel_of(loop, alias=None, others=()):
    """Make a kernel that loads, computes, and stores; with `alias`, into the tile of that operand; `others`: dtypes of more results."""

    @simulator.jit
    def kernel(*arrays):
        tiles = []
        for array in arrays:
            tiles.append(nl.ndarray(array.shape, array.dtype))
            nisa.dma_copy(tiles[-1], array)
        shape = (arrays[0].shape[0], max(array.shape[1] for array in arrays))
        results = [nl.ndarray(shape, dtype) for dtype in (loop.result, *others)] if alias is None else [tiles[alias]]
        loop.emit(*results, *tiles, *load_tables(loop.tables).values())
        outs = [nl.ndarray(shape, result.dtype, buffer=nl.shared_hbm) for result in results]
        for out, result in zip(outs, results, strict=True):
            nisa.dma_copy(out, result)
        return tuple(outs) if others else outs[0]

    return kernel


def apply(loop, *operands, knobs=None, target="trn2", **how):
    with simulator.options(target, knobs=knobs or Knobs()):
        return kernel_of(loop, **how)(*operands)


def bits(values):
    return values.view(f"u{values.dtype.itemsize}")


@np.errstate(invalid="ignore")  # older ml_dtypes warn of comparisons with NaN
def assert_same_bits(found, expected, *operands):
    """NaN is NaN; everything else has the same bits, zeros included."""
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    wrong = bits(found) != bits(expected)
    if found.dtype.kind not in "iu":
        wrong &= ~((found != found) & (expected != expected))
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        values = [operand[at[0], min(at[1], operand.shape[1] - 1)] for operand in operands]
        pytest.fail(f"{wrong.sum()} of {wrong.size} differ, first {values}: {found[at]!r}, expected {expected[at]!r}")


def adversarial(dtype, rng, size):
    """Special values, all exponents, halves, neighbours of integers, boundaries; then random bits."""
    kind = storage(dtype)
    if dtype == "bool":
        return rng.integers(0, 2, size, dtype=np.uint8)
    unsigned = np.dtype(f"u{kind.itemsize}")
    random = rng.integers(0, 2 ** (8 * kind.itemsize), size, dtype=unsigned)
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        powers = [sign * 2**power + more for sign in (-1, 1) for power in range(32) for more in (-1, 0, 1)]
        chosen = [value for value in (0, limits.min, limits.max, *powers) if limits.min <= value <= limits.max]
        special = np.array(chosen, kind).view(unsigned)
    elif kind.itemsize < 4:
        special = np.arange(2 ** min(8 * kind.itemsize, 11), dtype=unsigned) << max(0, 8 * kind.itemsize - 11)
    else:
        exponents = np.arange(256, dtype=np.uint32)[:, None] << 23
        fractions = np.array([0, 1, 2, 0x3FFFFF, 0x400000, 0x400001, 0x7FFFFE, 0x7FFFFF], np.uint32)
        halves = (np.arange(-8, 9) / 2).astype(np.float32)
        near = np.concatenate([halves, np.nextafter(halves, np.float32(9)), np.nextafter(halves, np.float32(-9))])
        large = (np.float32(2) ** np.arange(20, 26)[:, None] + np.array([-1, -0.5, 0, 0.5, 1], np.float32)).astype(np.float32)
        special = np.concatenate([(exponents | fractions).ravel(), near.view(np.uint32), large.ravel().view(np.uint32)])
        special = np.concatenate([special, special ^ np.uint32(1 << 31)])
    random[: min(special.size, size)] = special[:size]
    return rng.permutation(random).view(kind)


def related(values, rng, dtype):
    """Second operands: a third equal to the first ones or their neighbours or negatives, so that comparisons meet their edges."""
    other = adversarial(dtype, rng, values.size).copy()
    if dtype != "bool":
        pick = rng.integers(0, 9, values.size)
        b, o = bits(values), bits(other)
        o[pick == 0] = b[pick == 0]
        o[pick == 1] = b[pick == 1] + 1
        o[pick == 2] = b[pick == 2] ^ o.dtype.type(1 << (8 * o.dtype.itemsize - 1))
        if values.dtype.kind in "iu":
            o[pick == 3] = o[pick == 3] % 40
    return other


def operands_of(name, dtype, size, seed=0):
    rng = np.random.default_rng(zlib.crc32(f"{name} {dtype} {seed}".encode()))
    x = adversarial(dtype, rng, size)
    arity = EMITTERS[name].arity
    if name == "where":
        return [rng.integers(0, 2, size, dtype=np.uint8), x, related(x, rng, dtype)]
    if name.endswith("integer_power"):
        return [x, related(x, rng, dtype) & np.iinfo(storage(dtype)).max]
    if name == "ldexp":
        return [x, rng.integers(-300, 300, size).astype(np.int8).astype(storage(dtype))]
    return [x, *(related(x, rng, dtype) for _ in range(arity - 1))]


MODELS = {
    "frexp.fraction": lambda x: np.frexp(x)[0],
    "frexp.exponent": lambda x: np.frexp(x)[1],
    "nextafter": lambda x, y: np.where(x == y, y, np.nextafter(x, y)),  # NumPy before 2.5 takes the first of two zeros in float16
    "integer_power": np.power,
    "ldexp": lambda x, exponent: np.ldexp(x, exponent.astype(np.int32)),
}
"""What is not a function of NumPy's of that name, on those dtypes."""


def expected(name, dtype, *operands):
    """NumPy's result, of low-precision floats by way of float32 (twice as many bits and two more: the second rounding is innocuous)."""
    loop = EMITTERS[name].loops[dtype]
    name = name.removeprefix(WITHOUT_WRAPPING)
    kind = storage(dtype)
    operands = [operand.view(np.bool_) if dtype == "bool" else operand for operand in operands]
    if name == "where":
        return np.where(operands[0] != 0, operands[1], operands[2]).view(storage(loop.result))
    if kind.itemsize < 4 and kind.kind not in "iu" and name != "nextafter":
        operands = [operand.astype(np.float32) for operand in operands]
    function = MODELS.get(name) or getattr(np, name)
    with np.errstate(all="ignore"):
        if name in ("isnan", "isinf", "isfinite", "signbit") and kind.kind in "iu":
            result = function(operands[0].astype(np.float64))
        else:
            result = function(*operands)
    if result.dtype == np.bool_:
        return result.view(np.uint8)
    with np.errstate(all="ignore"):
        return result.astype(storage(loop.result))


def check(name, dtype, size=2048, shape=(128, -1), scalars=(), **how):
    operands = [operand.reshape(shape) for operand in operands_of(name, dtype, size)]
    operands = [np.ascontiguousarray(operand[:, :1]) if place in scalars else operand for place, operand in enumerate(operands)]
    wide = [np.broadcast_to(operand, np.broadcast_shapes(*(o.shape for o in operands))).copy() for operand in operands]
    found = apply(EMITTERS[name].loops[dtype], *operands, **how)
    assert_same_bits(found, expected(name, dtype, *wide), *operands)
