"""The Vector Engine's reduce registers, one per partition, that several instructions share."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..engines import engine as engines
from ..engines import reduce_cmd as commands
from ..machine.arithmetic import flush_denormals, reduce_free
from ..machine.run import Run
from ..program.instruction import Instruction
from ..program.opcode import Broken, Rule
from ..tensor.nkitensor import NkiTensor
from .rules import ISA

__all__ = ["IDENTITY", "accumulate", "begin", "float32_operands", "loads_only", "reduce_command", "reduce_values"]

Float32 = NDArray[np.float32]

IDENTITY: Final = {"add": 0.0, "subtract": 0.0, "multiply": 1.0, "maximum": -np.inf, "minimum": np.inf}
_UFUNCS: Final[dict[str, np.ufunc]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
}
_LOGICAL: Final[dict[str, np.ufunc]] = {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}


def reduce_values(run: Run, op: str, values: Float32) -> Float32:
    """Reduce the last axis as the Vector Engine does."""
    flush = run.knobs.denormals_dve == "flush"
    if op in _LOGICAL:
        values = flush_denormals(values.copy()) if flush else values
        return np.asarray(_LOGICAL[op].reduce(values != 0, axis=-1)).astype(np.float32)
    order = "sequential" if op == "subtract" else run.knobs.dve_order  # a difference has a first element
    return reduce_free(_UFUNCS[op], values, order, flush)


def begin(run: Run, i: Instruction, op: str, initial: NkiTensor | float | None, partitions: int) -> Float32:
    """Do to the registers what comes before an instruction accumulates."""
    registers, command = run.accumulator(engines.vector)[:partitions], i["reduce_cmd"]
    if command in (commands.reset, commands.reset_reduce):
        registers[...] = IDENTITY[op]
    elif command is commands.load_reduce:
        loaded = np.asarray(run.float32(initial) if isinstance(initial, NkiTensor) else initial, np.float32)
        registers[...] = loaded.reshape(-1)
    elif command is commands.idle:
        registers[...] = np.nan  # the documents: their state is unknown afterwards
    return registers


def accumulate(run: Run, i: Instruction, op: str, values: Float32, initial: NkiTensor | float | None = None) -> Float32:
    """Reduce results into the registers."""
    registers = begin(run, i, op, initial, values.shape[0])
    if i["reduce_cmd"] in (commands.reduce, commands.reset_reduce, commands.load_reduce):
        registers[...] = reduce_values(run, op, np.concatenate([registers[:, None], values.reshape(values.shape[0], -1)], axis=1))
    return registers.copy()


def reduce_command(*allowed: commands) -> Rule:
    """Rule that an instruction knows its command."""
    names = ", ".join(command.name for command in allowed)

    def check(i: Instruction) -> Broken | None:
        command: Any = i["reduce_cmd"]
        return None if command in allowed else Broken(getattr(command, "name", command), names)

    return Rule("reduce command", f"the registers are {names}", ISA, check)


def loads_only(name: str, unset: float | None) -> Rule:
    """Rule that an initial value comes with ``load_reduce`` and only with it."""

    def check(i: Instruction) -> Broken | None:
        loads, value = i["reduce_cmd"] is commands.load_reduce, i[name]
        missing = loads and value is None
        idle = not loads and (isinstance(value, NkiTensor) or value != unset)
        wrong = missing or idle
        return Broken(f"{name}={value!r} with {i['reduce_cmd'].name}", "a value with load_reduce, none otherwise") if wrong else None

    return Rule(f"{name} is loaded", f"{name} is given with load_reduce, and only then", ISA, check)


def float32_operands(names: str) -> Rule:
    """Rule that values per partition are float32."""

    def check(i: Instruction) -> Broken | None:
        wrong = [f"{name} {i[name].dtype}" for name in names.split() if isinstance(i[name], NkiTensor) and i[name].dtype != "float32"]
        return Broken(", ".join(wrong), "float32") if wrong else None

    return Rule("float operands", f"{names} is a constant or float32", ISA, check)
