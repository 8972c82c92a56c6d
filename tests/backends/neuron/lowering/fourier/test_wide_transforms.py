"""Transforms of float64 and complex128 on the device, against their definition and SciPy, both in long double."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.neuron.lowering.fourier import trigonometric, wide_transforms

DEVICE = "sim:trn2"
U = 2.0**-53
KINDS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")


def samples(shape, kind="c", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return x + 1j * rng.standard_normal(shape) if kind == "c" else x


def exactly(x):
    return x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)


def computed(name, x, *args, target="sim:trn2", **parameters):
    with xp.config(fallback="error"):
        return np.asarray(getattr(scipy.fft, name)(xp.asarray(x, device=target), *args, **parameters).to_device("cpu"))


def assert_near(found, wanted, roundings):
    assert found.dtype == (np.complex128 if wanted.dtype.kind == "c" else np.float64)
    assert found.shape == wanted.shape
    assert np.linalg.norm(found - wanted) <= roundings * U * np.linalg.norm(wanted)


def by_definition(x):
    """Sum by the definition in long double, angles reduced in integers."""
    n = x.shape[-1]
    turns = np.arange(n) * np.longdouble("6.28318530717958647692528676655900577") / n
    roots = np.cos(turns) - 1j * np.sin(turns)
    return exactly(x) @ roots[np.multiply.outer(np.arange(n), np.arange(n)) % n]


@pytest.mark.parametrize("target", ["sim:trn1", "sim:trn2", "sim:trn3"])
@pytest.mark.parametrize("n", [1, 2, 5, 12, 64, 97])
def test_definition(n, target):
    """The limit is 4 u log₂ n; one product of a matrix that has been rounded once rounds once."""
    x = samples(n, seed=n)
    assert_near(computed("fft", x, target=target), by_definition(x), max(4 * np.log2(n), 1))


@pytest.mark.parametrize("n", [997, 1100, 1048, 10007, 16384])
def test_long_lengths(n):
    """One product, steps, a prime factor of 131, and convolutions with chirps."""
    x = samples(n, seed=n)
    assert_near(computed("fft", x), scipy.fft.fft(exactly(x)), 4 * np.log2(n))


@pytest.mark.parametrize("n", [11, 1031])
@pytest.mark.parametrize("kind", KINDS)
def test_kinds_cut_pad_and_scale_along_any_axis(kind, n, monkeypatch):
    """A length of one product and a long prime number, whose convolution is one product here."""
    if n > 1000:
        monkeypatch.setattr(wide_transforms, "DENSE", 1)
        n = 17
    for norm, axis, shape in (("ortho", 0, (13, 3)), ("forward", 1, (2, 30, 2)), ("backward", -1, (2, 20))):
        x = samples(shape, "f" if kind in ("rfft", "ihfft") else "c", seed=n)
        for values in (x, x.real) if norm == "ortho" and x.dtype.kind == "c" else (x,):
            found = computed(kind, values, n, axis=axis, norm=norm)
            assert_near(found, getattr(scipy.fft, kind)(exactly(values), n, axis=axis, norm=norm), 12)


@pytest.mark.parametrize("name", ["fft2", "ifftn", "rfftn", "irfft2", "hfftn", "ihfft2", "dctn", "idstn"])
def test_several_axes(name):
    x = samples((4, 3, 6), "f" if name in ("rfftn", "ihfft2") else "c")
    assert_near(computed(name, x, norm="ortho"), getattr(scipy.fft, name)(exactly(x), norm="ortho"), 8)


@pytest.mark.parametrize(("n", "dense"), [(9, 1024), (12, 1), (9, 1)])
def test_sines_and_cosines(n, dense, monkeypatch):
    """One product each, and by Fourier transforms."""
    monkeypatch.setattr(trigonometric, "DENSE", dense)
    for name in ("dct", "idct", "dst", "idst"):
        for kind, norm in ((1, None), (2, "ortho"), (3, "forward"), (4, "ortho")):
            for x in (samples((2, n), "f"), *([samples((2, n))] if kind == 2 else [])):
                assert_near(computed(name, x, kind, norm=norm), getattr(scipy.fft, name)(exactly(x), kind, norm=norm), 8)


def test_what_is_not_finite_stays_in_its_transform():
    x = samples((4, 12))
    x[1, 3], x[2, 5] = np.nan, np.inf
    found, wanted = computed("fft", x), np.fft.fft(samples((4, 12)))
    assert not np.isfinite(found[1:3]).any()
    assert np.isfinite(found[[0, 3]]).all()
    assert np.linalg.norm((found - wanted)[[0, 3]]) <= 8 * U * np.linalg.norm(wanted)


def test_ranges_and_lengths_of_nothing():
    """Magnitudes far apart, and near both ends of float64's range."""
    x = samples(32) * np.exp2(np.arange(0, -320, -10))
    assert_near(computed("fft", x), scipy.fft.fft(exactly(x)), 8)
    for scale in (2.0**1000, 2.0**-1000):
        assert_near(computed("fft", x * scale), scipy.fft.fft(exactly(x * scale)), 8)
    assert computed("rfft", np.ones((0, 8))).shape == (0, 5)
    assert (computed("fft", np.ones((3, 0)), 4) == np.zeros((3, 4))).all()


def test_integers_under_numpys_defaults():
    with xp.config(defaults="numpy", fallback="error"):
        found = xp.fft.fft(xp.asarray([1, 2, 3, 4], device=DEVICE))
        assert found.dtype == xp.complex128
    assert np.asarray(found.to_device("cpu")).tolist() == [10, -2 + 2j, -2, -2 - 2j]


def test_settings_of_precision():
    """Computed in float64 and rounded once, parts err by half of u, and less than that in the norm; sums of float32 by more."""
    x = samples((3, 60)).astype(np.complex64)
    for name, values in (("fft", x), ("dct", x.real), ("hfft", x), ("dctn", x.real)):
        wanted = getattr(scipy.fft, name)(exactly(values))
        errors = {}
        for key, settings in (
            ("default", {}),
            ("float64", {"precision": "float64"}),
            ("target", {"target_forward_error": 1e-6}),
            ("loose", {"target_forward_error": 1e-2}),
        ):
            with xp.config(**settings, fallback="error"):
                found = getattr(scipy.fft, name)(xp.asarray(values, device=DEVICE))
            assert found.dtype == (xp.complex64 if wanted.dtype.kind == "c" else xp.float32)
            errors[key] = np.linalg.norm(np.asarray(found.to_device("cpu")) - wanted) / np.linalg.norm(wanted)
        assert errors["float64"] == errors["target"] < 2.0**-25 < errors["default"] == errors["loose"]


def test_errors_that_no_way_meets():
    x = xp.asarray(samples(60), device=DEVICE)
    with xp.config(target_forward_error=1e-14):
        scipy.fft.fft(x)
        with pytest.raises(xp.PrecisionError, match="give float64 operands"):
            scipy.fft.fft(x.astype(xp.complex64))
    with xp.config(target_forward_error=1e-17), pytest.raises(xp.PrecisionError, match="more digits"):
        scipy.fft.fft(x)
