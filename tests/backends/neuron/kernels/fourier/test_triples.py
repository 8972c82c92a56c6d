"""Transforms of long rows in three steps: on all targets, in loops, with what is not finite, beside SciPy in float64."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron import three_steps
from trnarray.backends.neuron.kernels.fourier import triples
from trnarray.backends.neuron.lowering.fourier import chains, steps
from trnarray.backends.simulator import Knobs, options

U = 2.0**-24


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Let lengths have three steps for which others are shorter."""
    caches = [three_steps.three_steps, steps.steps, chains.stages, chains.constants]
    monkeypatch.setattr(three_steps, "_COSTLIEST", 9)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def run(name, x, target="trn2", **parameters):
    with xp.config(fallback="error"):
        y = getattr(scipy.fft, name)(xp.asarray(x, device=f"sim:{target}"), **parameters)
    assert "rows in three steps" in str(xp.explain(y))
    wanted = getattr(scipy.fft, name)(x.astype(np.result_type(x, np.float64)), **parameters)
    return np.asarray(y.to_device("cpu")), wanted


def draw(shape):
    rng = np.random.default_rng(shape[-1])
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def error(found, wanted):
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("shape", [(2, 32768), (1, 20000), (1, 18447), (1, 64 * 300)])
def test_lengths(shape, target):
    """Three sums of up to 128 products: groups of short last steps, one group, odd lengths, and parts of two neighbours."""
    assert error(*run("fft", draw(shape), target)) <= 7 * U
    assert error(*run("ifft", draw(shape), target, norm="ortho")) <= 7 * U


def test_real_numbers_and_half_spectra():
    x = draw((2, 20000))
    for real in (x.real, draw((1, 18447)).real, draw((1, 32768)).real):
        with options(races="strict"):
            assert error(*run("rfft", real)) <= 7 * U
    assert error(*run("fft", x.real)) <= 7 * U
    assert error(*run("irfft", x[:, :10001])) <= 7 * U


@pytest.mark.parametrize("knobs", [{"pe_product": "split21"}, {"pe_order": "permuted:3", "denormals_pe": "flush"}], ids=str)
def test_readings_of_the_documents(knobs):
    with options(knobs=Knobs(**knobs), races="strict"):
        assert error(*run("fft", draw((1, 32768)))) <= (14 if "pe_product" in knobs else 7) * U


@pytest.mark.parametrize("has_room", [True, False])
def test_loops(has_room, monkeypatch):
    monkeypatch.setattr(triples._Triples, "_instructions", lambda _: 1 << 20)
    monkeypatch.setattr(triples, "MOST", 1 << 15 if has_room else 0)
    x = draw((5, 20000))
    x[1, 7] = np.nan
    with options(races="strict"):
        found, wanted = run("fft", x)
    assert np.isnan(found[1]).all()
    rest = [0, 2, 3, 4]
    assert error(found[rest], wanted[rest]) <= 7 * U


@pytest.mark.parametrize(("name", "dtype"), [("fft", np.complex64), ("rfft", np.float32)])
def test_predicted_time_of_a_long_transform(name, dtype, monkeypatch):
    """Products of 8 (128 + 64 + 128) flop a point at 20 TF/s would take 0.8 of it."""
    monkeypatch.undo()
    y = getattr(scipy.fft, name)(xp.asarray(np.zeros(1 << 20, dtype), device="sim:trn2"))
    (program,) = xp.explain(y).steps
    assert program.prediction is not None
    assert 2**20 * 8 * 320 / 20e12 >= 0.8 * program.prediction.seconds


def test_two_groups(monkeypatch):
    """As long as SBUF allows: about the sum of the roundings of three steps."""
    monkeypatch.undo()
    assert error(*run("fft", draw((1, 1 << 20)))) <= 6.7 * U
