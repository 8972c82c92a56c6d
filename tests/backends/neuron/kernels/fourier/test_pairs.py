"""Transforms of rows in two steps: on all targets, in loops, with what is not finite, beside a reference in float64."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron.kernels.fourier import pairs as kernel
from trnarray.backends.neuron.two_steps import half_steps, steps_from_half, two_steps
from trnarray.backends.simulator import Knobs, options

U = 2.0**-24


KINDS = ("fft", "rfft", "irfft", "hfft")


def draw(rows, n, kind="fft"):
    """Draw operands of a transform of n points; halves of spectra have imaginary parts at both ends, which are no part of them."""
    rng = np.random.default_rng(n)
    x = rng.standard_normal((2, rows, n // 2 + 1 if kind in ("irfft", "hfft") else n)).astype(np.float32)
    return x[0] if kind == "rfft" else x[0] + np.complex64(1j) * x[1]


def transformed(x, n, kind, target="trn2"):
    with xp.config(fallback="error"):
        return np.asarray(getattr(scipy.fft, kind)(xp.asarray(x, device=f"sim:{target}"), n).to_device("cpu"))


def error(rows, n, kind="fft", target="trn2"):
    x = draw(rows, n, kind)
    wanted = getattr(scipy.fft, kind)(x.astype(np.float64 if kind == "rfft" else np.complex128), n)
    found = transformed(x, n, kind, target)
    assert found.shape == wanted.shape
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


LENGTHS = [
    *(("fft", 3072), ("fft", 4096), ("fft", 11979), ("rfft", 2560), ("rfft", 6144), ("rfft", 16384)),
    *(("irfft", 2560), ("hfft", 4096), ("irfft", 16384)),
]


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize(("kind", "n"), LENGTHS)
def test_targets(target, kind, n):
    """Two steps of sums of up to 128 products and a product with twiddles; four transforms lie below each other, or two, or one."""
    smallest = 64 if target == "trn1" else 32
    assert two_steps(n, smallest) is not None
    if kind != "fft" and target != "trn1":
        assert (half_steps if kind == "rfft" else steps_from_half)(n, smallest) is not None
    assert error(9, n, kind, target) <= 6 * U


@pytest.mark.parametrize(
    "knobs", [{"pe_product": "split21"}, {"pe_order": "permuted:3", "two_op": "fused", "denormals_dve": "flush"}], ids=str
)
@pytest.mark.parametrize("kind", ["fft", "rfft", "irfft"])
def test_readings_of_the_documents(knobs, kind):
    """Products of 21 bits round eight times as coarsely, which sums of random signs leave at about twice."""
    with options(knobs=Knobs(**knobs), races="strict"):
        assert error(9, 4096, kind) <= (12 if "pe_product" in knobs else 6) * U


def test_loops(monkeypatch):
    monkeypatch.setattr(kernel.Pairs, "_instructions", lambda _: 1 << 20)
    for kind, rows, n in (
        *(("fft", 64, 3072), ("fft", 40, 4096), ("rfft", 70, 2560), ("rfft", 90, 4096)), *(("irfft", 70, 2560), ("irfft", 64, 3072)),
    ):  # fmt: skip
        assert error(rows, n, kind) <= 6 * U


@pytest.mark.parametrize("target", ["trn1", "trn2"])
@pytest.mark.parametrize("kind", ["fft", "rfft", "irfft"])
def test_what_is_not_finite_stays_in_its_row(target, kind):
    for n in (4096, 3072):
        x = draw(9, n, kind)
        x[1, 77], x[6, -2] = np.nan, np.inf
        finite = np.isfinite(transformed(x, n, kind, target))
        assert not finite[[1, 6]].any()
        assert np.delete(finite, [1, 6], axis=0).all()


def seconds(y):
    (program,) = xp.explain(y).steps
    assert program.prediction is not None
    return program.prediction.seconds


def test_real_numbers_take_half_the_time():
    """Of 64 x 16384 points; and a convolution, with the product of spectra, 1.8 times what one complex transform takes."""
    x, spectrum = (xp.asarray(np.zeros(shape, dtype), device="sim:trn2") for shape, dtype in (((64, 16384), "f"), ((8193,), "F")))
    whole = seconds(scipy.fft.fft(xp.asarray(np.zeros((64, 16384), np.complex64), device="sim:trn2")))
    half = scipy.fft.rfft(x)
    assert seconds(half) <= 0.6 * whole
    assert seconds(scipy.fft.irfft(half * spectrum)) <= 1.8 * whole


def test_transforms_of_short_steps_move_together():
    """Of 2**20 points, complex and real: without gaps between transforms of 24 partitions, by two queues: 1.5 to 3.5 times without."""
    for n, most, real in ((3072, 150e-6, 115e-6), (4096, 125e-6, 105e-6), (6144, 110e-6, 110e-6), (8192, 105e-6, 65e-6)):
        x = [xp.asarray(np.zeros((2**20 // n, n), dtype), device="sim:trn2") for dtype in "Ff"]
        assert seconds(scipy.fft.fft(x[0])) <= most
        assert seconds(scipy.fft.rfft(x[1])) <= real


def test_predicted_time_is_near_that_of_products():
    """Of 64 x 16384 points, products of 8 (128 + 128) flop a point at 20 TF/s take 85 % of the predicted time or more."""
    y = scipy.fft.fft(xp.asarray(np.zeros((64, 16384), np.complex64), device="sim:trn2"))
    assert 64 * 16384 * 8 * 256 / 20e12 >= 0.85 * seconds(y)
