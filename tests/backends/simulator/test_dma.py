"""Gather, scatter, transposes and sums of DMA against NumPy indexing."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.errors import KernelError, OutOfBoundsError, UninitializedReadError

RNG = np.random.default_rng(11)


def run(kernel, *arrays, target="trn2", **changes):
    with simulator.options(target, **changes):
        return simulator.jit(kernel)(*arrays)


def on_chip(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(tile, x)
    return tile


def returned(tile):
    out = nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(out, tile)
    return out


def gather(data, indices, dtype="float32", skip=False, explicit=True):
    rows, columns = indices.shape[0], data.shape[1]
    vector = on_chip(indices)
    dst = nl.ndarray((rows, columns), dtype)
    if skip:
        nisa.memset(dst, -7)
    src = data.ap([[columns, rows], [1, columns]], vector_offset=vector) if explicit else data.vector_select(0, vector)
    nisa.dma_copy(dst, src, oob_mode=nisa.oob_mode.skip if skip else nisa.oob_mode.error)
    return returned(dst)


def scatter(values, indices, rows):
    out = nl.ndarray((rows, values.shape[1]), values.dtype, buffer=nl.shared_hbm)
    blank = nl.zeros(out.shape, values.dtype)
    nisa.dma_copy(out, blank)
    rows_at = out.ap([[values.shape[1], values.shape[0]], [1, values.shape[1]]], vector_offset=on_chip(indices))
    nisa.dma_copy(rows_at, on_chip(values), oob_mode=nisa.oob_mode.skip)
    return out


@given(st.data())
def test_gather(data):
    rows, columns, count = (data.draw(st.integers(1, n)) for n in (50, 8, 128))
    skip, explicit = data.draw(st.booleans()), data.draw(st.booleans())
    index = np.array(data.draw(st.lists(st.integers(-2 if skip else 0, rows + 1 if skip else rows - 1), min_size=count, max_size=count)))
    x = RNG.standard_normal((rows, columns)).astype(np.float32)
    found = run(gather, x, index.astype(np.int32)[:, None], "bfloat16", skip, explicit)
    good = (index >= 0) & (index < rows)
    want = np.where(good[:, None], x[np.clip(index, 0, rows - 1)], -7).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(found, want)


@given(st.data())
def test_scatter(data):
    rows, columns, count = (data.draw(st.integers(1, n)) for n in (50, 8, 128))
    index = np.array(data.draw(st.lists(st.integers(-2, rows + 1), min_size=count, max_size=count)))
    x = RNG.standard_normal((count, columns)).astype(np.float32)
    found = run(scatter, x, index.astype(np.int32)[:, None], rows)
    want = np.zeros((rows, columns), np.float32)
    for at, row in zip(index, x, strict=True):
        if 0 <= at < rows:
            want[at] = row
    np.testing.assert_array_equal(found, want)


def test_duplicates_have_no_order():
    x, index = np.arange(1, 129, dtype=np.float32)[:, None], np.zeros((128, 1), np.int32)
    found = {run(scatter, x, index, 4, knobs=simulator.Knobs(dma_duplicates=f"seeded:{seed}"))[0, 0] for seed in range(8)}
    assert len(found) > 4
    assert found <= set(x[:, 0])
    assert run(scatter, x, index, 4)[0, 0] == 128
    again = [run(scatter, x, index, 4, knobs=simulator.Knobs(dma_duplicates="seeded:3")) for _ in range(2)]
    np.testing.assert_array_equal(*again)
    with pytest.raises(ValueError, match="seeded:SEED"):
        run(scatter, x, index, 4, knobs=simulator.Knobs(dma_duplicates="first"))


@pytest.mark.parametrize("bad", [-1, 5, 2**31 - 1])
def test_indices_out_of_bounds(bad):
    with pytest.raises(OutOfBoundsError, match=rf"index {bad} of row 1 .*rows 0\.\.4.*oob_mode\.skip"):
        run(gather, np.ones((5, 3), np.float32), np.array([[0], [bad]], np.int32))


def test_skipped_rows_stay_unwritten():
    def kernel(data, indices):
        dst = nl.ndarray((2, 3), "float32")
        nisa.dma_copy(dst, data.vector_select(0, on_chip(indices)), oob_mode=nisa.oob_mode.skip)
        return returned(dst)

    with pytest.raises(UninitializedReadError, match=r"element \(1, 0\)"):
        run(kernel, np.ones((5, 3), np.float32), np.array([[0], [9]], np.int32))


def test_gather_of_unwritten_rows():
    def kernel(indices):
        data = nl.ndarray((4, 3), "float32", buffer=nl.private_hbm)
        nisa.dma_copy(data[:2], nl.zeros((2, 3), "float32"))
        dst = nl.ndarray((2, 3), "float32")
        nisa.dma_copy(dst, data.vector_select(0, on_chip(indices)))
        return returned(dst)

    assert not run(kernel, np.array([[1], [0]], np.int32)).any()
    with pytest.raises(UninitializedReadError):
        run(kernel, np.array([[1], [2]], np.int32))


def test_one_offset_out_of_bounds_is_skipped():
    def kernel(data, at, skip):
        dst = nl.zeros((1, 3), "float32")
        src = data.ap([[3, 1], [1, 3]], scalar_offset=on_chip(at))
        nisa.dma_copy(dst, src, oob_mode=nisa.oob_mode.skip if skip else nisa.oob_mode.error)
        return returned(dst)

    x = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
    np.testing.assert_array_equal(run(kernel, x, np.array([[2]], np.int32), True), x[2:3])
    assert not run(kernel, x, np.array([[4]], np.int32), True).any()
    with pytest.raises(OutOfBoundsError):
        run(kernel, x, np.array([[4]], np.int32), False)


def transpose(x, mode=nisa.dge_mode.unknown):
    axes = {2: (1, 0), 3: (2, 1, 0), 4: (3, 1, 2, 0)}[len(x.shape)]
    dst = nl.ndarray(tuple(x.shape[axis] for axis in axes), x.dtype)
    nisa.dma_transpose(dst, x, axes, dge_mode=mode)
    return returned(dst)


@given(st.data())
def test_transpose(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=4)))
    dtype = data.draw(st.sampled_from(["float32", "float16", "int32", "uint8"]))
    x = RNG.integers(0, 100, shape).astype(dtype)
    want = x.swapaxes(0, -1) if len(shape) == 4 else x.T
    np.testing.assert_array_equal(run(transpose, x), want)


def gather_transpose(x, indices, count, skip):
    dst = nl.zeros((x.shape[1], count), x.dtype)
    src = x.ap([[x.shape[1], count], [1, x.shape[1]]], vector_offset=on_chip(indices))
    nisa.dma_transpose(dst, src, oob_mode=nisa.oob_mode.skip if skip else nisa.oob_mode.error)
    return returned(dst)


@pytest.mark.parametrize(("partitions", "columns", "count"), [(16, 1, 16), (128, 1, 112), (128, 3, 368)])
@pytest.mark.parametrize("skip", [False, True])
def test_transpose_by_indices(partitions, columns, count, skip):
    x = RNG.standard_normal((40, 32)).astype(np.float16)
    index = RNG.integers(0, 50 if skip else 40, (partitions, columns)).astype(np.uint32)
    flat = index.T.ravel()[:count]
    want = np.where(flat < 40, x[np.minimum(flat, 39)].T, 0)
    np.testing.assert_array_equal(run(gather_transpose, x, index, count, skip), want)


def add_all(*arrays):
    dst = nl.ndarray(arrays[0].shape, "bfloat16")
    nisa.dma_compute(dst, [on_chip(x) if number % 2 else x for number, x in enumerate(arrays)], nl.add)
    return returned(dst)


@given(st.integers(1, 16))
def test_sum(count):
    arrays = RNG.standard_normal((count, 5, 7)).astype(np.float32)
    want = arrays[0]
    for x in arrays[1:]:
        want = want + x
    np.testing.assert_array_equal(run(add_all, *arrays), want.astype(ml_dtypes.bfloat16))


def scatter_add(table, values, indices, swapped):
    rows = table.ap([[table.shape[1], values.shape[0]], [1, table.shape[1]]], vector_offset=on_chip(indices))
    tile = on_chip(values)
    nisa.dma_compute(rows, [tile, rows] if swapped else [rows, tile], nl.add, oob_mode=nisa.oob_mode.skip)
    return table


def gather_add(table, values, indices, swapped):
    tile = on_chip(values)
    rows = table.vector_select(0, on_chip(indices))
    nisa.dma_compute(tile, [tile, rows] if swapped else [rows, tile], nl.add, oob_mode=nisa.oob_mode.skip)
    return returned(tile)


@pytest.mark.parametrize("swapped", [False, True])
def test_read_modify_write(swapped):
    table = RNG.standard_normal((40, 6)).astype(np.float32)
    index, values = RNG.permutation(50)[:32], RNG.standard_normal((32, 6)).astype(np.float32)
    good = index < 40
    want, gathered = table.copy(), values.copy()
    want[index[good]] += values[good]
    gathered[good] += table[index[good]]
    vector = index.astype(np.uint32)[:, None]
    np.testing.assert_array_equal(run(gather_add, table, values, vector, swapped), gathered)
    np.testing.assert_array_equal(run(scatter_add, table.copy(), values, vector, swapped), want)


def test_sums_into_one_row_are_refused():
    with pytest.raises(KernelError, match="two indices are equal"):
        run(scatter_add, np.ones((4, 3), np.float32), np.ones((2, 3), np.float32), np.ones((2, 1), np.uint32), False)
