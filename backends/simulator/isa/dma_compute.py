"""DMA that adds on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..dtypes import to_float32
from ..engines import engine as engines
from ..engines import oob_mode as oob_modes
from ..errors import KernelError
from ..machine.rows import is_rows, locate_rows, read_rows, write_rows
from ..machine.run import Run
from ..operators import Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .rules import ISA, SBUF, operator_is, requires

__all__ = ["dma_compute"]

_SOURCES_MAX: Final = 16
_MEMORIES: Final = (SBUF, MemoryRegion.private_hbm, MemoryRegion.shared_hbm)


def _views(i: Instruction) -> list[NkiTensor]:
    return [i["dst"], *i["srcs"]]


def _memory(i: Instruction) -> Broken | None:
    return next((Broken(view.buffer.value, "sbuf or hbm") for view in _views(i) if view.buffer not in _MEMORIES), None)


def _indirect(i: Instruction) -> bool:
    return any(view._indirection is not None for view in _views(i))


def _same(left: NkiTensor, right: NkiTensor) -> bool:
    """Whether two views are the same elements; indices count as the same if they are the same view."""
    a, b = left._indirection, right._indirection
    if left._storage is not right._storage or left._bytes != right._bytes or (a is None) != (b is None):
        return False
    if a is None or b is None or not (isinstance(a.source, NkiTensor) and isinstance(b.source, NkiTensor)):
        return a == b
    return a[2:] == b[2:] and _same(a.source, b.source)


def _modify(i: Instruction) -> Broken | None:
    """Scatter: dst and one source are the same rows; gather: a source is rows, another is dst."""
    if not _indirect(i):
        return None
    dst, srcs = i["dst"], i["srcs"]
    rows = [is_rows(source) for source in srcs]
    good = len(srcs) == 2 and sum(rows) == 1
    if good:
        indexed, other = (srcs[0], srcs[1]) if rows[0] else (srcs[1], srcs[0])
        of_dst = _same(dst, indexed if is_rows(dst) else other)
        good = of_dst and indexed._indirection.source.shape == (indexed.shape[0], 1) and (indexed.shape[0] == other.shape[0])
        good = good and (other if is_rows(dst) else dst).buffer is SBUF
    return None if good else Broken(f"dst {dst!r}, srcs {list(srcs)!r}", "dst[rows] = dst[rows] + tile, or tile = tile + src[rows]")


def _compute(run: Run, i: Instruction) -> None:
    dst, srcs = i["dst"], i["srcs"]
    indexed = next((source for source in srcs if is_rows(source)), None)
    if indexed is None:
        total = run.float32(srcs[0])
        for source in srcs[1:]:
            total = total + run.float32(source).reshape(total.shape)
        run.write(dst, total.reshape(dst.shape))
        return
    rows = locate_rows(run, indexed, i["oob_mode"])
    other = srcs[1] if indexed is srcs[0] else srcs[0]
    tile = run.float32(other).reshape(indexed.shape)
    total = to_float32(read_rows(run, indexed, rows)) + tile[rows.taken]
    if is_rows(dst):
        if len(np.unique(rows.place)) != len(rows.place):
            raise KernelError(
                "dma_compute: two indices are equal, so that a sum may be lost; unique_indices=True promises that they are not", i.where
            )
        write_rows(run, rows, run.rounded(total, dst.dtype))
    else:
        result = tile.copy()
        result[rows.taken] = total
        run.write(dst, result.reshape(dst.shape))


DMA_COMPUTE = Opcode(
    "dma_compute",
    writes=("dst",),
    reads=("srcs",),
    engines=(engines.dma,),
    execute=_compute,
    rules=(
        operator_is("reduce_op", "add", lambda op: op.name == "add"),
        requires(
            "sources",
            f"there are 1 to {_SOURCES_MAX} sources",
            lambda i: 1 <= len(i["srcs"]) <= _SOURCES_MAX,
            f"1..{_SOURCES_MAX}",
            lambda i: len(i["srcs"]),
        ),
        Rule("memories", "a DMA reaches SBUF and HBM", ISA, _memory),
        requires(
            "elements",
            "dst and all sources have as many elements",
            lambda i: len({view.size for view in _views(i)}) == 1,
            "equal sizes",
            lambda i: [view.shape for view in _views(i)],
        ),
        requires(
            "scales",
            "scales are 1.0, one for each source",
            lambda i: i["scales"] is None or (len(i["scales"]) == len(i["srcs"]) and all(scale == 1.0 for scale in i["scales"])),
            "None, or 1.0 for each source",
            lambda i: i["scales"],
        ),
        requires("unique indices", "indices are unique", lambda i: i["unique_indices"] is True, True, lambda i: i["unique_indices"]),
        Rule("read, modify, write", "with indices, one of two sources is dst and one has the indices", ISA, _modify),
    ),
)


def dma_compute(
    dst: NkiTensor,
    srcs: Sequence[NkiTensor],
    reduce_op: Operator,
    scales: Sequence[float] | None = None,
    unique_indices: bool = True,
    oob_mode: oob_modes = oob_modes.error,
    name: str | None = None,
) -> NkiInstruction:
    """Add tensors in float32 while they are copied. See `nki.isa.dma_compute`."""
    return DMA_COMPUTE.issue(
        dst=dst, srcs=list(srcs), reduce_op=reduce_op, scales=scales, unique_indices=unique_indices, oob_mode=oob_mode, name=name
    )
