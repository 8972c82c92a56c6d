"""Arrays of existing data, from scalars and sequences to buffers: values, dtypes, layouts and aliasing as NumPy has them, rounded once."""

import array
import ctypes
import enum
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
from trnarray.backends.dtypes import DTYPES, FLOAT8_E8M0FNU

from .creation_reference import PLAIN, nearest, same

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
    np.testing.assert_array_equal(np.asarray(ours._value, "c16"), np.ones((2, 2)))
    scalars = xp.asarray((xp.asarray(rows[0])[0], xp.asarray(rows[1])[1], rows[1][1]))
    assert (scalars.dtype, scalars.shape) == (ours.dtype, (3,))


def test_shapes_of_sequences():
    x = xp.asarray(np.arange(6.0).reshape(2, 3))
    same(xp.asarray([x, x]), np.array([np.asarray(x._value)] * 2))
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
    assert np.shares_memory(xp.asarray(strided)._value, strided)
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
    assert not np.shares_memory(x._value, a)
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
                assert np.shares_memory(ours._value, a) == np.shares_memory(theirs, a)


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
        np.testing.assert_array_equal(np.asarray(x._value).astype("c16"), expected)


def test_array():
    a = np.ones((2, 3), order="F")
    same(xp.array(a), np.array(a))
    assert not np.shares_memory(xp.array(a)._value, a)
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
