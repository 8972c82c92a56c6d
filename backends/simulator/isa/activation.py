"""Functions of the Scalar Engine, with scale, bias and a running sum in one instruction."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..dtypes import to_float32
from ..engines import engine as engines
from ..engines import reduce_cmd as commands
from ..knobs import Knobs
from ..machine.arithmetic import reduce_free
from ..machine.run import Run
from ..operators import OPERATORS, Alu, Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .elementwise import combine, combine_two, flushed
from .rules import ISA, equal_dtypes, operator_is, requires, same_elements, since, vector_of

__all__ = ["activate2", "activation", "activation_reduce"]

Float32 = NDArray[np.float32]
_UFUNCS: Final = {"add": np.add, "maximum": np.maximum, "minimum": np.minimum}
_IDENTITIES: Final = {"add": 0.0, "maximum": -np.inf, "minimum": np.inf, "abs_max": 0.0, "abs_min": np.inf}
_RESETS = (commands.reset, commands.reset_reduce)
_REDUCES = (commands.reduce, commands.reset_reduce)


def _alu(name: str) -> Alu:
    found = OPERATORS[name].alu
    assert found is not None
    return found


_ADD, _MULTIPLY = _alu("add"), _alu("multiply")


def _result(run: Run, i: Instruction, values: Float32, slope: Float32 | np.float32) -> Float32:
    """Apply the function to what the instruction made of its data."""
    function = i["op"].activation
    values = flushed(run, values, i.engine)
    result = (function.compute(values, slope) if function.takes_slope else function.compute(values)).astype(np.float32, copy=False)
    if run.knobs.act_out_of_range == "nan" and (function.low, function.high) != (0.0, np.inf):
        magnitudes = np.abs(values)
        if not (magnitudes.min() >= function.low and magnitudes.max() <= function.high):  # NaN is neither
            result = np.where((magnitudes < function.low) | (magnitudes > function.high), np.float32(np.nan), result)
    return np.asarray(flushed(run, result, i.engine))


def _apply(run: Run, i: Instruction, values: Float32, slope: Float32 | np.float32) -> None:
    """Apply the function, write, and reduce."""
    result = _result(run, i, values, slope)
    run.write(i["dst"], result)
    _accumulate(run, i, result.reshape(result.shape[0], -1))


def _activation(run: Run, i: Instruction) -> None:
    data, bias, scale = i["data"], i["bias"], i["scale"]
    scaled = isinstance(scale, NkiTensor) or scale != 1.0
    operands = [run.read(data)]
    operands += [np.asarray(run.scalar(factor, data)) for factor in [scale] * scaled + [bias] * (bias is not None)]

    def scaled_and_shifted(values: Float32, *others: Float32) -> Float32:
        if len(others) == 2:
            return combine_two(run, (OPERATORS["multiply"], OPERATORS["add"]), (values, *others), (False, False), i.engine)
        return combine(run, _MULTIPLY if scaled else _ADD, values, others[0], i.engine) if others else values

    if i["reduce_cmd"] is commands.idle and i["reduce_res"] is None:

        def compute(*values: Float32, out: None) -> Float32:  # noqa: ARG001
            return _result(run, i, scaled_and_shifted(*values), np.float32(0))

        run.compute(i["dst"], operands, compute, in_place=False)
    else:
        _apply(run, i, scaled_and_shifted(*map(to_float32, operands)), np.float32(0))


def _accumulate(run: Run, i: Instruction, result: Float32) -> None:
    command, registers = i["reduce_cmd"], run.accumulator(engines.scalar)[: result.shape[0]]
    op = "add" if i["reduce_op"] is None else i["reduce_op"].name
    if command in _RESETS:
        registers[...] = _IDENTITIES[op]
    if command in _REDUCES:
        registers[...] = _reduce(op, np.concatenate([registers[:, None], result], axis=1), run.knobs)
    if i["reduce_res"] is not None:
        run.write(i["reduce_res"], registers.copy())


def _reduce(op: str, values: Float32, knobs: Knobs) -> Float32:
    if op in _UFUNCS:
        return reduce_free(_UFUNCS[op], values, knobs.dve_order, knobs.denormals_act == "flush")
    # by magnitude: the last of the largest (or smallest), with its sign
    magnitudes = np.abs(values[:, ::-1])
    found = (np.argmax if op == "abs_max" else np.argmin)(magnitudes, axis=1)
    return np.take_along_axis(values, values.shape[1] - 1 - found[:, None], 1)[:, 0]


def _scale(i: Instruction) -> Broken | None:
    scale = i["scale"]
    return Broken(scale.dtype, "float32") if isinstance(scale, NkiTensor) and scale.dtype != "float32" else None


def _bias_constant(i: Instruction) -> bool:
    return i["bias"] is not None and not isinstance(i["bias"], NkiTensor)


def _is_function(op: Operator) -> bool:
    return op.activation is not None


_FUNCTION = operator_is("op", "activation function", _is_function, "nki.api.shared, Supported Activation Functions")
_COMMAND = requires(
    "reduce command",
    "the registers are reset, reduced or idle",
    lambda i: i["reduce_cmd"] is not commands.load_reduce,
    "idle, reset, reduce or reset_reduce",
    lambda i: i["reduce_cmd"].name,
)


def _accumulates(i: Instruction) -> bool:
    return i["reduce_res"] is not None or i["reduce_op"] is not None or i["reduce_cmd"] is not commands.idle


_ACCUMULATOR = requires(
    "accumulator",
    "only the Scalar Engine has reduce registers",
    lambda i: i.engine is engines.scalar or not _accumulates(i),
    "engine.scalar, or no reduction",
    lambda i: f"a reduction on {i.engine.name}",
)
_SCALE_AND_BIAS = (
    _FUNCTION,
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
)
ACTIVATION = Opcode(
    "activation",
    writes=("dst", "reduce_res"),
    reads=("data", "bias", "scale"),
    engines=(engines.scalar, engines.gpsimd),
    execute=_activation,
    indirect=("dst", "data"),
    rules=(*_SCALE_AND_BIAS, _COMMAND, _ACCUMULATOR, since(4, "the function on GpSimd", lambda i: i.engine is engines.gpsimd)),
)
ACTIVATION_REDUCE = Opcode(
    "activation_reduce",
    writes=("dst", "reduce_res"),
    reads=("data", "bias", "scale"),
    engines=(engines.scalar,),
    execute=_activation,
    indirect=("dst", "data"),
    rules=_SCALE_AND_BIAS,
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
    engine: engines = engines.scalar,
    name: str | None = None,
) -> NkiInstruction:
    """
    Apply a function: ``dst = op(data * scale + bias)``, and add each partition's results to its register.

    See `nki.isa.activation`.
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
        engine=engine,
        name=name,
    )


def activation_reduce(
    dst: NkiTensor,
    op: Operator,
    data: NkiTensor,
    reduce_op: Operator,
    reduce_res: NkiTensor | None,
    bias: NkiTensor | float | None = None,
    scale: NkiTensor | float = 1.0,
    name: str | None = None,
) -> NkiInstruction:
    """
    Apply a function: ``dst = op(data * scale + bias)``, and sum each partition's results.

    See `nki.isa.activation_reduce`.
    """
    return ACTIVATION_REDUCE.issue(
        dst=dst,
        op=op,
        data=data,
        bias=bias,
        scale=scale,
        reduce_op=reduce_op,
        reduce_res=reduce_res,
        reduce_cmd=commands.reset_reduce,
        name=name,
    )


_STAGES: Final = (
    ("multiply", "add"),
    ("multiply", "subtract"),
    ("multiply", "bypass"),
    ("add", "bypass"),
    ("subtract", "bypass"),
    ("bypass", "bypass"),
)


def _stages(i: Instruction) -> tuple[str, str]:
    first, second = ("bypass" if i[name] is None else getattr(i[name], "name", repr(i[name])) for name in ("op0", "op1"))
    return first, second


def _reversed(i: Instruction) -> Broken | None:
    wrong = [which for which, op in enumerate(_stages(i)) if i[f"reverse{which}"] and op == "bypass"]
    return Broken(f"reverse{wrong[0]}=True without op{wrong[0]}", "an operator, or False") if wrong else None


def _activate2(run: Run, i: Instruction) -> None:
    values, stages = run.float32(i["data"]), _stages(i)
    if "bypass" not in stages:
        first, second = (np.asarray(run.scalar(i[name], i["data"])) for name in ("imm0", "imm1"))
        values = combine_two(run, (i["op0"], i["op1"]), (values, first, second), (i["reverse0"], i["reverse1"]), i.engine)
        stages = ("bypass", "bypass")
    for which, stage in enumerate(stages):
        if stage != "bypass":
            operand = np.broadcast_to(run.scalar(i[f"imm{which}"], i["data"]), values.shape)
            left, right = (operand, values) if i[f"reverse{which}"] else (values, operand)
            values = combine(run, i[f"op{which}"].alu, left, right, i.engine)
    _apply(run, i, values, run.scalar(i["relu_param"], i["data"]))


ACTIVATE2 = Opcode(
    "activate2",
    writes=("dst", "reduce_res"),
    reads=("data", "imm0", "imm1", "relu_param"),
    engines=(engines.scalar, engines.gpsimd),
    execute=_activate2,
    indirect=("dst", "data"),
    since=4,
    rules=(
        _FUNCTION,
        same_elements("dst data"),
        vector_of("imm0 imm1 relu_param reduce_res", "data"),
        equal_dtypes("imm0 imm1"),
        requires(
            "stages",
            "op0 and op1 are one of six pairs",
            lambda i: _stages(i) in _STAGES,
            ", ".join("+".join(pair) for pair in _STAGES),
            lambda i: "+".join(_stages(i)),
        ),
        Rule("reversed stages", "only operators have their operands reversed", ISA, _reversed),
        requires(
            "reduce operator",
            "the reduction is by add, maximum, minimum, abs_max or abs_min",
            lambda i: i["reduce_op"] is None or getattr(i["reduce_op"], "name", None) in _IDENTITIES,
            ", ".join(_IDENTITIES),
            lambda i: i["reduce_op"],
        ),
        requires(
            "reduction",
            "a reduction has an operator",
            lambda i: i["reduce_op"] is not None or i["reduce_cmd"] is commands.idle,
            "reduce_op, or reduce_cmd.idle",
            lambda i: f"reduce_op=None, {i['reduce_cmd'].name}",
        ),
        _COMMAND,
        _ACCUMULATOR,
    ),
)


def activate2(
    dst: NkiTensor,
    op: Operator,
    data: NkiTensor,
    imm0: NkiTensor | float,
    imm1: NkiTensor | float,
    op0: Operator,
    op1: Operator,
    relu_param: NkiTensor | float = 0.0,
    reverse0: bool = False,
    reverse1: bool = False,
    reduce_op: Operator | None = None,
    reduce_res: NkiTensor | None = None,
    reduce_cmd: commands = commands.idle,
    engine: engines = engines.scalar,
    name: str | None = None,
) -> NkiInstruction:
    """
    Apply a function: ``dst = op((data op0 imm0) op1 imm1)``, and reduce each partition's results into its register.

    See `nki.isa.activate2`.
    """
    return ACTIVATE2.issue(
        dst=dst,
        op=op,
        data=data,
        imm0=imm0,
        imm1=imm1,
        op0=op0,
        op1=op1,
        relu_param=relu_param,
        reverse0=reverse0,
        reverse1=reverse1,
        reduce_op=reduce_op,
        reduce_res=reduce_res,
        reduce_cmd=reduce_cmd,
        engine=engine,
        name=name,
    )
