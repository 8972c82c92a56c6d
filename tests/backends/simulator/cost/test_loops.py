"""Device loops: skipped once their times repeat, equal to the full schedule; trip counts; speed."""

import math
import time

import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator import predict
from trnarray.backends.simulator.cost import Calibration
from trnarray.backends.simulator.cost.hardware import HARDWARE
from trnarray.backends.simulator.program.program import walk

pytestmark = pytest.mark.usefixtures("on_trn2")
STREAMING = Calibration.parse({"format": 1, "target": "trn2", "source": "iterations that overlap", "figures": {"loop_drains": 0}})


def tile(columns=512, dtype="float32", buffer=nl.sbuf):
    return nl.ndarray((128, columns), dtype, buffer)


@simulator.jit
def rows(x, count):
    out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)

    def body(k):
        held, done = tile(x.shape[1]), tile(x.shape[1])
        nisa.dma_copy(held, x.ap(pattern=[[x.shape[1], 128], [1, x.shape[1]]], scalar_offset=k, indirect_dim=0))
        nisa.activation(done, nl.exp, held)
        nisa.dma_copy(out.ap(pattern=[[x.shape[1], 128], [1, x.shape[1]]], scalar_offset=k, indirect_dim=0), done)

    nl.fori_loop(0, count, body)
    return out


@simulator.jit
def compute_only(count):
    a, b, c = tile(64), tile(700), tile(100)

    def body(_):
        nisa.tensor_copy(b, b, engine=nisa.engine.vector)
        nisa.activation(c, nl.exp, c)
        nisa.activation(a, nl.exp, a)
        nisa.iota(tile(333, "int32"), pattern=[[1, 333]])
        nisa.tensor_tensor(a, a, a, nl.add, engine=nisa.engine.vector)

    nl.fori_loop(0, count, body)
    nisa.activation(tile(8192), nl.exp, tile(8192))  # waits for nothing but its engine


@simulator.jit
def behind(count):
    """The Vector Engine is ahead of the Scalar Engine for many iterations, then overtaken."""
    a, b = tile(128), tile(512)
    for _ in range(10):
        nisa.memset(tile(8192), 0.0, engine=nisa.engine.vector)

    def body(_):
        nisa.tensor_copy(a, a, engine=nisa.engine.vector)
        nisa.activation(b, nl.exp, b)

    nl.fori_loop(0, count, body)


@simulator.jit
def nested(x, outer, inner):
    total = tile(512)
    nisa.memset(total, 0.0)

    def within(k):
        held = tile(512)
        nisa.dma_copy(held, x[:, 0:512])
        nisa.tensor_tensor(total, total, held, nl.add)

    def body(k):
        nisa.activation(total, nl.exp, total)
        nl.fori_loop(0, inner, within)
        nisa.tensor_copy(tile(512), total)

    nl.fori_loop(0, outer, body)
    out = nl.ndarray((128, 512), x.dtype, nl.shared_hbm)
    nisa.dma_copy(out, total)
    return out


PROGRAMS = [
    lambda n: rows.program(simulator.Abstract((4096, 512), "float32"), n),
    compute_only.program,
    behind.program,
    lambda n: nested.program(simulator.Abstract((128, 512), "float32"), n, 6),
    lambda n: nested.program(simulator.Abstract((128, 512), "float32"), 7, n),
]


@simulator.jit
def long_body(x, count):
    """So many instructions that an iteration is not played once more than it must."""
    sums = [tile(buffer=nl.psum) for _ in range(4)]

    def body(_):
        left, right = tile(128, "bfloat16"), tile(512, "bfloat16")
        nisa.dma_copy(left, x[:, 0:128])
        nisa.dma_copy(right, x)
        for k in range(1000):
            nisa.nc_matmul(sums[k // 8 % 4], left, right)
            if k % 8 == 7:
                nisa.tensor_copy(tile(), sums[k // 8 % 4])

    nl.fori_loop(0, count, body)


def test_long_iterations_are_played_twice():
    program = long_body.program(simulator.Abstract((128, 512), "bfloat16"), 4)
    found, full = (predict(program, extrapolate=extrapolate) for extrapolate in (True, False))
    assert [skip.iterations for skip in found.skipped] == [2]
    for value in ("seconds", "hbm_read", "arithmetic", "instructions"):
        assert getattr(found, value) == pytest.approx(getattr(full, value), rel=1e-6), value
    assert (found.low, found.high) == pytest.approx((full.low, full.high), rel=0.02)
    assert found.busy == pytest.approx(full.busy, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("calibration", [None, STREAMING], ids=["draining", "overlapping"])
@pytest.mark.parametrize("make", PROGRAMS, ids=["rows", "compute", "behind", "outer", "inner"])
@pytest.mark.parametrize("count", [1, 5, 60, 141])
def test_skipping_equals_the_full_schedule(make, count, calibration):
    program = make(count)
    found, full = (predict(program, calibration=calibration, extrapolate=extrapolate) for extrapolate in (True, False))
    for value in ("seconds", "low", "high", "hbm_read", "hbm_written", "arithmetic", "instructions"):
        assert getattr(found, value) == pytest.approx(getattr(full, value), rel=0.02), value
    assert found.busy == pytest.approx(full.busy, rel=0.02, abs=1e-4)
    assert found.guessed == pytest.approx(full.guessed, abs=0.02)
    if count > 50:
        assert found.skipped
        assert len(found.intervals) < 0.7 * len(full.intervals)
    assert not full.skipped


def test_each_iteration_drains_its_dma():
    program = rows.program(simulator.Abstract((4096, 512), "float32"), 100)
    overlapping = predict(program, calibration=STREAMING)
    assert predict(program).seconds > 1.2 * overlapping.seconds
    assert overlapping.calibration == "iterations that overlap"


def test_a_million_iterations_cost_nothing():
    program = rows.program(simulator.Abstract((4096, 512), "float32"), 10**6)
    began = time.process_time()
    found = predict(program)
    assert time.process_time() - began < 0.5
    assert found.instructions == 3 * 10**6
    assert found.hbm_read == 10**6 * 128 * 512 * 4
    short = predict(rows.program(simulator.Abstract((4096, 512), "float32"), 10**3))
    assert found.seconds == pytest.approx(1000 * short.seconds, rel=0.01)


@simulator.jit
def counted(x):
    register = nisa.register_alloc()
    nisa.register_load(register, x[0:1, 0:1])
    held = tile(512)

    def body(_):
        nisa.activation(held, nl.exp, held)

    nl.fori_loop(0, register, body)


def test_trip_counts():
    program = counted.program(simulator.Abstract((1, 1), "int32"))
    unknown = predict(program)
    (line,) = unknown.unknown_loops
    assert line.startswith("test_loops.py:")
    assert unknown.high < math.inf, "of one turn, which the report says"
    assert "runs as often as a register says; counted once" in unknown.report()
    once, often = (predict(program, trip_counts={line: count}) for count in (1, 1001))
    assert once.seconds == unknown.seconds
    assert not often.unknown_loops
    assert often.high < math.inf
    latency, overhead, branch = (HARDWARE[name]["trn2"].value for name in ("scalar_latency", "scalar_overhead", "loop"))
    each = max((512 + latency) / 1.2e9, (512 + overhead) / 1.2e9 + 1e-9 * branch)  # it waits for the one before, or for its engine
    assert often.seconds - once.seconds == pytest.approx(1000 * each, rel=0.01)
    first = min(i.start for i in once.intervals if i.instruction.opcode.name == "activation")
    assert first == pytest.approx(2000e-9)  # the register is loaded from HBM
    with pytest.raises(ValueError, match="no device loop at nowhere.py:1"):
        predict(program, trip_counts={"nowhere.py:1": 3})


@simulator.jit
def stated(x):
    register = nisa.register_alloc()
    nisa.register_load(register, x[0:1, 0:1])
    held = tile(512)
    nisa.memset(held, 0.0)
    nl.fori_loop(0, simulator.expect(register, 2, 50), lambda _: nisa.activation(held, nl.exp, held) and None)
    condition = nisa.register_alloc()
    nisa.register_load(condition, x[0:1, 0:1])

    def again(_):
        nisa.activation(held, nl.exp, held)
        return condition

    nl.while_loop(simulator.expect(condition, 0, 3), again)


def test_loops_run_as_often_as_their_kernel_states():
    program = stated.program(simulator.Abstract((1, 1), "int32"))
    lines = [loop.where.short for core in program.cores for loop, _ in walk(core.nodes) if hasattr(loop, "body")]
    found = predict(program)
    likely, worst = (predict(program, trip_counts=dict(zip(lines, counts, strict=True))) for counts in ((2, 0), (50, 3)))
    assert (found.seconds, found.low, found.high) == (likely.seconds, likely.low, likely.high)
    assert found.worst == pytest.approx(worst.seconds)
    assert worst.worst == worst.seconds > likely.seconds
    assert found.unknown_loops == ()
    assert "worst data" in found.report()
    assert "worst data" not in worst.report()
    given = predict(program, trip_counts={lines[0]: 7})
    assert likely.seconds < given.seconds < given.worst < found.worst


def blocked(lhs_t, rhs):
    """A product whose operands are loaded in rows of 2 KiB or more: 1024 columns of the result at a time."""
    (k, m), n = lhs_t.shape, rhs.shape[1]
    result = nl.ndarray((m, n), lhs_t.dtype, nl.shared_hbm)
    width = min(m, 1024)
    for j in range(n // 512):
        moving = [tile(512, rhs.dtype) for _ in range(k // 128)]
        for p, held in enumerate(moving):
            nisa.dma_copy(held, rhs[128 * p : 128 * (p + 1), 512 * j : 512 * (j + 1)])
        for block in range(m // width):
            sums = [tile(buffer=nl.psum) for _ in range(width // 128)]
            for p, held in enumerate(moving):
                weights = tile(width, lhs_t.dtype)
                nisa.dma_copy(weights, lhs_t[128 * p : 128 * (p + 1), width * block : width * (block + 1)])
                for i, total in enumerate(sums):
                    nisa.nc_matmul(total, weights[:, 128 * i : 128 * (i + 1)], held)
            for i, total in enumerate(sums):
                done = tile(512, result.dtype)
                nisa.tensor_copy(done, total, engine=nisa.engine.vector)
                first = width * block + 128 * i
                nisa.dma_copy(result[first : first + 128, 512 * j : 512 * (j + 1)], done)
    return result


def _timed(n):
    kernel, x = simulator.jit(blocked), simulator.Abstract((n, n), "float32")
    began = time.process_time()
    program = kernel.program(x, x)
    traced = time.process_time()
    found = predict(program)
    return found, traced - began, time.process_time() - traced


def test_a_large_product_is_scheduled_quickly():
    found, _, scheduling = _timed(1024)
    assert scheduling < 1  # 1024^3: 128 products of 128 x 128 x 512
    assert found.bound == "tensor"
    assert 0.5 < found.roofline < 1
    assert found.seconds > 2 * 1024**3 / 20e12


def test_a_product_of_2048_is_predicted_within_three_seconds():
    found, tracing, scheduling = _timed(2048)
    assert tracing + scheduling < 3  # suite `simulator-speed` has 8192^3
    assert found.instructions > 1024
    assert found.seconds > 2 * 2048**3 / 20e12
    assert found.roofline > 0.8
