"""Pairs of float64 that provoke errors, and kernels around a function of their words."""

import numpy as np

from trnarray.backends import simulator
from trnarray.backends.neuron.function import PAIRS
from trnarray.backends.neuron.kernels.elementwise import EMITTERS
from trnarray.backends.simulator.knobs import Knobs

from ..elementwise_harness import kernel_of

READINGS = [
    ("trn2", Knobs()),
    ("trn2", Knobs(two_op="fused", shift_beyond_width="modulo", nan_to_integer="largest", pe_product="split21", act_out_of_range="exact")),
    ("trn2", Knobs(denormals_pe="flush", denormals_dve="flush", denormals_act="flush", denormals_pool="flush", nan_to_integer="smallest")),
    ("trn1", Knobs(two_op="fused", denormals_act="flush", denormals_dve="flush", shift_beyond_width="modulo")),
    ("trn3", Knobs(shift_beyond_width="modulo", denormals_pool="flush", nan_to_integer="largest")),
]
"""Targets and settings of the knobs; each two settings of different knobs are together in one."""
SIGN, FRACTION, EXPONENT = np.uint64(1 << 63), np.uint64((1 << 52) - 1), np.uint64(0x7FF << 52)
SPECIAL = np.array(
    [
        *(0.0, 1.0, np.inf, np.nan, 5e-324, 3.5e-323, 1e-310, 2.2250738585072014e-308, 2.225073858507201e-308),
        *(1.1125369292536007e-308, 1.7976931348623157e308, 8.98846567431158e307, 0.5, 1.5, 2.0, 3.0, 2.0**53, 2.0**53 - 1, 2.0**52 + 0.5),
        *(1 + 2.0**-52, 1 - 2.0**-53),
        *(1e154, 1e-154, 1e162, 1e-162, 0.49999999999999994, 2.5, 2.0**63, 2.0**64),
    ]
)


def bits(values):
    return np.ascontiguousarray(values).view(np.uint64)


def pairs(count, seed):
    """All pairs of special numbers; then random bits, of near exponents, neighbours, subnormal numbers, inverses, few bits."""
    rng = np.random.default_rng(seed)
    both = np.concatenate([SPECIAL, -SPECIAL])
    grid = np.stack(np.meshgrid(both, both)).reshape(2, -1)[:, : count // 2]
    a, b = rng.integers(0, 2**64, (2, count), dtype=np.uint64)
    shift, kind = rng.integers(-60, 60, count), rng.integers(0, 10, count)
    place = ((a & EXPONENT) >> np.uint64(52)).astype(np.int64)

    def at(exponents):
        return (b & ~EXPONENT) | (exponents.clip(0, 2046).astype(np.uint64) << np.uint64(52))

    b = np.select(
        [kind < 2, kind < 4, kind == 4, kind == 5, kind == 6, kind == 7],
        [at(place + shift // 20), at(place + shift), (a ^ SIGN) + shift.astype(np.uint64) // np.uint64(9), b & ~EXPONENT,
         at(place * 0 + 1023), at(1023 - place + shift)],
        b,
    )  # fmt: skip
    a = np.where(kind == 8, a & ~EXPONENT, a)
    for numbers in (a, b):
        few = rng.integers(0, 4, count) == 0
        numbers[few] &= (np.uint64(2**64 - 1) << rng.integers(0, 53, count).astype(np.uint64))[few]
    a[: grid.shape[1]], b[: grid.shape[1]] = bits(grid)
    return a.view(np.float64), b.view(np.float64)


def words(values):
    both = bits(values)
    return [(both >> np.uint64(32)).astype(np.uint32), both.astype(np.uint32)]


def joined(high, low):
    return ((high.astype(np.uint64) << np.uint64(32)) | low).view(np.float64)


def apply(name, *operands, target="trn2", knobs=None):
    """Compute a function of tiles: of float64, or of what it takes."""
    parts = [part for operand in operands for part in (words(operand) if operand.dtype == np.float64 else [operand])]
    parts = [np.ascontiguousarray(part.reshape(128, -1)) for part in parts]
    pair = PAIRS.get(f"float64.{name}.high")
    loop = (EMITTERS[f"float64.{name}"] if pair is None else pair).loops[parts[0].dtype.name]
    with simulator.options(target, knobs=knobs or Knobs()):
        found = kernel_of(loop, second=None if pair is None else "uint32")(*parts)
    return found.ravel() if pair is None else joined(*found).ravel()


def assert_same(found, expected, *operands):
    """NaN is NaN; everything else has the same bits."""
    assert found.shape == expected.shape
    wrong = found != expected
    if found.dtype.kind == "f":
        kind = f"u{found.dtype.itemsize}"
        wrong = (found.view(kind) != expected.view(kind)) & ~(np.isnan(found) & np.isnan(expected))
    at = np.flatnonzero(wrong)
    if at.size:
        given = [float(x[at[0]]).hex() for x in operands]
        raise AssertionError(f"{at.size} of {wrong.size}: {given} gives {found[at[0]]!r}, not {expected[at[0]]!r}")
