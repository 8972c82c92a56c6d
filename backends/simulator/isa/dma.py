"""DMA: data between HBM and SBUF."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..dtypes import to_float32
from ..engines import dge_mode as dge_modes
from ..engines import engine as engines
from ..engines import oob_mode as oob_modes
from ..errors import OutOfBoundsError
from ..machine.rows import is_rows, locate_rows, read_rows, write_rows
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .rules import ISA, SBUF, equal_dtypes, in_memory, requires, since

__all__ = ["dma_copy", "one_index_per_row"]

_HBM = (MemoryRegion.private_hbm, MemoryRegion.shared_hbm)


def _hardware(i: Instruction) -> bool:
    return i["dge_mode"] is dge_modes.hwdge


def _negative(i: Instruction) -> Broken | None:
    return next((Broken(view.get_pattern(), "strides >= 0") for view in (i["dst"], i["src"]) if min(view.strides) < 0), None)


def one_index_per_row(i: Instruction, *names: str) -> Broken | None:
    """Check that there is a run-time index for each row, in one column."""
    for view in (i[name] for name in names):
        if is_rows(view) and view._indirection.source.shape != (view.shape[0], 1):
            return Broken(f"indices {view._indirection.source.shape} for {view.shape}", (view.shape[0], 1))
    return None


def _out_of_bounds(run: Run, view: NkiTensor, mode: oob_modes) -> bool:
    """Whether the one run-time offset of a view leads out of it and that is to be skipped."""
    if mode is not oob_modes.skip or view._indirection is None or is_rows(view):
        return False
    try:
        run.locate(view)
    except OutOfBoundsError:
        return True
    return False


def _copy(run: Run, i: Instruction) -> None:
    dst, src, mode = i["dst"], i["src"], i["oob_mode"]
    if _out_of_bounds(run, src, mode) or _out_of_bounds(run, dst, mode):
        return
    if is_rows(src):
        rows = locate_rows(run, src, mode)
        values = _cast(run, read_rows(run, src, rows), src.dtype, dst.dtype)
        for row, value in zip(rows.taken, values, strict=True) if len(rows.taken) < src.shape[0] else ():
            run.write_bits(dst.slice(0, int(row), int(row) + 1), value)
        if len(rows.taken) == src.shape[0]:
            run.write_bits(dst, values)
    elif is_rows(dst):
        rows = locate_rows(run, dst, mode)
        values = _cast(run, run.read(src).reshape(dst.shape)[rows.taken], src.dtype, dst.dtype)
        write_rows(run, rows, values)
    elif dst.dtype == src.dtype:
        run.write_bits(dst, run.read(src))
    else:
        run.write(dst, run.float32(src))


def _cast(run: Run, values: NDArray[Any], source: str, to: str) -> NDArray[Any]:
    """Convert stored elements as a DMA does: through float32."""
    return values if source == to else run.rounded(to_float32(values), to)


def _gather_shape(i: Instruction) -> Broken | None:
    dst, src = i["dst"], i["src"]
    if is_rows(dst) and is_rows(src):
        return Broken("gather and scatter in one", "one of them")
    uneven = (is_rows(src) or is_rows(dst)) and dst.shape[0] != src.shape[0]
    return Broken((dst.shape, src.shape), "equal first axes") if uneven else None


DMA_COPY = Opcode(
    "dma_copy",
    writes=("dst",),
    reads=("src",),
    engines=(engines.dma, engines.sync, engines.scalar, engines.gpsimd),
    execute=_copy,
    rules=(
        in_memory("dst src", SBUF, *_HBM),
        requires(
            "elements",
            "dst and src have as many elements",
            lambda i: i["dst"].size == i["src"].size,
            "equal sizes",
            lambda i: (i["dst"].shape, i["src"].shape),
        ),
        Rule("no negative strides", "a DMA pattern does not step backwards", "access-pattern guide", _negative),
        since(3, "hwdge", _hardware),
        equal_dtypes("dst src", when=_hardware),
        requires(
            "queue",
            "an engine is chosen with hwdge only, and is sync or scalar",
            lambda i: i["engine"] is engines.unknown or (_hardware(i) and i["engine"] in (engines.sync, engines.scalar)),
            "sync or scalar with dge_mode.hwdge",
            lambda i: f"{i['engine'].name} with {i['dge_mode'].name}",
        ),
        Rule("index per row", "a gather or scatter has an index per row", ISA, lambda i: one_index_per_row(i, "dst", "src")),
        Rule("gather rows", "a gather or scatter moves row for row, on one side", ISA, _gather_shape),
        requires(
            "indices by software",
            "indices per row need software descriptors",
            lambda i: not (is_rows(i["dst"]) or is_rows(i["src"])) or i["dge_mode"] in (dge_modes.unknown, dge_modes.swdge),
            "dge_mode.unknown or swdge",
            lambda i: i["dge_mode"].name,
        ),
        since(4, "DMA priority", lambda i: i["priority"] is not None),
        requires("priority", "priorities are 0 to 3", lambda i: i["priority"] in (None, 0, 1, 2, 3), "0..3", lambda i: i["priority"]),
    ),
)


def dma_copy(
    dst: NkiTensor,
    src: NkiTensor,
    priority: int | None = None,
    oob_mode: oob_modes = oob_modes.error,
    dge_mode: dge_modes = dge_modes.unknown,
    engine: engines = engines.unknown,
    name: str | None = None,
) -> NkiInstruction:
    """Copy between HBM and SBUF; through float32 if the dtypes differ. See `nki.isa.dma_copy`."""
    return DMA_COPY.issue(dst=dst, src=src, priority=priority, oob_mode=oob_mode, dge_mode=dge_mode, engine=engine, name=name)
