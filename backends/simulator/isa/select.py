"""Predication: of two values the one that a mask, a range or an affine pattern selects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..dtypes import DTYPES, is_float, is_integer, storage_dtype
from ..engines import engine as engines
from ..engines import reduce_cmd as commands
from ..machine.run import Run
from ..operators import OPERATORS, Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .accumulator import accumulate, reduce_command
from .pattern import PATTERN_RULES, affine
from .rules import ISA, PSUM, equal_dtypes, free_elements, in_dtypes, operator_is, requires, same_elements, vector_of

__all__ = ["affine_select", "range_select", "select_reduce", "tensor_copy_predicated"]

Array = NDArray[Any]
Float32 = NDArray[np.float32]

FP32_MIN: Final = float(np.finfo(np.float32).min)
_FLOATS: Final = tuple(name for name in DTYPES if is_float(name))
_SELECTED: Final = tuple(row.name for row in DTYPES.values() if row.kind != "packed" and row.name not in ("tfloat32", "int32", "uint32"))
_MAXIMUM: Final = OPERATORS["maximum"]
_EQUAL: Final = OPERATORS["equal"]
_COMPARISONS: Final = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")


def _accumulate(run: Run, i: Instruction, result: Float32) -> None:
    registers = accumulate(run, i, "maximum", result)
    if i["reduce_res"] is not None:
        run.write(i["reduce_res"], registers)


def _read_idle(i: Instruction) -> Broken | None:
    wrong = i["reduce_res"] is not None and i["reduce_cmd"] is commands.idle
    return Broken("reduce_res with idle", "reduce or reset_reduce") if wrong else None


_REDUCTION: Final = (
    requires(
        "reduce operator", "the reduction is maximum", lambda i: i["reduce_op"] == _MAXIMUM, "nl.maximum", lambda i: repr(i["reduce_op"])
    ),
    Rule("reduce result", "the registers are not read after idle, which may change them", ISA, _read_idle),
    in_dtypes("reduce_res", _FLOATS),
)


def _true(predicate: Array, reverse: bool) -> NDArray[np.bool_]:
    return np.equal(predicate, 0) if reverse else np.not_equal(predicate, 0)


def _both_in_psum(one: str, other: str) -> Rule:
    def check(i: Instruction) -> Broken | None:
        both = all(isinstance(i[name], NkiTensor) and i[name].buffer is PSUM for name in (one, other))
        return Broken("both in psum", "one of them in sbuf") if both else None

    return Rule(f"{one} {other} not both in psum", f"{one} and {other} are not both in PSUM", ISA, check)


def _tensor_copy_predicated(run: Run, i: Instruction) -> None:
    dst, src = i["dst"], i["src"]
    selected = _true(run.read(i["predicate"]).reshape(dst.shape), i["reverse_pred"])
    if isinstance(src, NkiTensor):
        values = run.read(src).reshape(dst.shape)
    elif is_integer(dst.dtype):
        values = np.array(int(src), storage_dtype(dst.dtype))
    else:
        values = run.rounded(np.full((1,), src, np.float32), dst.dtype)
    run.write_where(dst, values, selected)


def _holds(i: Instruction) -> Broken | None:
    src, dtype = i["src"], i["dst"].dtype
    if isinstance(src, NkiTensor) or not is_integer(dtype):
        return None
    limits = np.iinfo(storage_dtype(dtype))
    good = src == src // 1 and limits.min <= src <= limits.max
    return None if good else Broken(f"{src!r} for {dtype}", f"integers from {limits.min} to {limits.max}")


TENSOR_COPY_PREDICATED = Opcode(
    "tensor_copy_predicated",
    writes=("dst",),
    reads=("src", "predicate"),
    engines=(engines.vector,),
    execute=_tensor_copy_predicated,
    indirect=("dst", "predicate"),
    rules=(
        same_elements("dst src predicate"),
        in_dtypes("predicate", ("uint8", "uint16", "uint32")),
        equal_dtypes("dst src"),
        _both_in_psum("src", "predicate"),
        Rule("number", "a number is one that the dtype of dst holds", ISA, _holds),
    ),
)


def tensor_copy_predicated(
    dst: NkiTensor, src: NkiTensor | float, predicate: NkiTensor, reverse_pred: bool = False, name: str | None = None
) -> NkiInstruction:
    """Copy where a mask is true; elsewhere the destination stays. See `nki.isa.tensor_copy_predicated`."""
    return TENSOR_COPY_PREDICATED.issue(dst=dst, src=src, predicate=predicate, reverse_pred=reverse_pred, name=name)


def _select_reduce(run: Run, i: Instruction) -> None:
    on_true = run.float32(i["on_true"])
    selected = _true(run.read(i["predicate"]).reshape(on_true.shape), i["reverse_pred"])
    result = np.where(selected, on_true, run.scalar(i["on_false"], i["on_true"]))
    run.write(i["dst"], result)
    _accumulate(run, i, result)


SELECT_REDUCE = Opcode(
    "select_reduce",
    writes=("dst", "reduce_res"),
    reads=("predicate", "on_true", "on_false"),
    engines=(engines.vector,),
    execute=_select_reduce,
    rules=(
        same_elements("dst predicate on_true"),
        in_dtypes("predicate", ("int8", "uint8", "int16", "uint16")),
        in_dtypes("on_true", _SELECTED),
        vector_of("on_false reduce_res", "on_true"),
        _both_in_psum("on_true", "predicate"),
        reduce_command(commands.idle, commands.reduce, commands.reset_reduce),
        *_REDUCTION,
    ),
)


def select_reduce(
    dst: NkiTensor,
    predicate: NkiTensor,
    on_true: NkiTensor,
    on_false: NkiTensor | float,
    reduce_res: NkiTensor | None = None,
    reduce_cmd: commands = commands.idle,
    reduce_op: Operator = _MAXIMUM,
    reverse_pred: bool = False,
    name: str | None = None,
) -> NkiInstruction:
    """Select from a tile or a value by a mask; keep the maximum. See `nki.isa.select_reduce`."""
    return SELECT_REDUCE.issue(
        dst=dst,
        predicate=predicate,
        on_true=on_true,
        on_false=on_false,
        reduce_res=reduce_res,
        reduce_cmd=reduce_cmd,
        reduce_op=reduce_op,
        reverse_pred=reverse_pred,
        name=name,
    )


def _range_select(run: Run, i: Instruction) -> None:
    tile = i["on_true_tile"]
    values = run.float32(tile).reshape(tile.shape[0], -1)
    index = np.arange(i["range_start"], i["range_start"] + values.shape[1]).astype(np.float32)
    selected = np.ones(values.shape, np.bool_)
    for which in "01":
        selected &= i[f"comp_op{which}"].alu.compute(index, run.float32(i[f"bound{which}"]).reshape(-1, 1)) != 0
    result = np.where(selected, values, np.float32(FP32_MIN))
    run.write(i["dst"], result)
    _accumulate(run, i, result)


def _range_start(i: Instruction) -> Broken | None:
    start, last = i["range_start"], 0
    if isinstance(start, int):
        last = start + free_elements(i["on_true_tile"]) - 1
    good = isinstance(start, int) and -(2**24) <= start and last <= 2**24
    return None if good else Broken(f"{start!r} to {last}", "integers from -2**24 to 2**24")


RANGE_SELECT = Opcode(
    "range_select",
    writes=("dst", "reduce_res"),
    reads=("on_true_tile", "bound0", "bound1"),
    engines=(engines.vector,),
    execute=_range_select,
    since=3,
    rules=(
        operator_is(
            "comp_op0 comp_op1",
            "comparison operator, but not not_equal",
            lambda op: op.name in _COMPARISONS and op.name != "not_equal",
            ISA,
        ),
        same_elements("dst on_true_tile"),
        in_dtypes("on_true_tile", _FLOATS),
        in_dtypes("bound0 bound1", ("float32",)),
        vector_of("bound0 bound1 reduce_res", "on_true_tile"),
        Rule("range", "the index is a compile-time integer that float32 holds", ISA, _range_start),
        requires(
            "on_false_value",
            "on_false_value is FP32_MIN",
            lambda i: i["on_false_value"] in (FP32_MIN, -3.4028235e38),
            FP32_MIN,
            lambda i: i["on_false_value"],
        ),
        reduce_command(commands.idle, commands.reset, commands.reduce, commands.reset_reduce),
        *_REDUCTION,
    ),
)


def range_select(
    dst: NkiTensor,
    on_true_tile: NkiTensor,
    comp_op0: Operator,
    comp_op1: Operator,
    bound0: NkiTensor,
    bound1: NkiTensor,
    reduce_cmd: commands = commands.reset_reduce,
    reduce_res: NkiTensor | None = None,
    reduce_op: Operator = _MAXIMUM,
    range_start: int = 0,
    on_false_value: float = FP32_MIN,
    name: str | None = None,
) -> NkiInstruction:
    """Keep elements whose index is between bounds; keep the maximum. See `nki.isa.range_select`."""
    return RANGE_SELECT.issue(
        dst=dst,
        on_true_tile=on_true_tile,
        comp_op0=comp_op0,
        comp_op1=comp_op1,
        bound0=bound0,
        bound1=bound1,
        reduce_cmd=reduce_cmd,
        reduce_res=reduce_res,
        reduce_op=reduce_op,
        range_start=range_start,
        on_false_value=on_false_value,
        name=name,
    )


def _affine_select(run: Run, i: Instruction) -> None:
    dst, tile = i["dst"], i["on_true_tile"]
    value = affine(dst.shape[0], i["pattern"], i["offset"], i["channel_multiplier"])
    selected = (i["cmp_op"].alu.compute(value, np.int32(0)) != 0).reshape(dst.shape)
    false = run.rounded(np.full((1,), i["on_false_value"], np.float32), dst.dtype)
    true = run.read(tile) if dst.dtype == tile.dtype else run.rounded(run.float32(tile), dst.dtype)
    run.write_bits(dst, np.where(selected, true.reshape(dst.shape), false))


AFFINE_SELECT = Opcode(
    "affine_select",
    writes=("dst",),
    reads=("on_true_tile",),
    engines=(engines.gpsimd,),
    execute=_affine_select,
    rules=(
        same_elements("dst on_true_tile"),
        operator_is("cmp_op", "comparison operator", lambda op: op.name in _COMPARISONS, ISA),
        *PATTERN_RULES,
        requires(
            "on_false_value",
            "on_false_value is a number",
            lambda i: isinstance(i["on_false_value"], int | float | np.number),
            "a float32",
            lambda i: repr(i["on_false_value"]),
        ),
    ),
)


def affine_select(
    dst: NkiTensor,
    pattern: Sequence[Sequence[int]],
    channel_multiplier: int,
    on_true_tile: NkiTensor,
    on_false_value: float,
    cmp_op: Operator = _EQUAL,
    offset: int = 0,
    name: str | None = None,
) -> NkiInstruction:
    """
    Select from a tile or a number by the sign of an affine pattern, such as a causal mask.

    See `nki.isa.affine_select`.
    """
    return AFFINE_SELECT.issue(
        dst=dst,
        pattern=pattern,
        channel_multiplier=channel_multiplier,
        on_true_tile=on_true_tile,
        on_false_value=on_false_value,
        cmp_op=cmp_op,
        offset=offset,
        name=name,
    )
