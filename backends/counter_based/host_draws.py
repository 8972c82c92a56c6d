"""Draws of compound distributions on the host: tries one after the other, for the elements that none has been accepted of."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .compound import Draws, lanes_of
from .float64_quantiles import wide_table
from .functions import blocks
from .quantiles import table
from .rejection import Rejection

__all__ = ["HostDraws"]

_CHUNK: Final = 1 << 13  # elements, of which all that is alive fits the cache
_GROUP: Final = 4  # tries whose words are computed together


class HostDraws(Draws):
    """
    Elements of a stream.

    Parameters
    ----------
    stream : Stream
        What to draw from.
    shape : tuple of int
        Of the elements.
    wide : bool, optional
        Whether floats are of float64.
    places : array of int, optional
        Which elements of the stream; the first ones unless given.
    """

    def __init__(self, stream: Any, shape: tuple[int, ...], *, wide: bool = True, places: npt.NDArray[Any] | None = None) -> None:
        self._stream, self._shape, self.wide = stream, shape, wide
        self._places = places

    def __call__(self, name: str, *operands: Any) -> Any:
        """Call a function of NumPy's by its name."""
        return getattr(np, name)(*operands)

    def bits(self, x: Any) -> Any:
        """Read float32 as int32."""
        return np.asarray(x).view(np.int32)

    def floats(self, x: Any) -> Any:
        """Read int32 as float32."""
        return np.asarray(x).view(np.float32)

    def words(self, number: int) -> Any:
        """Give a word of each element."""
        assert self._places is None
        return self._stream.words(prod(self._shape), number).reshape(self._shape)

    def uniform(self) -> Any:
        """Draw multiples of 2**-53, of the first two words."""
        return self._stream.random(self._shape)

    def single(self, name: str) -> Any:
        """Draw float32 from a distribution without parameters, of the first words."""
        return self._stream.quantiles(name, self._shape, dtype=np.float32)

    def double(self, name: str, first: Any, second: Any) -> Any:
        """Take quantiles of float64 of two words."""
        return wide_table(name).evaluate(first.reshape(-1), second.reshape(-1)).reshape(self._shape)

    def of_last_axis(self, begin: int, end: int) -> HostDraws:
        """Take some elements along the last axis."""
        places = np.arange(prod(self._shape)).reshape(self._shape)[..., begin:end]
        return HostDraws(self._stream, places.shape, wide=self.wide, places=places.reshape(-1))

    def of_single(self) -> HostDraws:
        """Draw float32."""
        return HostDraws(self._stream, self._shape, wide=False, places=self._places)

    def concatenate(self, parts: list[Any]) -> Any:
        """Join along the last axis."""
        shape = np.broadcast_shapes(*[part.shape[:-1] for part in parts])
        return np.concatenate([np.broadcast_to(part, (*shape, part.shape[-1])) for part in parts], -1)

    def zeros(self, shape: tuple[int, ...]) -> Any:
        """Make zeros of float64."""
        return np.zeros(shape)

    def accepted(self, way: Rejection, setup: tuple[Any, ...], slot: int = 0, *, word: bool = False) -> Any:
        """Give the number of the first try that is accepted, or its first word."""
        count = prod(self._shape)
        setup = tuple(item if np.ndim(item) == 0 else np.broadcast_to(item, self._shape).reshape(-1) for item in setup)
        found = np.empty(count, np.uint32 if word else np.float32)
        quantiles = table(way.table) if way.table else None
        for begin in range(0, count, _CHUNK):
            rows = np.arange(begin, min(begin + _CHUNK, count))
            for number in range(way.tries):
                if number % _GROUP == 0:
                    first, second = (self._tried(way, lanes_of(way, slot) + other, rows, number) for other in (0, 1))
                    kept = np.arange(len(rows))
                words = first[kept, number % _GROUP]
                x: Any = words if quantiles is None else quantiles.evaluate(words)
                each = [item if np.ndim(item) == 0 else item[rows] for item in setup]
                good, value = way.attempt(self, x, second[kept, number % _GROUP], *each)
                if number + 1 == way.tries:
                    good[...] = True
                found[rows[good]] = (words if word else value)[good]
                rows, kept = rows[~good], kept[~good]
                if not rows.size:
                    break
        return found.reshape(self._shape)

    def _tried(self, way: Rejection, number: int, rows: npt.NDArray[Any], group: int) -> npt.NDArray[np.uint32]:
        """Give the words of some tries of elements."""
        places = rows if self._places is None else self._places[rows]
        words = self._stream.function.words
        found = np.empty((len(places), _GROUP // words, words), np.uint32)
        for begin, end, stream in self._stream.tried(number, way.tries, int(places[-1]) + 1):
            part = (places >= begin) & (places < end)
            first = (places[part] - begin) * (way.tries // words) + group // words
            for place in range(_GROUP // words):
                found[part, place] = blocks(stream.function, stream.key, stream.counter, first + place)
        return found.reshape(len(places), _GROUP)
