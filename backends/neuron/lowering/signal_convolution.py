"""Convolutions and correlations of scipy.signal, in any number of dimensions.

Sums of products along one axis are products of overlapping frames with a Toeplitz matrix, a view of the shorter operand; along several axes
they are products of transforms, of overlapping blocks where the signals are longer than transforms are. What is asked for as a direct
sum is one: only that is exact for integers, and keeps NaN and infinities to the sums that have them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...dtypes import BOOL
from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions
from .fourier.steps import DENSE

__all__: list[str] = []

# Sums round by these blocks and frames, which must not depend on predicted times.
_BLOCK: Final = 128
"""Columns of a Toeplitz matrix of short rows."""
_LONG_BLOCK: Final = 512
_FRAME: Final = 256
"""Samples that are transformed together at least: half of their spectrum fills a row of the Tensor Engine."""
_LONG: Final = 512
"""Samples of the shorter operand from which on transforms take fewer products than a Toeplitz matrix."""
_MOST: Final = 1 << 26
"""Elements of the largest temporary array."""


class _Range(NamedTuple):
    """Which samples of a convolution are wanted along an axis."""

    start: int
    samples: int
    full: int


def _swapped(mode: str, first: Sequence[int], second: Sequence[int]) -> bool:
    """Tell whether the second operand is the one that the first has to lie in."""
    if mode != "valid" or all(a >= b for a, b in zip(first, second, strict=True)):
        return False
    if not all(a <= b for a, b in zip(first, second, strict=True)):
        raise ValueError(f"neither of the shapes {(*first,)} and {(*second,)} lies in the other")
    return True


def _range(mode: str, first: int, second: int) -> _Range:
    full = first + second - 1
    if mode == "full":
        return _Range(0, full, full)
    count = first if mode == "same" else first - second + 1
    return _Range((full - count) // 2, count, full)


def _within(ops: Ops, x: Expression, axis: int, start: int, stop: int) -> Expression:
    """Cut samples out of signals, with zeros before the first and after the last one."""
    length = x.shape[axis]
    inside = x[(slice(None),) * axis + (slice(max(start, 0), max(min(stop, length), 0)),)]

    def zeros(count: int) -> list[Expression]:
        return [ops.zeros((*x.shape[:axis], count, *x.shape[axis + 1 :]), x.dtype)] if count > 0 else []

    return ops.concatenate([*zeros(min(-start, stop - start)), inside, *zeros(stop - max(length, start))], axis)


def _direct(ops: Ops, a: Expression, b: Expression, mode: str) -> Expression:
    """Sum the products of the smaller operand, turned around, with what it lies on."""
    if _swapped(mode, a.shape, b.shape):
        a, b = b, a
    ranges = [_range(mode, *lengths) for lengths in zip(a.shape, b.shape, strict=True)]
    if a.size < b.size:
        a, b = b, a
    counts = [one.samples for one in ranges]
    if math.prod(counts) * b.size > _MOST:
        raise NotNativeError(f"direct sums of more than {_MOST} products have no kernel")
    for axis, (one, length) in enumerate(zip(ranges, b.shape, strict=True)):
        start = one.start - (length - 1)
        a = _within(ops, a, axis, start, start + one.samples + length - 1)
    windows = a.viewed(lambda shadow: np.lib.stride_tricks.sliding_window_view(shadow, b.shape)).reshape(-1, b.size)
    turned = b.viewed(np.flip).reshape(b.size)
    return (windows @ turned).reshape(*counts)


def _toeplitz(ops: Ops, a: Expression, b: Expression, wanted: _Range) -> Expression | None:
    """Convolve along the last axis, over which others broadcast, unless transforms do that with less."""
    if a.shape[-1] < b.shape[-1]:
        a, b = b, a
    length = b.shape[-1]
    block = min(_BLOCK if length <= 2 * _BLOCK else _LONG_BLOCK, wanted.samples)
    rows, blocks = block + length - 1, -(-wanted.samples // block)
    if length > _LONG or max(rows * block * math.prod(b.shape[:-1]), rows * blocks * math.prod(a.shape[:-1])) > _MOST:
        return None
    start = wanted.start - (length - 1)
    frames = _within(ops, a, a.ndim - 1, start, start + (blocks - 1) * block + rows).frames(rows, block)
    matrix = _within(ops, b, b.ndim - 1, 1 - block, length + block - 1).frames(block)[..., ::-1, :]
    product = frames @ matrix
    return product.reshape(*product.shape[:-2], -1)[..., : wanted.samples]


def _by_transforms(ops: Ops, a: Expression, b: Expression, ranges: dict[int, _Range]) -> tuple[Expression, bool]:
    """
    Convolve along several axes, counted from the end, over which others broadcast, and tell whether that was by frames.

    Transforms need not be so long that nothing aliases, only so that nothing does to samples that are wanted. Longer signals are cut into
    frames, which begin with as many samples of the frame before as the other operand has, less one, and become leading axes.
    """
    if a.size < b.size:
        a, b = b, a
    lengths, kept, framed = [], {}, {}
    for axis, wanted in ranges.items():
        n, k = a.shape[axis], b.shape[axis]
        length = max(n, k, wanted.full - wanted.start, wanted.start + wanted.samples)
        kept[axis] = slice(wanted.start, wanted.start + wanted.samples)
        frame = max(_FRAME, 1 << (4 * k - 1).bit_length())
        if length > DENSE and frame >= length:
            length = _fast(length)
        elif length > DENSE:
            length = frame
            step = length - (k - 1)
            blocks, begin = -(-wanted.samples // step), wanted.start - (k - 1)
            a = _within(ops, a, a.ndim + axis, begin, begin + (blocks - 1) * step + length)
            a = a.viewed(functools.partial(_leading_frames, axis=axis, length=length, step=step))
            kept[axis], framed[axis] = slice(k - 1, length), wanted.samples
        lengths.append(length)
    forward, inverse = ("fft.fftn", "fft.ifftn") if a.is_complex or b.is_complex else ("fft.rfftn", "fft.irfftn")
    axes = [*ranges]
    result = ops(inverse, ops(forward, a, lengths, axes) * ops(forward, b, lengths, axes), lengths, axes)
    result = result[(..., *(kept.get(axis, slice(None)) for axis in range(min(axes), 0)))]
    for axis, count in reversed(framed.items()):
        place = result.ndim + axis - 1
        result = result.moveaxis(0, place)
        shape = result.shape
        merged = result.reshape(*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :])
        result = merged[(slice(None),) * place + (slice(0, count),)]
    return result, bool(framed)


def _fast(length: int) -> int:
    """Find an even length that has short steps."""
    import scipy.fft

    return 2 * int(scipy.fft.next_fast_len(-(-length // 2), real=True))


def _leading_frames(shadow: npt.NDArray[Any], axis: int, length: int, step: int) -> npt.NDArray[Any]:
    """View frames of an axis, counted from the end: their number comes first."""
    place = shadow.ndim + axis
    windows = np.moveaxis(np.lib.stride_tricks.sliding_window_view(shadow, length, place), place, 0)[::step]
    return np.moveaxis(windows, -1, place + 1)


def _transformed(ops: Ops, a: Expression, b: Expression, mode: str, axes: tuple[int, ...] | None, spreads: bool) -> Expression:
    """Convolve as the transforms of SciPy do: NaN and infinities are in all of these, and so in all samples where it `spreads`."""
    places = range(a.ndim) if axes is None else sorted(axes)
    along = [place for place in places if a.shape[place] != 1 and b.shape[place] != 1]
    np.broadcast_shapes(*([length for place, length in enumerate(item.shape) if place not in along] for item in (a, b)))
    if _swapped(mode, *([item.shape[place] for place in along] for item in (a, b))):
        a, b = b, a
    ranges = {place - a.ndim: _range(mode, a.shape[place], b.shape[place]) for place in along}
    in_parts = True
    if not ranges:
        result = a * b
    elif len(ranges) == 1:
        ((axis, wanted),) = ranges.items()
        sums = _toeplitz(ops, a.moveaxis(axis, -1), b.moveaxis(axis, -1), wanted)
        result, in_parts = _by_transforms(ops, a, b, ranges) if sums is None else (sums.moveaxis(-1, axis), True)
    else:
        result, in_parts = _by_transforms(ops, a, b, ranges)
    if spreads and in_parts and ranges:
        nothing = [(item * 0.0).sum(tuple(ranges), keepdims=True) for item in (a, b)]
        result = result + (nothing[0] + nothing[1])
    if mode == "same":  # along other axes, too
        starts = [(have - want) // 2 for have, want in zip(result.shape, a.shape, strict=True)]
        result = result[tuple(slice(start, start + want) for start, want in zip(starts, a.shape, strict=True))]
    return result


def _convolution(ops: Ops, a: Expression, b: Expression, mode: str, method: str) -> Expression:
    exact = a.dtype.kind in "biu" and b.dtype.kind in "biu"
    if not exact:
        a, b = ops.floats(a, wide=True), ops.floats(b, wide=True)
    if a.ndim == 0:
        return a * b
    if _swapped(mode, a.shape, b.shape):
        a, b = b, a
    if method == "auto":
        method = "direct" if exact else _choice(ops, a, b, mode)
    if method == "fft" and a.dtype == b.dtype == BOOL:
        raise NotNativeError("truth values are transformed on the host")
    return _direct(ops, a, b, mode) if method == "direct" or exact else _transformed(ops, a, b, mode, None, spreads=True)


def _choice(_ops: Ops, a: Expression, b: Expression, mode: str) -> str:
    """Choose as SciPy does by the shapes of floats."""
    import scipy.signal

    chosen: str = scipy.signal.choose_conv_method(np.broadcast_to(np.float32(0), a.shape), np.broadcast_to(np.float32(0), b.shape), mode)
    return chosen


def _correlate(ops: Ops, a: Expression, b: Expression, *, mode: str, method: str) -> Expression:
    return _convolution(ops, a, b.viewed(np.flip).conj() if b.ndim else b.conj(), mode, method)


def _fftconvolve(ops: Ops, name: str, a: Expression, b: Expression, *, mode: str, axes: tuple[int, ...] | None) -> Expression:
    a, b = ops.floats(a, wide=True), ops.floats(b, wide=True)
    return _transformed(ops, a, b, mode, axes, spreads=name.endswith("fftconvolve")) if a.ndim else a * b


LOWERINGS: Final[Lowerings] = compositions(
    {
        "scipy.signal.convolve": _convolution,
        "scipy.signal.correlate": _correlate,
        "scipy.signal.fftconvolve": _fftconvolve,
        "scipy.signal.oaconvolve": _fftconvolve,
        "scipy.signal.choose_conv_method": _choice,
    }
)
