"""Explaining: what has to run before a value is there, in words and predicted figures, without running it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..fallback.host_call import HostCall
from ..function import PAIRS
from ..graph.graph import ancestors
from ..graph.primitives import Buffer
from ..kernel import kernel
from ..launch.prediction import Prediction, predict, predict_compilation, predict_launch
from ..plan.plan import Access, Compute, KernelStage, Plan, Role, RowStage, Stage
from ..plan.schedule import Round
from .report import ExplainedHostCall, ExplainedProgram, ExplainedRound, ExplainedStage, Explanation

if TYPE_CHECKING:
    from ..engine import NeuronEngine
    from ..launch.launcher import Launcher
    from ..value import Value

__all__ = ["explain"]


def explain(engine: NeuronEngine, value: Value) -> Explanation:
    """Explain what runs when a value is needed: all that is pending on its device, in one plan."""
    with engine.graph.lock:
        engine.graph.check_idle()
        for node in ancestors(cell.node for cell in value.cells):
            if isinstance(node.primitive, Buffer) and node.error is not None:
                raise node.error
        waits = any(cell.node.buffer is None and cell.node.size for cell in value.cells)
        pending = engine.pending_plan() if waits else []
        taken = engine.memory.used()
    if not pending:
        return Explanation(str(engine.device), (), "the value is computed" if value.size else "the value has no elements")
    steps = [_round(step) if isinstance(step, Round) else _program(step.plan, engine.launcher) for step in pending]
    launch = predict_launch(engine.launcher.target)
    return Explanation(str(engine.device), tuple(steps), peak=_peak(steps, taken), capacity=engine.memory.capacity, launch=launch)


def _peak(steps: Iterable[ExplainedProgram | ExplainedRound], taken: int) -> int:
    """Add up the bytes that steps take of a device's memory, and those that they leave there."""
    peak = taken
    for step in steps:
        if isinstance(step, ExplainedRound):
            wanted = left = step.brought
        else:
            wanted, left = step.hbm_bytes("temporary", "output"), step.hbm_bytes("output")
        peak, taken = max(peak, taken + wanted), taken + left
    return peak


def _round(step: Round) -> ExplainedRound:
    return ExplainedRound(tuple(map(_host_call, step.calls)), step.fetched, step.brought)


def _host_call(call: HostCall) -> ExplainedHostCall:
    dtypes = ", ".join(dict.fromkeys(str(operand.dtype) for operand in call.operands))
    taken, given = (
        sum(math.prod(shape) * dtype.itemsize for shape, dtype in arrays)
        for arrays in ([(operand.layout.shape, operand.dtype) for operand in call.operands], call.signatures)
    )
    return ExplainedHostCall(call.op.name, dtypes, call.reason, str(call.caller), taken, given)


def _program(plan: Plan, launcher: Launcher) -> ExplainedProgram:
    target = launcher.target
    traced, whole = predict(plan, target) or (None, None)
    parts: dict[Plan, Prediction | None] = {plan: whole}
    stages = []
    for stage in plan.stages:
        part = _alone(plan, stage)
        if part not in parts:
            parts[part] = (predict(part, target, keep=False) or (None, None))[1]
        stages.append(ExplainedStage(_computes(stage), f"{_extents(stage)}, {_dtypes(plan, stage)}", parts[part]))
    compile_time = None if traced is None else predict_compilation(traced)
    return ExplainedProgram(plan, traced, whole, tuple(stages), launcher.is_compiled(plan), compile_time)


def _alone(plan: Plan, stage: Stage) -> Plan:
    """Make a plan of one stage. Stages that differ by the numbers of their tensors only have the same one."""
    if len(plan.stages) == 1:
        return plan
    read, written = stage.read, stage.written
    numbers = {number: place for place, number in enumerate(dict.fromkeys([*read, *written]))}
    tensors = []
    for number in numbers:
        role: Role = "input" if number not in written else "updated" if number in read else "output"
        tensors.append(replace(plan.tensors[number], role=role if plan.tensors[number].role != "updated" else "updated"))
    order = sorted(range(len(tensors)), key=lambda place: tensors[place].role == "output")  # those that are given come first
    places = {number: order.index(place) for number, place in numbers.items()}
    return replace(
        plan,
        tensors=tuple(tensors[place] for place in order),
        stages=(_renumbered(stage, places),),
        budget=plan.budget // len(plan.stages),
        choices=(),
    )


def _renumbered(stage: Stage, places: Mapping[int, int]) -> Stage:
    def moved(access: Access) -> Access:
        return access if access.tensor is None else replace(access, tensor=places[access.tensor])

    if isinstance(stage, KernelStage):
        stage = replace(stage, sources=_moved(stage.sources, places), results=_moved(stage.results, places))
    return stage.mapped(moved)


def _moved(numbers: tuple[int, ...], places: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(places[number] for number in numbers)


def _computes(stage: Stage) -> str:
    """Name the functions of a stage."""
    if not isinstance(stage, KernelStage):
        return _functions(stage) or ("copy" if stage.read else "iota" if stage.loads else "fill")
    before = [f"{_functions(one.rows)} on operand {place}" for place, one in enumerate(stage.prologues, 1) if one is not None]
    after = [f"then {names}"] if stage.epilogue is not None and (names := _functions(stage.epilogue.rows)) else []
    return ", ".join([*before, kernel(stage.kernel).describe(stage.parameters, stage.variant)[0], *after])


def _functions(rows: RowStage) -> str:
    functions = Counter(name for compute in rows.computes if (name := _function(compute)))
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in functions.items())


def _function(compute: Compute) -> str:
    """Name a function; constants and copies have no name."""
    if compute.name == "positive":
        return ""
    if compute.kind == "pair":
        return PAIRS[compute.name].name
    words = {"cast": f"{compute.name or 'cast'} to {compute.dtype}", "elementwise": compute.name, "reduce": f"{compute.name} over rows"}
    return words.get(compute.kind, "")


def _extents(stage: Stage) -> str:
    if isinstance(stage, KernelStage):
        return kernel(stage.kernel).describe(stage.parameters)[1]
    if not stage.columns:
        return " × ".join(map(str, stage.dims)) or "1"
    rows, columns = stage.dims[: -stage.columns], stage.dims[-stage.columns :]
    return f"{math.prod(rows)} rows of {math.prod(columns)}"


def _dtypes(plan: Plan, stage: Stage) -> str:
    read, written = (", ".join(sorted({plan.tensors[number].dtype for number in each})) for each in (stage.read, stage.written))
    return written if read in ("", written) else f"{read} to {written}"
