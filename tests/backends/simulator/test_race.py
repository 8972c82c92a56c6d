"""Each kind of race, and each thing that orders its accesses."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.passes.race import find_races

pytestmark = pytest.mark.usefixtures("on_trn2")
X = np.zeros((128, 8), np.float32)


def count(kernel, *arrays, lnc=1):
    with simulator.options(races=False):
        return len(find_races(simulator.jit(kernel)[lnc].program(*arrays)))


def placed(byte, order=None, engine=nisa.engine.gpsimd):
    """A write on the Vector Engine, one on another engine, and a read of the first, through tensors with addresses."""

    @simulator.jit
    def kernel(x):
        a = nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0))
        b = nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, byte))
        c = nl.ndarray((128, 8), nl.float32)
        if order == "region":
            with nl.no_reorder():
                nisa.memset(a, 0.0, engine=nisa.engine.vector)
                nisa.memset(b, 1.0, engine=engine)
        else:
            first = nisa.memset(a, 0.0, engine=nisa.engine.vector, name="first")
            second = nisa.memset(b, 1.0, engine=engine, name="second")
            if order == "depends_on":
                second.depends_on(first)
        nisa.tensor_copy(c, a, engine=engine)

    return kernel.with_schedule([("second", "first")]) if order == "schedule" else kernel


@pytest.mark.parametrize("byte", [0, 4, 28, 32])
def test_addresses(byte):
    with simulator.options(races=False):
        program = placed(byte).program(X)
    assert len(find_races(program)) == (byte < 32)
    if byte < 32:
        with pytest.raises(simulator.RaceError, match=r"on vector writes .* on gpsimd writes .* nothing orders them; .*races=False"):
            placed(byte)(X)


@pytest.mark.parametrize("order", ["depends_on", "schedule", "region"])
def test_what_orders(order):
    assert not find_races(placed(0, order).program(X))


@pytest.mark.parametrize("within", [False, True])
def test_reuse(within):
    """Memory that a tensor has left for good is another's; a loop comes back to its tensors."""

    def kernel(x):
        b = nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0))

        def body(_):
            a = outside if within else nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0))
            nisa.memset(a, 0.0, engine=nisa.engine.vector)
            if within:
                nisa.memset(b, 1.0, engine=nisa.engine.gpsimd)

        outside = nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0)) if within else None
        nl.fori_loop(0, 2, body)
        if not within:
            nisa.memset(b, 1.0, engine=nisa.engine.gpsimd)

    assert count(kernel, X) == within
    with simulator.options(races=False):
        assert len(find_races(simulator.jit(kernel).program(X), strict=True)) == 1
    with simulator.options(races="strict"), pytest.raises(simulator.RaceError, match="nothing orders them"):
        simulator.jit(kernel)(X)


def test_strictly_no_race_if_ordered():
    @simulator.jit
    def kernel(x):
        first = nisa.memset(nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0)), 0.0, engine=nisa.engine.vector)
        second = nisa.memset(nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0)), 0.0, engine=nisa.engine.gpsimd)
        second.depends_on(first)

    with simulator.options(races="strict"):
        kernel(X)


def test_an_engine_is_in_order():
    assert not find_races(placed(0, engine=nisa.engine.vector).program(X))


def test_dependence_through_a_third_tensor():
    def kernel(x, through):
        a = nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0))
        b = nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0))
        c = nl.ndarray((128, 8), nl.float32)
        d = nl.ndarray((128, 8), nl.float32)
        nisa.memset(a, 0.0, engine=nisa.engine.vector)
        nisa.memset(d, 0.0, engine=nisa.engine.gpsimd)
        nisa.tensor_copy(c, a, engine=nisa.engine.vector)
        nisa.tensor_copy(b, c if through else d, engine=nisa.engine.gpsimd)
        nisa.tensor_copy(d, a, engine=nisa.engine.gpsimd)

    assert count(kernel, X, True) == 0
    assert count(kernel, X, False) == 2  # with the write to a, and with its read


def test_a_write_waits_for_earlier_reads():
    def kernel(x, through):
        a = nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0))
        b = nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0))
        c, d = nl.zeros((128, 8), nl.float32), nl.ndarray((128, 8), nl.float32)
        nisa.tensor_tensor(a, c, c, nl.add, engine=nisa.engine.vector)  # reads c and writes a
        nisa.memset(c if through else d, 0.0, engine=nisa.engine.gpsimd)  # must not overwrite c before
        nisa.memset(b, 0.0, engine=nisa.engine.gpsimd)
        nisa.tensor_copy(d, a, engine=nisa.engine.gpsimd)

    assert count(kernel, X, True) == 0
    assert count(kernel, X, False) == 1


@pytest.mark.parametrize("barrier", [False, True])
@pytest.mark.parametrize("overlap", [False, True])
def test_cores(barrier, overlap):
    def kernel(x):
        """Core 0 writes a part, core 1 reads the same or another."""
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        tile = nl.ndarray((64, 8), x.dtype)
        nisa.memset(tile, 0.0)
        if nl.program_id(0) == 0:
            nisa.dma_copy(out[:64], tile)
        if barrier:
            nisa.core_barrier(out, (0, 1))
        if nl.program_id(0) == 1:
            nisa.dma_copy(tile, out[:64] if overlap else out[64:])

    assert count(kernel, X, lnc=2) == (overlap and not barrier)


def test_one_buffer_passed_twice():
    @simulator.jit
    def kernel(x, y):
        a, b = nl.ndarray(x.shape, x.dtype), nl.ndarray(x.shape, x.dtype)
        nisa.memset(a, 0.0)
        nisa.dma_copy(x, a)
        nisa.dma_copy(b, y, dge_mode=nisa.dge_mode.hwdge, engine=nisa.engine.sync)

    program = kernel.program(X, X)
    assert not find_races(program)
    assert len(find_races(program, [program.inputs])) == 1
    kernel(X.copy(), X)
    with pytest.raises(simulator.RaceError):
        kernel(X, X)


@pytest.mark.parametrize("turns", [1, 2])
def test_an_iteration_may_begin_before_the_last_has_ended(turns):
    """Within an iteration the copy waits for the write; nothing keeps the write of the next from overtaking the copy."""

    def kernel(x):
        a, b = (nl.ndarray((128, 8), nl.float32, buffer=nl.sbuf, address=(0, 0)) for _ in range(2))
        c = nl.ndarray((128, 8), nl.float32)

        def body(_):
            first = nisa.memset(a, 0.0, engine=nisa.engine.vector)
            nisa.tensor_copy(c, b, engine=nisa.engine.gpsimd).depends_on(first)

        nl.fori_loop(0, turns, body)
        nisa.memset(a, 1.0, engine=nisa.engine.gpsimd)

    assert count(kernel, X) == (turns > 1)


@pytest.mark.parametrize(
    ("rows", "races"),
    [
        (lambda i, core: i + 2 * core, False),  # 0, 1 and 2, 3
        (lambda i, core: i + core, True),  # 0, 1 and 1, 2
        (lambda i, core: 2 * i + core, False),  # 0, 2 and 1, 3
        (lambda i, core: 3 - i if core else i, False),  # 0, 1 and 3, 2
        (lambda i, core: 2 - i if core else 3 - i, True),  # 3, 2 and 2, 1
    ],
)
def test_indices_of_loops(rows, races):
    """Cores write rows that their loops count."""

    def kernel(x):
        out = nl.ndarray((4, 128, 8), x.dtype, buffer=nl.shared_hbm)
        tile, core = nl.zeros((128, 8), x.dtype), nl.program_id(0)
        nl.fori_loop(0, 2, lambda i: nisa.dma_copy(out.select(0, rows(i, core)), tile) and None)

    assert bool(count(kernel, X, lnc=2)) == races


def test_loaded_indices_reach_everything():
    def kernel(x, which, half):
        out = nl.ndarray((4, 128, 8), x.dtype, buffer=nl.shared_hbm)
        tile, index, core = nl.zeros((128, 8), x.dtype), nl.ndarray((1, 1), nl.int32), nl.program_id(0)
        nisa.dma_copy(index, which)
        row = nisa.scalar_load(index)
        nisa.dma_copy((out[2 * core : 2 * core + 2] if half else out).select(0, row), tile)

    which = np.zeros((1, 1), np.int32)
    assert count(kernel, X, which, False, lnc=2) == 1
    assert count(kernel, X, which, True, lnc=2) == 0
    with pytest.raises(simulator.RaceError, match=r"of core 0 (reads|writes).* of core 1 (reads|writes).*an index that is loaded"):
        simulator.jit(kernel)[2](X, which, False)


def test_gathered_rows_and_columns():
    def kernel(x, vector):
        out, tile = nl.ndarray((128, 8), x.dtype, buffer=nl.shared_hbm), nl.zeros((32, 8), x.dtype)
        index = nl.zeros((32, 1), nl.int32)
        if nl.program_id(0):
            nisa.dma_copy(out.vector_select(0, index) if vector else out[:32], tile)
        else:
            nisa.dma_copy(out[96:], tile)

    assert count(kernel, X, True, lnc=2) == 1
    assert count(kernel, X, False, lnc=2) == 0
