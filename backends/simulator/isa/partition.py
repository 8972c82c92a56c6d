"""Reductions over partitions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..engines import engine as engines
from ..machine.arithmetic import reduce_free
from ..machine.run import Run
from ..operators import Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode
from ..tensor.nkitensor import NkiTensor
from .elementwise import flushed
from .rules import equal_dtypes, free_elements, integers_for_bits, operator_is, requires

__all__ = ["tensor_partition_reduce"]

_UFUNCS: Final = {"add": np.add, "average": np.add, "maximum": np.maximum}
_BITS: Final = {"bitwise_or": np.bitwise_or, "bitwise_and": np.bitwise_and}


def _partition_reduce(run: Run, i: Instruction) -> None:
    name, data = i["op"].name, i["data"]
    if name in _BITS:
        bits: NDArray[Any] = _BITS[name].reduce(run.read(data), axis=0)
        run.write_bits(i["dst"], bits)
        return
    columns = run.float32(data).reshape(data.shape[0], -1).T
    result = reduce_free(_UFUNCS[name], columns, "sequential", run.knobs.denormals_pool == "flush")
    if name == "average":
        result = flushed(run, result / np.float32(data.shape[0]), i.engine)
    run.write(i["dst"], result)


TENSOR_PARTITION_REDUCE = Opcode(
    "tensor_partition_reduce",
    writes=("dst",),
    reads=("data",),
    engines=(engines.gpsimd,),
    execute=_partition_reduce,
    rules=(
        operator_is("op", "add, average, maximum, bitwise_or or bitwise_and", lambda op: op.name in _UFUNCS or op.name in _BITS),
        integers_for_bits("dst data", "op"),
        equal_dtypes("dst data", when=lambda i: i["op"].name in _BITS),
        requires(
            "dst shape",
            "dst has one partition with the elements of a partition of data",
            lambda i: i["dst"].shape[0] == 1 and free_elements(i["dst"]) == free_elements(i["data"]),
            "(1, N) for (P, N)",
            lambda i: f"{i['dst'].shape} for {i['data'].shape}",
        ),
    ),
)


def tensor_partition_reduce(dst: NkiTensor, op: Operator, data: NkiTensor, name: str | None = None) -> NkiInstruction:
    """Reduce over the partitions. See `nki.isa.tensor_partition_reduce`."""
    return TENSOR_PARTITION_REDUCE.issue(dst=dst, op=op, data=data, name=name)
