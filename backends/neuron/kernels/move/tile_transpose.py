"""Transposes on chip: partition axis against free axis, bit for bit."""

from __future__ import annotations

from typing import Any

from ....isa import nisa
from ..evacuation import Evacuation
from ..tile_ring import BANK_BYTES, Ring, psum_ring

__all__ = ["TileTransposer", "itemsize"]

_BYTES = {"8": 1, "16": 2, "32": 4}


def itemsize(dtype: str) -> int:
    """
    Find the size of an element in bytes.

    Examples
    --------
    >>> [itemsize(name) for name in ("bool_", "bfloat16", "float8_e4m3fn", "uint32")]
    [1, 2, 1, 4]
    """
    if dtype in ("bool", "bool_"):
        return 1
    digits = "".join(c if c.isdigit() else " " for c in dtype).split()[0]
    return _BYTES[digits]


class TileTransposer:
    """
    Transposes tiles in SBUF, for all native dtypes, NaN and infinities included.

    Parameters
    ----------
    banks : int, optional
        PSUM banks to rotate over.
    evacuation : Evacuation, optional
        Whose turn it is to copy out of PSUM.

    Notes
    -----
    From NeuronCore-v3 on the Tensor Engine passes bits through, 128 x 128 at a time; blocks share a PSUM bank and one copy evacuates them.
    NeuronCore-v2 multiplies by the identity, which spoils rows with NaN or infinities; there the Vector Engine transposes blocks of 32 x
    32. Bound by the Tensor Engine (two cycles per row in 4-byte dtypes, else one) or by the copies (one cycle per element and partition).
    """

    def __init__(self, banks: int = 2, evacuation: Evacuation | None = None) -> None:
        self._on_pe = nisa.get_nc_version() >= nisa.nc_version.gen3
        self._banks: Ring | None = psum_ring(banks) if self._on_pe else None
        self._evacuation = evacuation or Evacuation()

    def tile(self, dst: Any, src: Any) -> None:
        """Transpose one block."""
        self.blocks(dst.expand_dim(1), src)

    def blocks(self, dst: Any, src: Any) -> None:
        """Transpose blocks of 128 columns: ``dst[c, j, p] = src[p, 128 j + c]``."""
        whole, rest = divmod(src.shape[1], 128)
        if whole:
            self.planes(dst[:, :whole], src[:, : 128 * whole].reshape_dim(1, (whole, 128)))
        if rest:
            self.planes(dst[:rest, whole:], src[:, 128 * whole :].expand_dim(1))

    def planes(self, dst: Any, src: Any) -> None:
        """Transpose matrices: ``dst[c, j, p] = src[p, j, c]``."""
        rows, count, columns = src.shape
        if self._banks is None:
            for j in range(count):
                self._by_quadrants(dst[:, j], src[:, j])
            return
        each = max(1, BANK_BYTES // itemsize(src.dtype) // rows)  # that share a bank
        for first in range(0, count, each):
            some = range(first, min(first + each, count))
            bank = self._banks.take().view(src.dtype)[:columns, : rows * len(some)]
            for place, j in enumerate(some):
                nisa.nc_transpose(bank[:, rows * place : rows * (place + 1)], src[:, j], engine=nisa.engine.tensor)
            self._evacuation.copy(dst[:, first : first + len(some)], bank)

    def _by_quadrants(self, dst: Any, src: Any) -> None:
        """Transpose a block on the Vector Engine, 32 x 32 at a time."""
        rows, columns = src.shape
        for row in range(0, rows, 32):
            for column in range(0, columns, 32):
                part = src[row : min(row + 32, rows), column : min(column + 32, columns)]
                nisa.nc_transpose(
                    dst[column : column + part.shape[1], row : row + part.shape[0]], part, engine=nisa.engine.vector
                )
