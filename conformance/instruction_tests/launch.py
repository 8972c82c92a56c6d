"""A kernel that is launched on several cores or ranks, each with its own data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...backends.simulator import Knobs, Options, execute_ranks, jit
from ...backends.simulator.program.program import Program
from .experiment import compare

__all__ = ["Launch"]

Array = NDArray[Any]


@dataclass
class Launch:
    """
    A kernel of several cores or ranks.

    Parameters
    ----------
    kernel : callable
        Takes HBM tensors.
    fill : callable
        Takes a generator, and makes the inputs of one rank.
    reference : callable
        Takes the inputs of all ranks, a list for each; returns, for each rank, what each of its outputs must be (see `compare`).
    dtypes : tuple of str
        Of the outputs.
    lnc : int, optional
        Cores of a logical core.
    ranks : int, optional
        How many ranks.
    notes : str, optional
        What was drawn.
    """

    kernel: Callable[..., Any]
    fill: Callable[[np.random.Generator], list[Array]]
    reference: Callable[[list[list[Array]]], list[list[Any]]]
    dtypes: tuple[str, ...]
    lnc: int = 1
    ranks: int = 1
    notes: str = ""

    def __str__(self) -> str:
        return f"{self.ranks} ranks of {self.lnc} cores; {self.notes}"

    def trace(self) -> Program:
        """Trace the kernel anew."""

        def kernel(sources: tuple[Any, ...]) -> Any:
            return self.kernel(*sources)

        traced: Program = jit(kernel)[self.lnc].program(tuple(self.fill(np.random.default_rng(0))))
        return traced

    def data(self, rng: np.random.Generator, stress: str | None) -> list[list[Array]]:
        """Fill the inputs."""
        del stress
        return [self.fill(rng) for _ in range(self.ranks)]

    def run(self, program: Program, data: list[list[Array]], options: Options) -> Sequence[Array]:
        """Run the kernel on every rank."""
        results = execute_ranks(program, [[array.copy() for array in arrays] for arrays in data], options)
        return [array for result in results for array in (result if isinstance(result, tuple) else (result,))]

    def judge(self, data: list[list[Array]], found: Sequence[Array], knobs: Knobs) -> str | None:
        """Compare with the reference."""
        del knobs
        wanted = [want for outputs in self.reference(data) for want in outputs]
        for number, (array, want) in enumerate(zip(found, wanted, strict=True)):
            problem = compare(array, self.dtypes[number % len(self.dtypes)], want)
            if problem is not None:
                return f"rank {number // len(self.dtypes)}, output {number % len(self.dtypes)}: {problem}"
        return None
