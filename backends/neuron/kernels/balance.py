"""Sharing out work among engines."""

from __future__ import annotations

from typing import Any, Final

from ...isa import nisa
from .elementwise import Cost, Loop

__all__ = ["Balance"]

# Gigahertz of Vector Engine, Scalar Engine and GpSimd, from the architecture guides.
_CLOCKS: Final = {
    nisa.nc_version.gen2: (1.12, 1.4, 1.4),
    nisa.nc_version.gen3: (0.96, 1.2, 1.2),
    nisa.nc_version.gen4: (1.2, 1.2, 1.2),
}
# Cycles per element of float32 with two tiles, or a tile and a scalar. Those of GpSimd were not published.
_WITH_TILES: Final = 2.0
_WITH_SCALAR: Final = 1.0


class Balance:
    """
    Chooses engines such that all are done at about the same time, by published and guessed rates.

    Notes
    -----
    Not on NeuronCore-v2, where Vector Engine and GpSimd do not access SBUF at the same time.
    """

    def __init__(self) -> None:
        generation = nisa.get_nc_version()
        self._shares = generation >= nisa.nc_version.gen3
        self._clocks = dict(zip((nisa.engine.vector, nisa.engine.scalar, nisa.engine.gpsimd), _CLOCKS[generation], strict=True))
        self._busy = dict.fromkeys(self._clocks, 0.0)

    def take(self, cost: Cost, elements: int) -> None:
        """
        Account for work that has its engines.

        Parameters
        ----------
        cost : Cost
            Cycles for each element.
        elements : int
            Of a partition.
        """
        for engine, cycles in zip(self._clocks, (cost.vector, cost.scalar, cost.gpsimd), strict=True):
            self._busy[engine] += cycles * elements / self._clocks[engine]

    def emit(self, loop: Loop, dst: Any, *operands: Any) -> None:
        """
        Emit a function, on the engine that will be done with it first if there is a choice.

        Parameters
        ----------
        loop : Loop
            The function.
        dst : NkiTensor
            Destination.
        *operands : NkiTensor
            Operands.
        """
        width = dst.shape[1]
        narrow = sum(operand.shape[1] != width for operand in operands)
        others = (loop.with_scalar if narrow else loop.with_tiles) if self._shares and narrow < len(operands) else ()
        if not others:
            self.take(loop.cost, width)
            loop.emit(dst, *operands)
            return
        work = width * (_WITH_SCALAR if narrow else _WITH_TILES)
        done = {engine: self._busy[engine] + work / self._clocks[engine] for engine in (nisa.engine.vector, *others)}
        engine = min(done, key=done.__getitem__)
        self._busy[engine] = done[engine]
        loop.emit(dst, *operands, engine=engine)
