"""Times of single instructions and transfers: those that predictions of programs are made of."""

import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import Costs
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

TARGETS = ("trn1", "trn2", "trn3")
REPEATS = (4, 20)


def slope(target, emit, calibration=None):
    """What one more of an instruction takes, in ns, of programs that have nothing to wait for."""

    @simulator.jit
    def kernel(repeats):
        x, y = (nl.ndarray((128, 512), nl.float32, buffer=nl.sbuf) for _ in range(2))
        nisa.memset(y, 1.0)
        for _ in range(repeats):
            emit(x, y)
        out = nl.ndarray((128, 512), nl.float32, buffer=nl.shared_hbm)
        nisa.dma_copy(out, x)
        return out

    with simulator.options(target, calibration=calibration):
        few, many = (simulator.predict(kernel.program(repeats)).seconds for repeats in REPEATS)
    return 1e9 * (many - few) / (REPEATS[1] - REPEATS[0])


INSTRUCTIONS = {
    "tensor_scalar": (lambda x, y: nisa.tensor_scalar(x, y, nl.add, 1.0, engine=nisa.engine.vector), ("tensor_scalar", 512)),
    "tensor_tensor": (lambda x, y: nisa.tensor_tensor(x, y, y, nl.add, engine=nisa.engine.vector), ("tensor_tensor", 512)),
    "on GpSimd": (lambda x, y: nisa.tensor_tensor(x, y, y, nl.add, engine=nisa.engine.gpsimd), ("tensor_tensor", 512, "gpsimd")),
    "iota": (lambda x, y: nisa.iota(x.view(nl.int32), [[1, 512]]), ("iota", 512, "gpsimd")),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_instructions_take_what_programs_take(target, name):
    emit, row = INSTRUCTIONS[name]
    assert Costs(target).instruction(*row) == pytest.approx(slope(target, emit), rel=1e-6)


def test_a_calibration_replaces_figures():
    figures = {"tensor_scalar/vector:stream": 3.0, "hbm_rate": 100.0}
    calibration = simulator.Calibration.parse({"format": 1, "target": "trn2", "source": "a test", "figures": figures})
    costs = Costs("trn2", calibration)
    emit, row = INSTRUCTIONS["tensor_scalar"]
    assert costs.instruction(*row) == pytest.approx(slope("trn2", emit, calibration), rel=1e-6)
    assert costs.moves(1, 1, 1e6) == pytest.approx(1e4)
    with simulator.options(calibration=calibration):
        assert simulator.current_costs("trn2").measured == costs.measured
        assert simulator.current_costs("trn2") is simulator.current_costs("trn2")
        assert simulator.current_costs("trn3").measured == ""  # a calibration is of one generation
    assert simulator.current_costs("trn2").measured == ""
    other = simulator.Calibration.parse({"format": 1, "target": "trn2", "source": "a test", "figures": {"hbm_rate": 101.0}})
    assert Costs("trn2", other).measured != costs.measured


@pytest.mark.parametrize("target", TARGETS)
def test_short_pieces_take_the_time_of_a_descriptor(target):
    costs = Costs(target)
    bound = costs.piece_bytes
    assert costs.moves(16, 0, 0) >= costs.moves(16, bound, 0) / 2
    assert costs.moves(16, 4 * bound, 0) >= 2 * costs.moves(16, bound, 0)


def test_no_row():
    with pytest.raises(KeyError, match="no row for matmul on vector of trn2"):
        Costs("trn2").instruction("matmul", 1)
