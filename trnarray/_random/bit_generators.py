"""Counter-based bit generators: one stream on every device."""

from __future__ import annotations

import operator
import threading
from math import prod
from typing import Any, ClassVar, Final, Self

import numpy as np
import numpy.typing as npt

from ..backends.counter_based.functions import FUNCTIONS, Function
from ..backends.counter_based.stream import LANES, Stream
from .source import on_host

__all__ = ["CounterBitGenerator", "Philox4x32", "Threefry2x32", "Threefry4x32"]

_CARRY: Final = 32  # bits of a counter that a draw does not carry beyond


class CounterBitGenerator:
    """What counter-based bit generators have in common; see `Philox4x32`."""

    __slots__ = ("_counter", "_key", "_seed_seq", "lock")

    _function: ClassVar[Function]

    def __init__(self, seed: Any = None, *, counter: Any = None, key: Any = None) -> None:
        self.lock = threading.RLock()
        seed = on_host(seed)
        self._seed_seq: Any = None
        if key is None:
            known = isinstance(seed, np.random.SeedSequence) or hasattr(seed, "generate_state")
            self._seed_seq = seed if known else np.random.SeedSequence(seed)
            words = self._seed_seq.generate_state(self._function.key_words, np.uint32)
            self._key = tuple(words.tolist())
        elif seed is not None:
            raise ValueError("give a seed or a key, not both")
        else:
            self._key = self._words(key, self._function.key_words, "key")
        self._counter = 0
        if counter is not None:
            self._counter = self._checked(counter)

    def _bits(self) -> int:
        return 32 * self._function.words - LANES

    def _checked(self, counter: Any) -> int:
        if not isinstance(counter, (int, np.integer)):
            counter = sum(word << 32 * place for place, word in enumerate(self._words(counter, self._function.words, "counter")))
        if not 0 <= counter < 1 << self._bits():
            raise ValueError(
                f"counter is {int(counter):#x}; it is not negative and has up to {self._bits()} bits, since the {LANES} above say which "
                "words of an element a block has"
            )
        return int(counter)

    @staticmethod
    def _words(value: Any, count: int, name: str) -> tuple[int, ...]:
        """Read an integer, or its words of 32 bits from the lowest on."""
        value = on_host(value)
        if isinstance(value, (int, np.integer)):
            if not 0 <= value < 1 << 32 * count:
                raise ValueError(f"{name} is {value}; it is not negative and has up to {32 * count} bits")
            return tuple((int(value) >> 32 * place) & 0xFFFFFFFF for place in range(count))
        words = [operator.index(word) for word in np.asarray(value, object).reshape(-1)]
        if len(words) != count or not all(0 <= word < 1 << 32 for word in words):
            raise ValueError(f"{name} has {count} words of 32 bits; got {words}")
        return tuple(words)

    @property
    def seed_seq(self) -> Any:
        """The SeedSequence that the key comes from; None where the key was given."""
        return self._seed_seq

    @property
    def state(self) -> dict[str, Any]:
        """
        The state: key and counter, as words of 32 bits from the lowest on.

        Examples
        --------
        >>> import trnarray as xp
        >>> bits = xp.random.Philox4x32(key=[7, 8])
        >>> saved = bits.state
        >>> first = bits.random_raw(4)
        >>> bits.state = saved
        >>> bool((bits.random_raw(4) == first).all())
        True
        """
        with self.lock:
            words = [(self._counter >> 32 * place) & 0xFFFFFFFF for place in range(self._function.words)]
            state = {"counter": np.array(words, np.uint32), "key": np.array(self._key, np.uint32)}
            return {"bit_generator": type(self).__name__, "state": state}

    @state.setter
    def state(self, value: Any) -> None:
        if not isinstance(value, dict) or value.get("bit_generator") != type(self).__name__:
            given = value.get("bit_generator") if isinstance(value, dict) else type(value).__name__
            raise ValueError(f"a state of {type(self).__name__} is a dict that names it as 'bit_generator'; got {given}")
        key = self._words(value["state"]["key"], self._function.key_words, "key")
        counter = self._checked(value["state"]["counter"])
        with self.lock:
            self._key, self._counter = key, counter

    def advance(self, delta: int) -> Self:
        """
        Go on by blocks; a draw of n elements takes ``ceil(n / 4)`` of them, with Threefry2x32 ``ceil(n / 2)``.

        Parameters
        ----------
        delta : int
            How many; backwards if it is negative.

        Returns
        -------
        Self
            The generator itself.

        Examples
        --------
        >>> import trnarray as xp
        >>> whole = xp.random.Generator(xp.random.Philox4x32(1)).random(8)
        >>> rest = xp.random.Generator(xp.random.Philox4x32(1).advance(1)).random(4)
        >>> bool(xp.all(whole[4:] == rest))
        True
        """
        with self.lock:
            self._counter = (self._counter + operator.index(delta)) % (1 << self._bits())
        return self

    def jumped(self, jumps: int = 1) -> Self:
        """
        Make one that is 2**64 blocks further on for each jump, with Threefry2x32 2**40.

        Parameters
        ----------
        jumps : int, optional
            How many.

        Returns
        -------
        Self
            Another generator of the same key.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.random.Philox4x32(key=[7, 8]).jumped()
        Philox4x32(key=[7, 8], counter=18446744073709551616)
        """
        other = type(self)(key=self._key, counter=self._counter)
        other._seed_seq = self._seed_seq
        return other.advance(operator.index(jumps) << (64 if self._function.words == 4 else 40))

    def spawn(self, n_children: int) -> list[Self]:
        """Make generators of independent streams, by their seeds. See `numpy.random.BitGenerator.spawn`."""
        if self._seed_seq is None:
            raise TypeError("a generator whose key was given has no seed to spawn from; give other keys")
        return [type(self)(seed) for seed in self._seed_seq.spawn(n_children)]

    def random_raw(self, size: Any = None, output: bool = True) -> npt.NDArray[np.uint32] | np.uint32 | None:
        """
        Draw words of 32 bits, on the host.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; one word unless given.
        output : bool, optional
            Whether they are wanted, or only passed over.

        Returns
        -------
        ndarray of uint32, uint32 or None
            The words.

        Examples
        --------
        >>> import trnarray as xp
        >>> [hex(word) for word in xp.random.Philox4x32(key=0).random_raw(4)]
        ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
        """
        shape = () if size is None else tuple(size) if isinstance(size, (tuple, list)) else (operator.index(size),)
        stream = self._reserve(prod(shape))
        if not output:
            return None
        found = stream.words(prod(shape)).reshape(shape)
        return found if size is not None else np.uint32(found)

    def _reserve(self, count: int) -> Stream:
        """Take the part of the stream for a draw of so many elements."""
        needed = -(-count // self._function.words)
        if needed > 1 << _CARRY:
            raise ValueError(f"a draw of {count} elements needs {needed} blocks, and takes up to 2**{_CARRY}; draw parts of it")
        with self.lock:
            first = self._counter
            if (first & ((1 << _CARRY) - 1)) + needed > 1 << _CARRY:
                first = ((first >> _CARRY) + 1 << _CARRY) % (1 << self._bits())
            self._counter = (first + needed) % (1 << self._bits())
            return Stream(self._function, self._key, first)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._key, self._counter, self._seed_seq)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(key={list(self._key)}, counter={self._counter})"


def _restored(cls: type[CounterBitGenerator], key: tuple[int, ...], counter: int, seed_seq: Any) -> CounterBitGenerator:
    made = cls(key=key, counter=counter)
    made._seed_seq = seed_seq
    return made


class Philox4x32(CounterBitGenerator):
    """
    Bits of Philox4x32-10: a function of a counter, so that every device gives the same ones, whatever the order.

    A draw of n elements takes the next ``ceil(n / 4)`` blocks, whatever its dtype; it does not straddle a multiple of 2**32 blocks, but
    begins there. This is no `numpy.random.BitGenerator`: NumPy's ``Philox`` is another function, of 64-bit words.

    Parameters
    ----------
    seed : int, array_like of int or SeedSequence, optional
        What the key of 64 bits comes from; None takes entropy of the operating system.
    counter : int or array_like of int, optional
        Where to start, below 2**120: an integer, or its four words of 32 bits.
    key : int or array_like of int, optional
        In the place of a seed: an integer, or its two words of 32 bits.

    Examples
    --------
    >>> import trnarray as xp
    >>> rng = xp.random.Generator(xp.random.Philox4x32(7), device="sim:trn2")
    >>> twin = xp.random.Generator(xp.random.Philox4x32(7), device="cpu")
    >>> x, y = rng.random(1000, dtype=xp.float32), twin.random(1000, dtype=xp.float32)
    >>> bool(xp.all(x.to_device("cpu") == y))
    True
    """

    __slots__ = ()

    _function = FUNCTIONS["Philox4x32"]


class Threefry4x32(CounterBitGenerator):
    """
    Bits of Threefry4x32-20, with a key of 128 bits; otherwise as `Philox4x32`.

    Parameters
    ----------
    seed, counter, key
        As of `Philox4x32`; a key has four words.

    Examples
    --------
    >>> import trnarray as xp
    >>> hex(xp.random.Threefry4x32(key=0).random_raw())
    '0x9c6ca96a'
    """

    __slots__ = ()

    _function = FUNCTIONS["Threefry4x32"]


class Threefry2x32(CounterBitGenerator):
    """
    Bits of Threefry2x32-20, with a key of 64 bits and counters below 2**56; otherwise as `Philox4x32`.

    Parameters
    ----------
    seed, counter, key
        As of `Philox4x32`; a counter has two words.

    Examples
    --------
    >>> import trnarray as xp
    >>> hex(xp.random.Threefry2x32(key=0).random_raw())
    '0x6b200159'
    """

    __slots__ = ()

    _function = FUNCTIONS["Threefry2x32"]
