"""Sine and cosine transforms on the device, against SciPy in float64."""

import itertools

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.neuron.lowering.fourier import trigonometric
from trnarray.backends.simulator import options

from ..beside_host import DEVICE, U, assert_refused_alike

ONE = ("dct", "idct", "dst", "idst")
PARAMETERS = {
    "type": st.integers(1, 4),
    "norm": st.sampled_from([None, "ortho", "forward"]),
    "orthogonalize": st.sampled_from([None, True, False]),
}


def draw(data, dtype):
    shape = tuple(data.draw(st.lists(st.integers(2, 9), min_size=1, max_size=3)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    x = rng.standard_normal(shape).astype(np.float32)
    return x if dtype == np.float32 else (x + 1j * rng.standard_normal(shape)).astype(dtype)


def assert_near(found, wanted, x, transforms, lengths):
    """
    Each transform is a sum of n products with numbers of at most 2 (times the square root of 2 where it is orthogonalized), rounded once.

    n + 1 roundings of a sum of n terms, each at most 3 in units of the largest element before, for one transform after the other.
    """
    assert found.shape == wanted.shape
    assert found.dtype == (xp.complex64 if wanted.dtype.kind == "c" else xp.float32)
    grown = np.prod([3.0 * length for length in lengths])
    bound = transforms * (max(lengths) + 2) * U * grown * np.abs(x).max() * (2 if wanted.dtype.kind == "c" else 1)
    assert np.abs(np.asarray(found.to_device("cpu")) - wanted).max() <= bound


@settings(max_examples=4, deadline=None)
@given(data=st.data(), dtype=st.sampled_from([np.float32, np.complex64]))
def test_one_axis(data, dtype):
    x = draw(data, dtype)
    calls = []
    for name in ONE:
        for kind in range(1, 5):
            parameters = {key: data.draw(values) for key, values in PARAMETERS.items()} | {"type": kind}
            parameters |= {"axis": data.draw(st.integers(-x.ndim, x.ndim - 1)), "n": data.draw(st.none() | st.integers(2, 12))}
            calls.append((name, parameters))
    with xp.config(fallback="error"):  # which computes nothing before a value is needed, and then all in one program
        found = [getattr(scipy.fft, name)(xp.asarray(x, device=DEVICE), **parameters) for name, parameters in calls]
    for result, (name, parameters) in zip(found, calls, strict=True):
        wanted = getattr(scipy.fft, name)(x.astype("D" if dtype == np.complex64 else "d"), **parameters)
        assert_near(result, wanted, x, 1, [max(x.shape[parameters["axis"]], parameters["n"] or 0)])


@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_several_axes(data):
    """Neighbouring axes are transformed by one product unless they are cut or padded."""
    x = draw(data, np.float32)
    calls = []
    for name in ONE:
        parameters = {key: data.draw(values) for key, values in PARAMETERS.items()}
        axes = data.draw(st.none() | st.lists(st.integers(0, x.ndim - 1), unique=True, max_size=x.ndim))
        count = x.ndim if axes is None else len(axes)
        lengths = data.draw(st.none() | st.lists(st.integers(2, 9) | st.just(-1), min_size=count, max_size=count))
        calls.append((f"{name}n", parameters | {"s": lengths, "axes": axes}))
    with xp.config(fallback="error"):
        found = [getattr(scipy.fft, name)(xp.asarray(x, device=DEVICE), **parameters) for name, parameters in calls]
    for result, (name, parameters) in zip(found, calls, strict=True):
        wanted = getattr(scipy.fft, name)(x.astype(np.float64), **parameters)
        assert_near(result, wanted, x, 3, [max(pair) for pair in zip(x.shape, wanted.shape, strict=True)])


@pytest.mark.parametrize("n", [9, 16])
@pytest.mark.parametrize("name", ONE)
def test_by_fourier_transforms(name, n, monkeypatch):
    """Long transforms, with short ones: every type and norm, of an even and an odd length, of real and of complex numbers."""
    monkeypatch.setattr(trigonometric, "DENSE", 1)
    monkeypatch.setattr(trigonometric, "_LONGEST_ROW", 1)
    rng = np.random.default_rng(1)
    found, expected = [], []
    for kind, norm, orthogonalize in itertools.product(range(1, 5), (None, "ortho", "forward"), (None, True)):
        x = rng.standard_normal((2, 7)).astype(np.float32)
        x = (x + 1j * rng.standard_normal((2, 7))).astype(np.complex64) if kind % 2 else x
        parameters = {"type": kind, "n": n, "norm": norm, "orthogonalize": orthogonalize}
        with xp.config(fallback="error"):
            found.append(getattr(scipy.fft, name)(xp.asarray(x, device=DEVICE), **parameters))
        expected.append(getattr(scipy.fft, name)(x.astype("D" if kind % 2 else "d"), **parameters))
    for ours, theirs in zip(found, expected, strict=True):
        # A Fourier transform, and a product with roots before or after it, each with a handful of roundings.
        assert np.linalg.norm(np.asarray(ours.to_device("cpu")) - theirs) <= 8 * U * np.linalg.norm(theirs)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_longest_rows(target):
    """One product, whose matrix fits beside the rows it has."""
    rng = np.random.default_rng(5)
    for n, name, kind in ((2048, "dct", 2), (2047, "dst", 3), (2048, "idst", 4), (1026, "dct", 1)):
        x = rng.standard_normal((130, n)).astype(np.float32)
        with xp.config(fallback="error"), options(races="strict"):
            y = getattr(scipy.fft, name)(xp.asarray(x, device=f"sim:{target}"), kind, norm="ortho")
            assert f"{name[-3:].upper()}-{'I' * kind if kind < 4 else 'IV'} rows" in str(xp.explain(y))
        wanted = getattr(scipy.fft, name)(x.astype(np.float64), kind, norm="ortho")
        assert np.linalg.norm(np.asarray(y.to_device("cpu")) - wanted) <= 4.5 * U * np.linalg.norm(wanted)


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_long_transforms(kind):
    x = np.random.default_rng(kind).standard_normal((3, 2101)).astype(np.float32)
    with xp.config(fallback="error"):
        found = scipy.fft.dct(xp.asarray(x, device=DEVICE), kind)
        back = scipy.fft.idct(found, kind)
    wanted = scipy.fft.dct(x.astype(np.float64), kind)
    for ours, theirs in ((found, wanted), (back, x)):
        assert np.linalg.norm(np.asarray(ours.to_device("cpu")) - theirs) <= 14 * U * np.linalg.norm(theirs)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_symmetric_rows(target):
    """Transforms by sums and differences of a row: each a sum of n products, whose roundings add up to about the square root of these."""
    rng = np.random.default_rng(3)
    for n, name, kind in (
        (129, "dct", 1), (256, "dst", 1), (257, "idct", 3), (384, "dst", 2), (300, "dct", 3), (261, "idst", 2),
        (512, "dct", 2), (520, "dst", 2), (1022, "idct", 3), (258, "dct", 4), (514, "idst", 4), (515, "dst", 4),
    ):  # fmt: skip
        x = rng.standard_normal((133, n)).astype(np.float32)
        x = (x + 1j * rng.standard_normal((133, n))).astype(np.complex64) if n == 384 else x
        x[7, n // 2] = np.nan
        with xp.config(fallback="error"), options(races="strict"):
            found = np.asarray(getattr(scipy.fft, name)(xp.asarray(x, device=f"sim:{target}"), kind, norm="ortho").to_device("cpu"))
        wanted = getattr(scipy.fft, name)(x.astype("D" if n == 384 else "d"), kind, norm="ortho")
        assert np.isnan(found[7]).all()
        rest = np.arange(133) != 7
        assert np.linalg.norm(found[rest] - wanted[rest]) <= 4.5 * U * np.linalg.norm(wanted[rest])


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_rows_in_two_steps(target):
    """Long transforms of an even length: two sums of 128 products and what lies between them, as of complex ones."""
    rng = np.random.default_rng(4)
    for n, name, kind, norm in (
        (4096, "dct", 2, "ortho"), (2112, "idct", 2, None), (2112, "dst", 4, None), (2112, "dst", 2, "ortho"), (4096, "idst", 2, "ortho"),
    ):  # fmt: skip
        n = 4096 if target == "trn1" else n  # whose tiles are too large for the shorter one
        x = rng.standard_normal((6, n)).astype(np.float32)
        x[3, n // 3] = np.inf
        with xp.config(fallback="error"), options(races="strict"):
            y = getattr(scipy.fft, name)(xp.asarray(x, device=f"sim:{target}"), kind, norm=norm)
            assert "in two steps" in str(xp.explain(y))
            found = np.asarray(y.to_device("cpu"))
        assert not np.isfinite(found[3]).any()
        rest = np.arange(6) != 3
        wanted = getattr(scipy.fft, name)(x[rest].astype(np.float64), kind, norm=norm)
        assert np.linalg.norm(found[rest] - wanted) <= 8 * U * np.linalg.norm(wanted)


@pytest.mark.parametrize(
    ("rows", "n", "complex_ones"), [(64, 16384, 94e-6), (8192, 512, 177e-6), (4096, 1024, 234e-6), (1024, 2048, 203e-6)]
)
def test_cosine_transforms_take_less_than_complex_ones(rows, n, complex_ones):
    """At most 0.6 of these, whose times are the figures."""
    y = scipy.fft.dct(xp.asarray(np.zeros((rows, n), np.float32), device="sim:trn2"), norm="ortho")
    assert xp.explain(y).steps[0].prediction.seconds <= 0.6 * complex_ones


def test_blocks_of_eight_by_eight_are_one_product():
    y = scipy.fft.dctn(xp.asarray(np.zeros((16, 16, 8, 8), np.float32), device=DEVICE), axes=(-2, -1), norm="ortho")
    (program,) = xp.explain(y).steps
    assert [stage.computes for stage in program.stages] == ["Fourier transform, plain rows"]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: scipy.fft.dct(x, 7),
        lambda x: scipy.fft.dct(x, n=0),
        lambda x: scipy.fft.dct(x, n=2.5),
        lambda x: scipy.fft.dct(x, axis=3),
        lambda x: scipy.fft.dct(x, norm="x"),
        lambda x: scipy.fft.dct(x[:, :0]),
        lambda x: scipy.fft.dctn(x, axes=(0, 0)),
        lambda x: scipy.fft.dctn(x, s=(1, 2, 3)),
        lambda x: scipy.fft.dctn(x, s=(1, 2), axes=0),
    ],
)
def test_errors_are_scipys(call):
    host = np.ones((4, 4), np.float32)
    assert_refused_alike(lambda: call(host), lambda: call(xp.asarray(host, device=DEVICE)), (ValueError, TypeError, IndexError))


def test_what_has_no_elements():
    x = xp.zeros((0, 8), device=DEVICE)
    with xp.config(fallback="error"):
        assert scipy.fft.dct(x).shape == scipy.fft.fft(x).shape == (0, 8)
        y = scipy.fft.rfft(xp.zeros((3, 0), device=DEVICE), 4)
        assert (np.asarray(y.to_device("cpu")) == np.zeros((3, 3))).all()


def test_what_the_device_leaves_to_the_host():
    with xp.config(fallback="error", float64="host"), pytest.raises(xp.FallbackError, match="float64"):
        scipy.fft.dct(xp.zeros(8, dtype=xp.float64, device=DEVICE))
