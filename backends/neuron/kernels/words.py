"""32-bit integers in halves of 16 bits, which float32 adds exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...isa import nisa, nl
from .sbuf import scratch

__all__ = ["carry", "halves", "joined", "sum_of_halves"]

_HALF: Final = 0xFFFF


def halves(tile: Any) -> list[Any]:
    """
    Take integers apart.

    Parameters
    ----------
    tile : NkiTensor
        Of int32 or uint32.

    Returns
    -------
    list of NkiTensor
        The low and the high halves, uint32.
    """
    bits, parts = tile.view(nl.uint32), [scratch(tile.shape, nl.uint32) for _ in range(2)]
    nisa.tensor_scalar(parts[0], bits, nl.bitwise_and, _HALF)
    nisa.tensor_scalar(parts[1], bits, nl.right_shift, 16)
    return parts


def carry(low: Any, high: Any) -> None:
    """
    Bring both halves below 2**16, in place, modulo 2**32.

    Parameters
    ----------
    low, high : NkiTensor
        Sums of halves, uint32, up to 2**24 - 2**8: with a carry of 8 bits that is exact in float32.
    """
    _carry_low(low, high)
    nisa.tensor_scalar(high, high, nl.bitwise_and, _HALF)


def _carry_low(low: Any, high: Any) -> None:
    over = scratch(low.shape, nl.uint32)
    nisa.tensor_scalar(over, low, nl.right_shift, 16)
    nisa.tensor_tensor(high, high, over, nl.add, engine=nisa.engine.vector)
    nisa.tensor_scalar(low, low, nl.bitwise_and, _HALF)


def joined(low: Any, high: Any, dst: Any) -> Any:
    """
    Put integers together.

    Parameters
    ----------
    low, high : NkiTensor
        Halves, uint32; of the high ones the lower 16 bits count.
    dst : NkiTensor
        Where to, of int32 or uint32.

    Returns
    -------
    NkiTensor
        `dst`.
    """
    shifted = scratch(high.shape, nl.uint32)
    nisa.tensor_scalar(shifted, high, nl.left_shift, 16)
    nisa.tensor_tensor(dst.view(nl.uint32), low, shifted, nl.bitwise_or)
    return dst


def sum_of_halves(dtype: str, one: Sequence[Any], other: Sequence[Any]) -> Any:
    """
    Add halves, and put them together modulo 2**32.

    Parameters
    ----------
    dtype : str
        Of the result.
    one, other : sequence of NkiTensor
        Low and high halves.

    Returns
    -------
    NkiTensor
        Of int32 or uint32.
    """
    low, high = (scratch(half.shape, nl.uint32) for half in one)
    for total, left, right in zip((low, high), one, other, strict=True):
        nisa.tensor_tensor(total, left, right, nl.add, engine=nisa.engine.vector)
    _carry_low(low, high)
    return joined(low, high, scratch(low.shape, dtype))
