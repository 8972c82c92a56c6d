"""Filters of scipy.signal that are composed, on devices against SciPy's in float64."""

import numpy as np
import pytest
from scipy import signal as theirs

import trnarray as xp
from trnarray.scipy import signal as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(6)
IMAGE, KERNEL, X = rng.standard_normal((8, 9)), rng.standard_normal((3, 4)), rng.standard_normal((2, 40)) + 2.0
T, FREQUENCIES = np.sort(rng.uniform(0, 12, 24)), np.linspace(0.4, 4.0, 7)

# Calls, and how many roundings of the largest result they may be off: up to twelve products, or polynomials fitted to windows.
CALLS = {
    **{f"{name}, {mode}, {boundary}": (name, [IMAGE, KERNEL, mode, boundary, *([0.5] if boundary == "fill" else [])], {}, 64)
       for name, mode, boundary in (("convolve2d", "full", "fill"), ("convolve2d", "same", "symm"), ("convolve2d", "valid", "fill"),
                                    ("correlate2d", "same", "fill"), ("correlate2d", "full", "wrap"))},
    "medfilt": ("medfilt", [IMAGE, [3, 5]], {}, 0),
    "medfilt2d": ("medfilt2d", [IMAGE], {}, 0),
    "wiener": ("wiener", [IMAGE + 3.0, 3], {}, 128),
    "wiener, noise": ("wiener", [X[0], 5, 0.5], {}, 128),
    "savgol_filter": ("savgol_filter", [X, 7, 3], {}, 128),
    "savgol_filter, slopes": ("savgol_filter", [X, 7, 3], {"deriv": 1, "delta": 0.5}, 256),
    "savgol_filter, nearest": ("savgol_filter", [X.T, 6, 2], {"axis": 0, "mode": "nearest"}, 128),
    "upfirdn": ("upfirdn", [KERNEL[0], X, 3, 2], {}, 64),
    "upfirdn, rows": ("upfirdn", [KERNEL[0], X.T, 1, 3], {"axis": 0}, 64),
    "decimate": ("decimate", [X, 3], {"ftype": "fir", "n": 12}, 64),
    "decimate, causal": ("decimate", [X, 4], {"ftype": "fir", "n": 10, "zero_phase": False}, 64),
    "decimate, iir": ("decimate", [X, 2], {"n": 4}, 4096),  # poles of radius 0.9: errors grow with 1 / (1 - r)**2
    "lombscargle": ("lombscargle", [T, X[0, :24], FREQUENCIES], {}, 512),
    "lombscargle, mean": ("lombscargle", [T, X[0, :24], FREQUENCIES], {"normalize": True, "floating_mean": True}, 512),
    "lombscargle, weights": ("lombscargle", [T, X[0, :24], FREQUENCIES], {"weights": np.abs(X[1, :24])}, 512),
}  # fmt: skip


def check(name, dtype, device="sim:trn2"):
    function, arguments, options, roundings = CALLS[name]

    def given(make):
        made = [make(x) if isinstance(x, np.ndarray) else x for x in arguments]
        return made, {key: make(x) if isinstance(x, np.ndarray) else x for key, x in options.items()}

    positional, named = given(lambda x: xp.asarray(x.astype(dtype), device=device))
    try:
        expected, keywords = given(lambda x: x.astype(dtype).astype(float))
        expected = getattr(theirs, function)(*expected, **keywords)
    except TypeError:
        pytest.skip("this SciPy has fewer parameters")
    found = getattr(ours, function)(*positional, **named)
    assert (found.dtype, found.shape, str(found.device)) == (dtype, expected.shape, device)
    scale = max(1.0, float(np.max(np.abs(expected))))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=0, atol=roundings * U[dtype] * scale)


@pytest.mark.parametrize("name", CALLS)
def test_filters(name):
    with xp.config(fallback="error"):
        check(name, np.float32)


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn3"])
def test_elsewhere(device):
    check("savgol_filter", np.float32, device)


def test_what_is_left_to_scipy():
    x = xp.asarray(IMAGE.astype(np.float32), device="sim:trn2")
    with xp.config(fallback="error"):
        for call in (lambda: ours.medfilt(x, 4), lambda: ours.convolve2d(x.astype(xp.int32), x.astype(xp.int32)),
                     lambda: ours.upfirdn([1.0, 2.0], x, mode="reflect"), lambda: ours.savgol_filter(x, 11, 2)):  # fmt: skip
            with pytest.raises(xp.FallbackError):
                call()
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="window_length must be less than or equal"):
        ours.savgol_filter(x, 11, 2)
