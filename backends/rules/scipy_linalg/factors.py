"""Triangular and orthogonal factors, and what is done with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import INT32, DType, real_of
from ...promotion import PromotionTable
from ..elementwise import is_true
from ..signature import Shape, Signature, refused, scipy_dtype, signature_of
from .operands import matrix, square

__all__ = ["RULES"]


def _lu(
    promotion: PromotionTable, a: Any, permute_l: Any = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: Any = False
) -> tuple[Signature, ...]:
    rows, columns, dtype = matrix(promotion, a)
    least = min(rows, columns)
    if least == 1 == max(rows, columns):
        raise refused()
    factors = Signature((rows, least), dtype), Signature((least, columns), dtype)
    if is_true(permute_l):
        return factors
    return Signature((rows,), INT32) if is_true(p_indices) else Signature((rows, rows), real_of(dtype)), *factors


def _lu_factor(promotion: PromotionTable, a: Any, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Signature, Signature]:
    rows, columns, dtype = matrix(promotion, a)
    return Signature((rows, columns), dtype), Signature((min(rows, columns),), INT32)


def _cho_factor(promotion: PromotionTable, a: Any, lower: Any = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    order, dtype = square(promotion, a)
    return Signature((order, order), dtype), is_true(lower)


def _cholesky_banded(promotion: PromotionTable, ab: Any, *rest: Any, **options: Any) -> Signature:
    rows, columns, dtype = matrix(promotion, ab)
    return Signature((rows, columns), dtype)


def _qr(
    promotion: PromotionTable,
    a: Any,
    overwrite_a: bool = False,
    lwork: Any = None,
    mode: str = "full",
    pivoting: Any = False,
    check_finite: bool = True,
) -> Any:
    rows, columns, dtype = matrix(promotion, a)
    least = min(rows, columns)
    middle = least if mode in ("economic", "raw") else rows
    ahead: tuple[Any, ...]
    match mode:
        case "full" | "qr" | "economic":
            ahead = (Signature((rows, middle), dtype),)
        case "raw":
            ahead = ((Signature((rows, columns), dtype), Signature((least,), dtype)),)
        case "r":
            ahead = ()
        case _:
            raise refused()
    return (*ahead, Signature((middle, columns), dtype), *([Signature((columns,), INT32)] if is_true(pivoting) else []))


def _qr_multiply(
    promotion: PromotionTable, a: Any, c: Any, mode: str = "right", pivoting: Any = False, conjugate: Any = False, *overwrite: Any
) -> Any:
    rows, columns, dtype = matrix(promotion, a)
    shape = signature_of(promotion, c).shape
    common = scipy_dtype(promotion, a, c)
    least = min(rows, columns)
    vector = len(shape) == 1
    if len(shape) not in (1, 2) or mode not in ("left", "right") or any(map(is_true, overwrite)) or common != dtype:
        raise refused()
    if mode == "right":
        if shape[-1] != rows:
            raise refused()
        product: Shape = (least,) if vector else (shape[0], least)
    else:
        if shape[0] != least:
            raise refused()
        product = (rows,) if vector else (rows, shape[1])
    return Signature(product, dtype), *_qr(promotion, a, mode="raw", pivoting=pivoting)[1:]


def _rq(
    promotion: PromotionTable, a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", check_finite: bool = True
) -> Any:
    rows, columns, dtype = matrix(promotion, a)
    if mode not in ("full", "r", "economic"):
        raise refused()
    middle = min(rows, columns) if mode == "economic" else columns
    triangle = Signature((rows, middle), dtype)
    return triangle if mode == "r" else (triangle, Signature((middle, columns), dtype))


def _updated(promotion: PromotionTable, Q: Any, R: Any, *others: Any) -> tuple[int, int, int, DType]:
    """Read factors that are updated: rows, columns, what is between them, and the dtype, which they share."""
    rows, middle, dtype = matrix(promotion, Q)
    inner, columns, _ = matrix(promotion, R)
    dtypes = {signature_of(promotion, item).dtype for item in (Q, R, *others)}
    if inner != middle or len(dtypes) != 1 or middle not in (rows, columns) or dtype not in dtypes:
        raise refused()
    return rows, columns, middle, dtype


def _qr_update(promotion: PromotionTable, Q: Any, R: Any, u: Any, v: Any, *rest: Any, **options: Any) -> tuple[Signature, Signature]:
    rows, columns, middle, dtype = _updated(promotion, Q, R, u, v)
    left, right = signature_of(promotion, u).shape, signature_of(promotion, v).shape
    if len(left) not in (1, 2) or left[0] != rows or right[0] != columns or left[1:] != right[1:]:
        raise refused()
    return Signature((rows, middle), dtype), Signature((middle, columns), dtype)


def _qr_delete(
    promotion: PromotionTable, Q: Any, R: Any, k: Any, p: Any = 1, which: str = "row", overwrite_qr: bool = False, check_finite: bool = True
) -> tuple[Signature, Signature]:
    rows, columns, middle, dtype = _updated(promotion, Q, R)
    length = {"row": rows, "col": columns}.get(which, 0)
    if not isinstance(k, int) or not isinstance(p, int) or not 0 < p < length or not -length <= k <= length - p or middle != rows:
        raise refused()
    if which == "row":
        rows, middle = rows - p, middle - p
    else:
        columns -= p
    return Signature((rows, middle), dtype), Signature((middle, columns), dtype)


def _qr_insert(
    promotion: PromotionTable, Q: Any, R: Any, u: Any, k: Any, which: str = "row", *rest: Any, **options: Any
) -> tuple[Signature, Signature]:
    rows, columns, middle, dtype = _updated(promotion, Q, R, u)
    shape = signature_of(promotion, u).shape
    added = 1 if len(shape) == 1 else shape[0 if which == "row" else -1]
    wanted = {"row": [(columns,), (added, columns)], "col": [(rows,), (rows, added)]}.get(which, [])
    length = rows if which == "row" else columns
    if shape not in wanted or not isinstance(k, int) or not -length <= k <= length or middle != rows:
        raise refused()
    if which == "row":
        rows, middle = rows + added, middle + added
    else:
        columns += added
    return Signature((rows, middle), dtype), Signature((middle, columns), dtype)


RULES: Final[Mapping[str, Callable[..., Any]]] = {
    "cho_factor": _cho_factor,
    "cholesky_banded": _cholesky_banded,
    "lu": _lu,
    "lu_factor": _lu_factor,
    "qr": _qr,
    "qr_delete": _qr_delete,
    "qr_insert": _qr_insert,
    "qr_multiply": _qr_multiply,
    "qr_update": _qr_update,
    "rq": _rq,
}
