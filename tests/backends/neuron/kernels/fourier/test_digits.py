"""Transforms of float64 by digits, in two steps, against SciPy in long double."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron.lowering.fourier import roots, wide_transforms
from trnarray.backends.simulator import Knobs, options

U = 2.0**-53


@pytest.fixture(autouse=True)
def _two_steps_of_short_lengths(monkeypatch):
    monkeypatch.setattr(wide_transforms, "DENSE", 63)


def samples(shape, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(shape) + 1j * rng.standard_normal(shape)


def computed(name, x, target="sim:trn2", **parameters):
    with xp.config(fallback="error"):
        found = getattr(scipy.fft, name)(xp.asarray(x, device=target), **parameters)
        (program,) = xp.explain(found).steps
        assert any("float64, complex rows in two steps" in stage.computes for stage in program.stages)
        return np.asarray(found.to_device("cpu"))


def errors(found, wanted):
    """Give the error of each transform, relative to its norm, in units of roundoff."""
    with np.errstate(all="ignore"):
        return (np.linalg.norm(found - wanted, axis=-1) / np.linalg.norm(wanted, axis=-1) / U).astype(float)


@pytest.mark.parametrize(("count", "n", "target"), [(9, 64, "sim:trn2"), (9, 64, "sim:trn3"), (65, 64, "sim:trn2")])
def test_lengths_and_counts(count, n, target):
    """Parts of groups of 32, whole ones and several. Twiddles and both matrices are rounded once each, and results are."""
    x = samples((count, n), n)
    assert errors(computed("fft", x, target), scipy.fft.fft(x.astype(np.clongdouble))).max() < 4


def test_directions_norms_and_real_numbers():
    """The least factor, and real numbers, whose imaginary parts are zeros."""
    x = samples((9, 64), 1)
    assert errors(computed("ifft", x, norm="ortho"), scipy.fft.ifft(x.astype(np.clongdouble), norm="ortho")).max() < 4
    assert errors(computed("rfft", x.real), scipy.fft.rfft(x.real.astype(np.longdouble))).max() < 4


def test_ranges():
    """
    Both ends of float64's range, numbers far apart, and what is not finite, which spoils its own transform alone.

    Below the normal range errors are 4 u of 2**-1021 and the square root of 64, which is 4 units of 2**-1074, and half a unit by rounding.
    """
    x = samples((12, 64))
    x[0], x[1], x[2], x[3, 5], x[4, 7] = x[0] * 1e305, x[1] * 2.0**-1000, 0, np.nan, np.inf
    x[5], x[6], x[7] = np.eye(1, 64, 5), 1, np.exp2(-10.0 * np.arange(64))
    tiny = x[8:] * 2.0**-1050
    found, wanted = computed("fft", x), scipy.fft.fft(x.astype(np.clongdouble))
    assert np.isnan(found[3:5]).all()
    assert not found[2].any()
    keep = [0, 1, 5, 6, 7, 8, 9, 10, 11]
    assert errors(found[keep], wanted[keep]).max() < 4
    found = computed("fft", np.concatenate([tiny, x[4:]]))[:4] - scipy.fft.fft(tiny.astype(np.clongdouble))
    assert max(abs(found.real).max(), abs(found.imag).max()) <= 5 * 2.0**-1074


def test_results_beyond_the_range_are_infinite():
    x = np.full((8, 64), 1.5e308 + 0j)
    found = computed("fft", x)
    assert np.isposinf(found[:, 0].real).all()
    assert np.isfinite(found[:, 1:]).all()


@pytest.mark.parametrize("digits", [roots.first_digits(128), *roots.second_digits(8, 128, 1.0)])
def test_sums_of_products_are_exact(digits):
    """PSUM, and float32, add up to 2**24 exactly: products with digits of up to 128, and what is carried."""
    cosines_and_sines = abs(digits[:, :, -256:]).reshape(128, 8, 2, 128)
    assert 128 * cosines_and_sines.sum(axis=(0, 2)).max(axis=1).sum() + 2**17 < 2**24
    assert abs(digits).max() <= 128


@pytest.mark.parametrize(
    "knobs",
    [{"two_op": "fused", "pe_product": "split21"}, {"pe_order": "permuted:3", "denormals_pe": "flush", "denormals_dve": "flush"}],
    ids=str,
)
def test_readings_of_the_documents(knobs):
    x = samples((10, 64), 3)
    with options(knobs=Knobs(**knobs), races="strict"):
        found = computed("fft", x)
    assert errors(found, scipy.fft.fft(x.astype(np.clongdouble))).max() < 4
