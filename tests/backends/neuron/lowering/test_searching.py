"""Searching on the device, by counting and by sorting, against the host engine, with no fallback."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.neuron.lowering import searching

from ..variants import preferred_variants
from .beside_host import DEVICE, REAL, assert_same, place, samples


@pytest.fixture(params=["counted", "sorted"])
def way(request, monkeypatch):
    counted = request.param == "counted"
    monkeypatch.setattr(searching, "_comparing_is_faster", lambda *_: counted)
    with preferred_variants(DEVICE, search="by comparing all" if counted else "by sorting"):
        yield


def ascending(count, dtype):
    with np.errstate(invalid="ignore"):
        return np.asarray(xp.sort(xp.asarray(samples((count,), dtype, 1))))


@pytest.mark.parametrize("dtype", REAL, ids=str)
@pytest.mark.usefixtures("way")
def test_searchsorted(dtype):
    table, x = ascending(21, dtype), samples((4, 5), dtype, 2)
    with np.errstate(invalid="ignore"):
        assert_same(lambda a, v: tuple(xp.searchsorted(a, v, side=side) for side in ("left", "right")), table, x, views=("strided",))


@pytest.mark.usefixtures("way")
def test_complex_numbers():
    rng = np.random.default_rng(3)
    table, x = (np.array([1, 2, 2 + 1j, -1j])[rng.integers(0, 4, count)].astype(np.complex64) for count in (9, 7))
    x[2:4] = np.nan, 1j * np.nan
    assert_same(lambda a, v: tuple(xp.searchsorted(xp.sort(a), v, side=side) for side in ("left", "right")), table, x)
    assert_same(xp.isin, x, table[:5])


@pytest.mark.parametrize("name", ["argmax", "argmin", "nanargmax", "nanargmin"])
def test_extrema_of_complex_numbers(name):
    x = np.array([[1, 2, 2 + 1j, 2 + 1j, -1j], [0, complex(1, np.nan), 3, complex(np.nan, 1), 3]], np.complex64)
    x = np.concatenate([x, -x, x[:, ::-1], np.full((1, 5), -np.inf, np.complex64)])
    for axis in (None, 0, 1):
        assert_same(lambda x, axis=axis: getattr(xp, name)(x, axis=axis), x)


@pytest.mark.usefixtures("way")
def test_bits_of_numbers():
    words = np.random.default_rng(1).integers(0, 2**32, 60, dtype=np.uint32)
    words[::2] &= 0x807FFFFF  # subnormal
    for dtype in (np.float32, np.uint32):
        x = words.view(dtype)[~np.isnan(words.view(dtype))]
        table = np.sort(np.concatenate([x[:30], np.nextafter(x[5:15], 1) if dtype == np.float32 else x[5:15] ^ 1]))
        assert_same(xp.searchsorted, table, x)


@pytest.mark.usefixtures("way")
def test_derived():
    x, table = samples((5, 6), np.dtype(np.float32), 3), samples((12,), np.dtype(np.float32), 4)
    edges = np.unique(table[np.isfinite(table)])
    assert_same(lambda a, v: xp.searchsorted(a, v, sorter=xp.argsort(a)), table, x)
    for right in (False, True):
        assert_same(lambda v, b, right=right: xp.digitize(v, b, right), x, edges)
        assert_same(lambda v, b, right=right: xp.digitize(v, b, right), x, edges[::-1])
        assert_same(lambda v, right=right: xp.digitize(v, [2.0, 1.0, -1.0], right), x)
        assert_same(lambda v, a, right=right: xp.isin(v, a, invert=right), x, table)


def test_edges_that_are_integers():
    for edges in ([0, 2, 5], [5, 2, 0], [-1, 3]):
        assert_same(lambda v, edges=edges: xp.digitize(v, edges), samples((5,), np.dtype(np.uint8 if min(edges) < 0 else np.uint32), 3))


@pytest.mark.parametrize("number", [-3, 2, 300, 1.5, True])
@pytest.mark.parametrize("dtype", ["float16", "uint8", "bool"])
def test_numbers(dtype, number):
    if type(number) is not bool or dtype == "bool":
        assert_same(lambda a: xp.searchsorted(a, number), ascending(9, np.dtype(dtype)))
        assert_same(lambda a: xp.isin(a, number), samples((2, 3), np.dtype(dtype)))


def test_sequences_go_to_the_device_of_the_other_operand():
    x = place(np.asarray([[3, 1, 2], [4, 5, 6]], np.int32), DEVICE)
    with xp.config(fallback="error"):
        assert xp.isin(x, [1, 4]).tolist() == [[False, True, False], [True, False, False]]
        assert xp.isin([1, 7], x).tolist() == [True, False]
        assert xp.take_along_axis(x, [[1], [0]], axis=1).tolist() == [[1], [4]]
        assert xp.searchsorted(x[1], 5, sorter=[0, 1, 2]).tolist() == 1
        xp.put_along_axis(x, [[0], [2]], 9, axis=1)
    assert x.tolist() == [[9, 1, 2], [4, 5, 9]]


def test_extrema_beside_nan():
    x = samples((4, 5), np.dtype(np.float32), 5)
    for name in ("nanargmax", "nanargmin"):
        assert_same(lambda v, name=name: getattr(xp, name)(v, axis=1), x)
        assert_same(lambda v, name=name: getattr(xp, name)(v), x.astype(np.float16))
        assert_same(lambda v, name=name: getattr(xp, name)(v, axis=0), samples((3, 4), np.dtype(np.int8)))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: xp.searchsorted(x, 1), ValueError, "too deep"),
        (lambda x: xp.searchsorted(x[0], 1, side="up"), ValueError, "must be 'left' or 'right'"),
        (lambda x: xp.digitize(x, [0, 2, 1]), ValueError, "monotonically"),
        (lambda x: xp.digitize(x, x[0]).to_device("cpu"), ValueError, "monotonically"),
        (lambda x: xp.digitize(x[:, :0], x[0]), ValueError, "monotonically"),
        (lambda x: xp.nanargmax(x * xp.nan, axis=0).to_device("cpu"), ValueError, "All-NaN slice"),
    ],
)
def test_errors(call, error, message):
    x = place(np.asarray([[1, 3, 2], [4, 5, 6]], np.float32), DEVICE)
    with xp.config(fallback="error"), pytest.raises(error, match=message):
        call(x)


def test_what_is_gathered_is_put_beside_others():
    """A check of places that may fail keeps no memory in which there is nothing."""
    x, order = samples((7,), np.dtype(np.float32)), np.asarray([3, 1, 1, 0], np.int32)
    assert_same(lambda x, order: xp.concat([x, x[order]]) + 1, x, order)


def test_integers_of_which_no_dtype_holds_both():
    """Not as float32, which does not tell 2**24 and 2**24 + 1 apart."""
    table, x = np.array([0, 2**24 + 1], np.uint64), np.array([2**24, 2**24 + 1, -5], np.int32)
    on_device = [xp.asarray(a, device=DEVICE) for a in (table, x)]
    for search in (xp.searchsorted, lambda bins, v: xp.digitize(v, bins)):
        with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="no integer dtype in common"):
            search(*on_device)
    with xp.config(fallback="allow"):
        assert xp.searchsorted(*on_device).tolist() == [1, 1, 0]
        assert xp.digitize(*on_device[::-1]).tolist() == [1, 2, 0]
