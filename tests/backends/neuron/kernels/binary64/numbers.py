"""Pairs of float64 that provoke errors, and kernels around a function of their words."""

import numpy as np

from trnarray.backends import simulator
from trnarray.backends.neuron.function import PAIRS
from trnarray.backends.neuron.kernels.elementwise import EMITTERS
from trnarray.backends.simulator.knobs import Knobs
from trnarray.conformance.references.float64_pairs import SPECIAL, pairs

from ..elementwise_harness import kernel_of

__all__ = ["READINGS", "SPECIAL", "apply", "assert_same", "joined", "pairs", "words"]

READINGS = [
    ("trn2", Knobs()),
    ("trn2", Knobs(two_op="fused", shift_beyond_width="modulo", nan_to_integer="largest", pe_product="split21", act_out_of_range="exact")),
    ("trn2", Knobs(denormals_pe="flush", denormals_dve="flush", denormals_act="flush", denormals_pool="flush", nan_to_integer="smallest")),
    ("trn1", Knobs(two_op="fused", denormals_act="flush", denormals_dve="flush", shift_beyond_width="modulo")),
    ("trn3", Knobs(shift_beyond_width="modulo", denormals_pool="flush", nan_to_integer="largest")),
]
"""Targets and settings of the knobs; each two settings of different knobs are together in one."""


def bits(values):
    return np.ascontiguousarray(values).view(np.uint64)


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
        found = kernel_of(loop, others=() if pair is None else ("uint32",))(*parts)
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
