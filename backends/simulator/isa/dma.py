"""DMA: data between HBM and SBUF."""

from __future__ import annotations

from ..engines import dge_mode as dge_modes
from ..engines import engine as engines
from ..engines import oob_mode as oob_modes
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .rules import SBUF, equal_dtypes, in_memory, requires, since

__all__ = ["dma_copy"]

_HBM = (MemoryRegion.private_hbm, MemoryRegion.shared_hbm)


def _hardware(i: Instruction) -> bool:
    return i["dge_mode"] is dge_modes.hwdge


def _negative(i: Instruction) -> Broken | None:
    return next((Broken(view.get_pattern(), "strides >= 0") for view in (i["dst"], i["src"]) if min(view.strides) < 0), None)


def _copy(run: Run, i: Instruction) -> None:
    dst, src = i["dst"], i["src"]
    if dst.dtype == src.dtype:
        run.write_bits(dst, run.read(src))
    else:
        run.write(dst, run.float32(src))


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
    """
    Copy between HBM and SBUF; through float32 if the dtypes differ.

    Parameters
    ----------
    dst, src : NkiTensor
        As many elements, in the order of their axes.
    priority : int, optional
        0 to 3, from trn3 on.
    oob_mode : oob_mode, optional
        What a run-time index out of range does.
    dge_mode : dge_mode, optional
        Who makes the descriptors.
    engine : engine, optional
        Queue, with hardware descriptors.
    name : str, optional
        For scheduling.

    Returns
    -------
    NkiInstruction
        A handle.
    """
    return DMA_COPY.issue(dst=dst, src=src, priority=priority, oob_mode=oob_mode, dge_mode=dge_mode, engine=engine, name=name)
