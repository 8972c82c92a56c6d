"""
Counter-based random functions: bijections from counters to blocks of 32-bit words, one for each key.

Philox and Threefry are of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011); their library Random123
has known answers.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "FUNCTIONS", "PHILOX_MULTIPLIERS", "PHILOX_WEYL", "THREEFRY_PARITY", "THREEFRY_ROTATIONS",
    "Function", "blocks", "compiled", "constants", "successive",
]

Words: TypeAlias = npt.NDArray[np.uint32]

_MASK: Final = 0xFFFFFFFF
_CHUNK: Final = 16384  # blocks, of which all that is alive fits the cache
PHILOX_MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
PHILOX_WEYL: Final = (0x9E3779B9, 0xBB67AE85)
THREEFRY_PARITY: Final = 0x1BD11BDA
THREEFRY_ROTATIONS: Final = {
    2: ((13,), (15,), (26,), (6,), (17,), (29,), (16,), (24,)),
    4: ((10, 26), (11, 21), (13, 27), (23, 5), (6, 20), (17, 11), (25, 10), (18, 20)),
}


class Function(NamedTuple):
    """
    A function from counters to words.

    Attributes
    ----------
    name : str
        Its usual name.
    words : int
        Of a block, and of a counter.
    key_words : int
        Of a key.
    rounds : int
        How many.
    compute : callable
        ``compute(out, first, counter, key, rounds)`` writes blocks of shape (n, words), whose first words of counters are given.
    compiled : str
        The bit generator of the package randomgen that has the same words with the rounds recommended; "" for none.
    """

    name: str
    words: int
    key_words: int
    rounds: int
    compute: Callable[[Words, Words, tuple[int, ...], tuple[int, ...], int], None]
    compiled: str


def _philox(out: Words, first: Words, counter: tuple[int, ...], key: tuple[int, ...], rounds: int) -> None:
    """
    Multiply words 0 and 2 by constants, and mix the high halves with words 1 and 3 and the keys.

    Words 0 and 2 are the low halves of 64 bits, whose products need no conversions. What is the same in all blocks, half of the first
    and of the second round, is computed once.
    """
    count, halves = len(first), _halves()
    factors, products = ([make(count, np.uint64) for _ in range(2)] for make in (np.zeros, np.empty))
    x0, x2 = (factor.view(np.uint32)[halves[0] :: 2] for factor in factors)
    (low0, low1), (high0, high1) = ([product.view(np.uint32)[half::2] for product in products] for half in halves)
    x1, x3 = (np.empty(count, np.uint32) for _ in range(2))
    m0, m1 = map(np.uint64, PHILOX_MULTIPLIERS)
    keys = [[np.uint32((word + number * weyl) & _MASK) for word, weyl in zip(key, PHILOX_WEYL, strict=True)] for number in range(rounds)]
    x0[...] = first
    np.multiply(factors[0], m0, out=products[0])
    same = counter[2] * PHILOX_MULTIPLIERS[1]
    np.bitwise_xor(high0, keys[0][1] ^ np.uint32(counter[3]), out=x2)
    np.multiply(factors[1], m1, out=products[1])
    np.bitwise_xor(high1, keys[1][0] ^ np.uint32(same & _MASK), out=x0)
    same = ((same >> 32) ^ counter[1] ^ int(keys[0][0])) * PHILOX_MULTIPLIERS[0]
    np.bitwise_xor(low0, keys[1][1] ^ np.uint32(same >> 32), out=x2)
    old1: Words = low1
    old3: Words | np.uint32 = np.uint32(same & _MASK)
    for k0, k1 in keys[2:]:
        np.bitwise_xor(old1, k0, out=x1)
        np.bitwise_xor(old3, k1, out=x3)
        np.multiply(factors[0], m0, out=products[0])
        np.multiply(factors[1], m1, out=products[1])
        np.bitwise_xor(high1, x1, out=x0)
        np.bitwise_xor(high0, x3, out=x2)
        old1, old3 = low1, low0
    for place, word in enumerate((x0, old1, x2, old3)):
        out[:, place] = word


def _halves() -> tuple[int, int]:
    """Tell where the low and the high half of a 64-bit integer are."""
    first = int(np.array([1], np.uint64).view(np.uint32)[1])
    return first, 1 - first


def _threefry(out: Words, first: Words, counter: tuple[int, ...], key: tuple[int, ...], rounds: int) -> None:
    """Add, rotate and exclusive-or pairs of words, and add keys every four rounds."""
    count = len(counter)
    keys = _extended(key)
    x = [(first if not place else np.full(len(first), word, np.uint32)) + np.uint32(keys[place]) for place, word in enumerate(counter)]
    other = np.empty(len(first), np.uint32)
    rotations = THREEFRY_ROTATIONS[count]
    for number in range(rounds):
        # The second words of the pairs change places in every second round.
        pairs = [(0, 1), (2, 3)] if not number % 2 else [(0, 3), (2, 1)]
        for (a, b), turn in zip(pairs if count == 4 else [(0, 1)], rotations[number % 8], strict=True):
            x[a] += x[b]
            np.right_shift(x[b], np.uint32(32 - turn), out=other)
            x[b] <<= np.uint32(turn)
            x[b] |= other
            x[b] ^= x[a]
        if number % 4 == 3:
            injection = number // 4 + 1
            for place in range(count):
                x[place] += np.uint32((keys[(injection + place) % (count + 1)] + (injection if place == count - 1 else 0)) & _MASK)
    for place, word in enumerate(x):
        out[:, place] = word


FUNCTIONS: Final = {
    function.name: function
    for function in (
        Function("Philox4x32", 4, 2, 10, _philox, "Philox"),
        Function("Threefry4x32", 4, 4, 20, _threefry, "ThreeFry"),
        Function("Threefry2x32", 2, 2, 20, _threefry, "ThreeFry"),
    )
}
"""By name, with the rounds that their authors recommend."""


def blocks(function: Function, key: tuple[int, ...], counter: int, places: int | npt.NDArray[Any]) -> Words:
    """
    Compute blocks, one in each row: so many from a counter on, or those at some places after it; its low 32 bits do not carry.

    Examples
    --------
    >>> [hex(word) for word in blocks(FUNCTIONS["Philox4x32"], (0, 0), 0, 1)[0].tolist()]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    if isinstance(places, int):
        return successive(function, key, counter, places)(places)
    return _computed(function, key, counter, places)


def successive(function: Function, key: tuple[int, ...], counter: int, count: int) -> Callable[[int], Words]:
    """Give a function whose calls compute the next so many blocks, `count` of them in all."""
    if (generator := compiled(function, key, counter, count)) is not None:
        return lambda count: generator.integers(0, _MASK, (count, function.words), np.uint32, endpoint=True)
    done = 0

    def compute(count: int) -> Words:
        nonlocal done
        done += count
        return _computed(function, key, counter, np.arange(done - count, done, dtype=np.uint32))

    return compute


def _computed(function: Function, key: tuple[int, ...], counter: int, places: npt.NDArray[Any]) -> Words:
    """Compute blocks by NumPy, a part at a time."""
    words = tuple((counter >> 32 * place) & _MASK for place in range(function.words))
    out = np.empty((len(places), function.words), np.uint32)
    for begin in range(0, len(places), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        first = places[part].astype(np.uint32)
        first += np.uint32(words[0])
        function.compute(out[part], first, words, key, function.rounds)
    return out


def compiled(function: Function, key: tuple[int, ...], counter: int, count: int) -> np.random.Generator | None:
    """
    Make the generator of randomgen whose first block is that of a counter; None without it, or where the counter carries.

    Examples
    --------
    >>> made = compiled(FUNCTIONS["Philox4x32"], (0, 0), 0, 1)
    >>> made is None or int(made.integers(0, 2**32, dtype=np.uint32)) == 0x6627E8D5
    True
    """
    package = _randomgen()
    if package is None or not function.compiled or (counter & _MASK) + count > _MASK:
        return None
    bits = getattr(package, function.compiled)(0, number=function.words, width=32)
    state = bits.state
    before = (counter - 1) % (1 << 32 * function.words)  # it counts, then computes
    state["state"]["counter"][:] = [(before >> 32 * place) & _MASK for place in range(function.words)]
    state["state"]["key"][:] = key
    bits.state = state
    return np.random.Generator(bits)


@cache
def _randomgen() -> Any:
    """Import randomgen, an optional dependency."""
    try:
        return importlib.import_module("randomgen")
    except ModuleNotFoundError:
        return None


def constants(function: Function, key: tuple[int, ...], counter: int) -> tuple[int, ...]:
    """
    Compute what is the same in all blocks of a call, which kernels want to be brought, and first the first word of the first counter.

    Examples
    --------
    >>> len(constants(FUNCTIONS["Philox4x32"], (1, 2), 3))
    7
    """
    words = [(counter >> 32 * place) & _MASK for place in range(function.words)]
    if function.compute is _philox:
        product = words[2] * PHILOX_MULTIPLIERS[1]
        first = (product >> 32) ^ words[1] ^ key[0]
        other = first * PHILOX_MULTIPLIERS[0]
        k0, k1 = ((word + weyl) & _MASK for word, weyl in zip(key, PHILOX_WEYL, strict=True))
        return words[0], words[3] ^ key[1], (product & _MASK) ^ k0, (other >> 32) ^ k1, other & _MASK, *key
    keys, count = _extended(key), function.words
    x = [(word + keys[place]) & _MASK for place, word in enumerate(words)]
    turns = THREEFRY_ROTATIONS[count]
    begin = [(x[0] + x[1]) & _MASK, _rotated(x[1], turns[0][0])]
    if count == 4:
        third = (x[2] + x[3]) & _MASK
        fourth = _rotated(x[3], turns[0][1]) ^ third
        begin += [third, fourth, _rotated(fourth, turns[1][0])]
    injected = ((keys[(number + count - 1) % (count + 1)] + number) & _MASK for number in range(1, function.rounds // 4 + 1))
    return *begin, *keys, *injected


def _rotated(word: int, turn: int) -> int:
    return (word << turn | word >> (32 - turn)) & _MASK


def _extended(key: tuple[int, ...]) -> tuple[int, ...]:
    """Append the parity of Threefry's keys."""
    parity = THREEFRY_PARITY
    for word in key:
        parity ^= word
    return *key, parity
