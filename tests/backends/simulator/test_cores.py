"""Logical cores of two: barriers, exchanges, and what happens if the cores disagree."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

pytestmark = pytest.mark.usefixtures("on_trn2")
X = np.random.default_rng(3).standard_normal((128, 8)).astype(np.float32)


def swapped_halves(barrier):
    """Each core writes its half to a shared tensor, then reads the other's."""

    @simulator.jit
    def kernel(x):
        shared, out = (nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm) for _ in range(2))
        core, half = nl.program_id(0), x.shape[0] // 2
        mine, other = nl.ds(core * half, half), nl.ds((1 - core) * half, half)
        tile = nl.ndarray((half, x.shape[1]), x.dtype)
        nisa.dma_copy(tile, x[mine])
        nisa.dma_copy(shared[mine], tile)
        barrier(shared, core)
        nisa.dma_copy(tile, shared[other])
        nisa.dma_copy(out[mine], tile)
        return out

    return kernel[2]


def test_barrier():
    kernel = swapped_halves(lambda shared, _: nisa.core_barrier(shared, (0, 1)))
    np.testing.assert_array_equal(kernel(X), np.roll(X, 64, axis=0))
    with pytest.raises(simulator.RaceError):
        swapped_halves(lambda *_: None)(X)
    with simulator.options(races=False), pytest.raises(simulator.UninitializedReadError):
        swapped_halves(lambda *_: None)(X)
    with simulator.options(races=False), pytest.raises(simulator.KernelError, match="deadlock: 1 of 2 cores wait"):
        swapped_halves(lambda shared, core: None if core else nisa.core_barrier(shared, (0, 1)))(X)


def test_barrier_in_a_loop():
    @simulator.jit
    def kernel():
        """The cores add 1 in turn, five times."""
        count = nl.ndarray((1, 1), nl.float32, buffer=nl.shared_hbm)
        tile = nl.ndarray((1, 1), nl.float32)
        nisa.memset(tile, 0.0)
        if nl.program_id(0) == 0:
            nisa.dma_copy(count, tile)
        nisa.core_barrier(count, (0, 1))

        def turn(_):
            for core in range(2):
                if nl.program_id(0) == core:
                    nisa.dma_copy(tile, count)
                    nisa.tensor_scalar(tile, tile, nl.add, 1.0)
                    nisa.dma_copy(count, tile)
                nisa.core_barrier(count, (0, 1))

        nl.fori_loop(0, 5, turn)
        return count

    assert kernel[2]().item() == 10


@pytest.mark.parametrize("dma", nisa.dma_engine)
def test_exchange(dma):
    def kernel(x, in_place):
        core = nl.program_id(0)
        out = nl.ndarray((2, *x.shape), x.dtype, buffer=nl.shared_hbm)
        sent = nl.ndarray(x.shape, x.dtype)
        nisa.dma_copy(sent, x)
        nisa.tensor_scalar(sent, sent, nl.add, float(core))
        received = sent if in_place else nl.ndarray(x.shape, x.dtype)
        nisa.sendrecv(sent, received, 1 - core, 1 - core, pipe_id=0, dma_engine=dma)
        nisa.dma_copy(out[core], received)
        return out

    for in_place in (False, True):
        np.testing.assert_array_equal(simulator.jit(kernel)[2](X, in_place), np.stack([X + np.float32(1), X]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (lambda core: (1 - core, 1 - core, core), "different pipe_id"),
        (lambda core: (core, 1 - core, 0), "core 0 receives from core 1, which sends to core 1"),
    ],
)
def test_exchanges_that_do_not_fit(arguments, message):
    @simulator.jit
    def kernel():
        tile = nl.ndarray((4, 4), nl.float32)
        nisa.memset(tile, 0.0)
        nisa.sendrecv(tile, tile, *arguments(nl.program_id(0)))

    with pytest.raises(simulator.KernelError, match=message):
        kernel[2]()
