"""The program: the one kernel, which takes the plan as its argument."""

from __future__ import annotations

from typing import Any

from ..isa import nki, nl
from .kernel import kernel
from .kernels.emission import Emission
from .kernels.rows import run_rows
from .kernels.scalars import Scalars
from .plan.plan import Plan, RowStage

__all__ = ["program"]


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
    scalars = Scalars(table)
    for stage in plan.stages:
        if isinstance(stage, RowStage):
            run_rows(stage, tensors, scalars, plan.budget // len(plan.stages))
        else:
            emit = kernel(stage.kernel).emitter(stage.variant)
            emit(Emission(stage, tensors, scalars, plan.budget // len(plan.stages)), *stage.parameters)
    return tuple(tensor for tensor, spec in zip(tensors, plan.tensors, strict=True) if spec.role in ("updated", "output"))
