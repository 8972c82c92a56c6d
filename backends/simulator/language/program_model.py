"""Which core a kernel runs on, what it prints, and the sizes of the hardware."""

from __future__ import annotations

from ..engines import engine as engines
from ..machine.run import Run
from ..options import current_options
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode
from ..program.trace import current_trace, is_tracing
from ..target import PARTITIONS, Target
from ..tensor.nkitensor import NkiTensor
from ..tensor.objects import NKIObject
from ..tensor.storage import MemoryRegion
from ..tensor.storage import is_hbm as _is_hbm
from ..tensor.storage import is_on_chip as _is_on_chip

__all__ = ["device_print", "is_hbm", "is_on_chip", "is_psum", "is_sbuf", "num_programs", "program_id", "program_ndim", "tile_size"]


def program_id(axis: int = 0) -> int:
    """Which core of the logical core this is. See `nki.language.program_id`."""
    trace = current_trace("nl.program_id")
    if axis != 0:
        raise ValueError(f"nl.program_id: the launch grid has one axis, not {axis + 1}")
    return trace.core


def num_programs(axes: int = 0) -> int:
    """How many cores the logical core has. See `nki.language.num_programs`."""
    if axes != 0:
        raise ValueError(f"nl.num_programs: the launch grid has one axis, not axis {axes}")
    return current_trace("nl.num_programs").cores


def program_ndim() -> int:
    """Count the axes of the launch grid. See `nki.language.program_ndim`."""
    return int(current_trace("nl.program_ndim").cores > 1)


def is_hbm(buffer: MemoryRegion) -> bool:
    """Whether a memory is HBM. See `nki.language.is_hbm`."""
    return _is_hbm(buffer)


def is_on_chip(buffer: MemoryRegion) -> bool:
    """Whether a memory is SBUF or PSUM. See `nki.language.is_on_chip`."""
    return _is_on_chip(buffer)


def is_psum(buffer: MemoryRegion) -> bool:
    """Whether a memory is PSUM. See `nki.language.is_psum`."""
    return buffer is MemoryRegion.psum


def is_sbuf(buffer: MemoryRegion) -> bool:
    """Whether a memory is SBUF. See `nki.language.is_sbuf`."""
    return buffer is MemoryRegion.sbuf


def _print(run: Run, i: Instruction) -> None:
    text = f"{i['print_prefix']}{run.read(i['tensor'])}"
    run.output.append(text)
    print(text)  # noqa: T201  what it is for


PRINT = Opcode("device_print", writes=(), reads=("tensor",), engines=(engines.dma,), execute=_print)


def device_print(print_prefix: str, tensor: NkiTensor) -> NkiInstruction:
    """Print a tensor when the program runs. See `nki.language.device_print`."""
    return PRINT.issue(print_prefix=print_prefix, tensor=tensor)


def _target() -> Target:
    return current_trace("nl.tile_size").target if is_tracing() else current_options().target


class _TileSize(NKIObject):
    """Sizes of the hardware that kernels tile for."""

    pmax: int = PARTITIONS
    psum_fmax: int = 512
    psum_bank_fmax: int = 512
    psum_bank_fmax_bytes: int = 2048
    gemm_stationary_fmax: int = 128
    gemm_moving_fmax: int = 512
    bn_stats_fmax: int = 512
    psum_min_align: int = 4
    sbuf_min_align: int = 4

    @property
    def psum_num_banks(self) -> int:
        return _target().psum_banks

    @property
    def sbuf_size_bytes(self) -> int:
        return _target().sbuf_bytes * PARTITIONS

    @property
    def sbuf_fmax_bytes(self) -> int:
        return _target().sbuf_usable

    @property
    def sbuf_fmax(self) -> int:
        return _target().sbuf_usable // 4

    @property
    def total_available_sbuf_size(self) -> int:
        return _target().sbuf_usable


tile_size = _TileSize()
