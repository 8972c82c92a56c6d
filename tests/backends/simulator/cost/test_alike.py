"""Calls that repeat an earlier one's instructions: skipped once their times repeat, equal to the full schedule."""

import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator import predict
from trnarray.backends.simulator.program.repetition import Recordings, repeated

pytestmark = pytest.mark.usefixtures("on_trn2")
ROWS, COLUMNS = 128, 512


def tile(buffer=nl.sbuf):
    return nl.ndarray((ROWS, COLUMNS), nl.float32, buffer)


def stage(src, add, dst, turns=12, wide=1):
    """Adds what is loaded ahead of the loop, by the loads' own queue, to products with it of rows that the loop loads."""
    ahead, weights = tile(), nl.ndarray((ROWS, 128), nl.float32)
    nisa.dma_copy(ahead, add[0:ROWS])
    nisa.dma_copy(weights, add[0:ROWS, 0:128])

    def body(k):
        for _ in range(wide):
            rows, total = tile(), tile(nl.psum)
            nisa.dma_copy(rows, src[nl.ds(k, ROWS)], dge_mode=nisa.dge_mode.hwdge)
            nisa.nc_matmul(total, weights, rows)
            nisa.tensor_tensor(rows, ahead, total, nl.add, engine=nisa.engine.vector)
            nisa.dma_copy(dst[nl.ds(k, ROWS)], rows, dge_mode=nisa.dge_mode.hwdge)

    nl.fori_loop(0, turns, body)


def program(count, adds, tail=False, turns=12, wide=1):
    """A chain through HBM; `adds` says of each call whether what it loads ahead is the input or what the call before it wrote."""

    def chain(x):
        known, src = Recordings(), nl.ndarray(x.shape, x.dtype, nl.private_hbm)
        nisa.dma_copy(src, x)
        fixed = nl.ndarray(x.shape, x.dtype, nl.private_hbm)
        nisa.dma_copy(fixed, x)
        for place in range(count):
            dst = nl.ndarray(x.shape, x.dtype, nl.private_hbm)
            given = src if adds(place) else fixed
            repeated(known, "stage", [src, given, dst], lambda s=src, a=given, d=dst: stage(s, a, d, turns, wide), list)
            src = dst
        out = nl.ndarray((ROWS, COLUMNS), x.dtype, nl.shared_hbm)
        if tail:  # on a queue that no call uses
            read = tile()
            nisa.dma_copy(read, src[0:ROWS], dge_mode=nisa.dge_mode.swdge)
            nisa.dma_copy(out, read, dge_mode=nisa.dge_mode.swdge)
        else:
            nisa.dma_copy(out, src[0:ROWS])
        return out

    return simulator.jit(chain).program(simulator.Abstract((256, COLUMNS), "float32"))


CASES = {
    "loaded ahead": (20, lambda place: False),
    "waits for the one before": (20, lambda place: True),
    "half of each": (24, lambda place: place >= 12),
    "in turn": (16, lambda place: place % 2 == 0),
}


@pytest.mark.parametrize("tail", [False, True], ids=["", "read elsewhere"])
@pytest.mark.parametrize("case", CASES)
def test_skipping_equals_the_full_schedule(case, tail):
    traced = program(*CASES[case], tail)
    found, full = (predict(traced, extrapolate=extrapolate) for extrapolate in (True, False))
    for value in ("seconds", "hbm_read", "hbm_written", "arithmetic", "instructions"):
        assert getattr(found, value) == pytest.approx(getattr(full, value), rel=1e-6), value
    assert (found.low, found.high) == pytest.approx((full.low, full.high), rel=0.02)
    assert found.busy == pytest.approx(full.busy, rel=1e-6, abs=1e-9)
    assert found.guessed == pytest.approx(full.guessed, abs=0.02)


def test_most_calls_are_not_played():
    found = predict(program(*CASES["waits for the one before"]))
    assert sum(interval.instruction.opcode.name == "nc_matmul" for interval in found.intervals) < 4 * 12


def test_what_is_loaded_ahead_makes_a_difference():
    ahead, behind = (predict(program(*CASES[case]), keep=False).seconds for case in ("loaded ahead", "waits for the one before"))
    assert ahead < 0.995 * behind
