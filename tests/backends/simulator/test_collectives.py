"""Collectives among simulated ranks, against NumPy on the stacked data."""

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import collectives as ncc
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

RANKS = 4
PAIRS = ncc.ReplicaGroup([[0, 2], [3, 1]])  # not in the order of the ranks
ALL = ncc.ReplicaGroup([range(RANKS)])


def data(dtype=np.float32, shape=(8, 6)):
    values = np.random.default_rng(5).integers(-1000, 1000, (RANKS, *shape))
    return (values * (1 if np.dtype(dtype).kind == "i" else 0.37)).astype(dtype)


def run(kernel, x, lnc=1):
    """The results of all ranks, stacked; each has its part of x."""
    program = simulator.jit(kernel)[lnc].program(x[0])
    return np.stack(simulator.execute_ranks(program, [[part] for part in x]))


def between(collective, memory, *, out=lambda shape: shape):
    """A kernel with a collective from its argument to its result, through HBM or SBUF."""

    def kernel(x):
        result = nl.ndarray(out(x.shape), x.dtype, buffer=nl.shared_hbm)
        if memory is nl.sbuf:
            src, dst = nl.ndarray(x.shape, x.dtype), nl.ndarray(result.shape, x.dtype)
            nisa.dma_copy(src, x)
            collective([src], [dst])
            nisa.dma_copy(result, dst)
        else:
            collective([x], [result])
        return result

    return kernel


def groups(group):
    return {rank: list(members) for members in group.groups for rank in members}


@pytest.mark.parametrize("memory", [nl.sbuf, nl.hbm])
@pytest.mark.parametrize("group", [ALL, PAIRS])
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int32])
@pytest.mark.parametrize(("op", "reference"), [(nl.add, np.sum), (nl.minimum, np.min), (nl.maximum, np.max)])
def test_reductions(memory, group, dtype, op, reference):
    x = data(dtype)
    everything = run(between(lambda s, d: ncc.all_reduce(s, d, group, op), memory), x)
    n = group.size
    parts = run(between(lambda s, d: ncc.reduce_scatter(s, d, group, 0, op), memory, out=lambda s: (s[0] // n, s[1])), x)
    for rank, members in groups(group).items():
        exact = reference(x[members].astype(np.float64), axis=0)
        # float32 sums of n terms, and one rounding to the dtype; integers, minima and maxima are exact.
        unit = {np.dtype(np.float32): 2.0**-24, np.dtype(ml_dtypes.bfloat16): 2.0**-9}.get(np.dtype(dtype), 0)
        bound = (n * 2.0**-24 * np.abs(x[members].astype(np.float64)).sum(axis=0) + 2 * unit * np.abs(exact)) * (op is nl.add and unit > 0)
        assert (np.abs(everything[rank].astype(np.float64) - exact) <= bound).all()
        place = members.index(rank)
        np.testing.assert_array_equal(parts[rank], everything[rank][place * 8 // n : (place + 1) * 8 // n])


def test_integers_wrap():
    x = np.full((RANKS, 2, 2), 2**30, np.int32)
    assert (run(between(lambda s, d: ncc.all_reduce(s, d, ALL, nl.add), nl.hbm), x) == 0).all()


@pytest.mark.parametrize("group", [ALL, PAIRS])
def test_gathers(group):
    x, n = data(), group.size
    longer = {0: lambda s: (n * s[0], s[1]), 1: lambda s: (s[0], n * s[1])}
    for memory, dim in ((nl.hbm, 0), (nl.sbuf, 0), (nl.sbuf, 1)):
        found = run(between(lambda s, d, dim=dim: ncc.all_gather(s, d, group, dim), memory, out=longer[dim]), x)
        for rank, members in groups(group).items():
            np.testing.assert_array_equal(found[rank], np.concatenate(x[members], dim))


@pytest.mark.parametrize("group", [ALL, PAIRS])
def test_all_to_all(group):
    x, n = data(), group.size
    found = run(between(lambda s, d: ncc.all_to_all(s, d, group, 0), nl.hbm), x)
    for rank, members in groups(group).items():
        place, size = members.index(rank), 8 // n
        np.testing.assert_array_equal(found[rank], np.concatenate(x[members, place * size : (place + 1) * size]))


def test_permute():
    x = data()
    found = run(between(lambda s, d: ncc.collective_permute(s, d, [(0, 3), (3, 1), (1, 0), (2, 2)]), nl.hbm), x)
    np.testing.assert_array_equal(found, x[[1, 3, 2, 0]])
    with pytest.raises(simulator.UninitializedReadError):  # nothing reaches rank 0
        run(between(lambda s, d: ncc.collective_permute(s, d, [(0, 1), (1, 2), (2, 3)]), nl.hbm), x)


def test_coalesced_and_in_place():
    @simulator.jit
    def kernel(x, y):
        ncc.all_reduce([x, y], [x, y], ALL, nl.add)

    x, y = data(np.int32), data(np.float32, (3,))
    sums = x.sum(axis=0), y.astype(np.float64).sum(axis=0)
    simulator.execute_ranks(kernel.program(x[0], y[0]), list(zip(x, y, strict=True)))
    assert (x == sums[0]).all()
    np.testing.assert_allclose(y, np.broadcast_to(sums[1], y.shape), rtol=0, atol=1e3 * RANKS**2 * 2.0**-24)


def test_logical_cores_of_two():
    """Both cores of each rank take part; an in-place sum is not added twice."""

    def kernel(x):
        nisa.core_barrier(x, (0, 1))
        ncc.all_reduce([x], [x], ALL, nl.add)
        nisa.core_barrier(x, (0, 1))
        return x

    x = data(np.int32)
    wanted = x.sum(axis=0)
    for found in run(kernel, x, lnc=2):
        np.testing.assert_array_equal(found, wanted)


def test_rank_id():
    def kernel(x):
        """Arithmetic on the rank, which only the device knows."""
        out = nl.ndarray((1, 1), nl.int32, buffer=nl.shared_hbm)
        nisa.scalar_store(out, ncc.rank_id() * 10 + 1)
        return out

    np.testing.assert_array_equal(run(kernel, data()).reshape(-1), [1, 11, 21, 31])


def test_one_rank_alone():
    kernel = simulator.jit(between(lambda s, d: ncc.all_reduce(s, d, ncc.ReplicaGroup([[0]]), nl.add), nl.hbm))
    np.testing.assert_array_equal(kernel(data()[0]), data()[0])
    with pytest.raises(simulator.KernelError, match="rank 1 does not run"):
        simulator.jit(between(lambda s, d: ncc.all_reduce(s, d, ALL, nl.add), nl.hbm))(data()[0])


def test_ranks_that_do_not_meet():
    def kernel(x):
        """As many exchanges as the rank's own data says."""
        count = nisa.register_alloc()
        nisa.register_load(count, x[0, 0])

        def body(_):
            ncc.all_reduce([x], [x], ALL, nl.maximum)

        nl.fori_loop(0, count, body)
        return x

    x = np.ones((RANKS, 1, 1), np.int32)
    run(kernel, x)
    x[2] = 2
    with pytest.raises(simulator.KernelError, match="deadlock"):
        run(kernel, x)


@pytest.mark.parametrize("bad", [[], [[]], [[0, 1], [1, 2]], [[0, 1], [2]], [[-1, 0]]])
def test_groups_that_are_refused(bad):
    with pytest.raises(ValueError, match="equally long and do not overlap"):
        ncc.ReplicaGroup(bad)


def test_ring():
    """All-gather round the ring: each chunk is put where its rank says; two channels."""

    def kernel(x):
        out = nl.ndarray((RANKS, *x.shape), x.dtype, buffer=nl.shared_hbm)
        chunks = [[x], [nl.ndarray(x.shape, x.dtype, buffer=nl.hbm)]]
        for step in range(RANKS):
            owner = ncc.collective_permute_implicit_current_processing_rank_id(step, PAIRS_RING)
            nisa.dma_copy(out[owner], chunks[step % 2][0])
            ncc.collective_permute_implicit([chunks[step % 2]], [chunks[1 - step % 2]], PAIRS_RING)
        return out

    x = data()
    wanted = x.copy()
    for found in run(kernel, x):
        np.testing.assert_array_equal(found, wanted)


PAIRS_RING = ncc.ReplicaGroup([[2, 0, 3, 1]])


@pytest.mark.parametrize("memory", [nl.hbm, nl.sbuf])
def test_a_step_of_a_ring(memory):
    def step(srcs, dsts):
        ncc.collective_permute_implicit([srcs], [dsts], PAIRS_RING)

    x = data()
    np.testing.assert_array_equal(run(between(step, memory), x), x[[2, 3, 1, 0]])  # the rank before 0 is 2, before 1 is 3, ...


def test_ring_of_sums():
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        ncc.collective_permute_implicit_reduce([[x[:4]], [x[4:]]], [[x[:4]], [x[4:]]], [[out[:4]], [out[4:]]], PAIRS_RING, nl.add, [0, 1])
        return out

    x = data(np.int32)
    np.testing.assert_array_equal(run(kernel, x), 2 * x[[2, 3, 1, 0]])  # the rank before 0 is 2, before 1 is 3, ...


COUNTS = np.array([[2, 0, 1, 3], [1, 1, 1, 1], [0, 0, 0, 0], [3, 2, 0, 1]], np.uint32)
FIRST = np.array([[0, 0, 5, 7], [9, 8, 7, 6], [0, 0, 0, 0], [1, 0, 4, 2]], np.uint32)


def variable(collective, in_sbuf, **options):
    @simulator.jit
    def kernel(x, table):
        out, tile = nl.ndarray((16,), x.dtype, buffer=nl.shared_hbm), nl.ndarray((1, 16), x.dtype)
        nisa.memset(tile, -1.0)
        nisa.dma_copy(out, tile)
        meta = nl.ndarray((1, *table.shape), nl.uint32) if in_sbuf else table
        if in_sbuf:
            nisa.dma_copy(meta, table)
        collective([x], [out], ALL, meta, **options)
        if in_sbuf:
            nisa.dma_copy(table, meta)
        return out

    return kernel


@pytest.mark.parametrize("in_sbuf", [False, True])
@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("placed", [False, True])
def test_variable_sizes(in_sbuf, each, known, placed):
    x = data(np.float32, (12,))
    places = np.arange(RANKS, dtype=np.uint32)[::-1] * 4
    tables = np.stack([np.stack([COUNTS[r], FIRST[r], np.full(RANKS, 99, np.uint32), places][: 3 + placed]) for r in range(RANKS)])
    collective = ncc.all_to_all_v if each else ncc.all_gather_v
    with simulator.options("trn3"):
        program = variable(collective, in_sbuf, recv_counts_known=known, has_rdispls=placed).program(x[0], tables[0])
        found = simulator.execute_ranks(program, list(zip(x, tables, strict=True)))
    for rank in range(RANKS):
        wanted = np.full(16, -1, np.float32)
        for source in range(RANKS):
            column = rank if each else 0
            count, first = int(COUNTS[source, column]), int(FIRST[source, column])
            begin = int(places[source]) if placed else 4 * source
            wanted[begin : begin + count] = x[source, first : first + count]
        np.testing.assert_array_equal(found[rank], wanted)
        received = COUNTS[:, rank if each else 0]
        np.testing.assert_array_equal(tables[rank, 2], np.full(RANKS, 99) if known else received)


def test_variable_sizes_that_do_not_fit():
    x = data(np.float32, (12,))
    for count, first in ((5, 0), (1, 12)):  # a slot has 4; the source has 12
        tables = np.zeros((RANKS, 3, RANKS), np.uint32)
        tables[1, 0], tables[1, 1] = count, first
        program = variable(ncc.all_to_all_v, False).program(x[0], tables[0])
        with pytest.raises(simulator.OutOfBoundsError):
            simulator.execute_ranks(program, list(zip(x, tables, strict=True)))


SPLIT = {"gather": (ncc.all_gather_v_prepare, ncc.all_gather_v_trigger), "to all": (ncc.all_to_all_v_prepare, ncc.all_to_all_v_trigger)}


@pytest.mark.parametrize("kind", SPLIT)
def test_split_collectives_are_the_whole_ones(kind):
    """The source is filled between the steps."""
    prepare, trigger = SPLIT[kind]
    whole = ncc.all_gather_v if kind == "gather" else ncc.all_to_all_v

    def kernel(x, meta, split):
        out = nl.full((16,), -1.0, x.dtype, nl.shared_hbm)
        src = nl.ndarray(x.shape, x.dtype, nl.private_hbm)
        handle = prepare([src], [out], ALL, meta, recv_counts_known=True) if split else None
        nisa.dma_copy(src, x)
        if split:
            trigger(handle, name="both")
        else:
            whole([src], [out], ALL, meta, recv_counts_known=True)
        return out

    x = data(np.float32, (12,))
    tables = np.stack([np.stack([COUNTS[r], FIRST[r], COUNTS[r]]) for r in range(RANKS)])
    with simulator.options("trn2"):
        found = [
            simulator.execute_ranks(simulator.jit(kernel).program(x[0], tables[0], split), list(zip(x, tables, strict=True)))
            for split in (False, True)
        ]
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("two prepares", "share one slot"),
        ("no trigger", "not followed by its trigger"),
        ("two triggers", "returned last, once"),
        ("other trigger", "returned last, once"),
        ("in a loop", "in the same body"),
        ("table", "after the prepare has read it"),
        ("table in a loop", "after the prepare has read it"),
    ],
)
def test_prepares_and_triggers_go_together(fault, message):
    prepare, trigger = SPLIT["to all"]

    @simulator.jit
    def kernel(x, meta):
        out, table = nl.ndarray((16,), x.dtype, nl.shared_hbm), nl.ndarray(meta.shape, meta.dtype, nl.private_hbm)
        nisa.dma_copy(table, meta)
        handle = prepare([x], [out], ALL, table)
        if fault == "two prepares":
            ncc.all_gather_v_prepare([x], [out], ALL, table)
        if fault == "table":
            nisa.dma_copy(table, meta)
        if fault == "table in a loop":
            nl.fori_loop(0, 2, lambda _: nisa.dma_copy(table, meta) and None)
        if fault == "in a loop":
            nl.fori_loop(0, 2, lambda _: trigger(handle) and None)
        elif fault == "other trigger":
            ncc.all_gather_v_trigger(handle)
        elif fault != "no trigger":
            trigger(handle)
        if fault == "two triggers":
            trigger(handle)
        return out

    with pytest.raises(simulator.KernelError, match=message):
        kernel.program(data(np.float32, (12,))[0], np.zeros((3, RANKS), np.uint32))
