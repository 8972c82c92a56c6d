"""Constraints of gather, scatter and the other DMA instructions."""

from collections.abc import Callable
from typing import Any, Final

from ...backends.simulator import isa
from ...backends.simulator import language as nl
from ...backends.simulator.engines import dge_mode, oob_mode
from ...backends.simulator.tensor.nkitensor import NkiTensor
from ...backends.simulator.tensor.storage import MemoryRegion
from .case import Call, Case, Operand, hbm, psum, sbuf


def _rows(rows: int, columns: int, indices: int, of_indices: int = 1, dtype: str = "float32") -> Operand:
    """Rows of an HBM tensor at run-time indices."""

    def view(tensor: NkiTensor) -> NkiTensor:
        vector = nl.ndarray((indices, of_indices), "uint32", MemoryRegion.sbuf)
        return tensor.ap([[columns, rows], [1, columns]], vector_offset=vector)

    return hbm(256, columns, dtype=dtype, view=view)


def _rmw(*others: Operand) -> Callable[[], object]:
    """Add to rows at run-time indices."""

    def body() -> None:
        dst = _rows(128, 16, 128).make()
        isa.dma_compute(dst, [dst, *(other.make() for other in others)], nl.add)

    return body


_GATHER = Call("dma_copy", dst=sbuf(128, 16), src=_rows(128, 16, 128))
_T = Call("dma_transpose", dst=sbuf(128, 16, dtype="bfloat16"), src=hbm(16, 128, dtype="bfloat16"))
_HW = _T.but(dge_mode=dge_mode.hwdge)
_BY_INDEX = _T.but(src=_rows(16, 128, 16, dtype="bfloat16"))


def _sum(*sources: Operand, dst: Operand | None = None, **changes: Any) -> Callable[[], object]:
    """Add sources that are made in the kernel."""

    def body() -> None:
        to = (sbuf(128, 16) if dst is None else dst).make()
        isa.dma_compute(to, [source.make() for source in sources], **{"reduce_op": nl.add, **changes})

    return body


_TILE = sbuf(128, 16)

CASES: Final = (
    Case("dma_copy:index per row", _GATHER.but(src=_rows(128, 16, 64)), _GATHER),
    Case("dma_copy:gather rows", _GATHER.but(dst=sbuf(64, 32)), _GATHER.but(dst=sbuf(128, 4, 4))),
    Case("dma_copy:indices by software", _GATHER.but(dge_mode=dge_mode.hwdge), _GATHER.but(dge_mode=dge_mode.swdge)),
    Case("dma_transpose:dst in sbuf", _T.but(dst=hbm(128, 16, dtype="bfloat16")), _T),
    Case(
        "dma_transpose:src in sbuf or private_hbm or shared_hbm",
        _T.but(src=psum(16, 128, dtype="bfloat16")),
        _T.but(src=sbuf(16, 128, dtype="bfloat16")),
    ),
    Case("dma_transpose:dst src equal dtypes", _T.but(dst=sbuf(128, 16, dtype="float16")), _T),
    Case("dma_transpose:axes", _T.but(axes=(0, 1)), _T.but(axes=(1, 0))),
    Case("dma_transpose:dst shape", _T.but(dst=sbuf(16, 128, dtype="bfloat16")), _T),
    Case("dma_transpose:descriptors", _T.but(dge_mode=dge_mode.swdge), _HW),
    Case("dma_transpose:descriptors", _BY_INDEX.but(dge_mode=dge_mode.hwdge), _BY_INDEX.but(dge_mode=dge_mode.swdge)),
    Case("dma_transpose:hwdge since v3", _HW, _HW, "trn1", "trn2"),
    Case("dma_transpose:transpose by indices since v3", _BY_INDEX, _BY_INDEX, "trn1", "trn2"),
    Case("dma_transpose:two bytes", _HW.but(dst=sbuf(128, 16), src=hbm(16, 128)), _T.but(dst=sbuf(128, 16), src=hbm(16, 128))),
    Case(
        "dma_transpose:hardware tile",
        _HW.but(dst=sbuf(128, 2, 4, dtype="bfloat16"), src=hbm(4, 2, 128, dtype="bfloat16")),
        _HW.but(dst=sbuf(128, 4, 4, dtype="bfloat16"), src=hbm(4, 4, 128, dtype="bfloat16")),
    ),
    Case("dma_transpose:indices", _BY_INDEX.but(src=_rows(16, 128, 8, 2, dtype="bfloat16")), _BY_INDEX),
    Case(
        "dma_transpose:tile by indices",
        _BY_INDEX.but(dst=sbuf(128, 8, dtype="bfloat16"), src=_rows(8, 128, 16, dtype="bfloat16")),
        _BY_INDEX.but(dst=sbuf(128, 256, dtype="bfloat16"), src=_rows(256, 128, 128, 2, dtype="bfloat16")),
    ),
    Case("dma_transpose:skip", _T.but(oob_mode=oob_mode.skip), _BY_INDEX.but(oob_mode=oob_mode.skip)),
    Case("dma_transpose:DMA priority since v4", _T.but(priority=3), _T.but(priority=3), "trn2", "trn3"),
    Case("dma_transpose:priority", _T.but(priority=4), _T.but(priority=0), "trn3"),
    Case("dma_compute:reduce_op add", _sum(_TILE, reduce_op=nl.multiply), _sum(_TILE)),
    Case("dma_compute:sources", _sum(*[_TILE] * 17), _sum(*[_TILE] * 16)),
    Case("dma_compute:memories", _sum(psum(128, 16)), _sum(hbm(128, 16))),
    Case("dma_compute:elements", _sum(_TILE, hbm(128, 15)), _sum(_TILE, hbm(64, 32))),
    Case("dma_compute:scales", _sum(_TILE, scales=[2.0]), _sum(_TILE, scales=[1.0])),
    Case("dma_compute:unique indices", _sum(_TILE, unique_indices=False), _sum(_TILE, unique_indices=True)),
    Case("dma_compute:read, modify, write", _sum(_TILE, _rows(128, 16, 128)), _rmw(_TILE)),
    Case("dma_compute:read, modify, write", _rmw(_TILE, _TILE), _rmw(_TILE)),
)
