"""
Random orders of many elements, without sorting: a keyed bijection of the integers below a power of two.

It is a Feistel network of unequal halves: in each round the halves change places, and one of them takes the exclusive or with the top bits
of ``(x multiplier + key)**2`` modulo 2**32, x being the other one. For a number of elements that is no power of two, larger integers are
left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["LEAST", "ROUNDS", "bits_of", "keys_of", "order"]

ROUNDS: Final = 12
LEAST: Final = 1 << 16
"""Elements, below which words are sorted instead, of which hardly two are equal."""


def bits_of(count: int) -> int:
    """Tell how many bits the integers below a number have."""
    return (count - 1).bit_length()


def keys_of(words: Sequence[int]) -> list[int]:
    """Make the numbers of the rounds of words: multipliers, which are odd, then keys."""
    return [*(int(word) | 1 for word in words[:ROUNDS]), *map(int, words[ROUNDS : 2 * ROUNDS])]


def order(count: int, keys: Sequence[int]) -> npt.NDArray[np.uint32]:
    """
    Give the integers below a number in the order of a bijection.

    Examples
    --------
    >>> sorted(order(10, keys_of(range(24))).tolist())
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    bits = bits_of(count)
    index = np.arange(1 << bits, dtype=np.uint32)
    low = bits // 2
    left, right = index >> np.uint32(low), index & np.uint32((1 << low) - 1)
    sizes = [bits - low, low]
    for number in range(ROUNDS):
        mixed: Any = right * np.uint32(keys[number])
        mixed += np.uint32(keys[ROUNDS + number])
        mixed *= mixed
        mixed >>= np.uint32(32 - sizes[0])
        mixed ^= left
        left, right = right, mixed
        sizes.reverse()
    found = left << np.uint32(sizes[1]) | right
    return np.asarray(found if count == 1 << bits else found[found < count])
