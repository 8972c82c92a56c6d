"""A tile combined with values per partition and with another tile; and the reciprocal."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..engines import engine as engines
from ..machine.run import Run
from ..operators import OPERATORS, Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode
from ..tensor.nkitensor import NkiTensor
from .elementwise import combine, two_operators
from .rules import not_all_in_psum, operator_is, requires, same_elements, vector_of

__all__ = ["arithmetic", "binary_arithmetic", "reciprocal", "scalar_tensor_tensor"]


def arithmetic(op: Operator) -> bool:
    """Whether the Vector Engine computes an operator in float32."""
    return op.alu is not None and not op.alu.bitwise and not op.alu.pool_only and op.name != "rsqrt"


def binary_arithmetic(op: Operator) -> bool:
    """Whether the Vector Engine computes an operator of two values in float32."""
    return op.alu is not None and op.alu.arity == 2 and arithmetic(op)


def _scalar_tensor_tensor(run: Run, i: Instruction) -> None:
    data, ops = run.read(i["data"]), (i["op0"], i["op1"])
    scalar = np.asarray(run.scalar(0.0 if i["operand0"] is None else i["operand0"], i["data"]))
    values = (data, scalar, run.read(i["operand1"]).reshape(data.shape))
    run.compute(i["dst"], values, two_operators(run, ops, (i["reverse0"], i["reverse1"]), i.engine), exact=ops[1].alu.truth)


SCALAR_TENSOR_TENSOR = Opcode(
    "scalar_tensor_tensor",
    writes=("dst",),
    reads=("data", "operand0", "operand1"),
    engines=(engines.vector,),
    execute=_scalar_tensor_tensor,
    rules=(
        operator_is("op0", "arithmetic operator of the Vector Engine", arithmetic),
        operator_is("op1", "binary arithmetic operator of the Vector Engine", binary_arithmetic),
        same_elements("dst data operand1"),
        vector_of("operand0", "data"),
        not_all_in_psum("data operand1"),
        requires(
            "first operand",
            "a binary operator has an operand",
            lambda i: i["operand0"] is not None or i["op0"].alu.arity == 1,
            "a number or a tile",
            lambda i: i["operand0"],
        ),
    ),
)


def scalar_tensor_tensor(
    dst: NkiTensor,
    data: NkiTensor,
    op0: Operator,
    operand0: NkiTensor | float,
    op1: Operator,
    operand1: NkiTensor,
    reverse0: bool = False,
    reverse1: bool = False,
    name: str | None = None,
) -> NkiInstruction:
    """
    Combine a tile with one value per partition, and the result with a tile: ``(data op0 operand0) op1 operand1``.

    See `nki.isa.scalar_tensor_tensor`.
    """
    return SCALAR_TENSOR_TENSOR.issue(
        dst=dst, data=data, op0=op0, operand0=operand0, op1=op1, operand1=operand1, reverse0=reverse0, reverse1=reverse1, name=name
    )


def _reciprocal(run: Run, i: Instruction) -> None:
    alu = OPERATORS["reciprocal"].alu
    assert alu is not None
    run.compute(i["dst"], (run.read(i["data"]),), partial(combine, run, alu, right=None, on=i.engine))


RECIPROCAL = Opcode(
    "reciprocal",
    writes=("dst",),
    reads=("data",),
    engines=(engines.vector,),
    execute=_reciprocal,
    rules=(same_elements("dst data"),),
)


def reciprocal(dst: NkiTensor, data: NkiTensor, name: str | None = None) -> NkiInstruction:
    """Compute ``1 / data`` on the Vector Engine. See `nki.isa.reciprocal`."""
    return RECIPROCAL.issue(dst=dst, data=data, name=name)
