"""One call made of NumPy and of trnarray, over dtypes, shapes and layouts: same results, same views, same errors."""

import itertools
import warnings

import ml_dtypes
import numpy as np

import trnarray
from trnarray import Array

PLAIN = tuple(np.dtype(t) for t in ("bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"))
BFLOAT16, FLOAT16 = np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16)
LOW = (BFLOAT16, FLOAT16)
UNIT_ROUNDOFF = {BFLOAT16: 2.0**-8, FLOAT16: 2.0**-11, np.dtype(np.float32): 2.0**-24}
SHAPES = ((), (0,), (1,), (7,), (3, 4), (2, 0, 3), (1, 4, 1), (2, 3, 4))
ERRORS = (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError)


def data(shape, dtype, seed=0):
    """Small numbers of both signs with repetitions, exact in every dtype."""
    rng = np.random.default_rng(seed)
    values = rng.integers(-4, 5, shape)
    if dtype.kind == "c":
        values = values + 1j * rng.integers(-4, 5, shape)
    return np.array(np.abs(values) if dtype.kind in "bu" else values).astype(dtype)


def layouts(x):
    """The same elements with other strides: Fortran order, reversed, every other one, axes swapped in memory, read-only."""
    yield x
    yield np.asfortranarray(x) if x.ndim > 1 else x.copy()
    if x.ndim:
        reverse = (slice(None, None, -1),) * x.ndim
        yield x[reverse].copy()[reverse]
        wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
        wide[..., ::2] = x
        yield wide[..., ::2]
        yield np.moveaxis(np.moveaxis(x, -1, 0).copy(), 0, -1)
    locked = x.copy()
    locked.flags.writeable = False
    yield locked


def operands(dtypes=PLAIN, shapes=SHAPES):
    """Arrays of every dtype, shape and layout."""
    for dtype, shape in itertools.product(dtypes, shapes):
        yield from layouts(data(shape, dtype))


def outcome(function, *args):
    """The result, or the exception."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args), None
        except ERRORS as error:
            return None, error


def compare(case, x, model=np):
    """Make the call on an ndarray and on an Array of the same memory; everything must agree."""
    ours = trnarray.asarray(x)
    want, refused = outcome(case, model, x)
    got, error = outcome(case, trnarray, ours)
    where = f"on {x!r} with strides {x.strides}"
    if refused is not None:
        family = next(e for e in ERRORS if isinstance(refused, e))
        assert isinstance(error, family), f"{where}: {got!r} or {error!r} where NumPy raises {refused!r}"
        return
    assert error is None, f"{where}: raises {error!r} where NumPy gives {want!r}"
    same(got, want, where, x)


def same(got, want, where="", memory=None):
    """Same containers, dtypes, shapes, values; views of the same memory where NumPy's results are."""
    if isinstance(want, (tuple, list)):
        assert isinstance(got, tuple) == isinstance(want, tuple), where
        assert getattr(got, "_fields", None) == getattr(want, "_fields", None), where
        assert len(got) == len(want), where
        for one, other in zip(got, want, strict=True):
            same(one, other, where, memory)
    elif isinstance(want, (np.ndarray, np.generic)):
        assert type(got) is Array, f"{where}: {got!r} is not an Array"
        assert (got.dtype, got.shape) == (want.dtype, want.shape), f"{where}: {got!r} where NumPy gives {want!r}"
        host = np.asarray(got)
        if want.dtype.num > 16:  # of which NumPy cannot tell whether they are NaN
            np.testing.assert_array_equal(host.astype(np.float32), want.astype(np.float32), err_msg=where)
        else:
            np.testing.assert_array_equal(host, want, err_msg=where, strict=True)
        if memory is not None and isinstance(want, np.ndarray):
            shared = np.shares_memory(want, memory)
            assert np.shares_memory(host, memory) == shared, f"{where}: view or copy, unlike NumPy"
            with warnings.catch_warnings():  # broadcast_arrays announces that it will give read-only arrays
                warnings.simplefilter("ignore", FutureWarning)
                assert not shared or (host.strides, host.flags.writeable) == (want.strides, want.flags.writeable), where
    else:
        assert type(got) is type(want), f"{where}: {got!r} where NumPy gives {want!r}"
        assert got == want, where


def bits(x):
    """The elements of a two-byte dtype as integers."""
    return x.view(np.uint16)


def compare_moves(case, dtypes=LOW, shapes=SHAPES):
    """Functions that only move elements: the bits of a low-precision array go where NumPy moves those of an integer array."""
    for x in operands(dtypes, shapes):
        want, refused = outcome(case, np, bits(x))
        got, error = outcome(case, trnarray, trnarray.asarray(x))
        if refused is not None:
            assert error is not None, f"NumPy raises {refused!r}, we give {got!r}"
            continue
        assert error is None, f"{x!r}: {error!r}"
        pairs = zip(got, want, strict=True) if isinstance(want, (tuple, list)) else ((got, want),)
        for one, other in pairs:
            assert one.dtype == x.dtype
            np.testing.assert_array_equal(bits(np.asarray(one)), other, strict=True)
