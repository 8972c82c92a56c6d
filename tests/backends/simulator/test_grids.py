"""Grids of tiles and blocks against NumPy's slices."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

RNG = np.random.default_rng(2)
X = RNG.standard_normal((300, 200)).astype(np.float32)


def run(kernel, *arrays):
    with simulator.options("trn2"):
        return simulator.jit(kernel)(*arrays)


def copy(source, target):
    tile = nl.ndarray(source.element_shape, source.dtype)
    nisa.dma_copy(tile.data, source.data)
    nisa.dma_copy(target.data, tile.data)


def test_tiles_cover_a_tensor():
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
        source, target = (nl.tiles(t, tile_shape=(128, 64)) for t in (x, out))
        assert source.shape == (3, 4)
        assert (source.dtype, source.buffer, source.index_step_elements) == (x.dtype, x.buffer, (128, 64))
        assert source[2, 3].element_shape == (44, 8)
        assert source[2, 3].is_remainder
        assert not source[0, 0].is_remainder
        assert source[1].shape == (4,)
        assert source[-1, -1].element_shape == (44, 8)
        assert source[-1, -1].data.offset == source[2, 3].data.offset
        assert source[:, 1].element_shape == (300, 64)
        for i in range(3):
            for j in range(4):
                copy(source[i][j] if i else source[i, j], target[i, j])
        return out

    np.testing.assert_array_equal(run(kernel, X), X)


def test_blocks_cover_a_tensor():
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
        source, target = (nl.blocks(t, tile_shape=(64, 32), block_shape=(3, 2)) for t in (x, out))
        assert (source.shape, source.block_shape, source.tile_shape) == ((2, 4), (3, 2), (64, 32))
        assert source[1, 3].element_shape == (108, 8)
        for i in range(2):
            for j in range(4):
                inner, to = nl.tiles(source[i, j]), nl.tiles(target[i, j])
                assert nl.blocks(inner, block_shape=(3, 2)).shape == (1, 1)
                for k in range(inner.shape[0]):
                    for m in range(inner.shape[1]):
                        copy(inner[k, m], to[k, m])
        return out

    np.testing.assert_array_equal(run(kernel, X), X)


def test_axes_that_are_not_tiled():
    def kernel(x):
        out = nl.ndarray((3, 64, 40), x.dtype, nl.shared_hbm)
        source, target = (nl.tiles(t, tile_shape=(64, 20)) for t in (x, out))
        assert source.shape == (3, 1, 2)
        for slab in range(3):
            for j in range(2):
                copy(source[slab, 0, j], target[slab, 0, j])
        return out

    x = RNG.standard_normal((3, 64, 40)).astype(np.float32)
    np.testing.assert_array_equal(run(kernel, x), x)


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (nl.tiles, ValueError),
        (lambda x: nl.tiles(x, tile_shape=(64,)), ValueError),
        (lambda x: nl.tiles(x, tile_shape=(64, 0)), ValueError),
        (lambda x: nl.tiles(x, tile_shape=[64, 64]), TypeError),
        (lambda x: nl.tiles(nl.tiles(x, tile_shape=(64, 64)), tile_shape=(32, 32)), ValueError),
        (lambda x: nl.blocks(x, tile_shape=(64, 64), block_shape=(1,)), ValueError),
        (lambda x: nl.tiles(x, tile_shape=(64, 64))[5], IndexError),
        (lambda x: nl.tiles(x, tile_shape=(64, 64))[0, 0, 0], IndexError),
        (lambda x: nl.tiles(x, tile_shape=(64, 64))[::-1], IndexError),
        (lambda x: nl.tiles(x, tile_shape=(64, 64))[::2].data, ValueError),
        (lambda x: nl.tiles(nl.blocks(x, tile_shape=(64, 64), block_shape=(1, 1))[:, ::2]), ValueError),
        (lambda x: nl.tiles(x[:256], tile_shape=(64, 64))[::2][nisa.register_alloc(0)], IndexError),
        (lambda x: nl.empty_like(x[:, :64], transpose_axes=(1, 0)), ValueError),
        (lambda x: nl.empty_like(x, buffer=nl.sbuf, transpose_axes=(1, 0)), ValueError),
        (lambda x: nl.empty_like(x[:, :64], buffer=nl.sbuf, transpose_axes=(0, 1)), ValueError),
        (lambda x: nl.tiles(x, tile_shape=(64, 64))[1.0], IndexError),
    ],
)
def test_what_is_refused(use, error):
    with pytest.raises(error):
        run(use, X)


def test_run_time_indices():
    """Rows of tiles counted by a loop; blocks counted by a loop and their tiles by Python; slabs that are not tiled."""

    def rows(x):
        out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
        source, target = (nl.tiles(t, tile_shape=(64, 100)) for t in (x, out))

        def body(i):
            assert source[i, 0].element_shape == (64, 100)
            assert source[i].shape == (2,)
            assert not source[i].is_remainder
            for j in range(2):
                copy(source[i, j], target[i, j])

        nl.fori_loop(0, 4, body)
        return out

    def inside(x):
        out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
        source, target = (nl.blocks(t, tile_shape=(32, 100), block_shape=(4, 1)) for t in (x, out))

        def body(i):
            for j in range(2):
                inner, to = nl.tiles(source[i, j]), nl.tiles(target[i, j])
                assert inner.shape == (4, 1)
                for k in range(4):
                    copy(inner[k, 0], to[k, 0])

        nl.fori_loop(0, 2, body)
        return out

    def slabs(x):
        out = nl.ndarray((4, 64, 200), x.dtype, nl.shared_hbm)
        source, target = (nl.tiles(t, tile_shape=(64, 100)) for t in (x, out))
        nl.fori_loop(0, 4, lambda i: [copy(source[i, 0, j], target[i, 0, j]) for j in range(2)] and None)
        return out

    x = RNG.standard_normal((256, 200)).astype(np.float32)
    np.testing.assert_array_equal(run(rows, x), x)
    np.testing.assert_array_equal(run(inside, x), x)
    np.testing.assert_array_equal(run(slabs, x.reshape(4, 64, 200)), x.reshape(4, 64, 200))


@pytest.mark.parametrize("tile", [(128, 64), (60, 200)])
def test_run_time_indices_select_whole_units_once(tile):
    def kernel(x):
        index = nisa.register_alloc(0)
        grid = nl.tiles(x, tile_shape=tile)
        if tile[0] == 60:
            nl.tiles(grid[index, 0])[index, 0]  # of one axis twice
        grid[index, 0]

    with pytest.raises(IndexError, match="run-time index"):
        run(kernel, X)


def test_allocated_grids():
    def kernel(x):
        out = nl.alloc_blocks(tile_shape=(64, 32), block_shape=(1, 3), element_shape=x.shape, buffer=nl.shared_hbm, dtype=x.dtype)
        held = nl.alloc_tiles(tile_shape=(64, 32), element_shape=(64, 200), buffer=nl.sbuf, dtype=x.dtype, address=(0, 64))
        source = nl.tiles(x, tile_shape=(64, 32))
        assert (out.shape, held.shape, nl.empty_like(source).shape) == ((5, 3), (1, 7), (5, 7))
        like = nl.empty_like(out[1, :], buffer=nl.sbuf)
        assert (like.shape, like.element_shape, like.block_shape, like.buffer) == ((3,), (64, 200), (1, 3), nl.sbuf)
        assert nl.empty_like(x[:64], buffer=nl.sbuf).shape == (64, 200)
        for i in range(5):
            rows = source[i, :].element_shape[0]
            nisa.dma_copy(held.data[:rows], source[i, :].data)
            nisa.dma_copy(out[i, :].data, held.data[:rows])
        return out.data

    np.testing.assert_array_equal(run(kernel, X), X)


def test_allocated_grids_say_what_they_cannot_do():
    arguments = {"tile_shape": (64, 64), "element_shape": (128, 64), "buffer": nl.sbuf, "dtype": nl.float32}
    for changes, error in (({}, NotImplementedError), ({"buffer": "sbuf"}, TypeError), ({"element_shape": (0, 64)}, ValueError)):
        with pytest.raises(error):
            run(lambda x: nl.alloc_tiles(**(arguments | changes)), X)  # noqa: B023


def test_units_that_are_apart():
    """Every second row of tiles and every third column, of which the last is partial; they become dense in another grid."""

    def kernel(x):
        cells = nl.tiles(x, tile_shape=(64, 32))[1::2, ::3]
        assert (cells.shape, cells.element_shape, cells.index_step_elements) == ((2, 3), (128, 72), (128, 96))
        assert cells.is_remainder
        assert not cells.is_data_representable
        assert cells[:, 1:].index_step_elements == (128, 96)
        assert cells[::2, ::2].index_step_elements == (64, 192)
        assert cells[0, 0].is_data_representable
        assert cells[0, -1].element_shape == (64, 8)
        out = nl.empty_like(cells, buffer=nl.shared_hbm)
        assert (out.shape, out.element_shape, out.index_step_elements) == ((2, 3), (128, 72), (64, 32))
        for i in range(2):
            for j in range(3):
                copy(cells[i, j], out[i, j])
        return out.data

    want = np.concatenate([X[64:128], X[192:256]])[:, np.r_[0:32, 96:128, 192:200]]
    np.testing.assert_array_equal(run(kernel, X), want)


def test_slabs_that_are_apart_are_one_view():
    def kernel(x):
        slabs = nl.tiles(x, tile_shape=(20, 40))[1::2]
        assert slabs.is_data_representable
        out = nl.empty_like(slabs)
        nisa.dma_copy(out.data, slabs.data)
        return out.data

    x = RNG.standard_normal((5, 20, 40)).astype(np.float32)
    np.testing.assert_array_equal(run(kernel, x), x[1::2])


def test_transposed_destinations():
    """A tensor, one tile of a grid, and one of three axes; at explicit addresses."""

    def kernel(x, y):
        rows = nl.tiles(x, tile_shape=(64, 32))[1, 2]
        tensor = nl.empty_like(x[:64, :32], buffer=nl.sbuf, transpose_axes=(1, 0), address=(0, 1024))
        tile = nl.empty_like(rows, buffer=nl.sbuf, transpose_axes=(1, 0), address=(0, 4096))
        assert (tile.tile_shape, tile.shape) == ((32, 64), ())
        deep = nl.empty_like(y, buffer=nl.sbuf, transpose_axes=(2, 1, 0))
        outputs = []
        for source, held, axes in ((x[:64, :32], tensor, (1, 0)), (rows.data, tile.data, (1, 0)), (y, deep, (2, 1, 0))):
            nisa.dma_transpose(held, source, axes=axes)
            outputs.append(nl.ndarray(held.shape, held.dtype, nl.shared_hbm))
            nisa.dma_copy(outputs[-1], held)
        return tuple(outputs)

    x, y = X.astype(np.float16), RNG.standard_normal((16, 3, 20)).astype(np.float16)
    first, second, third = run(kernel, x, y)
    np.testing.assert_array_equal(first, x[:64, :32].T)
    np.testing.assert_array_equal(second, x[64:128, 64:96].T)
    np.testing.assert_array_equal(third, y.transpose(2, 1, 0))
