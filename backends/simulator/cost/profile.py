"""What an instruction asks of the machine, in elements and bytes: the part of its cost that no figure changes."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

from ..engines import engine as engines
from ..engines import matmul_perf_mode
from ..program.instruction import Instruction
from ..registers import NkiScalar, VirtualRegister
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .conditions import count, free_elements, wide_stride
from .dma import Traffic, describe
from .table import Row, find_row

__all__ = ["QUEUES", "Profile", "Profiles", "profile", "registers_written"]

QUEUES: Final = ("tensor", "vector", "scalar", "gpsimd", "sync", "dma loads", "dma stores", "dma moves")
_QUEUE: Final = {engines.tensor: 0, engines.vector: 1, engines.scalar: 2, engines.gpsimd: 3, engines.sync: 4}
_REGISTERS: Final = (VirtualRegister, NkiScalar)
_FAST: Final = ("16-bit contiguous in SBUF", "16-bit strided, or half in PSUM", "16-bit pair in SBUF", "bf16 arithmetic in SBUF")


class Profile(NamedTuple):
    """
    What an instruction asks for.

    Attributes
    ----------
    row : Row
        Its row of the cost table.
    queue : int
        An index of `QUEUES`.
    elements : float
        N of the row.
    weights : float
        Columns of the stationary operand.
    passes : float
        Passes of the Tensor Engine over the operands: 4 for float32, 1/2 with double_row.
    wide : bool
        Whether a stride halves the bandwidth.
    shared_port : bool
        Whether it uses the SBUF port that Vector and GpSimd Engine share.
    psum : tuple of NkiTensor
        Views in PSUM, of Vector and Scalar Engine.
    address : str
        ``"register"`` or ``"tensor"`` where an address is known at run time only, else empty.
    tile : tuple of int
        (row, rows, column, columns) of the Tensor Engine in units of 32, or empty for all of it.
    traffic : Traffic or None
        Of a DMA.
    flop : float
        Arithmetic operations.
    registers_read, registers_written : tuple of int
        Numbers of registers.
    """

    row: Row
    queue: int
    elements: float
    weights: float
    passes: float
    wide: bool
    shared_port: bool
    psum: tuple[NkiTensor, ...]
    address: str
    tile: tuple[int, ...]
    traffic: Traffic | None
    flop: float
    registers_read: tuple[int, ...]
    registers_written: tuple[int, ...]


class Profiles:
    """What instructions ask for, each kind of them looked at once."""

    def __init__(self) -> None:
        self._found: dict[Instruction, Profile] = {}
        self._alike: dict[Any, Profile] = {}

    def __getitem__(self, i: Instruction) -> Profile:
        found = self._found.get(i)
        if found is None:
            key = _kind(i)
            found = None if key is None else self._alike.get(key)
            if found is None:
                found = profile(i)
                if key is not None:
                    self._alike[key] = found
            elif found.psum:
                found = found._replace(psum=_psum(i))
            self._found[i] = found
        return found


def _kind(i: Instruction) -> Any:
    """Make a key that is equal for instructions which ask for the same; None where run-time values take part."""
    views = []
    for view in (*i.writes, *i.reads):
        if view._indirection is not None:
            return None
        storage = view._storage
        where = (storage.address and storage.address[0], view._partition) if storage.on_chip else None
        views.append((view.shape, view.strides, view.dtype, view.buffer, where))
    others = tuple((name, value) for name, value in i.arguments.items() if not isinstance(value, NkiTensor | list))
    if any(isinstance(value, VirtualRegister | NkiScalar) for _, value in others):
        return None
    key = i.opcode.name, i.engine, tuple(views), others
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _psum(i: Instruction) -> tuple[NkiTensor, ...]:
    """Find the views whose banks Vector and Scalar Engine share."""
    if i.engine not in (engines.vector, engines.scalar):
        return ()
    return tuple(view for view in (*i.writes, *i.reads) if view.buffer is MemoryRegion.psum)


def _ring(i: Instruction, traffic: Traffic) -> int:
    if traffic.trigger == "software":
        return 3
    if traffic.trigger == "hardware":
        return 2 if i.engine is engines.scalar else 4
    return 5 if traffic.hbm_read and not traffic.hbm_written else 6 if traffic.hbm_written and not traffic.hbm_read else 7


def _shares_port(i: Instruction, row: Row) -> bool:
    """On NeuronCore-v2 any two accesses of SBUF collide, later only those of the Vector Engine's fast modes with GpSimd's."""
    if i.engine is engines.gpsimd:
        return True
    if i.engine is not engines.vector:
        return False
    if i.target.generation == 2:
        return any(view.buffer is MemoryRegion.sbuf for view in (*i.writes, *i.reads))
    return row.when in _FAST


def _address(i: Instruction) -> str:
    sources = [view._indirection.source for view in (*i.writes, *i.reads) if view._indirection is not None]
    if any(isinstance(source, NkiTensor) for source in sources):
        return "tensor"
    return "register" if sources else ""


def _tile(i: Instruction) -> tuple[int, ...]:
    size, position = i.arguments.get("tile_size"), i.arguments.get("tile_position")
    if not size or not position:
        return ()
    return position[0] // 32, -(-size[0] // 32), position[1] // 32, -(-size[1] // 32)


def _product(i: Instruction, row: Row) -> tuple[float, float, float]:
    """Columns of the weights, passes, and operations of an instruction of the Tensor Engine."""
    if i.opcode.name == "nc_transpose":
        return float(free_elements(i["data"])), row.stream.value, 0.0
    double = i.arguments.get("perf_mode") is matmul_perf_mode.double_row
    rows, columns = i["stationary"].shape[0], free_elements(i["stationary"]) / (2 if double else 1)
    moving = count(i, "moving columns")
    flop = 0.0 if i.arguments.get("is_transpose") else rows * columns * moving * row.flop * (2 if double else 1)
    return columns, row.stream.value / (2 if double else 1), flop


def registers_written(i: Instruction) -> tuple[int, ...]:
    """Find the registers that an instruction writes."""
    target = i.arguments.get("dst")
    return (target.state,) if isinstance(target, _REGISTERS) and isinstance(target.state, int) else ()


def _registers(i: Instruction) -> tuple[tuple[int, ...], tuple[int, ...]]:
    written = registers_written(i)
    return tuple(sorted(i.registers() - set(written))), written


def profile(i: Instruction) -> Profile:
    """Find out what an instruction asks for."""
    row = find_row(i)
    reads, writes = _registers(i)
    if row.kind == "dma":
        traffic = describe(i)
        flop = float(i.writes[0].size * (len(i.reads) - 1)) if i.opcode.name == "dma_compute" else 0.0
        return Profile(row, _ring(i, traffic), 0, 0, 1, False, False, (), "", (), traffic, flop, reads, writes)
    queue = _QUEUE.get(i.engine, 4)
    if row.kind in ("sequencer", "meeting"):
        return Profile(row, queue, 0, 0, 1, False, False, (), "", (), None, 0, reads, writes)
    elements = count(i, row.counts)
    if row.kind == "tensor":
        weights, passes, flop = _product(i, row)
        moving = i.arguments.get("moving", i.arguments.get("data"))
        wide = isinstance(moving, NkiTensor) and wide_stride(i)
        return Profile(row, queue, elements, weights, passes, wide, False, (), _address(i), _tile(i), None, flop, reads, writes)
    lanes = i.writes[0].shape[0] if i.writes else 1
    flop = row.flop * math.prod((elements, lanes)) if row.counts not in ("all", "none") else float(row.flop * elements)
    return Profile(row, queue, elements, 0, 1, wide_stride(i), _shares_port(i, row), _psum(i), _address(i), (), None, flop, reads, writes)
