"""Running programs by AWS's NKI on ndarrays: on its simulator, or compiled and run on a NeuronCore with copies there and back.

Not run by the tests of this repository, which have no AWS NKI: they check what is asked of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from ..dtypes import DTYPES_BY_NAME
from ..plan.plan import Plan
from ..program import program
from .environment import LNC, Target, targeting
from .failure import translated
from .host_buffers import HostBuffers
from .launcher import LaunchError
from .programs import ProgramCache, Statistics

__all__ = ["NumpyLauncher", "checked", "compiled", "simulated_by_nki"]


def checked(plan: Plan, results: Any, launcher: str) -> list[Any]:
    """Check that a program returned what its plan says."""
    found = list(results) if isinstance(results, tuple | list) else [results]
    sizes = [tensor.size for tensor in plan.returned]
    if [array.size for array in found] != sizes:
        raise LaunchError(f"{launcher} returned tensors of {[array.size for array in found]} elements where the plan has {sizes}")
    return found


class NumpyLauncher(HostBuffers):
    """
    Runs programs by a callable that takes and gives ndarrays.

    Parameters
    ----------
    name : str
        For reports.
    target : str
        The generation.
    callable_of : callable
        From a kernel to what runs it.
    around : callable, optional
        Makes the context of a call.
    compiles : bool, optional
        Whether the first call of a program compiles it.
    """

    def __init__(
        self,
        name: str,
        target: Target,
        callable_of: Callable[[Any], Callable[..., Any]],
        around: Callable[[], AbstractContextManager[None]] = nullcontext,
        *,
        compiles: bool = True,
    ) -> None:
        self.name, self.target = name, target
        self._callable_of, self._around, self._compiles = callable_of, around, compiles
        self._programs: ProgramCache[Callable[..., Any]] = ProgramCache()

    @property
    def conditions(self) -> str:
        """Nothing; see `Launcher.conditions`."""
        return ""

    @property
    def statistics(self) -> Statistics:
        """How often a plan had been launched before; see `Launcher.statistics`. NKI itself keeps what it compiled."""
        return self._programs.statistics

    def is_compiled(self, plan: Plan) -> bool:
        """Tell whether a plan was launched; see `Launcher.is_compiled`. What NKI keeps between processes is not asked."""
        return plan in self._programs

    def compile(self, plan: Plan) -> None:
        """Launch a program on zeros, since NKI compiles ndarray kernels where it runs them; see `Launcher.compile`."""
        if self._compiles:
            zeros = [np.zeros(tensor.size, DTYPES_BY_NAME[tensor.dtype]) for tensor in plan.brought]
            self.run(plan, zeros, np.zeros(plan.scalars, np.uint32))
        else:
            self._programs.find(plan, lambda: self._callable_of(program))

    def run(self, plan: Plan, inputs: Sequence[Any], scalars: npt.NDArray[np.uint32]) -> Sequence[Any]:
        """Call the program; see `Launcher.run`."""
        # NKI's simulator writes to what it is given, and a program that fails leaves it as it was.
        given = [buffer.copy() if tensor.role == "updated" else buffer for tensor, buffer in zip(plan.brought, inputs, strict=True)]
        function = self._programs.find(plan, lambda: self._callable_of(program))
        with self._around(), translated(self.name):
            results = function(plan, scalars if plan.scalars else None, *given)
        return [np.ascontiguousarray(array).reshape(-1) for array in checked(plan, results, self.name)]

    def call(self, kernel: Any, arrays: Sequence[npt.NDArray[Any]]) -> Sequence[npt.NDArray[Any]]:
        """Call a kernel; see `Launcher.call`."""
        with self._around(), translated(self.name):
            results = self._callable_of(kernel)(*(array.copy() for array in arrays))
        return [np.asarray(array) for array in results]


def simulated_by_nki(nki: Any, target: Target) -> NumpyLauncher:
    """Launch on the simulator of AWS's NKI."""
    return NumpyLauncher("nki.simulate", target, lambda kernel: nki.simulate(kernel[LNC]), lambda: targeting(target), compiles=False)


def compiled(target: Target) -> NumpyLauncher:
    """Launch on a NeuronCore, standalone: each launch copies its inputs there and its outputs back."""
    return NumpyLauncher("nki.jit on NumPy", target, lambda kernel: kernel[LNC])
