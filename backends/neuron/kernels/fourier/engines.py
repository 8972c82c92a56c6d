"""Sums and copies shared out among Vector Engine and GpSimd."""

from __future__ import annotations

from typing import Any

from ....isa import nisa
from ..balance import target_costs

__all__ = ["Engines"]


class Engines:
    """Shares sums out among Vector Engine and GpSimd, by what they are predicted to take."""

    def __init__(self) -> None:
        self._costs = target_costs()
        self._shares = nisa.get_nc_version() >= nisa.nc_version.gen3
        self._busy = {nisa.engine.vector: 0.0, nisa.engine.gpsimd: 0.0}

    def take(self, opcode: str, elements: int, *, psum: bool = False) -> Any:
        """Choose an engine; GpSimd does not reach PSUM."""
        engines = [nisa.engine.vector] if psum or not self._shares else [*self._busy]
        done = {one: self._busy[one] + self._costs.instruction(opcode, elements, one.name) for one in engines}
        engine = min(done, key=done.__getitem__)
        self._busy[engine] = done[engine]
        return engine
