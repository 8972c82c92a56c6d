"""Transforms of rows in two steps: on all targets, in loops, with what is not finite, beside a reference in float64."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron.kernels.fourier import pairs as kernel
from trnarray.backends.neuron.two_steps import two_steps
from trnarray.backends.simulator import Knobs, options

U = 2.0**-24


def draw(rows, n):
    rng = np.random.default_rng(n)
    return (rng.standard_normal((rows, n)) + 1j * rng.standard_normal((rows, n))).astype(np.complex64)


def error(x, target="trn2"):
    with xp.config(fallback="error"):
        found = np.asarray(scipy.fft.fft(xp.asarray(x, device=f"sim:{target}")).to_device("cpu"))
    wanted = scipy.fft.fft(x.astype(np.complex128))
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("n", [1100, 4096, 6724, 11979, 16384])
def test_targets(target, n):
    """Two steps of sums of up to 128 products and a product with twiddles; four transforms lie below each other, or two, or one."""
    assert n == 1100 or two_steps(n, 64 if target == "trn1" else 32) is not None
    assert error(draw(9, n), target) <= 6 * U


@pytest.mark.parametrize(
    "knobs", [{"pe_product": "split21"}, {"pe_order": "permuted:3", "two_op": "fused", "denormals_dve": "flush"}], ids=str
)
def test_readings_of_the_documents(knobs):
    """Products of 21 bits round eight times as coarsely, which sums of random signs leave at about twice."""
    with options(knobs=Knobs(**knobs), races="strict"):
        assert error(draw(9, 4096)) <= (12 if "pe_product" in knobs else 6) * U


def test_loops(monkeypatch):
    monkeypatch.setattr(kernel._Pairs, "_instructions", lambda _: 1 << 20)
    for rows, n in ((70, 1100), (40, 4096)):
        assert error(draw(rows, n)) <= 6 * U


@pytest.mark.parametrize("target", ["trn1", "trn2"])
def test_what_is_not_finite_stays_in_its_row(target):
    x = draw(9, 4096)
    x[1, 77], x[6, 4095] = np.nan, np.inf
    finite = np.isfinite(np.asarray(scipy.fft.fft(xp.asarray(x, device=f"sim:{target}")).to_device("cpu")))
    assert not finite[[1, 6]].any()
    assert np.delete(finite, [1, 6], axis=0).all()


def test_predicted_time_is_near_that_of_products():
    """Of 64 x 16384 points, products of 8 (128 + 128) flop a point at 20 TF/s take 85 % of the predicted time or more."""
    y = scipy.fft.fft(xp.asarray(np.zeros((64, 16384), np.complex64), device="sim:trn2"))
    (program,) = xp.explain(y).steps
    assert program.prediction is not None
    assert 64 * 16384 * 8 * 256 / 20e12 >= 0.85 * program.prediction.seconds
