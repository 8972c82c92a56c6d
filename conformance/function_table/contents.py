"""What generated arrays contain: each content is a function from a random generator to an array of some shape and dtype."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ...backends.dtypes import FLOAT8_E8M0FNU, DType, real_of
from ...backends.limits import finfo

__all__ = ["CONTENTS"]

Array: TypeAlias = npt.NDArray[Any]
Content: TypeAlias = Callable[[np.random.Generator, tuple[int, ...], DType, tuple[int, int]], Array]


_POWERS: Final = FLOAT8_E8M0FNU


def _round(values: Any, dtype: DType) -> Array:
    """Convert float64 numbers; to powers of two where the dtype has nothing else."""
    with np.errstate(all="ignore"):
        return np.asarray(np.exp2(np.round(values)) if dtype == _POWERS else values).astype(dtype)


@cache
def _specials(dtype: DType) -> Array:
    """List the values where implementations differ: ends of the range, signed zeros, infinities, NaN, halves."""
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array([info.min, info.max, info.max - 1, info.max // 2, 0, 1, 2, 3, info.bits - 1, info.bits // 2], dtype)
    about = finfo(dtype)
    ends = [about.max, about.min, about.smallest_normal, about.smallest_subnormal, about.eps]
    values = [*ends, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 3.0, np.pi, np.inf, -np.inf, np.nan, 1 + ends[4], 1 - ends[4] / 2]
    return np.array(ends[:1] * 3 + [np.nan], dtype) if dtype == _POWERS else _round(values, dtype)


def _real(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    """Draw ordinary numbers: of all magnitudes that integers have, about 1 for floats."""
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
        return np.where(rng.random(shape) < 0.5, wide, _small(rng, shape, dtype))
    return _round(rng.standard_normal(shape) * 2, dtype)


def _small(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    """Draw numbers whose sums and products are exact in float32: small integers, as quarters for floats."""
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        return rng.integers(-6 if dtype.kind == "i" else 0, 7, shape).astype(dtype)
    return _round(rng.integers(-7, 8, shape) / 4, dtype)


def _of_parts(part: Callable[[np.random.Generator, tuple[int, ...], DType], Array]) -> Content:
    """Make a content of one that gives real numbers: complex ones have both parts from it."""

    def content(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType, bounds: tuple[int, int]) -> Array:
        del bounds
        if dtype.kind != "c":
            return part(rng, shape, dtype)
        result = np.empty(shape, dtype)
        result.real = part(rng, shape, real_of(dtype))
        result.imag = part(rng, shape, real_of(dtype))
        return result

    return content


def _any(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    specials = _specials(dtype)
    return np.where(rng.random(shape) < 0.4, rng.choice(specials, shape), _real(rng, shape, dtype))


def _positive(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    if dtype.kind in "biu":
        return rng.integers(1, 7, shape).astype(dtype)
    return _round(rng.uniform(0.5, 4, shape), dtype)


def _unit(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    if dtype.kind in "biu":
        return rng.integers(0, 2, shape).astype(dtype)
    return _round(rng.uniform(0, 1, shape), dtype)


def _ascending(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    """Draw distinct numbers in ascending order, at least 1/2 apart (as far as the dtype goes)."""
    steps = 1 + rng.integers(0, 2, shape)
    start = 0 if dtype.kind in "bu" else -4
    values = np.cumsum(steps, axis=-1) + start if shape else steps
    if dtype.kind in "iu":
        values = np.minimum(values, min(np.iinfo(dtype).max, 2**31))  # many of int8 end with equal ones
    return np.asarray(values).astype(dtype) if dtype.kind in "biu" else _round(values / 2, dtype)


def _shuffled(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    """Draw a permutation of distinct numbers (as far as the dtype goes)."""
    count = int(np.prod(shape))
    values = rng.permutation(np.arange(count)).reshape(shape)
    return values.astype(dtype) if dtype.kind in "biu" else _round(values / 4 - 2, dtype)


def _sorting(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    """Find the indices that sort what is shuffled from the same seed."""
    return np.argsort(rng.permutation(np.arange(int(np.prod(shape))))).reshape(shape).astype(dtype)


def _index(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType, bounds: tuple[int, int]) -> Array:
    low, high = bounds
    return rng.integers(low, max(high, low + 1), shape).astype(dtype)


def _well_conditioned(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType, bounds: tuple[int, int]) -> Array:
    """Draw small numbers and add a dominant diagonal, each entry of it another."""
    matrix = CONTENTS["small"](rng, shape, dtype, bounds)
    if len(shape) >= 2 and dtype.kind != "b":
        size = min(shape[-2:])
        diagonal = 2 * (3 + np.arange(size)) if dtype.kind in "iu" else 6 + 2 * np.arange(size)
        matrix[..., range(size), range(size)] = diagonal.astype(dtype)
    return matrix


def _hermitian(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType, bounds: tuple[int, int]) -> Array:
    """Draw positive definite matrices with distinct eigenvalues."""
    matrix = _well_conditioned(rng, shape, dtype, bounds)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        return matrix
    lower = np.tril(np.ones(shape[-2:], bool), -1)
    mirrored: Array = np.where(lower, np.conj(np.swapaxes(matrix, -1, -2)), matrix)
    if dtype.kind == "c":
        index = range(shape[-1])
        mirrored[..., index, index] = mirrored[..., index, index].real
    # off the diagonal an eighth, so that rows are dominated by their diagonal entries; exact in every float dtype
    if dtype.kind in "fcV":
        mirrored = np.where(np.eye(shape[-1], dtype=bool), mirrored, (mirrored / np.array(8, dtype)).astype(dtype))
    return mirrored.astype(dtype)


def _separated(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType, bounds: tuple[int, int]) -> Array:
    """Draw matrices with distinct eigenvalues: of distinct diagonal entries, and with an eighth off it or nothing below it."""
    matrix = _well_conditioned(rng, shape, dtype, bounds)
    if dtype.kind in "biu":
        return np.triu(matrix)
    return np.where(np.eye(shape[-1]) == 1, matrix, (matrix / np.array(8, dtype)).astype(dtype))


CONTENTS: Final[Mapping[str, Content]] = {
    "any": _of_parts(_any),
    "finite": _of_parts(_real),
    "small": _of_parts(_small),
    "positive": _of_parts(_positive),
    "unit": _of_parts(_unit),
    "ascending": _of_parts(_ascending),
    "shuffled": _of_parts(_shuffled),
    "sorting": _of_parts(_sorting),
    "index": _index,
    "well-conditioned": _well_conditioned,
    "hermitian": _hermitian,
    "separated": _separated,
}
"""The contents by name."""
