"""Fourier transforms: dense ones, as products with the matrix of roots of unity.

For short lengths the Tensor Engine does the n² products faster than DMA could bring a faster algorithm's intermediates. Exponents j·k are
reduced modulo n in integers, the roots evaluated in float64 and rounded once.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import COMPLEX64, FLOAT32, is_low_precision
from ..graph.build import elementwise, fill, reshape, transpose
from ..graph.graph import Node
from ..graph.primitives import Read
from ..layout import Layout, contiguous_strides
from ..value import Value
from . import Lowerings, NotNativeError
from .operands import convert
from .products import multiply_matrices

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["LONGEST", "times_matrices"]

LONGEST: Final = 1024
"""The longest transform that is dense."""

_HALVES: Final = ("irfft", "hfft")  # transforms of half a Hermitian spectrum
_NARROW: Final = 128  # columns of a product: fewer leave most of the Tensor Engine's time to loading the matrix


@functools.lru_cache(maxsize=64)
def _roots(n: int, sign: int) -> npt.NDArray[np.complex128]:
    """Evaluate exp(sign 2πi k / n) for all k; quarter turns are exact."""
    turn = np.arange(n)
    octant = (8 * turn) // n
    angle = 2.0 * np.pi * (turn / n - octant / 8.0)
    values = np.exp(1j * angle) * np.exp(0.25j * np.pi * octant)
    exact = {0: 1, 1: 1j, 2: -1, 3: -1j}
    for quarter, value in exact.items():
        if quarter * n % 4 == 0:
            values[quarter * n // 4 % n] = value
    result: npt.NDArray[np.complex128] = values if sign > 0 else values.conj()
    return result


def _scale(n: int, norm: str, inverse: bool) -> float:
    if norm == "ortho":
        return 1.0 / math.sqrt(n)
    return 1.0 / n if (norm == "forward") != inverse else 1.0


def _matrix(kind: str, n: int, norm: str) -> npt.NDArray[np.complex128]:
    """Make the matrix that multiplies rows from the right: (length of the input, length of the result)."""
    half = n // 2 + 1
    if kind in ("fft", "ifft"):
        rows, columns, sign = n, n, -1 if kind == "fft" else 1
    elif kind in ("rfft", "ihfft"):
        rows, columns, sign = n, half, -1 if kind == "rfft" else 1
    else:  # irfft, hfft: real parts of what a Hermitian half stands for
        rows, columns, sign = half, n, 1 if kind == "irfft" else -1
    exponents = np.multiply.outer(np.arange(rows), np.arange(columns)) % n
    matrix: npt.NDArray[np.complex128] = _roots(n, sign)[exponents] * _scale(n, norm, inverse=kind in ("ifft", "irfft", "ihfft"))
    if kind in ("irfft", "hfft"):
        weights = np.full(rows, 2.0)
        weights[0] = 1.0
        if n % 2 == 0:
            weights[-1] = 1.0
        matrix = matrix * weights[:, np.newaxis]
    return matrix


def _constant(builder: Builder, kind: str, n: int, norm: str, rows: int) -> tuple[Node, ...]:
    """Give the first rows of a matrix to the device, once."""
    key = (kind, n, norm, rows)
    found = builder.constants.get(key)
    if found is None:
        found = builder.constants[key] = builder.from_host(_matrix(kind, n, norm)[:rows].astype(np.complex64)[np.newaxis], copy=True)
    return found.read()


def _cut(plane: Node, axis: int, n: int) -> Node:
    """Cut an axis."""
    if plane.shape[axis] == n:
        return plane
    shape = (*plane.shape[:axis], n, *plane.shape[axis + 1 :])
    return Node(Read(Layout(0, shape, contiguous_strides(plane.shape))), (plane,))


def _transform(builder: Builder, planes: tuple[Node, ...], kind: str, axis: int, n: int, norm: str) -> tuple[Node, ...]:
    """Transform along an axis; what is shorter than the transform is multiplied by as many rows of the matrix, as if zeros followed."""
    real, imaginary = _constant(builder, kind, n, norm, min(planes[0].shape[axis], n // 2 + 1 if kind in _HALVES else n))
    if kind in _HALVES:
        results = [times_matrices((plane,), (matrix,), axis)[0] for plane, matrix in zip(planes, (real, imaginary), strict=False)]
        return (elementwise("subtract", *results, dtype=FLOAT32),) if len(results) == 2 else tuple(results)
    return tuple(times_matrices(planes, (real, imaginary), axis))


def times_matrices(planes: tuple[Node, ...], matrices: tuple[Node, ...], axis: int) -> list[Node]:
    """
    Multiply what lies along an axis by a matrix: from the left, with what lies beside each other in memory after the axis as columns.

    Where there is little after it, such products would be many and narrow; the axis is moved to the end and multiplied from the right.
    """
    rows, length = matrices[0].shape[-2:]
    planes = tuple(_cut(plane, axis, rows) for plane in planes)
    before, after = planes[0].shape[:axis], planes[0].shape[axis + 1 :]
    outer, inner = math.prod(before), math.prod(after)
    shape = (*before, length, *after)
    if rows * outer * inner == 0:
        return [fill(0, shape, FLOAT32) for _ in range(max(len(planes), len(matrices)))]
    moved = outer > 1 and 1 < inner < _NARROW
    if moved:
        planes = tuple([transpose(reshape(plane, (outer, rows, inner)), (0, 2, 1)) for plane in planes])
        shape = (outer, inner, length)
    if moved or inner == 1:
        rows_first = tuple([reshape(plane, (1, outer * inner, rows)) for plane in planes])
        results = [reshape(node, shape) for node in multiply_matrices(rows_first, matrices)]
    else:
        planes = tuple([reshape(plane, (outer, rows, inner)) for plane in planes])
        results = [reshape(node, shape) for node in multiply_matrices(matrices, planes, left_transposed=True)]
    if moved:
        results = [reshape(transpose(result, (0, 2, 1)), (*before, length, *after)) for result in results]
    return results


def _prepared(builder: Builder, value: Value) -> tuple[Node, ...]:
    if value.dtype not in (COMPLEX64, FLOAT32) and not is_low_precision(value.dtype) and value.dtype.kind not in "biu":
        raise NotNativeError(f"it has no kernel for {value.dtype} yet")
    if value.dtype.kind in "biu" and builder.promotion.default_float != FLOAT32:
        raise NotNativeError(f"it has no kernel for {builder.promotion.default_float} yet")
    return convert(value.read(), value.dtype, COMPLEX64 if value.dtype.kind == "c" else FLOAT32)


def _check(length: int) -> None:
    if length > LONGEST:
        raise NotNativeError(f"transforms longer than {LONGEST} have no kernel yet")


def _one(kind: str) -> Callable[..., Value]:
    def run(builder: Builder, value: Value, *, n: int, axis: int, norm: str) -> Value:
        _check(n)
        result = _transform(builder, _prepared(builder, value), kind, axis, n, norm)
        return builder.make(result, COMPLEX64 if len(result) == 2 else FLOAT32)

    return run


def _many(kind: str) -> Callable[..., Value]:
    """Transform along several axes, of which one may be given twice."""
    last = {"rfftn": "rfft", "irfftn": "irfft"}.get(kind)
    one = "ifft" if kind in ("ifftn", "irfftn") else "fft"

    def run(builder: Builder, value: Value, *, s: tuple[int, ...], axes: tuple[int, ...], norm: str) -> Value:
        _check(max(s))
        planes = _prepared(builder, value)
        steps = [(axis, length, one) for axis, length in zip(axes, s, strict=True)]
        if last == "irfft":
            steps = [*steps[:-1], (axes[-1], s[-1], "irfft")]
        else:  # from the last axis to the first one, whose length stays where an axis is given twice
            steps.reverse()
            steps[0] = (*steps[0][:2], last or one)
        for axis, length, step in steps:
            planes = _transform(builder, planes, step, axis, length, norm)
        return builder.make(planes, COMPLEX64 if len(planes) == 2 else FLOAT32)

    return run


LOWERINGS: Final[Lowerings] = {
    **{f"{library}.{kind}": _one(kind) for library in ("fft", "numpy.fft") for kind in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{
        f"{library}.{name}": _many(kind)
        for library in ("fft", "numpy.fft")
        for kind in ("fftn", "ifftn", "rfftn", "irfftn")
        for name in (kind, f"{kind[:-1]}2")
    },
}
