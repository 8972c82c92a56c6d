"""The program: the one kernel, which takes the plan as its argument."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..isa import nki, nl
from .kernel import kernel
from .kernels.emission import Emission
from .kernels.loop import run_loop
from .kernels.rows import run_rows
from .kernels.scalars import Scalars
from .plan.plan import LoopStage, Plan, RowStage, Stage

__all__ = ["program"]


def _run(stages: Sequence[Stage], tensors: list[Any], scalars: Scalars, budget: int) -> None:
    """Emit stages, which share a number of instructions."""
    share = budget // len(stages)
    for stage in stages:
        if isinstance(stage, RowStage):
            run_rows(stage, tensors, scalars, share)
        elif isinstance(stage, LoopStage):
            run_loop(stage, tensors, scalars, partial(_run, stage.stages, tensors, budget=share))
        else:
            emit = kernel(stage.kernel).emitter(stage.variant)
            emit(Emission(stage, tensors, scalars, share), *stage.parameters)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def program(plan: Plan, table: Any, *inputs: Any) -> Any:
    """Compute a plan."""
    given = iter(inputs)
    tensors = []
    for number, tensor in enumerate(plan.tensors):
        if tensor.role in ("input", "updated"):
            tensors.append(next(given))
        else:
            buffer = nl.shared_hbm if tensor.role == "output" else nl.private_hbm
            tensors.append(nl.ndarray((tensor.size,), tensor.dtype, buffer=buffer, name=f"{tensor.role}{number}"))
    _run(plan.stages, tensors, Scalars(table), plan.budget)
    return tuple(tensor for tensor, spec in zip(tensors, plan.tensors, strict=True) if spec.role in ("updated", "output"))
