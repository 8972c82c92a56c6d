"""Equations of Sylvester and Lyapunov: small ones as equations for all elements, larger ones by iterations of inverses and products."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import is_double
from ...limits import finfo
from ...rules import Signature
from . import NotNativeError
from .composition import Expression, Ops, expressed
from .matrices import Achieved, all_of
from .refinement import MOST_ROWS, inf_norm, inverted, transposed

__all__ = ["FUNCTIONS"]

_MOST_UNKNOWNS: Final = 1024
"""Of equations that are solved for all elements at once."""
_TURNS: Final = 13
_SCALED: Final = 10  # of them, before convergence is quadratic
_POWERS: Final = 14
_APART: Final = "no line parallel to the imaginary axis was found between the eigenvalues of the matrices, as the device needs it"
_INSIDE: Final = "the powers of the matrix do not vanish, as the device needs it"


def _of_columns(ops: Ops, matrix: Expression, q: Expression) -> Expression:
    """Solve equations for the elements of a matrix, row by row."""
    return ops("linalg.solve", matrix, q.reshape(q.size)).reshape(*q.shape)


def _is_small(q: Expression) -> bool:
    if q.ndim != 2 or max(q.shape) > MOST_ROWS:
        raise NotNativeError(f"equations between stacks of matrices, and matrices of more than {MOST_ROWS} rows, are solved on the host")
    return q.size <= _MOST_UNKNOWNS


def _refined(ops: Ops, q: Expression, solve: Callable[[Expression], Expression], applied: Callable[[Expression], Expression]) -> Expression:
    """Solve in float32, and correct that by solutions for what is left."""
    found = None
    for _ in range(4 if is_double(q.dtype) else 2):
        rest = q if found is None else q - applied(found)
        power = ops.exponents(abs(rest).max((-2, -1)))
        step = ops.ldexp(solve(ops.ldexp(rest, -power).astype(q.narrow_dtype)).astype(q.dtype), power)
        found = step if found is None else found + step
    assert found is not None
    return found


def _achieved(x: Expression, rest: Expression, scale: Expression, reason: str) -> Achieved:
    """Test the residual beside the terms that it is the sum of."""
    limit = scale * (4 * sum(x.shape) * float(finfo(x.dtype).eps))
    return Achieved(x.value, all_of(inf_norm(rest) <= limit), reason)


def _by_signs(ops: Ops, a: Expression, b: Expression | None, q: Expression) -> Achieved:
    """
    Solve A X + X B = Q, of B = A* if none is given, by the sign of [[A, Q], [0, -B]].

    Newton's iteration (J. D. Roberts, "Linear model reduction and solution of the algebraic Riccati equation by use of the sign function",
    Int. J. Control 32, 1980) takes eigenvalues of A and B to 1 that are right of the imaginary axis. Those on the left change their sign,
    and a multiple of the unit matrix is moved from B to A, so that both have the same mean. Inverses of float32 are the same for each Q.
    """
    power = ops.exponents(abs(a).max((-2, -1)) if b is None else ops("maximum", abs(a).max((-2, -1)), abs(b).max((-2, -1))))
    left = ops.ldexp(a, -power).astype(a.narrow_dtype)
    center = ops("linalg.trace", left).real / (1.0 * a.shape[-1])
    right, moved = None, center
    if b is not None:
        right = ops.ldexp(b, -power).astype(a.narrow_dtype)
        other = ops("linalg.trace", right).real / (1.0 * b.shape[-1])
        shift, moved = (other - center) * 0.5, (other + center) * 0.5
        left, right = left + ops.unit_like(left) * shift, right - ops.unit_like(right) * shift
    sign = ops("where", moved < 0.0, -1.0, 1.0)
    pair = [part * sign for part in (left, right) if part is not None]
    steps = list[tuple[list[Expression], Expression | None]]()
    for turn in range(_TURNS):
        inverses, scale = [inverted(ops, part)[0] for part in pair], None
        if turn < _SCALED:
            sizes = [ops("linalg.norm", ops("stack", [ops("linalg.norm", part) for part in parts])) for parts in (pair, inverses)]
            scale = ops("sqrt", sizes[1] / sizes[0])
        steps.append((inverses, scale))
        pair = [_mean(part, inverse, scale) for part, inverse in zip(pair, inverses, strict=True)]

    def solve(rest: Expression) -> Expression:
        found = rest * sign
        for inverses, scale in steps:
            found = _mean(found, inverses[0] @ found @ (inverses[1] if b is not None else inverses[0].adjoint()), scale)
        return ops.ldexp(found * 0.5, -power)

    def applied(x: Expression) -> Expression:
        return a @ x + x @ (a.adjoint() if b is None else b)

    x = _refined(ops, q, solve, applied)
    both = inf_norm(a) + inf_norm(transposed(a) if b is None else b)
    return _achieved(x, q - applied(x), both * inf_norm(x) + inf_norm(q), _APART)


def _mean(x: Expression, other: Expression, scale: Expression | None) -> Expression:
    return (x + other) * 0.5 if scale is None else (x * scale + other / scale) * 0.5


def _sylvester(ops: Ops, result: Signature, a: Expression, b: Expression, q: Expression) -> Any:
    """Solve A X + X B = Q: of the rows of X, beside each other, the matrix is that of Kronecker's products with unit matrices."""
    left, right, sides = (one.astype(result.dtype) for one in (a, b, q))
    if not _is_small(q):
        return _by_signs(ops, left, right, sides)
    return _of_columns(ops, ops("kron", left, ops.unit_like(right)) + ops("kron", ops.unit_like(left), transposed(right)), sides)


def _continuous_lyapunov(ops: Ops, result: Signature, a: Expression, q: Expression) -> Any:
    if _is_small(q):
        return _sylvester(ops, result, a, a.adjoint(), q)
    return _by_signs(ops, a.astype(result.dtype), None, q.astype(result.dtype))


def _discrete_lyapunov(ops: Ops, result: Signature, a: Expression, q: Expression, method: Any = None) -> Any:
    """Solve X - A X A* = Q: X is the sum of A**k Q A***k, of which each step doubles the number (R. A. Smith, 1968)."""
    matrix, sides = a.astype(result.dtype), q.astype(result.dtype)
    if _is_small(q):
        product = ops("kron", matrix, matrix.conj())
        return _of_columns(ops, ops.unit_like(product) - product, sides)
    powers = [matrix.astype(matrix.narrow_dtype)]
    for _ in range(_POWERS):
        powers.append(powers[-1] @ powers[-1])

    def solve(rest: Expression) -> Expression:
        for one in powers:
            rest = rest + one @ rest @ one.adjoint()
        return rest

    def moved(x: Expression) -> Expression:
        return matrix @ x @ matrix.adjoint()

    x = _refined(ops, sides, solve, lambda x: x - moved(x))
    scale = (inf_norm(matrix) * inf_norm(transposed(matrix)) + 1.0) * inf_norm(x) + inf_norm(sides)
    return _achieved(x, sides + moved(x) - x, scale, _INSIDE)


_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "solve_continuous_lyapunov": _continuous_lyapunov,
    "solve_discrete_lyapunov": _discrete_lyapunov,
    "solve_sylvester": _sylvester,
}
FUNCTIONS: Final = {f"scipy.linalg.{name}": expressed(function) for name, function in _FUNCTIONS.items()}
"""Of all dtypes."""
