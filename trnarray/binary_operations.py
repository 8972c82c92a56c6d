"""Bits: eight of them in a byte, or each an element."""

from __future__ import annotations

from typing import Literal

from ._apply import apply
from ._array import Array
from ._typing import ArrayLike
from .backends.ops import bits as ops

__all__ = ["packbits", "unpackbits"]


def packbits(a: ArrayLike, /, axis: int | None = None, bitorder: Literal["big", "little"] = "big") -> Array:
    """
    Pack elements into the bits of a uint8 array.

    Parameters
    ----------
    a : array_like of bool or int
        The array; what is not 0 is a 1.
    axis : int, optional
        The axis to pack; by default the array is flattened.
    bitorder : {'big', 'little'}, optional
        Whether the first element goes into the highest or the lowest bit.

    Returns
    -------
    Array
        The bytes; the last one is filled up with zeros.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.packbits([1, 0, 1, 0, 0, 0, 0, 0, 1])
    Array([160, 128], dtype=uint8, device='cpu')
    """
    return apply(ops.packbits, a, axis=axis, bitorder=bitorder)


def unpackbits(
    a: ArrayLike, /, axis: int | None = None, count: int | None = None, bitorder: Literal["big", "little"] = "big"
) -> Array:
    """
    Unpack the bits of a uint8 array.

    Parameters
    ----------
    a : array_like of uint8
        The bytes.
    axis : int, optional
        The axis to unpack; by default the array is flattened.
    count : int, optional
        How many bits to give: more are zeros, a negative number leaves out as many at the end. All by default.
    bitorder : {'big', 'little'}, optional
        Whether the first element is the highest or the lowest bit.

    Returns
    -------
    Array
        The bits, uint8.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.unpackbits(xp.asarray([5], dtype=xp.uint8))
    Array([0, 0, 0, 0, 0, 1, 0, 1], dtype=uint8, device='cpu')
    """
    return apply(ops.unpackbits, a, axis=axis, count=count, bitorder=bitorder)
