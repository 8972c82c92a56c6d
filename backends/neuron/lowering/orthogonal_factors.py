"""QR factors, and least squares by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import FLOAT32, DType
from ...rules import Signature, is_true
from ..graph.build import broadcast, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..kernel import kernel
from ..value import Value
from . import NotNativeError
from .matrices import finite, matrices, unstacked
from .op_calls import call

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["FUNCTIONS", "QR"]

_FEW: Final = 8
_FEW_ROWS: Final = 32
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
        if dtype != FLOAT32:
            raise NotNativeError("complex matrices have their orthogonal factors computed on the host")
        self.builder, self.stack, (self.rows, self.columns) = builder, a.shape[:-2], a.shape[-2:]
        self.least = min(self.rows, self.columns)
        (matrix,) = matrices(a, dtype, self.stack)
        # Many or small matrices are dealt out to lanes; rows of others to partitions.
        self.where = " in lanes" if (matrix.shape[0] > _FEW or self.rows <= _FEW_ROWS) and _takes("QR in lanes", matrix) else ""
        if not _takes(f"QR{self.where}", matrix):
            raise NotNativeError(_TOO_LARGE)
        self.packed, self.factors = call_kernel(f"QR{self.where}", matrix)

    def value(self, node: Node, *extents: int) -> Value:
        """Make a value of a stack."""
        return unstacked(self.builder, (node,), Signature((*self.stack, *extents), FLOAT32))

    @property
    def triangle(self) -> Value:
        """R, of as many rows as there are reflections."""
        packed = self.value(self.packed, self.rows, self.columns)
        upper: Value = call(self.builder, "triu", packed.view(packed.shadow[..., : self.least, :]))
        return upper

    def times(self, c: Value, *, transposed: bool = False) -> Value:
        """Multiply Q, or its transpose, by matrices of as many rows as A; or of fewer, beneath which are zeros."""
        if c.shape[-2] < self.rows:
            more = [(0, 0)] * (c.ndim - 2) + [(0, self.rows - c.shape[-2]), (0, 0)]
            c = call(self.builder, "pad", c, more)
        count = self.packed.shape[0]
        (plane,) = c.read()
        sides = reshape(broadcast(plane, (*self.stack, *c.shape[-2:])), (count, *c.shape[-2:]))
        vectors = self.value(self.packed, self.rows, self.columns)
        (some,) = vectors.view(vectors.shadow[..., : self.least]).read()
        operands = reshape(some, (count, self.rows, self.least)), self.factors, sides
        if not _takes(f"reflect{self.where}", *operands):
            raise NotNativeError(_TOO_LARGE)
        (product,) = call_kernel(f"reflect{self.where}", *operands, transposed=transposed)
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


def _scipy_qr(
    builder: Builder, results: Any, a: Value, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: Any = False,
    check_finite: Any = True,
) -> Any:  # fmt: skip
    if is_true(pivoting) or mode == "raw":
        raise NotNativeError("QR factors with pivoting, or in LAPACK's form, are computed on the host")
    a = finite(builder, a, check_finite)
    names = {"full": "complete", "qr": "complete", "economic": "reduced"}
    if mode != "r":
        return call(builder, "linalg.qr", a, names[mode])
    qr = QR(builder, a, results[0].dtype)
    return (call(builder, "triu", qr.value(qr.packed, qr.rows, qr.columns)),)


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {"linalg.qr": _qr, "scipy.linalg.qr": _scipy_qr}
