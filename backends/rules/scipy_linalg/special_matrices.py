"""Matrices of a kind, made of a number, of vectors or of other matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import DType, real_of
from ...promotion import PromotionTable
from ..signature import NeedsValueError, Signature, float_dtype, refused, signature_of

__all__ = ["RULES"]


def _vector(promotion: PromotionTable, a: Any, least: int = 1) -> tuple[int, DType]:
    shape, dtype = signature_of(promotion, a)
    if len(shape) != 1 or shape[0] < least:
        raise refused()
    return shape[0], dtype


def _count(n: Any) -> int:
    if not isinstance(n, int) or n < 1:
        raise refused()
    return n


def _block_diag(promotion: PromotionTable, *arrs: Any) -> Signature:
    blocks = [signature_of(promotion, one) for one in arrs]
    if not blocks or any(len(shape) > 2 for shape, _ in blocks):
        raise refused()
    sides = [(1,) * (2 - len(shape)) + shape for shape, _ in blocks]
    rows, columns = (sum(side) for side in zip(*sides, strict=True))
    return Signature((rows, columns), promotion.result_type(*[dtype for _, dtype in blocks]))


def _circulant(promotion: PromotionTable, c: Any) -> Signature:
    length, dtype = _vector(promotion, c)
    return Signature((length, length), dtype)


def _companion(promotion: PromotionTable, a: Any) -> Signature:
    length, dtype = _vector(promotion, a, 2)
    if dtype.kind == "b":
        raise refused()
    return Signature((length - 1, length - 1), float_dtype(promotion, dtype))


def _fiedler_companion(promotion: PromotionTable, a: Any) -> Signature:
    length, dtype = _vector(promotion, a, 3)
    return Signature((length - 1, length - 1), float_dtype(promotion, dtype))


def _fiedler(promotion: PromotionTable, a: Any) -> Signature:
    length, dtype = _vector(promotion, a, 2)
    if dtype.kind == "b":
        raise refused()
    return Signature((length, length), real_of(dtype))


def _convolution_matrix(promotion: PromotionTable, a: Any, n: Any, mode: str = "full") -> Signature:
    length, dtype = _vector(promotion, a)
    columns = _count(n)
    rows = {"full": length + columns - 1, "same": max(length, columns), "valid": max(length, columns) - min(length, columns) + 1}
    if mode not in rows:
        raise refused()
    return Signature((rows[mode], columns), dtype)


def _hankel(promotion: PromotionTable, c: Any, r: Any = None) -> Signature:
    rows, dtype = _vector(promotion, c)
    if r is None:
        return Signature((rows, rows), dtype)
    columns, other = _vector(promotion, r)
    return Signature((rows, columns), promotion.result_type(dtype, other))


def _leslie(promotion: PromotionTable, f: Any, s: Any) -> Signature:
    length, dtype = _vector(promotion, f, 2)
    others, other = _vector(promotion, s)
    if others != length - 1:
        raise refused()
    return Signature((length, length), promotion.result_type(dtype, other))


def _khatri_rao(promotion: PromotionTable, a: Any, b: Any) -> Signature:
    left, right = signature_of(promotion, a), signature_of(promotion, b)
    if left.ndim != 2 or right.ndim != 2 or left.shape[1] != right.shape[1]:
        raise refused()
    return Signature((left.shape[0] * right.shape[0], left.shape[1]), promotion.result_type(left.dtype, right.dtype))


def _dft(promotion: PromotionTable, n: Any, scale: Any = None) -> Signature:
    if scale not in (None, "sqrtn", "n"):
        raise refused()
    return Signature((_count(n), n), promotion.default_complex)


def _hadamard(promotion: PromotionTable, n: Any, dtype: Any = int) -> Signature:
    order = _count(n)
    if order & (order - 1):
        raise refused()
    return Signature((order, order), promotion.default_int if dtype is int else promotion.result_type(dtype))


def _helmert(promotion: PromotionTable, n: Any, full: Any = False) -> Signature:
    if not isinstance(full, int):
        raise refused()
    return Signature((_count(n) - (not full), n), promotion.default_float)


def _hilbert(promotion: PromotionTable, n: Any) -> Signature:
    return Signature((_count(n), n), promotion.default_float)


def _invhilbert(promotion: PromotionTable, n: Any, exact: Any = False) -> Signature:
    if not isinstance(exact, int):
        raise refused()
    if exact:
        raise NeedsValueError("whether its integers fit is seen when they are there")
    return _hilbert(promotion, n)


def _pascal(promotion: PromotionTable, n: Any, kind: str = "symmetric", exact: Any = True) -> Signature:
    if kind not in ("symmetric", "lower", "upper"):
        raise refused()
    return _invhilbert(promotion, n, exact)


RULES: Final[Mapping[str, Callable[..., Any]]] = {
    **dict.fromkeys(("hankel", "toeplitz"), _hankel),
    **dict.fromkeys(("invpascal", "pascal"), _pascal),
    "block_diag": _block_diag,
    "circulant": _circulant,
    "companion": _companion,
    "convolution_matrix": _convolution_matrix,
    "dft": _dft,
    "fiedler": _fiedler,
    "fiedler_companion": _fiedler_companion,
    "hadamard": _hadamard,
    "helmert": _helmert,
    "hilbert": _hilbert,
    "invhilbert": _invhilbert,
    "khatri_rao": _khatri_rao,
    "leslie": _leslie,
}
