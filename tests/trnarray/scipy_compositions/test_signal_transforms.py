"""Chirp z-transforms, envelopes and analytic images on devices: against sums in extended precision, and SciPy's in float64."""

import numpy as np
import pytest
import scipy.signal as theirs

import trnarray as xp
from trnarray.scipy import signal as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(3)
X = rng.standard_normal((2, 40))


COMPLEX = {np.float32: np.complex64, np.float64: np.complex128}
ONE = np.longdouble(1)


def on_device(x, dtype):
    return xp.asarray(x.astype(COMPLEX[dtype] if x.dtype.kind == "c" else dtype), device="sim:trn2")


def evaluated(x, ratio, start, count):
    """Sum up at start * ratio**-k, of which angles are given in turns, in extended precision."""
    j, k = np.arange(x.shape[-1], dtype=np.longdouble), np.arange(count, dtype=np.longdouble)
    turns = -np.longdouble(start[1]) * j[:, None] + np.longdouble(ratio[1]) * j[:, None] * k
    turns = 2 * np.longdouble("3.14159265358979323846264338327950288") * (turns - np.rint(turns))
    sizes = np.longdouble(start[0]) ** -j[:, None] * np.longdouble(ratio[0]) ** (j[:, None] * k)
    return (x @ (sizes * np.cos(turns)) + 1j * (x @ (sizes * np.sin(turns)))).astype(complex)


CHIRPS = {
    "czt": (lambda s, x: s.czt(x), (1, -ONE / 40), (1, 0), 40),
    "points on a spiral": (lambda s, x: s.czt(x, 11, 0.98 * np.exp(-2j * np.pi / 64), 1.1), (0.98, -1 / 64), (1.1, 0), 11),
    "zoom_fft": (lambda s, x: s.zoom_fft(x, [0.25, 0.75], 32, fs=4), (1, -1 / 256), (1, 1 / 16), 32),
    "to the endpoint": (lambda s, x: s.zoom_fft(x, [0.0, 0.5], 17, endpoint=True), (1, -1 / 64), (1, 0), 17),
    "an object": (lambda s, x: s.CZT(40, 25)(x), (1, -ONE / 25), (1, 0), 25),
    "an object of a band": (lambda s, x: s.ZoomFFT(40, 0.5, 64)(x), (1, -1 / 256), (1, 0), 64),
}


@pytest.mark.parametrize("name", CHIRPS)
def test_chirp_transforms(name):
    """A product of 40 terms: each element's sum is of float32, with as many roundings, and of float64 rounded once."""
    call, *points = CHIRPS[name]
    for dtype, roundings in ((np.float32, 43), (np.float64, 8)):
        x = X.astype(dtype)
        with xp.config(fallback="error"):
            found = np.asarray(call(ours, on_device(x, dtype)).to_device("cpu"))
        wanted = evaluated(x.astype(np.longdouble), *points)
        assert found.dtype == COMPLEX[dtype]
        assert np.linalg.norm(found - wanted) <= roundings * U[dtype] * np.linalg.norm(wanted)
        np.testing.assert_allclose(call(theirs, X), evaluated(X, *points), atol=1e-11)  # the reference is SciPy's transform


def test_long_chirps_are_convolutions():
    """Three transforms of 2048 points, of complex numbers along the first axis."""
    x = rng.standard_normal((1100, 1)) + 1j * rng.standard_normal((1100, 1))
    with xp.config(fallback="error"):
        found = np.asarray(ours.zoom_fft(on_device(x, np.float32), [0.5, 0.75], 20, fs=2, axis=0).to_device("cpu"))
    wanted = evaluated(x[:, 0].astype(np.complex64), (1, -ONE / 160), (1, 0.25), 20)[:, None]
    assert found.shape == wanted.shape
    assert np.linalg.norm(found - wanted) <= 16 * U[np.float32] * np.linalg.norm(wanted)


OTHERS = {
    "envelope": lambda s, x, z: s.envelope(x),
    "envelope, band": lambda s, x, z: s.envelope(x, (3, 9), n_out=30, squared=True, residual="all"),
    "envelope, around 0": lambda s, x, z: s.envelope(x, (-4, 5), n_out=50, residual="lowpass"),
    "envelope, complex": lambda s, x, z: s.envelope(z, (-8, -2), residual="all", axis=0),
    "envelope, without residual": lambda s, x, z: s.envelope(z, (None, 2), residual=None, axis=0),
    "hilbert2": lambda s, x, z: s.hilbert2(x),
    "hilbert2, longer": lambda s, x, z: s.hilbert2(x, (5, 44)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_envelopes_and_analytic_images(name):
    """Up to three transforms, each of up to 50 terms with u of a float32 sum."""
    call, z = OTHERS[name], (X + 1j * X[::-1])[0].reshape(20, 2)
    if not hasattr(theirs, "envelope") and name.startswith("envelope"):
        pytest.skip("this SciPy has no envelope")
    with xp.config(fallback="error"):
        found = np.asarray(call(ours, on_device(X, np.float32), on_device(z, np.float32)).to_device("cpu"))
    wanted = call(theirs, X.astype(np.float32).astype(float), z.astype(np.complex64).astype(complex))
    assert (found.shape, found.dtype.kind) == (wanted.shape, wanted.dtype.kind)
    assert np.linalg.norm(found - wanted) <= 20 * U[np.float32] * np.linalg.norm(wanted)


def test_what_is_left_to_scipy():
    x = on_device(X, np.float32)
    with pytest.raises(ValueError, match="n must be positive|Invalid number"):
        ours.czt(x, -1)
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="CZT defined for length 30"):
        ours.CZT(30)(x)
