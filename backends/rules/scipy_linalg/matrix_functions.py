"""Functions of matrices, and forms that tell what these do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import COMPLEX64, FLOAT64, complex_of, real_of
from ...promotion import PromotionTable
from .. import linalg
from ..elementwise import is_true
from ..signature import Dynamic, NeedsValueError, Signature, double_dtype, refused, scipy_dtype
from .operands import square
from .stacks import over_stacks

__all__ = ["RULES"]


def _same(promotion: PromotionTable, a: Any, *_: Any, **__: Any) -> Signature:
    order, dtype = square(promotion, a)
    return Signature((order, order), dtype)


def _of_complex(promotion: PromotionTable, a: Any, *_: Any, **__: Any) -> Signature:
    """Infer a function that gives real matrices where it can."""
    found = _same(promotion, a)
    if found.dtype.kind != "c":
        raise NeedsValueError("whether it is complex depends on the elements")
    return found


def _sqrtm(promotion: PromotionTable, A: Any) -> Signature:
    found = _of_complex(promotion, A)
    if found.dtype == COMPLEX64 and promotion.default_float == FLOAT64:
        raise NeedsValueError("which precision the host computes in depends on the version of SciPy")
    return found


def _of_complex_in_double(promotion: PromotionTable, A: Any, *_: Any, **__: Any) -> Signature:
    shape, dtype = _of_complex(promotion, A)
    return Signature(shape, double_dtype(promotion, dtype))


def _det(promotion: PromotionTable, a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Signature:
    _, dtype = square(promotion, a)
    return Signature((), double_dtype(promotion, dtype))


def _norm(
    promotion: PromotionTable, a: Any, ord: Any = None, axis: Any = None, keepdims: Any = False, check_finite: bool = True
) -> Signature:
    return linalg.norm(promotion, a, ord, axis, keepdims)


def _expm_cond(promotion: PromotionTable, A: Any, check_finite: bool = True) -> Signature:
    _, dtype = square(promotion, A)
    return Signature((), real_of(double_dtype(promotion, dtype)))


def _expm_frechet(
    promotion: PromotionTable, A: Any, E: Any, method: Any = None, compute_expm: Any = True, check_finite: bool = True
) -> Any:
    order, _ = square(promotion, A)
    if square(promotion, E)[0] != order or method not in (None, "SPS", "blockEnlarge"):
        raise refused()
    one = Signature((order, order), double_dtype(promotion, scipy_dtype(promotion, A, E)))
    return (one, one) if is_true(compute_expm) else one


def _schur(
    promotion: PromotionTable,
    a: Any,
    output: str = "real",
    lwork: Any = None,
    overwrite_a: bool = False,
    sort: Any = None,
    check_finite: bool = True,
) -> tuple[Signature, Signature]:
    order, dtype = square(promotion, a)
    if sort is not None:
        raise NeedsValueError("it counts the eigenvalues that come first")
    if output not in ("real", "complex", "r", "c"):
        raise refused()
    one = Signature((order, order), complex_of(dtype) if output[0] == "c" else dtype)
    return one, one


def _hessenberg(promotion: PromotionTable, a: Any, calc_q: Any = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    order, dtype = square(promotion, a)
    if order <= 2:
        raise refused()
    one = Signature((order, order), dtype)
    return (one, one) if is_true(calc_q) else one


def _matrix_balance(
    promotion: PromotionTable, A: Any, permute: Any = True, scale: Any = True, separate: Any = False, overwrite_a: bool = False
) -> Any:
    order, dtype = square(promotion, A)
    balanced, scaling = Signature((order, order), dtype), real_of(double_dtype(promotion, dtype))
    if is_true(separate):
        return balanced, (Signature((order,), scaling), Signature((order,), promotion.default_index))
    return balanced, Signature((order, order), scaling)


def _ldl(
    promotion: PromotionTable, A: Any, lower: Any = True, hermitian: Any = True, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Signature, ...]:
    order, dtype = square(promotion, A)
    return Signature((order, order), dtype), Signature((order, order), dtype), Signature((order,), promotion.default_index)


RULES: Final[Mapping[str, Callable[..., Any]]] = {
    **dict.fromkeys(["cholesky", "coshm", "cosm", "sinhm", "sinm", "tanhm", "tanm"], _same),
    **dict.fromkeys(("fractional_matrix_power", "logm"), _of_complex_in_double),
    "det": _det,
    "expm": over_stacks(_same, (2,)),
    "expm_cond": _expm_cond,
    "expm_frechet": _expm_frechet,
    "funm": Dynamic("it calls a function of the caller's"),
    "hessenberg": _hessenberg,
    "ldl": _ldl,
    "matrix_balance": _matrix_balance,
    "norm": _norm,
    "schur": _schur,
    "signm": _of_complex,
    "sqrtm": _sqrtm,
}
