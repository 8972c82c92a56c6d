"""Running programs on the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from ...simulator import Abstract, Kernel, KernelError, Options, Program, Target, current_options, execute, find_target, options
from ...simulator.options import Races
from ..plan.plan import Plan
from .host_buffers import HostBuffers
from .launcher import LaunchError
from .programs import ProgramCache, Statistics

__all__ = ["SimulatedLauncher", "trace"]

# Launchers keep programs, and so do predictions; neither traces what the other has.
_TRACED: Final[WeakValueDictionary[tuple[Plan, str, Races], Program]] = WeakValueDictionary()


def trace(plan: Plan, target: Target, *, races: Races = True) -> Program:
    """Trace the program of a plan."""
    key = plan, target.name, races
    traced = _TRACED.get(key)
    if traced is None:
        from ..program import program  # and with it all kernels

        table = Abstract((plan.scalars,), "uint32") if plan.scalars else None
        given = [Abstract((tensor.size,), tensor.dtype) for tensor in plan.brought]
        with options(target, mode="execute", eager=False, races=races):
            traced = _TRACED[key] = Kernel(program.function).trace(plan, table, *given)
    return traced


class SimulatedLauncher(HostBuffers):
    """
    Runs programs on a simulated NeuronCore; buffers are ndarrays. Knobs and uninitialised reads are as the options in force say.

    Parameters
    ----------
    target : str
        The generation.
    """

    name: Final = "simulator"

    def __init__(self, target: str) -> None:
        self.target = target
        self._target = find_target(target)
        self._options = Options(self._target)
        self._programs: ProgramCache[Program] = ProgramCache()

    @property
    def conditions(self) -> str:
        """Target and knobs; see `Launcher.conditions`."""
        return str(current_options().knobs)

    @property
    def statistics(self) -> Statistics:
        """How often a traced program was there; see `Launcher.statistics`."""
        return self._programs.statistics

    def is_compiled(self, plan: Plan) -> bool:
        """Tell whether a program was traced; see `Launcher.is_compiled`."""
        return (plan, self._chosen().races) in self._programs

    def compile(self, plan: Plan) -> None:
        """Trace a program; see `Launcher.compile`."""
        self._traced(plan, self._chosen())

    def _chosen(self) -> Options:
        """Return the options in force, for this launcher's target."""
        chosen = current_options(self._options)
        return chosen if chosen.target is self._target else replace(chosen, target=self._target)

    def _traced(self, plan: Plan, chosen: Options) -> Program:
        return self._programs.find((plan, chosen.races), lambda: trace(plan, self._target, races=chosen.races))

    def run(self, plan: Plan, inputs: Sequence[Any], scalars: npt.NDArray[np.uint32]) -> Sequence[Any]:
        """Trace the program if it is new, and execute it; see `Launcher.run`."""
        chosen = self._chosen()
        traced = self._traced(plan, chosen)
        # The program writes in place, as on hardware; one that fails leaves what it was to update as it was.
        updated = [(buffer, buffer.copy()) for tensor, buffer in zip(plan.brought, inputs, strict=True) if tensor.role == "updated"]
        try:
            results: Sequence[Any] = execute(traced, *([scalars] if plan.scalars else []), *inputs, options=chosen)
            return results
        except BaseException:
            for buffer, before in updated:
                buffer[...] = before
            raise

    def call(self, kernel: Any, arrays: Sequence[npt.NDArray[Any]]) -> Sequence[npt.NDArray[Any]]:
        """Trace a kernel and execute it; see `Launcher.call`."""
        try:
            with options(self._target, mode="execute", eager=False):
                results: Sequence[npt.NDArray[Any]] = kernel(*(array.copy() for array in arrays))
        except KernelError as error:
            raise LaunchError(str(error)) from error
        return results
