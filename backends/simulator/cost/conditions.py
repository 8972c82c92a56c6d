"""When a row of the cost table holds for an instruction, and how many elements it streams: looked up by the names in the table."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from ..dtypes import itemsize
from ..engines import matmul_perf_mode
from ..program.instruction import Instruction
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion

__all__ = ["CONDITIONS", "COUNTS", "STRIDE_BYTES", "count", "free_elements", "wide_stride"]

_SBUF, _PSUM = MemoryRegion.sbuf, MemoryRegion.psum
_HALVES = ("bfloat16", "float16")
_FP8 = ("float8_e4m3", "float8_e4m3fn", "float8_e5m2")
STRIDE_BYTES: Final = 16


def free_elements(view: NkiTensor) -> int:
    """Count the elements per partition."""
    return math.prod(view.shape[1:])


def _inner(view: NkiTensor) -> int:
    """Stride of the innermost axis that has more than one element, in elements."""
    for extent, stride in zip(reversed(view.shape[1:]), reversed(view.strides[1:]), strict=True):
        if extent > 1:
            return abs(stride)
    return 1


def wide_stride(i: Instruction) -> bool:
    """Whether an access halves the bandwidth of SBUF or PSUM."""
    return any(_inner(view) * itemsize(view.dtype) > STRIDE_BYTES for view in (*i.writes, *i.reads) if view._storage.on_chip)


def _name(operator: object) -> str:
    return str(getattr(operator, "name", ""))


def _fast_dtypes(i: Instruction) -> tuple[str, ...]:
    return _HALVES if i.target.generation < 4 else _HALVES + _FP8


def _streams(i: Instruction) -> list[NkiTensor]:
    """Operands that are read or written element by element, not once per partition."""
    return [view for view in (*i.writes, *i.reads) if view.size > view.shape[0] or view is i.writes[0]]


def _short(i: Instruction) -> bool:
    return all(view.dtype in _fast_dtypes(i) for view in _streams(i))


def _in_psum(i: Instruction) -> int:
    return sum(view.buffer is _PSUM for view in _streams(i))


def _contiguous(i: Instruction) -> bool:
    return all(_inner(view) == 1 for view in _streams(i))


def _mixed(first: str, second: str) -> Callable[[Instruction], bool]:
    """One operand in PSUM, the other in SBUF: they do not share a port."""

    def mixed(i: Instruction) -> bool:
        a, b = i[first], i[second]
        return isinstance(a, NkiTensor) and isinstance(b, NkiTensor) and {a.buffer, b.buffer} == {_SBUF, _PSUM}

    return mixed


def _float32(i: Instruction) -> bool:
    return any(view.dtype == "float32" for view in i.reads)


def _scanned(i: Instruction) -> bool:
    return all(view.dtype == "bfloat16" for view in _streams(i)) and _name(i["op"]) in ("add", "maximum", "max")


def _mul_sub(i: Instruction) -> bool:
    bf16 = all(view.dtype == "bfloat16" for view in _streams(i))
    operators = all(_name(i[op]) in ("subtract", "multiply") for op in ("op0", "op1"))
    return bf16 and operators and not free_elements(i["dst"]) % 2


CONDITIONS: Final[dict[str, Callable[[Instruction], bool]]] = {
    "": lambda _: True,
    "16-bit contiguous in SBUF": lambda i: _short(i) and not _in_psum(i) and _contiguous(i),
    "16-bit strided, or half in PSUM": lambda i: _short(i) and ((_in_psum(i) == 1 and _contiguous(i)) or not _in_psum(i)),
    "16-bit": _short,
    "16-bit pair in SBUF": lambda i: _short(i) and not any(view.buffer is _PSUM for view in i.reads),
    "bf16 arithmetic in SBUF": lambda i: (
        _short(i) and not _in_psum(i) and _contiguous(i) and _name(i["op"]) in ("add", "multiply", "subtract")
    ),
    "data in PSUM and SBUF": _mixed("data1", "data2"),
    "source and predicate in PSUM and SBUF": _mixed("src", "predicate"),
    "bf16 sum or maximum": _scanned,
    "bf16 sub and mul": _mul_sub,
    "16-bit zeros": lambda i: i["dst"].dtype in _HALVES and i["value"] == 0,
    "float32 transpose": lambda i: _float32(i) and bool(i["is_transpose"]),
    "float32 of zeros and ones": lambda i: _float32(i) and bool(i["is_stationary_onezero"] or i["is_moving_onezero"]),
    "float32": _float32,
}


def _columns(i: Instruction) -> float:
    return free_elements(i["moving"]) // (2 if i.arguments.get("perf_mode") is matmul_perf_mode.double_row else 1)


def _local_gather(i: Instruction) -> float:
    each, indices = i["num_elem_per_idx"], i["num_valid_indices"]
    valid = 16 * free_elements(i["index"]) if indices is None else indices
    return float(valid * each / ((28 + 4 * each) / (4 * each) / min(4 / itemsize(i["src_buffer"].dtype), each)))


COUNTS: Final[dict[str, Callable[[Instruction], float]]] = {
    "moving columns": _columns,
    "partitions of data": lambda i: i["data"].shape[0],
    "topk": lambda i: 4 * i["n"] + free_elements(i["src"]),
    "local_gather": _local_gather,
    "all": lambda i: i["data"].size,
    "none": lambda _: 0,
}


def count(i: Instruction, name: str) -> float:
    """Count what an instruction streams."""
    return COUNTS[name](i) if name in COUNTS else free_elements(i[name])
