"""Calibrations: what the microbenchmarks determine, and how measured figures replace others."""

import json

import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import Calibration, predict
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.cost.inversion import INVERSIONS
from trnarray.backends.simulator.cost.microbenchmarks import INPUT, benchmarks

BENCHMARKS = benchmarks(simulator, nl, nisa)
# A device that differs from the tables in every figure that a benchmark determines.
TRUTH = {
    "nc_matmul/tensor:stream": 1.25,
    "nc_matmul/tensor/float32:stream": 4.5,
    "tensor_tensor/vector:stream": 1.7,
    "tensor_copy/vector:stream": 1.1,
    "activation/scalar:stream": 1.3,
    "tensor_tensor/gpsimd:stream": 3.5,
    "vector_latency": 220.0,  # beyond what keeps the engine busy, or it would not be seen
    "scalar_latency": 460.0,
    "semaphore": 83.0,
    "dma_rate": 20.0,
    "dma_descriptor": 25.0,
    "dge": 510.0,
    "dma_finish": 650.0,
    "loop": 240.0,
}


def content(target="trn2", **others):
    return {"format": 1, "target": target, "source": "a device of the tests", **others}


def test_benchmarks_and_inversions_are_the_same():
    assert set(BENCHMARKS) == set(INVERSIONS)
    assert {inversion.figure for inversion in INVERSIONS.values()} == set(TRUTH)


def test_benchmarks_run_on_the_simulator():
    import numpy as np

    x = np.ones(INPUT, np.float32)
    with simulator.options("trn2"):
        for name, kernel in BENCHMARKS.items():
            assert np.isfinite(kernel(x, 3)).all(), name


def test_measurements_of_a_device_give_its_figures_back(tmp_path):
    """The other way round: predictions with other figures are taken for measurements."""
    device = Calibration.parse(content(figures=TRUTH))
    x, measurements = simulator.Abstract(INPUT, "float32"), []
    with simulator.options("trn2", calibration=device):
        for name, kernel in BENCHMARKS.items():
            for repeats in (64, 96):
                launch = 1.2e-3  # goes into none of the figures
                measurements.append({"benchmark": name, "repeats": repeats, "seconds": launch + kernel.predict(x, repeats).seconds})
    path = tmp_path / "trn2.json"
    path.write_text(json.dumps(content(measurements=measurements)))
    found = Calibration.load(path)
    assert {name: figure.value for name, figure in found.figures.items()} == pytest.approx(TRUTH, rel=1e-5)
    assert {figure.status for figure in found.figures.values()} == {"measured"}


def _chain():
    held = nl.ndarray((128, 8), "float32", nl.sbuf)
    for _ in range(20):
        nisa.tensor_copy(held, held, engine=nisa.engine.vector)
        nisa.activation(held, nl.exp, held)


def test_a_measured_figure_is_no_guess_and_is_said():
    with simulator.options("trn2"):
        program = simulator.jit(_chain).program()
        plain = predict(program)
        calibration = Calibration.parse(content(figures={"semaphore": 190}))
        measured = predict(program, calibration=calibration)
        with simulator.options(calibration=calibration):
            assert predict(program).seconds == measured.seconds
    assert plain.guessed > 0.1
    assert measured.guessed == 0
    assert measured.seconds == pytest.approx(plain.seconds + 39 * 140e-9)
    assert (plain.calibration, plain.measured) == ("", ())
    assert (measured.calibration, measured.measured) == ("a device of the tests", ("semaphore",))
    assert "a device of the tests" in str(measured)
    assert "nothing measured" in str(plain)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 2}, "format 1"),
        ({"target": "trn9"}, "a target of trn1"),
        ({"source": ""}, "a source"),
        ({"figures": {"warp": 1}}, "no figure 'warp'"),
        ({"figures": {"tensor_copy/vector/half:stream": 1}}, "no figure"),
        ({"figures": {"semaphore": -1}}, "not negative"),
        ({"figures": {"dma_rate": 0}}, "rates positive"),
        ({"measurements": [{"benchmark": "warp", "repeats": 1, "seconds": 1}]}, "no benchmark 'warp'"),
        ({"measurements": [{"benchmark": "dma_rows", "repeats": 1, "seconds": 1}]}, "at least two numbers of repeats"),
    ],
)
def test_what_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Calibration.parse({**content(), **changes})


def test_a_calibration_is_of_one_target():
    with simulator.options("trn3"):
        program = simulator.jit(_chain).program()
    with pytest.raises(ValueError, match="the calibration is of trn2 and the program for trn3"):
        predict(program, calibration=Calibration.parse(content()))
