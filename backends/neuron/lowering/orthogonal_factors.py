"""QR factors, and least squares by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import FLOAT32, DType
from ...rules import Signature
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..kernel import kernel
from ..value import Value
from . import Builder, NotNativeError
from .composition import Expression, Ops
from .factor_loops import Reflections, reflections
from .matrices import Nodes, matrices, unstacked
from .op_calls import call, converted

__all__ = ["FUNCTIONS", "QR", "of_nothing", "reflected"]

_FEW: Final = 8
_FEW_ROWS: Final = 32
_MOST_ROWS: Final = 8192
_MOST_COLUMNS: Final = 512
_ELEMENTS: Final = 8192
"""Elements of a partition: of these, divided by its columns, a matrix that one kernel factors has 128 times as many rows."""
_PANEL: Final = 128
"""Columns of a large matrix that one kernel factors."""
_COMPLEX: Final = "stacks of complex matrices of more than 4096 elements have their orthogonal factors computed on the host"
_TOO_LARGE: Final = "stacks, and matrices of more than 8192 rows, have their QR factors computed on the host from 513 columns on"
_WHOLE: Final = "matrices that are factored by blocks of rows have all columns of Q, and reflections, computed on the host"


class _Panel(NamedTuple):
    """
    Reflections of some columns, I - V T V*.

    Attributes
    ----------
    vectors, form : Expression
        V and T.
    first : int
        The number of the first column.
    """

    vectors: Expression
    form: Expression
    first: int

    @classmethod
    def of(cls, ops: Ops, packed: Expression, factors: Expression, first: int) -> _Panel:
        """Take reflections as LAPACK gives them."""
        from ...ops import scipy_linalg as _  # noqa: F401  # which makes triangular systems known

        rows, width = packed.shape
        vectors = ops("tril", packed, -1) + ops("eye", rows, width, 0, FLOAT32)
        gram = ops("triu", vectors.adjoint() @ vectors, 1) * factors
        one = ops.unit(width)
        inverse = ops("scipy.linalg.solve_triangular", gram + one, one, 0, False, True, False, False)
        return cls(vectors, inverse * factors[:, None], first)

    def times(self, ops: Ops, c: Expression, *, transposed: bool, first: int = 0) -> Expression:
        """Multiply a matrix by the reflections, or by their adjoint, from a row on."""
        rest = c[first:]
        form = self.form.adjoint() if transposed else self.form
        found = rest - self.vectors @ (form @ (self.vectors.adjoint() @ rest))
        return found if not first else ops.concatenate([c[:first], found], 0)


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
        self.panels = list[_Panel]()
        self.loop: Reflections | None = None
        self.blocks: tuple[QR, QR] | None = None
        most = max(_most_rows(self.columns), _MOST_ROWS if self.columns > _PANEL else 0)
        if len(planes) == 1 and not self.stack and self.rows > most and self.columns <= _MOST_COLUMNS:
            ops = Ops(builder)
            self._by_blocks(ops, Expression(ops, converted(builder, a, dtype)))
            return
        if len(planes) == 1 and not self.stack and self.least > _PANEL and self.rows <= _MOST_ROWS:
            ops = Ops(builder)
            self._by_panels(ops, Expression(ops, converted(builder, a, dtype)))
            return
        # Many, small or complex matrices are dealt out to lanes; rows of others to partitions.
        few = planes[0].shape[0] <= _FEW and self.rows > _FEW_ROWS and len(planes) == 1
        self.where = "" if few or not _takes("QR in lanes", *planes) else " in lanes"
        if len(planes) > 1 and not self.where:
            if self.stack:
                raise NotNativeError(_COMPLEX)
            ops = Ops(builder)
            self.loop = reflections(ops, Expression(ops, converted(builder, a, dtype)), pivoting=False)
            self.packed, self.factors = (part.value.read() for part in self.loop[:2])
            return
        if not _takes(f"QR{self.where}", *planes):
            raise NotNativeError(_TOO_LARGE)
        found = call_kernel(f"QR{self.where}", *planes)
        self.packed, self.factors = found[: len(planes)], found[len(planes) :]

    def _by_panels(self, ops: Ops, matrix: Expression) -> None:
        """
        Factor panels of columns, each of which multiplies those on its right by its adjoint.

        Reflections of a panel are I - V T V*, T = D inv(I + S D), of their factors D and the part S of V* V above the diagonal
        (C. Puglisi, "Modification of the Householder method based on the compact WY representation", SIAM J. Sci. Stat. Comput. 13, 1992).
        """
        done, columns, taus = list[Expression](), list[list[Expression]](), list[Expression]()
        for first in range(0, self.least, _PANEL):
            width = min(_PANEL, self.least - first)
            found = QR(self.builder, matrix[:, :width].value, self.dtype)
            packed = Expression(ops, found.value(found.packed, *matrix.shape[:1], width))
            factors = Expression(ops, found.value(found.factors, width))
            panel = _Panel.of(ops, packed, factors, first)
            columns.append([*[rows[:, first : first + width] for rows in done], packed])
            taus.append(factors)
            self.panels.append(panel)
            if matrix.shape[1] > width:
                turned = panel.times(ops, matrix[:, width:], transposed=True)
                done.append(ops.concatenate([ops.zeros((width, first + width), self.dtype), turned[:width]]))
                matrix = turned[width:]
        if self.columns > self.least:
            columns.append([rows[:, self.least :] for rows in done])
        whole = ops.concatenate([ops.concatenate(parts, 0) for parts in columns])
        self.packed, self.factors = whole.value.read(), ops.concatenate(taus).value.read()

    def _by_blocks(self, ops: Ops, matrix: Expression) -> None:
        """
        Factor blocks of rows, and the triangular factors of all blocks as a matrix of its own.

        Zeros fill up the last block where rows are no multiple (J. Demmel, L. Grigori, M. Hoemmen, J. Langou, "Communication-optimal
        parallel and sequential QR and LU factorizations", SIAM J. Sci. Comput. 34, 2012).
        """
        least = -(-self.rows // _most_rows(self.columns))
        count = next((number for number in range(least, 2 * least) if self.rows % number == 0), least)
        blocks = QR(self.builder, _cut(ops, matrix, count).value, self.dtype)
        triangles = Expression(ops, blocks.triangle).reshape(count * self.columns, self.columns)
        self.blocks = blocks, QR(self.builder, triangles.value, self.dtype)

    def value(self, planes: Nodes, *extents: int) -> Value:
        """Make a value of a stack."""
        return unstacked(self.builder, planes, Signature((*self.stack, *extents), self.dtype))

    @property
    def triangle(self) -> Value:
        """R, of as many rows as there are reflections."""
        if self.blocks is not None:
            return self.blocks[1].triangle
        packed = self.value(self.packed, self.rows, self.columns)
        return call(self.builder, "triu", packed.view(packed.shadow[..., : self.least, :]))

    def times(self, c: Value, *, transposed: bool = False) -> Value:
        """
        Multiply Q, or its adjoint, by matrices of as many rows as A; or of fewer, beneath which are zeros.

        The adjoint of blocks gives as many rows as these have, with zeros that were filled up; the first ones are those of R.
        """
        if self.blocks is not None:
            ops = Ops(self.builder)
            return self._times_blocks(ops, Expression(ops, converted(self.builder, c, self.dtype)), transposed, *self.blocks).value
        if c.shape[-2] < self.rows:
            more = [(0, 0)] * (c.ndim - 2) + [(0, self.rows - c.shape[-2]), (0, 0)]
            c = call(self.builder, "pad", c, more)
        if self.panels or self.loop is not None:
            ops = Ops(self.builder)
            found = Expression(ops, converted(self.builder, c, self.dtype))
            if self.loop is not None:
                return self.loop.times(ops, found, adjoint=transposed).value
            for panel in self.panels if transposed else reversed(self.panels):
                found = panel.times(ops, found, transposed=transposed, first=panel.first)
            return found.value
        sides = matrices(c, self.dtype, self.stack)
        vectors = self.value(self.packed, self.rows, self.columns)
        some = matrices(vectors.view(vectors.shadow[..., : self.least]), self.dtype, self.stack)
        if not _takes(f"reflect{self.where}", *some, *self.factors, *sides):
            raise NotNativeError(_TOO_LARGE if len(sides) == 1 else _COMPLEX)
        product = call_kernel(f"reflect{self.where}", *some, *self.factors, *sides, transposed=transposed)
        return self.value(product, self.rows, c.shape[-1])

    def _times_blocks(self, ops: Ops, c: Expression, transposed: bool, blocks: QR, outer: QR) -> Expression:
        count, width = blocks.stack[0], c.shape[1]
        if transposed:
            turned = Expression(ops, blocks.times(_cut(ops, c, count).value, transposed=True))
            above, below = (turned[:, part].reshape(-1, width) for part in (slice(self.columns), slice(self.columns, None)))
            return ops.concatenate([Expression(ops, outer.times(above.value, transposed=True)), below], 0)
        if c.shape[0] > self.columns:
            raise NotNativeError(_WHOLE)
        spread = Expression(ops, outer.times(c.value)).reshape(count, self.columns, width)
        return Expression(ops, blocks.times(spread.value)).reshape(-1, width)[: self.rows]

    def orthogonal(self, columns: int) -> Value:
        """Make the first columns of Q."""
        return self.times(call(self.builder, "eye", self.columns if self.blocks else self.rows, columns, 0, FLOAT32))


def reflected(ops: Ops, packed: Expression, factors: Expression, c: Expression) -> Expression:
    """Multiply matrices by reflections as LAPACK gives them: a single one panel by panel."""
    stack = c.shape[:-2]
    if stack:
        parts = [part.value.read()[0] for part in (packed, factors)]
        (turned,) = call_kernel("reflect", *parts, *matrices(c.value, FLOAT32, stack))
        return Expression(ops, unstacked(ops.builder, (turned,), Signature(c.shape, FLOAT32)))
    for first in reversed(range(0, packed.shape[-1], _PANEL)):
        some = slice(first, first + _PANEL)
        panel = _Panel.of(ops, packed.reshape(*packed.shape[-2:])[first:, some], factors.reshape(-1)[some], first)
        c = panel.times(ops, c, transposed=False, first=first)
    return c


def _most_rows(columns: int) -> int:
    """Count the rows of a matrix that one kernel factors."""
    return _ELEMENTS // columns * 128


def _cut(ops: Ops, matrix: Expression, count: int) -> Expression:
    """Cut a matrix into blocks of rows, with zeros beneath the last one."""
    rows, width = matrix.shape
    height = -(-rows // count)
    whole = matrix if rows == count * height else ops("pad", matrix, [(0, count * height - rows), (0, 0)])
    return whole.reshape(count, height, width)


def _takes(name: str, *operands: Node) -> bool:
    return kernel(name).takes(*[Signature(one.shape, one.dtype) for one in operands])


def of_nothing(builder: Builder, basis: Signature, triangle: Signature) -> tuple[Value, Value]:
    """Give a unit matrix for each matrix without columns, and what has no elements for R."""
    one = call(builder, "eye", basis.shape[-1], None, 0, basis.dtype)
    return one.view(np.broadcast_to(one.shadow, basis.shape)).with_memory(), builder.zeros(triangle.shape, triangle.dtype)


def _qr(builder: Builder, results: Any, a: Value, mode: str = "reduced") -> Any:
    first = results if isinstance(results, Signature) else results[0]
    if not math.prod(a.shape):
        return of_nothing(builder, *results)
    qr = QR(builder, a, first.dtype)
    if mode == "r":
        return qr.triangle
    if qr.blocks is not None and mode != "reduced":
        raise NotNativeError(_WHOLE)
    if mode == "raw":
        packed = qr.value(qr.packed, qr.rows, qr.columns)
        return packed.view(np.swapaxes(packed.shadow, -1, -2)).with_memory(), qr.value(qr.factors, qr.least)
    if mode == "complete":
        upper = call(builder, "triu", qr.value(qr.packed, qr.rows, qr.columns))
        return qr.orthogonal(qr.rows), upper
    return qr.orthogonal(qr.least), qr.triangle


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {"linalg.qr": _qr}
