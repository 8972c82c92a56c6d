"""What the parameters of the functions of scipy.linalg mean that several chapters have."""

from __future__ import annotations

from typing import Final

__all__ = ["PARAMETERS"]

_DRIVER: Final = "str, optional: The routine of LAPACK."
_OVERWRITE: Final = "bool, optional: Whether SciPy may use the memory of the operand, whose elements are then undefined."
_THRESHOLD: Final = "float, optional: The relative size below which singular values count as zero."

PARAMETERS: Final[dict[str, str]] = {
    "A": "array_like: The square matrix; further axes in front are stacks of matrices where SciPy takes them.",
    "a": "array_like: The matrix; further axes in front are stacks of matrices where SciPy takes them.",
    "ab": "array_like: The diagonals of the matrix, in rows.",
    "assume_a": "str, optional: The structure of the matrix; None looks for it.",
    "atol": "float, optional: The absolute tolerance.",
    "B": "array_like: The second matrix.",
    "b": "array_like: The right-hand side, one or several in columns.",
    "c": "array_like: The first column.",
    "check_finite": "bool, optional: Whether to look for infinities and NaN, which raise ValueError.",
    "cond": _THRESHOLD,
    "driver": _DRIVER,
    "lapack_driver": _DRIVER,
    "lower": "bool, optional: Whether the lower triangle is meant.",
    "lwork": "int, optional: The length of the work array of LAPACK; found by itself.",
    "method": "str, optional: How to compute it.",
    "mode": "str, optional: What to return or to compute, as in SciPy.",
    "overwrite_a": _OVERWRITE,
    "overwrite_a_band": _OVERWRITE,
    "overwrite_ab": _OVERWRITE,
    "overwrite_b": _OVERWRITE,
    "overwrite_c": _OVERWRITE,
    "overwrite_qr": _OVERWRITE,
    "overwrite_qru": _OVERWRITE,
    "overwrite_qruv": _OVERWRITE,
    "rcond": _THRESHOLD,
    "rtol": "float, optional: The relative tolerance.",
    "separate": "bool, optional: Whether to return the parts separately.",
    "tol": "float, optional: The tolerance.",
    "trans": "{0, 1, 2}, optional: Whether the matrix itself, its transpose or its adjoint is meant.",
}
