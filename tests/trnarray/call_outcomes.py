"""What a call gives, results or the kind of an error, and when one on Arrays agrees with one on ndarrays."""

import warnings

import numpy as np

import trnarray as xp

PLAIN = [np.dtype(code) for code in "?bBhHiIlLfdFD"]
ERRORS = (TypeError, ValueError, OverflowError, ZeroDivisionError)


def array(x):
    return xp.Array._wrap(x)


def outcome(call, *operands, **kwargs):
    """What a call gives: results, or the kind of error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = call(*operands, **kwargs)
        except ERRORS as error:
            return next(kind for kind in ERRORS if isinstance(error, kind))
    return result if isinstance(result, tuple) else (result,)


def agree(found, wanted):
    """Hold the outcome of a call on Arrays against NumPy's."""
    if not isinstance(wanted, tuple):
        assert found is wanted
        return
    assert isinstance(found, tuple)
    for one, want in zip(found, wanted, strict=True):
        assert type(one) is xp.Array
        assert isinstance(one._value, np.generic) == isinstance(want, (np.generic, bool))  # detached where NumPy gives a scalar
        assert (one.dtype, one.shape) == (want.dtype, want.shape)
        np.testing.assert_array_equal(one._value, want)
        if want.dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(one._value), np.signbit(want))
