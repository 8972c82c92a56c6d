"""Vectors times matrices against float64: both ways that matrices lie, on every target, in stacks, and with functions before and after."""

import math

import ml_dtypes
import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.dtypes import FLOAT32
from trnarray.backends.isa import nl
from trnarray.backends.neuron.kernel import kernel
from trnarray.backends.neuron.kernels.products.operands import MatmulOperand
from trnarray.backends.neuron.kernels.products.vecmat import multiply_vectors
from trnarray.backends.rules import Signature
from trnarray.backends.simulator.knobs import Knobs

U = 2.0**-24
TARGETS = ("trn1", "trn2", "trn3")
DTYPES = (np.dtype(np.float32), np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16))


@simulator.jit
def product(x, a, transposed=False):
    out = nl.ndarray((a.shape[0], a.shape[1 if transposed else 2]), x.dtype, buffer=nl.shared_hbm)
    multiply_vectors(out, x, MatmulOperand(a, transposed))
    return out


def drawn(*shapes, dtype=np.float32):
    rng = np.random.default_rng(sum(map(sum, shapes)))
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


def check(found, x, a, dtype, extra=0):
    """Sums over 128 partitions of ceil(k / 128) products each, in any order; rounding to the dtype at the end."""
    x, a = (operand.astype(np.float64) for operand in (x, a))
    with np.errstate(invalid="ignore"):
        want, size = (x @ a)[..., 0, :], (np.abs(x) @ np.abs(a))[..., 0, :]
    finite, depth, rounding = np.isfinite(want), a.shape[-2], 0 if dtype == np.float32 else float(ml_dtypes.finfo(dtype).eps)
    error = np.abs(found.astype(np.float64)[finite] - want[finite])
    assert found.shape == want.shape
    assert np.all(error <= (min(depth, 128) + -(-depth // 128) + 2 + extra) * U * size[finite] + rounding * np.abs(want[finite]))
    np.testing.assert_array_equal(found.astype(np.float64)[~finite], want[~finite])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("extents", [(1, 2200, 700), (1, 384, 2100), (1, 130, 5), (1, 90, 260), (5, 256, 300), (3, 200, 640)])
def test_extents(target, dtype, transposed, extents):
    batch, depth, columns = extents
    x, a = drawn((batch, 1, depth), (batch, depth, columns), dtype=dtype)
    a[0, depth // 2, 0], a[-1, -1, columns // 2] = np.inf, np.nan
    with simulator.options(target):
        found = product(x[:, 0], np.ascontiguousarray(a.swapaxes(1, 2)) if transposed else a, transposed)
    check(found, x, a, dtype)


@pytest.mark.parametrize("knobs", [Knobs(two_op="fused"), Knobs(pe_product="split21"), Knobs(pe_order="permuted:3")], ids=str)
@pytest.mark.parametrize("transposed", [False, True])
def test_every_reading_of_the_instructions_keeps_the_bound(knobs, transposed):
    x, a = drawn((1, 1, 700), (1, 700, 300))
    with simulator.options("trn2", knobs=knobs):
        found = product(x[:, 0], np.ascontiguousarray(a.swapaxes(1, 2)) if transposed else a, transposed)
    check(found, x, a, np.float32, extra=3)  # of products that keep 21 bits


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("many", [1, 6])
def test_calls_and_functions_of_the_matrix(target, many):
    """A vector for all matrices or one for each; the matrices are not written between their functions and the product."""
    x, a = drawn((many, 1, 640), (6, 640, 384))
    ours, matrix = (xp.asarray(operand, device=f"sim:{target}") for operand in (x, a))
    xp.synchronize()
    found = ours @ (matrix * 0.5)
    (step,) = xp.explain(found).steps
    assert [stage.computes for stage in step.stages] == ["multiply on operand 2, vecmat"]
    check(np.asarray(found.to_device("cpu"))[:, 0], x / 2, a, np.float32)


@pytest.mark.parametrize(("batch", "side", "takes"), [(1, 16384, True), (1, 32768, False), (2000, 128, True), (20000, 128, False)])
def test_programs_are_not_too_long(batch, side, takes):
    """What the device would have to count is left to `matmul`."""
    operands = Signature((batch, 1, side), FLOAT32), Signature((batch, side, side), FLOAT32)
    assert kernel("vecmat").takes(*operands) == takes


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize(
    ("shape", "share"), [((4096, 4096), 0.8), ((1024, 16384), 0.8), ((16384, 1024), 0.77), ((1000, 8000), 0.68), ((16, 1024, 1024), 0.75)]
)
def test_every_way_to_write_it_is_predicted_to_wait_for_hbm_on_trn2(shape, share, dtype):
    """At 408 bytes a nanosecond; of smaller matrices, the first loads and the last store are a larger part."""
    *batch, m, n = shape
    a, x, y = (xp.zeros(extents, dtype=getattr(xp, dtype), device="sim:trn2") for extents in (shape, (*batch, n), (*batch, m)))
    xp.synchronize()
    seconds = math.prod(shape) * (2 if dtype == "bfloat16" else 4) / 408e9
    for product in (lambda: xp.matvec(a, x), lambda: xp.vecmat(x, a.mT), lambda: xp.vecmat(y, a), lambda: xp.matvec(a.mT, y)):
        assert xp.explain(product()).seconds < seconds / share
