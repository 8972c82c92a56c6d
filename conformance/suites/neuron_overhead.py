"""What a Neuron device costs the host: appending a call, finding and launching a program that is there, and planning new graphs.

A benchmark, not a test: run it on a quiet machine. Times are the least of many; what a simulated device computes is not in them.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import trnarray as xp

from ...backends.device import Device
from ...backends.engine import engine_for
from ...backends.neuron.engine import NeuronEngine
from ...backends.neuron.launch.launcher import Launcher
from ...backends.neuron.launch.programs import ProgramCache
from ...backends.neuron.plan.assemble import Planner
from ...backends.neuron.plan.plan import Plan
from ..report import Report
from ..suite import SuiteError

__all__ = ["CHAINS", "add_arguments", "run"]

_LENGTH: Final = 10
_APPEND, _LAUNCH = 10.0, 50.0  # microseconds, at most


def _with_numbers(x: xp.Array, y: xp.Array) -> xp.Array:
    del y
    for place in range(_LENGTH):
        x = x * (place + 0.5)
    return x


def _with_arrays(x: xp.Array, y: xp.Array) -> xp.Array:
    for _ in range(_LENGTH):
        x = x + y
    return x


def _functions(x: xp.Array, y: xp.Array) -> xp.Array:
    del y
    for _ in range(_LENGTH // 2):
        x = xp.sqrt(xp.abs(x))
    return x


CHAINS: Final[dict[str, Callable[[xp.Array, xp.Array], xp.Array]]] = {
    "products with numbers": _with_numbers,
    "sums of arrays": _with_arrays,
    "functions": _functions,
}
"""Ten calls each."""


def _products(x: xp.Array, calls: int) -> xp.Array:
    y = x
    for _ in range(calls):
        y = y @ x
    return y


def _mixed(x: xp.Array, calls: int) -> xp.Array:
    y = x
    for _ in range(0, calls, 8):
        y = xp.exp((y @ x) * 0.5).T
        row = xp.sum(y + 1, axis=0)
        y = y - row
        y[1:3] = row
    return y


GRAPHS: Final[dict[str, tuple[Callable[[xp.Array, int], xp.Array], tuple[int, ...]]]] = {
    "dependent products": (_products, (100, 400, 1600)),
    "mixed calls": (_mixed, (200, 2000)),
}
"""Graphs of several sizes, by their numbers of calls: the time for each call must not grow with them."""
_GROWTH: Final = 1.5


class _Remembering:
    """A launcher that runs each program once, and then gives the same results."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._results: ProgramCache[Sequence[Any]] = ProgramCache()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._launcher, name)

    def run(self, plan: Plan, inputs: Sequence[Any], scalars: npt.NDArray[np.uint32]) -> Sequence[Any]:
        return self._results.find(plan, lambda: self._launcher.run(plan, inputs, scalars))


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--runs", metavar="N", type=int, default=1000, help="runs of which the fastest counts (default 1000)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Measure, and hold each figure against its limit."""
    engine = engine_for(device)
    if not isinstance(engine, NeuronEngine):
        raise SuiteError(f"suite 'neuron-overhead' measures Neuron devices, and the device is {str(device)!r}; give --device sim:trn2")
    x, y = (xp.ones((64, 64), dtype=xp.float32, device=device) for _ in range(2))
    launcher = engine.launcher
    engine.flush()
    engine.launcher = _Remembering(launcher)
    try:
        for name, chain in CHAINS.items():
            append, launch = _fastest(engine, chain, x, y, options.runs)
            report.hold(f"{name}: append a call", append / _LENGTH, _APPEND, "µs")
            report.hold(f"{name}: find and launch a program", launch, _LAUNCH, "µs")
    finally:
        engine.launcher = launcher
    for name, (make, sizes) in GRAPHS.items():
        times = []
        for calls in sizes:
            engine.graph.forget_computed()  # below the number of calls at which the device computes by itself
            result = make(x, calls)
            times.append(_planning(engine, max(8, 2000 // calls)) / calls)
            del result
            report.figures[f"{name}: plan {calls}, for each"] = round(times[-1], 3)
        report.hold(f"{name}: growth of the time for each", max(times) / min(times), _GROWTH, "times")


def _planning(engine: NeuronEngine, runs: int) -> float:
    """Time the planning of what is pending, in microseconds."""
    roots, found = engine.graph.pending(), math.inf
    for _ in range(runs):
        planner = Planner(engine.launcher.target)
        start = process_time()
        planner.plan(roots)
        found = min(found, process_time() - start)
    return found * 1e6


def _fastest(
    engine: NeuronEngine, chain: Callable[[xp.Array, xp.Array], xp.Array], x: xp.Array, y: xp.Array, runs: int
) -> tuple[float, float]:
    """Time appending a chain, and computing it, in microseconds."""
    append = launch = math.inf
    for _ in range(runs):
        start = perf_counter()
        result = chain(x, y)
        middle = perf_counter()
        engine.flush()
        end = perf_counter()
        del result
        append, launch = min(append, middle - start), min(launch, end - middle)
    return append * 1e6, launch * 1e6
