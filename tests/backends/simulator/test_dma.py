"""Gather, scatter, transposes and sums of DMA against NumPy indexing."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.errors import OutOfBoundsError, UninitializedReadError

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
