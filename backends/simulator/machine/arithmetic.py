"""Sums and products in the order and width that the knobs say."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..knobs import Knobs

__all__ = ["flush_denormals", "multiply_accumulate", "reduce_free", "round_once"]

Float32 = NDArray[np.float32]
_LONG: Final = 64  # elements of a row from which on it pays to transpose


def _permutation(order: str, length: int) -> NDArray[np.intp] | None:
    """Find the order of a summation: None is as it lies."""
    if order == "sequential":
        return None
    return np.random.default_rng(int(order.removeprefix("permuted:"))).permutation(length)


def flush_denormals(values: Float32) -> Float32:
    """Set denormals to zero of their sign, in place."""
    values[np.abs(values) < np.finfo(np.float32).tiny] *= np.float32(0)
    return values


def round_once(left: NDArray[np.float64], right: NDArray[np.float64], subtract: bool = False) -> Float32:
    """
    Add two float64 and round the exact sum to float32.

    Notes
    -----
    The float64 sum is rounded to odd, so that the second rounding cannot meet a tie that the exact sum is not.
    """
    right = -right if subtract else right
    total = np.asarray(left + right)
    part = total - left
    error = (left - (total - part)) + (right - part)
    even = np.isfinite(total) & (error != 0) & (total.view(np.int64) & 1 == 0)
    return np.where(even, np.nextafter(total, np.copysign(np.inf, error)), total).astype(np.float32)


def reduce_free(operator: np.ufunc, values: Float32, order: str, flush: bool = False) -> Float32:
    """Reduce the last axis one element after the other."""
    if flush:
        values = flush_denormals(values.copy())
    if operator in (np.maximum, np.minimum):  # no order changes these
        return operator.reduce(values, axis=-1)  # type: ignore[no-any-return]
    permutation = _permutation(order, values.shape[-1])
    if permutation is not None:
        values = values[..., permutation]
    if flush:
        total = np.array(values[..., 0])
        for column in range(1, values.shape[-1]):
            total = flush_denormals(np.array(operator(total, values[..., column]), np.float32))
        return total
    # accumulate adds one after the other; so does reduce where rows are added, while along rows it adds pairwise
    length = values.shape[-1]
    if length < _LONG or values.size == length:
        return operator.accumulate(values, axis=-1, dtype=np.float32)[..., -1]
    rows = np.ascontiguousarray(np.moveaxis(values, -1, 0))
    added: Float32 = operator.reduce(rows, axis=0, initial=np.float32(-0.0) if operator is np.add else np._NoValue)
    return added


def _exact_in_float32(left: Float32, right: Float32) -> bool:
    """Whether products of values of 12 bits neither overflow nor underflow."""
    sizes = [np.abs(values[values != 0]).astype(np.float64) for values in (left, right)]
    return all(size.size for size in sizes) and bool(
        sizes[0].min() * sizes[1].min() >= 2.0**-126 and sizes[0].max() * sizes[1].max() < 2.0**127
    )


def _loop(stationary: Float32, moving: Float32, bits: int = 24) -> Float32:
    """Exact products, added in float32 row after row; products are exact in float64, and mostly in float32 if of up to 12 bits."""
    shape = stationary.shape[1], moving.shape[1]
    wide = np.dtype(np.float32 if bits <= 12 and _exact_in_float32(stationary, moving) else np.float64)
    result, product = np.zeros(shape, np.float32), np.empty(shape, wide)
    for left, right in zip(stationary.astype(wide), moving.astype(wide), strict=True):
        np.multiply(left[:, None], right, out=product)
        np.add(result, product, out=product)
        result[...] = product
    return result


_SPREADS: Final = (0, 9)  # of exponents, in the probes: sums of products of few bits are exact in any order where exponents are alike


def _spaced(values: Float32, spacing: int) -> Float32:
    """Put rows of zeros between rows."""
    if spacing == 1:
        return values
    result = np.zeros((spacing * values.shape[0], values.shape[1]), np.float32)
    result[::spacing] = values
    return result


@lru_cache(maxsize=4096)
def _blas_spacing(rows: int, columns: int, width: int, bits: int) -> int:
    """
    Spacing of rows at which this machine's matrix product is bit for bit `_loop`; 0 if at none.

    It usually is with fused multiply-adds, but libraries may add every second row (or fourth) to an accumulator of its own. Rows of zeros
    in between leave one accumulator with all.
    """
    rng = np.random.default_rng(rows * 1000003 + columns * 1009 + width)
    probes = []
    for spread in _SPREADS:
        left, right = (
            _keep((rng.standard_normal(shape) * np.exp2(rng.integers(-spread, spread + 1, shape))).astype(np.float32), bits)
            for shape in ((rows, columns), (rows, width))
        )
        probes.append((left, right, _loop(left, right, bits)))
    for spacing in (1, 2, 4, 8):
        if all(np.array_equal(_spaced(left, spacing).T @ _spaced(right, spacing), expected) for left, right, expected in probes):
            return spacing
    return 0


def _keep(values: Float32, bits: int) -> Float32:
    """Truncate the values to that many bits of significand."""
    return (values.view(np.uint32) & np.uint32(0xFFFFFFFF << (24 - bits) & 0xFFFFFFFF)).view(np.float32)


def multiply_accumulate(stationary: Float32, moving: Float32, knobs: Knobs, bits: int = 24) -> Float32:
    """
    Column sums of the Tensor Engine.

    Notes
    -----
    The fast path is the machine's BLAS where a probe of the same shape found a way to make it add in sequence, bit for bit.
    """
    if knobs.denormals_pe == "flush":
        stationary, moving = flush_denormals(stationary.copy()), flush_denormals(moving.copy())
    permutation = _permutation(knobs.pe_order, stationary.shape[0])
    if permutation is not None:
        stationary, moving = stationary[permutation], moving[permutation]
    if knobs.pe_product == "split21" and bits > 12:
        result = _split21(stationary, moving)
    elif spacing := _blas_spacing(*stationary.shape, moving.shape[1], bits):
        result = _spaced(stationary, spacing).T @ _spaced(moving, spacing)
    else:
        result = _loop(stationary, moving, bits)
    return flush_denormals(result) if knobs.denormals_pe == "flush" else result


def _split21(stationary: Float32, moving: Float32) -> Float32:
    """High x high, high x low and low x high of 12-bit halves, each a pass of exact products."""
    halves: list[tuple[Any, Any]] = [(_keep(v, 12), v - _keep(v, 12)) for v in (stationary, moving)]
    (high, low), (other_high, other_low) = halves
    return _loop(np.concatenate([high, high, low]), np.concatenate([other_high, other_low, other_high]), 12)
