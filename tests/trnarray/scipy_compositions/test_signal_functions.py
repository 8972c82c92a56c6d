"""Waveforms, responses of filters, and peaks of scipy.signal that are composed, on devices against SciPy's in float64."""

import re

import numpy as np
import pytest
from scipy import signal as theirs

import trnarray as xp
from trnarray.scipy import signal as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(1)
T, X, IMAGE = rng.uniform(-3, 20, 24), rng.standard_normal(40), rng.standard_normal((6, 9))
T[3] = np.nan
B, A = theirs.butter(3, 0.3)
SOS, FIR, PEAKS = theirs.butter(4, 0.3, output="sos"), np.array([0.5, 1.0, 0.25, -0.2]), theirs.argrelmax(X)[0]
S = np.abs(T) / 20

OTHERWISE = () if hasattr(theirs, "freqz_sos") else ("freqz_sos", "lfiltic", "square")
"""Of which older SciPy takes NaN for a phase and does not divide by a[0]; one it does not have."""

# Calls, and how many roundings of the largest result they may be off. Phases of waveforms, up to 20, are rounded; the delay of a group
# divides by the squared response, short sides of teeth are steep, and the numbers around it cancel.
CALLS = [
    ("chirp", [S, 1.0, 1.0, 3.0], {}, 64),
    ("chirp", [S, 1.0, 1.0, 3.0, "quadratic"], {"vertex_zero": False, "phi": 30}, 64),
    ("chirp", [S, 1.0, 1.0, 3.0, "logarithmic"], {}, 64),
    ("chirp", [S, 1.0, 1.0, 3.0, "hyperbolic"], {}, 64),
    ("sawtooth", [T, 0.25], {}, 16),
    ("sawtooth", [T, np.linspace(-0.5, 1.5, 24)], {}, 256),
    ("square", [T, np.linspace(-0.5, 1.5, 24)], {}, 0),
    ("gausspulse", [T / 20], {"fc": 3, "retquad": True, "retenv": True}, 64),
    ("sweep_poly", [T / 20, [1.0, 2.0, -1.0]], {"phi": 20}, 64),
    ("gauss_spline", [T / 10, 3], {}, 8),
    ("vectorstrength", [np.abs(X), np.array([0.5, 0.25])], {}, 64),
    ("vectorstrength", [np.abs(X), 0.5], {}, 64),
    ("lfilter_zi", [B * 2, A * 2], {}, 16),
    ("lfilter_zi", [FIR, np.array([1.0])], {}, 16),
    ("sosfilt_zi", [SOS], {}, 32),
    ("lfiltic", [B, A * 3, X[:2], X[5:6]], {}, 16),
    ("lfiltic", [FIR, np.array([1.0, 0.5]), X[:5]], {}, 16),
    ("freqz", [B, A], {"worN": 17}, 16),
    ("freqz", [FIR], {"worN": 9, "whole": True, "fs": 10.0}, 64),
    ("freqz", [B, A], {"worN": np.linspace(0.1, 3, 7), "fs": 20}, 32),
    ("freqz_sos", [SOS], {"worN": 16}, 32),
    ("group_delay", [(FIR, np.array([1.0, 0.25]))], {"w": 16}, 1024),
    ("order_filter", [IMAGE, [[1, 0, 1], [1, 1, 1], [0, 0, 1]], 2], {}, 0),
    ("sepfir2d", [IMAGE, np.array([1.0, 2.0, 0.5]), np.array([1.0, 0.0, -1.0, 2.0, 3.0])], {}, 16),
    ("deconvolve", [X, np.array([1.0, 0.5, 0.125])], {}, 32),
    ("argrelmax", [X], {"order": 2, "mode": "wrap"}, 0),
    ("argrelmin", [IMAGE], {"axis": 1}, 0),
    ("peak_prominences", [X, PEAKS, 7], {}, 8),
    ("peak_widths", [X, PEAKS, 0.75], {}, 32),
    ("find_peaks", [X], {"distance": 6.5, "height": 0.125}, 0),
    ("find_peaks", [X], {"prominence": (0.5, None), "width": (1, 4), "wlen": 12}, 32),
    ("find_peaks", [X], {"threshold": 0.125, "distance": 2, "width": 0.5, "plateau_size": 1, "rel_height": 0.75}, 32),
]
WIDE = ("sawtooth", "lfilter_zi", "freqz", "group_delay", "order_filter", "peak_widths", "find_peaks")


def parts(found):
    if isinstance(found, dict):
        return [each for key in sorted(found) for each in parts(found[key])]
    return [each for item in found for each in parts(item)] if isinstance(found, tuple) else [found]


def given(item, make):
    if isinstance(item, tuple):
        return tuple(given(each, make) for each in item)
    return make(item) if isinstance(item, np.ndarray) else item


def check(name, arguments, options, roundings, dtype, device="sim:trn2"):
    def narrow(x):
        return x.astype(dtype) if x.dtype.kind == "f" else x

    def on(item):
        return given(item, lambda x: xp.asarray(narrow(x), device=device))

    def wide(item):
        return given(item, lambda x: narrow(x).astype(float) if x.dtype.kind == "f" else x)

    expected = getattr(theirs, name)(*map(wide, arguments), **{key: wide(item) for key, item in options.items()})
    with xp.config(fallback="error", host_transfer="error"):
        found = getattr(ours, name)(*map(on, arguments), **{key: on(item) for key, item in options.items()})
    for one, other in zip(parts(found), parts(expected), strict=True):
        assert (one.shape, str(one.device)) == (np.shape(other), device)
        assert one.dtype.kind == np.asarray(other).dtype.kind
        assert one.dtype.kind == "i" or one.real.dtype == dtype
        scale = max(1.0, float(np.nanmax(np.abs(other), initial=0.0)))
        np.testing.assert_allclose(np.asarray(one.to_device("cpu")), other, rtol=0, atol=roundings * U[dtype] * scale)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_functions(call):
    if call[0] in OTHERWISE:
        pytest.skip("this SciPy's own gives something else")
    check(*call, np.float32)


@pytest.mark.parametrize("name", WIDE)
def test_float64(name):
    check(*next(call for call in CALLS if call[0] == name), np.float64)


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn3"])
def test_elsewhere(device):
    for name in ("sawtooth", "peak_widths"):
        check(*next(call for call in CALLS if call[0] == name), np.float32, device)


def test_of_equal_peaks_that_are_too_close_the_later_is_kept():
    x = xp.asarray([0.0, 2.0, 0.0, 2.0, 0.0, 1.0, 0.0, 2.0, 0.0], dtype=xp.float32, device="sim:trn2")
    with xp.config(fallback="error"):
        assert ours.find_peaks(x, distance=3)[0].tolist() == [3, 7]


def test_filters_of_numbers_are_constants():
    with xp.config(fallback="error"):
        xp.set_default_device("sim:trn2")
        try:
            assert ours.lfilter_zi([0.5], [1.0, -0.5]).tolist() == [0.5]
            assert ours.correlation_lags(3, 2).tolist() == [-1, 0, 1, 2]
            assert ours.max_len_seq(3)[0].shape == (7,)
        finally:
            xp.set_default_device(None)


def test_what_is_left_to_scipy():
    x = xp.asarray(X.astype(np.float32), device="sim:trn2")
    with xp.config(fallback="error"):
        for call in (lambda: ours.freqz(x, plot=print), lambda: ours.peak_widths(x, [3], prominence_data=(x[:1], [0], [5])),
                     lambda: ours.find_peaks(x, prominence=x)):  # fmt: skip
            with pytest.raises(xp.FallbackError):
                call()
    with xp.config(fallback="allow"):
        with pytest.raises(ValueError) as wanted:  # noqa: PT011  # its words depend on the version
            theirs.lfilter_zi(np.ones(2), [1.0, -1.0])
        with pytest.raises(type(wanted.value), match=re.escape(str(wanted.value))):
            ours.lfilter_zi(x[:2], xp.asarray([1.0, -1.0], dtype=xp.float32, device="sim:trn2"))
        with pytest.raises(ValueError, match="greater or equal to 1|must be 1 or more"):
            ours.find_peaks(x, distance=0.5)
