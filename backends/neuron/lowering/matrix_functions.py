"""Functions of matrices as products and equations: exponentials, and what is made of them; inverses of Hermitian matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import FLOAT32
from ...limits import finfo
from ...rules import Signature
from .composition import Expression, Ops, expressed
from .eigenvalues import mirrored
from .matrices import Achieved, all_of
from .op_calls import as_positions, call_several

__all__ = ["FUNCTIONS", "exponential", "one_norm"]

_MOST_SQUARINGS: Final = 8
_LARGE: Final = "matrices of a norm above 1000 have their exponentials computed on the host, which squares them more often"


def _of_pade(order: int) -> tuple[int, ...]:
    """Give the coefficients of the numerator of the diagonal approximant of exp, as integers, lowest first."""
    f = math.factorial
    return tuple(f(2 * order - k) // (f(k) * f(order - k)) for k in range(order + 1))


# Orders and the largest norms for which approximants are exact to rounding (N. J. Higham, "The scaling and squaring method for the matrix
# exponential revisited", SIAM J. Matrix Anal. Appl. 26, 2005).
_NARROW: Final = (7, 3.925724783138660)
_WIDE: Final = (13, 5.371920351148152)


def one_norm(x: Expression) -> Expression:
    """Compute norms in the 1-norm."""
    return abs(x).sum(-2).max(-1)


def exponential(ops: Ops, a: Expression) -> tuple[Expression, Expression]:
    """Compute exponentials by scaling and squaring, and tell where the norm is not too large for that."""
    order, most = _NARROW if a.real.dtype == FLOAT32 else _WIDE
    power = ops.exponents(one_norm(a) / most)
    times = ops("clip", power, 0, _MOST_SQUARINGS)
    x = ops.ldexp(a, -times[..., None, None])
    coefficients = [number / _of_pade(order)[0] for number in _of_pade(order)]
    one, square = ops.unit_like(a), x @ x
    powers = [one, square]
    while len(powers) <= min(order // 2, 3):
        powers.append(powers[-1] @ square)

    def series(terms: list[float]) -> Expression:
        if len(terms) > 4:  # those above the sixth power
            return powers[3] @ (series([0.0, *terms[4:]])) + series(terms[:4])
        total = powers[1] * terms[1]
        for place, term in enumerate(terms):
            if term and place != 1:
                total = total + powers[place] * term
        return total

    odd, even = x @ series(coefficients[1::2]), series(coefficients[0::2])
    found = ops("linalg.solve", even - odd, even + odd)
    for turn in range(_MOST_SQUARINGS):
        found = ops("where", (times > turn)[..., None, None], found @ found, found)
    return found, power <= _MOST_SQUARINGS


def _achieved(ops: Ops, result: Expression, holds: Expression) -> Achieved:
    return Achieved(result.value, all_of(holds), _LARGE)


def _expm(ops: Ops, result: Signature, a: Expression) -> Achieved:
    return _achieved(ops, *exponential(ops, a.astype(result.dtype)))


def _halves(ops: Ops, result: Signature, a: Expression, *, turned: bool) -> tuple[Expression, Expression, Expression]:
    """Compute half the sum and half the difference of exponentials of a matrix, or of i times it, and of the negative."""
    x = a.astype(result.dtype)
    if turned and not x.is_complex:  # parts of one exponential
        found, holds = exponential(ops, ops.complex(ops.zeros(x.shape, x.dtype), x))
        return found.real, found.imag, holds
    if turned:
        x = ops.complex(-x.imag, x.real)
    (first, one), (second, other) = exponential(ops, x), exponential(ops, -x)
    cosine, sine = (first + second) * 0.5, (first - second) * 0.5
    return cosine, ops.complex(sine.imag, -sine.real) if turned else sine, ops("logical_and", one, other)


def _function(*, turned: bool, kind: str) -> Callable[..., Achieved]:
    def run(ops: Ops, result: Signature, a: Expression) -> Achieved:
        cosine, sine, holds = _halves(ops, result, a, turned=turned)
        found = {"cosine": cosine, "sine": sine}.get(kind)
        return _achieved(ops, ops("linalg.solve", cosine, sine) if found is None else found + 0.0, holds)

    return run


def _expm_frechet(ops: Ops, results: Any, a: Expression, e: Expression, method: Any = None, compute_expm: Any = True) -> Any:
    """Take both from the exponential of [[A, E], [0, A]]."""
    dtype = (results if isinstance(results, Signature) else results[0]).dtype
    matrix, direction, order = a.astype(dtype), e.astype(dtype), a.shape[-1]
    below = ops.concatenate([ops.zeros(a.shape, dtype), matrix])
    found, holds = exponential(ops, ops.concatenate([ops.concatenate([matrix, direction]), below], -2))
    derivative = found[..., :order, order:] + 0.0
    if not compute_expm:
        return _achieved(ops, derivative, holds)
    return Achieved(((found[..., :order, :order] + 0.0).value, derivative.value), all_of(holds), _LARGE)


def _pinvh(ops: Ops, results: Any, a: Expression, atol: Any = None, rtol: Any = None, lower: Any = True, return_rank: Any = False) -> Any:
    inverse = results if isinstance(results, Signature) else results[0]
    matrix = Expression(ops, mirrored(ops.builder, a.value, "L" if lower else "U"))
    values, vectors = (Expression(ops, part) for part in call_several(ops.builder, "linalg.eigh", matrix.astype(inverse.dtype).value))
    part = a.shape[-1] * float(finfo(inverse.dtype).eps) if rtol is None else float(rtol)
    above = abs(values) > abs(values).max(-1, keepdims=True) * part + (atol or 0.0)
    inverted = ops("where", above, 1.0 / ops("where", above, values, 1.0), 0.0).astype(values.dtype)
    found = (vectors * inverted[..., None, :]) @ vectors.adjoint()
    if not return_rank:
        return found
    return found, Expression(ops, as_positions(ops.builder, ops("count_nonzero", above, -1).value))


def _procrustes(ops: Ops, results: Any, a: Expression, b: Expression) -> tuple[Expression, Expression]:
    dtype = results[0].dtype
    first, second = a.astype(dtype), b.astype(dtype)
    u, s, vh = (Expression(ops, part) for part in call_several(ops.builder, "linalg.svd", (first.adjoint() @ second).value))
    return u @ vh, s.sum(-1).astype(results[1].dtype)


_KINDS: Final = {"cosm": (True, "cosine"), "sinm": (True, "sine"), "tanm": (True, ""), "coshm": (False, "cosine"), "sinhm": (False, "sine"),
                 "tanhm": (False, "")}  # fmt: skip
_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "expm": _expm,
    "expm_frechet": _expm_frechet,
    "orthogonal_procrustes": _procrustes,
    "pinvh": _pinvh,
    **{name: _function(turned=turned, kind=kind) for name, (turned, kind) in _KINDS.items()},
}
FUNCTIONS: Final = {f"scipy.linalg.{name}": expressed(function) for name, function in _FUNCTIONS.items()}
"""Of all dtypes."""
