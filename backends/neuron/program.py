"""The program: the one kernel, which takes the plan as its argument."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..isa import Recordings, nki, nl, repeated
from .kernel import kernel
from .kernels.emission import Emission
from .kernels.hbm import Hbm
from .kernels.loop import run_loop
from .kernels.rows import run_rows
from .kernels.scalars import Scalars
from .plan.plan import Access, KernelStage, LoopStage, Plan, RowStage, Stage

__all__ = ["program"]


def _run(stages: Sequence[Stage], tensors: list[Any], scalars: Scalars, budget: int) -> None:
    """Emit stages, which share a number of instructions."""
    share, known, hbm = budget // len(stages), Recordings(), Hbm()
    for stage in stages:
        if isinstance(stage, LoopStage):
            run_loop(stage, tensors, scalars, partial(_run, stage.stages, tensors, budget=share))
        else:
            of_class, numbers = _class_of(stage)
            emit, shared = partial(_emit, stage, tensors, scalars, share, hbm), lambda: [*scalars.tiles(), *hbm.tensors]
            repeated(known, of_class, [tensors[n] for n in numbers], emit, shared)


def _emit(stage: RowStage | KernelStage, tensors: list[Any], scalars: Scalars, share: int, hbm: Hbm) -> None:
    if isinstance(stage, RowStage):
        run_rows(stage, tensors, scalars, share)
    else:
        emit = kernel(stage.kernel).emitter(stage.variant)
        hbm.begin()
        emit(Emission(stage, tensors, scalars, share, hbm), *stage.parameters)


def _class_of(stage: RowStage | KernelStage) -> tuple[Hashable, list[int]]:
    """Give a stage with its tensors numbered from 0 on, so that stages that do the same are equal, and the tensors."""
    numbers: dict[int, int] = {}

    def number(tensor: int) -> int:
        return numbers.setdefault(tensor, len(numbers))

    def change(access: Access) -> Access:
        return access if access.tensor is None else replace(access, tensor=number(access.tensor))

    if isinstance(stage, KernelStage):
        stage = replace(stage, sources=tuple(map(number, stage.sources)), results=tuple(map(number, stage.results)))
    return stage.mapped(change), [*numbers]


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
