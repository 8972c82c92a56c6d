"""
Tests of arithmetic: rates that are inputs of the model come out of it again.

They show that the scheduler adds nothing to instructions back to back and loses nothing; they say nothing about the device.
"""

import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import TARGETS, Costs, predict
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.cost.hardware import HARDWARE
from trnarray.backends.simulator.cost.table import rows_of
from trnarray.conformance.constraint_cases.case import trace_case


def slope(repeated, target, few=24, many=88):
    """What one more repeat takes, ns."""
    times = [predict(trace_case(lambda n=n: repeated(n), target)).seconds for n in (few, many)]
    return 1e9 * (times[1] - times[0]) / (many - few)


def tile(columns, dtype="float32", buffer=nl.sbuf, rows=128):
    return nl.ndarray((rows, columns), dtype, buffer)


def matmuls(dtype, columns=512, weights=128, onezero=False):
    def repeated(n):
        stationary, moving = [tile(weights, dtype) for _ in range(2)], tile(columns, dtype)
        for k in range(n):
            total = tile(columns, buffer=nl.psum, rows=weights)
            nisa.nc_matmul(total, stationary[k % 2], moving, is_moving_onezero=onezero, accumulate=False)

    return repeated


@pytest.mark.parametrize(
    ("target", "dtype", "tflops"),
    [
        ("trn1", "bfloat16", 92),
        ("trn1", "float32", 23),
        ("trn2", "bfloat16", 79),
        ("trn2", "tfloat32", 79),
        ("trn2", "float32", 20),
        ("trn3", "bfloat16", 79),
        ("trn3", "float32", 20),
    ],
)
def test_tensor_engine(target, dtype, tflops):
    # LoadStationary, 32 cycles of each 512, is hidden. The documents round to whole TFLOPS.
    assert 2 * 128 * 128 * 512 / slope(matmuls(dtype), target) / 1000 == pytest.approx(tflops, abs=0.5)


def test_tensor_engine_special_modes():
    plain = slope(matmuls("float32"), "trn2")
    assert slope(matmuls("float32", onezero=True), "trn2") == pytest.approx(plain / 2)
    assert slope(matmuls("bfloat16", columns=64), "trn2") == pytest.approx(64 / 2.4)
    assert slope(matmuls("bfloat16", columns=1), "trn2") == pytest.approx(64 / 2.4)  # start-up bound, weights still hidden

    def doubled(n):
        stationary, moving = (nl.ndarray((128, 2, columns), "float8_e4m3", nl.sbuf) for columns in (128, 512))
        for _ in range(n):
            nisa.nc_matmul(tile(512, buffer=nl.psum), stationary, moving, accumulate=False, perf_mode=nisa.matmul_perf_mode.double_row)

    assert 2 * 256 * 128 * 512 / slope(doubled, "trn2") / 1000 == pytest.approx(158, abs=1)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("row", [64, 512, 2048, 4096, 16384])
def test_dma(target, row):
    """Transfers of a row per partition take the longest of their issue, their moving and the way through HBM."""

    def loads(n):
        source = nl.ndarray((128, 16384), "uint8", nl.private_hbm)
        for _ in range(n):
            nisa.dma_copy(tile(row, "uint8"), source[:, 0:row])

    figures = {name: figure[target].value for name, figure in HARDWARE.items()}
    issue = figures["dma_trigger"] if target == "trn1" else figures["dge"] + 128 * figures["dge_descriptor"]
    moving = 8 * (figures["dma_descriptor"] + row / figures["dma_rate"])
    assert slope(loads, target) == pytest.approx(max(issue, moving, 128 * row / figures["hbm_rate"]), rel=1e-6)
    assert Costs(target).moves(128, row, 128 * row) == pytest.approx(max(issue, moving, 128 * row / figures["hbm_rate"]))


@pytest.mark.parametrize(("target", "rate"), [("trn1", 272), ("trn2", 368), ("trn3", 528)])
def test_long_rows_reach_what_documents_call_achievable(target, rate):
    assert 128 * 4096 / Costs(target).moves(128, 4096, 128 * 4096) >= 0.95 * rate


def stream(opcode, target):
    """Cycles per element on the Vector Engine, without a condition."""
    return next(row for row in rows_of(opcode) if row.engine == "vector" and not row.when and target in row.targets).stream.value


def copies(n, dtype="float32", buffers=(nl.sbuf, nl.sbuf), step=1, **engine):
    dst, src = tile(512, dtype, buffers[0]), tile(512 * step, dtype, buffers[1])
    for _ in range(n):
        nisa.tensor_copy(dst, src[:, 0 : 512 * step : step], **engine)


def pairs(n, dtype="float32", psum=False, op=nl.add):
    dst, a, b = tile(512, dtype), tile(512, dtype), tile(512, dtype, nl.psum if psum else nl.sbuf)
    for _ in range(n):
        nisa.tensor_tensor(dst, a, b, op, engine=nisa.engine.vector)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_vector_engine(target):
    def cycles(repeated):
        return slope(repeated, target) * TARGETS[target].clock_ghz["vector"] - HARDWARE["vector_overhead"][target].value

    copied, paired = (512 * stream(opcode, target) for opcode in ("tensor_copy", "tensor_tensor"))
    assert cycles(copies) == pytest.approx(copied)
    assert cycles(pairs) == pytest.approx(paired)
    assert cycles(lambda n: pairs(n, psum=True)) == pytest.approx(512)
    # An innermost stride of 4 float32 is 16 bytes; only above that the bandwidth halves.
    assert cycles(lambda n: copies(n, step=4)) == pytest.approx(copied)
    assert cycles(lambda n: copies(n, step=5)) == pytest.approx(2 * copied)


def test_vector_engine_fast_modes():
    clock = TARGETS["trn2"].clock_ghz["vector"]
    short, strided, psum = (
        lambda n: copies(n, "bfloat16"),
        lambda n: copies(n, "bfloat16", step=2),
        lambda n: copies(n, "bfloat16", (nl.sbuf, nl.psum)),
    )
    extra, before = (HARDWARE["vector_overhead"][target].value for target in ("trn2", "trn1"))
    assert slope(short, "trn2") * clock == pytest.approx(128 + extra)
    assert slope(strided, "trn2") * clock == pytest.approx(256 + extra)
    assert slope(psum, "trn2") * clock == pytest.approx(256 + extra)
    assert slope(short, "trn1") * TARGETS["trn1"].clock_ghz["vector"] == pytest.approx(512 + before)
    assert slope(lambda n: pairs(n, "bfloat16"), "trn2") * clock == pytest.approx(256 + extra)
    assert slope(lambda n: pairs(n, "bfloat16", op=nl.maximum), "trn2") * clock == pytest.approx(512 + extra)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_scalar_engine(target):
    def activations(n):
        dst, src = tile(512), tile(512)
        for _ in range(n):
            nisa.activation(dst, nl.exp, src)

    def chain(n):
        a, b = tile(1), tile(1)
        for _ in range(n):
            nisa.activation(a, nl.exp, b)
            a, b = b, a

    clock = TARGETS[target].clock_ghz["scalar"]
    extra = HARDWARE["scalar_overhead"][target].value
    assert slope(activations, target) * clock == pytest.approx(512 + extra)
    assert slope(chain, target) * clock == pytest.approx(max(264, 64 + extra))


def test_gpsimd():
    def iotas(n):
        dst = tile(512, "int32")
        for _ in range(n):
            nisa.iota(dst, pattern=[[1, 512]])

    assert slope(iotas, "trn2") * 1.2 == pytest.approx(662)


def test_bounds_and_totals():
    with simulator.options("trn2"):
        program = simulator.jit(_product).program(*(simulator.Abstract((256, 512), "bfloat16"),) * 2)
    found = predict(program)
    assert found.arithmetic_of["tensor"] == 2 * 256 * 512 * 512
    assert found.hbm_read == 4 * 256 * 512 * 2 + 256 * 512 * 2
    assert found.hbm_written == 512 * 512 * 4
    assert found.bounds["tensor"] == pytest.approx(found.arithmetic_of["tensor"] / (2 * 128 * 128 * 2.4e9))
    assert found.bounds["hbm"] == pytest.approx((found.hbm_read + found.hbm_written) / 1e9 / HARDWARE["hbm_rate"]["trn2"].value)
    assert found.roofline == pytest.approx(found.bounds[found.bound] / found.seconds)
    assert found.bound in ("dma", "hbm")  # one core alone may have all that its DMA engines move
    assert 0 < found.roofline < 1
    assert found.peak == {"sbuf": program.cores[0].peak["sbuf"], "psum": 2048}


def _product(a, b):
    out = nl.ndarray((512, 512), "float32", nl.shared_hbm)
    moving = [tile(512, "bfloat16") for _ in range(2)]
    for k in range(2):
        nisa.dma_copy(moving[k], b[128 * k : 128 * (k + 1)])
    for i in range(4):
        acc, done = tile(512, buffer=nl.psum), tile(512)
        for k in range(2):
            weights = tile(512, "bfloat16")
            nisa.dma_copy(weights, a[128 * k : 128 * (k + 1)])
            nisa.nc_matmul(acc, weights[:, 128 * i : 128 * (i + 1)], moving[k])
        nisa.tensor_copy(done, acc)
        nisa.dma_copy(out[128 * i : 128 * (i + 1)], done)
    return out
