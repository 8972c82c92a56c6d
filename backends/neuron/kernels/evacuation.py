"""Evacuation of PSUM: copies by the Vector Engine and the Scalar Engine in turn."""

from __future__ import annotations

from typing import Any

from ...isa import nisa

__all__ = ["Evacuation"]


class Evacuation:
    """
    Copies of tiles from PSUM to SBUF, each rounded once to the dtype of its destination.

    Notes
    -----
    An engine copies 128 elements per cycle, the Tensor Engine delivers as many: one engine alone would hold up products of short
    contractions. The Scalar Engine copies bits from NeuronCore-v3 on; before that the Vector Engine copies all.
    """

    def __init__(self) -> None:
        both = nisa.get_nc_version() >= nisa.nc_version.gen3
        self._engines = (nisa.engine.scalar, nisa.engine.vector) if both else (nisa.engine.vector,)
        self._next = 0

    def copy(self, dst: Any, src: Any) -> None:
        """Copy a tile."""
        nisa.tensor_copy(dst, src, engine=self._engines[self._next])
        self._next = (self._next + 1) % len(self._engines)
