"""Products of matrices of 64-bit dtypes, by exact products of slices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ...dtypes import COMPLEX128, FLOAT64, INT64, UINT64, DType
from ...rules import broadcast_shapes
from ..graph.build import bits, cast, elementwise, fill, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import NotNativeError
from .concatenation import join
from .matrix_stacks import as_it_lies, stacks
from .operands import convert

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["WIDE", "conjugated", "multiply_wide", "multiply_words"]

WIDE: Final = (FLOAT64, COMPLEX128, INT64, UINT64)
_WORD: Final = np.dtype(np.uint32)
_SLICED: Final = 1 << 25  # elements of a side that are cut into slices at once
_MOST_TERMS: Final = 1 << 21


def multiply_wide(builder: Builder, left: Value, right: Value, dtype: DType) -> tuple[Node, ...]:
    """Multiply (batches of) matrices, with a result of 64 bits, or of twice as many."""
    return _complex(builder, left, right) if dtype == COMPLEX128 else _sliced(builder, left, right, dtype)


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
    if dtype.kind == "f" and depth > _MOST_TERMS:
        raise NotNativeError(f"sums of {depth} products of float64 are computed on the host, of up to {_MOST_TERMS} on the device")
    shape = (*batch, left.shape[-2], right.shape[-1])
    if not depth * math.prod(shape):
        return (fill(0, shape, _WORD),) * len(plane_dtypes(dtype))
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


def _complex(builder: Builder, left: Value, right: Value) -> tuple[Node, ...]:
    """
    Multiply matrices of complex128 as one product of float64: ``[Re a, Im a] @ [[Re b, Im b], [-Im b, Re b]]``.

    Each plane of the result is rounded once.
    """
    first, (real, imaginary) = _parts(left), _parts(right)
    row = join(builder, [(left.shape, part) for part in first], left.ndim - 1, FLOAT64)
    columns = [
        join(builder, [(right.shape, part) for part in parts], right.ndim - 2, FLOAT64)
        for parts in ((real, _negative(imaginary)), (imaginary, real))
    ]
    both = join(builder, [(value.shape, value.read()) for value in columns], right.ndim - 1, FLOAT64)
    product, width = builder.make(_sliced(builder, row, both, FLOAT64), FLOAT64), right.shape[-1]
    return tuple([plane for part in (slice(None, width), slice(width, None)) for plane in product.view(product.shadow[..., part]).read()])


def _parts(value: Value) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Give real and imaginary part of a matrix of float64 or complex128."""
    planes = value.read() if value.dtype == COMPLEX128 else convert(value.read(), value.dtype, FLOAT64)
    return planes[:2], planes[2:] or (fill(0, value.shape, _WORD),) * 2


def _negative(words: tuple[Node, ...]) -> tuple[Node, ...]:
    """Change the sign of float64."""
    return elementwise("bitwise_xor", words[0], fill(0x80000000, (), _WORD), dtype=_WORD), words[1]


def conjugated(builder: Builder, value: Value) -> Value:
    """Conjugate complex128."""
    real, imaginary = _parts(value)
    return builder.make((*real, *_negative(imaginary)), COMPLEX128)
