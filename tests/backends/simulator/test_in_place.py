"""Instructions whose results go where their operands are: all operands count as they were before."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

LEFT, RIGHT = (slice(None), slice(0, 599)), (slice(None), slice(1, 600))  # more elements than are converted at once


def _after(body, x):
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        tile = nl.ndarray(x.shape, x.dtype)
        nisa.dma_copy(tile, x)
        body(tile)
        nisa.dma_copy(out, tile)
        return out

    return simulator.jit(kernel)(x)


@pytest.fixture(params=[np.float32, np.uint32, np.int16, np.uint8])
def x(request):
    return np.random.default_rng(5).integers(0, 40, (128, 600)).astype(request.param)


@pytest.mark.parametrize(("to", "of"), [(LEFT, RIGHT), (RIGHT, LEFT), (LEFT, LEFT)])
def test_overlapping_tiles(x, to, of):
    engine = nisa.engine.vector
    expected = x.copy()
    expected[to] = x[of] + x[to]
    np.testing.assert_array_equal(_after(lambda t: nisa.tensor_tensor(t[to], t[of], t[to], nl.add, engine=engine), x), expected)
    expected[to] = x[of] > x[to]
    np.testing.assert_array_equal(_after(lambda t: nisa.tensor_tensor(t[to], t[of], t[to], nl.greater, engine=engine), x), expected)
    expected[to] = np.maximum(x[of], 30) + 1
    found = _after(lambda t: nisa.tensor_scalar(t[to], t[of], nl.maximum, 30.0, op1=nl.add, operand1=1.0), x)
    np.testing.assert_array_equal(found, expected)
    expected[to] = (x[of] + 2) * x[to]
    found = _after(lambda t: nisa.scalar_tensor_tensor(t[to], t[of], nl.add, 2.0, nl.multiply, t[to]), np.minimum(x, 13))
    low = np.minimum(x, 13)
    np.testing.assert_array_equal(found[to], (low[of] + 2) * low[to])


@pytest.mark.parametrize("copy", [nl.copy, nl.relu])
def test_activations_over_their_data(x, copy):
    expected = x.copy()
    expected[RIGHT] = x[LEFT]
    np.testing.assert_array_equal(_after(lambda t: nisa.activation(t[RIGHT], copy, t[LEFT]), x), expected)


def test_a_value_per_partition_of_the_destination():
    """The second operator comes after the first, and its operand from before both."""
    x = np.random.default_rng(5).integers(1, 40, (128, 600)).astype(np.float32)
    found = _after(lambda t: nisa.tensor_scalar(t, t, nl.add, 1.0, op1=nl.multiply, operand1=t[:, :1]), x)
    np.testing.assert_array_equal(found, (x + 1) * x[:, :1])
    bits = x.astype(np.uint32)
    found = _after(lambda t: nisa.tensor_scalar(t, t, nl.bitwise_xor, 5, op1=nl.bitwise_and, operand1=t[:, :1]), bits)
    np.testing.assert_array_equal(found, (bits ^ 5) & bits[:, :1])


@pytest.mark.parametrize(("uninitialized", "content"), [("off", 0.0), ("nan", np.nan)])
def test_memory_of_dead_tiles_is_as_it_is_found(uninitialized, content):
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        for _ in range(2):
            tile = nl.ndarray(x.shape, x.dtype)
            nisa.dma_copy(tile, x)
        other = nl.ndarray(x.shape, x.dtype)
        nisa.dma_copy(other[:, :1], x[:, :1])
        nisa.dma_copy(out, other)
        return out

    x = np.ones((4, 4), np.float32)
    with simulator.options(uninitialized=uninitialized):
        found = simulator.jit(kernel)(x)
    np.testing.assert_array_equal(found, [[1, content, content, content]] * 4)
    with pytest.raises(simulator.UninitializedReadError):
        simulator.jit(kernel)(x)
