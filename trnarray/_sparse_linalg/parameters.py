"""What the parameters of functions of scipy.sparse.linalg mean that several chapters have."""

from __future__ import annotations

from typing import Final

__all__ = ["PARAMETERS"]

PARAMETERS: Final = {
    "A": "sparse array, array_like or LinearOperator: The square matrix.",
    "M": "sparse array, array_like or LinearOperator, optional: The preconditioner: an approximation of the inverse of `A`.",
    "atol": "float, optional: The absolute tolerance of the norm of the residual.",
    "b": "array_like: The right-hand side, of shape ``(n,)`` or ``(n, 1)``.",
    "callback": "callable, optional: Called with the solution so far after each step.",
    "maxiter": "int, optional: The largest number of steps, by default ten for each unknown.",
    "options": "dict, optional: Further options of the solver.",
    "rtol": "float, optional: The tolerance relative to the norm of `b`; the larger of both holds.",
    "show": "bool, optional: Whether to print each step.",
    "x0": "array_like or 'Mb', optional: Where to start; zero by default. 'Mb' is the preconditioned right-hand side.",
}
