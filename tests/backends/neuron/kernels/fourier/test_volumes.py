"""Transforms of small volumes: on all targets, in loops, with what is not finite, beside SciPy in float64."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron.kernels.fourier import volumes
from trnarray.backends.simulator import Knobs, options

U = 2.0**-24


def draw(*shape):
    rng = np.random.default_rng(shape[-1])
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def run(name, x, target="trn2", **parameters):
    parameters = {"axes": (-3, -2, -1), **parameters}
    with xp.config(fallback="error"):
        y = getattr(scipy.fft, name)(xp.asarray(x, device=f"sim:{target}"), **parameters)
    (stage,) = xp.explain(y).steps[0].stages
    assert stage.computes == "Fourier transform, complex volumes"
    return np.asarray(y.to_device("cpu")), getattr(scipy.fft, name)(x.astype(np.complex128), **parameters)


def error(found, wanted):
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("shape", [(64, 64, 64), (2, 40, 33, 50), (2, 1, 64, 17, 31)])
def test_shapes(shape, target):
    """Three sums of up to 128 products."""
    with options(races="strict"):
        assert error(*run("fftn", draw(*shape), target)) <= 7 * U
        assert error(*run("ifftn", draw(*shape), target, norm="ortho", axes=(-1, -3, -2))) <= 7 * U


@pytest.mark.parametrize("knobs", [{"pe_product": "split21"}, {"pe_order": "permuted:3", "denormals_pe": "flush"}], ids=str)
def test_readings_of_the_documents(knobs):
    with options(knobs=Knobs(**knobs), races="strict"):
        assert error(*run("fftn", draw(32, 33, 34))) <= (14 if "pe_product" in knobs else 7) * U


def test_loops_and_what_is_not_finite(monkeypatch):
    """Spoiled numbers stay in their volume."""
    monkeypatch.setattr(volumes, "_INSTRUCTIONS", 1 << 20)
    x = draw(5, 32, 40, 27)
    x[1, 3, 4, 5] = np.inf
    with options(races="strict"):
        found, wanted = run("fftn", x)
    assert not np.isfinite(found[1]).any()
    rest = [0, 2, 3, 4]
    assert error(found[rest], wanted[rest]) <= 7 * U


def test_predicted_time():
    """Products of 8 (3 * 64) flop a point at 20 TF/s would take half of it."""
    y = scipy.fft.fftn(xp.asarray(np.zeros((64, 64, 64), np.complex64), device="sim:trn2"))
    (program,) = xp.explain(y).steps
    assert program.prediction is not None
    assert 64**3 * 8 * 3 * 64 / 20e12 >= 0.5 * program.prediction.seconds
