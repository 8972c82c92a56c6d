"""Calls that are repeated from an earlier one's instructions: the same program as if each call had been traced."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.program.program import walk
from trnarray.backends.simulator.program.repetition import Recordings, repeated

pytestmark = pytest.mark.usefixtures("on_trn2")
RNG = np.random.default_rng(24)
called = []


def some_rows(src, dst, shared):
    """Scales the first rows, as many as the first number says, one in each turn, and adds what all calls share to the others."""
    called.append(src)
    count, rows = nl.ndarray((1, 1), nl.int32), nl.ndarray(src.shape, src.dtype)
    first = nl.ndarray((1, 1), nl.float32)
    nisa.dma_copy(rows, src)
    nisa.dma_copy(first, src[0:1, 0:1])
    nisa.tensor_copy(count, first)
    nisa.tensor_tensor(rows, rows, shared, nl.add)
    nisa.dma_copy(dst, rows)
    register = nisa.register_alloc()
    nisa.register_load(register, count)

    def body(i):
        row = nl.ndarray((1, src.shape[1]), src.dtype)
        nisa.dma_copy(row, src[nl.ds(i, 1), :])
        nisa.tensor_scalar(row, row, nl.multiply, 1.25)
        nisa.dma_copy(dst[nl.ds(i, 1), :], row)

    nl.fori_loop(0, register, body)


def kernel(repeats, names=None, grows=False):
    """Chains five calls through HBM; the caller holds the tile that they share, or tiles that each call adds to."""

    def chain(x):
        shared, known = nl.full(x.shape, 0.5, nl.float32), Recordings()
        tiles, src = [shared], x
        for place in range(5):
            buffer = nl.shared_hbm if place == 4 else nl.private_hbm
            dst = nl.ndarray(x.shape, x.dtype, buffer=buffer)

            def call(src=src, dst=dst):
                if grows:
                    tiles.append(nl.full(x.shape, 0.5, nl.float32))
                some_rows(src, dst, tiles[-1])
                if names:
                    nisa.memset(tiles[-1], 0.5, name=names)

            if repeats:
                repeated(known, "rows", [src, dst], call, lambda: tiles)
            else:
                call()
            src = dst
        return src

    return simulator.jit(chain)


def expected(x):
    for _ in range(5):
        x = np.where(np.arange(len(x))[:, None] < np.rint(x[0, 0]), np.float32(1.25) * x, x + np.float32(0.5))
    return x


def test_the_program_and_its_results_are_those_of_calls():
    x = RNG.standard_normal((6, 4)).astype(np.float32)
    x[0, 0] = 0.125
    called.clear()
    # The first call is that of the program's input, which is in private HBM as what comes after; the last one writes to shared HBM.
    program = kernel(True).program(x)
    assert len(called) == 2
    assert str(program) == str(kernel(False).program(x))
    np.testing.assert_array_equal(kernel(True)(x), expected(x))
    assert program.cores[0].addresses.keys() >= {storage for storage in program.cores[0].storages if storage.on_chip}


def test_a_body_of_a_loop_repeats_within_itself():
    def loop(repeats):
        def turns(x):
            out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            nisa.dma_copy(out, x)
            between, known = nl.ndarray(x.shape, x.dtype, buffer=nl.private_hbm), Recordings()

            def body(_):
                shared = nl.full(x.shape, 0.5, nl.float32)
                for src, dst in ((out, between), (between, out), (out, between), (between, out)):
                    if repeats:
                        repeated(known, (src is out,), [src, dst], lambda src=src, dst=dst: some_rows(src, dst, shared), lambda: [shared])
                    else:
                        some_rows(src, dst, shared)

            nl.fori_loop(0, 2, body)
            return out

        return simulator.jit(turns)

    x = RNG.standard_normal((6, 4)).astype(np.float32)
    x[0, 0] = 0.125
    called.clear()
    programs = loop(True).program(x), loop(False).program(x)
    assert str(programs[0]) == str(programs[1])
    made = [[len(node.made) for node, _ in walk(program.cores[0].nodes) if hasattr(node, "made")] for program in programs]
    assert made[0] == made[1]  # what is new in each turn
    assert len(called) == 2 + 4
    np.testing.assert_array_equal(loop(True)(x), loop(False)(x))


@pytest.mark.parametrize("way", ["named", "grows", "outside", "eager"])
def test_calls_that_are_not_alone_are_made(way):
    x = RNG.standard_normal((6, 4)).astype(np.float32)
    x[0, 0] = 0.125
    called.clear()
    with simulator.options(eager=way == "eager"):
        if way == "outside":  # a tile that the caller did not name

            def chain(x):
                hidden, known = nl.full(x.shape, 0.5, nl.float32), Recordings()
                out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
                for _ in range(5):
                    repeated(known, "rows", [x, out], lambda: some_rows(x, out, hidden), list)
                return out

            simulator.jit(chain)(x)
        else:
            kernel(True, "again" if way == "named" else None, way == "grows")(x)
    assert len(called) == 5


def test_other_shapes_are_another_class():
    def both(x, y):
        known, results = Recordings(), []
        shared = {given.shape: nl.full(given.shape, 0.5, nl.float32) for given in (x, y)}
        for given in (x, y, x, y):
            out = nl.ndarray(given.shape, given.dtype, buffer=nl.shared_hbm)
            repeated(known, "rows", [given, out], lambda g=given, r=out: some_rows(g, r, shared[g.shape]), shared.values)
            results.append(out)
        return tuple(results)

    x, y = np.float32([[1.0, 2.0], [3.0, 4.0]]), np.float32([[0.0], [5.0], [6.0]])
    called.clear()
    first, second, *others = simulator.jit(both)(x, y)
    assert len(called) == 2
    np.testing.assert_array_equal(first, [[1.25, 2.5], [3.5, 4.5]])
    np.testing.assert_array_equal(second, [[0.5], [5.5], [6.5]])
    np.testing.assert_array_equal(others[0], first)
    np.testing.assert_array_equal(others[1], second)
