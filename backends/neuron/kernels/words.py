"""32-bit integers in halves of 16 bits, which float32 adds exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...isa import nisa, nl
from .sbuf import scratch

__all__ = ["halves", "sum_of_halves"]

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
    carry, result = scratch(low.shape, nl.uint32), scratch(low.shape, dtype)
    nisa.tensor_tensor(low, one[0], other[0], nl.add, engine=nisa.engine.vector)
    nisa.tensor_tensor(high, one[1], other[1], nl.add, engine=nisa.engine.vector)
    nisa.tensor_scalar(carry, low, nl.right_shift, 16)
    nisa.tensor_tensor(high, high, carry, nl.add, engine=nisa.engine.vector)
    nisa.tensor_scalar(low, low, nl.bitwise_and, _HALF)
    nisa.tensor_scalar(high, high, nl.left_shift, 16)
    nisa.tensor_tensor(result.view(nl.uint32), low, high, nl.bitwise_or)
    return result
