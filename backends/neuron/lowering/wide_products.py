"""Products of matrices of 64-bit dtypes, and of float32 with one rounding, by exact products of slices."""

from __future__ import annotations

import functools
import math
from typing import Final

import numpy as np

from ...dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT64, UINT64, DType, is_double
from ...rules import broadcast_shapes
from ..graph.build import bits, cast, elementwise, fill, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Builder, NotNativeError
from .binary64 import BINARY64, check_setting
from .concatenation import join
from .matrix_stacks import as_it_lies, stacks
from .op_calls import call
from .operands import convert

__all__ = ["WIDE", "conjugated", "multiply_exactly", "multiply_wide", "multiply_words"]

WIDE: Final = (FLOAT64, COMPLEX128, INT64, UINT64)
_WORD: Final = np.dtype(np.uint32)
_SLICED: Final = 1 << 25  # elements of a side that are cut into slices at once
_MOST_TERMS: Final = 1 << 21  # that are added up without rounding
_PAIRS: Final = 64  # of rows and columns, up to which an inner product of each is faster than slices of 128 elements of the contraction
_SEVERAL: Final = 4
_SMALL: Final = 1 << 12  # products of elements of each, of 64 matrices, which take a third of the time of slices
_SMALL_OF_EACH: Final = 64
_ALL: Final = 1 << 24  # of all, which lie in HBM
_DEEP: Final = 512  # elements of the contraction for each pair, from which on that is so


def multiply_wide(builder: Builder, left: Value, right: Value, dtype: DType) -> tuple[Node, ...]:
    """Multiply (batches of) matrices, with a result of 64 bits, or of twice as many."""
    if is_double(dtype):
        check_setting()
    return _complex(builder, left, right, FLOAT64) if dtype == COMPLEX128 else _sliced(builder, left, right, dtype)


def multiply_words(builder: Builder, left: Value, right: Value, dtype: DType) -> Node:
    """Multiply (batches of) matrices of integers of up to 32 bits, modulo their range."""
    wide = np.dtype(np.int32) if dtype.kind == "i" else _WORD
    (word,) = _sliced(builder, left, right, wide)
    return cast(bits(word, wide), dtype)


def _sliced(builder: Builder, left: Value, right: Value, dtype: DType) -> tuple[Node, ...]:
    """Multiply matrices of float64 or integers of words; large ones part by part, since slices take room in HBM."""
    refusal = builder.slices_refusal()
    if refusal:
        raise NotNativeError(f"products of {dtype} are exact products of slices, and {refusal}")
    batch, depth = broadcast_shapes(left.shape[:-2], right.shape[:-2]), left.shape[-1]
    if dtype == FLOAT64 and depth > _MOST_TERMS:  # parts are rounded, and their sums
        cuts = [slice(first, first + _MOST_TERMS) for first in range(0, depth, _MOST_TERMS)]
        pairs = [(left.view(left.shadow[..., cut]), right.view(right.shadow[..., cut, :])) for cut in cuts]
        return functools.reduce(BINARY64["add"], [_sliced(builder, *pair, dtype) for pair in pairs])
    if dtype.kind == "f" and depth > _MOST_TERMS:
        raise NotNativeError(f"sums of {depth} products of {dtype} are computed on the host, of up to {_MOST_TERMS} on the device")
    shape = (*batch, left.shape[-2], right.shape[-1])
    if not depth * math.prod(shape):
        return (fill(0, shape, _WORD),) * len(plane_dtypes(dtype))
    if 1 < left.shape[-2] * right.shape[-1] <= min(depth // _DEEP, _PAIRS):  # a product for each row and column
        rows = left.view(left.shadow[..., np.newaxis, np.newaxis, :])
        turned = np.swapaxes(right.shadow, -1, -2)[..., np.newaxis, :, :, np.newaxis]
        columns = right.view(np.broadcast_to(turned, (*turned.shape[:-4], left.shape[-2], *turned.shape[-3:])))
        return tuple([reshape(node, shape) for node in _sliced(builder, rows, columns, dtype)])
    if dtype == FLOAT64 and _by_elements(math.prod(batch), math.prod(shape[-2:]), depth, math.prod(right.shape[:-2])):
        transposed = right.view(np.swapaxes(right.shadow, -1, -2)[..., np.newaxis, :, :])
        total: Value = call(builder, "sum", call(builder, "multiply", left.view(left.shadow[..., np.newaxis, :]), transposed), -1)
        return total.read()
    most = max(_SLICED // depth, 1)
    for value, axis in ((left, -2), (right, -1)):
        if value.shape[axis] > most:
            cuts = [slice(first, first + most) for first in range(0, value.shape[axis], most)]
            parts = [value.view(value.shadow[..., cut, :] if axis == -2 else value.shadow[..., cut]) for cut in cuts]
            products = [_sliced(builder, *((part, right) if axis == -2 else (left, part)), dtype) for part in parts]
            words = dtype if len(products[0]) > 1 else _WORD
            return join(builder, [(planes[0].shape, planes) for planes in products], len(shape) + axis, words).read()
    a, b = as_it_lies(left, dtype), as_it_lies(right, dtype)
    ours, theirs = (tuple([bits(plane, _WORD) for plane in item.planes]) for item in (a, b))
    ways = {"left_transposed": a.transposed, "right_transposed": b.transposed, "floating": dtype.kind == "f"}
    results = call_kernel("sliced_matmul", *stacks(ours, theirs, a.transposed, b.transposed), **ways)
    return tuple([reshape(node, shape) for node in results])


def _by_elements(count: int, elements: int, depth: int, rights: int) -> bool:
    """Tell whether exact sums of rounded products are faster: of several small matrices, each of which would take slices of its own."""
    return rights > 1 and count >= _SEVERAL and elements > 1 and elements * depth <= min(_SMALL, _SMALL_OF_EACH * count, _ALL // count)


def multiply_exactly(builder: Builder, left: Value, right: Value, dtype: DType) -> tuple[Node, ...]:
    """Multiply matrices of float32 or complex64, each element rounded once."""
    if dtype == COMPLEX64:
        return _complex(builder, left, right, FLOAT32)
    return tuple([bits(word, FLOAT32) for word in _sliced(builder, left, right, FLOAT32)])


def _complex(builder: Builder, left: Value, right: Value, dtype: DType) -> tuple[Node, ...]:
    """
    Multiply complex matrices as one product of real ones: ``[Re a, Im a] @ [[Re b, Im b], [-Im b, Re b]]``.

    Each plane of the result is rounded once.
    """
    first, (real, imaginary) = _parts(left, dtype), _parts(right, dtype)
    row = join(builder, [(left.shape, part) for part in first], left.ndim - 1, dtype)
    columns = [
        join(builder, [(right.shape, part) for part in parts], right.ndim - 2, dtype)
        for parts in ((real, _negative(imaginary)), (imaginary, real))
    ]
    both = join(builder, [(value.shape, value.read()) for value in columns], right.ndim - 1, dtype)
    planes = _sliced(builder, row, both, dtype) if dtype == FLOAT64 else multiply_exactly(builder, row, both, dtype)
    product, width = builder.make(planes, dtype), right.shape[-1]
    return tuple([plane for part in (slice(None, width), slice(width, None)) for plane in product.view(product.shadow[..., part]).read()])


def _parts(value: Value, dtype: DType) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Give real and imaginary part of a matrix, of a real dtype."""
    if value.dtype.kind == "c":
        planes, own = value.read(), FLOAT32 if value.dtype == COMPLEX64 else FLOAT64
        half = len(planes) // 2
        return convert(planes[:half], own, dtype), convert(planes[half:], own, dtype)
    planes = convert(value.read(), value.dtype, dtype)
    return planes, tuple([fill(0, value.shape, plane.dtype) for plane in planes])


def _negative(words: tuple[Node, ...]) -> tuple[Node, ...]:
    """Change the sign of float64, or of float32."""
    if len(words) == 1:
        return (elementwise("negative", words[0], dtype=FLOAT32),)
    return elementwise("bitwise_xor", words[0], fill(0x80000000, (), _WORD), dtype=_WORD), words[1]


def conjugated(builder: Builder, value: Value) -> Value:
    """Conjugate complex128."""
    real, imaginary = _parts(value, FLOAT64)
    return builder.make((*real, *_negative(imaginary)), COMPLEX128)
