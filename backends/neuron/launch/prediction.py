"""Predicting what a program takes, by the simulator's cost model; of reports, how schedules are drawn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from ...simulator import Kernel, Prediction, Program, current_options, find_target
from ...simulator import predict as predict_program
from ...simulator.cost.figure import Figure
from ...simulator.cost.hardware import HARDWARE
from ...simulator.cost.perfetto import sequence
from ..plan.plan import Plan
from ..program import program
from .simulated import trace

__all__ = [
    "Prediction", "Program", "predict", "predict_compilation", "predict_launch", "predict_transfer",
    "write_schedules",
]  # fmt: skip


def predict(plan: Plan, target: str, *, keep: bool = True) -> tuple[Program, Prediction] | None:
    """Predict what a plan takes; nothing runs."""
    kernel: object = program
    if not isinstance(kernel, Kernel):
        return None
    traced = trace(plan, find_target(target), races=current_options().races)
    return traced, predict_program(traced, keep=keep)


def _sum_of(*parts: tuple[Figure, float]) -> tuple[float, float, float]:
    """Add figures in ns, each taken a number of times: likeliest, least and most seconds."""
    return (
        1e-9 * sum(figure.value * count for figure, count in parts),
        1e-9 * sum(figure.low * count for figure, count in parts),
        1e-9 * sum(figure.high * count for figure, count in parts),
    )


def predict_launch(target: str) -> tuple[float, float, float]:
    """Predict what a launch takes besides its program: the call, and the start of a kernel."""
    return _sum_of(*((HARDWARE[name][target], 1) for name in ("launch", "kernel_start")))


def predict_transfer(target: str, nbytes: int) -> float:
    """Predict the seconds that bytes take between host and device."""
    return 1e-9 * nbytes / HARDWARE["host_link"][target].value


def predict_compilation(traced: Program) -> tuple[float, float, float]:
    """Guess what AWS's compiler takes for a program."""
    start, each = (HARDWARE[name][traced.target.name] for name in ("compile_start", "compile_instruction"))
    return _sum_of((start, 1), (each, len(traced.instructions)))


def write_schedules(path: str | PathLike[str], parts: Sequence[tuple[str, Prediction | None]]) -> None:
    """Write predicted schedules, one after the other, for Perfetto (ui.perfetto.dev) or Chrome's tracing page."""
    Path(path).write_text(json.dumps(sequence(parts)), encoding="utf-8")
