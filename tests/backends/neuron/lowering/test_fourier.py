"""Dense Fourier transforms on the device, against SciPy in float64."""

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

U = 2.0**-24  # float32's unit roundoff
COMPLEX = ("fft", "ifft", "irfft", "hfft")
SHAPES = [(8,), (5, 6), (4, 6, 3), (2, 3, 4, 2), (3, 1, 5), (1, 6, 3), (130, 9, 2), (2, 9, 140)]


def samples(shape, kind):
    rng = np.random.default_rng(3)
    x = rng.standard_normal(shape).astype(np.float32)
    return (x + 1j * rng.standard_normal(shape).astype(np.float32)).astype(np.complex64) if kind in COMPLEX else x


def bound(x, kind, axis, length):
    """
    What rounding may do to an element: each part is a sum of products with roots, which are rounded once, as the products are.

    A sum of n terms in any order adds n - 1 roundings, and parts that are summed apart one more. Roots are of magnitude 1, twice that where
    one stands for two conjugates, and have the factor 1/n in inverse transforms. Both parts together err by less than twice as much as one.
    """
    factor = (2 if kind in ("irfft", "hfft") else 1) / (length if kind in ("ifft", "irfft", "ihfft") else 1)
    return 2 * (length + 3) * U * factor * np.max(np.sum(np.abs(x), axis=axis))


@pytest.mark.parametrize("kind", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_along_every_axis(kind, shape):
    x = samples(shape, kind)
    for axis in range(len(shape)):
        for n in (None, 4):
            if n is None and shape[axis] == 1 and kind in ("irfft", "hfft"):
                continue
            wide = x.astype(np.complex128 if kind in COMPLEX else np.float64)
            expected = getattr(scipy.fft, kind)(wide, n=n, axis=axis)
            found = getattr(scipy.fft, kind)(xp.asarray(x, device="sim:trn2"), n=n, axis=axis)
            assert found.dtype == (xp.complex64 if expected.dtype.kind == "c" else xp.float32)
            assert found.shape == expected.shape
            length = n or (expected if kind in ("irfft", "hfft") else x).shape[axis]
            assert np.max(np.abs(np.asarray(found.to_device("cpu")) - expected)) <= bound(x, kind, axis, length)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_products_are_few_and_wide(axis):
    x = xp.asarray(samples((70, 80, 3), "rfft"), device="sim:trn2")
    y = scipy.fft.rfft(x, axis=axis)
    (step,) = xp.explain(y).steps
    products = [stage.over for stage in step.stages if "matmul" in stage.computes]
    assert len(products) == 1  # of one plane and both of the matrix
    assert not any(" of " in over for over in products)  # not one for each of the 70 or 5600 pieces of memory


@pytest.mark.parametrize("kind", ["fftn", "ifftn", "fft2", "ifft2", "rfftn", "irfftn", "rfft2", "irfft2"])
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_several_axes_and_an_axis_twice(kind, data):
    """Lengths and values of all n-d transforms: an axis may be given twice, and may be cut or padded each time."""
    shape = tuple(data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=3)))
    axes = tuple(data.draw(st.lists(st.integers(-len(shape), len(shape) - 1), min_size=2, max_size=2 if kind.endswith("2") else 3)))
    lengths = data.draw(st.none() | st.tuples(*[st.integers(1, 7)] * len(axes)))
    if lengths is None and kind.startswith("irfft") and shape[axes[-1]] < 2:
        lengths = (2,) * len(axes)  # one element is half a spectrum of none
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    x = rng.standard_normal(shape).astype(np.float32)
    if kind in ("ifftn", "ifft2", "irfftn", "irfft2"):
        x = (x + 1j * rng.standard_normal(shape)).astype(np.complex64)
    wanted = getattr(np.fft, kind)(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64), s=lengths, axes=axes)
    with xp.config(fallback="error"):
        found = getattr(np.fft, kind)(xp.asarray(x, device="sim:trn2"), s=lengths, axes=axes)
    assert found.shape == wanted.shape
    # Three transforms at most, each off by 2 (n + 3) roundings of sums of n terms, which are n or 1 (2 in half spectra) times the elements.
    most = np.prod([max(found.shape[axis], shape[axis], 7) for axis in axes]) if kind in ("fftn", "fft2", "rfftn", "rfft2") else 2.0
    assert np.abs(np.asarray(found.to_device("cpu")) - wanted).max(initial=0) <= 3 * 2 * (10 + 3) * U * most * np.abs(x).max()
