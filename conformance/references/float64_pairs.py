"""Pairs of float64 that provoke errors of arithmetic made of 32-bit words."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["SPECIAL", "STRUCTURED", "pairs"]

_SIGN: Final = np.uint64(1 << 63)
_EXPONENT: Final = np.uint64(0x7FF << 52)
SPECIAL: Final = np.array(
    [
        *(0.0, 1.0, np.inf, np.nan, 5e-324, 3.5e-323, 1e-310, 2.2250738585072014e-308, 2.225073858507201e-308),
        *(1.1125369292536007e-308, 1.7976931348623157e308, 8.98846567431158e307, 0.5, 1.5, 2.0, 3.0, 2.0**53, 2.0**53 - 1, 2.0**52 + 0.5),
        *(1 + 2.0**-52, 1 - 2.0**-53, 1e154, 1e-154, 1e162, 1e-162, 0.49999999999999994, 2.5, 2.0**63, 2.0**64),
    ]
)
"""Numbers at the ends of ranges and in the middle between others."""
_EXPONENTS: Final = (0, 1, 2, 51, 52, 53, 969, 970, 971, 1021, 1022, 1023, 1024, 1025, 1074, 1075, 1076, 1086, 2044, 2045, 2046, 2047)
_SIGNIFICANDS: Final = (0, 1, 2**52 - 1, 2**52 - 2, 2**51)
STRUCTURED: Final = np.array([place << 52 | bits for place in _EXPONENTS for bits in _SIGNIFICANDS], np.uint64).view(np.float64)
"""
Numbers whose exponents are at the ends of the range, of the significand's length, and of integers, with few bits that are not alike.

After J. R. Hauser, "Berkeley TestFloat", 2018, whose cases are all pairs of such numbers.
"""


def pairs(count: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """
    Draw pairs.

    Notes
    -----
    All pairs of special numbers come first, and all pairs of structured ones, as many as half of the count; then random bits, of near
    exponents, neighbours but for the sign, subnormal numbers, inverses, and numbers of few bits.

    Examples
    --------
    >>> x, y = pairs(6, seed=0)
    >>> x[:3].tolist(), y[:3].tolist()
    ([0.0, 1.0, inf], [0.0, 0.0, 0.0])
    """
    rng = np.random.default_rng(seed)
    grids = []
    for numbers in (SPECIAL, STRUCTURED):
        both = np.concatenate([numbers, -numbers])
        grids.append(np.stack(np.meshgrid(both, both)).reshape(2, -1))
    grid = np.concatenate(grids, axis=1)[:, : count // 2]
    a, b = rng.integers(0, 2**64, (2, count), dtype=np.uint64)
    shift, kind = rng.integers(-60, 60, count), rng.integers(0, 10, count)
    place = ((a & _EXPONENT) >> np.uint64(52)).astype(np.int64)

    def at(exponents: NDArray[Any]) -> NDArray[np.uint64]:
        found: NDArray[np.uint64] = (b & ~_EXPONENT) | (exponents.clip(0, 2046).astype(np.uint64) << np.uint64(52))
        return found

    b = np.select(
        [kind < 2, kind < 4, kind == 4, kind == 5, kind == 6, kind == 7],
        [at(place + shift // 20), at(place + shift), (a ^ _SIGN) + shift.astype(np.uint64) // np.uint64(9), b & ~_EXPONENT,
         at(place * 0 + 1023), at(1023 - place + shift)],
        b,
    )  # fmt: skip
    a = np.where(kind == 8, a & ~_EXPONENT, a)
    for numbers in (a, b):
        few = rng.integers(0, 4, count) == 0
        numbers[few] &= (np.uint64(2**64 - 1) << rng.integers(0, 53, count).astype(np.uint64))[few]
    a[: grid.shape[1]], b[: grid.shape[1]] = np.ascontiguousarray(grid).view(np.uint64)
    return a.view(np.float64), b.view(np.float64)
