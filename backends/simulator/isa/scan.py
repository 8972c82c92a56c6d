"""Scans along the free axes on the Vector Engine: each result enters the next."""

from __future__ import annotations

import numpy as np

from ..engines import engine as engines
from ..engines import reduce_cmd as commands
from ..machine.run import Run
from ..operators import Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode
from ..tensor.nkitensor import NkiTensor
from .accumulator import IDENTITY, begin, float32_operands, loads_only, reduce_command
from .elementwise import combine_two
from .rules import in_dtypes, not_all_in_psum, operator_is, requires, same_elements, vector_of
from .two_operators import arithmetic, binary_arithmetic

__all__ = ["tensor_scalar_cumulative", "tensor_tensor_scan"]


def _tensor_tensor_scan(run: Run, i: Instruction) -> None:
    first, second = (np.ascontiguousarray(run.float32(i[name]).reshape(i[name].shape[0], -1).T) for name in ("data0", "data1"))
    state = np.broadcast_to(np.asarray(run.scalar(i["initial"], i["data0"])).reshape(-1), first.shape[1:]).astype(np.float32)
    result = np.empty_like(first)
    for row, (left, right) in enumerate(zip(first, second, strict=True)):
        state = combine_two(run, (i["op0"], i["op1"]), (left, state, right), (i["reverse0"], i["reverse1"]), i.engine)
        result[row] = state
    run.write(i["dst"], result.T)


TENSOR_TENSOR_SCAN = Opcode(
    "tensor_tensor_scan",
    writes=("dst",),
    reads=("data0", "data1", "initial"),
    engines=(engines.vector,),
    execute=_tensor_tensor_scan,
    rules=(
        operator_is("op0 op1", "binary arithmetic operator of the Vector Engine", binary_arithmetic),
        same_elements("dst data0 data1"),
        vector_of("initial", "data0"),
        not_all_in_psum("data0 data1"),
    ),
)


def tensor_tensor_scan(
    dst: NkiTensor,
    data0: NkiTensor,
    data1: NkiTensor,
    initial: NkiTensor | float,
    op0: Operator,
    op1: Operator,
    reverse0: bool = False,
    reverse1: bool = False,
    name: str | None = None,
) -> NkiInstruction:
    """
    Scan two tiles: ``dst[:, i] = (data0[:, i] op0 dst[:, i - 1]) op1 data1[:, i]``.

    See `nki.isa.tensor_tensor_scan`.
    """
    return TENSOR_TENSOR_SCAN.issue(
        dst=dst, data0=data0, data1=data1, initial=initial, op0=op0, op1=op1, reverse0=reverse0, reverse1=reverse1, name=name
    )


def _tensor_scalar_cumulative(run: Run, i: Instruction) -> None:
    src, op = i["src"], i["op1"]
    columns = np.ascontiguousarray(run.float32(src).reshape(src.shape[0], -1).T)
    operand = np.asarray(run.scalar(0.0 if i["imm0"] is None else i["imm0"], src)).reshape(-1)
    registers = begin(run, i, op.name, i["imm1"], src.shape[0])
    state, result = registers.copy(), np.empty_like(columns)
    for row, values in enumerate(columns):
        state = combine_two(run, (i["op0"], op), (values, operand, state), (False, False), i.engine)
        result[row] = state
    registers[...] = state
    run.write(i["dst"], result.T)


_DTYPES = ("bfloat16", "float16", "float32", "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "uint8", "uint16", "int8", "int16")

TENSOR_SCALAR_CUMULATIVE = Opcode(
    "tensor_scalar_cumulative",
    writes=("dst",),
    reads=("src", "imm0", "imm1"),
    engines=(engines.vector,),
    execute=_tensor_scalar_cumulative,
    indirect=("dst", "src"),
    rules=(
        operator_is("op0", "arithmetic operator of the Vector Engine", arithmetic),
        operator_is("op1", "add, subtract, multiply, maximum or minimum", lambda op: op.name in IDENTITY),
        same_elements("dst src"),
        vector_of("imm0 imm1", "src"),
        in_dtypes("dst src", _DTYPES),
        float32_operands("imm0 imm1"),
        requires(
            "operand",
            "a binary operator has an operand",
            lambda i: i["imm0"] is not None or i["op0"].alu.arity == 1,
            "a number or a tile",
            lambda i: i["imm0"],
        ),
        reduce_command(commands.reset_reduce, commands.reduce, commands.load_reduce),
        loads_only("imm1", None),
    ),
)


def tensor_scalar_cumulative(
    dst: NkiTensor,
    src: NkiTensor,
    op0: Operator,
    op1: Operator,
    imm0: NkiTensor | float,
    imm1: NkiTensor | float | None = None,
    reduce_cmd: commands = commands.reset_reduce,
    name: str | None = None,
) -> NkiInstruction:
    """
    Accumulate ``src op0 imm0`` along the free axes: ``dst[:, i] = (src[:, i] op0 imm0) op1 dst[:, i - 1]``.

    See `nki.isa.tensor_scalar_cumulative`.
    """
    return TENSOR_SCALAR_CUMULATIVE.issue(dst=dst, src=src, op0=op0, op1=op1, imm0=imm0, imm1=imm1, reduce_cmd=reduce_cmd, name=name)
