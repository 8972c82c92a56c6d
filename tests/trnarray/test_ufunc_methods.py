"""Methods and attributes of ufuncs against NumPy's: reduce, accumulate, reduceat, outer, at."""

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray
from trnarray import Array

from .numpy_reference import LOW, compare, data, layouts, operands, same
from .test_numpy_namespace import NEWEST, refused

UFUNCS = {name: value for name in trnarray.__all__ if type(value := getattr(trnarray, name)) is trnarray.ufunc}
BINARY = sorted({ufunc.model.__name__ for ufunc in UFUNCS.values() if ufunc.nin == 2 and ufunc.signature is None})
METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")
ATTRIBUTES = ("nin", "nout", "nargs", "ntypes", "types", "identity", "signature")
SHAPES = ((0,), (7,), (3, 4), (2, 0, 3), (2, 3, 4))


CALLS = {
    "reduce": lambda f, xp, x: f.reduce(x),
    "reduce along another axis": lambda f, xp, x: f.reduce(x, axis=-1, keepdims=True),
    "accumulate": lambda f, xp, x: f.accumulate(x),
    "accumulate along another axis": lambda f, xp, x: f.accumulate(x, -1),
    "reduceat": lambda f, xp, x: f.reduceat(x, xp.asarray([0, 2, 1])),
    "outer": lambda f, xp, x: f.outer(x, xp.asarray([1, 2])),
}


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("call", CALLS)
def test_each_ufunc(call, name):
    for x in operands(shapes=((0,), (7,), (3, 4))):
        compare(lambda xp, x: CALLS[call](getattr(xp, name), xp, x), x)  # NumPy's also where the standard's function is another


KEYWORDS = {
    "all axes": lambda xp, x: xp.add.reduce(x, axis=None),
    "several axes": lambda xp, x: xp.maximum.reduce(x, axis=(0, -1), initial=2),
    "axes kept": lambda xp, x: xp.multiply.reduce(x, axis=(0, 1), keepdims=True),
    "no axes": lambda xp, x: xp.add.reduce(x, axis=()),
    "initial": lambda xp, x: xp.minimum.reduce(x, initial=-3),
    "no initial": lambda xp, x: xp.minimum.reduce(x, initial=None),
    "where": lambda xp, x: xp.add.reduce(x, where=x > 0),
    "where and initial": lambda xp, x: xp.maximum.reduce(x, axis=-1, where=xp.asarray([True, False, True, True])[: x.shape[-1]], initial=1),
    "where without identity": lambda xp, x: xp.maximum.reduce(x, where=x > 0),
    "dtype": lambda xp, x: (xp.add.reduce(x, dtype=np.float32), xp.add.accumulate(x, dtype="complex128")),
    "dtype of integers": lambda xp, x: xp.multiply.reduce(x, 0, np.int16),
    "dtype at slices": lambda xp, x: xp.add.reduceat(x, [1, 0], dtype=np.complex64),
    "out": lambda xp, x: xp.add.reduce(x, out=xp.ones(x.shape[1:], dtype=np.complex128)),
    "out in a tuple": lambda xp, x: xp.add.reduce(x, out=(xp.ones(x.shape[1:], dtype=np.complex128),)),
    "out of accumulate": lambda xp, x: xp.add.accumulate(x, -1, None, out=xp.ones(x.shape, dtype=np.complex128)),
    "out of reduceat": lambda xp, x: xp.add.reduceat(x, [0, 0], -1, None, xp.ones((*x.shape[:-1], 2), dtype=np.complex128)),
    "out of outer": lambda xp, x: xp.add.outer(x, 1, out=xp.ones(x.shape, dtype=np.complex128)),
    "out that is too small": lambda xp, x: xp.add.reduce(x, out=xp.ones(9)),
    "out of a dtype that it is not cast to": lambda xp, x: xp.add.reduce(x / 3, out=xp.ones(x.shape[1:], dtype=np.int8)),
    "outer with keywords": lambda xp, x: xp.add.outer(x, [1, 2], dtype=np.complex128, where=xp.asarray([True, True])),
    "outer of several results": lambda xp, x: xp.divmod.outer(x, [2, 3]),
    "slices backwards": lambda xp, x: xp.add.reduceat(x, [3, 0, 2], axis=-1),
    "slices out of bounds": lambda xp, x: xp.add.reduceat(x, [99]),
    "an axis that is not": lambda xp, x: xp.add.reduce(x, axis=5),
    "an axis twice": lambda xp, x: xp.add.reduce(x, axis=(0, 0)),
    "one operand": lambda xp, x: xp.negative.reduce(x),
    "subtract": lambda xp, x: xp.subtract.reduce(x, axis=(0, 1)),
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords(name):
    for x in operands(shapes=SHAPES):
        compare(KEYWORDS[name], x)


AT = {
    "indices": lambda xp, x: xp.add.at(x, [0, 0, 2], 1),
    "indices in an array": lambda xp, x: xp.multiply.at(x, xp.asarray([1, 0, 1]), xp.asarray([2, 1, 2])),
    "slices": lambda xp, x: xp.subtract.at(x, slice(None, 2), x[:2].copy()),
    "several dimensions": lambda xp, x: xp.add.at(x, ([0, 0], [1, 1]), 2),
    "a mask": lambda xp, x: xp.maximum.at(x, x < 1, 1),
    "one operand": lambda xp, x: xp.negative.at(x, [0, 0, 1]),
    "too few operands": lambda xp, x: xp.add.at(x, [0]),
    "too many operands": lambda xp, x: xp.negative.at(x, [0], 1),
    "out of bounds": lambda xp, x: xp.add.at(x, [99], 1),
    "a cast that is not safe": lambda xp, x: xp.add.at(x, [0], 1.5),
}


@pytest.mark.parametrize("name", AT)
def test_at_writes_what_numpy_writes(name):
    def case(xp, x):
        own = x.copy()
        assert AT[name](xp, own) is None
        return own

    for x in operands(shapes=((7,), (3, 4))):
        compare(case, x)
    for x in list(layouts(data((3, 4), np.dtype(np.int64)))):  # and into every layout
        want = x.copy()
        writable = x.flags.writeable
        if name == "indices" and writable:
            np.add.at(want, [0, 0, 2], 1)
            AT[name](trnarray, trnarray.asarray(x))
            np.testing.assert_array_equal(x, want)
        elif name == "indices":
            with pytest.raises(ValueError, match="read-only"):
                AT[name](trnarray, trnarray.asarray(x))


def test_functions_of_vectors_have_no_methods():
    with pytest.raises(RuntimeError, match="signature"):
        trnarray.matmul.reduce(trnarray.ones((2, 2)))


def test_out_is_the_very_object():
    x = trnarray.ones((2, 3))
    for out, call in (
        (trnarray.zeros(3), lambda out: trnarray.add.reduce(x, out=out)),
        (trnarray.zeros((2, 3)), lambda out: trnarray.add.accumulate(x, out=out)),
        (trnarray.zeros((1, 3)), lambda out: trnarray.add.reduceat(x, [0], out=out)),
        (trnarray.zeros((2, 3, 1)), lambda out: trnarray.add.outer(x, [1], out=out)),
        (trnarray.zeros(3, dtype=trnarray.bfloat16), lambda out: trnarray.add.reduce(x, out=out, dtype=trnarray.bfloat16)),
    ):
        assert call(out) is out
        assert float(out.reshape(-1)[0]) > 0


@pytest.mark.parametrize("name", sorted(UFUNCS))
def test_attributes(name):
    ours, theirs = UFUNCS[name], getattr(np, name)
    for attribute in ATTRIBUTES:
        got, want = getattr(ours, attribute), getattr(theirs, attribute)
        assert type(got) is type(want)
        assert got == want or got != got
    with pytest.raises(AttributeError, match="no_such"):
        _ = ours.no_such


@pytest.mark.skipif(not NEWEST, reason="older NumPy does not tell the signatures of methods")
@pytest.mark.parametrize("method", METHODS)
def test_signatures(method):
    theirs, ours = inspect.signature(getattr(np.add, method)), inspect.signature(getattr(trnarray.add, method))
    found = set(refused(theirs, ours))
    assert found <= {"**kwargs is not taken"}  # which NumPy writes for keepdims, initial and where
    if found:
        assert {"keepdims", "initial", "where"} <= set(ours.parameters)


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_low_precision_accumulates_in_float32(dtype):
    x = np.random.default_rng(3).uniform(0.5, 1.5, (50, 40)).astype(dtype)
    wide, ours = x.astype(np.float32), trnarray.asarray(x)
    for call in (
        lambda xp, x: xp.add.reduce(x),
        lambda xp, x: xp.add.reduce(x, axis=(0, 1)),
        lambda xp, x: xp.multiply.reduce(x, axis=-1, initial=0.5, where=x > 0.75),
        lambda xp, x: xp.hypot.reduce(x),
        lambda xp, x: xp.add.accumulate(x, axis=1),
        lambda xp, x: xp.multiply.accumulate(x),
        lambda xp, x: xp.add.reduceat(x, [0, 9, 30], axis=1),
        lambda xp, x: xp.multiply.outer(x[0], x[1]),
        lambda xp, x: xp.logaddexp.outer(x[0], 2),
    ):
        got, want = call(trnarray, ours), call(np, wide)
        assert type(got) is Array
        assert got.dtype == dtype
        np.testing.assert_array_equal(np.asarray(got).astype(np.float32), want.astype(dtype).astype(np.float32))


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_low_precision_is_written_to_once(dtype):
    x = trnarray.ones(2, dtype=dtype)
    trnarray.add.at(x, [0] * 1000, 1)  # one by one a bfloat16 would stay at 256
    assert x.tolist() == [trnarray.asarray(1001.0).astype(dtype).item(), 1]
    out = trnarray.zeros((), dtype=np.float32)
    trnarray.add.reduce(trnarray.ones(1001, dtype=dtype), out=out)
    assert float(out) == 1001
    assert trnarray.add.reduce(trnarray.ones(300, dtype=np.int8), dtype=dtype).dtype == dtype
    assert trnarray.logical_and.reduce(x).dtype == trnarray.greater.outer(x, x).dtype == bool


@given(st.lists(st.lists(st.integers(-99, 99), min_size=3, max_size=3), min_size=1, max_size=4), st.data())
def test_reductions_of_any_axes(rows, draw):
    x = np.asarray(rows)
    axis = draw.draw(st.sampled_from([None, 0, 1, -1, (0, 1), (1,), (-2, -1), ()]))
    keepdims = draw.draw(st.booleans())
    where = np.asarray(draw.draw(st.lists(st.booleans(), min_size=3, max_size=3)))
    initial = draw.draw(st.integers(-5, 5))
    for name in ("add", "multiply", "maximum", "minimum", "bitwise_xor", "gcd", "logical_or"):
        theirs = getattr(np, name).reduce(x, axis, keepdims=keepdims, initial=initial, where=where)
        ours = getattr(trnarray, name).reduce(trnarray.asarray(x), axis, keepdims=keepdims, initial=initial, where=trnarray.asarray(where))
        same(ours, theirs)
