"""Registers and scalars of the engines' sequencers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engines import engine as engines
from ..errors import KernelError
from ..machine.run import Run
from ..program.instruction import Instruction
from ..program.opcode import Opcode
from ..program.trace import current_trace
from ..registers import NkiScalar, VirtualRegister, wrap
from ..source import calling_line
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .rules import in_dtypes, in_memory, requires

__all__ = ["register_alloc", "register_load", "register_move", "register_store", "scalar_load", "scalar_store"]

_MEMORIES = (MemoryRegion.sbuf, MemoryRegion.private_hbm, MemoryRegion.shared_hbm)
_DMA_LIKE = (engines.sync, engines.dma)  # sequencers reach HBM, as DMA does


def _one(name: str) -> Any:
    return requires(
        "one element", "a register holds one element", lambda i: i[name].size == 1, "shape (1,) or (1, 1)", lambda i: i[name].shape
    )


def _writable(instruction: str, dst: object) -> None:
    if not isinstance(dst, VirtualRegister):
        raise TypeError(f"{instruction}: dst is a register from nisa.register_alloc, not {type(dst).__name__}")
    if dst.frozen:
        raise KernelError(f"{instruction}: a loop's index cannot be written; move it into a register of your own", calling_line())


def _move(run: Run, i: Instruction) -> None:
    run.registers[i["dst"].state] = wrap(run.value(i["src"]))


def _load(run: Run, i: Instruction) -> None:
    value = run.read(i["src"]).reshape(-1)[0]
    wide = i["src"].dtype == "int64"
    run.registers[i["dst"].state] = (
        int(value) if wide else wrap(int(np.asarray(value).astype(np.float64) if value.dtype.kind == "f" else value))
    )


def _store(run: Run, i: Instruction) -> None:
    run.destination(i["dst"])[...] = np.array(run.value(i["src"]), np.int64).astype(i["dst"]._bytes.dtype)


MOVE = Opcode("register_move", writes=(), reads=(), engines=_DMA_LIKE, execute=_move)
LOAD = Opcode(
    "register_load", writes=(), reads=("src",), engines=_DMA_LIKE, execute=_load, rules=(in_memory("src", *_MEMORIES), _one("src"))
)
STORE = Opcode(
    "register_store", writes=("dst",), reads=(), engines=_DMA_LIKE, execute=_store, rules=(in_memory("dst", *_MEMORIES), _one("dst"))
)
SCALAR_LOAD = Opcode(
    "scalar_load",
    writes=(),
    reads=("src",),
    engines=_DMA_LIKE,
    execute=_load,
    rules=(in_memory("src", *_MEMORIES), _one("src"), in_dtypes("src", ("int32", "int64"))),
)
SCALAR_STORE = Opcode(
    "scalar_store",
    writes=("dst",),
    reads=(),
    engines=_DMA_LIKE,
    execute=_store,
    rules=(
        in_memory("dst", *_MEMORIES),
        _one("dst"),
        requires(
            "dtype",
            "dst has the scalar's dtype",
            lambda i: not isinstance(i["src"], NkiScalar) or i["src"].dtype == i["dst"].dtype,
            "the same",
            lambda i: i["dst"].dtype,
        ),
    ),
)


def register_alloc(x: int | None = None) -> VirtualRegister:
    """Take a register. See `nki.isa.register_alloc`."""
    register = VirtualRegister(current_trace("register_alloc").register())
    if x is not None:
        register_move(register, x)
    return register


def register_move(dst: VirtualRegister, src: int | VirtualRegister) -> None:
    """Set a register. See `nki.isa.register_move`."""
    _writable("register_move", dst)
    MOVE.issue(dst=dst, src=src)


def register_load(dst: VirtualRegister, src: NkiTensor) -> None:
    """Load a register from memory. See `nki.isa.register_load`."""
    _writable("register_load", dst)
    LOAD.issue(dst=dst, src=src)


def register_store(dst: NkiTensor, src: VirtualRegister) -> None:
    """Store a register into memory. See `nki.isa.register_store`."""
    STORE.issue(dst=dst, src=src)


def scalar_load(src: NkiTensor) -> NkiScalar:
    """Load an integer to compute with. See `nki.isa.scalar_load`."""
    scalar = NkiScalar(current_trace("scalar_load").register(), src.dtype)
    SCALAR_LOAD.issue(dst=scalar, src=src)
    return scalar


def scalar_store(dst: NkiTensor, value: NkiScalar) -> None:
    """Store a scalar into memory. See `nki.isa.scalar_store`."""
    SCALAR_STORE.issue(dst=dst, src=value)
