"""Constraints of gather, scatter and the other DMA instructions."""

from typing import Final

from .. import language as nl
from ..engines import dge_mode
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .case import Call, Case, Operand, hbm, sbuf


def _rows(rows: int, columns: int, indices: int, of_indices: int = 1, dtype: str = "float32") -> Operand:
    """Rows of an HBM tensor at run-time indices."""

    def view(tensor: NkiTensor) -> NkiTensor:
        vector = nl.ndarray((indices, of_indices), "uint32", MemoryRegion.sbuf)
        return tensor.ap([[columns, rows], [1, columns]], vector_offset=vector)

    return hbm(256, columns, dtype=dtype, view=view)


_GATHER = Call("dma_copy", dst=sbuf(128, 16), src=_rows(128, 16, 128))

CASES: Final = (
    Case("dma_copy:index per row", _GATHER.but(src=_rows(128, 16, 64)), _GATHER),
    Case("dma_copy:gather rows", _GATHER.but(dst=sbuf(64, 32)), _GATHER.but(dst=sbuf(128, 4, 4))),
    Case("dma_copy:indices by software", _GATHER.but(dge_mode=dge_mode.hwdge), _GATHER.but(dge_mode=dge_mode.swdge)),
)
