"""The backend that computes transforms of ndarrays on a device, in all three ways to install it, beside SciPy in float64."""

import pickle
import threading

import numpy as np
import pytest
import scipy.fft
import scipy.signal

import trnarray as xp
from trnarray.scipy import _fft_offload
from trnarray.scipy.fft import OffloadTimes, offload

U = 2.0**-24
ALWAYS = offload("sim:trn2", always=True)
NAMES = (
    *("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifftn", "rfft2", "irfftn", "hfftn", "ihfft2"),
    *("dct", "idct", "dst", "idst", "dctn", "idstn"),
)
REAL = ("rfft", "ihfft", "rfft2", "ihfft2", "dct", "idct", "dst", "idst", "dctn", "idstn")


@pytest.fixture(autouse=True)
def _scipys_own_backend():
    yield
    scipy.fft.set_global_backend("scipy", try_last=True)


def samples(shape, dtype=np.float32):
    rng = np.random.default_rng(1)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


@pytest.mark.parametrize("name", NAMES)
def test_transforms_are_scipys(name):
    """Errors are those of transforms on the device: some roundings, relative to the norm."""
    x = samples((6, 20), np.float32 if name in REAL else np.complex64)
    wanted = getattr(scipy.fft, name)(x.astype(np.float64 if name in REAL else np.complex128), norm="ortho")
    xp.reset_coverage()
    with scipy.fft.set_backend(ALWAYS), xp.config(fallback="error"):
        found = getattr(scipy.fft, name)(x, norm="ortho")
    assert type(found) is np.ndarray
    assert found.flags.c_contiguous
    assert found.dtype == (np.complex64 if wanted.dtype.kind == "c" else np.float32)
    assert np.linalg.norm(found - wanted) <= 6 * U * np.linalg.norm(wanted)
    assert sorted((one.direction, one.calls) for one in xp.coverage().transfers) == [("to device", 1), ("to host", 1)]


@pytest.mark.parametrize("name", NAMES)
def test_float64_is_computed_in_float64(name):
    """SciPy's results to 1e-13, and far closer: both have errors of a few roundings, relative to the norm."""
    x = samples((6, 20), np.float64 if name in REAL else np.complex128)
    wanted = getattr(scipy.fft, name)(x, norm="ortho")
    xp.reset_coverage()
    with scipy.fft.set_backend(ALWAYS), xp.config(fallback="error"):
        found = getattr(scipy.fft, name)(x, norm="ortho")
    assert found.dtype == wanted.dtype
    assert np.linalg.norm(found - wanted) <= 8 * 2.0**-53 * np.linalg.norm(wanted)
    assert sorted((one.direction, one.calls) for one in xp.coverage().transfers) == [("to device", 1), ("to host", 1)]


def test_integers_are_computed_in_float64_unless_the_host_is_asked_to():
    with scipy.fft.set_backend(ALWAYS):
        for dtype in (bool, np.int8, np.uint64):
            x = (np.arange(12) % 5).astype(dtype)
            found = scipy.fft.fft(x)
            assert found.dtype == np.complex128
            assert np.linalg.norm(found - np.fft.fft(x.astype(np.float64))) <= 8 * 2.0**-53 * np.linalg.norm(found)
        xp.reset_coverage()
        with xp.config(float64="host"):
            assert scipy.fft.fft(np.ones(8)).tobytes() == scipy.fft._basic_backend.fft(np.ones(8)).tobytes()
        assert not xp.coverage().transfers


def test_installed_globally_it_holds_in_every_thread_and_answers_for_all():
    scipy.fft.set_global_backend(ALWAYS)
    found = []
    thread = threading.Thread(target=lambda: found.append(scipy.fft.rfft(samples(16))))
    thread.start()
    thread.join()
    assert type(found[0]) is np.ndarray
    for x in ([1.0, 2.0], np.ones(4), np.ones(4, np.longdouble), np.ma.ones(4, dtype=np.float32), np.arange(4)):
        assert type(scipy.fft.fft(x)) is np.ndarray
        assert scipy.fft.fft(x).dtype == scipy.fft._basic_backend.fft(x).dtype
    assert type(scipy.fft.fft(xp.ones(4))) is xp.Array
    assert scipy.fft.fht(np.ones(8), 0.1, 0.5).dtype == np.float64


def test_registered_it_computes_what_is_no_subclass():
    class Signal(np.ndarray):
        pass

    x = samples(16)
    with scipy.fft.set_backend(ALWAYS, only=True):
        assert type(scipy.fft.fft(x)) is np.ndarray
        with pytest.raises(scipy.fft._backend.ua.BackendNotImplementedError):
            scipy.fft.fft(x.view(Signal))


def test_the_cpu_is_scipys():
    x = samples(64)
    for backend in (offload("cpu", always=True), offload(always=True)):
        with scipy.fft.set_backend(backend), xp.default_device("cpu"):
            assert scipy.fft.fft(x).tobytes() == scipy.fft._basic_backend.fft(x).tobytes()


def test_low_precision_and_other_byte_orders():
    x = samples((3, 20))
    with scipy.fft.set_backend(ALWAYS):
        half, swapped = scipy.fft.rfft(x.astype(np.float16)), scipy.fft.rfft(x.astype(">f4"))
    assert half.dtype == swapped.dtype == np.complex64
    assert np.linalg.norm(swapped - np.fft.rfft(x.astype(np.float64))) <= 6 * U * np.linalg.norm(x) * np.sqrt(20)


def test_precision_is_that_of_the_backend_or_in_force():
    """Of rows of 64: what bfloat16 rounds by, some roundings of float32, or one; times follow."""
    x = samples((3, 64))
    wanted = np.fft.rfft(x.astype(np.float64))
    errors = {}
    for precision in ("bfloat16", None, "float64"):
        with scipy.fft.set_backend(offload("sim:trn2", always=True, precision=precision)):
            found = scipy.fft.rfft(x)
        assert found.dtype == np.complex64
        errors[precision] = np.linalg.norm(found - wanted) / np.linalg.norm(wanted)
    assert 2.0**-11 < errors["bfloat16"] < 2.0**-7
    assert U < errors[None] < 8 * U
    assert errors["float64"] < U
    with xp.config(precision="bfloat16"), scipy.fft.set_backend(ALWAYS):
        assert np.linalg.norm(scipy.fft.rfft(x) - wanted) > 2.0**-11 * np.linalg.norm(wanted)
    large = np.empty((4096, 997), np.complex64)
    slow, fast = (offload("sim:trn2", precision=one).explain(large) for one in (None, "bfloat16"))
    assert fast.device < slow.device
    with xp.config(precision="bfloat16"):
        assert offload("sim:trn2").explain(large).device == fast.device


def test_arguments_and_errors_are_scipys():
    x = samples((4, 6))
    with scipy.fft.set_backend(ALWAYS):
        assert scipy.fft.fft(x, 9, axis=0, overwrite_x=True, workers=2).shape == (9, 6)
        for call in (lambda: scipy.fft.fft(x, 0), lambda: scipy.fft.fft(x, axis=7), lambda: scipy.fft.fft(x, norm="other")):
            with pytest.raises((ValueError, IndexError)):
                call()
        with pytest.raises(TypeError):
            scipy.fft.rfft(x.astype(np.complex64))


def test_libraries_that_call_scipy_fft():
    x, y = samples(500), samples(300)
    wanted = scipy.signal.fftconvolve(x.astype(np.float64), y.astype(np.float64))
    stft = scipy.signal.ShortTimeFFT(np.hanning(64), 16, 1.0)
    spectrum = stft.stft(x.astype(np.float64))
    scipy.fft.set_global_backend(ALWAYS)
    found = scipy.signal.fftconvolve(x, y)
    assert found.dtype == np.float32
    assert np.linalg.norm(found - wanted) <= 1e-6 * np.linalg.norm(wanted)
    assert np.linalg.norm(stft.stft(x) - spectrum) <= 1e-6 * np.linalg.norm(spectrum)
    x, y = x.astype(np.float64), y.astype(np.float64)
    assert np.linalg.norm(scipy.signal.fftconvolve(x, y) - wanted) <= 1e-13 * np.linalg.norm(wanted)
    assert np.linalg.norm(stft.stft(x) - spectrum) <= 1e-13 * np.linalg.norm(spectrum)


def test_it_computes_where_that_is_predicted_to_be_faster(monkeypatch):
    x = samples((8, 64), np.complex64)
    backend = offload("sim:trn2")
    for host, calls in ((1e-6, 0), (10.0, 1)):
        monkeypatch.setattr(_fft_offload, "_host_seconds", lambda _, host=host: host)
        xp.reset_coverage()
        with scipy.fft.set_backend(backend):
            assert type(scipy.fft.fft(x)) is np.ndarray
        assert sum(one.calls for one in xp.coverage().transfers if one.direction == "to host") == calls
        times = backend.explain(x)
        assert times.pays == bool(calls)
        assert ("the device" if calls else "SciPy answers") in str(times)
    assert 1e-3 < times.device < 1e-2  # a launch, and little more
    assert times.transfers == pytest.approx(2 * x.nbytes / 8e9)


def test_what_is_not_computed_takes_forever():
    assert offload("sim:trn2").explain(np.ones(8, np.longdouble)).device == np.inf
    assert offload("sim:trn2").explain(np.ones(8)).device < 0.1
    assert not OffloadTimes(np.inf, 0.0, 1.0).pays
    with pytest.raises(ValueError, match="dispatches no function"):
        offload("sim:trn2").explain(np.ones(8), "czt")


def test_errors_of_the_device(monkeypatch):
    def failing(*_):
        raise RuntimeError("the device is gone")

    monkeypatch.setattr(_fft_offload, "_on_device", failing)
    x = samples(8)
    with scipy.fft.set_backend(ALWAYS):
        with pytest.raises(RuntimeError, match="is gone"):
            scipy.fft.fft(x)
        with xp.config(fallback="allow"):
            assert np.allclose(scipy.fft.fft(x), np.fft.fft(x), atol=1e-4)


def test_parameters():
    assert pickle.loads(pickle.dumps(ALWAYS)) == ALWAYS != offload("sim:trn2")
    assert len({ALWAYS, offload("sim:trn2", always=True)}) == 1
    assert "always=True" in repr(ALWAYS)
    for parameters in ({"device": "gpu"}, {"precision": "float8"}):
        with pytest.raises(ValueError, match="gpu|float8"):
            offload(**parameters)


def test_the_namespace_as_global_backend_hands_ndarrays_to_scipy():
    scipy.fft.set_global_backend(xp.scipy.fft)
    x = samples((4, 8))
    for name in ("fft", "rfft2", "dct"):
        found = getattr(scipy.fft, name)(x)
        assert type(found) is np.ndarray
        assert (
            found.tobytes() == getattr(scipy.fft._basic_backend if name != "dct" else scipy.fft._realtransforms_backend, name)(x).tobytes()
        )
    assert type(scipy.fft.fft([1.0, 2.0])) is np.ndarray
    assert type(scipy.fft.fft(xp.ones(4))) is xp.Array
