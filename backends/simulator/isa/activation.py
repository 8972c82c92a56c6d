"""Functions of the Scalar Engine, with scale, bias and a running sum in one instruction."""

from __future__ import annotations

import numpy as np

from ..engines import engine as engines
from ..engines import reduce_cmd as commands
from ..machine.arithmetic import flush_denormals, reduce_free
from ..machine.run import Run
from ..operators import Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .rules import ISA, operator_is, requires, same_elements, since, vector_of

__all__ = ["activation"]

_RESETS = (commands.reset, commands.reset_reduce)
_REDUCES = (commands.reduce, commands.reset_reduce)


def _activation(run: Run, i: Instruction) -> None:
    data, bias, scale = i["data"], i["bias"], i["scale"]
    values = run.float32(data)
    if isinstance(scale, NkiTensor) or scale != 1.0:
        values = values * run.scalar(scale, data)
    if bias is not None:
        values = values + run.scalar(bias, data)
    result = i["op"].activation.compute(values).astype(np.float32, copy=False)
    if run.knobs.denormals_act == "flush":
        result = flush_denormals(result.copy())
    run.write(i["dst"], result)
    _accumulate(run, i, result.reshape(result.shape[0], -1))


def _accumulate(run: Run, i: Instruction, result: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> None:
    command, registers = i["reduce_cmd"], run.accumulator(engines.scalar)[: result.shape[0]]
    if command in _RESETS:
        registers[...] = 0
    if command in _REDUCES:
        registers += reduce_free(np.add, result, run.knobs.dve_order)
    if i["reduce_res"] is not None:
        run.write(i["reduce_res"], registers.copy())


def _scale(i: Instruction) -> Broken | None:
    scale = i["scale"]
    return Broken(scale.dtype, "float32") if isinstance(scale, NkiTensor) and scale.dtype != "float32" else None


def _bias_constant(i: Instruction) -> bool:
    return i["bias"] is not None and not isinstance(i["bias"], NkiTensor)


ACTIVATION = Opcode(
    "activation",
    writes=("dst", "reduce_res"),
    reads=("data", "bias", "scale"),
    engines=(engines.scalar,),
    execute=_activation,
    rules=(
        operator_is("op", "activation function", lambda op: op.activation is not None, "nki.api.shared, Supported Activation Functions"),
        same_elements("dst data"),
        vector_of("bias scale reduce_res", "data"),
        Rule("scale dtype", "scale is float32", ISA, _scale),
        requires(
            "bias dtype",
            "bias is not tfloat32",
            lambda i: not isinstance(i["bias"], NkiTensor) or i["bias"].dtype != "tfloat32",
            "any other dtype",
            lambda i: i["bias"].dtype,
        ),
        since(3, "a constant bias", _bias_constant),
        requires(
            "reciprocal bias",
            "on NeuronCore-v2 reciprocal has no bias",
            lambda i: i.target.generation > 2 or i["op"].name != "reciprocal" or i["bias"] is None,
            "bias=None",
            lambda _: "a bias",
        ),
        requires(
            "reduce operator",
            "the reduction is add",
            lambda i: i["reduce_op"] is None or i["reduce_op"].name == "add",
            "add",
            lambda i: i["reduce_op"],
        ),
        requires(
            "reduce command",
            "the registers are reset, reduced or idle",
            lambda i: i["reduce_cmd"] is not commands.load_reduce,
            "idle, reset, reduce or reset_reduce",
            lambda i: i["reduce_cmd"].name,
        ),
    ),
)


def activation(
    dst: NkiTensor,
    op: Operator,
    data: NkiTensor,
    bias: NkiTensor | float | None = None,
    scale: NkiTensor | float = 1.0,
    reduce_op: Operator | None = None,
    reduce_res: NkiTensor | None = None,
    reduce_cmd: commands = commands.idle,
    name: str | None = None,
) -> NkiInstruction:
    """
    Apply a function: ``dst = op(data * scale + bias)``, and add each partition's results to its register.

    Parameters
    ----------
    dst : NkiTensor
        Result.
    op : Operator
        An activation function.
    data : NkiTensor
        Tile.
    bias, scale : NkiTensor or float, optional
        Constants, or one value per partition.
    reduce_op : Operator, optional
        ``nl.add``.
    reduce_res : NkiTensor, optional
        Takes the registers.
    reduce_cmd : reduce_cmd, optional
        What is done with the registers.
    name : str, optional
        For scheduling.

    Returns
    -------
    NkiInstruction
        A handle.
    """
    return ACTIVATION.issue(
        dst=dst,
        op=op,
        data=data,
        bias=bias,
        scale=scale,
        reduce_op=reduce_op,
        reduce_res=reduce_res,
        reduce_cmd=reduce_cmd,
        name=name,
    )
