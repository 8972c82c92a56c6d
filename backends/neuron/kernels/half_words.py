"""32-bit integers in halves of 16 bits, which float32 adds exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...isa import nisa, nl
from .sbuf import scratch

__all__ = ["carry", "halves", "joined", "sum_of_halves"]

_HALF: Final = 0xFFFF


def halves(tile: Any) -> list[Any]:
    """Take integers apart."""
    bits, parts = tile.view(nl.uint32), [scratch(tile.shape, nl.uint32) for _ in range(2)]
    nisa.tensor_scalar(parts[0], bits, nl.bitwise_and, _HALF)
    nisa.tensor_scalar(parts[1], bits, nl.right_shift, 16)
    return parts


def carry(low: Any, high: Any) -> None:
    """Bring both halves below 2**16, in place, modulo 2**32."""
    _carry_low(low, high)
    nisa.tensor_scalar(high, high, nl.bitwise_and, _HALF)


def _carry_low(low: Any, high: Any) -> None:
    over = scratch(low.shape, nl.uint32)
    nisa.tensor_scalar(over, low, nl.right_shift, 16)
    nisa.tensor_tensor(high, high, over, nl.add, engine=nisa.engine.vector)
    nisa.tensor_scalar(low, low, nl.bitwise_and, _HALF)


def joined(low: Any, high: Any, dst: Any) -> Any:
    """Put integers together."""
    shifted = scratch(high.shape, nl.uint32)
    nisa.tensor_scalar(shifted, high, nl.left_shift, 16)
    nisa.tensor_tensor(dst.view(nl.uint32), low, shifted, nl.bitwise_or)
    return dst


def sum_of_halves(dtype: str, one: Sequence[Any], other: Sequence[Any]) -> Any:
    """Add halves, and put them together modulo 2**32."""
    low, high = (scratch(half.shape, nl.uint32) for half in one)
    for total, left, right in zip((low, high), one, other, strict=True):
        nisa.tensor_tensor(total, left, right, nl.add, engine=nisa.engine.vector)
    _carry_low(low, high)
    return joined(low, high, scratch(low.shape, dtype))
