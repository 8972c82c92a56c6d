"""Explaining: what has to run before a value is there, in words and predicted figures, without running it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..fallback.host_call import HostCall
from ..function import PAIRS
from ..graph.graph import ancestors
from ..graph.primitives import Buffer
from ..kernel import kernel
from ..launch.prediction import Prediction, predict, predict_compilation, predict_launch
from ..plan.plan import Access, Compute, KernelStage, LoopStage, Plan, Role, RowStage, Stage
from ..plan.schedule import Relaunch, Round
from .report import ExplainedHostCall, ExplainedProgram, ExplainedRound, ExplainedStage, Explanation

if TYPE_CHECKING:
    from ..engine import NeuronEngine
    from ..launch.launcher import Launcher
    from ..plan.assemble import Launch
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
        primitives = [cell.node.primitive for cell in value.cells]
        origin = next((f": {one.origin}" for one in primitives if isinstance(one, Buffer) and one.origin), "")
        return Explanation(str(engine.device), (), f"the value is computed{origin}" if value.size else "the value has no elements")
    steps = [_step(step, engine.launcher) for step in pending]
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


def _step(step: Launch | Relaunch | Round, launcher: Launcher) -> ExplainedProgram | ExplainedRound:
    if isinstance(step, Round):
        return _round(step)
    if isinstance(step, Relaunch):
        again = f"launched again after {step.loop.turns} turns, until the condition of while_loop at {step.loop.caller} does not hold"
        return replace(_program(step.launch.plan, launcher), again=again)
    return _program(step.plan, launcher)


def _program(plan: Plan, launcher: Launcher) -> ExplainedProgram:
    traced, whole = predict(plan, launcher.target) or (None, None)
    stages = _stages(plan, plan.stages, launcher.target, {plan: whole})
    compile_time = None if traced is None else predict_compilation(traced)
    return ExplainedProgram(plan, traced, whole, stages, launcher.is_compiled(plan), compile_time)


def _stages(plan: Plan, stages: Sequence[Stage], target: str, parts: dict[Plan, Prediction | None]) -> tuple[ExplainedStage, ...]:
    """Explain the stages of a plan, or those of a turn of its only one."""
    found = []
    for stage in stages:
        part = _alone(plan, stage, len(stages))
        if part not in parts:
            parts[part] = (predict(part, target, keep=False) or (None, None))[1]
        inner, turns = tuple[ExplainedStage, ...](), 0
        if isinstance(stage, LoopStage):
            (loop,) = part.stages
            assert isinstance(loop, LoopStage)
            inner, turns = _stages(part, loop.stages, target, parts), loop.turns if loop.condition is None else loop.likely
        over = _extents(stage) if isinstance(stage, LoopStage) else f"{_extents(stage)}, {_dtypes(plan, stage)}"
        found.append(ExplainedStage(_computes(stage), over, parts[part], inner, turns))
    return tuple(found)


def _alone(plan: Plan, stage: Stage, stages: int) -> Plan:
    """Make a plan of one of some stages. Stages that differ by the numbers of their tensors only have the same one."""
    if plan.stages == (stage,):
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
        budget=plan.budget // stages,
        choices=(),
    )


def _renumbered(stage: Stage, places: Mapping[int, int]) -> Stage:
    def moved(access: Access) -> Access:
        return access if access.tensor is None else replace(access, tensor=places[access.tensor])

    if isinstance(stage, LoopStage):
        condition = None if stage.condition is None else places[stage.condition]
        return replace(stage, stages=tuple(_renumbered(one, places) for one in stage.stages), condition=condition)
    if isinstance(stage, KernelStage):
        stage = replace(stage, sources=_moved(stage.sources, places), results=_moved(stage.results, places))
    return stage.mapped(moved)


def _moved(numbers: tuple[int, ...], places: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(places[number] for number in numbers)


def _computes(stage: Stage) -> str:
    """Name the functions of a stage."""
    if isinstance(stage, LoopStage):
        return f"loop of {stage.turns} turns" if stage.condition is None else "loop until a condition does not hold"
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
    if isinstance(stage, LoopStage):
        most = f", at most {stage.turns} turns" if stage.condition is not None and stage.turns == stage.likely else ""
        return f"{len(stage.stages)} stage{'s' * (len(stage.stages) > 1)} in a turn{most}"
    if isinstance(stage, KernelStage):
        return kernel(stage.kernel).describe(stage.parameters)[1]
    if not stage.columns:
        return " × ".join(map(str, stage.dims)) or "1"
    rows, columns = stage.dims[: -stage.columns], stage.dims[-stage.columns :]
    return f"{math.prod(rows)} rows of {math.prod(columns)}"


def _dtypes(plan: Plan, stage: Stage) -> str:
    read, written = (", ".join(sorted({plan.tensors[number].dtype for number in each})) for each in (stage.read, stage.written))
    return written if read in ("", written) else f"{read} to {written}"
