"""Each mechanism of the scheduler, by programs that differ in it alone. Times in ns on trn2 unless said."""

import itertools

import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import TARGETS, predict
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.cost.hardware import HARDWARE
from trnarray.backends.simulator.cost.table import rows_of
from trnarray.conformance.constraint_cases.case import trace_case

DVE, ACT, POOL, SP = nisa.engine.vector, nisa.engine.scalar, nisa.engine.gpsimd, nisa.engine.sync
FIGURES = {name: row["trn2"].value for name, row in HARDWARE.items()}
START, FINISH, SEMAPHORE = (FIGURES[name] for name in ("dma_start", "dma_finish", "semaphore"))
OVERHEAD = {engine: FIGURES[f"{engine}_overhead"] for engine in ("vector", "scalar", "gpsimd")}
LATENCY = {engine: FIGURES[f"{engine}_latency"] for engine in ("vector", "scalar", "gpsimd")}
COPY = next(row for row in rows_of("tensor_copy") if row.engine == "vector" and not row.when and "trn2" in row.targets).stream.value


def run(body, target="trn2", cores=1):
    return predict(trace_case(body, target, cores))


def ns(body, target="trn2"):
    return 1e9 * run(body, target).seconds


def cycles(count, engine="vector", target="trn2"):
    return count / TARGETS[target].clock_ghz[engine]


def tile(columns=512, dtype="float32", buffer=nl.sbuf, rows=128, **address):
    return nl.ndarray((rows, columns), dtype, buffer, **address)


def hbm(rows=128, columns=512, dtype="float32"):
    return nl.ndarray((rows, columns), dtype, nl.private_hbm)


def issue(descriptors=128):
    """What the compiler's choice takes to issue a DMA."""
    return FIGURES["dge"] + FIGURES["dge_descriptor"] * descriptors


def moving(row_bytes, rows=8):
    """What a DMA engine takes for rows."""
    return rows * (FIGURES["dma_descriptor"] + row_bytes / FIGURES["dma_rate"])


def short(elements=64):
    """Cycles of a copy on the Vector Engine until it can begin the next, and until its result can be used."""
    stream = COPY * elements
    occupied = max(stream, 64) + OVERHEAD["vector"]
    return occupied, max(occupied, stream + LATENCY["vector"])


def both(first, second):
    return lambda: (first(), second())


def test_an_engine_waits_for_results_but_not_to_begin():
    def chain(dependent):
        a, b, c = tile(8), tile(8), tile(8)
        for _ in range(10):
            nisa.tensor_copy(b, a, engine=DVE)
            nisa.tensor_copy(c, b if dependent else a, engine=DVE)

    # One after the other as soon as the engine can; or half of them when the one before has ended.
    occupied, complete = short(8)
    assert ns(lambda: chain(False)) == pytest.approx(cycles(19 * occupied + complete))
    assert ns(lambda: chain(True)) == pytest.approx(cycles(9 * (complete + occupied) + 2 * complete))


def test_results_pass_between_engines_by_semaphores():
    def there(engine):
        a, b, c = tile(), tile(), tile()
        nisa.tensor_copy(b, a, engine=DVE)
        nisa.tensor_copy(c, b, engine=engine)

    _, complete = short(512)
    on_scalar = 512 + max(LATENCY["scalar"], OVERHEAD["scalar"])
    assert ns(lambda: there(ACT)) == pytest.approx(cycles(complete) + SEMAPHORE + cycles(on_scalar, "scalar"))
    assert ns(lambda: there(DVE)) == pytest.approx(cycles(2 * complete))


def test_engines_run_at_the_same_time():
    def on(engine):
        return lambda: nisa.activation(tile(2048), nl.exp, tile(2048)) if engine is ACT else nisa.memset(tile(2048), 1.0, engine=engine)

    assert ns(both(on(DVE), on(ACT))) == max(ns(on(DVE)), ns(on(ACT)))


def test_matmuls_that_accumulate_do_not_wait_for_each_other():
    def products(accumulators):
        weights, moving = tile(128, "bfloat16"), tile(512, "bfloat16")
        results = [tile(buffer=nl.psum) for _ in range(accumulators)]
        for k in range(8):
            nisa.nc_matmul(results[k % accumulators], weights, moving)

    assert ns(lambda: products(1)) == ns(lambda: products(8)) == pytest.approx(cycles(32 + 8 * 512 + 192, "tensor"))


def test_weights_are_loaded_behind_the_product_before():
    def products(columns):
        moving = tile(columns, "bfloat16")
        for _ in range(16):
            nisa.nc_matmul(tile(columns, buffer=nl.psum), tile(128, "bfloat16"), moving)

    assert ns(lambda: products(512)) == pytest.approx(cycles(32 + 16 * 512 + 192, "tensor"))  # only the first is seen


def test_weights_that_come_late_hold_the_product_up():
    def product(late):
        first, second = tile(128, "bfloat16"), tile(512, "bfloat16")
        nisa.memset(first if late == "weights" else second, 1.0, engine=DVE)
        nisa.nc_matmul(tile(buffer=nl.psum), first, second)

    assert ns(lambda: product("weights")) < ns(lambda: product("moving"))  # a quarter as much to fill
    filling = 128 + max(LATENCY["vector"], OVERHEAD["vector"])
    exposed = ns(lambda: product("weights")) - cycles(filling) - SEMAPHORE
    assert exposed == pytest.approx(cycles(32 + 512 + 192, "tensor"))


def test_small_matmuls_share_the_array():
    def products(positions):
        for row, column in positions:
            nisa.nc_matmul(
                tile(512, buffer=nl.psum, rows=64),
                tile(64, "bfloat16", rows=64),
                tile(512, "bfloat16", rows=64),
                tile_position=(row, column),
                tile_size=(64, 64),
            )

    apart = ns(lambda: products(itertools.product((0, 64), (0, 64))))
    assert apart < 1.7 * ns(lambda: products([(0, 0)]))
    assert ns(lambda: products([(0, 0)] * 4)) > 3 * cycles(512, "tensor") + apart - cycles(512 + 300, "tensor")


def test_a_dma_takes_its_time_to_start_and_to_finish():
    assert ns(lambda: nisa.dma_copy(tile(1024), hbm(128, 1024))) == pytest.approx(issue() + START + moving(4096) + FINISH)
    assert 1416 == pytest.approx(moving(8192, 4), rel=0.2)  # what AWS's profile shows for 32 KiB on one engine


def test_dma_engines_serve_eight_partitions_each():
    def load(rows):
        return ns(lambda: nisa.dma_copy(tile(1024, rows=rows), hbm(rows, 1024))) - issue(rows) - START - FINISH

    assert load(8) == pytest.approx(load(128))
    assert load(4) == pytest.approx(load(128) / 2)
    busy = run(lambda: nisa.dma_copy(tile(1024, rows=8), hbm(8, 1024))).busy
    assert busy["dma0"] > 0
    assert busy["dma1"] == 0


def test_transfers_are_issued_one_after_the_other():
    """Loads and stores alike, which single rows show: their issue takes far longer than their moving."""

    def singles(count):
        source, target = hbm(2 * count, 1), hbm(2 * count, 1)
        for row in range(count):
            nisa.dma_copy(tile(1, rows=1), source[row : row + 1])
            nisa.dma_copy(target[row : row + 1], tile(1, rows=1))

    assert (ns(lambda: singles(40)) - ns(lambda: singles(20))) / 40 == pytest.approx(issue(1))


@pytest.mark.parametrize("columns", [1, 64, 1024])
def test_rows_take_their_descriptors_and_their_bytes(columns):
    """Whether or not they follow each other in HBM."""

    def load(width):
        return ns(lambda: nisa.dma_copy(tile(columns), hbm(128, width)[:, 0:columns])) - issue() - START - FINISH

    assert load(columns) == pytest.approx(moving(4 * columns))
    assert load(columns + 1) == pytest.approx(moving(4 * columns))


def test_dma_by_elements_is_ruinous():
    def load(transposed):
        source = nl.ndarray((512, 128), "float32", nl.private_hbm)
        view = source.permute((1, 0)) if transposed else source.reshape((128, 512))
        nisa.dma_copy(tile(), view)

    assert ns(lambda: load(True)) == pytest.approx(issue(128 * 512) + START + 512 * moving(4) + FINISH)
    assert ns(lambda: load(True)) > 20 * ns(lambda: load(False))


def test_hbm_is_shared():
    # Within HBM each byte counts twice.
    def within():
        nisa.dma_copy(hbm(128, 65536), hbm(128, 65536))

    found = run(within)
    rate = FIGURES["hbm_rate"]
    assert 1e9 * found.seconds == pytest.approx(issue(16) + START + 2 * 128 * 65536 * 4 / rate + FINISH, rel=1e-3)
    assert found.bounds["dma"] == pytest.approx(128 * 65536 * 4 / (16e9 * FIGURES["dma_rate"]))


def test_transfers_queue_for_engines():
    def loads(places):
        for first in places:
            whole = tile(4096)
            nisa.dma_copy(whole[first : first + 32], hbm(32, 4096))

    assert ns(lambda: loads([0, 32, 64, 96])) < ns(lambda: loads([0, 0, 0, 0])) / 2  # but for their issue, a quarter
    waited = run(lambda: loads([0, 0])).critical_path[-1]
    assert waited.waited_for == "DMA engine"


def test_who_makes_descriptors():
    def load(mode, engine=nisa.engine.unknown):
        return ns(lambda: nisa.dma_copy(tile(), hbm(), dge_mode=mode, engine=engine))

    static = load(nisa.dge_mode.none)
    assert load(nisa.dge_mode.hwdge, SP) == pytest.approx(static - FIGURES["dma_trigger"] + issue())
    assert load(nisa.dge_mode.unknown) == load(nisa.dge_mode.hwdge, SP)
    assert load(nisa.dge_mode.swdge) > static + 500

    def behind(engine):
        """Descriptors made for the Scalar Engine's queue do not hold its computations up."""
        source, held = hbm(), tile()
        nisa.dma_copy(held, source, dge_mode=nisa.dge_mode.hwdge, engine=engine)
        nisa.activation(tile(), nl.exp, tile())

    intervals = {i.instruction.opcode.name: i for i in run(lambda: behind(ACT)).intervals}
    assert intervals["activation"].start < 100e-9


def test_dma_transposes_are_slower():
    def transposed(rows):
        return ns(lambda: nisa.dma_transpose(tile(rows, "bfloat16"), nl.ndarray((rows, 128), "bfloat16", nl.private_hbm)))

    def copied(rows):
        return ns(lambda: nisa.dma_copy(tile(rows, "bfloat16"), nl.ndarray((128, rows), "bfloat16", nl.private_hbm)))

    assert transposed(4096) - issue(256) == pytest.approx(START + 2 * moving(4096) / 0.9 + FINISH)
    assert copied(4096) == pytest.approx(issue() + START + max(moving(8192), 128 * 8192 / FIGURES["hbm_rate"]) + FINISH)


@pytest.mark.parametrize(
    ("target", "dtype", "collide"), [("trn1", "float32", True), ("trn2", "float32", False), ("trn2", "bfloat16", True)]
)
def test_vector_and_gpsimd_share_a_port(target, dtype, collide):
    def vector():
        nisa.tensor_copy(tile(4096, dtype), tile(4096, dtype), engine=DVE)

    def gpsimd():
        nisa.iota(tile(2048, "int32"), pattern=[[1, 2048]])

    together, alone = ns(both(vector, gpsimd), target), max(ns(vector, target), ns(gpsimd, target))
    assert (together > alone) == collide


@pytest.mark.parametrize(("target", "bank", "collide"), [("trn1", 1, True), ("trn2", 0, True), ("trn2", 1, False)])
def test_vector_and_scalar_on_psum(target, bank, collide):
    def vector():
        nisa.tensor_copy(tile(256), tile(256, buffer=nl.psum, address=(0, 0)), engine=DVE)

    def scalar():
        nisa.activation(tile(256), nl.exp, tile(256, buffer=nl.psum, address=(0, 1024 + bank * 2048)))

    found = run(both(vector, scalar), target)
    alone = max(ns(vector, target), ns(scalar, target))
    assert (1e9 * found.seconds > alone * (1 + 1e-9)) == collide
    if collide:
        assert found.critical_path[-1].waited_for == "bank"


@pytest.mark.parametrize(
    ("first", "second", "ordered"),
    [
        (("write", slice(0, 256)), ("read", slice(128, 384)), True),
        (("write", slice(0, 256)), ("read", slice(256, 512)), False),
        (("read", slice(0, 256)), ("write", slice(128, 384)), True),
        (("read", slice(0, 256)), ("write", slice(256, 512)), False),
        (("write", slice(0, 256)), ("write", slice(128, 384)), True),
        (("write", slice(0, 256)), ("write", slice(256, 512)), False),
        (("read", slice(0, 256)), ("read", slice(128, 384)), False),
        (("write", slice(0, 512, 2)), ("read", slice(1, 512, 2)), False),
        (("write", slice(0, 512, 2)), ("read", slice(2, 512, 2)), True),
        (("write", slice(0, 512, 4)), ("read", slice(1, 512, 2)), False),
        (("write", slice(0, 512, 4)), ("read", slice(0, 512, 2)), True),
    ],
)
def test_dependence_is_of_bytes(first, second, ordered):
    def body():
        shared = tile()
        for (what, where), engine in ((first, DVE), (second, ACT)):
            view = shared[:, where]
            other = tile(view.shape[1])
            nisa.tensor_copy(*((view, other) if what == "write" else (other, view)), engine=engine)

    one, other = sorted(run(body).intervals, key=lambda interval: interval.instruction.serial)
    assert (other.start >= one.end) == ordered
    assert (other.start == 0) != ordered


def test_rows_of_a_matrix_in_hbm_that_do_not_overlap():
    def body(column):
        kept = hbm(128, 1024)
        nisa.dma_copy(kept[:, 0:512], tile())
        nisa.dma_copy(tile(), kept[:, column : column + 512])

    assert ns(lambda: body(512)) < ns(lambda: body(511)) - START


def test_order_that_the_kernel_asks_for():
    def body(asked):
        first = nisa.memset(tile(4096), 0.0, engine=DVE)
        second = nisa.activation(tile(4096), nl.exp, tile(4096))
        if asked:
            second.depends_on(first)

    assert ns(lambda: body(True)) > 1.5 * ns(lambda: body(False))

    @simulator.jit
    def named():
        nisa.memset(tile(4096), 0.0, engine=DVE, name="fill")
        nisa.activation(tile(4096), nl.exp, tile(4096), name="exp")

    with simulator.options("trn2"):
        assert named.with_schedule([("exp", "fill")]).predict().seconds == pytest.approx(1e-9 * ns(lambda: body(True)))


def rotating(buffers, serial=False):
    """Loads, each followed by work on what was loaded, in so many tiles."""

    def body():
        source, tiles = hbm(128, 16 * 1024), [tile(1024) for _ in range(buffers)]
        for k in range(16):
            held = tiles[k % buffers]
            nisa.dma_copy(held, source[:, (0 if serial else 1024 * k) : (0 if serial else 1024 * k) + 1024])
            nisa.activation(held, nl.exp, held)

    return body


def test_double_buffering_lowers_and_serial_loads_do_not():
    single, double, triple = (ns(rotating(buffers)) for buffers in (1, 2, 3))
    assert triple <= double < 0.7 * single
    # The same loads into the same tile, one after the other: no better than single buffering.
    assert ns(rotating(1, serial=True)) >= single
    assert "space" in {step.waited_for for step in run(rotating(1)).critical_path}


def test_tiles_made_in_each_iteration_are_buffered_as_far_as_memory_goes():
    def body(columns):
        source = hbm(128, columns)
        for _ in range(12):
            held = tile(columns)
            nisa.dma_copy(held, source)
            nisa.activation(held, nl.exp, held)

    def space(columns):
        return any(step.waited_for == "space" for step in run(lambda: body(columns)).critical_path)

    assert not space(1024)  # 12 tiles of 4 KiB all have room
    assert space(40000)  # one of 160 KB has


def test_registers_order_instructions():
    def body(used):
        held = nl.ndarray((1, 1), "int32", nl.sbuf)
        register, other = nisa.register_alloc(), nisa.register_alloc(0)
        nisa.register_load(register, held)
        source = nl.ndarray((128, 4, 64), "float32", nl.sbuf)
        nisa.tensor_copy(tile(64), source.select(1, register if used else other), engine=DVE)

    loading = HARDWARE["register_sbuf"]["trn2"].value + HARDWARE["register"]["trn2"].value
    assert ns(lambda: body(True)) == pytest.approx(loading + SEMAPHORE + cycles(64 + 16 + 100))
    assert ns(lambda: body(False)) < ns(lambda: body(True))


def test_addresses_known_at_run_time_cost_cycles():
    def body(dynamic):
        index, source = nl.ndarray((1, 1), "int32", nl.sbuf), nl.ndarray((128, 4, 64), "float32", nl.sbuf)
        nisa.tensor_copy(tile(64), source.select(1, index if dynamic else 0))

    assert ns(lambda: body(True)) == pytest.approx(cycles(600 + 16 + 100))
    assert ns(lambda: body(False)) == pytest.approx(cycles(64 + 100))


def test_cores_wait_for_each_other():
    def body(uneven):
        shared = nl.ndarray((128, 512), "float32", nl.shared_hbm)
        if uneven == nl.program_id(0):
            nisa.memset(tile(16384), 0.0, engine=DVE)
        else:
            nisa.memset(tile(64), 0.0, engine=DVE)
        nisa.core_barrier(shared, (0, 1), engine=DVE)
        nisa.memset(tile(64), 0.0, engine=DVE)

    found = run(lambda: body(1), cores=2)
    last = {core: max((i for i in found.intervals if i.core == core), key=lambda i: i.start) for core in (0, 1)}
    assert last[0].start == last[1].start > 1e-9 * cycles(16384)
    assert found.seconds == pytest.approx(run(lambda: body(0), cores=2).seconds)


def test_the_critical_path_covers_the_time():
    found = run(rotating(2))
    path = found.critical_path
    assert path[0].start >= 0
    assert path[-1].end == pytest.approx(found.seconds)
    for one, other in itertools.pairwise(path):
        assert one.end == pytest.approx(other.start, abs=1e-12)
    assert sum(step.guessed for step in path) / sum(step.end - step.start for step in path) == pytest.approx(found.guessed)
    assert 0 < found.guessed < 0.5
    assert found.low < found.seconds < found.high


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_guesses_of_a_dma(target):
    """What NeuronCore-v4 takes to issue a DMA and for a descriptor is a guess; published times determine it for the others."""
    (step,) = run(lambda: nisa.dma_copy(tile(64), hbm(128, 2048)[:, 0:64]), target).critical_path
    whole = 1e9 * (step.end - step.start)
    assert 1e9 * step.guessed == pytest.approx(whole - START if target == "trn3" else FINISH)


def test_loops_that_wait_for_their_dma_are_a_guess():
    def body():
        source, held, done = hbm(), tile(), tile()

        def turn(_):
            nisa.dma_copy(held, source)
            nisa.activation(done, nl.exp, held)
            nisa.dma_copy(source, done)

        nl.fori_loop(0, 20, turn)

    assert run(body).guessed > 0.5
    figures = {"loop_drains": 1, "loop": 100}
    calibration = simulator.Calibration.parse({"format": 1, "target": "trn2", "source": "measured", "figures": figures})
    assert predict(trace_case(body, "trn2"), calibration=calibration).guessed < 0.35


def test_predictions_repeat():
    program = trace_case(rotating(3), "trn2")
    first, again = predict(program), predict(program)
    assert first.seconds == again.seconds
    assert first.intervals == again.intervals
    assert first.critical_path == again.critical_path
    assert predict(program, keep=False).intervals == ()
