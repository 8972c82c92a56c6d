"""The interval of a prediction: what its classes of work contribute, and no sum of extremes."""

import math

import pytest

from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator import predict
from trnarray.backends.simulator.cost.spread import CLASSES, SPREADS, shares, spread
from trnarray.conformance.constraint_cases.case import trace_case


def tile(columns=512, buffer=nl.sbuf):
    return nl.ndarray((128, columns), "float32", buffer)


def vector():
    nisa.memset(tile(4096), 1.0, engine=nisa.engine.vector)


def scalar():
    nisa.activation(tile(4096), nl.exp, tile(4096))


def gpsimd():
    nisa.iota(nl.ndarray((128, 2048), "int32", nl.sbuf), pattern=[[1, 2048]])


def tensor():
    nisa.nc_matmul(tile(512, nl.psum), tile(128), tile(512))


@pytest.mark.parametrize("emit", [vector, scalar, gpsimd, tensor])
def test_one_engine_has_its_own_width(emit):
    found = predict(trace_case(emit, "trn2"))
    assert shares(found.critical_path) == pytest.approx({emit.__name__: 1.0})
    width = math.exp(SPREADS[emit.__name__])
    assert (found.low, found.high) == pytest.approx((found.seconds / width, found.seconds * width))


def test_dma_is_moving_or_issue():
    def load(columns):
        def body():
            nisa.dma_copy(tile(columns), nl.ndarray((128, columns), "float32", nl.private_hbm))

        return shares(predict(trace_case(body, "trn2")).critical_path)

    short, long = load(16), load(32768)
    assert set(short) == {"moving", "issue"}
    assert sum(short.values()) == pytest.approx(1)
    assert short["issue"] > 0.9
    assert long["moving"] > 0.9


def test_independent_classes_are_narrower_together_than_their_sum():
    halves = {"vector": 0.5, "scalar": 0.5}
    assert spread(halves) == pytest.approx(math.hypot(*(0.5 * SPREADS[name] for name in halves)))
    assert spread(halves) < sum(0.5 * SPREADS[name] for name in halves)
    assert set(SPREADS) == set(CLASSES)


def test_shares_of_a_program_add_up():
    def body():
        held, done = tile(), tile()
        source = nl.ndarray((128, 512), "float32", nl.private_hbm)

        def turn(_):
            nisa.dma_copy(held, source)
            nisa.activation(done, nl.exp, held)
            nisa.tensor_copy(done, done, engine=nisa.engine.vector)
            nisa.dma_copy(source, done)

        nl.fori_loop(0, 40, turn)

    found = predict(trace_case(body, "trn2"))
    parts = shares(found.critical_path, [(skip.end - skip.start, skip.iterations) for skip in found.skipped])
    assert found.skipped
    assert sum(parts.values()) == pytest.approx(1)
    assert found.high / found.seconds == pytest.approx(math.exp(spread(parts)))
