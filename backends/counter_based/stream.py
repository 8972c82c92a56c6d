"""What a call draws from: a part of the stream of a counter-based function, reserved for it."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..threads import in_threads
from . import compound
from .counts import thresholds, thresholds_of
from .float64_quantiles import wide_table
from .functions import Function, blocks, successive
from .host_draws import HostDraws
from .orders import LEAST, ROUNDS, keys_of, order
from .products128 import below
from .quantiles import QUANTILES, table, tabled

__all__ = ["LANES", "Stream", "check_parameters", "factored", "lane", "takes_words"]

Shape = tuple[int, ...]
LANES: Final = 8
"""Bits at the top of a counter that say which words of an element a block has: the first, the second, one for another try."""
_CHUNK: Final = 1 << 15  # numbers, of which all that is alive fits the cache
_FOR_A_THREAD: Final = 1 << 17  # numbers, a third of a millisecond and more; beginning a thread takes a tenth
_KEYED: Final = 255
_ORDER: Final = 254
_BELOW: Final = 1 << 32


def lane(function: Function, counter: int, number: int) -> int:
    """Give the counter of other words of the same elements."""
    return counter | number << (32 * function.words - LANES)


def takes_words(function: Function, count: int) -> bool:
    """Tell whether integers below a number are made of one word, or of another one where that is not fair."""
    return function.name == "Philox4x32" and count <= _BELOW


def check_parameters(name: str, *parameters: Any, **keywords: Any) -> None:
    """Have NumPy raise its errors about parameters."""
    getattr(_checking(), name)(*parameters, **keywords)


@cache
def _checking() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(0))


def factored(mean: Any, cov: Any, check_valid: str, tol: float, method: str) -> tuple[Any, Any]:
    """Factor a covariance as A.T @ A, as NumPy does, which first raises its errors and warnings."""
    np.random.Generator(np.random.PCG64(0)).multivariate_normal(mean, cov, (), check_valid, tol, method=method)  # type: ignore[arg-type]
    if method == "cholesky":
        return mean, np.linalg.cholesky(cov).T
    if method == "eigh":
        values, vectors = np.linalg.eigh(cov)
        return mean, np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    _, values, vectors = np.linalg.svd(cov)
    return mean, np.sqrt(values)[:, None] * vectors


def _float(parameter: Any) -> npt.NDArray[np.float64]:
    return np.asarray(parameter, np.float64)


def _shape(size: Any, *parameters: Any) -> Shape:
    shape: Shape = np.broadcast_shapes(*[np.shape(item) for item in parameters])
    if size is None:
        return shape
    given = tuple(size) if isinstance(size, (tuple, list)) else (int(size),)
    if np.broadcast_shapes(shape, given) != given:
        raise ValueError(f"size is {given}, to which parameters of shape {shape} do not broadcast")
    return given


def _scalar(found: Any, size: Any) -> Any:
    return found[()] if size is None and isinstance(found, np.ndarray) else found


def _scaled(name: str) -> Callable[..., Any]:
    """Make the method of a distribution with location and scale."""

    def draw(self: Stream, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        check_parameters(name, loc, scale)
        return _scalar(_float(loc) + _float(scale) * self.quantiles(name, _shape(size, loc, scale)), size)

    return draw


def _widened(name: str) -> Callable[..., Any]:
    """Make the method of a distribution with a scale."""

    def draw(self: Stream, scale: Any = 1.0, size: Any = None) -> Any:
        check_parameters(name, scale)
        return _scalar(_float(scale) * self.quantiles(name, _shape(size, scale)), size)

    return draw


def _shaped(name: str) -> Callable[..., Any]:
    """Make the method of a distribution of parameters alone."""

    def draw(self: Stream, *parameters: Any, size: Any = None) -> Any:
        check_parameters(name, *parameters)
        return _scalar(self.shaped(name, _shape(size, *parameters), *parameters), size)

    return draw


def _counted(name: str) -> Callable[..., Any]:
    """Make the method of a distribution of counts."""

    def draw(self: Stream, *parameters: Any, size: Any = None) -> Any:
        return self.counts(name, *parameters, size=size)

    return draw


class Stream:
    """
    A part of a stream, with the methods of `numpy.random.Generator` that draw.

    Element i of a draw has the word i of the blocks from the counter on, and, where it needs more, the words i of other lanes. So draws of
    any dtype take the same part, and low precision is the rounding of high precision.

    Parameters
    ----------
    function : Function
        From counters to words.
    key : tuple of int
        Its key.
    counter : int
        Of the first block.
    """

    __slots__ = ("counter", "function", "key")

    def __init__(self, function: Function, key: tuple[int, ...], counter: int) -> None:
        self.function, self.key, self.counter = function, key, counter

    def __repr__(self) -> str:
        return f"<Stream {self.function.name} {self.counter:#x}>"

    def keyed(self) -> np.random.Generator:
        """Make a generator of NumPy's, with a seed of this part of the stream."""
        count = 4 // self.function.words
        words = blocks(self.function, self.key, lane(self.function, self.counter, _KEYED), count).reshape(-1)
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words.tolist())))

    def of_lane(self, number: int) -> Stream:
        """Give the stream of other words of the same elements."""
        return Stream(self.function, self.key, lane(self.function, self.counter, number))

    def tried(self, number: int, tries: int, count: int) -> Iterator[tuple[int, int, Stream]]:
        """
        Give the streams of a lane for so many tries of elements, whose words are side by side: word t of element i is ``i * tries + t``.

        Elements are split where counters cross a multiple of 2**32, beyond which draws do not carry: the last tries of an element that
        begins before it and ends after it have the first counters since the multiple before.
        """
        each, begin = tries // self.function.words, 0
        while begin < count:
            counter = self.counter * tries + begin * each
            end = min(count, begin - (counter % (1 << 32) - (1 << 32)) // each)
            below = counter % (1 << (32 * self.function.words - LANES))
            yield begin, end, Stream(self.function, self.key, lane(self.function, below, number))
            begin = end

    def words(self, count: int, number: int = 0) -> npt.NDArray[np.uint32]:
        """Give the words of a lane."""
        return self._filled(count, np.uint32, (number,), lambda _, words: words)

    def _at(self, places: npt.NDArray[Any], number: int) -> npt.NDArray[np.uint32]:
        each = self.function.words
        found = blocks(self.function, self.key, lane(self.function, self.counter, number), places // each)
        return np.asarray(found[np.arange(len(places)), places % each])

    def _successive(self, begin: int, count: int, number: int) -> Callable[[int], npt.NDArray[np.uint32]]:
        """Give a function that computes the next blocks of a lane, from a word on which begins one, for so many words in all."""
        each, counter = self.function.words, lane(self.function, self.counter, number)
        moved = counter - counter % _BELOW + (counter + begin // each) % _BELOW
        return successive(self.function, self.key, moved, -(-count // each))

    def _filled(self, count: int, dtype: Any, numbers: Sequence[int], compute: Callable[..., Any]) -> npt.NDArray[Any]:
        """Compute numbers of the words of lanes, ``compute(begin, *words)`` of a part at a time, and many by several threads."""
        found, each = np.empty(count, dtype), self.function.words

        def fill(begin: int, end: int) -> None:
            lanes = [self._successive(begin, end - begin, number) for number in numbers]
            for start in range(begin, end, _CHUNK):
                here = min(_CHUNK, end - start)
                found[start : start + here] = compute(start, *[words(-(-here // each)).reshape(-1)[:here] for words in lanes])

        in_threads(fill, count, _CHUNK, _FOR_A_THREAD)
        return found

    def _second(self, begin: int, places: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        """Give second words, of places from a begin on."""
        return self._at(begin + places, 1)

    # Uniform numbers, and quantiles of them

    def _uniform(self, count: int) -> npt.NDArray[np.float64]:
        """Give multiples of 2**-53."""

        def compute(_: int, first: npt.NDArray[np.uint32], second: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
            first >>= np.uint32(5)
            second >>= np.uint32(6)
            found = np.multiply(first.view(np.int32), 2.0**-27, dtype=np.float64)  # NumPy converts signed integers faster
            found += np.multiply(second.view(np.int32), 2.0**-53, dtype=np.float64)
            return found

        return self._filled(count, np.float64, (0, 1), compute)

    def _uniform_float32(self, count: int) -> npt.NDArray[np.float32]:
        """Give multiples of 2**-24."""

        def compute(_: int, words: npt.NDArray[np.uint32]) -> npt.NDArray[np.float32]:
            words >>= np.uint32(8)
            found = words.view(np.int32).astype(np.float32)
            found *= np.float32(2.0**-24)
            return found

        return self._filled(count, np.float32, (0,), compute)

    def quantiles(self, name: str, shape: Shape, *parameters: float, dtype: Any = np.float64) -> npt.NDArray[Any]:
        """Draw from a distribution of `quantiles.QUANTILES`."""
        count = prod(shape)
        if dtype == np.float32:
            by = table(name, *map(float, parameters))
            if by is not None:
                return self._filled(
                    count, dtype, (0,), lambda begin, words: by.evaluate(words, partial(self._second, begin))
                ).reshape(shape)
        wide = wide_table(name, *map(float, parameters))
        return self._filled(count, dtype, (0, 1), lambda _, *words: wide.evaluate(*words)).reshape(shape)

    def _drawn(self, make: Callable[[Shape], npt.NDArray[Any]], size: Any, dtype: Any, out: Any, *parameters: Any) -> Any:
        dtype = np.dtype(dtype)
        if dtype not in (np.float32, np.float64):
            raise TypeError(f"draws are of float32 or float64, not {dtype}")
        shape = _shape(size if out is None else out.shape, *parameters)
        if out is not None and (size is not None and _shape(size) != out.shape):
            raise ValueError(f"out has shape {out.shape}, and size is {reprlib.repr(size)}; give one of them")
        found = make(shape).astype(dtype, copy=False)
        if out is None:
            return found[()] if size is None and not shape else found
        out[...] = found
        return out

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw multiples of 2**-53, or 2**-24 for float32, in [0, 1)."""

        def make(shape: Shape) -> npt.NDArray[Any]:
            if np.dtype(dtype) == np.float32:
                return self._uniform_float32(prod(shape)).reshape(shape)
            return self._uniform(prod(shape)).reshape(shape)

        return self._drawn(make, size, dtype, out)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw from the standard normal distribution."""
        return self._drawn(lambda shape: self.quantiles("normal", shape, dtype=dtype), size, dtype, out)

    def standard_exponential(self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None) -> Any:
        """Draw from the exponential distribution of mean 1; whatever the method."""
        if method not in ("zig", "inv"):
            raise ValueError(f"method is {method!r}; use 'zig' or 'inv', which are the same here")
        return self._drawn(lambda shape: self.quantiles("exponential", shape, dtype=dtype), size, dtype, out)

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw from a gamma distribution of scale 1."""
        check_parameters("standard_gamma", shape)
        return self._drawn(lambda found: self.shaped("gamma", found, shape, dtype=dtype), size, dtype, out, shape)

    def standard_cauchy(self, size: Any = None) -> Any:
        """Draw from the Cauchy distribution."""
        return _scalar(self.quantiles("cauchy", _shape(size)), size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Draw from an interval, without its upper end."""
        check_parameters("uniform", low, high)
        shape = _shape(size, low, high)
        low, high = _float(low), _float(high)
        return _scalar(low + (high - low) * self._uniform(prod(shape)).reshape(shape), size)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Draw exponentials of normal numbers."""
        check_parameters("lognormal", mean, sigma)
        return _scalar(np.exp(_float(mean) + _float(sigma) * self.quantiles("normal", _shape(size, mean, sigma))), size)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from a gamma distribution."""
        check_parameters("gamma", shape, scale)
        return _scalar(self.shaped("gamma", _shape(size, shape, scale), shape) * _float(scale), size)

    def chisquare(self, df: Any, size: Any = None) -> Any:
        """Draw from a chi-square distribution."""
        check_parameters("chisquare", df)
        return _scalar(2 * self.shaped("gamma", _shape(size, df), _float(df) / 2), size)

    def shaped(self, name: str, shape: Shape, *parameters: Any, dtype: Any = np.float64) -> npt.NDArray[Any]:
        """Draw from a distribution of parameters: of numbers by quantiles where these are smooth."""
        if name in QUANTILES and all(np.ndim(item) == 0 for item in parameters) and tabled(name, *map(float, parameters)):
            return self.quantiles(name, shape, *map(float, parameters), dtype=dtype)
        draws = HostDraws(self, shape, wide=np.dtype(dtype) != np.float32)
        made = compound.FLOATS["standard_gamma" if name == "gamma" else name]
        with np.errstate(all="ignore"):
            return np.broadcast_to(made(draws, *map(_float, parameters)), shape)

    def multivariate_normal(
        self, mean: Any, cov: Any, size: Any = None, check_valid: str = "warn", tol: float = 1e-8, *, method: str = "svd"
    ) -> Any:
        """Draw vectors from a normal distribution."""
        centre, factor = factored(_float(mean), _float(cov), check_valid, tol, method)
        shape = (*_shape(size), len(centre))
        return centre + self.quantiles("normal", shape) @ factor

    # Counts and integers

    def counts(self, name: str, *parameters: Any, size: Any = None) -> Any:
        """Draw counts: by thresholds where parameters are numbers and these are few, else by rejection."""
        check_parameters(name, *parameters)
        if all(np.ndim(item) == 0 for item in parameters):
            found = thresholds(name, *[np.asarray(item).item() for item in parameters])
            if found is not None:
                shape = _shape(size)
                drawn = np.searchsorted(found.values, self.words(prod(shape)), side="right").astype(np.int64) + found.first
                return _scalar(drawn.reshape(shape), size)
        shape = _shape(size, *parameters)
        with np.errstate(all="ignore"):
            drawn = compound.COUNTS[name](HostDraws(self, shape, wide=False), *map(_float, parameters))
        return _scalar(np.broadcast_to(drawn, shape).astype(np.int64), size)

    # Vectors

    def dirichlet(self, alpha: Any, size: Any = None) -> Any:
        """Draw shares that sum to 1."""
        check_parameters("dirichlet", alpha)
        with np.errstate(all="ignore"):
            return compound.dirichlet(HostDraws(self, (*_shape(size), len(alpha))), _float(alpha))

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        """Draw how often each outcome comes."""
        check_parameters("multinomial", n, pvals)
        count, chances = _float(n), _float(pvals)
        shape = (*_shape(size, count, chances[..., 0]), compound.width_of_tree(chances.shape[-1]))
        with np.errstate(all="ignore"):
            drawn = compound.multinomial(HostDraws(self, shape, wide=False), count, chances)
        return np.broadcast_to(drawn, (*shape[:-1], chances.shape[-1])).astype(np.int64)

    def multivariate_hypergeometric(self, colors: Any, nsample: Any, size: Any = None, method: str = "marginals") -> Any:
        """Draw how many of each kind are in a sample, whatever the method."""
        check_parameters("multivariate_hypergeometric", colors, nsample, method=method)
        kinds = _float(colors)
        draws = HostDraws(self, (*_shape(size), compound.width_of_tree(len(kinds))), wide=False)
        with np.errstate(all="ignore"):
            drawn = compound.multivariate_hypergeometric(draws, kinds, _float(nsample))
        return np.broadcast_to(drawn, (*_shape(size), len(kinds))).astype(np.int64)

    def integers(self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: Any = False) -> Any:
        """Draw integers, each with the same probability."""
        dtype = np.dtype(dtype)
        check_parameters("integers", low, high, dtype=dtype, endpoint=endpoint)
        begin, end = (0, low) if high is None else (low, high)
        shape = _shape(size, begin, end)
        count = np.subtract(np.asarray(end, object), np.asarray(begin, object)) + bool(endpoint)
        found: npt.NDArray[np.uint64]
        if np.ndim(count) == 0 and takes_words(self.function, int(count)):
            found = self._below(prod(shape), int(count)).reshape(shape)
        else:
            several = np.asarray(count % (1 << 64), np.uint64)
            draws = HostDraws(self, shape)
            with np.errstate(over="ignore"):
                found = np.broadcast_to(below(draws, [draws.words(number) for number in range(4)], several), shape)
        with np.errstate(over="ignore"):
            return _scalar((found + np.asarray(np.asarray(begin, object) % (1 << 64), np.uint64)).astype(dtype), size)

    def _below(self, count: int, below: int) -> npt.NDArray[np.uint64]:
        """Draw integers below another, at most 2**32: high words of products, of another lane where low words say so (Lemire, 2019)."""
        factor, least = np.uint64(below), np.uint64((_BELOW - below) % below)

        def compute(begin: int, words: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
            product = words * factor
            again = np.flatnonzero((product & np.uint64(_BELOW - 1)) < least)
            number = 1
            while again.size:
                other = self._at(begin + again, number) * factor
                product[again] = other
                again = again[(other & np.uint64(_BELOW - 1)) < least]
                number += 1
            return np.asarray(product >> np.uint64(32))

        return self._filled(count, np.uint64, (0,), compute)

    # Elements of arrays

    def order_keys(self) -> list[int]:
        """Make the numbers of the bijection that is the order of many elements."""
        return keys_of(self.words(2 * ROUNDS, _ORDER).tolist())

    def _order(self, count: int) -> npt.NDArray[np.intp]:
        """Give a random order: that of the words, or of a bijection of many elements."""
        if count >= LEAST:
            return order(count, self.order_keys()).astype(np.intp)
        return np.argsort(self.words(count), kind="stable")

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """Give slices, or the integers below a number, in random order."""
        if isinstance(x, (int, np.integer)):
            return self._order(int(x)).astype(np.int64)
        array = np.asarray(x)
        return np.take(array, self._order(array.shape[axis]), axis=axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Reorder slices in place."""
        if isinstance(x, np.ndarray):
            x[...] = np.take(x, self._order(x.shape[axis]), axis=axis)
            return
        if axis:
            raise NotImplementedError("axis is for arrays; sequences have one")
        x[:] = [x[place] for place in self._order(len(x))]

    def permuted(self, x: Any, *, axis: int | None = None, out: Any = None) -> Any:
        """Give elements in random order, along an axis each slice in its own."""
        array = np.asarray(x)
        if axis is None:
            found = array.reshape(-1)[self._order(array.size)].reshape(array.shape)
        else:
            keys = self.words(array.size).reshape(array.shape)
            found = np.take_along_axis(array, np.argsort(keys, axis=axis, kind="stable"), axis)
        if out is None:
            return found
        out[...] = found
        return out

    def _chosen(self, count: int, below: int) -> npt.NDArray[np.int64]:
        return np.asarray(self.integers(below, size=count))

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True) -> Any:
        """Choose elements."""
        array = a if isinstance(a, (int, np.integer)) else np.asarray(a)
        check_parameters("choice", array, 0 if replace and size is not None else size, replace, p, axis, shuffle)
        count, shape = (int(array) if isinstance(array, (int, np.integer)) else array.shape[axis]), _shape(size)
        chosen: npt.NDArray[Any]
        if p is None:
            chosen = self._chosen(prod(shape), count) if replace else self._order(count)[: prod(shape)]
        elif replace:
            cumulative = np.cumsum(np.asarray(p, np.float64))
            found = thresholds_of(cumulative[:-1] / cumulative[-1])
            chosen = np.searchsorted(found.values, self.words(prod(shape)), side="right")
        else:
            with np.errstate(divide="ignore"):
                chosen = np.argsort(self.quantiles("exponential", (count,)) / np.asarray(p, np.float64), kind="stable")[: prod(shape)]
        index = chosen.astype(np.int64).reshape(shape)
        if isinstance(array, (int, np.integer)):
            return _scalar(index, size)
        return np.take(array, index if shape or size is not None else int(index), axis=axis)

    normal, laplace, logistic, gumbel = (_scaled(name) for name in ("normal", "laplace", "logistic", "gumbel"))
    exponential, rayleigh = _widened("exponential"), _widened("rayleigh")
    weibull, pareto, power, standard_t, beta, f = map(_shaped, ("weibull", "pareto", "power", "standard_t", "beta", "f"))
    wald, vonmises, triangular = map(_shaped, ("wald", "vonmises", "triangular"))
    noncentral_chisquare, noncentral_f = map(_shaped, ("noncentral_chisquare", "noncentral_f"))
    poisson, binomial, negative_binomial, zipf = map(_counted, ("poisson", "binomial", "negative_binomial", "zipf"))
    geometric, hypergeometric, logseries = map(_counted, ("geometric", "hypergeometric", "logseries"))
