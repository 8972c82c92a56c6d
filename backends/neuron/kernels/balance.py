"""Sharing out work among engines."""

from __future__ import annotations

from typing import Any, Final

from ...isa import nisa
from ..costs import Costs, current_costs
from ..function import DtypeLoop, Work

__all__ = ["Balance", "target_costs"]

_TARGETS: Final = {nisa.nc_version.gen2: "trn1", nisa.nc_version.gen3: "trn2", nisa.nc_version.gen4: "trn3"}


def target_costs() -> Costs:
    """Find the costs of the generation that a kernel is traced for."""
    return current_costs(_TARGETS[nisa.get_nc_version()])


class Balance:
    """
    Chooses engines such that all are done at about the same time, as predicted.

    Notes
    -----
    Not on NeuronCore-v2, where Vector Engine and GpSimd do not access SBUF at the same time.
    """

    def __init__(self) -> None:
        self._costs = target_costs()
        self._shares = nisa.get_nc_version() >= nisa.nc_version.gen3
        self._busy = {nisa.engine.vector: 0.0, nisa.engine.scalar: 0.0, nisa.engine.gpsimd: 0.0}

    def take(self, work: Work, elements: int) -> None:
        """Account for work that has its engines."""
        times = work.times(self._costs, elements)
        for engine in self._busy:
            self._busy[engine] += times.get(engine.name, 0.0)

    def wait(self, time: float) -> None:
        """Let engines finish what they have been given, as far as they get in some ns."""
        self._busy = {engine: max(0.0, busy - time) for engine, busy in self._busy.items()}

    def mover(self, elements: int) -> Any:
        """Choose who copies as many elements of each partition, the Vector or the Scalar Engine."""
        engines = (nisa.engine.scalar, nisa.engine.vector) if self._shares else (nisa.engine.vector,)
        done = {engine: self._busy[engine] + self._costs.instruction("tensor_copy", elements, engine.name) for engine in engines}
        engine = min(done, key=done.__getitem__)
        self._busy[engine] = done[engine]
        return engine

    def emit(self, loop: DtypeLoop, work: Work, dst: Any, *operands: Any) -> None:
        """Emit a function, on the engine that will be done with it first if there is a choice."""
        width = dst.shape[1]
        narrow = sum(operand.shape[1] != width for operand in operands)
        others = (loop.with_scalar if narrow else loop.with_tiles) if self._shares and narrow < len(operands) else ()
        if not others:
            self.take(work, width)
            loop.emit(dst, *operands)
            return
        opcode = "tensor_scalar" if narrow else work.instructions[0][1]
        engines = (nisa.engine.vector, *others)
        done = {engine: self._busy[engine] + self._costs.instruction(opcode, width, engine.name) for engine in engines}
        engine = min(done, key=done.__getitem__)
        self._busy[engine] = done[engine]
        loop.emit(dst, *operands, engine=engine)
