"""Creation: values, dtypes, shapes, layouts and aliasing as NumPy has them, rounded once."""

import array
import ctypes
import enum
import inspect
import itertools
import mmap
import tempfile
from collections import UserList, deque
from fractions import Fraction
from typing import NamedTuple

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.device import CPU, Device
from trnarray.backends.dtypes import DTYPES, FLOAT8_E8M0FNU
from trnarray.backends.engine import _ENGINES
from trnarray.backends.host.engine import HostEngine

PLAIN = [dtype for dtype in DTYPES if dtype.num < 16]
SIM = Device("sim:trn2")


@pytest.fixture
def second_device(monkeypatch):
    """A second device that computes: the host engine under another name."""
    monkeypatch.setitem(_ENGINES, SIM, HostEngine())
    return SIM


def same(ours, theirs, *, layout=True):
    """Equal to NumPy's result in value, shape, dtype and memory layout."""
    assert type(ours) is xp.Array
    result = np.asarray(ours._data)
    assert (result.dtype, result.shape) == (theirs.dtype, theirs.shape)
    np.testing.assert_array_equal(result, theirs)
    if layout and theirs.size:  # the stride of an axis of length 1 has no meaning
        strides = [[step for step, side in zip(x.strides, x.shape, strict=True) if side > 1] for x in (result, theirs)]
        assert strides[0] == strides[1]


def nearest(value, dtype):
    """The number of a dtype that is nearest to a float64, ties to even: an independent rounding, by exact fractions."""
    grid = np.arange(2 ** (8 * dtype.itemsize - 1), dtype=f"u{dtype.itemsize}").view(dtype)  # the non-negative ones
    with np.errstate(invalid="ignore"):
        grid = grid.astype(np.float64)
    grid = grid[np.isfinite(grid)]
    place = int(np.clip(np.searchsorted(grid, abs(value)), 1, len(grid) - 1))
    best = min((place - 1, place), key=lambda i: (abs(Fraction(float(grid[i])) - abs(Fraction(value))), i % 2))
    return float(np.copysign(grid[best], value))


# Shape and value


@pytest.mark.parametrize("dtype", [None, *PLAIN, "float16", xp.bfloat16, xp.float8_e4m3, float, ">i4"], ids=str)
def test_shape_and_value(dtype):
    native = np.dtype(dtype).newbyteorder("=")
    for shape, order in itertools.product(
        (0, 3, (), (2,), (2, 3), [2, 0, 3], np.int8(4), (np.int64(2), np.uint8(1)), np.array([2, 3]), np.array(3)), "CF"
    ):
        same(xp.zeros(shape, dtype, order), np.zeros(shape, native, order))
        same(xp.ones(shape, dtype, order), np.ones(shape, native, order))
        empty, expected = xp.empty(shape, dtype, order), np.empty(shape, native, order)
        assert (empty.shape, empty.dtype, empty.strides) == (expected.shape, expected.dtype, expected.strides)
        assert empty.flags.writeable
        assert empty.device is CPU


def test_shapes_may_hold_arrays():
    n = xp.asarray([2, 3])
    assert xp.zeros((n[0], n[1])).shape == (2, 3)
    assert xp.zeros(n).shape == (2, 3)
    assert xp.zeros(n[0]).shape == (2,)


@pytest.mark.parametrize("order", ["K", "A", "C", "F"])
@pytest.mark.parametrize("dtype", [None, "int8", "bfloat16"])
@pytest.mark.parametrize("shape", [None, 4, (3, 2)])
def test_like(order, dtype, shape):
    for prototype in (np.ones((2, 3), "f4"), np.ones((2, 3), "i8", order="F"), np.ones((3, 2)).T[::-1], np.float32(2)):
        for name in ("zeros_like", "ones_like", "empty_like"):
            theirs = getattr(np, name)(prototype, dtype=dtype, order=order, shape=shape)
            ours = getattr(xp, name)(xp.asarray(prototype), dtype=dtype, order=order, shape=shape)
            if name == "empty_like":
                assert (ours.dtype, ours.shape, ours.strides) == (theirs.dtype, theirs.shape, theirs.strides)
            else:
                same(ours, theirs)
        same(
            xp.full_like(xp.asarray(prototype), 3, dtype=dtype, order=order, shape=shape),
            np.full_like(prototype, 3, dtype=dtype, order=order, shape=shape),
        )


def test_like_a_list():
    same(xp.zeros_like([1, 2]), np.zeros_like([1, 2]))
    same(xp.full_like([1, 2], 1.5), np.full_like([1, 2], 1.5))


@pytest.mark.parametrize(
    "value", [True, 3, -1, 2.5, 1j, 2**63, np.float32(1.5), np.uint8(200), np.array(2.0), [1, 2, 3], np.ones((2, 1), "f4")]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_full(value, order):
    same(xp.full((2, 3), value, order=order), np.full((2, 3), value, order=order))


def test_full_rounds_once():
    just_above_a_midpoint = 1 + 2**-8 + 2**-40  # float32, where ml_dtypes stops on its way, has it on the midpoint
    for dtype in (xp.bfloat16, xp.float16, xp.float8_e4m3):
        expected = nearest(just_above_a_midpoint, np.dtype(dtype))
        assert float(xp.full(2, just_above_a_midpoint, dtype=dtype)[1]) == expected
        assert float(xp.full_like(xp.ones(2, dtype=dtype), just_above_a_midpoint)[1]) == expected


@given(n=st.integers(0, 5), m=st.none() | st.integers(0, 5), k=st.integers(-7, 7) | st.just(10**30), dtype=st.sampled_from(PLAIN))
def test_eye_and_tri(n, m, k, dtype):
    same(xp.eye(n, m, k, dtype=dtype), np.eye(n, m, max(min(k, 9), -9), dtype=dtype))
    if abs(k) < 9:
        same(xp.tri(n, m, k, dtype=dtype), np.tri(n, m, k, dtype=dtype))
        same(xp.eye(n, m, k, dtype="float16"), np.eye(n, m, k, dtype="float16"))
    same(xp.identity(n, dtype), np.identity(n, dtype))


def test_a_dtype_without_zero():
    for make in (xp.zeros, xp.eye, xp.tri, lambda n, dtype: xp.zeros_like(xp.ones(n), dtype=dtype)):
        with pytest.raises(TypeError, match="no zero"):
            make(2, dtype=FLOAT8_E8M0FNU)
    with pytest.raises(TypeError, match="no zero"):
        xp.tril(xp.ones((2, 2), dtype=FLOAT8_E8M0FNU))
    assert float(xp.ones(1, dtype=FLOAT8_E8M0FNU)[0]) == 1


# Existing data: scalars and sequences

numbers = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.complex_numbers()
numpy_scalars = st.sampled_from(PLAIN).flatmap(lambda dtype: st.integers(0, 1).map(dtype.type))


@given(st.lists(st.one_of(numbers, numpy_scalars), max_size=5), st.integers(0, 2))
def test_sequences(items, depth):
    theirs = np.array(items)
    for _ in range(depth):
        items = [items, tuple(items)]
        theirs = np.array([theirs, theirs])
    same(xp.asarray(items), theirs)


@given(st.sampled_from(PLAIN), st.lists(st.booleans() | st.integers(0, 127), min_size=1, max_size=4), st.sampled_from("CFAK"))
def test_sequences_of_a_dtype(dtype, items, order):
    same(xp.asarray([items, items], dtype, order), np.asarray([items, items], dtype, order))
    same(xp.array([items, items], dtype, order=order), np.array([items, items], dtype, order=order))


@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES), st.booleans())
def test_sequences_of_arrays(first, second, wrapped):
    rows = [np.ones(2, first), np.ones(2, second)]
    ours = xp.asarray([xp.asarray(row) if wrapped else row for row in rows])
    assert ours.dtype == xp.result_type(first, second)
    np.testing.assert_array_equal(np.asarray(ours._data, "c16"), np.ones((2, 2)))
    scalars = xp.asarray((xp.asarray(rows[0])[0], xp.asarray(rows[1])[1], rows[1][1]))
    assert (scalars.dtype, scalars.shape) == (ours.dtype, (3,))


def test_shapes_of_sequences():
    x = xp.asarray(np.arange(6.0).reshape(2, 3))
    same(xp.asarray([x, x]), np.array([np.asarray(x._data)] * 2))
    same(xp.asarray(list(x)), np.arange(6.0).reshape(2, 3))
    same(xp.asarray([bytearray(b"ab"), [1, 2]]), np.array([[97, 98], [1, 2]]))
    same(xp.asarray([[x[0], [1, 2, 3]], [range(3), (4, 5, x[1, 2])]]), np.array([[[0, 1, 2], [1, 2, 3]], [[0, 1, 2], [4, 5, 5]]], float))
    for empty in ([], (), [[]], [[], []], [[[]], [[]]]):
        same(xp.asarray(empty), np.asarray(empty))
    same(xp.asarray([x[0, :0], []]), np.zeros((2, 0)))


def test_sequence_types():
    class Point(NamedTuple):
        x: int
        y: float

    class Level(enum.IntEnum):
        LOW = 1
        HIGH = 5

    class Celsius(float):
        pass

    same(xp.asarray(range(2, 9, 3)), np.asarray(range(2, 9, 3)))
    same(xp.asarray(Point(1, 2.0)), np.array([1, 2.0]))
    same(xp.asarray(deque([1, 2])), np.array([1, 2]))
    same(xp.asarray(UserList([1, [2][0]])), np.array([1, 2]))
    same(xp.asarray(Level.HIGH), np.array(5))
    same(xp.asarray([Level.LOW, Level.HIGH]), np.array([1, 5]))
    same(xp.asarray([Celsius(1.5), 2]), np.array([1.5, 2]))
    same(xp.asarray(Celsius(1.5)), np.array(1.5))


def test_large_integers():
    same(xp.asarray(2**63), np.array(2**63, np.uint64))
    same(xp.asarray([2**64 - 1, 0]), np.array([2**64 - 1, 0], np.uint64))
    same(xp.asarray([2**64 - 1], dtype=xp.float32), np.array([2.0**64], np.float32))
    same(xp.asarray([10**30, 1], dtype=xp.float64), np.array([1e30, 1]))
    for items in (2**64, -(2**63) - 1, [2**63, -1], [2**64]):
        with pytest.raises(OverflowError):
            xp.asarray(items)


@given(st.integers(-(2**63), 2**64 - 1), st.sampled_from([xp.float32, xp.float16, xp.bfloat16]))
def test_integers_round_once(value, dtype):
    with np.errstate(over="ignore"):
        ours = float(xp.asarray([value], dtype=dtype)[0])
    if dtype is xp.float32:
        below = np.float32(np.nextafter(np.float32(value), np.float32(-np.inf)))
        above = np.float32(np.nextafter(np.float32(value), np.float32(np.inf)))
        errors = [abs(int(x) - value) for x in (below, ours, above)]
        assert min(errors) == errors[1]
    elif np.isfinite(ours):
        spacing = 2.0 ** (max(abs(value), 1).bit_length() - (8 if dtype is xp.bfloat16 else 11))
        assert abs(Fraction(ours) - value) <= Fraction(spacing) / 2
    else:
        assert abs(value) >= 65520


@given(st.floats(-1e5, 1e5), st.sampled_from([xp.bfloat16, xp.float8_e4m3, xp.float8_e5m2]))
def test_floats_round_once(value, dtype):
    limit = float(xp.finfo(dtype).max)
    value = max(min(value, limit), -limit)
    expected = nearest(value, np.dtype(dtype))
    assert float(xp.asarray(value, dtype=dtype)[()]) == expected
    assert float(xp.asarray([value, 0.0], dtype=dtype)[0]) == expected
    assert float(xp.asarray(np.array([value]), dtype=dtype)[0]) == expected


# Existing data: arrays and buffers


def test_asarray_gives_the_same_array():
    x = xp.ones((2, 3), dtype=xp.float32)
    for y in (
        xp.asarray(x),
        xp.asanyarray(x),
        xp.asarray(x, xp.float32),
        xp.asarray(x, "f4", "C", device="cpu", copy=False),
        xp.ascontiguousarray(x),
        xp.require(x, xp.float32, "CWAO"),
        xp.array(x, copy=None),
        xp.astype(x, xp.float32, copy=False),
    ):
        assert y is x
    detached = x[0, 0]
    assert xp.asarray(detached, copy=False) is detached
    for copy in (None, True):  # as NumPy's asarray of a scalar
        copied = xp.asarray(detached, copy=copy)
        kept = copied
        copied *= 5
        copied[...] += 1
        assert (float(detached), float(kept)) == (1, 6)


def test_asarray_aliases_what_has_memory():
    a = np.zeros(4)
    x = xp.asarray(a)
    x[1] = 5.0
    a[2] = 7.0
    assert a.tolist() == x.tolist() == [0, 5, 7, 0]
    strided = np.arange(12.0).reshape(3, 4).T[::-1]
    same(xp.asarray(strided), strided)
    assert np.shares_memory(xp.asarray(strided)._data, strided)
    for buffer in (bytearray(8), array.array("d", [1.0, 2.0]), (ctypes.c_int * 3)(1, 2, 3), mmap.mmap(-1, 16), memoryview(bytearray(4))):
        theirs = np.asarray(buffer)
        same(xp.asarray(buffer), theirs)
        same(xp.asarray(buffer, copy=False), theirs)
        xp.asarray(buffer)[0] = 9
        assert theirs[0] == 9
        xp.asarray(buffer, copy=True)[0] = 8
        assert theirs[0] == 9


def test_read_only_buffers_stay_read_only():
    locked = np.zeros(3)
    locked.flags.writeable = False
    for x in (xp.asarray(locked), xp.asarray(memoryview(b"abc")), xp.frombuffer(b"abcd", dtype=xp.uint16)):
        assert not x.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 1
        assert xp.asarray(x, copy=True).flags.writeable
    assert xp.require(xp.asarray(locked), requirements="W").flags.writeable


@pytest.mark.parametrize("copy", [None, True])
def test_big_endian_data_is_copied(copy):
    a = np.arange(6, dtype=">i4").reshape(2, 3)[:, ::-1]
    x = xp.asarray(a, copy=copy)
    assert x.dtype == np.dtype("int32")
    assert x.dtype.isnative
    assert x.tolist() == a.tolist()
    assert not np.shares_memory(x._data, a)
    assert xp.asarray([a, a]).tolist() == [a.tolist()] * 2
    assert xp.frombuffer(a.tobytes(), dtype=">i4").tolist() == a.ravel().tolist()


@pytest.mark.parametrize("order", [None, "C", "F", "A", "K"])
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("dtype", [None, "float64", "float32"])
def test_copies_and_layouts(order, copy, dtype):
    for a in (np.ones((2, 3)), np.ones((2, 3), order="F"), np.ones((3, 4))[:, ::2], np.ones(()), np.ones(3)[::-1]):
        for x in (a, xp.asarray(a)):
            try:
                theirs = np.array(a, dtype, copy=copy, order=order or "K")
            except ValueError:
                with pytest.raises(ValueError, match="copy=False"):
                    xp.asarray(x, dtype, order, copy=copy)
                continue
            for ours in (xp.asarray(x, dtype, order, copy=copy), xp.array(x, dtype, copy=copy, order=order)):
                same(ours, theirs)
                assert np.shares_memory(ours._data, a) == np.shares_memory(theirs, a)


@pytest.mark.parametrize("source", DTYPES, ids=str)
@pytest.mark.parametrize("target", DTYPES, ids=str)
def test_conversions(source, target):
    values = [1, 2, 0.5, 4] if source.kind not in "bui" else [1, 1, 0 if target != FLOAT8_E8M0FNU else 1, 1]
    a = np.array(values).astype(source)
    if source.kind == "c" and target.kind not in "cb":
        for convert in (xp.asarray, lambda x, dtype: xp.astype(xp.asarray(x), dtype)):
            with pytest.raises(TypeError, match="real"):
                convert(a, target)
        return
    expected = a.astype("c16").astype(bool) if target.kind == "b" else a.astype("c16").real.astype("f8")
    if target.kind in "iu":
        expected = np.trunc(expected)
    for x in (xp.asarray(a, target), xp.astype(xp.asarray(a), target), xp.asarray([a], target)[0], xp.asarray(list(a), target)):
        assert x.dtype == target
        np.testing.assert_array_equal(np.asarray(x._data).astype("c16"), expected)


def test_array():
    a = np.ones((2, 3), order="F")
    same(xp.array(a), np.array(a))
    assert not np.shares_memory(xp.array(a)._data, a)
    for ndmin in range(5):
        same(xp.array(a, ndmin=ndmin), np.array(a, ndmin=ndmin))
    with pytest.raises(ValueError, match="ndmax"):
        xp.array([[1]], ndmax=1)
    assert xp.array([1], ndmax=1).shape == (1,)
    for bad in (65, -1):
        with pytest.raises(ValueError, match="ndmin"):
            xp.array([1], ndmin=bad)


def test_contiguous():
    for a in (np.ones((2, 3)), np.ones((2, 3)).T, np.ones((4, 6))[::2, ::-3], np.array(3.0)):
        same(xp.ascontiguousarray(a, "f4"), np.ascontiguousarray(a, "f4"))
        same(xp.ascontiguousarray(a), np.ascontiguousarray(a))
        same(xp.asfortranarray(xp.asarray(a)), np.asfortranarray(a))
        same(xp.copy(xp.asarray(a)), np.copy(a))
        same(xp.copy(a, order="F"), np.copy(a, order="F"))
        for requirements in (None, "C", "F", ["F", "W"]):
            same(xp.require(a, "f4", requirements), np.require(a, "f4", requirements))


def test_chkfinite():
    same(xp.asarray_chkfinite([1, 2]), np.asarray([1, 2]))
    for bad in (np.inf, np.nan, -np.inf):
        with pytest.raises(ValueError, match="NaN"):
            xp.asarray_chkfinite([1, bad])


def test_external_data():
    data = np.arange(6, dtype="<i2").tobytes()
    same(xp.frombuffer(data, xp.int16), np.frombuffer(data, np.int16))
    same(xp.frombuffer(data, "<i2", 2, 4), np.frombuffer(data, "<i2", 2, 4))
    same(xp.frombuffer(np.ones(3, ml_dtypes.bfloat16).tobytes(), "bfloat16"), np.ones(3, ml_dtypes.bfloat16))
    same(xp.fromiter((i / 2 for i in range(5)), float), np.arange(5) / 2)
    same(xp.fromiter(iter(xp.arange(5)), xp.int8, 3), np.arange(3, dtype="i1"))
    same(xp.fromiter([1 + 2**-8 + 2**-40], "bfloat16"), np.array([1 + 2**-7], ml_dtypes.bfloat16))
    same(xp.fromstring("1 2  3", dtype=int, sep=" "), np.array([1, 2, 3]))
    same(xp.fromstring("1.5,2", "float16", sep=","), np.array([1.5, 2], "f2"))
    assert xp.fromstring("1.5,2", sep=",").dtype == np.float64
    with xp.default_device("sim:trn2"):
        assert xp.fromstring("1.5,2", sep=",").dtype == np.float32
    with tempfile.TemporaryFile() as file:
        np.arange(3, dtype=">f4").tofile(file)
        file.seek(0)
        same(xp.fromfile(file, ">f4"), np.arange(3, dtype="f4"))
    with tempfile.TemporaryFile() as file:
        file.write(b"1;2;3")
        file.seek(0)
        same(xp.fromfile(file, int, sep=";"), np.array([1, 2, 3]))
    with pytest.raises(ValueError, match="separator"):
        xp.fromstring("12", sep="")


# Ranges and grids


@pytest.mark.parametrize(
    "args",
    [(5,), (0,), (-1,), (2, 7), (7, 2), (7, 2, -2), (0, 1, 0.1), (1.5, 4), (np.float32(3),), (np.uint8(5),), (True,), (1, 2**62, 2**61),
     (0.0, -1.0, -0.25), (2**63 - 5, 2**63 - 1)],
)  # fmt: skip
@pytest.mark.parametrize("dtype", [None, "float32", "complex64", "int64"])
def test_arange(args, dtype):
    if dtype != "float32" or max(map(abs, args)) < 1e9:
        same(xp.arange(*args, dtype=dtype), np.arange(*args, dtype=dtype))


def test_arange_of_arrays_and_keywords():
    x = xp.asarray([2, 8])
    same(xp.arange(x[0], x[1]), np.arange(2, 8))
    same(xp.arange(3, step=2), np.arange(3, step=2))
    same(xp.arange(0, 3, 1, float), np.arange(0, 3, 1, float))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float8_e4m3"])
def test_low_precision_ranges_round_once(dtype):
    wide = np.arange(0, 4, 0.1)
    assert xp.arange(0, 4, 0.1, dtype=dtype).astype(float).tolist() == [nearest(x, np.dtype(dtype)) for x in wide]
    wide = np.linspace(0, 1, 17)
    assert xp.linspace(0, 1, 17, dtype=dtype).astype(float).tolist() == [nearest(x, np.dtype(dtype)) for x in wide]
    wide = np.geomspace(1, 8, 7)
    assert xp.geomspace(1, 8, 7, dtype=dtype).astype(float).tolist() == [nearest(x, np.dtype(dtype)) for x in wide]
    above_midpoints = 1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-4 + 2.0**-40, 1 + 2.0**-11 + 2.0**-40  # of bfloat16, float8_e4m3, float16
    for x in above_midpoints:
        for one in (xp.linspace(x, x, 1, dtype=dtype), xp.arange(x, 2, dtype=dtype), xp.logspace(1, 1, 1, base=x, dtype=dtype)):
            assert float(one[0]) == nearest(x, np.dtype(dtype))
    ends = xp.asarray([1.0, 2.0], dtype=dtype)
    assert xp.linspace(ends[0], ends[1], 3).dtype == np.dtype(dtype)


ends = st.sampled_from([0, 1, -2.5, 3 + 1j, np.float32(2), np.array([1.0, 2.0]), np.array([[1], [2]], "f4"), np.int8(4)])


@given(ends, ends, st.integers(0, 5), st.booleans(), st.booleans(), st.sampled_from([None, "float32", "complex128", int]), st.booleans())
def test_linspace(start, stop, num, endpoint, retstep, dtype, wrapped):
    if np.iscomplexobj(start) or np.iscomplexobj(stop):
        dtype = None
    with np.errstate(all="ignore"):
        theirs = np.linspace(start, stop, num, endpoint, retstep, dtype, -1)
        ours = xp.linspace(
            *(xp.asarray(x) if wrapped and type(x) is np.ndarray else x for x in (start, stop)), num, endpoint, retstep, dtype, -1
        )
    if retstep:
        assert type(ours) is tuple
        np.testing.assert_array_equal(np.asarray(ours[1]._data if type(ours[1]) is xp.Array else ours[1]), theirs[1])
        ours, theirs = ours[0], theirs[0]
    if dtype is None and not {type(start), type(stop)} <= {int, float, complex}:
        assert ours.dtype == xp.result_type(start, stop, 1.0)
        theirs = theirs.astype(ours.dtype)
    np.testing.assert_allclose(np.asarray(ours._data), theirs, rtol=2 * float(xp.finfo(ours.dtype).eps) if ours.dtype.kind != "i" else 0)
    assert ours.shape == theirs.shape


def test_logarithmic_ranges():
    same(xp.logspace(0, 3, 4), np.logspace(0, 3, 4))
    same(xp.logspace(0, 3, 4, base=2, endpoint=False, dtype="f4"), np.logspace(0, 3, 4, base=2, endpoint=False, dtype="f4"))
    same(xp.logspace(0, xp.asarray([1.0, 2.0]), 3, base=xp.asarray([2.0, 3.0])), np.logspace(0, [1.0, 2], 3, base=[2.0, 3]), layout=False)
    same(xp.geomspace(1, 1000, 4), np.geomspace(1, 1000, 4))
    same(xp.geomspace(1j, 1000j, 4), np.geomspace(1j, 1000j, 4))
    with pytest.raises(ValueError, match="zero"):
        xp.geomspace(0, 1)


@given(st.lists(st.integers(0, 3), max_size=3), st.booleans(), st.booleans(), st.sampled_from(["xy", "ij"]))
def test_meshgrid(lengths, copy, sparse, indexing):
    arrays = [np.arange(n, dtype=dtype) for n, dtype in zip(lengths, ("i4", "bfloat16", "f8"), strict=False)]
    theirs = np.meshgrid(*arrays, copy=copy, sparse=sparse, indexing=indexing)
    ours = xp.meshgrid(*map(xp.asarray, arrays), copy=copy, sparse=sparse, indexing=indexing)
    assert type(ours) is tuple
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        same(one, other)


def test_grids():
    same(xp.indices((2, 3)), np.indices((2, 3)))
    same(xp.indices((2, 3), "f4"), np.indices((2, 3), "f4"))
    for one, other in zip(xp.indices((2, 3), sparse=True), np.indices((2, 3), sparse=True), strict=True):
        same(one, other)
    same(xp.fromfunction(lambda i, j: i * 2 + j, (2, 3)), np.fromfunction(lambda i, j: i * 2 + j, (2, 3)))
    same(xp.fromfunction(lambda i, power: i**power, (3,), dtype=int, power=2), np.arange(3) ** 2)
    same(xp.mgrid[0:3, 1:2:5j], np.mgrid[0:3, 1:2:5j])
    same(xp.mgrid[2:5], np.mgrid[2:5])
    same(xp.mgrid[0 : xp.asarray([4])[0]], np.mgrid[0:4])
    for one, other in zip(xp.ogrid[0:3, 0:2], np.ogrid[0:3, 0:2], strict=True):
        same(one, other)


# Matrices


@given(
    st.sampled_from([d for d in DTYPES if d != FLOAT8_E8M0FNU]),
    st.sampled_from([(3, 3), (2, 4), (2, 3, 2), (0, 2), (3,)]),
    st.integers(-4, 4),
)
def test_triangles(dtype, shape, k):
    a = np.ones(shape).astype(dtype)
    same(xp.tril(xp.asarray(a), k), np.tril(a, k))
    same(xp.triu(a, k), np.triu(a, k))


def test_diagonals():
    for v, k in itertools.product((np.arange(3.0), np.ones((3, 4), "i2"), [1, 2]), (-1, 0, 2)):
        same(xp.diag(v, k), np.diag(v, k))
        same(xp.diagflat(v, k), np.diagflat(v, k))
    x = xp.asarray(np.arange(9.0).reshape(3, 3))
    assert not xp.diag(x).flags.writeable
    x[1, 1] = 50
    assert xp.diag(x).tolist() == [0, 50, 8]
    assert xp.diag(x[0]).base is None
    for bad in (np.ones(()), np.ones((1, 1, 1))):
        with pytest.raises(ValueError, match="1-d"):
            xp.diag(bad)
    for N, increasing in itertools.product((None, 0, 2, 5), (False, True)):
        same(xp.vander([1.0, 2, 3], N, increasing), np.vander([1.0, 2, 3], N, increasing))


# Devices


def test_a_second_device(second_device):
    x = xp.zeros(3, device=SIM)
    assert x.device is SIM
    for y in (
        xp.ones_like(x),
        xp.asarray(x),
        xp.asarray([x, x]),
        xp.asarray([x[0], 1.0]),
        xp.full(2, x[0]),
        xp.linspace(x[0], x[1], 3),
        xp.meshgrid(x, x)[0],
        xp.zeros(2, like=x),
        xp.asarray([1, 2], like=x),
        xp.asarray(np.zeros(2), device="sim:trn2"),
        xp.arange(3, device=SIM),
        xp.eye(2, device=SIM),
        xp.zeros_like(xp.ones(3), device=SIM),
        xp.full_like([1, 2], 3, device=SIM),
        xp.astype(xp.ones(2), xp.int8, device=SIM),
        xp.astype(xp.ones(2), xp.float64, device=SIM),
        xp.asarray(xp.ones(2), device=SIM),
        xp.asarray(x, dtype="float32", copy=True),
        xp.tril([[x[0], x[1]]]),
    ):
        assert y.device is SIM
    assert xp.zeros_like(x, device="cpu").device is CPU
    assert xp.asarray(x, device="cpu").device is CPU
    with xp.default_device(SIM):
        assert xp.zeros(1).device is SIM
        assert xp.asarray(np.zeros(1)).device is SIM
        assert xp.asarray(xp.zeros(1, device="cpu")).device is CPU
        assert xp.asarray([1.0]).device is SIM
        a = np.zeros(2)
        snapshot = xp.asarray(a)
        a[0] = 1
        assert snapshot.tolist() == [0, 0]


def test_signatures_have_numpys_parameters():
    renamed = {"arange": {"start_or_stop"}}
    for name in [
        "arange",
        "asarray",
        "empty",
        "empty_like",
        "eye",
        "full",
        "full_like",
        "linspace",
        "meshgrid",
        "ones",
        "ones_like",
        "tril",
        "triu",
        "zeros",
        "zeros_like",
        "array",
        "asanyarray",
        "ascontiguousarray",
        "asfortranarray",
        "copy",
        "identity",
        "tri",
        "geomspace",
        "logspace",
        "fromfunction",
        "fromiter",
        "frombuffer",
        "fromstring",
        "fromfile",
        "require",
        "diag",
        "diagflat",
        "vander",
        "indices",
        "astype",
        "can_cast",
        "isdtype",
        "result_type",
        "promote_types",
        "issubdtype",
        "common_type",
        "min_scalar_type",
        "all",
        "any",
        "diff",
    ]:
        ours = inspect.signature(getattr(xp, name)).parameters
        try:
            theirs = inspect.signature(getattr(np, name)).parameters
        except ValueError:  # NumPy 2.2 and 2.3 hide many
            continue
        missing = {p for p in theirs if p not in ours} - renamed.get(name, set())
        assert not missing, name
        order = [p for p in ours if p in theirs and ours[p].kind is not inspect.Parameter.KEYWORD_ONLY]
        expected = [p for p in theirs if p in order]
        assert order == expected, name


def test_flat_iterators_are_arrays_of_their_elements():
    x = xp.asarray(np.arange(6.0).reshape(2, 3).T)
    made = xp.asarray(x.flat, dtype=xp.float32)
    np.testing.assert_array_equal(np.asarray(made), np.asarray(x).flatten().astype(np.float32))
    assert not np.shares_memory(np.asarray(made), np.asarray(x))
    with pytest.raises((TypeError, ValueError)):
        xp.asarray(x.flat, copy=False)
