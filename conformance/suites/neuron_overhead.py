"""What a Neuron device costs the host: appending a call to the graph, and finding and launching a program that is there.

A benchmark, not a test: run it on a quiet machine. Times are the least of many; what a simulated device computes is not in them.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import trnarray as xp

from ...backends.device import Device
from ...backends.engine import engine_for
from ...backends.neuron.engine import NeuronEngine
from ...backends.neuron.launch.launcher import Launcher
from ...backends.neuron.launch.programs import ProgramCache
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
    """
    Measure, and hold each figure against its limit.

    Parameters
    ----------
    report : Report
        Takes the outcomes; the figures are in microseconds.
    device : Device
        A Neuron device.
    options : Namespace
        The command line.

    Raises
    ------
    SuiteError
        On any other device.
    """
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
