"""Predictions of calls: kernels get no data, only shapes and dtypes."""

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

pytestmark = pytest.mark.usefixtures("on_trn2")


@simulator.jit
def double(x, factor=2.0):
    out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
    held = nl.ndarray(x.shape, x.dtype, nl.sbuf)
    nisa.dma_copy(held, x)
    nisa.tensor_scalar(held, held, nl.multiply, factor)
    nisa.dma_copy(out, held)
    return out


def test_predict_takes_arrays_and_anything_with_shape_and_dtype():
    class Shaped:
        shape = (128, 64)
        dtype = np.dtype(np.float32)

    x = np.zeros((128, 64), np.float32)
    found = double.predict(x)
    assert found.seconds > 0
    assert double.predict(simulator.Abstract((128, 64), "float32")).seconds == found.seconds
    assert double.predict(Shaped()).seconds == found.seconds
    assert double.predict(simulator.Abstract([128, 64], ml_dtypes.bfloat16), 3.0).seconds != found.seconds
    assert double.program(x) is double.program(Shaped())


def test_cost_mode_predicts_and_touches_nothing():
    x = np.full((128, 64), np.nan, np.float32)
    x.flags.writeable = False
    with simulator.options(mode="cost"):
        found = double(x)
        assert isinstance(found, simulator.Prediction)
        assert double(simulator.Abstract((128, 64), "float32")).seconds == found.seconds
    assert isinstance(double(np.zeros((128, 64), np.float32)), np.ndarray)


def test_no_data_no_result():
    with pytest.raises(TypeError, match="arguments x have no data; use predict"):
        double(simulator.Abstract((128, 64), "float32"))


def test_what_is_no_dtype_is_refused():
    with pytest.raises(TypeError, match="NKI has no dtype"):
        simulator.Abstract((128, 64), "complex64")


def test_the_target_counts():
    x = simulator.Abstract((128, 16384), "float32")
    times = []
    for target in ("trn1", "trn2", "trn3"):
        with simulator.options(target):
            times.append(double.predict(x).seconds)
    assert min(times) == times[2]  # the first two have DMA engines of one rate
    assert len(set(times)) == 3


def test_a_prediction_says_what_it_is():
    text = str(double.predict(simulator.Abstract((128, 64), "float32")))
    assert text.startswith("double on trn2: ")
    assert "predicted, nothing measured" in text
    assert "guessed" in text
