"""Fourier transforms on the device, against SciPy in float64."""

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.neuron.lowering.fourier.steps import steps
from trnarray.backends.simulator import Knobs, options

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
    products = [stage.over for stage in step.stages if "matmul" in stage.computes or "Fourier" in stage.computes]
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


# Lengths beyond one product: of two steps, of three, of one with a long prime divisor, and of convolutions with chirps.
LONG = (1025, 1100, 2047, 2048, 2187, 2062, 4106, 2053, 4096, 32768, 33124)
KINDS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")


def error(found, wanted):
    """The relative 2-norm of the difference."""
    return np.linalg.norm(np.asarray(found.to_device("cpu")) - wanted) / np.linalg.norm(wanted)


def transform(kind, x, *args, target="trn2", **parameters):
    with xp.config(fallback="error"):
        found = getattr(scipy.fft, kind)(xp.asarray(x, device=f"sim:{target}"), *args, **parameters)
    wanted = getattr(scipy.fft, kind)(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64), *args, **parameters)
    assert found.shape == wanted.shape
    return found, wanted


@pytest.mark.parametrize("target", ["trn1", "trn2"])
@pytest.mark.parametrize("kind", ["fft", "rfft", "irfft"])
def test_many_rows_of_lengths_without_short_steps(kind, target):
    """One product, of four groups of rows: sums of 128 products at once, about sqrt(128) / 3 roundings."""
    for n in (1031, 2047):
        x = samples((400, n // 2 + 1 if kind == "irfft" else n), kind)
        found, wanted = transform(kind, x, n, target=target)
        assert error(found, wanted) <= 6.7 * U
        (program,) = xp.explain(getattr(scipy.fft, kind)(xp.asarray(x, device=f"sim:{target}"), n)).steps
        assert len(program.stages) == 1


@pytest.mark.parametrize("n", LONG)
def test_long_lengths(n):
    """Products of up to 512 numbers, each step: about sqrt(512) / 3 roundings; convolutions have two transforms of twice the length."""
    results = [transform(kind, samples((2, n // 2 + 1 if kind in ("irfft", "hfft") else n), kind), n) for kind in KINDS]
    assert max(error(*one) for one in results) <= (10 if steps(n).circle else 6.7) * U


@pytest.mark.parametrize("kind", KINDS)
def test_long_transforms_cut_pad_and_scale_along_any_axis(kind):
    for n, axis, norm in ((1100, 0, "ortho"), (1029, 1, "forward"), (1031, 1, "backward"), (2053, 1, "backward")):
        shape = (*(3, 2)[:axis], 1070, *(3, 2)[axis:])
        assert error(*transform(kind, samples(shape, kind), n, axis, norm)) <= 10 * U


@pytest.mark.parametrize("target", ["trn1", "trn3"])
@pytest.mark.parametrize("kind", ["fft", "irfft"])
def test_generations(target, kind):
    assert error(*transform(kind, samples((2, 1100), kind), 1100, target=target)) <= 6.7 * U


@pytest.mark.parametrize(
    "knobs", [{"pe_product": "split21"}, {"pe_order": "permuted:3", "two_op": "fused"}, {"denormals_pe": "flush"}], ids=str
)
def test_readings_of_the_documents(knobs):
    """Products of 21 bits round eight times as coarsely, of which sums of random signs leave twice."""
    with options(knobs=Knobs(**knobs)):
        for n in (1536, 2053):
            assert error(*transform("fft", samples((1, n), "fft"), n)) <= 2 * (10 if steps(n).circle else 6.7) * U


@pytest.mark.parametrize("n", [16, 300, 2048, 2053])
def test_nan_stays_in_its_transform(n):
    x = samples((5, n), "fft")
    x[1, n // 3], x[3, n // 2] = np.nan, np.inf
    found = np.asarray(transform("fft", x)[0].to_device("cpu"))
    assert np.isfinite(found[[0, 2, 4]]).all()
    assert not np.isfinite(found[[1, 3]]).any()


@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_identities_of_long_transforms(data):
    """An impulse, a tone, Parseval's theorem, and a shift."""
    n = data.draw(st.sampled_from((1025, 1152, 2053)))
    place = data.draw(st.integers(0, n - 1))
    impulse = np.zeros(n, np.complex64)
    impulse[place] = 1.0
    tone = np.exp(2j * np.pi * (place * np.arange(n) % n) / n).astype(np.complex64)
    noise = samples((n,), "fft")
    rows = np.stack([impulse, tone, noise, np.roll(noise, place)])
    found = np.asarray(scipy.fft.fft(xp.asarray(rows, device="sim:trn2")).to_device("cpu")).astype(np.complex128)
    turns = np.exp(-2j * np.pi * (place * np.arange(n) % n) / n)
    assert np.linalg.norm(found[0] - turns) <= 10 * U * np.sqrt(n)
    assert np.linalg.norm(found[1] - n * (np.arange(n) == place)) <= 10 * U * n
    energy = np.linalg.norm(noise.astype(np.complex128))
    assert abs(np.linalg.norm(found[2]) - np.sqrt(n) * energy) <= 10 * U * np.sqrt(n) * energy
    assert np.linalg.norm(found[3] - turns * found[2]) <= 20 * U * np.sqrt(n) * energy


def test_a_transform_is_one_call_and_one_program():
    x = xp.asarray(np.zeros((2, 65000), np.complex64), device="sim:trn2")
    y = scipy.fft.fft(x) * 2
    (program,) = xp.explain(y).steps
    assert sum("matmul" in stage.computes or "Fourier" in stage.computes for stage in program.stages) == 2


def test_a_result_of_which_a_part_is_used():
    """What the expansion of a call makes and nobody needs is not computed."""
    x = samples((2, 2050), "rfft")
    imaginary = scipy.fft.rfft(xp.asarray(x, device="sim:trn2")).imag
    assert error(imaginary * 1, scipy.fft.rfft(x.astype(np.float64)).imag) <= 8 * U


@pytest.mark.parametrize("transform", [scipy.fft.fftn, scipy.fft.ifftn, np.fft.fftn, xp.fft.ifftn])
@pytest.mark.parametrize("shape", [(), (2, 3)])
@pytest.mark.parametrize("dtype", [np.int32, np.complex64])
def test_a_transform_along_no_axes_is_the_array(transform, shape, dtype):
    x = np.arange(6)[:, None].astype(dtype)[: int(np.prod(shape))].reshape(shape)
    with xp.config(fallback="error"):
        found = transform(xp.asarray(x, device="sim:trn2"), axes=())
        assert found.dtype == dtype
        assert (np.asarray(found.to_device("cpu")) == x).all()
        with pytest.raises(ValueError, match="at least one axis"):
            scipy.fft.rfftn(xp.asarray(x.real.copy(), device="sim:trn2"), axes=())
