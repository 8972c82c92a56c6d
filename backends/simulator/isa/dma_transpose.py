"""DMA that reverses axes on the way into SBUF."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..dtypes import itemsize
from ..engines import dge_mode as dge_modes
from ..engines import engine as engines
from ..engines import oob_mode as oob_modes
from ..machine.rows import is_rows, locate_rows, read_rows
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .rules import ISA, SBUF, equal_dtypes, in_memory, requires, since

__all__ = ["dma_transpose"]

_AXES: Final = {2: (1, 0), 3: (2, 1, 0), 4: (3, 1, 2, 0)}


def _hardware(i: Instruction) -> bool:
    return i["dge_mode"] is dge_modes.hwdge


def _axes(i: Instruction) -> Broken | None:
    known, given = _AXES.get(i["src"].ndim), i["axes"]
    wrong = known is None or (given is not None and tuple(given) != known)
    return Broken(f"{given} of {i['src'].ndim} axes", ", ".join(map(str, _AXES.values()))) if wrong else None


def _shape(i: Instruction) -> Broken | None:
    wanted = tuple(i["src"].shape[axis] for axis in _AXES[i["src"].ndim])
    return Broken(i["dst"].shape, wanted) if i["dst"].shape != wanted else None


def _descriptors(i: Instruction) -> Broken | None:
    allowed = (dge_modes.unknown, dge_modes.swdge if is_rows(i["src"]) else dge_modes.hwdge)
    return Broken(i["dge_mode"].name, " or ".join(mode.name for mode in allowed)) if i["dge_mode"] not in allowed else None


def _hardware_tile(i: Instruction) -> Broken | None:
    shape = i["src"].shape
    if len(shape) == 2:
        good = shape[0] == 16
    else:
        good = shape[0] in (1, 2, 4, 8, 16) and not shape[0] * shape[-2] % 16
    return None if not _hardware(i) or (good and shape[-1] <= 128) else Broken(shape, "first axis 16 (3-D, 4-D: see there), last <= 128")


def _indices(i: Instruction) -> Broken | None:
    src = i["src"]
    if not is_rows(src):
        return None
    source = src._indirection.source
    rows, columns = source.shape
    shaped = 16 <= rows <= 128 and not rows % 16 and (columns == 1 or rows == 128)
    good = source.dtype == "uint32" and shaped and source.size >= src.shape[0]
    return None if good else Broken(f"{source.dtype} {source.shape}", "uint32, (16..128 by 16, 1) or (128, n), one for each row of src")


def _indirect_tile(i: Instruction) -> Broken | None:
    shape = i["src"].shape
    good = shape[-1] <= 128 and not shape[0] % 16 and (len(shape) < 4 or 1 in shape[1:3])
    allowed = "first axis a multiple of 16, last <= 128; of four axes one in the middle 1"
    return None if not is_rows(i["src"]) or good else Broken(shape, allowed)


def _transpose(run: Run, i: Instruction) -> None:
    dst, src, axes = i["dst"], i["src"], _AXES[i["src"].ndim]
    if not is_rows(src):
        run.write_bits(dst, run.read(src).transpose(axes))
        return
    rows = locate_rows(run, src, i["oob_mode"])
    values = read_rows(run, src, rows)
    if len(rows.taken) == src.shape[0]:
        run.write_bits(dst, values.transpose(axes))
        return
    last = dst.ndim - 1
    for row, value in zip(rows.taken, values, strict=True):
        run.write_bits(dst.slice(last, int(row), int(row) + 1), np.expand_dims(value, 0).transpose(axes))


DMA_TRANSPOSE = Opcode(
    "dma_transpose",
    writes=("dst",),
    reads=("src",),
    engines=(engines.dma,),
    execute=_transpose,
    rules=(
        in_memory("dst", SBUF),
        in_memory("src", SBUF, MemoryRegion.private_hbm, MemoryRegion.shared_hbm),
        equal_dtypes("dst src"),
        Rule("axes", "the axes are reversed, of four only the outer ones", ISA, _axes),
        Rule("dst shape", "dst has the axes of src in that order", ISA, _shape),
        Rule("descriptors", "a transpose has hardware descriptors, by indices software ones", ISA, _descriptors),
        since(3, "hwdge", _hardware),
        since(3, "transpose by indices", lambda i: is_rows(i["src"])),
        requires(
            "two bytes",
            "transposes by hardware descriptors or by indices move elements of two bytes",
            lambda i: not (_hardware(i) or is_rows(i["src"])) or itemsize(i["src"].dtype) == 2,
            "a dtype of two bytes",
            lambda i: i["src"].dtype,
        ),
        Rule("hardware tile", "hardware descriptors take tiles of 16 rows", ISA, _hardware_tile),
        Rule("indices", "indices are uint32 in columns of partitions", ISA, _indices),
        Rule("tile by indices", "rows by indices come in sixteens", ISA, _indirect_tile),
        requires(
            "skip",
            "only indices are skipped",
            lambda i: i["oob_mode"] is oob_modes.error or is_rows(i["src"]),
            "oob_mode.error",
            lambda i: i["oob_mode"].name,
        ),
        since(4, "DMA priority", lambda i: i["priority"] is not None),
        requires("priority", "priorities are 0 to 3", lambda i: i["priority"] in (None, 0, 1, 2, 3), "0..3", lambda i: i["priority"]),
    ),
)


def dma_transpose(
    dst: NkiTensor,
    src: NkiTensor,
    axes: tuple[int, ...] | None = None,
    priority: int | None = None,
    dge_mode: dge_modes = dge_modes.unknown,
    oob_mode: oob_modes = oob_modes.error,
    name: str | None = None,
) -> NkiInstruction:
    """Copy with axes reversed: ``(1, 0)``, ``(2, 1, 0)`` or ``(3, 1, 2, 0)``. See `nki.isa.dma_transpose`."""
    return DMA_TRANSPOSE.issue(dst=dst, src=src, axes=axes, priority=priority, dge_mode=dge_mode, oob_mode=oob_mode, name=name)
