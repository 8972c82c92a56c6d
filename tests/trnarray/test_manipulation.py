"""Shapes, joining, splitting, rearranging: NumPy's elements, NumPy's views."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray
from trnarray import Array

from .numpy_reference import BFLOAT16, FLOAT16, PLAIN, compare, compare_moves, operands, same

# What each gives of one array. Elements are only moved, so a few dtypes of every size are enough here.
CASES = {
    "reshape": lambda xp, x: xp.reshape(x, (-1,)),
    "reshape to 2-d": lambda xp, x: xp.reshape(x, (4, -1)),
    "reshape in Fortran order": lambda xp, x: xp.reshape(x, (-1,), order="F"),
    "reshape in its own order": lambda xp, x: xp.reshape(x, (-1,), order="A"),
    "reshape without copy": lambda xp, x: xp.reshape(x, (-1,), copy=False),
    "reshape to a copy": lambda xp, x: xp.reshape(x, x.shape, copy=True),
    "ravel": lambda xp, x: xp.ravel(x),
    "ravel in order of memory": lambda xp, x: xp.ravel(x, order="K"),
    "resize": lambda xp, x: xp.resize(x, (2, 5)),
    "transpose": lambda xp, x: xp.transpose(x),
    "transpose with axes": lambda xp, x: xp.transpose(x, (1, 0, -1)),
    "permute_dims": lambda xp, x: xp.permute_dims(x, (1, 0)),
    "swapaxes": lambda xp, x: xp.swapaxes(x, 0, -1),
    "moveaxis": lambda xp, x: xp.moveaxis(x, 0, -1),
    "moveaxis of two": lambda xp, x: xp.moveaxis(x, (0, -1), (1, 0)),
    "rollaxis": lambda xp, x: xp.rollaxis(x, 1),
    "squeeze": lambda xp, x: xp.squeeze(x),
    "squeeze axes": lambda xp, x: xp.squeeze(x, (0, -1)),
    "expand_dims": lambda xp, x: xp.expand_dims(x, -1),
    "expand_dims at two places": lambda xp, x: xp.expand_dims(x, (0, 2)),
    "broadcast_to": lambda xp, x: xp.broadcast_to(x, (2, *x.shape)),
    "broadcast_to what does not fit": lambda xp, x: xp.broadcast_to(x, (5, 5)),
    "broadcast_arrays": lambda xp, x: xp.broadcast_arrays(x, xp.ones((4, 1))),
    "atleast_1d": lambda xp, x: xp.atleast_1d(x),
    "atleast_2d": lambda xp, x: xp.atleast_2d(x, x),
    "atleast_3d": lambda xp, x: xp.atleast_3d(x),
    "flip": lambda xp, x: xp.flip(x),
    "flip axes": lambda xp, x: xp.flip(x, (0, -1)),
    "fliplr": lambda xp, x: xp.fliplr(x),
    "flipud": lambda xp, x: xp.flipud(x),
    "rot90": lambda xp, x: xp.rot90(x, 3),
    "roll": lambda xp, x: xp.roll(x, 2),
    "roll along axes": lambda xp, x: xp.roll(x, (1, -2), axis=(0, -1)),
    "repeat": lambda xp, x: xp.repeat(x, 3),
    "repeat along an axis": lambda xp, x: xp.repeat(x, xp.arange(4), axis=-1),
    "tile": lambda xp, x: xp.tile(x, (2, 1, 2)),
    "pad": lambda xp, x: xp.pad(x, 1),
    "pad with edges": lambda xp, x: xp.pad(x, [(0, 2)], mode="edge"),
    "pad by reflection": lambda xp, x: xp.pad(x, (2, 1), mode="reflect"),
    "trim_zeros": lambda xp, x: xp.trim_zeros(x),
    "concat": lambda xp, x: xp.concat([x, x]),
    "concat along the last axis": lambda xp, x: xp.concat((x, x), axis=-1),
    "concat flattened": lambda xp, x: xp.concatenate([x, xp.asarray(1)], axis=None),
    "concat of dtypes": lambda xp, x: xp.concat([x, xp.ones(x.shape, dtype=xp.float32)]),
    "concat to a dtype": lambda xp, x: xp.concat([x, x], dtype=xp.complex128),
    "concat to a narrower dtype": lambda xp, x: xp.concat([x, x], dtype=xp.int8, casting="same_kind"),
    "stack": lambda xp, x: xp.stack([x, x], axis=-1),
    "vstack": lambda xp, x: xp.vstack([x, x]),
    "hstack": lambda xp, x: xp.hstack((x, x)),
    "dstack": lambda xp, x: xp.dstack([x, x]),
    "column_stack": lambda xp, x: xp.column_stack([x, x]),
    "block": lambda xp, x: xp.block([[x, x], [x, x]]),
    "append": lambda xp, x: xp.append(x, [1, 2]),
    "append along an axis": lambda xp, x: xp.append(x, x, axis=0),
    "insert": lambda xp, x: xp.insert(x, 1, 3, axis=-1),
    "insert at places": lambda xp, x: xp.insert(x, [0, 0], [1, 2]),
    "delete": lambda xp, x: xp.delete(x, 1, axis=-1),
    "delete a slice": lambda xp, x: xp.delete(x, slice(None, None, 2)),
    "split": lambda xp, x: xp.split(x, 2, axis=-1),
    "split at places": lambda xp, x: xp.split(x, [1, 3]),
    "array_split": lambda xp, x: xp.array_split(x, 3, axis=-1),
    "hsplit": lambda xp, x: xp.hsplit(x, 2),
    "vsplit": lambda xp, x: xp.vsplit(x, [1]),
    "dsplit": lambda xp, x: xp.dsplit(x, 2),
    "unstack": lambda xp, x: xp.unstack(x, axis=-1),
}
MOVES = sorted(CASES.keys() - {"broadcast_arrays", "pad", "append", "insert", "insert at places"} - {c for c in CASES if " dtype" in c})
MOVES.remove("concat flattened")


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name):
    for x in operands([t for t in PLAIN if t.num in {0, 1, 7, 12, 15}]):
        compare(CASES[name], x)


@pytest.mark.parametrize("name", MOVES)
def test_low_precision_moves_bits(name):
    compare_moves(CASES[name])


@pytest.mark.parametrize("dtype", [BFLOAT16, FLOAT16])
def test_low_precision_operands_meet_as_in_operators(dtype):
    x, y = trnarray.asarray([1.5], dtype=dtype), trnarray.asarray([2**24 + 1], dtype="int64")
    for function in (
        trnarray.concat,
        trnarray.hstack,
        trnarray.stack,
        lambda both: trnarray.append(*both),
        lambda both: trnarray.block([both]),
    ):
        assert function([x, y]).dtype == (x + y).dtype
        assert function([x, x]).dtype == dtype
    assert trnarray.insert(x, 0, 2.5).tolist() == [2.5, 1.5]
    assert trnarray.pad(x, 1, constant_values=3).tolist() == [3.0, 1.5, 3.0]


def test_out():
    out = trnarray.zeros(4, dtype="float32")
    assert trnarray.concat([trnarray.ones(2, dtype="float32")] * 2, out=out) is out
    assert out.tolist() == [1.0] * 4
    grid = trnarray.zeros((2, 2), dtype="float32")
    assert trnarray.stack([out[:2], out[2:]], out=grid) is grid
    with pytest.raises(TypeError):
        trnarray.concat([trnarray.ones(2)], dtype="object")


def test_repeats_of_every_integer_dtype():
    for dtype in "bhilBHIL":
        assert trnarray.repeat(trnarray.arange(3), trnarray.asarray([2, 0, 1], dtype=dtype)).tolist() == [0, 0, 2]
    with pytest.raises(ValueError, match="negative"):
        trnarray.repeat(trnarray.arange(3), -1)


def test_broadcast_shapes():
    assert trnarray.broadcast_shapes() == ()
    assert trnarray.broadcast_shapes((2, 1), 3, (1, 1, 1)) == (1, 2, 3)
    with pytest.raises(ValueError, match="broadcast"):
        trnarray.broadcast_shapes((2,), (3,))


def test_lists_and_scalars_are_arrays():
    assert type(trnarray.reshape([1, 2, 3, 4], (2, 2))) is Array
    assert type(trnarray.flip([1, 2])) is Array
    assert trnarray.concat([[1, 2], trnarray.asarray([3.0])]).tolist() == [1.0, 2.0, 3.0]


def test_copyto_writes_where_it_is_told():
    x = trnarray.zeros((2, 3), dtype="float32")
    view = x[:, ::-1]
    assert trnarray.copyto(view, [1, 2, 3], where=[[True], [False]]) is None
    assert x.tolist() == [[3.0, 2.0, 1.0], [0.0, 0.0, 0.0]]
    with pytest.raises(TypeError):
        trnarray.copyto(trnarray.zeros(2, dtype="int32"), 1.5)
    y = trnarray.zeros(2, dtype=BFLOAT16)
    trnarray.copyto(y, trnarray.asarray([1.0, 2.5]))
    assert y.tolist() == [1.0, 2.5]


def test_views_write_through():
    x = trnarray.arange(6)
    trnarray.reshape(x, (2, 3))[1, 0] = 30
    trnarray.flip(x)[0] = 50
    trnarray.split(x, 2)[0][1] = 10
    trnarray.unstack(trnarray.reshape(x, (3, 2)), axis=1)[0][1] = 20
    assert x.tolist() == [0, 10, 20, 30, 4, 50]


@given(hnp.arrays(np.int32, hnp.array_shapes(min_dims=1, max_dims=4, max_side=4)), st.data())
def test_any_permutation_and_shift(x, choose):
    axes = choose.draw(st.permutations(range(x.ndim)))
    shift = choose.draw(st.lists(st.integers(-9, 9), min_size=x.ndim, max_size=x.ndim).map(tuple))
    ours = trnarray.asarray(x)
    same(trnarray.permute_dims(ours, axes), np.transpose(x, axes), memory=x)
    same(trnarray.roll(ours, shift, axis=tuple(axes)), np.roll(x, shift, axis=tuple(axes)))
    same(trnarray.moveaxis(ours, axes, range(x.ndim)), np.moveaxis(x, axes, range(x.ndim)), memory=x)
