"""Transforms of columns and of both axes of matrices: on all targets, in loops, with what is not finite, beside a reference in float64."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron.kernels.fourier import columns, pairs
from trnarray.backends.simulator import Knobs, options

U = 2.0**-24


def draw(shape):
    rng = np.random.default_rng(shape[-1])
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def run(name, x, target="trn2", **parameters):
    with xp.config(fallback="error"):
        y = getattr(scipy.fft, name)(xp.asarray(x, device=f"sim:{target}"), **parameters)
    computes = {stage.computes.removeprefix("Fourier transform, ") for stage in xp.explain(y).steps[0].stages}
    wanted = getattr(scipy.fft, name)(x.astype(np.complex128), **parameters)
    return np.asarray(y.to_device("cpu")), wanted, computes


def error(found, wanted, _):
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("shape", [(5, 64, 64), (9, 50, 66), (3, 128, 127), (2, 99, 128)])
def test_both_axes(shape, target):
    """Two sums of up to 128 products."""
    for name, parameters in (("fft2", {}), ("ifftn", {"axes": (2, 1), "norm": "ortho"})):
        result = run(name, draw(shape), target, **parameters)
        assert error(*result) <= 6 * U
        assert result[2] == {"complex matrices"}


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("shape", [(7, 20, 40), (2, 17, 1030), (3, 128, 1100), (1, 100, 33)])
def test_columns(shape, target):
    """One sum; what is shorter than the transform has as many rows of the matrix."""
    for n in (None, shape[1] + 5 if shape[1] < 100 else 90):
        result = run("ifft", draw(shape), target, n=n, axis=1)
        assert error(*result) <= 4.5 * U
        assert "complex columns" in result[2]


@pytest.mark.parametrize("knobs", [{"pe_product": "split21"}, {"pe_order": "permuted:3", "denormals_pe": "flush"}], ids=str)
def test_readings_of_the_documents(knobs):
    with options(knobs=Knobs(**knobs), races="strict"):
        assert error(*run("fftn", draw((6, 64, 96)))) <= (12 if "pe_product" in knobs else 6) * U


def test_loops(monkeypatch):
    monkeypatch.setattr(pairs._Planes, "_instructions", lambda _: 1 << 20)
    monkeypatch.setattr(columns, "_STEPS", 2)
    monkeypatch.setattr(columns, "_INSTRUCTIONS", 1 << 20)
    assert error(*run("fftn", draw((75, 32, 64)))) <= 6 * U
    assert error(*run("fft", draw((75, 32, 64)), axis=1)) <= 4.5 * U


@pytest.mark.parametrize("target", ["trn1", "trn2"])
def test_what_is_not_finite_stays_in_its_transform(target):
    x = draw((6, 32, 64))
    x[2, 3, 4] = np.nan
    finite = np.isfinite(run("fft2", x, target)[0])
    assert not finite[2].any()
    assert np.delete(finite, 2, axis=0).all()
    x[4, 1, 9] = np.inf
    finite = np.isfinite(run("fft", x, target, axis=1)[0])
    assert not finite[2, :, 4].any()
    assert finite.sum() == finite.size - 2 * 32


def test_predicted_time_of_three_axes():
    """Products of 8 (3 * 128) flop a point at 20 TF/s would take 1.2 times what half spectra do."""
    y = scipy.fft.fftn(xp.asarray(np.zeros((128, 128, 128), np.complex64), device="sim:trn2"))
    (program,) = xp.explain(y).steps
    assert program.prediction is not None
    assert 128**3 * 8 * 3 * 128 / 20e12 >= 1.2 * program.prediction.seconds


def test_predicted_time_of_short_columns():
    """Of one read and one write at 365 GB/s."""
    y = scipy.fft.fft(xp.asarray(np.zeros((4, 64, 4096), np.complex64), device="sim:trn2"), axis=1)
    (program,) = xp.explain(y).steps
    assert program.prediction is not None
    assert 4 * 64 * 4096 * 16 / 365e9 >= 0.85 * program.prediction.seconds
