"""Functions of transforms that their kernels apply: to rows that lie on several partitions, beside SciPy in float64."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron.kernels.fourier import pairs, triples
from trnarray.backends.simulator import options

U = 2.0**-24


def draw(*shape):
    rng = np.random.default_rng(shape[-1])
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def run(calls, n, rows, others, target="trn2"):
    """Apply functions to transforms and other operands: on the device, which has one stage for both, and in float64."""
    x = draw(rows, n)
    given = [xp.asarray(one, device=f"sim:{target}") for one in (x, *others)]
    with xp.config(fallback="error"), options(races="strict"):
        found = calls(scipy.fft.fft(given[0]), *given[1:])
        (program,) = xp.explain(found).steps
        assert [", then" in stage.computes for stage in program.stages] == [True]
        return np.asarray(found.to_device("cpu")), calls(scipy.fft.fft(x.astype(np.complex128)), *others)


def error(found, wanted):
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


@pytest.mark.parametrize(
    ("target", "shape"), [*((target, (6, 4096)) for target in ("trn1", "trn2", "trn3")), ("trn2", (3, 131072)), ("trn3", (3, 65536))]
)
def test_products_with_rows_columns_and_matrices(shape, target):
    """Two or three sums of 128 products, and two more for a product of complex numbers."""
    rows, n = shape
    for other in (draw(n), draw(rows, 1), draw(rows, n)[:, ::-1].copy()):
        assert error(*run(lambda y, h: y * h, n, rows, (other,), target)) <= 9 * U


def test_functions_of_both_planes():
    n = 4096
    found = run(lambda y, a, b: (y - a).real * b + y.imag, n, 5, (draw(n), draw(5, 1).real.copy()))
    assert error(*found) <= 9 * U


@pytest.mark.parametrize(("kernel", "n"), [(pairs.Pairs, 4096), (triples._Triples, 65536)])
def test_loops(kernel, n, monkeypatch):
    monkeypatch.setattr(kernel, "_instructions", lambda _: 1 << 20)
    monkeypatch.setattr(pairs, "STEPS", 2)
    x = draw(n)
    x[3] = np.inf  # of the factor: infinite or NaN in that column of all rows, and nowhere else
    found, wanted = run(lambda y, h: y * h, n, 19 if n == 4096 else 5, (x,))
    assert not np.isfinite(found[:, 3]).any()
    rest = np.arange(n) != 3
    assert error(found[:, rest], wanted[:, rest]) <= 9 * U


def test_predicted_time_of_a_convolution():
    """Of two transforms, each the second figure: functions take next to nothing."""
    x, h = np.zeros((64, 16384), np.complex64), np.zeros(16384, np.complex64)
    x, h = (xp.asarray(one, device="sim:trn2") for one in (x, h))
    (program,) = xp.explain(scipy.fft.ifft(scipy.fft.fft(x) * h)).steps
    assert program.prediction is not None
    assert program.prediction.seconds <= 2 * 94.5e-6
