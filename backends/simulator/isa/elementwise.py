"""Two tiles, or a tile and values per partition, combined element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dtypes import itemsize, storage_dtype
from ..engines import engine as engines
from ..errors import KernelError
from ..machine.arithmetic import flush_denormals, round_once
from ..machine.run import Run
from ..operators import Alu, Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .rules import ISA, PSUM, integers_for_bits, not_all_in_psum, operator_is, same_elements, vector_of

__all__ = ["combine", "combine_two", "flushed", "tensor_scalar", "tensor_tensor", "two_operators"]

Array = NDArray[Any]
_NATIVE = ("int32", "uint32")
_RING = ("add", "subtract", "multiply")


def _binary(op: Operator) -> bool:
    return op.alu is not None and op.alu.arity == 2


def _tensor_tensor_engine(i: Instruction) -> engines:
    views = [i[name] for name in ("dst", "data1", "data2")]
    native = all(view.dtype in _NATIVE and view.buffer is not PSUM for view in views)
    alu = i["op"].alu if isinstance(i["op"], Operator) else None  # another operand is refused by a rule
    return engines.gpsimd if alu is not None and ((native and not alu.bitwise) or alu.pool_only) else engines.vector


def _pool_only(i: Instruction) -> Broken | None:
    wrong = i["op"].alu.pool_only and i.engine is not engines.gpsimd
    return Broken(f"{i['op']!r} on {i.engine.name}", "gpsimd") if wrong else None


def combine(run: Run, alu: Alu, left: Array, right: Array | np.float32 | None, on: engines, out: Array | None = None) -> Array:
    """Apply an arithmetic operator as an engine does: in float32, denormals of operands and results as the knobs say."""
    if _flushes(run, on):
        left, right, out = flushed(run, left, on), None if right is None else flushed(run, right, on), None
    found = np.asarray(alu.compute(left, out=out) if alu.arity == 1 else alu.compute(left, right, out=out))
    return flush_denormals(found) if _flushes(run, on) else found


def _flushes(run: Run, on: engines) -> bool:
    knobs = run.knobs
    knob = knobs.denormals_dve if on is engines.vector else knobs.denormals_act if on is engines.scalar else knobs.denormals_pool
    return knob == "flush"


def flushed(run: Run, result: Any, on: engines) -> Any:
    """Flush denormals if the knobs say that an engine does."""
    return flush_denormals(np.array(result, np.float32)) if _flushes(run, on) else result


def combine_two(
    run: Run,
    ops: tuple[Operator, Operator],
    values: Sequence[Array],
    reverse: tuple[bool, bool],
    on: engines,
    out: Array | None = None,
) -> Array:
    """
    Apply two arithmetic operators, with or without a rounding between them as the knobs say.

    Notes
    -----
    Fused, a sum, difference or product is kept in float64 for the second operator: a product exactly, and its sum is rounded once.
    """
    first, second = (op.alu for op in ops)
    assert first is not None
    assert second is not None
    left, right, other = (flushed(run, value, on) for value in values) if _flushes(run, on) else values
    wide = run.knobs.two_op == "fused" and ops[0].name in ("add", "subtract", "multiply")
    if wide:
        left, right, other = left.astype(np.float64), right.astype(np.float64), other.astype(np.float64)
    a, b = (right, left) if reverse[0] and first.arity == 2 else (left, right)
    if wide:
        between = np.asarray(first.compute(a, b))
    else:
        free = out is not None and out.dtype == np.float32 and not np.may_share_memory(out, other)
        between = combine(run, first, a, b, on, out if free else None)
    a, b = (other, between) if reverse[1] and second.arity == 2 else (between, other)
    if not wide:
        return combine(run, second, a, b, on, out)
    if ops[1].name in ("add", "subtract"):
        return np.asarray(flushed(run, round_once(a, b, ops[1].name == "subtract"), on))
    result = second.compute(a) if second.arity == 1 else second.compute(a, b)
    return np.asarray(flushed(run, np.asarray(result).astype(np.float32), on))


def two_operators(run: Run, ops: tuple[Operator, Operator], reverse: tuple[bool, bool], on: engines) -> Callable[..., Array]:
    """Make `combine_two` a function for `Run.compute`."""

    def compute(*values: Array, out: Array | None) -> Array:
        return combine_two(run, ops, values, reverse, on, out)

    return compute


def _bits(run: Run, alu: Alu, left: Array, right: Array | None, out: Array | None) -> Array:
    """Apply a bit operator; counts of shifts as the knobs say."""
    if right is None:
        return alu.compute(left, out=out)
    if alu.shifts and run.knobs.shift_beyond_width == "modulo":
        right = right & right.dtype.type(8 * left.dtype.itemsize - 1)
    return alu.compute(left, right, out=out)


def _integers(run: Run, i: Instruction, a: Array, b: Array) -> Array:
    """Native 32-bit arithmetic of GpSimd: exact, then wrapped or saturated."""
    saturates = run.knobs.gpsimd_overflow == "saturate"
    if i["op"].name == "power":
        if (b < 0).any():
            raise KernelError("tensor_tensor: no document says what an integer to a negative power is; use float32 tiles", i.where)
        b = np.where(b > 64, 64 + b % 2, b) if saturates else b  # beyond all limits, of the same sign
    # A product of two uint32 wraps in 64 bits, which does not change its low 32; to saturate it must be exact.
    wide = i["op"].alu.compute(*(x.astype(object if saturates else np.int64) for x in (a, b)))
    storage = storage_dtype(i["dst"].dtype)
    if saturates:
        limits = np.iinfo(storage)
        wide = np.clip(wide, limits.min, limits.max)
    return np.asarray(wide).astype(np.int64).astype(storage)


def _tensor_tensor(run: Run, i: Instruction) -> None:
    dst, op = i["dst"], i["op"].alu
    if op.bitwise:
        a, b = run.read(i["data1"]), run.read(i["data2"])
        run.compute_bits(dst, a, lambda out: _bits(run, op, a, b.reshape(a.shape), out))
    elif i.engine is engines.gpsimd and all(view.dtype in _NATIVE for view in (dst, i["data1"], i["data2"])):
        a, b = run.read(i["data1"]), run.read(i["data2"])
        b = b.reshape(a.shape)
        if run.knobs.gpsimd_overflow == "wrap" and i["op"].name in _RING:  # modulo 2**32, as NumPy's own of 32 bits
            words = np.uint32
            run.compute_bits(dst, a.view(words), lambda out: op.compute(a.view(words), b.view(words), out=out))
        else:
            run.write_bits(dst, _integers(run, i, a, b))
    else:
        left, right = run.read(i["data1"]), run.read(i["data2"])
        run.compute(dst, (left, right.reshape(left.shape)), partial(combine, run, op, on=i.engine), exact=op.truth)


TENSOR_TENSOR = Opcode(
    "tensor_tensor",
    writes=("dst",),
    reads=("data1", "data2"),
    engines=(engines.vector, engines.gpsimd),
    execute=_tensor_tensor,
    indirect=("dst", "data1"),
    choose=_tensor_tensor_engine,
    rules=(
        operator_is("op", "binary operator", _binary),
        same_elements("dst data1 data2"),
        not_all_in_psum("data1 data2"),
        integers_for_bits("dst data1 data2", "op"),
        Rule("power", "power runs on GpSimd", ISA, _pool_only),
    ),
)


def tensor_tensor(
    dst: NkiTensor, data1: NkiTensor, data2: NkiTensor, op: Operator, engine: engines = engines.unknown, name: str | None = None
) -> NkiInstruction:
    """Combine two tiles element by element. See `nki.isa.tensor_tensor`."""
    return TENSOR_TENSOR.issue(dst=dst, data1=data1, data2=data2, op=op, engine=engine, name=name)


def _alu(op: Operator) -> bool:
    return op.alu is not None and not op.alu.pool_only


_ON_ACT = {("multiply", "add"), ("multiply", None), ("add", None)}


def _names(i: Instruction) -> tuple[str, str | None]:
    return i["op0"].name, None if i["op1"] is None else i["op1"].name


def _tensor_scalar_engine(i: Instruction) -> engines:
    return engines.gpsimd if isinstance(i["op0"], Operator) and i["op0"].name == "rsqrt" else engines.vector


def _act_operators(i: Instruction) -> Broken | None:
    if i.engine is not engines.scalar:
        return None
    good = i.target.generation >= 3 and _names(i) in _ON_ACT
    return None if good else Broken(f"{_names(i)} on {i.target.name}", "multiply+add, multiply or add, from NeuronCore-v3 on")


def _pool_operators(i: Instruction) -> Broken | None:
    uses = "rsqrt" in _names(i)
    return Broken(f"{_names(i)} on {i.engine.name}", "rsqrt on gpsimd, others elsewhere") if uses != (i.engine is engines.gpsimd) else None


def _second(i: Instruction) -> Broken | None:
    incomplete = (i["op1"] is None) != (i["operand1"] is None) and not (i["op1"] is not None and i["op1"].alu.arity == 1)
    return Broken(f"op1={i['op1']!r}, operand1={i['operand1']!r}", "both or neither") if incomplete else None


def _bit_operand(run: Run, operand: NkiTensor | int, values: Array) -> Array:
    if isinstance(operand, NkiTensor):
        return run.read(operand).reshape(-1, *[1] * (values.ndim - 1)).view(values.dtype)
    return np.array(operand).astype(values.dtype)


def _tensor_scalar_bits(run: Run, i: Instruction) -> None:
    data = run.read(i["data"])
    steps = []
    for which in "01" if i["op1"] is not None else "0":
        alu = i[f"op{which}"].alu
        steps.append((alu, None if alu.arity == 1 else _bit_operand(run, i[f"operand{which}"], data), i[f"reverse{which}"]))

    def compute(out: Array | None) -> Array:
        values = data
        for step, (alu, operand, reverse) in enumerate(steps, 1):  # before the last one, operands may be where results go
            left, right = (operand, values) if reverse and operand is not None else (values, operand)
            values = _bits(run, alu, left, right, out if step == len(steps) else None)
        return values

    run.compute_bits(i["dst"], data, compute)


def _tensor_scalar(run: Run, i: Instruction) -> None:
    first, second = i["op0"], i["op1"]
    if first.alu.bitwise:
        _tensor_scalar_bits(run, i)
        return
    data, reverse = run.read(i["data"]), (i["reverse0"], i["reverse1"])
    if second is None:
        operands = (data,) if first.alu.arity == 1 else (data, np.asarray(run.scalar(i["operand0"], i["data"])))

        def compute(left: Array, right: Array | None = None, *, out: Array | None) -> Array:
            if right is None or not reverse[0]:
                return combine(run, first.alu, left, right, i.engine, out)
            return combine(run, first.alu, right, left, i.engine, out)

        run.compute(i["dst"], operands, compute, exact=first.alu.truth)
        return
    values = data, *(np.asarray(run.scalar(0.0 if i[name] is None else i[name], i["data"])) for name in ("operand0", "operand1"))
    run.compute(i["dst"], values, two_operators(run, (first, second), reverse, i.engine), exact=second.alu.truth)


def _float_operands(i: Instruction) -> Broken | None:
    wrong = [
        i[n].dtype for n in ("operand0", "operand1") if isinstance(i[n], NkiTensor) and not i["op0"].alu.bitwise and i[n].dtype != "float32"
    ]
    return Broken(", ".join(wrong), "float32") if wrong else None


def _bit_operands(i: Instruction) -> Broken | None:
    constants = [i[n] for n in ("operand0", "operand1") if i["op0"].alu.bitwise and i[n] is not None and not isinstance(i[n], NkiTensor)]
    width = 8 * itemsize(i["data"].dtype)
    wrong = [repr(value) for value in constants if not (isinstance(value, int) and -(2 ** (width - 1)) <= value < 2**width)]
    return Broken(", ".join(wrong), f"integers of {width} bits") if wrong else None


TENSOR_SCALAR = Opcode(
    "tensor_scalar",
    writes=("dst",),
    reads=("data", "operand0", "operand1"),
    engines=(engines.vector, engines.scalar, engines.gpsimd),
    execute=_tensor_scalar,
    indirect=("dst", "data"),
    choose=_tensor_scalar_engine,
    rules=(
        operator_is("op0 op1", "ALU operator", _alu),
        same_elements("dst data"),
        vector_of("operand0 operand1", "data"),
        Rule("second operator", "op1 and operand1 come together", ISA, _second),
        integers_for_bits("dst data operand0 operand1", "op0 op1"),
        Rule("float operands", "operands of arithmetic are float32", ISA, _float_operands),
        Rule("bit operands", "operands of bit operators are integers", ISA, _bit_operands),
        Rule("act operators", "the Scalar Engine has multiply+add, multiply and add", ISA, _act_operators),
        Rule("gpsimd operators", "GpSimd has rsqrt, and only GpSimd has it", ISA, _pool_operators),
    ),
)


def tensor_scalar(
    dst: NkiTensor,
    data: NkiTensor,
    op0: Operator,
    operand0: NkiTensor | float,
    reverse0: bool = False,
    op1: Operator | None = None,
    operand1: NkiTensor | float | None = None,
    reverse1: bool = False,
    engine: engines = engines.unknown,
    name: str | None = None,
) -> NkiInstruction:
    """
    Combine a tile with one or two values per partition: ``(data op0 operand0) op1 operand1``.

    See `nki.isa.tensor_scalar`.
    """
    return TENSOR_SCALAR.issue(
        dst=dst,
        data=data,
        op0=op0,
        operand0=operand0,
        reverse0=reverse0,
        op1=op1,
        operand1=operand1,
        reverse1=reverse1,
        engine=engine,
        name=name,
    )
