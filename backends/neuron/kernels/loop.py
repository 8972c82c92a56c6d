"""
Loops of stages.

A turn is traced once. Its state is in HBM, where stages read and write it, and the number of the turn in SBUF, on all partitions, which
GpSimd counts. A loop with a condition reads that, one element in HBM, after each turn: about the latency of a DMA more, so that no turn
too many is computed, whatever the number of turns of a launch. Counted loops and conditions of sequencers: NKI's guide to dynamic loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...isa import expect, nisa, nl
from ..plan.plan import LoopStage, RowStage
from .scalars import Scalars

__all__ = ["run_loop"]


def run_loop(stage: LoopStage, tensors: list[Any], scalars: Scalars, run: Callable[[Scalars], None]) -> None:
    """Emit a loop, of a turn that is given."""
    _make_constants(stage, scalars)
    inside = Scalars(None, scalars) if stage.counter is None else scalars.counted(stage.counter)
    inside.constant(1, "int32")

    def turn(_: Any) -> None:
        run(Scalars(None, inside))
        if stage.counter is not None:
            inside.count(stage.counter)

    if stage.condition is None:
        nl.fori_loop(0, stage.turns, turn)
        return
    goes_on, left = nisa.register_alloc(), nl.ndarray((1, 1), nl.int32, buffer=nl.sbuf)
    nisa.memset(left, stage.turns)
    condition = tensors[stage.condition]

    def look() -> None:
        flag, wide = nl.ndarray((1, 1), condition.dtype, buffer=nl.sbuf), nl.ndarray((1, 1), nl.int32, buffer=nl.sbuf)
        nisa.dma_copy(flag, condition.ap(pattern=[[0, 1], [1, 1]], offset=0))
        nisa.tensor_copy(wide, flag)
        nisa.tensor_tensor(wide, wide, left, nl.multiply, engine=nisa.engine.gpsimd)
        nisa.register_load(goes_on, wide)

    def turn_and_look(_: Any) -> Any:
        turn(_)
        nisa.tensor_tensor(left, left, inside.constant(1, "int32")[:1], nl.subtract, engine=nisa.engine.gpsimd)
        look()
        return goes_on

    look()
    nl.while_loop(expect(goes_on, stage.likely, stage.turns), turn_and_look)


def _make_constants(stage: LoopStage, scalars: Scalars) -> None:
    """Make numbers that a turn uses before the first one."""
    for one in stage.stages:
        if isinstance(one, LoopStage):
            _make_constants(one, scalars)
            continue
        for rows in (one,) if isinstance(one, RowStage) else one.attached:
            for compute in rows.computes:
                if compute.kind == "fill" and compute.extent != "full" and compute.value is not None:
                    scalars.constant(compute.value, compute.dtype)
