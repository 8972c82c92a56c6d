"""Eigenvalues and eigenvectors, and the forms of pairs of matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from ...dtypes import DType, complex_of, real_of
from ...promotion import PromotionTable
from ..elementwise import is_true
from ..signature import NeedsValueError, Signature, double_dtype, refused, scipy_dtype, signature_of
from .operands import matrix, square

__all__ = ["RULES"]

_IN_AN_INTERVAL: Final = "how many eigenvalues there are in an interval depends on the elements"


def _eig(
    promotion: PromotionTable,
    a: Any,
    b: Any = None,
    left: Any = False,
    right: Any = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: Any = False,
) -> Any:
    order, _ = square(promotion, a)
    if b is not None and square(promotion, b)[0] != order:
        raise refused()
    if is_true(homogeneous_eigvals):
        raise refused()
    dtype = scipy_dtype(promotion, a, b)
    sides = is_true(left) + is_true(right)
    if sides and dtype.kind != "c":
        raise NeedsValueError("whether eigenvectors of a real matrix are complex depends on its elements")
    values, vectors = Signature((order,), complex_of(dtype)), Signature((order, order), complex_of(dtype))
    return (values, *[vectors] * sides) if sides else values


def _eigvals(
    promotion: PromotionTable,
    a: Any,
    b: Any = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: Any = False,
) -> Any:
    return _eig(promotion, a, b, False, False, homogeneous_eigvals=homogeneous_eigvals)


def _selected(order: int, first: Any, last: Any) -> int:
    """Count the eigenvalues of some ranks."""
    try:
        low, high = int(first), int(last)
    except TypeError:
        raise refused() from None
    if not 0 <= low <= high < order:
        raise refused()
    return high - low + 1


def _eigh(
    promotion: PromotionTable,
    a: Any,
    b: Any = None,
    *,
    lower: Any = True,
    eigvals_only: Any = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: Any = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
) -> Any:
    order, _ = square(promotion, a)
    if (b is not None and square(promotion, b)[0] != order) or type not in (1, 2, 3):
        raise refused()
    if subset_by_value is not None:
        raise NeedsValueError(_IN_AN_INTERVAL)
    whole = "ev evd gv gvd" if subset_by_index is None else ""
    if driver is not None and driver not in [one for one in f"evr evx gvx {whole}".split() if (one[0] == "g") == (b is not None)]:
        raise refused()
    if subset_by_index is not None and len(subset_by_index) != 2:
        raise refused()
    number = order if subset_by_index is None else _selected(order, *subset_by_index)
    return _hermitian(scipy_dtype(promotion, a, b), order, number, eigvals_only)


def _eigvalsh(promotion: PromotionTable, a: Any, b: Any = None, **options: Any) -> Any:
    return _eigh(promotion, a, b, eigvals_only=True, **options)


def _hermitian(dtype: DType, order: int, number: int, eigvals_only: Any) -> Any:
    values = Signature((number,), real_of(dtype))
    return values if is_true(eigvals_only) else (values, Signature((order, number), dtype))


def _number(order: int, select: Any, select_range: Any) -> int:
    """Count the eigenvalues that are selected."""
    if select in ("v", "value", 1):
        raise NeedsValueError(_IN_AN_INTERVAL)
    if select in ("a", "all", 0):
        return order
    if select not in ("i", "index", 2) or not isinstance(select_range, (tuple, list)) or len(select_range) != 2:
        raise refused()
    return _selected(order, *select_range)


def _eig_banded(
    promotion: PromotionTable,
    a_band: Any,
    lower: Any = False,
    eigvals_only: Any = False,
    overwrite_a_band: bool = False,
    select: Any = "a",
    select_range: Any = None,
    max_ev: Any = 0,
    check_finite: bool = True,
) -> Any:
    _, order, dtype = matrix(promotion, a_band)
    return _hermitian(dtype, order, _number(order, select, select_range), eigvals_only)


def _eigvals_banded(
    promotion: PromotionTable,
    a_band: Any,
    lower: Any = False,
    overwrite_a_band: bool = False,
    select: Any = "a",
    select_range: Any = None,
    check_finite: bool = True,
) -> Any:
    return _eig_banded(promotion, a_band, lower, True, overwrite_a_band, select, select_range)


def _eigh_tridiagonal(
    promotion: PromotionTable,
    d: Any,
    e: Any,
    eigvals_only: Any = False,
    select: Any = "a",
    select_range: Any = None,
    check_finite: bool = True,
    tol: Any = 0.0,
    lapack_driver: Any = "auto",
) -> Any:
    diagonal, beside = signature_of(promotion, d).shape, signature_of(promotion, e).shape
    dtype = scipy_dtype(promotion, d, e)
    if len(diagonal) != 1 or diagonal[0] < 2 or beside != (diagonal[0] - 1,) or dtype.kind == "c" or lapack_driver != "auto":
        raise refused()
    return _hermitian(dtype, diagonal[0], _number(diagonal[0], select, select_range), eigvals_only)


def _eigvalsh_tridiagonal(
    promotion: PromotionTable, d: Any, e: Any, select: Any = "a", select_range: Any = None, *rest: Any, **options: Any
) -> Any:
    return _eigh_tridiagonal(promotion, d, e, True, select, select_range, *rest, **options)


def _qz(
    promotion: PromotionTable,
    A: Any,
    B: Any,
    output: str = "real",
    lwork: Any = None,
    sort: Any = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[Signature, ...]:
    order, _ = square(promotion, A)
    if square(promotion, B)[0] != order or output not in ("real", "complex", "r", "c") or sort is not None:
        raise refused()
    dtype = scipy_dtype(promotion, A, B)
    return (Signature((order, order), complex_of(dtype) if output[0] == "c" else dtype),) * 4


def _ordqz(
    promotion: PromotionTable, A: Any, B: Any, sort: Any = "lhp", output: str = "real", *rest: Any, **options: Any
) -> tuple[Signature, ...]:
    first, second, left, right = _qz(promotion, A, B, output)
    if sort not in ("lhp", "rhp", "iuc", "ouc"):
        raise refused()
    values = [Signature(first.shape[:1], dtype) for dtype in (complex_of(first.dtype), first.dtype)]
    return first, second, *values, left, right


def _rsf2csf(promotion: PromotionTable, T: Any, Z: Any, check_finite: bool = True) -> tuple[Signature, Signature]:
    order, _ = square(promotion, T)
    if square(promotion, Z)[0] != order:
        raise refused()
    if any(item.dtype.kind in "iu" and item.dtype.itemsize < 4 for item in map(partial(signature_of, promotion), (T, Z))):
        raise refused()
    one = Signature((order, order), complex_of(scipy_dtype(promotion, T, Z)))
    return one, one


def _cdf2rdf(promotion: PromotionTable, w: Any, v: Any) -> tuple[Signature, Signature]:
    values, vectors = signature_of(promotion, w), signature_of(promotion, v)
    if not values.shape or vectors.shape != (*values.shape, values.shape[-1]):
        raise refused()
    return Signature(vectors.shape, real_of(values.dtype)), Signature(vectors.shape, real_of(double_dtype(promotion, vectors.dtype)))


RULES: Final[Mapping[str, Callable[..., Any]]] = {
    "cdf2rdf": _cdf2rdf,
    "eig": _eig,
    "eig_banded": _eig_banded,
    "eigh": _eigh,
    "eigh_tridiagonal": _eigh_tridiagonal,
    "eigvals": _eigvals,
    "eigvals_banded": _eigvals_banded,
    "eigvalsh": _eigvalsh,
    "eigvalsh_tridiagonal": _eigvalsh_tridiagonal,
    "ordqz": _ordqz,
    "qz": _qz,
    "rsf2csf": _rsf2csf,
}
