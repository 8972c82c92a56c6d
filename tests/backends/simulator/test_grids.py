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
        (lambda x: nl.tiles(x, tile_shape=(64, 64))[::2], IndexError),
        (lambda x: nl.tiles(x, tile_shape=(64, 64))[1.0], IndexError),
    ],
)
def test_what_is_refused(use, error):
    with pytest.raises(error):
        run(use, X)
