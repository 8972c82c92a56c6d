"""Copies on chip, and fills."""

from __future__ import annotations

import numpy as np

from ..dtypes import DTYPES, storage_dtype
from ..engines import engine as engines
from ..errors import shown
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .rules import ISA, requires, same_elements, since

__all__ = ["memset", "tensor_copy"]


def _copy(run: Run, i: Instruction) -> None:
    dst, src = i["dst"], i["src"]
    if dst.dtype == src.dtype:  # all engines that may run this copy bits
        run.write_bits(dst, run.read(src))
    else:
        run.write(dst, run.float32(src))


COPY = Opcode(
    "tensor_copy",
    writes=("dst",),
    reads=("src",),
    engines=(engines.vector, engines.scalar, engines.gpsimd),
    execute=_copy,
    indirect=("dst", "src"),
    indirect_engines=(engines.vector, engines.scalar),
    rules=(
        same_elements("dst src"),
        since(3, "tensor_copy on the Scalar Engine", lambda i: i.engine is engines.scalar),
    ),
)


def tensor_copy(dst: NkiTensor, src: NkiTensor, engine: engines = engines.unknown, name: str | None = None) -> NkiInstruction:
    """Copy a tile; bits if the dtypes are equal, through float32 if not. See `nki.isa.tensor_copy`."""
    return COPY.issue(dst=dst, src=src, engine=engine, name=name)


def _representable(i: Instruction) -> Broken | None:
    """Check for a number; an integer of an integer dtype, within its range."""
    dtype, value = i["dst"].dtype, i["value"]
    if not isinstance(value, int | float | np.number):
        return Broken(shown(value), "a number")
    kind = DTYPES[dtype].kind
    if kind not in ("int", "uint"):
        return None
    limits = np.iinfo(storage_dtype(dtype))
    good = value == int(value) and limits.min <= value <= limits.max if np.isfinite(value) else False
    return None if good else Broken(f"{value!r} for {dtype}", f"integers from {limits.min} to {limits.max}")


def _memset(run: Run, i: Instruction) -> None:
    dst, value = i["dst"], i["value"]
    storage, kind = storage_dtype(dst.dtype), DTYPES[dst.dtype].kind
    exact = kind in ("int", "uint", "packed")
    run.destination(dst)[...] = storage.type(value) if exact else run.rounded(np.full((), value, np.float32), dst.dtype)


MEMSET = Opcode(
    "memset",
    writes=("dst",),
    reads=(),
    engines=(engines.vector, engines.gpsimd),
    execute=_memset,
    rules=(
        Rule("value", "the value is a compile-time constant that the dtype holds", ISA, _representable),
        requires(
            "packed zero",
            "packed dtypes are filled with 0 only",
            lambda i: DTYPES[i["dst"].dtype].kind != "packed" or i["value"] == 0,
            0,
            lambda i: i["value"],
        ),
    ),
)


def memset(dst: NkiTensor, value: float, engine: engines = engines.unknown, name: str | None = None) -> NkiInstruction:
    """Fill a tile with a constant. See `nki.isa.memset`."""
    return MEMSET.issue(dst=dst, value=value, engine=engine, name=name)
