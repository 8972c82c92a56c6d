"""What trnfft gives wrong or refuses, and the inputs that it is tested with: right here, without a fallback, beside SciPy in float64."""

import warnings

import numpy as np
import pytest
import scipy.fft
import scipy.signal

import trnarray as xp
from trnarray.backends.simulator import options

DEVICE = "sim:trn2"


def fetched(y):
    return np.asarray(y.to_device("cpu"))


def error(found, wanted):
    assert found.shape == wanted.shape
    return np.linalg.norm(fetched(found) - wanted) / np.linalg.norm(wanted)


@pytest.fixture(autouse=True)
def _no_fallback():
    with xp.config(fallback="error"):
        yield


@pytest.mark.parametrize("n", [20, 31, 5, 7, 64])
def test_half_spectra_to_any_length(n):
    """trnfft.irfft raises for lengths other than 2 (m - 1) and 2 m - 1."""
    rng = np.random.default_rng(n)
    spectrum = (rng.standard_normal((3, 17)) + 1j * rng.standard_normal((3, 17))).astype(np.complex64)
    assert error(scipy.fft.irfft(xp.asarray(spectrum, device=DEVICE), n), scipy.fft.irfft(spectrum.astype(np.complex128), n)) <= 4e-7


def test_integers_ndarrays_and_lengths_of_nothing():
    """trnfft.fft raises unrelated errors."""
    numbers = np.arange(-8, 8)
    found = scipy.fft.fft(xp.asarray(numbers.astype(np.int32), device=DEVICE))
    assert found.dtype == xp.complex64
    assert error(found, scipy.fft.fft(numbers)) <= 4e-7
    with xp.default_device(DEVICE):
        assert error(xp.scipy.fft.fft(numbers.astype(np.float32)), scipy.fft.fft(numbers)) <= 4e-7
    with pytest.raises(ValueError, match="data points"):
        scipy.fft.fft(xp.zeros((3, 0), dtype=xp.float32, device=DEVICE))


@pytest.mark.parametrize(("n", "limit"), [(64, 4e-7), (256, 4e-7), (997, 4e-7), (1009, 4e-7), (2048, 4e-7), (4099, 6e-7), (8193, 6e-7)])
def test_angles_are_reduced_in_integers(n, limit):
    """trnfft errs by 8e-6 to 3e-4 for matrices, and by 2e-4 to 2.5e-3 for chirps of these lengths."""
    rng = np.random.default_rng(n)
    x = (rng.standard_normal((2, n)) + 1j * rng.standard_normal((2, n))).astype(np.complex64)
    transform = scipy.fft.fft(xp.asarray(x, device=DEVICE))
    assert error(transform, scipy.fft.fft(x.astype(np.complex128))) <= limit
    assert error(scipy.fft.ifft(transform), x) <= 2 * limit


@pytest.mark.parametrize("name", ["fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn", "irfft2", "irfftn"])
def test_several_axes_with_lengths(name):
    """trnfft has no ifft2, and takes the last axes alone; -1 is the length of the operand, for half a spectrum, too."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((6, 10, 9)).astype(np.float32)
    x = x if name.startswith("rfft") else (x + 1j * rng.standard_normal(x.shape)).astype(np.complex64)
    wide = x.astype(np.float64 if x.dtype.kind == "f" else np.complex128)
    for parameters in ({"axes": (0, 1), "s": (-1, -1)}, {"axes": (2, 0), "s": (8, 12), "norm": "ortho"}):
        found = getattr(scipy.fft, name)(xp.asarray(x, device=DEVICE), **parameters)
        assert error(found, getattr(scipy.fft, name)(wide, **parameters)) <= 4e-7


@pytest.mark.parametrize("name", ["fht", "ifht"])
def test_hankel_transforms(name):
    """With weights of up to exp(1.5) before and after, n of which add up to a few roundings of the largest."""
    for n, mu, bias, dtype in ((64, 0.3, 0.2, np.float32), (63, 0.0, 0.0, np.float64), (10, 1.0, -0.3, np.float64)):
        a = np.random.default_rng(n).standard_normal((2, n)).astype(dtype)
        parameters = (0.1, mu, scipy.fft.fhtoffset(0.1, mu, 0.1, bias), bias)
        with xp.config(fallback="error"):
            found = getattr(scipy.fft, name)(xp.asarray(a, device=DEVICE), *parameters)
        assert found.dtype == dtype
        unit = 2.0**-24 if dtype == np.float32 else 2.0**-53
        assert error(found, getattr(scipy.fft, name)(a.astype(np.float64), *parameters)) <= (6 if dtype == np.float32 else 40) * unit


@pytest.mark.parametrize(
    ("name", "mu", "bias"), [("fht", -1.0, 0.0), ("fht", -3.5, 0.5), ("ifht", -2.5, 0.5), ("fht", -4.0, 1.0), ("fht", -2.5, 0.5)]
)
def test_hankel_transforms_at_poles(name, mu, bias):
    """Singular ones are SciPy's with its warning; others of them are well-defined. Weights and roundings as above."""
    function, a, given = getattr(scipy.fft, name), np.random.default_rng(1).standard_normal(64), (0.05, mu, 0.0, bias)
    with warnings.catch_warnings(record=True) as theirs:
        warnings.simplefilter("always")
        wanted = function(a, *given)
    with xp.config(fallback="error"), warnings.catch_warnings(record=True) as ours:
        warnings.simplefilter("always")
        for _ in range(2):
            found = function(xp.asarray(a, device=DEVICE), *given)
    assert [str(one.message) for one in ours] == 2 * [str(one.message) for one in theirs]
    assert error(found, wanted) <= 40 * 2.0**-53


def test_lengths_and_axes_in_ndarrays():
    x = np.random.default_rng(6).standard_normal((4, 5, 6)).astype(np.float32)
    array, s, axes = xp.asarray(x, device=DEVICE), np.array([6, 7]), np.array([0, 2])
    offload = xp.scipy.fft.offload(DEVICE, always=True)
    for module in (scipy.fft, np.fft, xp.fft, xp.scipy.fft):
        for call in (lambda m, y: m.rfftn(y, s, axes), lambda m, y: m.fft(y, n=np.array(7)), lambda m, y: m.fftshift(y, axes=axes)):
            wanted = call(scipy.fft, x.astype(np.float64))
            assert error(call(module, array), wanted) <= 4e-7
    with scipy.fft.set_backend(offload):
        found = scipy.fft.dctn(x, s=s, axes=axes), scipy.fft.idctn(array, 2, s, axes)
    assert error(found[1], scipy.fft.idctn(x.astype(np.float64), 2, s, axes)) <= 4e-7
    assert isinstance(found[0], np.ndarray)


@pytest.mark.parametrize("shape", [(1024,), (4, 1024), (500,)])
def test_short_time_transforms_and_back(shape):
    x = np.random.default_rng(2).standard_normal(shape).astype(np.float32)
    spectra = xp.scipy.signal.stft(xp.asarray(x, device=DEVICE), nperseg=128)[2]
    assert error(spectra, scipy.signal.stft(x.astype(np.float64), nperseg=128)[2]) <= 1e-6
    back = xp.scipy.signal.istft(spectra, nperseg=128)[1]
    assert error(back[..., : shape[-1]], x.astype(np.float64)) <= 1e-6


def test_parts_of_complex_numbers():
    """ComplexTensor, which has no division, power, comparison or broadcasting."""
    rng = np.random.default_rng(3)
    a, b = ((rng.standard_normal(s) + 1j * rng.standard_normal(s)).astype(np.complex64) for s in ((4, 5), (5,)))
    x, y = xp.asarray(a, device=DEVICE), xp.asarray(b, device=DEVICE)
    wide = a.astype(np.complex128), b.astype(np.complex128)
    assert error(x / y, wide[0] / wide[1]) <= 1e-6
    assert error(x**2 + y, wide[0] ** 2 + wide[1]) <= 1e-6
    assert (fetched(x == x) == np.ones((4, 5), bool)).all()


def test_low_precision():
    """bfloat16 operands, in float32 between, round once."""
    x = np.random.default_rng(4).standard_normal((2, 64)).astype(np.float32)
    narrow = xp.asarray(x, device=DEVICE).astype(xp.bfloat16)
    wide = fetched(narrow.astype(xp.float32)).astype(np.float64)
    assert error(scipy.fft.fft(narrow), scipy.fft.fft(wide)) <= 4e-7


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_products_of_bfloat16(target):
    """Each step rounds both operands to 8 bits, at random by about a third of the unit roundoff; trn1 multiplies float32."""
    rng, most = np.random.default_rng(5), 4.5 * 2.0**-24 if target == "trn1" else 2.0**-8
    x = rng.standard_normal((5, 4096)).astype(np.float32)
    z = (x + 1j * rng.standard_normal(x.shape)).astype(np.complex64)
    for steps, name, given, parameters in (
        (1, "fft", z[:, :16], {}), (1, "ifft", z[:, :997], {}), (1, "rfft", x[:, :300], {}), (1, "irfft", z[:, :257].real + 0j, {}),
        (2, "fft", z, {}), (2, "rfft", x, {}), (2, "irfft", z[:, :2049].real + 0j, {}), (1, "dct", x[:, :512], {"type": 2}),
        (1, "dct", x[:, :100], {"type": 1}), (2, "dst", x, {"type": 3}),
    ):  # fmt: skip
        with xp.config(fallback="error", precision="bfloat16"), options(races="strict"):
            found = fetched(getattr(scipy.fft, name)(xp.asarray(given, device=f"sim:{target}"), **parameters))
        wanted = getattr(scipy.fft, name)(given.astype("D" if given.dtype.kind == "c" else "d"), **parameters)
        assert most / 8 <= error(found, wanted) <= steps**0.5 * most, (name, given.shape)


def test_transforms_of_bfloat16_take_less():
    """The Tensor Engine multiplies in a quarter of the time, which prime lengths and those of two steps wait for."""
    for rows, n, most in ((4096, 997, 0.5), (64, 16384, 0.7)):
        x, times = xp.asarray(np.zeros((rows, n), np.complex64), device="sim:trn2"), []
        for precision in ("float32", "bfloat16"):
            with xp.config(precision=precision):
                times.append(xp.explain(scipy.fft.fft(x)).steps[0].prediction.seconds)
        assert times[1] <= most * times[0]
