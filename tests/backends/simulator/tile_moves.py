"""Arrays to tiles in SBUF, and tiles to tensors in HBM."""

from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl


def load(array):
    tile = nl.ndarray(array.shape, array.dtype, nl.sbuf)
    nisa.dma_copy(tile, array)
    return tile


def store(tile):
    out = nl.ndarray(tile.shape, tile.dtype, nl.shared_hbm)
    nisa.dma_copy(out, tile)
    return out
