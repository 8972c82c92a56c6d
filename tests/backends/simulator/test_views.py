"""Views against NumPy's: the same chain of methods on a tensor and on an array of its element numbers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends.simulator import NkiConstraintError
from trnarray.backends.simulator.tensor.nkitensor import NkiTensor
from trnarray.backends.simulator.tensor.storage import MemoryRegion, Storage

SHAPES = st.lists(st.integers(1, 6), min_size=2, max_size=4).map(tuple)
BUFFERS = st.sampled_from([MemoryRegion.sbuf, MemoryRegion.shared_hbm])


def tensor(shape, dtype="int32", buffer=MemoryRegion.sbuf):
    return NkiTensor._of(Storage(shape, dtype, buffer, "t"))


def numbers(view):
    """The elements a view addresses, through its byte geometry."""
    storage = view._storage
    data = np.arange(storage.size, dtype=np.int32)
    at = view._bytes
    return np.ndarray(at.shape, np.int32, data.data, at.offset, at.strides)


@st.composite
def chains(draw):
    """A tensor and an array after the same random methods."""
    shape, buffer = draw(SHAPES), draw(BUFFERS)
    view, array = tensor(shape, buffer=buffer), np.arange(math.prod(shape), dtype=np.int32).reshape(shape)
    on_chip = buffer is MemoryRegion.sbuf
    for method in draw(st.lists(st.sampled_from(["slice", "permute", "expand", "broadcast", "split", "index", "flatten"]), max_size=5)):
        first = int(on_chip)
        axis = draw(st.integers(first, array.ndim - 1)) if array.ndim > first else None
        if axis is None:
            continue
        if method == "slice":
            start = draw(st.integers(0, array.shape[axis] - 1))
            stop, step = draw(st.integers(start + 1, array.shape[axis])), draw(st.integers(1, 3))
            view, array = view.slice(axis, start, stop, step), array[(slice(None),) * axis + (slice(start, stop, step),)]
        elif method == "permute":
            rest = draw(st.permutations(range(first, array.ndim)))
            order = [*range(first), *rest]
            view, array = view.permute(order), array.transpose(order)
        elif method == "expand":
            view, array = view.expand_dim(axis), np.expand_dims(array, axis)
        elif method == "broadcast" and array.shape[axis] == 1:
            view, array = view.broadcast(axis, 3), np.repeat(array, 3, axis)
        elif method == "split" and array.shape[axis] % 2 == 0:
            view = view.reshape_dim(axis, (2, -1))
            array = array.reshape(*array.shape[:axis], 2, array.shape[axis] // 2, *array.shape[axis + 1 :])
        elif method == "index":
            key = (slice(None),) * first + (Ellipsis, draw(st.integers(-array.shape[-1], array.shape[-1] - 1)))
            view = view[key]
            array = array[key] if array.ndim > 2 or (not on_chip and array.ndim > 1) else array[..., [key[-1]]]
        elif method == "flatten" and axis + 1 < array.ndim and view.is_contiguous():
            view = view.flatten_dims(axis, axis + 1)
            array = array.reshape(*array.shape[:axis], -1, *array.shape[axis + 2 :])
    return view, array


@given(chains())
def test_chain_of_views(pair):
    view, array = pair
    assert view.shape == array.shape
    np.testing.assert_array_equal(numbers(view), array)
    assert view.get_pattern() == [list(p) for p in zip(view.strides, view.shape, strict=True)]


@given(chains(), st.data())
def test_reshape_is_numpys(pair, data):
    view, array = pair
    first = 1 if view._storage.on_chip else 0
    shape = (*array.shape[:first], *data.draw(st.permutations(array.shape[first:])))
    try:
        strided = np.lib.stride_tricks.as_strided(array[:0], view.shape, [4 * s for s in view.strides])
        want = np.reshape(strided[0] if first else strided, shape[first:], copy=False).shape
    except ValueError:
        with pytest.raises(NkiConstraintError):
            view.reshape(shape)
    else:
        np.testing.assert_array_equal(numbers(view.reshape(shape)), array.reshape(shape))
        assert want == shape[first:]


def test_documented_examples():
    t = tensor((128, 64))
    u = t.slice(dim=1, start=8, end=24)
    v = t.ap(pattern=[[64, 128], [1, 16]], offset=8)
    assert u.get_pattern() == v.get_pattern() == [[64, 128], [1, 16]]
    assert u.offset == v.offset == 8
    t = tensor((64, 64, 64))
    assert t[0, 0, 10].shape == (1, 1)
    assert t[:, 0].shape == (64, 64)
    assert t[:, 0, 10].shape == (64, 1)
    assert t[0, ..., :].shape == (1, 64, 64)
    assert t[:, :, ::2].shape == (64, 64, 32)
    assert tensor((128, 24)).rearrange(("b", ("h", "w")), ("b", "w", "h"), {"h": 4}).shape == (128, 6, 4)
    assert tensor((4, 128, 32), buffer=MemoryRegion.shared_hbm)[0].shape == (128, 32)


def test_steps_of_run_time_indices():
    """A reshaping of all of a tensor is a tensor; of a part, the guide and the reference differ in what the index steps by."""
    index = tensor((1, 1), "int32")
    hbm = tensor((6, 4), buffer=MemoryRegion.shared_hbm)
    for view, dim, step, extent in [(hbm, 0, 4, 6), (hbm.reshape((2, 12)), 0, 12, 2), (hbm.reshape((1, 24)), 1, 1, 24), (hbm[1:], 0, 4, 6)]:
        found = view.ap([[4, 2], [1, 4]], scalar_offset=index, indirect_dim=dim)._indirection
        assert (found.stride, found.extent) == (step, extent)
    for view in (hbm[:, 1:3].reshape_dim(0, (3, 2)), hbm.permute((1, 0))):
        with pytest.raises(NkiConstraintError, match="steps by"):
            view.ap([[4, 2], [1, 1]], scalar_offset=index)


def test_indices_of_rows():
    """One for each partition, whatever the axes."""
    hbm, index = tensor((6, 4), buffer=MemoryRegion.shared_hbm), tensor((5, 3), "int32")
    for vector in (index[:, 1:2], index.ap([[3, 5], [1, 1], [1, 1]], offset=1)):
        source = hbm.vector_select(0, vector)._indirection.source
        assert (source.get_pattern(), source.offset) == ([[3, 5], [1, 1]], 1)
    with pytest.raises(NkiConstraintError, match="run-time indices"):
        hbm.vector_select(0, tensor((5, 3, 2), "int32"))


def test_bits_of_another_dtype():
    t = tensor((128, 64), "float32")
    assert t.view("uint8").shape == (128, 256)
    assert t.view("bfloat16")[:, 3:5].offset == 3
    assert t.view("uint8").view("float32").get_pattern() == t.get_pattern()
    with pytest.raises(NkiConstraintError, match="whole number"):
        tensor((128, 3), "uint8").view("uint16")


@pytest.mark.parametrize(
    "bad",
    [
        lambda t: t[0:65],
        lambda t: t[4:4],
        lambda t: t[::2],
        lambda t: t[:, ::-1],
        lambda t: t[:, 32],
        lambda t: t.permute((1, 0)),
        lambda t: t.broadcast(0, 2),
        lambda t: t.expand_dim(0),
        lambda t: t.reshape((32, 64)),
        lambda t: t.ap([[64, 32], [1, 32]]),
        lambda t: t.ap([[32, 64], [1, 33]]),
        lambda t: t[:, 8:].ap([[32, 64], [1, 8]], offset=0),
        lambda t: t.vector_select(0, t),
    ],
    ids=range(13),
)
def test_refused(bad):
    with pytest.raises(NkiConstraintError):
        bad(tensor((64, 32)))
