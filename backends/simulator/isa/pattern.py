"""GpSimd's affine patterns of indices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..dtypes import is_integer, storage_dtype
from ..engines import engine as engines
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode
from ..tensor.nkitensor import NkiTensor
from .rules import free_elements, requires

__all__ = ["PATTERN_RULES", "affine", "iota"]


def affine(partitions: int, pattern: Sequence[Sequence[int]], offset: int, channel_multiplier: int) -> NDArray[np.int32]:
    """Offset + partition x multiplier + index x step of each axis, in 32 bits."""
    values = np.full((1,), offset, np.int64)
    for step, count in pattern:
        values = (values[:, None] + step * np.arange(count, dtype=np.int64)).reshape(-1)
    return (channel_multiplier * np.arange(partitions, dtype=np.int64)[:, None] + values).astype(np.int32)


def _iota(run: Run, i: Instruction) -> None:
    dst = i["dst"]
    values = affine(dst.shape[0], i["pattern"], i["offset"], i["channel_multiplier"])
    if is_integer(dst.dtype):
        run.write_bits(dst, values.astype(storage_dtype(dst.dtype)))
    else:
        run.write(dst, values.astype(np.float32))


PATTERN_RULES: Final = (
    requires(
        "pattern",
        "a pattern has up to four [step, count] pairs",
        lambda i: 1 <= len(i["pattern"]) <= 4 and all(len(pair) == 2 for pair in i["pattern"]),
        "1 to 4 pairs",
        lambda i: i["pattern"],
    ),
    requires(
        "elements",
        "the pattern has as many elements as a partition of dst",
        lambda i: math.prod(pair[1] for pair in i["pattern"]) == free_elements(i["dst"]),
        "elements per partition",
        lambda i: i["pattern"],
    ),
)
"""What the instructions that take a pattern have in common."""

IOTA = Opcode(
    "iota",
    writes=("dst",),
    reads=(),
    engines=(engines.gpsimd,),
    execute=_iota,
    rules=PATTERN_RULES,
)


def iota(
    dst: NkiTensor, pattern: Sequence[Sequence[int]], offset: int = 0, channel_multiplier: int = 0, name: str | None = None
) -> NkiInstruction:
    """Write an affine pattern of indices. See `nki.isa.iota`."""
    return IOTA.issue(dst=dst, pattern=pattern, offset=offset, channel_multiplier=channel_multiplier, name=name)
