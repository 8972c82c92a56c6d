"""What the kernels of published descriptions share: tiles, loads and stores, products of one tile."""

from __future__ import annotations

from ...backends.simulator import isa as nisa
from ...backends.simulator import language as nl
from ...backends.simulator.tensor.nkitensor import NkiTensor
from ...backends.simulator.tensor.storage import MemoryRegion

__all__ = ["Transfers", "new_like", "new_tile", "transpose"]


def new_tile(rows: int, columns: int, buffer: MemoryRegion = nl.sbuf, dtype: str = "float32") -> NkiTensor:
    """Make a tile."""
    return nl.ndarray((rows, columns), dtype, buffer)


def new_like(tile: NkiTensor, dtype: str = "float32") -> NkiTensor:
    """Make a tile of another's shape in SBUF."""
    return new_tile(tile.shape[0], tile.size // tile.shape[0], dtype=dtype)


def transpose(tile: NkiTensor, identity: NkiTensor) -> NkiTensor:
    """Transpose a tile by a product with the identity; it is left in PSUM."""
    turned = new_tile(tile.shape[1], tile.shape[0], nl.psum)
    nisa.nc_matmul(turned, tile, identity, is_transpose=True, is_moving_onezero=True)
    return turned


class Transfers:
    """
    Loads and stores of a kernel.

    Parameters
    ----------
    static : bool
        Whether descriptors exist before the kernel runs, as the compiler's option ``--disable-dge`` asks for.
    """

    def __init__(self, static: bool) -> None:
        self._mode = nisa.dge_mode.none if static else nisa.dge_mode.unknown

    def load(self, source: NkiTensor, onto: NkiTensor | None = None) -> NkiTensor:
        """Load rows of HBM, into a new tile by default."""
        tile = new_tile(source.shape[0], source.size // source.shape[0], dtype=source.dtype) if onto is None else onto
        nisa.dma_copy(tile, source.reshape(tile.shape) if source.ndim != tile.ndim else source, dge_mode=self._mode)
        return tile

    def store(self, destination: NkiTensor, tile: NkiTensor) -> None:
        """Store a tile to rows of HBM."""
        nisa.dma_copy(destination, tile, dge_mode=self._mode)
