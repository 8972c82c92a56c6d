"""Singular values and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import real_of
from ...promotion import PromotionTable
from .. import linalg
from ..elementwise import is_true
from ..signature import Dynamic, Signature, refused, scipy_dtype, signature_of
from .operands import matrix, square

__all__ = ["RULES"]


def _svd(
    promotion: PromotionTable,
    a: Any,
    full_matrices: Any = True,
    compute_uv: Any = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: Any = "gesdd",
) -> Any:
    matrix(promotion, a)
    if lapack_driver not in ("gesdd", "gesvd"):
        raise refused()
    return linalg.svd(promotion, a, full_matrices, compute_uv)


def _svdvals(promotion: PromotionTable, a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    return _svd(promotion, a, compute_uv=False)


def _diagsvd(promotion: PromotionTable, s: Any, M: Any, N: Any) -> Signature:
    shape, dtype = signature_of(promotion, s)
    if len(shape) != 1 or not isinstance(M, int) or not isinstance(N, int) or shape[0] != min(M, N):
        raise refused()
    return Signature((M, N), dtype)


def _polar(promotion: PromotionTable, a: Any, side: str = "right") -> tuple[Signature, Signature]:
    rows, columns, dtype = matrix(promotion, a)
    if side not in ("right", "left"):
        raise refused()
    return Signature((rows, columns), dtype), Signature((columns, columns) if side == "right" else (rows, rows), dtype)


def _orthogonal_procrustes(promotion: PromotionTable, A: Any, B: Any, check_finite: bool = True) -> tuple[Signature, Signature]:
    rows, columns, _ = matrix(promotion, A)
    if signature_of(promotion, B).shape != (rows, columns):
        raise refused()
    dtype = scipy_dtype(promotion, A, B)
    return Signature((columns, columns), dtype), Signature((), real_of(dtype))


def _cossin(
    promotion: PromotionTable,
    X: Any,
    p: Any = None,
    q: Any = None,
    separate: Any = False,
    swap_sign: Any = False,
    compute_u: Any = True,
    compute_vh: Any = True,
) -> Any:
    if not (p or q) or not (is_true(compute_u) and is_true(compute_vh)):
        raise refused()
    order, dtype = square(promotion, X)
    top, left = (1 if one is None else int(one) for one in (p, q))
    if not 0 < top < order or not 0 < left < order:
        raise refused()
    if not is_true(separate):
        return (Signature((order, order), dtype), Signature((order, order), real_of(dtype)), Signature((order, order), dtype))
    blocks = [tuple([Signature((one, one), dtype) for one in (first, order - first)]) for first in (top, left)]
    return blocks[0], Signature((min(top, order - top, left, order - left),), real_of(dtype)), blocks[1]


RULES: Final[Mapping[str, Callable[..., Any]]] = {
    **dict.fromkeys(("null_space", "orth", "subspace_angles"), Dynamic("its shape is the rank of the matrix")),
    "cossin": _cossin,
    "diagsvd": _diagsvd,
    "orthogonal_procrustes": _orthogonal_procrustes,
    "polar": _polar,
    "svd": _svd,
    "svdvals": _svdvals,
}
