"""
Solutions of linear equations with bounds of their errors, which hold whatever the matrix is.

With M near the inverse of A, and E = I - M A of a norm below 1, errors of x are at most ``max |M (b - A x)| / (1 - |E|)``, norms being
the largest sum of magnitudes of a row (S. M. Rump, "Verification methods: rigorous results using floating-point arithmetic", Acta Numerica
19, 2010, section 10). All that is added up here is computed in float64, and what is lost there is added, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from .._apply import apply
from .._array import Array
from ..backends.device import CPU
from ..backends.dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, is_double
from ..backends.ops import linalg as ops
from ..backends.precision import Accuracy, Precision, PrecisionError
from ..backends.settings import config
from ..creation_functions import eye
from ..data_type_functions import result_type
from ..searching_functions import where
from ..utility_functions import all as all_hold

__all__ = ["solved"]

_RUNGS: Final[tuple[Precision, ...]] = ("float32", "float32-exact", "float64")
"""As float32 is solved; by corrections of that, rounded once; in float64, rounded once."""
_STEPS: Final = 3
_TINY: Final = 2.0**-1020  # above what products and sums lose below the normal range
_MORE: Final = 1 + 2.0**-30  # of sums of magnitudes, which are rounded
_LOST: Final = 2.0**-52


class _System:
    """
    Equations in float64 or complex128, and what their solutions are checked with.

    Parameters
    ----------
    a, b : Array
        The matrices, and matrices of right-hand sides.
    inverse : Array
        An approximate one.
    """

    def __init__(self, a: Array, b: Array, inverse: Array) -> None:
        self.a, self.b, self.inverse = a, b, inverse
        order = a.shape[-1]
        self.lost = _LOST * (order + 4 if a.device == CPU else 8 if a.dtype == COMPLEX128 else 1)
        """The most that an element of a product errs by, relative to the product of magnitudes."""
        self.sizes, self.inverse_sizes = abs(a), abs(inverse)
        rest = eye(order, dtype=a.dtype, device=a.device) - inverse @ a
        terms = self.inverse_sizes @ self.sizes.sum(axis=-1)[..., None]
        self.apart = ((abs(rest).sum(axis=-1) + terms[..., 0] * self.lost).max(axis=-1) + order * _TINY) * _MORE
        """At least the norm of E."""
        self.condition = self.sizes.sum(axis=-1).max(axis=-1) * self.inverse_sizes.sum(axis=-1).max(axis=-1)

    def refined(self) -> Array:
        """Solve by the inverse, and correct that."""
        x: Array = self.inverse @ self.b
        for _ in range(_STEPS):
            x = x + self.inverse @ (self.b - self.a @ x)
        return x

    def bound(self, x: Array) -> Array:
        """Bound the errors of solutions, relative to the largest element; of each matrix, the largest one of its columns."""
        rest = self.b - self.a @ x
        terms = self.sizes @ abs(x) * (self.lost * _MORE) + abs(rest) * _LOST + _TINY
        errors = abs(self.inverse @ rest) + self.inverse_sizes @ (terms + abs(rest) * self.lost) + _TINY
        near: Any = self.apart < 1.0
        left: Any = where(near, 1.0 - self.apart, 1.0)
        error = errors.max(axis=-2) * _MORE / left[..., None] * _MORE
        size = abs(x).max(axis=-2)
        known = near[..., None] & (error < size)
        nothing = near[..., None] & (size == 0.0) & (abs(self.b).max(axis=-2) == 0.0)
        found: Any = where(known, error / where(known, size - error, 1.0) * _MORE, where(nothing, 0.0, np.inf))
        largest: Array = found.max(axis=-1)
        return largest


def _attempts(a: Array, b: Array, rungs: tuple[Precision, ...]) -> Iterator[tuple[Array, Accuracy]]:
    """Solve by one rung after the other."""
    dtype = result_type(a, b)
    wide = COMPLEX128 if dtype.kind == "c" else FLOAT64
    matrix, sides = a.astype(wide), (b if b.ndim > 1 else b[:, None]).astype(wide)
    near: _System | None = None
    for rung in rungs:
        exact = rung == "float64"
        if exact or near is None:
            near = _System(matrix, sides, apply(ops.inv, matrix if exact else a.astype(dtype)).astype(wide))
        if rung == "float32-exact":
            refined = near.refined()
            x = refined if b.ndim > 1 else refined[..., 0]
        else:
            x = apply(ops.solve, *((matrix, b.astype(wide)) if exact else (a.astype(dtype), b.astype(dtype))))
        x = x.astype(dtype)
        bound = near.bound((x if b.ndim > 1 else x[..., None]).astype(wide))
        yield x, Accuracy(rung, bound, iterations=_STEPS if rung == "float32-exact" else 0, condition=near.condition)


def solved(
    a: Array, b: Array, precision: Precision | None, target: float | None
) -> tuple[Array, Accuracy]:
    """Solve by the cheapest rung whose bound meets a target, which is looked at, or by that of a precision."""
    dtype = result_type(a, b)
    if dtype not in (FLOAT32, COMPLEX64, FLOAT64, COMPLEX128):
        raise TypeError(f"precision is chosen for equations of float32, complex64, float64 and complex128, not of {dtype}")
    least: Precision = "float64" if is_double(dtype) else precision if precision in _RUNGS else "float32"
    if 0 in a.shape or 0 in b.shape:
        return apply(ops.solve, a, b), Accuracy(least, 0.0)
    rungs = _RUNGS[_RUNGS.index(least) :]
    with config(precision=None, target_forward_error=None), np.errstate(all="ignore"):
        attempts = _attempts(a, b, rungs)
        if target is None:
            return next(attempts)
        best, condition = np.inf, np.inf
        for x, accuracy in attempts:
            if bool(all_hold(accuracy.bound <= target)):
                return x, accuracy
            reached = float(accuracy.bound.max())
            if reached < best:
                best, condition = reached, float(accuracy.condition.max())
    remedy = "compute with more digits on the host" if is_double(dtype) else "give float64 operands"
    raise PrecisionError(
        f"solutions of {dtype} err by up to {best:.2g} of the largest element, not {target:.2g}, at condition number {condition:.2g}; "
        f"{remedy}"
    )
