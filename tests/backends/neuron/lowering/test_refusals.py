"""What NumPy refuses and what it lets pass, at the edges of what functions take: results of the same values, errors of the same types."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import DEVICE


def put(m, a):
    x = a([1, 2, 3], "f4")
    m.put(x, [1.5], 7)
    return x


CALLS = {
    "a number as position": lambda m, a: m.take(a([1, 2, 3], "f4"), 1.5),
    "numbers as positions": lambda m, a: m.take(a([1, 2, 3], "f4"), [[0.2], [1.9]]),
    "an array of numbers as positions": lambda m, a: m.take(a([1, 2, 3], "f4"), a([1.0], "f4")),
    "no number as position": lambda m, a: m.take(a([1, 2, 3], "f4"), float("nan")),
    "a number to put to": put,
    "bits of numbers": lambda m, a: m.packbits(a(2.5, "f4"), axis=3),
    "bits of what is no byte": lambda m, a: m.unpackbits(a([2, 5], "i4"), axis=3),
    "differences of bools, long first": lambda m, a: m.gradient(a(np.ones((2, 1)), "?")),
    "differences of bools, short first": lambda m, a: m.gradient(a(np.ones((1, 2)), "?")),
    "the mean along no axis": lambda m, a: m.mean(a(2, "f4"), axis=0),
    "the mean of some along no axis": lambda m, a: m.mean(a(2, "f4"), axis=0, where=a(True, "?")),
    "the mean of none": lambda m, a: m.isnan(m.mean(a([1, 2], "f4"), where=False)),
    "the deviation of all": lambda m, a: m.std(a([1, 3], "f4"), where=np.True_),
    "the mean of all or none": lambda m, a: m.mean(a([[1, 3]], "f4"), axis=1, where=a(True, "?")),
    "the variance along an axis of none": lambda m, a: m.isnan(m.var(a([[1, 3]], "f4"), axis=0, where=False)),
    "the sum of nothing from nothing": lambda m, a: m.sum(a(np.ones((0, 2)), "f4"), axis=0, initial=None),
    "the largest of nothing from nothing": lambda m, a: m.max(a(np.ones((0, 2)), "f4"), axis=0, initial=None),
    "the sum from nothing": lambda m, a: m.sum(a(np.ones((0, 2)), "f4"), axis=1, initial=None),
    "a list of axes": lambda m, a: m.sum(a([[1, 3]], "f4"), axis=[0]),
    "axes of the largest": lambda m, a: m.argmax(a([[1, 3]], "f4"), axis=(0, 1)),
    "decimals that are no integer": lambda m, a: m.round(a([1.25], "f4"), 1.5),
    "a power of bools": lambda m, a: m.power(a([True, False], "?"), True),
    "a negative power of bools": lambda m, a: m.power(a([True, False], "?"), -1),
    "a negative power": lambda m, a: a([3, 2], "i4") ** -2,
    "a negative power of nothing": lambda m, a: a([], "i4") ** -2,
    "a negative power beyond the dtype": lambda m, a: a([3, 2], "u1") ** -1,
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of means of nothing
@pytest.mark.parametrize("name", CALLS)
def test_as_numpy(name):
    with xp.config(fallback="error"):
        found = outcome(lambda: CALLS[name](xp, lambda x, dtype: xp.asarray(x, dtype=dtype, device=DEVICE)))
    assert found == outcome(lambda: CALLS[name](np, np.asarray))


def outcome(call):
    try:
        return call().tolist()
    except (TypeError, ValueError, OverflowError) as error:
        return next(kind for kind in (TypeError, ValueError, OverflowError) if isinstance(error, kind))
