"""scipy.linalg's QR and RQ factors in all modes, products with them, and updates: of numpy.linalg's, and of loops of reflections."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...rules import Signature
from . import NotNativeError
from .composition import Expression, Ops, expressed
from .factor_loops import reflections
from .op_calls import call_several
from .refinement import transposed

__all__ = ["FUNCTIONS"]

_MODES: Final = {"full": "complete", "qr": "complete", "r": "complete", "economic": "reduced", "raw": "raw"}


def _factors(ops: Ops, a: Expression, mode: str) -> list[Expression]:
    return [Expression(ops, part) for part in call_several(ops.builder, "linalg.qr", a.value, mode)]


def _qr(ops: Ops, results: Any, a: Expression, lwork: Any = None, mode: str = "full", pivoting: Any = False) -> Any:
    triangle = results[-2 if pivoting else -1]
    matrix = a.astype(triangle.dtype)
    if pivoting:
        return _pivoted(ops, results, matrix, mode)
    basis, upper = _factors(ops, matrix, _MODES[mode])
    if mode != "raw":
        return (upper,) if mode == "r" else (basis, upper)
    packed = transposed(basis) + 0.0
    return (packed, upper), ops("triu", packed[..., : triangle.shape[-2], :])


def _pivoted(ops: Ops, results: Any, matrix: Expression, mode: str) -> Any:
    if matrix.ndim != 2 or not matrix.size:
        raise NotNativeError("stacks of matrices, and those without elements, are factored with pivoting on the host")
    found = reflections(ops, matrix, pivoting=True)
    upper = ops("triu", found.packed[: results[-2].shape[0]])
    if mode == "r":
        return upper, found.order
    if mode == "raw":
        return (found.packed, found.factors), upper, found.order
    some = ops("eye", matrix.shape[0], results[0].shape[1], 0, matrix.real.dtype).astype(matrix.dtype)
    return found.times(ops, some), upper, found.order


def _multiply(
    ops: Ops, results: Any, a: Expression, c: Expression, mode: str = "right", pivoting: Any = False, conjugate: Any = False
) -> Any:
    found = call_several(ops.builder, "scipy.linalg.qr", a.value, mode="economic", pivoting=pivoting)
    basis, *rest = (Expression(ops, part) for part in found)
    sides = c.astype(results[0].dtype)
    basis = basis.conj() if conjugate else basis
    return (basis @ sides if mode == "left" else sides @ basis), *rest


def _rq(ops: Ops, results: Any, a: Expression, lwork: Any = None, mode: str = "full") -> Any:
    """Factor the adjoint of the matrix whose rows and columns are in reverse order, which gives the adjoint factors so."""
    triangle = results if isinstance(results, Signature) else results[0]
    if not math.prod(triangle.shape):
        raise NotNativeError("matrices without elements are factored on the host")

    def turned(x: Expression) -> Expression:
        return x.viewed(lambda shadow: shadow[..., ::-1, ::-1]).adjoint()

    basis, upper = _factors(ops, turned(a.astype(triangle.dtype)), "reduced" if mode == "economic" else "complete")
    return turned(upper) + 0.0 if mode == "r" else (turned(upper) + 0.0, turned(basis) + 0.0)


def _columns(x: Expression) -> Expression:
    return x[:, None] if x.ndim == 1 else x


def _update(ops: Ops, results: Any, basis: Expression, upper: Expression, u: Expression, v: Expression) -> Any:
    if basis.ndim != 2:
        raise NotNativeError("stacks of QR factors are updated on the host")
    changed = basis @ upper + _columns(u) @ _columns(v).adjoint()
    return tuple(_factors(ops, changed, "complete" if basis.shape[0] == basis.shape[1] else "reduced"))


def _within(ops: Ops, basis: Expression, upper: Expression) -> Any:
    """Factor what Q is multiplied by."""
    inner, upper = _factors(ops, upper, "complete")
    return basis @ inner, upper


def _delete(ops: Ops, results: Any, basis: Expression, upper: Expression, k: int, p: int = 1, which: str = "row") -> Any:
    first = k % (basis.shape[0] if which == "row" else upper.shape[1])
    if which == "col":
        return _within(ops, basis, ops.concatenate([upper[:, :first], upper[:, first + p :]]))
    matrix = basis @ upper
    return tuple(_factors(ops, ops.concatenate([matrix[:first], matrix[first + p :]], 0), "complete"))


def _insert(
    ops: Ops, results: Any, basis: Expression, upper: Expression, u: Expression, k: int, which: str = "row", rcond: Any = None
) -> Any:
    if rcond is not None:
        raise NotNativeError("columns are tested for being linearly independent on the host")
    length = basis.shape[0] if which == "row" else upper.shape[1]
    first = k + length if k < 0 else k
    if which == "col":
        return _within(ops, basis, ops.concatenate([upper[:, :first], basis.adjoint() @ _columns(u), upper[:, first:]]))
    matrix, rows = basis @ upper, u[None, :] if u.ndim == 1 else u
    return tuple(_factors(ops, ops.concatenate([matrix[:first], rows, matrix[first:]], 0), "complete"))


_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "qr": _qr, "qr_delete": _delete, "qr_insert": _insert, "qr_multiply": _multiply, "qr_update": _update, "rq": _rq,
}  # fmt: skip
FUNCTIONS: Final = {f"scipy.linalg.{name}": expressed(function) for name, function in _FUNCTIONS.items()}
"""Of all dtypes."""
