"""Engines that flush denormals have none, as operands or results of arithmetic; and two more of what the conformance suite found."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import Knobs, isa, language

TINY = np.float32(2.0**-130)
X = np.array([[TINY, TINY, 2.0**-126, 0.0]], np.float32)
ONE = np.ones((1, 4), np.float32)


def run(body, *arrays, target="trn3", shape=(1, 4), dtype="float32", **knobs):
    @simulator.jit
    def kernel(inputs):
        tiles = []
        for source in inputs:
            tiles.append(language.ndarray(source.shape, source.dtype))
            isa.dma_copy(tiles[-1], source)
        out, result = language.ndarray(shape, dtype), language.ndarray(shape, dtype, language.shared_hbm)
        body(out, *tiles)
        isa.dma_copy(result, out)
        return result

    with simulator.options(target, knobs=Knobs(**knobs)):
        return kernel(arrays)


def flushes(body, engine, *arrays, **kwargs):
    kept = run(body, *arrays, **kwargs)
    return kept, run(body, *arrays, **kwargs, **{f"denormals_{engine}": "flush"})


def test_operands_of_comparisons():
    def body(out, x, _):
        isa.tensor_scalar(out, x, language.greater, 0.0)

    kept, flushed = flushes(body, "dve", X, ONE)
    assert kept.tolist() == [[1, 1, 1, 0]]
    assert flushed.tolist() == [[0, 0, 1, 0]]


def test_logical_reductions():
    def body(out, x):
        isa.tensor_reduce(out, language.logical_or, x[:, :2], 1)

    kept, flushed = flushes(body, "dve", X, shape=(1, 1))
    assert (kept.item(), flushed.item()) == (1, 0)


def test_statistics():
    def body(out, x):
        isa.bn_stats(out, x)

    kept, flushed = flushes(body, "dve", np.full((1, 4), TINY), shape=(1, 6))
    assert kept[0, 1] == TINY
    assert flushed.tolist() == [[2, 0, 0, 2, 0, 0]]


def test_exponential():
    def body(out, x):
        isa.exponential(out, x)

    kept, flushed = flushes(body, "dve", np.full((1, 4), -90, np.float32))
    assert (kept > 0).all()
    assert not flushed.any()


@pytest.mark.parametrize("bias", [None, 0.0])
def test_scale_of_activations(bias):
    def body(out, x):
        isa.activation(out, language.sign, x, bias, scale=0.5)

    kept, flushed = flushes(body, "act", X)
    assert kept.tolist() == [[1, 1, 1, 0]]
    assert not flushed.any()


def test_sums_over_partitions_flush_partial_results():
    def body(out, x):
        isa.tensor_partition_reduce(out, language.add, x)

    x = np.array([[2.0**-126], [-(2.0**-127) - 2.0**-126], [2.0**-126]], np.float32)
    kept, flushed = flushes(body, "pool", x, shape=(1, 1))
    assert kept.item() == 2.0**-127
    assert flushed.item() == 2.0**-126  # the partial sum is denormal


def test_copies_keep_denormals():
    def body(out, x):
        isa.tensor_copy(out, x)

    np.testing.assert_array_equal(*flushes(body, "dve", X))


def test_products_of_uint32_saturate():
    def body(out, x):
        isa.tensor_tensor(out, x, x, language.multiply)

    x = np.array([[2**32 - 1, 3, 2**17, 0]], np.uint32)
    assert run(body, x, dtype="uint32", gpsimd_overflow="saturate").tolist() == [[2**32 - 1, 9, 2**32 - 1, 0]]
    assert run(body, x, dtype="uint32").tolist() == [[1, 9, 0, 0]]


def test_trn1_transposes_integers_on_the_tensor_engine():
    def body(out, x):
        product = language.ndarray((4, 2), "int32", language.psum)
        isa.nc_transpose(product, x, engine=isa.tensor_engine)
        isa.tensor_copy(out, product)

    x = np.arange(8, dtype=np.int32).reshape(2, 4)
    np.testing.assert_array_equal(run(body, x, target="trn1", shape=(4, 2), dtype="int32"), x.T)
