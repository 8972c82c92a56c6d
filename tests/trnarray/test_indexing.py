"""Indexing, in get and set, against NumPy's: what is a view, what is a copy, what is detached, and which errors."""

import gc
import itertools
import operator
import threading
import warnings
import weakref

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray as xp
from trnarray.backends.coverage import coverage, reset_coverage

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
ERRORS = (IndexError, ValueError, TypeError)
SHAPES = st.sampled_from([(), (4,), (3, 4), (2, 3, 4), (3, 0), (1, 1, 5), (0,)])


def array(x):
    return xp.Array._wrap(x)


@st.composite
def keys(draw, shape):
    """A key, mostly of the right form: basic, advanced, boolean and mixed."""
    if draw(st.booleans()):
        return draw(hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    items = []
    broadcast = draw(st.sampled_from([(2,), (), (3, 1), (1,)]))
    axis = 0
    while axis < len(shape) and draw(st.integers(0, 5)):
        size = shape[axis]
        kind = draw(st.sampled_from(["integers", "list", "slice", "mask", "int", "new", "bool"]))
        if kind == "mask":
            count = draw(st.integers(1, len(shape) - axis))
            items.append(draw(hnp.arrays(bool, shape[axis : axis + count])))
            axis += count
            continue
        if kind in ("new", "bool"):
            items.append(None if kind == "new" else draw(st.booleans()))
            continue
        axis += 1
        # Now and then out of bounds.
        places = st.integers(-size, size - 1 + (draw(st.integers(0, 9)) == 0)) if size else st.just(0)
        if kind == "slice":
            items.append(draw(st.slices(size)))
        elif kind == "int":
            items.append(draw(places.flatmap(lambda i: st.sampled_from([i, np.int64(i), np.int8(i)]))))
        else:
            chosen = draw(hnp.arrays(draw(st.sampled_from([np.int64, np.int8])), broadcast, elements=places))
            items.append(chosen if kind == "integers" or chosen.ndim == 0 else chosen.tolist())
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), Ellipsis)
    return items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


def wrapped(key, choose):
    """The key with some of its arrays as Arrays."""
    if isinstance(key, tuple):
        return tuple(wrapped(item, choose) for item in key)
    return array(key) if isinstance(key, (np.ndarray, np.generic)) and choose() else key


def outcome(call, *operands):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(*operands)
        except ERRORS as error:
            return next(kind for kind in ERRORS if isinstance(error, kind))


def numbered(shape, dtype=np.int64):
    return np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape).copy()


@given(data=st.data())
@settings(max_examples=500)
def test_get(data):
    shape = data.draw(SHAPES)
    x = numbered(shape, data.draw(st.sampled_from([np.int64, np.float32, np.complex128, np.bool])))
    key = data.draw(keys(shape))
    ours = array(x)
    wanted = outcome(operator.getitem, x, key)
    for choose in (lambda: False, lambda: True, lambda: data.draw(st.booleans())):
        found = outcome(operator.getitem, ours, wrapped(key, choose))
        if isinstance(wanted, type):
            assert found is wanted
            continue
        assert type(found) is xp.Array
        assert type(found._value) is type(wanted)  # detached where NumPy gives a scalar
        assert found.dtype == wanted.dtype
        assert found.shape == wanted.shape
        np.testing.assert_array_equal(found._value, wanted)
        if isinstance(wanted, np.ndarray) and wanted.size:
            assert found.strides == wanted.strides
            assert np.shares_memory(found._value, x) == np.shares_memory(wanted, x)
            assert (found.base is ours) == np.shares_memory(wanted, x)


@given(data=st.data())
@settings(max_examples=500)
def test_set(data):
    shape = data.draw(SHAPES)
    dtype = data.draw(st.sampled_from([np.dtype(np.int64), np.dtype(np.float32), np.dtype(np.float16), BFLOAT16]))
    x = numbered(shape, dtype)
    key = data.draw(keys(shape))
    selected = outcome(operator.getitem, x, key)
    size = () if isinstance(selected, type) else np.shape(selected)
    values = data.draw(st.sampled_from([size, size[1:], (), (1,), (7,)])) if size else ()
    value = data.draw(
        st.one_of(
            st.integers(-9, 9),
            st.sampled_from([2.5, True, np.float64(-3), np.int8(4)]),
            st.just(-1 - numbered(values, np.int64)),
            st.just(-1 - numbered(values, np.float32)),
        )
    )
    theirs, ours = x.copy(), array(x.copy())
    # NumPy casts float64 to bfloat16 by way of float32, which is the same for these values.
    wanted = outcome(operator.setitem, theirs, key, value)
    for as_array in (False, True):
        ours = array(x.copy())
        given = array(value) if as_array and isinstance(value, (np.ndarray, np.generic)) else value
        found = outcome(operator.setitem, ours, wrapped(key, lambda: data.draw(st.booleans())), given)
        assert found is wanted
        np.testing.assert_array_equal(ours._value, theirs)


@given(data=st.data())
def test_views_write_through_and_copies_do_not(data):
    shape = data.draw(SHAPES)
    x = numbered(shape)
    key = data.draw(keys(shape))
    selected = outcome(operator.getitem, x, key)
    if not isinstance(selected, np.ndarray) or isinstance(selected, type):
        return
    ours = array(x.copy())
    view = ours[wrapped(key, lambda: True)]
    selected[...] = -1
    view[...] = -1
    np.testing.assert_array_equal(ours._value, x)
    ours += 5
    if np.shares_memory(selected, x):
        np.testing.assert_array_equal(view._value, ours._value[key])
    else:
        assert np.all(view._value == -1)


def test_full_integer_indexing_detaches():
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    item, view = x[0, 1], x[0, 1, ...]
    assert type(item._value) is np.float64
    assert (item.base, view.base) == (None, x)
    x[0, 1] = 9
    assert (float(item), float(view)) == (2, 9)
    item[...] = 7  # it has no memory to share, but it can be assigned to
    assert float(item) == 7
    item[()] = 8
    assert (float(item), float(x[0, 1])) == (8, 9)
    view[...] = 5
    assert float(x[0, 1]) == 5
    for key in (0, slice(None), [0], (0, 0), "a"):
        for operation in (lambda key: operator.getitem(item, key), lambda key: operator.setitem(item, key, 1)):
            with pytest.raises((IndexError, TypeError)):
                operation(key)
    assert float(item) == 8
    assert item[None].shape == item[..., None].shape == (1,)
    assert item[True].shape == (1,)
    assert item[False].shape == (0,)
    assert item[()].shape == item[...].shape == ()
    low = xp.asarray([1.0, 2.0], dtype=xp.bfloat16)[0]
    low[...] = 1 + 2**-8 + 2**-40
    assert (float(low), low.dtype) == (1 + 2**-7, BFLOAT16)
    counts = xp.asarray([1, 2])[0]
    with pytest.raises(ValueError, match="NaN"):
        counts[...] = float("nan")
    assert int(counts) == 1


def test_iteration():
    x = xp.asarray([[1, 2], [3, 4]])
    rows = list(x)
    assert [row.tolist() for row in rows] == [[1, 2], [3, 4]]
    assert all(row.base is x for row in rows)
    assert [type(item._value) for item in x[0]] == [np.int64, np.int64]
    a, b = x[0]
    a += 10
    assert (int(a), int(b), x.tolist()) == (11, 2, [[1, 2], [3, 4]])
    for row in x:
        row += 1
    assert x.tolist() == [[2, 3], [4, 5]]
    assert next(reversed(x)).tolist() == [4, 5]
    assert len(x) == 2
    for scalar in (x[0, 0], x[0, 0, ...]):
        with pytest.raises(TypeError, match="0-d"):
            iter(scalar)
        with pytest.raises(TypeError):
            len(scalar)


def test_membership():
    x = xp.asarray([1.0, 2.0, np.nan])
    assert 2 in x
    assert x[0] in x
    assert 3 not in x
    assert np.nan not in x
    assert [1.0, 5.0, 5.0] in x
    for other in ("a", None, object()):
        assert other not in x
    with pytest.raises(ValueError, match="broadcast"):
        [1, 2] in x  # noqa: B015


def test_arrays_inside_keys():
    x, places = xp.asarray(numbered((3, 4))), xp.asarray([0, 2])
    data = x._value
    for key, same in (
        ((places, 1), ([0, 2], 1)),
        ((places[0], slice(None)), (0, slice(None))),
        ([places[0], places[1]], [0, 2]),
        (([places[0], 2], [1, places[1]]), ([0, 2], [1, 2])),
        ((places, xp.asarray([1, 0])), ([0, 2], [1, 0])),
        ((x > 5), data > 5),
        ((slice(None), xp.asarray([True, False, True, False])), (slice(None), [True, False, True, False])),
        ((slice(places[0], places[1]),), (slice(0, 2),)),
        (slice(None, places[1], None), slice(0, 2)),
        ((xp.asarray(True), 0), (True, 0)),
        (xp.asarray([], dtype=xp.int64), np.array([], int)),
        (places[0], 0),
        (xp.asarray(2, dtype=xp.uint8)[...], 2),
    ):
        np.testing.assert_array_equal(x[key]._value, data[same])
        ours, theirs = x.copy(), data.copy()
        ours[key] = -1
        theirs[same] = -1
        np.testing.assert_array_equal(ours._value, theirs)


def test_errors():
    x = xp.asarray(numbered((3, 4)))
    data = x._value
    for key in (
        *(3, (0, 4), (0, 0, 0), 1.0, np.float64(1), "a", ("a", 0), [0.5], [[0, 1], [2]], (..., ...), 1j, object()),
        *(np.array([5]), np.array([1.0]), np.ones(4, bool), np.ones((3, 3), bool), slice(0.5), slice("a", None), (slice(None), [7])),
    ):
        wanted = outcome(operator.getitem, data, key)
        assert wanted in ERRORS, key
        assert outcome(operator.getitem, x, key) is wanted
        ours = wrapped(key, lambda: True)
        assert outcome(operator.getitem, x, ours) is wanted
        assert outcome(operator.setitem, x, ours, 1) is outcome(operator.setitem, data.copy(), key, 1)
    for value in (np.ones(5), [1, 2, 3], "a", None, object(), [[1, 2], [3]], 1j):
        wanted = outcome(operator.setitem, data.copy(), slice(None), value)
        assert outcome(operator.setitem, x, slice(None), value) is wanted
        assert outcome(operator.setitem, x, slice(None), array(value) if isinstance(value, np.ndarray) else value) is wanted
    np.testing.assert_array_equal(x._value, numbered((3, 4)))
    with pytest.raises(ValueError, match="delete"):
        del x[0]
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        x[0][1:] = 1


def test_foreign_arrays_are_no_keys_or_values():
    x = xp.asarray(numbered((3, 4)))
    for other in (np.ma.array([0, 1]), np.array([0, 1]).view(type("Sub", (np.ndarray,), {}))):
        for key in (other, (0, other), [other]):
            with pytest.raises(TypeError, match="foreign"):
                x[key]
            with pytest.raises(TypeError, match="foreign"):
                x[key] = 0
        with pytest.raises(TypeError, match="foreign"):
            x[0, :2] = other
    for other in (np.array([None, 1]), np.array(["a", "b"]), np.array([0, 1], np.longdouble)):
        with pytest.raises(TypeError, match="not supported"):
            x[0, :2] = other
    x[0, :2] = np.array([7, 8])
    assert x[np.array([0]), :2].tolist() == [[7, 8]]


def test_base_is_the_owner():
    x = xp.asarray(numbered((3, 4)))
    view = x[1:]
    assert view.base is x
    assert view[0].base is x  # and not the view between, as in NumPy
    assert view.T[::-1].base is x
    assert x[[0, 1]].base is None
    assert x[x > 3].base is None
    assert x[0, 0].base is None
    assert x.base is None


def test_copies_and_scalars_do_not_keep_their_source_alive():
    for key in ((0, 0), [0, 1], np.ones((3, 4), bool), (slice(None), [0, 2]), (None, [0, 1]), (slice(1, None), [[0], [1]])):
        x = array(numbered((3, 4)))
        alive = weakref.ref(x)
        part = x[key]
        del x
        gc.collect()
        assert alive() is None, key
        assert part is not None
    x = array(numbered((3, 4)))
    alive, view = weakref.ref(x), x[1:]
    del x
    assert view.base is alive()


@pytest.mark.parametrize("dtype", [xp.bfloat16, xp.float8_e4m3fn, xp.float16, xp.float8_e5m2], ids=lambda d: np.dtype(d).name)
def test_low_precision(dtype):
    x = xp.zeros((2, 3), dtype=dtype)
    view = x[:, 1:]
    view[0] = 1.5
    view[1, ::-1] = [2, 3]
    assert x.tolist() == [[0, 1.5, 1.5], [0, 3, 2]]
    x[x > 1.5] = -1
    assert x.tolist() == [[0, 1.5, 1.5], [0, -1, -1]]
    x[0, 0] = x[0, 1]
    x[1] = xp.asarray([1.0, 2.0, 3.0], dtype=xp.float32)
    x[..., 2] = xp.asarray([4, 5], dtype=xp.int64)
    assert x.tolist() == [[1.5, 1.5, 4], [1, 2, 5]]
    digits = {"bfloat16": 7, "float8_e4m3fn": 3, "float16": 10, "float8_e5m2": 2}[x.dtype.name]
    for value in (1 + 2.0 ** -(digits + 1) + 2.0**-40, np.float64(1 + 2.0 ** -(digits + 1) + 2.0**-40)):
        for form in (value, [value], xp.asarray([value]), np.array([value])):
            x[0, :1] = form
            assert float(x[0, 0]) == 1 + 2.0**-digits  # one rounding, not two
    with np.errstate(over="ignore"):  # of which NumPy warns for float16
        x[0, 0] = 10**30
    assert np.isfinite(float(x[0, 0])) == (x.dtype == BFLOAT16)
    with pytest.raises(TypeError):
        x[0, 0] = 1j
    wide = xp.zeros(2)
    wide[:] = x[1, :2]
    assert wide.tolist() == [1, 2]
    whole = xp.zeros(2, dtype=xp.int16)
    whole[:] = x[1, :2]
    assert whole.tolist() == [1, 2]


def test_conversion_to_python_scalars():
    for x, wanted in ((xp.asarray(3), 3), (xp.asarray([2.5])[0], 2.5), (xp.asarray(True), True), (xp.asarray(1.5, dtype=xp.bfloat16), 1.5)):
        for one in (x, x[()], x[...]):
            assert float(one) == wanted
            assert int(one) == int(wanted)
            assert complex(one) == wanted
            assert bool(one) is bool(wanted)
            assert f"{one}" == f"{wanted}"
            assert f"{one:.3f}" == f"{wanted:.3f}"
    assert operator.index(xp.asarray(3)) == operator.index(xp.asarray([3])[0]) == 3
    assert [10, 20, 30][xp.asarray(1)] == 20
    assert range(xp.asarray(3))[-1] == 2
    assert f"{xp.asarray(1 + 2j):.1f}" == "1.0+2.0j"
    for x in (xp.asarray(1.0), xp.asarray(True), xp.asarray([1]), xp.asarray(1j), xp.asarray(1, dtype=xp.bfloat16)):
        with pytest.raises(TypeError):
            operator.index(x)
    for x in (xp.asarray([1.0]), xp.asarray([[1]]), xp.asarray([])):
        for kind in (float, int, complex):
            with pytest.raises(TypeError, match="0-d"):
                kind(x)
    for x in (xp.asarray(1j), xp.asarray([1j])[0], xp.asarray(1 + 0j, dtype=xp.complex64)):
        for kind in (float, int):
            with pytest.raises(TypeError, match="complex"):
                kind(x)
    for dtype in (xp.float64, xp.bfloat16, xp.float16):
        with pytest.raises(ValueError, match="NaN"):
            int(xp.asarray(np.nan, dtype=dtype))
        with pytest.raises(OverflowError):
            int(xp.asarray(np.inf, dtype=dtype))
    for x in (xp.asarray([1, 2]), xp.asarray([])):
        with pytest.raises((ValueError, TypeError)):
            bool(x)
    assert bool(xp.asarray([1]))
    with pytest.raises(TypeError, match="shape"):
        f"{xp.asarray([1, 2]):.2f}"
    assert f"{xp.asarray([1, 2])}" == str(xp.asarray([1, 2]))


def test_every_call_counts_once():
    x, mask, low = xp.asarray(numbered((3, 4))), xp.asarray([True, False, True]), xp.zeros(3, dtype=xp.bfloat16)
    reset_coverage()
    x[0]
    x[1:, 2]
    x[mask]
    x[[0, 1]]
    low[1:]
    low[0][...]
    assert coverage().native == {"getitem": 7}
    reset_coverage()
    x[0] = 1
    x[mask] = 2
    x[0] = np.arange(4)
    low[0] = 1
    low[...] = [1, 2, 3]
    scalar = low._wrap(np.float64(1))
    scalar[...] = 2
    assert coverage().native == {"setitem": 6}
    reset_coverage()
    list(x)
    assert coverage().native == {"getitem": 3}


def test_threads_that_write_to_their_own_parts():
    x = xp.zeros((8, 1000))

    def fill(row):
        for column in range(1000):
            x[row, column] = x[row, column - 1] + 1 if column else row

    threads = [threading.Thread(target=fill, args=(row,)) for row in range(8)]
    reset_coverage()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(x._value, np.arange(1000.0) + np.arange(8.0)[:, None])
    assert coverage().native == {"getitem": 8 * 999, "setitem": 8000, "add": 8 * 999}


def test_all_pairs_of_simple_keys():
    """Every pair of items of every kind, which random keys seldom cover."""
    x = numbered((3, 3, 3))
    items = [
        0,
        -1,
        slice(None),
        slice(None, None, -2),
        None,
        ...,
        [0, 2],
        [[1], [0]],
        [True, False, True],
        True,
        np.array(1),
        np.array([], int),
    ]
    for first, second in itertools.product(items, repeat=2):
        for key in ((first, second), (slice(1, None), first, second), (first, slice(1, None), second)):
            wanted = outcome(operator.getitem, x, key)
            found = outcome(operator.getitem, array(x), wrapped(key, lambda: True))
            if isinstance(wanted, type):
                assert found is wanted, key
            else:
                assert found.shape == np.shape(wanted), key
                np.testing.assert_array_equal(found._value, wanted)
