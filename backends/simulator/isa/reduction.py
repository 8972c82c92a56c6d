"""Reductions along the free axes on the Vector Engine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..engines import engine as engines
from ..engines import reduce_cmd as commands
from ..machine.run import Run
from ..operators import OPERATORS, Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .accumulator import accumulate, float32_operands, loads_only, reduce_command, reduce_values
from .elementwise import combine, flushed
from .rules import ISA, free_elements, in_dtypes, integers_for_bits, operator_is, requires, same_elements, vector_of
from .two_operators import arithmetic

__all__ = ["exponential", "tensor_reduce", "tensor_scalar_reduce"]

_BITS: Final = {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor}
_REDUCING: Final = (commands.reset_reduce, commands.reduce, commands.load_reduce)


def _axes(i: Instruction) -> tuple[int, ...]:
    axis, ndim = i["axis"], i["data"].ndim
    return tuple(sorted(int(a) + ndim * (a < 0) for a in ((axis,) if isinstance(axis, int) else axis)))


def _kept(i: Instruction) -> tuple[int, ...]:
    shape: tuple[int, ...] = i["data"].shape
    return shape[: i["data"].ndim - len(_axes(i))]


def _trailing(i: Instruction) -> Broken | None:
    ndim = i["data"].ndim
    axes = _axes(i)
    good = 0 < len(axes) < ndim and axes == tuple(range(ndim - len(axes), ndim))
    return None if good else Broken(f"axis {i['axis']} of {i['data'].shape}", "the last axes, without the first")


def _reduced(i: Instruction) -> Broken | None:
    dst, kept = i["dst"], _kept(i)
    good = dst.shape[0] == kept[0] and free_elements(dst) == math.prod(kept[1:])
    return None if good else Broken(f"dst {dst.shape}", f"{kept} or as many elements per partition")


def _tensor_reduce(run: Run, i: Instruction) -> None:
    data, op = i["data"], i["op"]
    shape = (*_kept(i), -1)
    if op.alu.bitwise:
        run.write_bits(i["dst"], _BITS[op.name].reduce(run.read(data).reshape(shape), axis=-1))
        return
    result = reduce_values(run, op.name, run.float32(data).reshape(shape))
    run.write(i["dst"], -result if i["negate"] else result)


TENSOR_REDUCE = Opcode(
    "tensor_reduce",
    writes=("dst",),
    reads=("data",),
    engines=(engines.vector,),
    execute=_tensor_reduce,
    indirect=("dst", "data"),
    rules=(
        operator_is("op", "reduction operator", lambda op: op.alu is not None and op.alu.reduces),
        Rule("axis", "reduced axes are the last ones, never the partition axis", ISA, _trailing),
        Rule("dst elements", "dst has one element for each that is reduced to", ISA, _reduced),
        integers_for_bits("dst data", "op"),
        requires("negate", "bit operators are not negated", lambda i: not (i["negate"] and i["op"].alu.bitwise), False, lambda _: True),
    ),
)


def tensor_reduce(
    dst: NkiTensor,
    op: Operator,
    data: NkiTensor,
    axis: int | Sequence[int],
    negate: bool = False,
    keepdims: bool = False,
    name: str | None = None,
) -> NkiInstruction:
    """Reduce the last axes of a tile. See `nki.isa.tensor_reduce`."""
    return TENSOR_REDUCE.issue(dst=dst, op=op, data=data, axis=axis, negate=negate, keepdims=keepdims, name=name)


def _tensor_scalar_reduce(run: Run, i: Instruction) -> None:
    data = i["data"]
    operand = np.asarray(run.scalar(0.0 if i["operand0"] is None else i["operand0"], data))
    result = np.asarray(combine(run, i["op0"].alu, run.float32(data), operand, i.engine), np.float32)
    run.write(i["dst"], result)
    registers = accumulate(run, i, i["reduce_op"].name, result, i["reduce_init"])
    if i["reduce_res"] is not None:
        run.write(i["reduce_res"], -registers if i["reduce_res_negate"] else registers)


def _operand(i: Instruction) -> bool:
    operand = i["operand0"]
    return operand is not None if i["op0"].alu.arity == 2 else operand is None or (not isinstance(operand, NkiTensor) and operand == 0)


TENSOR_SCALAR_REDUCE = Opcode(
    "tensor_scalar_reduce",
    writes=("dst", "reduce_res"),
    reads=("data", "operand0", "reduce_init"),
    engines=(engines.vector,),
    execute=_tensor_scalar_reduce,
    indirect=("dst", "data"),
    rules=(
        operator_is("op0", "arithmetic operator of the Vector Engine", arithmetic),
        operator_is("reduce_op", "add, multiply, maximum or minimum", lambda op: op.name in ("add", "multiply", "maximum", "minimum")),
        same_elements("dst data"),
        vector_of("operand0 reduce_res reduce_init", "data"),
        float32_operands("operand0 reduce_init"),
        requires(
            "operand",
            "a binary operator has an operand, a unary one has none",
            _operand,
            "a number or a tile; None or 0 for unary operators",
            lambda i: i["operand0"],
        ),
        reduce_command(*_REDUCING),
        loads_only("reduce_init", None),
        requires("reverse0", "reverse0 is not supported yet", lambda i: not i["reverse0"], False, lambda i: i["reverse0"]),
        requires("rank", "data has up to four axes", lambda i: i["data"].ndim <= 4, 4, lambda i: i["data"].shape, "NKI 0.7 release notes"),
    ),
)


def tensor_scalar_reduce(
    dst: NkiTensor,
    data: NkiTensor,
    op0: Operator,
    operand0: NkiTensor | float,
    reduce_op: Operator,
    reduce_res: NkiTensor | None = None,
    reverse0: bool = False,
    reduce_cmd: commands = commands.reset_reduce,
    reduce_init: NkiTensor | float | None = None,
    reduce_res_negate: bool = False,
    name: str | None = None,
) -> NkiInstruction:
    """
    Combine a tile with one value per partition, and reduce each partition's results into its register.

    See `nki.isa.tensor_scalar_reduce`.

    Notes
    -----
    The float32 results are reduced, not what is left of them in `dst`.
    """
    return TENSOR_SCALAR_REDUCE.issue(
        dst=dst,
        data=data,
        op0=op0,
        operand0=operand0,
        reduce_op=reduce_op,
        reduce_res=reduce_res,
        reverse0=reverse0,
        reduce_cmd=reduce_cmd,
        reduce_init=reduce_init,
        reduce_res_negate=reduce_res_negate,
        name=name,
    )


def _exponential(run: Run, i: Instruction) -> None:
    src, subtract = i["src"], OPERATORS["subtract"].alu
    assert subtract is not None
    result = flushed(run, np.exp(combine(run, subtract, run.float32(src), run.scalar(i["max_value"], src), i.engine)), i.engine)
    run.write(i["dst"], result)
    registers = accumulate(run, i, "add", result, i["reduce_init"])
    if i["reduce_res"] is not None:
        run.write(i["reduce_res"], registers)


_FLOATS: Final = ("float8_e4m3", "float8_e5m2", "float16", "bfloat16", "float32")
_INTEGERS: Final = ("int8", "int16", "int32", "uint8", "uint16")

EXPONENTIAL = Opcode(
    "exponential",
    writes=("dst", "reduce_res"),
    reads=("src", "max_value", "reduce_init"),
    engines=(engines.vector,),
    execute=_exponential,
    indirect=("dst", "src"),
    since=4,
    rules=(
        same_elements("dst src"),
        vector_of("max_value reduce_res reduce_init", "src"),
        in_dtypes("dst", (*_FLOATS, "tfloat32", *_INTEGERS)),
        in_dtypes("src", (*_FLOATS, *_INTEGERS, "uint32")),
        in_dtypes("reduce_res", (*_FLOATS, "tfloat32")),
        float32_operands("max_value reduce_init"),
        reduce_command(commands.idle, *_REDUCING),
        loads_only("reduce_init", 0.0),
        requires(
            "reduce result",
            "the registers are not read after idle, which may change them",
            lambda i: i["reduce_res"] is None or i["reduce_cmd"] is not commands.idle,
            "another command",
            lambda _: "reduce_res with idle",
        ),
        requires(
            "rank", "dst and src have up to four axes", lambda i: max(i["dst"].ndim, i["src"].ndim) <= 4, 4, lambda i: i["src"].shape
        ),
    ),
)


def exponential(
    dst: NkiTensor,
    src: NkiTensor,
    max_value: NkiTensor | float = 0.0,
    reduce_res: NkiTensor | None = None,
    reduce_cmd: commands = commands.idle,
    reduce_init: NkiTensor | float = 0.0,
    name: str | None = None,
) -> NkiInstruction:
    """
    Compute ``exp(src - max_value)`` on the Vector Engine, and add each partition's results to its register.

    See `nki.isa.exponential`.
    """
    return EXPONENTIAL.issue(
        dst=dst, src=src, max_value=max_value, reduce_res=reduce_res, reduce_cmd=reduce_cmd, reduce_init=reduce_init, name=name
    )
