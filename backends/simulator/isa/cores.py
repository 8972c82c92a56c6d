"""The two cores of a logical core: waiting for each other, and exchanging tiles."""

from __future__ import annotations

from typing import Any, Final

from ..dtypes import itemsize
from ..engines import dma_engine as dma_engines
from ..engines import engine as engines
from ..errors import KernelError
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..program.trace import current_trace
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .rules import SBUF, equal_dtypes, free_elements, in_memory, requires

__all__ = ["core_barrier", "sendrecv"]

Waiting = list[tuple[Run, Instruction]]
_TRIGGERS: Final = (engines.gpsimd, engines.vector, engines.scalar, engines.tensor, engines.sync)
_LNC2: Final = requires(
    "logical core of two",
    "cores meet in a logical core of two",
    lambda _: current_trace("nki.isa").cores == 2,
    "a launch as kernel[2](...)",
    lambda _: "a launch on one core",
)


def _never(run: Run, i: Instruction) -> None:
    raise KernelError(f"{i.opcode.name}: core {run.core} runs it together with the other", i.where)


def _by_logical_core(waiting: Waiting) -> list[Waiting]:
    """Group the cores of each rank: they share their HBM."""
    groups: dict[int, Waiting] = {}
    for run, i in waiting:
        groups.setdefault(id(run.memories.hbm), []).append((run, i))
    return list(groups.values())


def _agree(cores: Waiting, parameter: str, spelled: list[object]) -> None:
    if any(value != spelled[0] for value in spelled):
        i = cores[0][1]
        raise KernelError(f"{i.opcode.name}: the cores meet with different {parameter}: {spelled[0]!r} and {spelled[1]!r}", i.where)


def _barrier(waiting: Waiting) -> None:
    for cores in _by_logical_core(waiting):
        _agree(cores, "data", [i["data"]._storage for _, i in cores])


def _exchange(waiting: Waiting) -> None:
    for cores in _by_logical_core(waiting):
        _agree(cores, "pipe_id", [i["pipe_id"] for _, i in cores])
        _agree(cores, "tiles", [(i["src"].shape, i["src"].dtype) for _, i in cores])
        by_number = {run.core: (run, i) for run, i in cores}
        for run, i in cores:
            sender, sent = by_number[i["recv_from_rank"]]
            if sent["send_to_rank"] != run.core:
                raise KernelError(
                    f"sendrecv: core {run.core} receives from core {sender.core}, which sends to core {sent['send_to_rank']}", i.where
                )
        sent_tiles = {run.core: run.read(i["src"]).copy() for run, i in cores}  # before any is overwritten
        for run, i in cores:
            run.write_bits(i["dst"], sent_tiles[i["recv_from_rank"]])


def _within_gpsimd_dma(i: Instruction) -> Broken | None:
    size = itemsize(i["src"].dtype)
    found = free_elements(i["src"]) * size
    return Broken(f"{found} bytes", f"{256 * size} bytes") if i["dma_engine"] is dma_engines.gpsimd_dma and found > 256 * size else None


def _rank(name: str) -> Any:
    return requires(name, f"{name} is a core", lambda i: i[name] in (0, 1), "0 or 1", lambda i: i[name])


CORE_BARRIER = Opcode(
    "core_barrier",
    writes=(),
    reads=("data",),
    engines=(*_TRIGGERS, engines.dma),  # as a DMA it may name HBM; the rule below takes it off the engines
    execute=_never,
    together=_barrier,
    since=3,
    rules=(
        in_memory("data", MemoryRegion.shared_hbm),
        requires("cores", "both cores meet", lambda i: tuple(i["cores"]) == (0, 1), (0, 1), lambda i: i["cores"]),
        requires(
            "waits on an engine",
            "an engine of the core waits",
            lambda i: i.engine in _TRIGGERS,
            ", ".join(e.name for e in _TRIGGERS),
            lambda i: i.engine.name,
        ),
        _LNC2,
    ),
)
SENDRECV = Opcode(
    "sendrecv",
    writes=("dst",),
    reads=("src",),
    engines=(engines.dma, engines.gpsimd),
    execute=_never,
    together=_exchange,
    choose=lambda i: engines.gpsimd if i["dma_engine"] is dma_engines.gpsimd_dma else engines.dma,
    since=3,
    rules=(
        in_memory("src dst", SBUF),
        equal_dtypes("src dst"),
        requires(
            "same shape",
            "src and dst have one shape",
            lambda i: i["src"].shape == i["dst"].shape,
            "equal shapes",
            lambda i: (i["src"].shape, i["dst"].shape),
        ),
        _rank("send_to_rank"),
        _rank("recv_from_rank"),
        Rule(
            "GpSimd's DMA",
            "GpSimd's own DMA moves at most 256 elements per partition",
            "nki.isa API reference",
            _within_gpsimd_dma,
        ),
        _LNC2,
    ),
)


def core_barrier(data: NkiTensor, cores: tuple[int, int], engine: engines = engines.gpsimd, name: str | None = None) -> NkiInstruction:
    """Wait until both cores have written shared data. See `nki.isa.core_barrier`."""
    return CORE_BARRIER.issue(data=data, cores=cores, engine=engine, name=name)


def sendrecv(
    src: NkiTensor,
    dst: NkiTensor,
    send_to_rank: int,
    recv_from_rank: int,
    pipe_id: int,
    dma_engine: dma_engines = dma_engines.dma,
    name: str | None = None,
) -> NkiInstruction:
    """
    Send a tile to a core and receive one. See `nki.isa.sendrecv`.

    Notes
    -----
    Cores meet in program order, also with several pipes: both issue their exchanges in one order, as control flow must be the same on both.
    """
    return SENDRECV.issue(
        src=src, dst=dst, send_to_rank=send_to_rank, recv_from_rank=recv_from_rank, pipe_id=pipe_id, dma_engine=dma_engine, name=name
    )
