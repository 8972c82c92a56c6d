"""QR factors, and least squares by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32, DType
from ...rules import Signature
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..kernel import kernel
from ..value import Value
from . import Builder, NotNativeError
from .matrices import Nodes, matrices, unstacked
from .op_calls import call

__all__ = ["FUNCTIONS", "QR"]

_FEW: Final = 8
_FEW_ROWS: Final = 32
_COMPLEX: Final = "complex matrices of more than 4096 elements have their orthogonal factors computed on the host"
_TOO_LARGE: Final = "matrices of more than 512 columns, or 2**20 elements, have their orthogonal factors computed on the host"


class QR:
    """
    The factors of a stack of matrices.

    Parameters
    ----------
    builder : Builder
        The device.
    a : Value
        The matrices.
    dtype : dtype
        In which they are computed.
    """

    def __init__(self, builder: Builder, a: Value, dtype: DType) -> None:
        self.builder, self.dtype, self.stack, (self.rows, self.columns) = builder, dtype, a.shape[:-2], a.shape[-2:]
        self.least = min(self.rows, self.columns)
        planes = matrices(a, dtype, self.stack)
        # Many, small or complex matrices are dealt out to lanes; rows of others to partitions.
        few = planes[0].shape[0] <= _FEW and self.rows > _FEW_ROWS and len(planes) == 1
        self.where = "" if few or not _takes("QR in lanes", *planes) else " in lanes"
        if len(planes) > 1 and not self.where:
            raise NotNativeError(_COMPLEX)
        if not _takes(f"QR{self.where}", *planes):
            raise NotNativeError(_TOO_LARGE)
        found = call_kernel(f"QR{self.where}", *planes)
        self.packed, self.factors = found[: len(planes)], found[len(planes) :]

    def value(self, planes: Nodes, *extents: int) -> Value:
        """Make a value of a stack."""
        return unstacked(self.builder, planes, Signature((*self.stack, *extents), self.dtype))

    @property
    def triangle(self) -> Value:
        """R, of as many rows as there are reflections."""
        packed = self.value(self.packed, self.rows, self.columns)
        return call(self.builder, "triu", packed.view(packed.shadow[..., : self.least, :]))

    def times(self, c: Value, *, transposed: bool = False) -> Value:
        """Multiply Q, or its adjoint, by matrices of as many rows as A; or of fewer, beneath which are zeros."""
        if c.shape[-2] < self.rows:
            more = [(0, 0)] * (c.ndim - 2) + [(0, self.rows - c.shape[-2]), (0, 0)]
            c = call(self.builder, "pad", c, more)
        sides = matrices(c, self.dtype, self.stack)
        vectors = self.value(self.packed, self.rows, self.columns)
        some = matrices(vectors.view(vectors.shadow[..., : self.least]), self.dtype, self.stack)
        if not _takes(f"reflect{self.where}", *some, *self.factors, *sides):
            raise NotNativeError(_TOO_LARGE if len(sides) == 1 else _COMPLEX)
        product = call_kernel(f"reflect{self.where}", *some, *self.factors, *sides, transposed=transposed)
        return self.value(product, self.rows, c.shape[-1])

    def orthogonal(self, columns: int) -> Value:
        """Make the first columns of Q."""
        return self.times(call(self.builder, "eye", self.rows, columns, 0, FLOAT32))


def _takes(name: str, *operands: Node) -> bool:
    return kernel(name).takes(*[Signature(one.shape, one.dtype) for one in operands])


def _qr(builder: Builder, results: Any, a: Value, mode: str = "reduced") -> Any:
    first = results if isinstance(results, Signature) else results[0]
    if not math.prod(a.shape) or not a.shape[-1]:
        raise NotNativeError("matrices without elements are factored on the host")
    qr = QR(builder, a, first.dtype)
    if mode == "r":
        return qr.triangle
    if mode == "raw":
        packed = qr.value(qr.packed, qr.rows, qr.columns)
        return packed.view(np.swapaxes(packed.shadow, -1, -2)).with_memory(), qr.value(qr.factors, qr.least)
    if mode == "complete":
        upper = call(builder, "triu", qr.value(qr.packed, qr.rows, qr.columns))
        return qr.orthogonal(qr.rows), upper
    return qr.orthogonal(qr.least), qr.triangle


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {"linalg.qr": _qr}
