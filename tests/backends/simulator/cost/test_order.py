"""What AWS's compiler may do to the order of a program, as readings. Times in ns on trn2."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator import predict
from trnarray.backends.simulator.cost import dependence, footprint
from trnarray.backends.simulator.cost import schedule as schedules
from trnarray.backends.simulator.cost.access import Accesses
from trnarray.backends.simulator.cost.figure import exact
from trnarray.backends.simulator.cost.hardware import HARDWARE
from trnarray.backends.simulator.cost.placement import rotate
from trnarray.backends.simulator.cost.profile import Profiles
from trnarray.backends.simulator.cost.rates import Rates
from trnarray.backends.simulator.cost.schedule import CoreSchedule, _Steady
from trnarray.conformance.constraint_cases.case import trace_case

from .straightforward import straightforward

DVE, ACT, POOL = nisa.engine.vector, nisa.engine.scalar, nisa.engine.gpsimd
SEMAPHORE = HARDWARE["semaphore"]["trn2"].value


def read(body, **readings):
    """Predict under readings."""
    source = {"format": 1, "target": "trn2", "source": "a reading", "figures": readings}
    return predict(trace_case(body, "trn2"), calibration=simulator.Calibration.parse(source))


def done(body, **readings):
    return 1e9 * read(body, **readings).seconds


def free(body):
    """When the queue of the last instruction can go on."""
    return 1e9 * max(interval.end for interval in read(body).intervals)


def products(tiles, count, filled=True, depth=8):
    """A product in `count` pieces, each summed in one of so many tiles of PSUM, which is filled with zeros before."""

    def body():
        left, right = nl.ndarray((128, 128), "bfloat16", nl.sbuf), nl.ndarray((128, 512), "bfloat16", nl.sbuf)
        sums = [nl.ndarray((128, 512), "float32", nl.psum) for _ in range(tiles)]
        for k in range(count):
            if filled:
                nisa.memset(sums[k % tiles], 0.0, engine=DVE)
            for _ in range(depth):
                nisa.nc_matmul(sums[k % tiles], left, right)
            nisa.tensor_copy(nl.ndarray((128, 512), "float32", nl.sbuf), sums[k % tiles], engine=DVE)

    return body


def fill():
    nisa.memset(nl.ndarray((128, 512), "float32", nl.psum), 0.0, engine=DVE)


def drain():
    nisa.tensor_copy(nl.ndarray((128, 512), "float32", nl.sbuf), nl.ndarray((128, 512), "float32", nl.psum), engine=DVE)


def multiply(count):
    def body():
        left, right = nl.ndarray((128, 128), "bfloat16", nl.sbuf), nl.ndarray((128, 512), "bfloat16", nl.sbuf)
        total = nl.ndarray((128, 512), "float32", nl.psum)
        for _ in range(count):
            nisa.nc_matmul(total, left, right)

    return body


def test_a_fill_behind_a_drain_stalls_the_tensor_engine_in_the_order_of_the_program():
    # Every piece waits for its fill, which waits in the Vector Engine's queue for the drain of the piece before.
    piece = done(fill) + SEMAPHORE + done(multiply(8)) + SEMAPHORE + free(drain)
    for tiles in (1, 2):
        assert done(products(tiles, 6), in_order=1) == pytest.approx(6 * piece + done(drain) - free(drain))


def test_a_queue_takes_what_is_ready():
    # With two tiles the next fill goes ahead of the drain, and products follow each other: hardware tells one tile and two apart.
    assert done(products(2, 6)) == pytest.approx(done(fill) + SEMAPHORE + done(multiply(48)) + SEMAPHORE + done(drain))
    assert done(products(1, 6)) == done(products(1, 6), in_order=1)
    assert done(products(1, 6)) > 1.28 * done(products(2, 6))


def test_a_fill_that_nobody_reads_may_be_dropped():
    # Then a product into one tile waits for the drain alone; with two tiles it waits for nothing.
    for tiles in (1, 2):
        dropped = done(products(tiles, 6), dead_fills=0)
        assert dropped == pytest.approx(done(products(tiles, 6, filled=False)))
        assert dropped < done(products(tiles, 6))


@pytest.mark.parametrize("kept", ["added to", "read", "overwritten in part", "read in a loop", "overwritten by what indices choose"])
def test_a_fill_that_may_be_read_is_kept(kept):
    def body():
        left, memory = nl.ndarray((128, 128), "bfloat16", nl.sbuf), nl.psum if kept == "added to" else nl.sbuf
        tile = nl.ndarray((128, 512), "float32", memory)
        other = nl.ndarray((128, 512), "float32", nl.sbuf)
        nisa.memset(tile, 0.0, engine=DVE)
        if kept == "added to":
            nisa.nc_matmul(tile, left, nl.ndarray((128, 512), "bfloat16", nl.sbuf), accumulate=True)
        elif kept == "overwritten in part":
            nisa.tensor_copy(tile[:, 0:511], other[:, 0:511], engine=DVE)
            nisa.tensor_copy(other[:, 0:64], tile[:, 448:512], engine=DVE)
        elif kept == "read in a loop":
            nl.fori_loop(0, 2, lambda _: nisa.tensor_copy(other, tile, engine=DVE) and None)
        elif kept == "overwritten by what indices choose":
            register = nisa.scalar_load(nl.ndarray((1, 1), "int32", nl.sbuf))
            nisa.tensor_copy(tile.ap([[512, 128], [1, 256]], scalar_offset=register, indirect_dim=1), other[:, 0:256], engine=DVE)
        else:
            nisa.tensor_copy(other, tile[:, 0:1].broadcast(1, 512), engine=DVE)
        nisa.tensor_copy(tile, other, engine=DVE)

    assert done(body, dead_fills=0) == done(body)


def test_the_nominal_reading_is_the_free_one():
    """The interval is that of the fit's residuals, in which the compiler's order is; the other reading is a calibration's."""
    found = read(products(2, 6))
    assert 1e9 * found.seconds == pytest.approx(done(products(2, 6), in_order=0))
    assert found.low < found.seconds < found.high


def test_no_reorder_keeps_the_order_of_its_instructions():
    def body(kept):
        def work():
            late, early = nl.ndarray((128, 512), "float32", nl.sbuf), nl.ndarray((128, 512), "float32", nl.sbuf)
            nisa.activation(late, nl.exp, late)
            nisa.tensor_scalar(late, late, nl.add, 1.0, engine=DVE)
            nisa.tensor_scalar(early, early, nl.add, 1.0, engine=DVE)

        if kept:
            with nl.no_reorder():
                work()
        else:
            work()

    assert done(lambda: body(True)) == done(lambda: body(True), in_order=1) == done(lambda: body(False), in_order=1)
    assert done(lambda: body(False)) < done(lambda: body(True))


@pytest.mark.parametrize("state", ["numbers", "sums"])
def test_a_queue_keeps_the_order_of_what_changes_its_state(state):
    """Random numbers follow their seed, and a sum its beginning, whatever is ready."""

    def body():
        late, early = nl.ndarray((128, 512), "float32", nl.sbuf), nl.ndarray((128, 512), "float32", nl.sbuf)
        nisa.activation(late, nl.exp, late)
        if state == "numbers":
            seeds = nl.ndarray((1, 1), "uint32", nl.sbuf)
            nisa.activation(seeds, nl.copy, seeds)
            nisa.set_rng_seed(seeds)
            nisa.rng(nl.ndarray((128, 512), "uint32", nl.sbuf), engine=DVE)
        else:
            sums = nl.ndarray((128, 1), "float32", nl.sbuf)
            for tile in (late, early):
                nisa.tensor_scalar_reduce(tile, tile, nl.add, 1.0, nl.add, sums, reduce_cmd=nisa.reduce_cmd.reduce)

    one, other = (i for i in sorted(read(body).intervals, key=lambda i: i.instruction.serial) if i.queue == "vector")
    assert other.start >= one.end


COLUMNS = 16
WHOLE = slice(0, COLUMNS, 1)


@st.composite
def pieces(draw):
    start = draw(st.integers(0, COLUMNS - 1))
    return slice(start, draw(st.integers(start + 1, COLUMNS)), draw(st.integers(1, 3)))


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["copy", "exp", "fill", "load", "store", "product", "drain"]),
        st.integers(0, 2),
        st.integers(0, 2),
        pieces(),
        st.sampled_from([DVE, ACT, POOL]),
    ),
    min_size=1,
    max_size=24,
)


def made_by(engine):
    """Who makes a DMA's descriptors; GpSimd goes on to its next instruction while the DMA moves."""
    return nisa.dge_mode.swdge if engine is POOL else nisa.dge_mode.none


def random_program(steps):
    """Instructions on three tiles of SBUF, three of PSUM and three HBM tensors; pieces of them overlap, touch or interleave."""

    def body():
        sbuf = [nl.ndarray((32, COLUMNS), "float32", nl.sbuf) for _ in range(3)]
        psum = [nl.ndarray((32, COLUMNS), "float32", nl.psum) for _ in range(3)]
        kept = [nl.ndarray((32, COLUMNS), "float32", nl.private_hbm) for _ in range(3)]
        for what, to, of, piece, engine in steps:
            place = sbuf[to][:, piece]
            width = place.shape[1]
            if what == "copy":
                nisa.tensor_copy(place, sbuf[of][:, :width], engine=engine)
            elif what == "exp":
                nisa.activation(place, nl.exp, place)
            elif what == "fill":
                nisa.memset(place, 0.0, engine=engine if engine is not ACT else DVE)
            elif what == "load":
                nisa.dma_copy(place, kept[of][:, piece], dge_mode=made_by(engine))
            elif what == "store":
                nisa.dma_copy(kept[to][:, piece], sbuf[of][:, piece], dge_mode=made_by(engine))
            elif what == "product":
                nisa.nc_matmul(psum[to][:width, piece], sbuf[of][:, :width], place)
            else:
                nisa.tensor_copy(place, psum[of][:, :width], engine=DVE if engine is POOL else engine)

    return trace_case(body, "trn2")


def scheduled(program, figures, tape=None):
    (core,), profiles = program.cores, Profiles()
    rates = Rates(program.target, {name: exact(value, "x", "a reading") for name, value in figures.items()})
    accesses = Accesses(core, rotate(core, program.target))
    schedule = CoreSchedule(core, rates, accesses, profiles, lambda loop: len(range(loop.lower, loop.upper)), True, tape, True)
    assert not list(schedule.run(core.nodes))
    return [(op.instruction.serial, op.start, op.free, op.complete) for op in schedule.operations]


@given(STEPS, st.booleans())
@settings(max_examples=100)
@example([("load", 0, 0, WHOLE, POOL), ("fill", 0, 0, WHOLE, POOL)], False)
@example([("store", 0, 0, WHOLE, DVE), ("copy", 1, 0, WHOLE, DVE), ("fill", 0, 0, WHOLE, POOL)], False)
def test_times_are_those_of_the_straightforward_schedule(steps, in_order):
    program = random_program(steps)
    assert scheduled(program, {"in_order": in_order}) == straightforward(program, in_order)


def test_what_operations_wait_for_is_found_once_for_all_figures(monkeypatch):
    def body():
        kept, tiles = nl.ndarray((128, 16384), "float32", nl.private_hbm), nl.ndarray((128, 8192), "float32", nl.sbuf)

        def turn(k):
            tile = tiles.ap([[8192, 128], [1, 512]], scalar_offset=k * 256, indirect_dim=1)
            nisa.dma_copy(tile, kept.ap([[16384, 128], [1, 512]], scalar_offset=k * 512, indirect_dim=1))
            nisa.activation(tile, nl.exp, tile)
            nisa.tensor_copy(tiles[:, 7000:7512], tile, engine=DVE)
            nisa.dma_copy(kept[:, 0:512], tiles[:, 7000:7512])

        nl.fori_loop(0, 30, turn)
        nisa.memset(tiles, 0.0, engine=DVE)

    program, tape = trace_case(body, "trn2"), []
    played = []
    for figures in ({}, {"loop_drains": 0}, {"loop_drains": 0, "semaphore": 5000}, {"in_order": 1, "loop_drains": 0, "dma_start": 20}):
        played.append(scheduled(program, figures, tape))
        assert played[-1] == scheduled(program, figures)
    assert len({len(operations) for operations in played}) > 1  # turns until times repeat: others than were found for the first

    class SkipsTurnsSixToTwentyFive(_Steady):
        def period(self, first):
            self.marks.append(self._mark(first))
            return 5 if len(self.marks) == 7 else 0

    class SkipsNone(SkipsTurnsSixToTwentyFive):
        def period(self, first):
            return super().period(first) and 0

    tape = []
    for steady in (SkipsTurnsSixToTwentyFive, SkipsNone):  # the same instructions, of other turns
        monkeypatch.setattr(schedules, "_Steady", steady)
        assert scheduled(program, {"loop_drains": 0}, tape) == scheduled(program, {"loop_drains": 0})


def moved_blocks(offset, apart, other=False):
    """In-place work on two blocks of a tensor in HBM, at an offset that the launch brings or one of the program; or at two."""

    def body():
        kept, table = nl.ndarray((128, 4096), "float32", nl.private_hbm), nl.ndarray((1, 2), "int32", nl.sbuf)
        starts = [nisa.scalar_load(table[0:1, number : number + 1]) for number in range(2)] if offset == "launch" else [8, 8]
        for block, start in ((0, starts[0]), (apart, starts[other])):
            tile, pattern = nl.ndarray((128, 512), "float32", nl.sbuf), [[4096, 128], [1, 512]]
            if offset == "launch":
                part = kept.ap(pattern, offset=block, scalar_offset=start, indirect_dim=1)
            else:
                part = kept.ap(pattern, offset=block + start)
            nisa.dma_copy(tile, part)
            nisa.dma_copy(part, tile)

    return body


@pytest.mark.parametrize("offset", ["launch", "fixed"])
def test_blocks_at_one_offset_of_the_launch_are_told_apart(offset):
    # Both are loaded at once, unless they overlap.
    assert done(moved_blocks(offset, 256)) > 1.5 * done(moved_blocks(offset, 512))


def test_blocks_at_two_offsets_of_the_launch_may_overlap():
    assert done(moved_blocks("launch", 512, other=True)) == done(moved_blocks("launch", 256))


def test_turns_of_a_loop_are_told_apart_by_its_index():
    def body(step):
        kept, tiles = nl.ndarray((128, 16384), "float32", nl.private_hbm), nl.ndarray((128, 8192), "float32", nl.sbuf)

        def turn(k):
            tile = tiles.ap([[8192, 128], [1, 512]], scalar_offset=k * 512, indirect_dim=1)
            part = kept.ap([[16384, 128], [1, 512]], scalar_offset=k * step, indirect_dim=1)
            nisa.dma_copy(tile, part)
            nisa.dma_copy(part, tile)

        nl.fori_loop(0, 8, turn)

    pipelined = {"loop_drains": 0}  # else each turn waits for its DMA
    assert done(lambda: body(256), **pipelined) > 1.4 * done(lambda: body(512), **pipelined)


def test_looking_for_what_overlaps_is_linear(monkeypatch):
    """Of thousands of pieces of a tensor, on chip or in HBM, only those near a piece are compared with it."""
    compared = []

    def counting(a, b):
        compared.append(1)
        return footprint.overlap(a, b)

    monkeypatch.setattr(dependence, "overlap", counting)

    def body(pieces):
        tile, kept = nl.ndarray((128, pieces), "float32", nl.sbuf), nl.ndarray((128 * pieces, 4), "float32", nl.private_hbm)
        nisa.memset(tile, 0.0, engine=DVE)
        for k in range(pieces):
            nisa.activation(tile[:, k : k + 1], nl.exp, tile[:, k : k + 1])
            row = kept[128 * k : 128 * k + 128]
            held = nl.ndarray((128, 4), "float32", nl.sbuf)
            nisa.dma_copy(held, row)
            nisa.dma_copy(row, held)

    predict(trace_case(lambda: body(1000), "trn2"))
    assert len(compared) < 10 * 1000


def test_tiles_that_stay_leave_room_for_those_that_stream():
    """320 tiles of 512 B come up one between two loads, and stay; of the 49 KB that are left, 24 tiles of 2 KiB are used in turn."""

    def body():
        kept = nl.ndarray((128, 512), "float32", nl.private_hbm)
        staying = []
        for _ in range(320):
            loaded, tile = (nl.ndarray((128, 128), "float32", nl.sbuf) for _ in range(2))
            nisa.dma_copy(loaded, kept[:, 0:128])
            nisa.tensor_copy(tile, loaded, engine=DVE)
            staying.append(tile)
        for _ in range(500):
            tile = nl.ndarray((128, 512), "float32", nl.sbuf)
            nisa.dma_copy(tile, kept)
            nisa.dma_copy(kept, tile)
        for tile in staying:
            nisa.dma_copy(kept[:, 0:128], tile)

    program = trace_case(body, "trn2")
    places = rotate(program.cores[0], program.target)
    used = [at for storage, (_, at, _) in places.items() if storage.nbytes == 2048]
    assert len(used) == 500
    assert len(set(used[:24])) == 24
    assert min(used) == 320 * 512
