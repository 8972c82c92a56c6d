"""The exponential of a matrix times a vector or a matrix on devices: a Taylor series, whose terms are turns of one loop."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from .._array import Array
from .._operand import as_operand
from .._sparse.base import common_device, is_sparse
from ..array_conversion import asarray
from ..backends.device import CPU
from ..creation_functions import eye
from ..data_type_functions import finfo, result_type
from ..elementwise_functions import maximum
from ..joining_functions import stack
from ..searching_functions import where
from .device_iteration import run_turns
from .linear_operator import LinearOperator
from .matrix_operator import DEVICE_DTYPES, single_operator

__all__ = ["multiply_by_exponential"]

_REACH: Final = 4.0  # of the norm of what a series is of: its terms grow to 10, and rounding by as much
_MOST: Final = 60  # terms, of which float64 takes 33
_DENSE: Final = 1024  # rows of operators whose norm is that of their matrix


def multiply_by_exponential(
    A: Any, B: Any, start: float | None, stop: float | None, num: int | None, endpoint: bool | None, trace: Any
) -> Array | None:
    """
    Multiply by ``exp(t A)``, for t = 1 or times at equal distances; nothing where no device computes it.

    Notes
    -----
    The method is that of A. H. Al-Mohy and N. J. Higham, "Computing the action of the matrix exponential, with an application to
    exponential integrators", SIAM Journal on Scientific Computing 33, 2011, with stages of one length: ``exp(A / s)`` is applied `s`
    times, as a Taylor series of ``A - mu`` which ends where two terms are less than the rounding of their sum. `mu` is the mean of the
    diagonal.
    """
    device = common_device((A, B))
    if device is None or device is CPU:
        return None
    operator, right = single_operator(A, "expm_multiply", A, B), as_operand(B, A)
    rows, columns = operator.shape
    if operator.dtype is None or rows != columns or right.ndim not in (1, 2) or len(right) != rows or not right.size:
        return None
    dtype = result_type(operator.dtype, right.dtype)
    if dtype not in DEVICE_DTYPES or any(isinstance(value, complex) for value in (start, stop)):
        return None
    known = _trace_and_norm(operator, trace)
    if known is None or not math.isfinite(known[1]):
        return None
    right = right.astype(dtype, copy=False)
    if start is None and stop is None and num is None and endpoint is None:
        return _advance(operator, right, 1.0, *known)
    first, last, count = 0.0 if start is None else start, 1.0 if stop is None else stop, 50 if num is None else num
    times, step = np.linspace(first, last, count, endpoint=endpoint is not False, retstep=True)
    found = []
    for number, time in enumerate(times):
        right = _advance(operator, right, float(step if number else time), *known)
        found.append(right)
    return stack(found) if found else None


def _trace_and_norm(operator: LinearOperator, trace: Any) -> tuple[complex, float] | None:
    """Give the mean of the diagonal, and the 1-norm of what is left of the matrix without it."""
    n = operator.shape[0]
    matrix: Any = operator.args[0] if getattr(operator, "args", ()) else None
    if not is_sparse(matrix) and not isinstance(matrix, Array):
        if n > _DENSE:
            return None
        device = common_device((operator, trace))
        if device is None:
            return None
        matrix = operator.matmat(eye(n, dtype=operator.dtype, device=device))
    diagonal = matrix.diagonal()
    mean = complex(diagonal.sum()) / n
    shift: Any = mean if diagonal.dtype.kind == "c" else mean.real
    return mean, float((abs(matrix).sum(axis=0) - abs(diagonal) + abs(diagonal - shift)).max())


def _advance(operator: LinearOperator, right: Array, time: float, mean: complex, norm: float) -> Array:
    """Multiply by ``exp(time A)``."""
    if not norm:
        scaled: Array = right * _scalar(np.exp(time * mean), right)
        return scaled
    stages = max(1, math.ceil(abs(time) * norm / _REACH))
    real, eps = right.real if right.dtype.kind == "c" else right, float(finfo(right.dtype).eps) / 2

    def number(value: complex, like: Array) -> Array:
        return asarray(value if like.dtype.kind == "c" else value.real, dtype=like.dtype, device=like.device)

    state = {"term": right, "total": right, "left": number(complex(stages), real), "order": number(1 + 0j, real)}
    state |= {"size": abs(right).max(), "step": number(complex(time / stages), right), "shift": number(mean, right)}
    state |= {"eta": number(complex(np.exp(time * mean / stages)), right)}

    def turn(s: dict[str, Any]) -> dict[str, Any]:
        product = operator.matvec(s["term"]) if s["term"].ndim == 1 else operator.matmat(s["term"])
        term = (product - s["shift"] * s["term"]) * (s["step"] / s["order"])
        total = s["total"] + term
        size = abs(term).max()
        end = (s["size"] + size <= eps * abs(total).max()) | (s["order"] >= _MOST)
        following: Any = where(end, s["eta"] * total, total)
        new = s | {"total": following, "term": where(end, following, term), "order": where(end, 1.0, s["order"] + 1)}
        largest = maximum(size, where(end, abs(following).max(), 0.0))
        return new | {"left": s["left"] - end, "size": largest.astype(s["size"].dtype)}

    result: Array = run_turns(lambda s: s["left"] > 0, turn, state)["total"]
    return result


def _scalar(value: complex, like: Array) -> Any:
    return value if like.dtype.kind == "c" else value.real
