"""Loops of the device: traced once, with fresh tensors, and no break."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

from .one_tile import run

pytestmark = pytest.mark.usefixtures("on_trn2")
RNG = np.random.default_rng(8)


traced = []


@simulator.jit
def rows(x):
    """Adds row numbers to rows, one row per iteration of a device loop."""
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)

    def body(i):
        traced.append(i)
        row = nl.ndarray((1, x.shape[1]), x.dtype)
        nisa.dma_copy(row, x[nl.ds(i, 1), :])
        number = nl.ndarray((1, 1), nl.int32)
        nisa.scalar_store(number, i * 10)
        wide = nl.ndarray((1, 1), nl.float32)
        nisa.tensor_copy(wide, number)
        nisa.tensor_scalar(row, row, nl.add, wide)
        nisa.dma_copy(out[nl.ds(i, 1), :], row)

    nl.fori_loop(0, x.shape[0], body)
    return out


def test_fori_loop_is_traced_once():
    x = RNG.standard_normal((50, 6)).astype(np.float32)
    traced.clear()
    np.testing.assert_array_equal(rows(x), x + np.float32(10) * np.arange(50, dtype=np.float32)[:, None])
    assert len(traced) == 1
    assert str(rows.program(x)).count("tensor_scalar") == 1


def test_eager_mode_gives_the_same():
    x = RNG.standard_normal((5, 6)).astype(np.float32)
    with simulator.options(eager=True):
        eager = rows(x)
    np.testing.assert_array_equal(eager, rows(x))


@simulator.jit
def countdown(start):
    count, total, step = nl.ndarray((1, 1), nl.int32), nl.zeros((1, 1), nl.int32), nl.full((1, 1), 1, nl.int32)
    nisa.dma_copy(count, start)
    register = nisa.register_alloc()
    nisa.register_load(register, count)

    def body(r):
        nisa.tensor_tensor(total, total, count, nl.add)
        nisa.tensor_tensor(count, count, step, nl.subtract)
        nisa.register_load(r, count)
        return r

    nl.while_loop(register, body)
    out = nl.ndarray((1, 1), nl.int32, buffer=nl.shared_hbm)
    nisa.dma_copy(out, total)
    return out


@pytest.mark.parametrize("n", [0, 1, 10])
def test_while_loop(n):
    assert countdown(np.array([[n]], np.int32))[0, 0] == n * (n + 1) // 2


@simulator.jit
def nested(x):
    """Sums a matrix over a dynamic number of rows, in two loops, one of them of the older kind."""
    bound = nl.ndarray((1, 1), nl.int32)
    nisa.memset(bound, 3)
    end = nisa.register_alloc()
    nisa.register_load(end, bound)
    acc, one = nl.zeros((1, 1), nl.float32), nl.ndarray((1, 1), nl.float32)

    def body(i):
        for j in nl.dynamic_range(end):
            nisa.dma_copy(one, x[nl.ds(i, 1), nl.ds(0, 1)])
            nisa.tensor_tensor(acc, acc, one, nl.add)
            nisa.dma_copy(one, x[nl.ds(0, 1), nl.ds(j, 1)])
            nisa.tensor_tensor(acc, acc, one, nl.add)

    nl.fori_loop(0, 2, body)
    out = nl.ndarray((1, 1), nl.float32, buffer=nl.shared_hbm)
    nisa.dma_copy(out, acc)
    return out


def test_nested_loops():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert nested(x)[0, 0] == sum(x[i, 0] + x[0, j] for i in range(2) for j in range(3))


def test_a_loop_body_has_fresh_tensors():
    def body(tile):
        def once(i):
            inner = nl.ndarray((4, 4), nl.float32)
            nisa.tensor_copy(tile, inner)
            nisa.memset(inner, 0.0)

        nisa.memset(tile, 0.0)
        nl.fori_loop(0, 2, once)

    with pytest.raises(simulator.UninitializedReadError):
        run(body)


def test_tensors_of_a_body_do_not_outlive_it():
    def body(tile):
        kept = []
        nl.fori_loop(0, 2, lambda i: kept.append(nl.zeros((4, 4), nl.float32)))
        nisa.tensor_copy(tile, kept[0])

    with pytest.raises(simulator.KernelError, match="does not outlive"):
        run(body)


def test_a_device_loop_has_no_break():
    def body(tile):
        nisa.memset(tile, 0.0)
        for _ in nl.dynamic_range(3):
            break

    with pytest.raises(simulator.KernelError, match="no break"):
        run(body)
