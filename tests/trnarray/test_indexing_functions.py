"""Elements by position, writes by position, positions: as NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray

from .numpy_reference import BFLOAT16, LOW, SHAPES, bits, compare, compare_moves, data, operands, outcome, same

READS = {
    "take": lambda xp, x: xp.take(x, xp.asarray([0, -1, 1])),
    "take along an axis": lambda xp, x: xp.take(x, xp.asarray([[1, 0], [0, 2]]), axis=-1),
    "take one": lambda xp, x: xp.take(x, 1, axis=0),
    "take with wrapping": lambda xp, x: xp.take(x, xp.asarray([9, -11]), mode="wrap", axis=0),
    "take with clipping": lambda xp, x: xp.take(x, xp.asarray([9, -11]), mode="clip"),
    "take_along_axis": lambda xp, x: xp.take_along_axis(x, xp.zeros(x.shape, dtype=xp.int64), axis=-1),
    "take_along_axis flattened": lambda xp, x: xp.take_along_axis(x, xp.asarray([1, 0]), axis=None),
    "compress": lambda xp, x: xp.compress([True, False, True], x, axis=-1),
    "compress flattened": lambda xp, x: xp.compress(xp.asarray([False, True]), x),
    "extract": lambda xp, x: xp.extract(xp.ones(x.shape, dtype=xp.bool), x),
    "choose": lambda xp, x: xp.choose(xp.zeros(x.shape, dtype=xp.int8), [x, x]),
    "select": lambda xp, x: xp.select([xp.zeros(x.shape, dtype=xp.bool), xp.ones(x.shape, dtype=xp.bool)], [x, x]),
    "diagonal": lambda xp, x: xp.diagonal(x),
    "diagonal beside": lambda xp, x: xp.diagonal(x, 1, 0, -1),
}
POSITIONS = {
    "ix_": lambda xp, x: xp.ix_([0, 2], x),
    "diag_indices_from": lambda xp, x: xp.diag_indices_from(x),
    "unravel_index": lambda xp, x: xp.unravel_index([3, 0, 5], (2, 3)),
    "unravel_index in Fortran order": lambda xp, x: xp.unravel_index(xp.asarray([[3], [4]]), (2, 3), order="F"),
    "unravel_index out of bounds": lambda xp, x: xp.unravel_index(6, (2, 3)),
    "ravel_multi_index": lambda xp, x: xp.ravel_multi_index((xp.asarray([1, 0]), xp.asarray([2, 1])), (2, 3)),
    "ravel_multi_index with modes": lambda xp, x: xp.ravel_multi_index(([3, -1], [4, -1]), (2, 3), mode=("clip", "wrap")),
}
WRITES = {
    "put": lambda xp, x: xp.put(x, [0, -1], [1, 0]),
    "put with wrapping": lambda xp, x: xp.put(x, xp.asarray([9]), 1, mode="wrap"),
    "put_along_axis": lambda xp, x: xp.put_along_axis(x, xp.asarray([[0, 1]]), 1, axis=-1),
    "put_along_axis flattened": lambda xp, x: xp.put_along_axis(x, xp.asarray([1, 0]), xp.asarray([1, 0]), axis=None),
    "putmask": lambda xp, x: xp.putmask(x, x == 1, x * x),
    "place": lambda xp, x: xp.place(x, x == 1, [0, 1]),
    "fill_diagonal": lambda xp, x: xp.fill_diagonal(x, 1),
    "fill_diagonal with wrapping": lambda xp, x: xp.fill_diagonal(x, xp.asarray([0, 1]), wrap=True),
}


@pytest.mark.parametrize("name", READS)
def test_reads(name):
    for x in operands():
        compare(READS[name], x)
    if name != "select":  # which computes: the default is a weak 0
        compare_moves(READS[name])


@pytest.mark.parametrize("name", POSITIONS)
def test_positions(name):
    for shape in SHAPES:
        compare(POSITIONS[name], data(shape, np.dtype(np.int64)))


@pytest.mark.parametrize("name", WRITES)
def test_writes_go_to_the_array_itself(name):
    for x in operands():
        if not x.flags.writeable:
            ours = trnarray.asarray(x)
            assert outcome(WRITES[name], trnarray, ours)[1] is not None or x.size == 0 or np.array_equal(x, ours)
            continue
        want, memory = x.copy(), x.copy()
        refused = outcome(WRITES[name], np, want)[1]
        got, error = outcome(WRITES[name], trnarray, trnarray.asarray(memory))
        assert got is None
        assert (error is None) == (refused is None), f"{x!r}: {error!r} where NumPy has {refused!r}"
        np.testing.assert_array_equal(memory, want)


@pytest.mark.parametrize("dtype", LOW)
def test_low_precision_writes(dtype):
    for name, case in WRITES.items():
        x = np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]]).astype(dtype)
        want = x.astype(np.float32)
        case(np, want)
        case(trnarray, trnarray.asarray(x))
        np.testing.assert_array_equal(x.astype(np.float32), want, err_msg=name)


@pytest.mark.parametrize("dtype", LOW)
def test_select_in_low_precision_keeps_the_dtype(dtype):
    x = trnarray.asarray([1.0, -2.0], dtype=dtype)
    chosen = trnarray.select([x > 0], [x], -1)
    assert chosen.dtype == dtype
    assert chosen.tolist() == [1.0, -1.0]
    picked = trnarray.choose(trnarray.asarray([1, 0]), [x, -x])  # in which int64 is an index and has no part in the dtype
    assert picked.dtype == dtype
    assert picked.tolist() == [-1.0, -2.0]


def test_out_of_take_and_compress():
    x, out = trnarray.arange(4, dtype="float32"), trnarray.empty(2, dtype="float32")
    assert trnarray.take(x, [3, 1], out=out, mode="clip") is out
    assert out.tolist() == [3.0, 1.0]
    assert trnarray.compress([True, False, True], x, out=out) is out
    assert out.tolist() == [0.0, 2.0]
    assert trnarray.choose([1, 0], [x[:2], x[2:]], out=out) is out
    assert out.tolist() == [2.0, 1.0]


def test_out_of_bounds():
    for call in (
        lambda: trnarray.take(trnarray.arange(3), 3),
        lambda: trnarray.put(trnarray.arange(3), 3, 0),
        lambda: trnarray.take_along_axis(trnarray.arange(3), trnarray.asarray([3])),
    ):
        with pytest.raises(IndexError):
            call()


@given(hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=5)), st.data())
def test_take_and_put_along_any_axis(x, choose):
    axis = choose.draw(st.integers(-x.ndim, x.ndim - 1))
    length = x.shape[axis]
    indices = choose.draw(hnp.arrays(np.int64, x.shape, elements=st.integers(-length, length - 1)))
    ours = trnarray.asarray(x, copy=True)
    same(trnarray.take_along_axis(ours, indices, axis=axis), np.take_along_axis(x, indices, axis))
    same(trnarray.take(ours, indices.ravel(), axis=axis), np.take(x, indices.ravel(), axis))
    trnarray.put_along_axis(ours, indices, 7, axis)
    np.put_along_axis(x, indices, 7, axis)
    same(ours, x)


def test_bits_of_nan_survive():
    x = np.array([0x7FC1, 0xFFC2], np.uint16).view(BFLOAT16)
    assert bits(np.asarray(trnarray.take(trnarray.asarray(x), [1, 0]))).tolist() == [0xFFC2, 0x7FC1]
