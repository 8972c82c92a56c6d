"""Calls on a simulated NeuronCore beside the host engine's, with no fallback allowed."""

import warnings

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.dtypes import DTYPES, FLOAT8_E8M0FNU, KINDS

DEVICE = "sim:trn2"
U = 2.0**-24  # float32's unit roundoff
NATIVE = tuple(dtype for dtype in DTYPES if dtype.name not in ("int64", "uint64", "float64", "complex128", "float8_e3m4", "float8_e8m0fnu"))
WITH_ZERO = tuple(dtype for dtype in DTYPES if dtype != FLOAT8_E8M0FNU)
REAL = tuple(dtype for dtype in NATIVE if dtype.kind != "c")
INTEGERS = tuple(dtype for dtype in NATIVE if dtype.kind in "iu")
FLOATS = tuple(dtype for dtype in NATIVE if KINDS[dtype] == "real floating")
NARROW = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -2.5, 3.0]
VIEWS = {
    "contiguous": (lambda a: a, lambda x: x),
    "transposed": (lambda a: a.T, lambda x: x.T),
    "reversed": (lambda a: a[(slice(None, None, -1),) * a.ndim], lambda x: x[(slice(None, None, -1),) * x.ndim]),
    "strided": (lambda a: np.repeat(a, 2, axis=-1) if a.ndim else a, lambda x: x[..., ::2]),
}


def samples(shape, dtype, seed=0, special=True):
    """Draw numbers that the dtype holds exactly, with some of what floats have besides."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0 if KINDS[dtype] == "unsigned integer" else -9, 10, shape)
    if dtype == FLOAT8_E8M0FNU:
        return np.asarray(np.exp2(numbers), np.float32).astype(dtype)
    if dtype.kind == "c":
        numbers = numbers + 1j * rng.integers(-9, 10, shape)
    result = np.asarray(numbers).astype(dtype)
    if special and "floating" in KINDS[dtype] and result.size > len(SPECIAL):
        places = rng.permutation(result.size)[: len(SPECIAL)]
        with np.errstate(all="ignore"):
            result.reshape(-1)[places] = np.asarray(SPECIAL, np.float32).astype(dtype)
    return result


def place(array, device, view="contiguous"):
    """Bring an array to a device, and see it through a view."""
    parent, look = VIEWS[view]
    return look(xp.asarray(np.ascontiguousarray(parent(array)).reshape(parent(array).shape), device=device))


def assert_refused_alike(theirs, ours, errors):
    """Check that two calls raise errors of one type, the second with a sentence of its own, and no fallback allowed."""
    with pytest.raises(errors) as wanted:
        theirs()
    with xp.config(fallback="error"), pytest.raises(wanted.type, match=r"\w+( \S+)+") as found:
        ours()
    assert not isinstance(found.value, xp.FallbackError)


def fetch(result):
    if isinstance(result, (tuple, list)):
        return [part for item in result for part in fetch(item)]
    return [np.asarray(result.to_device("cpu")) if isinstance(result, xp.Array) else np.asarray(result)]


def run(call, *arrays, views=(), wide=False, device=DEVICE):
    """
    Give what a call makes of arrays on the device, and on the host.

    The host's 64-bit results are narrowed to the device's default dtypes, unless an operand is of 64 bits, or `wide` says that the call
    asks for them.
    """
    views = (*views, *("contiguous",) * (len(arrays) - len(views)))
    with xp.config(fallback="error"), xp.default_device(device):
        got = fetch(call(*(place(array, device, view) for array, view in zip(arrays, views, strict=True))))
    with xp.default_device("cpu"), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of means of nothing
        want = fetch(call(*(place(array, "cpu", view) for array, view in zip(arrays, views, strict=True))))
    wide = wide or any(array.dtype.name in NARROW for array in arrays)
    assert len(got) == len(want)
    for mine, theirs in zip(got, want, strict=True):
        expected = theirs.dtype if wide else np.dtype(NARROW.get(theirs.dtype.name, theirs.dtype))
        assert (mine.dtype, mine.shape) == (expected, theirs.shape)
    return got, [theirs if wide else theirs.astype(NARROW.get(theirs.dtype.name, theirs.dtype)) for theirs in want]


def parts(array):
    """Take floats apart into what can be compared exactly: numbers, and the signs of all that is not NaN."""
    if array.dtype.kind == "c":
        return [part for half in (array.real, array.imag) for part in parts(half)]
    if array.dtype.kind in "biu":
        return [array]
    wide = array.astype(np.float64)
    return [np.where(np.isnan(wide), 0, wide), np.isnan(wide), np.signbit(wide) & ~np.isnan(wide)]


def assert_same(call, *arrays, **options):
    """Compare bit for bit, payloads of NaN aside; options are those of `run`."""
    for mine, theirs in zip(*run(call, *arrays, **options), strict=True):
        for one, other in zip(parts(mine), parts(theirs), strict=True):
            np.testing.assert_array_equal(one, other)


def assert_near(call, bound, *arrays, views=()):
    """Compare within a bound: an array, or a number."""
    (mine,), (theirs,) = run(call, *arrays, views=views)
    double = np.complex128 if mine.dtype.kind == "c" else np.float64
    mine, theirs = mine.astype(double), theirs.astype(double)
    finite = np.isfinite(theirs)
    np.testing.assert_array_equal(np.isfinite(mine), finite)
    assert np.all(np.abs(mine - theirs)[finite] <= np.broadcast_to(bound, theirs.shape)[finite])
