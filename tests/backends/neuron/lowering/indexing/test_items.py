"""Elements by position, read and written, beside the host's; what is out of bounds is told where a value is needed."""

import inspect

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.dtypes import canonical_dtype
from trnarray.backends.simulator.knobs import Knobs

from ..beside_host import DEVICE, assert_same, samples

DTYPES = [canonical_dtype(name) for name in ("float32", "bfloat16", "bool", "complex64", "uint8", "int64", "float64")]
AT = np.array([[2, -1, 0], [2, 2, -3]], np.int32)
MASK = np.array([True, False, True, True])


def written(change):
    """Make a function of what a change leaves behind."""

    def run(x, *others):
        x = xp.asarray(x, copy=True)
        change(x, *others)
        return x

    return run


KEYS = {
    "integers": lambda i, m: i,
    "behind a slice": lambda i, m: (slice(None), i),
    "two, adjacent": lambda i, m: (i, i[0]),
    "two, apart": lambda i, m: (i, slice(None, None, -1), i[0]),
    "with an integer, apart": lambda i, m: (0, slice(1, None), i),
    "with new axes": lambda i, m: (None, i, Ellipsis, None),
    "a mask": lambda i, m: m,
    "a mask and integers": lambda i, m: (m, i[0]),
    "a list": lambda i, m: ([0, 2, 0], slice(None), [1, -1, 0]),
    "a range": lambda i, m: (range(3, 0, -1), slice(None), range(3)),
    "a number of the device": lambda i, m: (i[0, 0], slice(None)),
    "True": lambda i, m: (slice(1), True),
    "nothing": lambda i, m: ([], 1),
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_reading_and_writing(dtype, key):
    x = samples((4, 4, 3), dtype)
    assert_same(lambda x, i, m: x[key(i, m)], x, AT, MASK, views=("transposed" if dtype == np.float32 else "contiguous",), wide=True)

    @written
    def one_number(x, i, m):
        x[key(i, m)] = x[1, 2, 0]

    assert_same(one_number, x, AT, MASK, wide=True)


def test_several_values_for_one_place():
    values = samples((2, 3, 3), np.dtype(np.float32), special=False)

    @written
    def last(x, i, v):
        x[:, i] = v

    for order in ("last", "seeded:7"):
        with simulator.options("trn2", knobs=Knobs(dma_duplicates=order)):
            assert_same(last, samples((2, 4, 3), np.dtype(np.float32)), AT, values)


def test_where_a_mask_holds():
    x = samples((4, 3), np.dtype(np.float32))
    for name, values in (("rows", samples((3, 3), np.dtype(np.float32))), ("a row", samples((3,), np.dtype(np.float32)))):
        assert_same(written(lambda x, m, v: x.__setitem__(m, v)), x, MASK, values), name
    wrong = xp.asarray(x, device=DEVICE)
    wrong[xp.asarray(MASK, device=DEVICE)] = xp.asarray(samples((2, 3), np.dtype(np.float32)), device=DEVICE)
    with pytest.raises(ValueError, match="2 values are assigned where a mask holds"):
        wrong.to_device("cpu")


def test_out_of_bounds_is_told_with_the_line_that_called():
    x = xp.arange(5, device=DEVICE)
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 5"):
        x[[0, 5]]  # known at once
    line = inspect.currentframe().f_lineno + 1
    found = x[xp.asarray([0, -6], device=DEVICE)]
    with pytest.raises(IndexError, match=rf"an index is out of bounds for axis 0 with size 5.*{__file__}:{line}"):
        found.to_device("cpu")
    with pytest.raises(IndexError, match="axis 0"):
        x[xp.asarray([2**32], device=DEVICE)].to_device("cpu")  # the low word of which is 0
    with pytest.raises(IndexError, match="boolean index did not match"):
        x[xp.asarray([True], device=DEVICE)]
    assert x.tolist() == [0, 1, 2, 3, 4]


def test_what_is_brought_to_the_host_is_counted():
    x = xp.arange(6, device=DEVICE)
    xp.reset_coverage()
    with xp.config(fallback="error"):
        assert x[x > 2].tolist() == [3, 4, 5]
    assert [(one.direction, one.nbytes) for one in xp.coverage().transfers] == [("to host", 6)]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_functions_of_positions(dtype):
    x, values, flags = samples((3, 4), dtype), samples((5,), dtype, 1), samples((3, 4), np.dtype(np.bool))
    along = np.array([[2, -1, 0, 1, 1], [0, 0, 0, -4, 3], [1, 2, 3, -2, -1]], np.int32)
    assert_same(lambda x, i: (xp.take(x, i, axis=1), xp.take(x, i), x[:, 1:].take(1, axis=0)), x, AT, wide=True)
    assert_same(lambda x, i: (xp.take(x, i, axis=0, mode="clip"), xp.take(x, i * 3, axis=1, mode="wrap")), x, AT, wide=True)
    assert_same(lambda x, i: (xp.take_along_axis(x, i, axis=1), xp.take_along_axis(x.T, i.T, axis=0)), x, along, wide=True)
    assert_same(lambda x, m: (xp.compress([True, False, True], x, axis=0), xp.extract(m, x), x[m]), x, flags, wide=True)
    assert_same(lambda x, i, v: xp.choose(xp.abs(i) % 2, [x[:2, :3], v[:3]]), x, AT, values, wide=True)
    assert_same(written(xp.put), x, AT, values, wide=True)
    assert_same(written(lambda x, i, v: xp.put_along_axis(x, i, v, 1)), x, along, values, wide=True)
    assert_same(written(xp.place), x, flags, values, wide=True)
    assert_same(written(xp.putmask), x, flags, values, wide=True)
    assert_same(written(xp.fill_diagonal), x, values, wide=True)
    assert_same(lambda x: [i.astype(xp.int32) for i in (*xp.nonzero(x), xp.argwhere(x), xp.flatnonzero(x))], x)


def test_positions_that_are_none():
    x = xp.zeros((2, 3), device=DEVICE)
    for call in (lambda i: xp.choose(i, [x, x]), lambda i: xp.unravel_index(i, (2, 1))[0]):
        with pytest.raises(ValueError, match="from 0 to 1"):
            call(xp.asarray([0, -1, 1], device=DEVICE)).to_device("cpu")
    with pytest.raises(IndexError, match="empty"):
        xp.take(x[:0], 0, axis=0)
    with pytest.raises(TypeError, match="positions are integers"):
        xp.take(x, xp.zeros(2, device=DEVICE))


@pytest.mark.parametrize("dtype", [canonical_dtype(name) for name in ("float32", "complex64", "int32", "uint8", "bool")], ids=str)
def test_ufuncs_at_positions(dtype):
    x, values = samples((4, 5), dtype, special=False), samples((4, 2, 3), dtype, 1, special=False)
    assert_same(written(lambda x, i, v: xp.add.at(x, (slice(None), i), v)), x, AT, values)  # small integers are summed exactly
    if dtype != np.bool:
        assert_same(written(lambda x, i, v: xp.subtract.at(x, (slice(None), i), v)), x, AT, values)
    if dtype.name in ("float32", "uint8"):
        assert_same(written(lambda x, i, v: xp.maximum.at(x, i[0], v[0, :, :1])), x.T, AT, values[:1, :1].repeat(3, 1).repeat(5, 2)[:, :3])


@pytest.mark.parametrize(
    ("dtype", "names"),
    [
        ("float64", ("subtract", "fmin")),
        ("complex128", ("add",)),
        ("int64", ("multiply", "minimum")),
        ("int16", ("multiply", "bitwise_or")),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_ufuncs_at_positions_by_segments(dtype, names):
    """11 numbers for 6 positions, combined in log2(11) = 4 steps and with the element: integers exactly."""
    dtype = canonical_dtype(dtype)
    x, values = samples((2, 6, 2), dtype, special=False), samples((2, 11, 2), dtype, 1, special=False)
    if dtype.kind in "fc":
        x, values = x / 3, values / 7
    at = np.random.default_rng(5).integers(-6, 6, 11).astype(np.int32)
    for name in names:
        want = x.copy()
        getattr(np, name).at(want, (slice(None), at), values)
        with xp.config(fallback="error"):
            got = xp.asarray(x, device=DEVICE)
            getattr(xp, name).at(got, (slice(None), xp.asarray(at, device=DEVICE)), xp.asarray(values, device=DEVICE))
            got = np.asarray(got.to_device("cpu"))
        if dtype.kind in "fc":
            sizes = np.abs(x) + np.abs(values).sum(1, keepdims=True)
            assert (np.abs(got - want) <= 16 * 2.0**-53 * sizes).all(), name  # 11 roundings of NumPy's, and 5 of ours
        else:
            assert got.tolist() == want.tolist(), name


@pytest.mark.parametrize(
    ("dtype", "wider", "name"), [("float32", "float64", "add"), ("int8", "int32", "multiply"), ("uint8", "int64", "subtract")]
)
def test_wider_numbers_are_combined_and_cast(dtype, wider, name):
    """Integers wrap as NumPy's do, one after the other; sums of floats are rounded once, where NumPy rounds each of 6."""
    at = np.array([0, 2, 2, 1, 0, 0], np.int32)
    want, values = np.array([1, 2, 3]).astype(dtype), (np.array([100, 2, 3, 40, 5, 61]) / (7 if wider == "float64" else 1)).astype(wider)
    got = xp.asarray(want, device=DEVICE)
    with xp.config(fallback="error"):
        getattr(xp, name).at(got, xp.asarray(at, device=DEVICE), xp.asarray(values, device=DEVICE))
    exact = want.astype(wider)
    getattr(np, name).at(exact, at, values)
    np.testing.assert_array_equal(np.asarray(got.to_device("cpu")), exact.astype(dtype))


def test_elements_without_numbers_are_combined_by_segments():
    """NaN and infinities reach their positions alone, and one value is combined with each."""
    x = xp.zeros(4, dtype="float64", device=DEVICE)
    with xp.config(fallback="error"):
        xp.add.at(x, xp.asarray([2, 0, 2, 1], device=DEVICE), xp.asarray([np.inf, np.nan, 1.0, 1.5], device=DEVICE, dtype="float64"))
        xp.add.at(x, xp.asarray([3, 3, 3, 3, 3], device=DEVICE), 0.1)
        xp.add.at(x, xp.asarray([], dtype="int32", device=DEVICE), 1.0)
    assert repr(x.tolist()) == repr([np.nan, 1.5, np.inf, 0.5])
    xp.add.at(x, xp.asarray([4, 4], device=DEVICE), 1.0)
    with pytest.raises(IndexError, match="out of bounds"):
        x.to_device("cpu")


def test_coordinates():
    at = np.array([[0, 119, 7], [55, 23, 1]], np.int32)
    for order in "CF":
        assert_same(lambda i, order=order: xp.unravel_index(i, (4, 5, 6), order), at)
        assert_same(lambda i, order=order: xp.ravel_multi_index((i % 4, i % 5, i), (4, 5, 6), ("raise", "wrap", "clip"), order), at)
    assert_same(lambda i: xp.ix_(i[0], [True, False, True]), at)


def test_a_gather_of_many_slices():
    x = samples((3, 300), np.dtype(np.complex64))
    counts = [int(count) for count in np.random.default_rng(0).integers(0, 3, 300)]
    assert_same(lambda x: xp.repeat(x, counts, axis=1), x)


def test_rows_of_a_row_are_numbers():
    x = samples((5,), np.dtype(np.float32))
    assert_same(xp.unstack, x)
    assert_same(lambda x: xp.unstack(x, axis=1), samples((2, 3), np.dtype(np.bool)))


@pytest.mark.parametrize("shape", [(3, 4), (0, 4)])
@pytest.mark.parametrize("key", [(..., [0, -1]), ([],), ([7],), (slice(0, 0),), ([False, False],)])
def test_nothing_is_written_to_what_is_read_only(shape, key):
    """Not even nothing, nor beyond its bounds."""
    for array in (np.zeros(shape, np.float32), xp.zeros(shape, dtype=xp.float32, device=DEVICE)):
        with pytest.raises(ValueError, match="read-only"):
            (xp if isinstance(array, xp.Array) else np).broadcast_to(array, (2, *shape))[key] = 1


@pytest.mark.parametrize("shape", [(3, 2), (3, 0, 3)])
@pytest.mark.parametrize("length", [(0,), (0, 2), (3, 0), (2, 0)])
@pytest.mark.parametrize("key", [lambda m: m, lambda m: (..., m), lambda m: (m, []), lambda m: ([0], m)])
def test_masks_of_no_elements(shape, length, key):
    """NumPy does not compare a length of 0 with that of the axis."""
    outcomes = []
    for module, device in ((np, "cpu"), (xp, DEVICE)):
        x = module.zeros(shape, dtype=module.float32, device=device)
        at = key(module.zeros(length, dtype=bool, device=device))
        try:
            outcomes.append(x[at].shape)
            x[at] = 1
        except IndexError:
            outcomes.append(IndexError)
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("key", [True, False, (True,), (True, ...), (True, True)], ids=str)
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2,)])
def test_masks_of_no_axes(shape, key):
    """Where the mask is the whole key, NumPy takes no rows above each other, not even one."""
    outcomes = []
    for module, device in ((np, "cpu"), (xp, DEVICE)):
        x = module.asarray(5, dtype=module.float32, device=device)
        try:
            x[key] = module.ones(shape, dtype=module.float32, device=device)
            outcomes.append(float(x))
        except (TypeError, ValueError) as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("key", [slice(1, None), slice(0, 0), (..., slice(1)), [0, 1], [True, False, True]])
@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (5,)])
def test_what_does_not_broadcast_is_not_written(key, shape):
    """Neither at the call nor later: the elements stay."""
    theirs = np.arange(12, dtype=np.float32).reshape(3, 4)
    given = np.ones(shape, np.float32)
    with pytest.raises(ValueError, match=r"broadcast|shape"):
        theirs[key] = given
    ours = xp.asarray(theirs, device=DEVICE)
    with pytest.raises(ValueError, match=r"broadcast|shape"):
        ours[key] = xp.asarray(given, device=DEVICE)
    np.testing.assert_array_equal(ours.to_device("cpu"), theirs)
