"""Linear and matrix equations, and inverses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import real_of
from ...promotion import PromotionTable
from ..elementwise import is_true
from ..signature import NeedsValueError, Shape, Signature, double_dtype, refused, scipy_dtype, signature_of
from .operands import matrix, square

__all__ = ["RULES"]

_STRUCTURES: Final = frozenset(
    (None, "general", "gen", "diagonal", "tridiagonal", "banded", "upper triangular", "lower triangular", "pos", "positive definite", "sym")
) | frozenset(("symmetric", "her", "hermitian"))
_TRANSPOSITIONS: Final = (0, 1, 2, "N", "T", "C")


def _sides(promotion: PromotionTable, order: int, b: Any) -> Shape:
    """Read right-hand sides."""
    shape = signature_of(promotion, b).shape
    if len(shape) not in (1, 2) or shape[0] != order or 0 in shape:
        raise refused()
    return shape


def _solve(
    promotion: PromotionTable,
    a: Any,
    b: Any,
    lower: Any = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a: Any = None,
    transposed: Any = False,
) -> Signature:
    order, dtype = square(promotion, a)
    if (dtype.kind == "c" and is_true(transposed)) or assume_a not in _STRUCTURES:
        raise refused()
    return Signature(_sides(promotion, order, b), scipy_dtype(promotion, a, b))


def _inv(
    promotion: PromotionTable, a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Any = None, lower: Any = False
) -> Signature:
    order, dtype = square(promotion, a)
    if assume_a not in _STRUCTURES:
        raise refused()
    return Signature((order, order), dtype)


def _solve_triangular(promotion: PromotionTable, a: Any, b: Any, trans: Any = 0, *rest: Any, **options: Any) -> Signature:
    if trans not in _TRANSPOSITIONS:
        raise refused()
    return Signature(_sides(promotion, square(promotion, a)[0], b), scipy_dtype(promotion, a, b))


def _lu_solve(promotion: PromotionTable, lu_and_piv: Any, b: Any, trans: Any = 0, *rest: Any, **options: Any) -> Signature:
    if trans not in _TRANSPOSITIONS:
        raise refused()
    return _of_factor(promotion, lu_and_piv, b)


def _of_factor(promotion: PromotionTable, factor: Any, b: Any, *rest: Any, **options: Any) -> Signature:
    """Infer the solution with the factors of a square matrix, or with what else is known of it."""
    try:
        found, _ = factor
    except (TypeError, ValueError):
        raise refused() from None
    return Signature(_sides(promotion, square(promotion, found)[0], b), scipy_dtype(promotion, found, b))


def _of_band_factor(promotion: PromotionTable, cb_and_lower: Any, b: Any, *rest: Any, **options: Any) -> Signature:
    try:
        found, _ = cb_and_lower
    except (TypeError, ValueError):
        raise refused() from None
    return _banded(promotion, found, b)


def _banded(promotion: PromotionTable, ab: Any, b: Any, *rest: Any, **options: Any) -> Signature:
    return Signature(_sides(promotion, matrix(promotion, ab)[1], b), scipy_dtype(promotion, ab, b))


def _solve_banded(promotion: PromotionTable, l_and_u: Any, ab: Any, b: Any, *rest: Any, **options: Any) -> Signature:
    if not isinstance(l_and_u, (tuple, list)) or [*map(type, l_and_u)] != [int, int] or sum(l_and_u) + 1 != matrix(promotion, ab)[0]:
        raise refused()
    return _banded(promotion, ab, b)


def _toeplitz_of(promotion: PromotionTable, c_or_cr: Any) -> tuple[int, int, list[Any]]:
    """Read the first column of a Toeplitz matrix, and its first row if that is given, too."""
    parts = [*c_or_cr] if type(c_or_cr) is tuple else [c_or_cr]
    shapes = [signature_of(promotion, part).shape for part in parts]
    if len(shapes) not in (1, 2) or any(len(shape) != 1 or not shape[0] for shape in shapes):
        raise refused()
    return shapes[0][0], shapes[-1][0], parts


def _solve_toeplitz(promotion: PromotionTable, c_or_cr: Any, b: Any, check_finite: bool = True) -> Signature:
    rows, columns, parts = _toeplitz_of(promotion, c_or_cr)
    if rows != columns:
        raise refused()
    return Signature(_sides(promotion, rows, b), double_dtype(promotion, scipy_dtype(promotion, *parts, b)))


def _matmul_toeplitz(promotion: PromotionTable, c_or_cr: Any, x: Any, check_finite: bool = False, workers: Any = None) -> Signature:
    rows, columns, parts = _toeplitz_of(promotion, c_or_cr)
    return Signature((rows, *_sides(promotion, columns, x)[1:]), double_dtype(promotion, scipy_dtype(promotion, *parts, x)))


def _solve_circulant(
    promotion: PromotionTable, c: Any, b: Any, singular: str = "raise", tol: Any = None, caxis: Any = -1, baxis: Any = 0, outaxis: Any = 0
) -> Signature:
    shape = signature_of(promotion, c).shape
    if len(shape) != 1 or (caxis, baxis, outaxis) != (-1, 0, 0):
        raise refused()
    return Signature(_sides(promotion, shape[0], b), scipy_dtype(promotion, c, b))


def _lstsq(
    promotion: PromotionTable,
    a: Any,
    b: Any,
    cond: Any = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: Any = None,
) -> tuple[Signature, ...]:
    rows, columns, _ = matrix(promotion, a)
    sides = _sides(promotion, rows, b)
    if rows > columns:
        raise NeedsValueError("it gives residuals only where the matrix has full rank")
    if lapack_driver not in (None, "gelsd", "gelss") or not isinstance(cond, (int, float, type(None))):
        raise refused()
    dtype = scipy_dtype(promotion, a, b)
    real = real_of(dtype)
    return (
        Signature((columns, *sides[1:]), dtype),
        Signature((0,), dtype),
        Signature((), promotion.default_index),
        Signature((rows,), real),
    )


def _pinv(
    promotion: PromotionTable, a: Any, *, atol: Any = None, rtol: Any = None, return_rank: Any = False, check_finite: bool = True
) -> Any:
    rows, columns, dtype = matrix(promotion, a)
    if any(item is not None and (not isinstance(item, (int, float)) or item < 0) for item in (atol, rtol)):
        raise refused()
    inverse = Signature((columns, rows), dtype)
    return (inverse, Signature((), promotion.default_index)) if is_true(return_rank) else inverse


def _pinvh(
    promotion: PromotionTable,
    a: Any,
    atol: Any = None,
    rtol: Any = None,
    lower: Any = True,
    return_rank: Any = False,
    check_finite: bool = True,
) -> Any:
    square(promotion, a)
    return _pinv(promotion, a, atol=atol, rtol=rtol, return_rank=return_rank)


def _sylvester(promotion: PromotionTable, a: Any, b: Any, q: Any) -> Signature:
    rows, _ = square(promotion, a)
    columns, _ = square(promotion, b)
    if signature_of(promotion, q).shape != (rows, columns):
        raise refused()
    return Signature((rows, columns), scipy_dtype(promotion, a, b, q))


def _lyapunov(promotion: PromotionTable, a: Any, q: Any) -> Signature:
    return _sylvester(promotion, a, a, q)


def _discrete_lyapunov(promotion: PromotionTable, a: Any, q: Any, method: Any = None) -> Signature:
    if method not in (None, "direct", "bilinear"):
        raise refused()
    shape, dtype = _sylvester(promotion, a, a, q)
    return Signature(shape, double_dtype(promotion, dtype))


def _riccati(
    promotion: PromotionTable, a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: Any = True
) -> Signature:
    order, _ = square(promotion, a)
    rows, inputs, _ = matrix(promotion, b)
    others = [(q, (order, order)), (r, (inputs, inputs)), (e, (order, order)), (s, (order, inputs))]
    if rows != order or any(item is not None and signature_of(promotion, item).shape != shape for item, shape in others):
        raise refused()
    return Signature((order, order), double_dtype(promotion, scipy_dtype(promotion, a, b, q, r, e, s)))


RULES: Final[Mapping[str, Callable[..., Any]]] = {
    **dict.fromkeys(("solve_continuous_are", "solve_discrete_are"), _riccati),
    "cho_solve": _of_factor,
    "cho_solve_banded": _of_band_factor,
    "inv": _inv,
    "lstsq": _lstsq,
    "lu_solve": _lu_solve,
    "matmul_toeplitz": _matmul_toeplitz,
    "pinv": _pinv,
    "pinvh": _pinvh,
    "solve": _solve,
    "solve_banded": _solve_banded,
    "solve_circulant": _solve_circulant,
    "solve_continuous_lyapunov": _lyapunov,
    "solve_discrete_lyapunov": _discrete_lyapunov,
    "solve_sylvester": _sylvester,
    "solve_toeplitz": _solve_toeplitz,
    "solve_triangular": _solve_triangular,
    "solveh_banded": _banded,
}
