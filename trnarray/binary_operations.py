"""Bits: eight of them in a byte, or each an element."""

from __future__ import annotations

from typing import Literal

from ._apply import apply
from ._array import Array
from ._typing import ArrayLike
from .backends.ops import bits as ops

__all__ = ["packbits", "unpackbits"]


def packbits(a: ArrayLike, /, axis: int | None = None, bitorder: Literal["big", "little"] = "big") -> Array:
    """Pack elements into the bits of a uint8 array. See `numpy.packbits`."""
    return apply(ops.packbits, a, axis=axis, bitorder=bitorder)


def unpackbits(
    a: ArrayLike, /, axis: int | None = None, count: int | None = None, bitorder: Literal["big", "little"] = "big"
) -> Array:
    """Unpack the bits of a uint8 array. See `numpy.unpackbits`."""
    return apply(ops.unpackbits, a, axis=axis, count=count, bitorder=bitorder)
