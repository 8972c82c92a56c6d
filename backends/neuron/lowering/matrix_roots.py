"""Roots, logarithms, signs and powers of matrices, by loops of inverses and products, whose results are tested; the test is fetched."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32, INT32, is_double
from ...limits import finfo
from ...rules import Signature, double_dtype
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .composition import Expression, Ops
from .matrix_functions import exponential, one_norm
from .op_calls import call
from .refinement import inverted
from .wide_equations import any_solved

__all__ = ["DYNAMIC"]

_ITERATIONS: Final = 10
_SCALED: Final = 7  # of the iterations, before convergence is quadratic
_LEVELS: Final = 4  # of roots, before a logarithm
_NEAR: Final = 0.3
"""How far from the unit matrix is a matrix of which no further root is taken."""
_SIGN_TURNS: Final = 14
_ROOTS: Final = "square roots that are complex, or of matrices that are nearly singular, are computed on the host"
_LOGARITHMS: Final = "logarithms of nearly singular matrices, or with eigenvalues near the negative real axis, are computed on the host"
_SIGNS: Final = "signs of matrices with eigenvalues near the imaginary axis are computed on the host"


def _inverse(ops: Ops, a: Expression) -> Expression:
    """Invert, without a test: what is made of inverses is tested."""
    if is_double(a.dtype):
        return Expression(ops, any_solved(ops.builder, a.value, None, Signature(a.shape, a.dtype))[0].value)
    return inverted(ops, a)[0]


def _scale(ops: Ops, x: Expression, inverse: Expression) -> Expression:
    """Find the factor by which a matrix and its inverse become equally large."""
    size, other = (ops("linalg.norm", item, None, (-2, -1)) for item in (x, inverse))
    return ops("sqrt", other / size)


def _roots(ops: Ops, a: Expression, levels: int = 1) -> tuple[Expression, Expression]:
    """
    Take a square root, or again and again until the unit matrix is near, and count.

    Iterates as E. D. Denman and A. N. Beavers do (products: N. J. Higham, "Functions of Matrices", 2008).
    """
    one = ops.unit_like(a)

    def turn(number: Expression, root: Expression, rest: Expression, count: Expression, going: Expression) -> list[Expression]:
        step = ops("remainder", number.astype(FLOAT32), 1.0 * _ITERATIONS)
        fresh = step == 0.0
        if levels > 1:
            going = ops("where", fresh, (one_norm(root - one) > _NEAR).astype(FLOAT32), going)
        rest = ops("where", fresh, root, rest)
        inverse = _inverse(ops, rest)
        scale = ops("where", step < 1.0 * _SCALED, _scale(ops, rest, inverse), 1.0)[..., None, None]
        inverse = inverse / scale
        following = ((root * ops("sqrt", scale)) @ (inverse + one)) * 0.5
        return [
            ops("where", going[..., None, None] > 0.0, following, root).astype(a.dtype),
            ((rest * scale + inverse) * 0.25 + one * 0.5).astype(a.dtype),
            count + ops("where", fresh, going, 0.0),
            going,
        ]

    stack = a.shape[:-2]
    start = [a, a, ops.zeros(stack, FLOAT32), ops("full", stack, 1.0, FLOAT32)]
    root, _, count, _ = ops.loop(turn, start, levels * _ITERATIONS)
    return root, count


def _logarithm(ops: Ops, a: Expression) -> Expression:
    """Integrate inv(I + t E) E over t, of E = root - I, by Gauss's formula, and double that as often as a root was taken."""
    root, count = _roots(ops, a, _LEVELS)
    one = ops.unit_like(a)
    rest = root - one
    number = 16 if is_double(a.dtype) else 8
    rule = np.polynomial.legendre.leggauss
    nodes = ops.beside(a, ("Gauss's nodes", number), lambda: (rule(number)[0] + 1) / 2)
    weights = ops.beside(a, ("Gauss's weights", number), lambda: rule(number)[1] / 2)

    def turn(k: Expression, total: Expression) -> list[Expression]:
        inverse = _inverse(ops, one + rest * ops("take", nodes, k))
        return [total + (rest @ inverse) * ops("take", weights, k)]

    (total,) = ops.loop(turn, [ops.zeros(a.shape, a.dtype)], number)
    return ops.ldexp(total, count.astype(INT32)[..., None, None])


def _fetched(ops: Ops, holds: Expression, reason: str) -> None:
    if not bool(ops.builder.on_host(ops("all", holds, None).value)):
        raise NotNativeError(reason)


def _matrix(builder: Builder, a: Any, *, double: bool = False) -> Expression:
    ops = Ops(builder)
    matrix = ops.floats(Expression(ops, builder.array(a)), wide=True)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or not matrix.size:
        raise NotNativeError("what is no stack of square matrices is refused on the host")
    return matrix.astype(double_dtype(builder.promotion, matrix.dtype)) if double else matrix


def _eps(x: Expression) -> float:
    return x.shape[-1] * float(finfo(x.dtype).eps)


def _sqrtm(builder: Builder, a: Any) -> Value:
    ops, matrix = Ops(builder), _matrix(builder, a)
    root, _ = _roots(ops, matrix)
    size = one_norm(root)
    _fetched(ops, abs(root @ root - matrix).max((-2, -1)) <= size * size * (4 * _eps(matrix)), _ROOTS)
    return root.value


def _logm(builder: Builder, A: Any) -> Value:
    ops, matrix = Ops(builder), _matrix(builder, A, double=True)
    found = _logarithm(ops, matrix)
    again, holds = exponential(ops, found)
    limit = ops("maximum", one_norm(found), 1.0) * one_norm(matrix) * (16 * _eps(matrix))
    _fetched(ops, ops("logical_and", holds, one_norm(again - matrix) <= limit), _LOGARITHMS)
    return found.value


def _signm(builder: Builder, A: Any) -> Value:
    """Iterate as Newton does for the root of S S = I."""
    ops, matrix = Ops(builder), _matrix(builder, A)

    def turn(number: Expression, sign: Expression) -> list[Expression]:
        inverse = _inverse(ops, sign)
        scale = ops("where", number < _SIGN_TURNS - 4, _scale(ops, sign, inverse), 1.0)[..., None, None]
        return [((sign * scale + inverse / scale) * 0.5).astype(matrix.dtype)]

    (sign,) = ops.loop(turn, [matrix], _SIGN_TURNS)
    size = one_norm(sign)
    squared = one_norm(sign @ sign - ops.unit_like(sign)) <= size * size * (4 * _eps(matrix))
    commuting = one_norm(sign @ matrix - matrix @ sign) <= size * size * one_norm(matrix) * (4 * _eps(matrix))
    _fetched(ops, ops("logical_and", squared, commuting), _SIGNS)
    return sign.value


def _fractional_power(builder: Builder, A: Any, t: Any) -> Value:
    """Multiply a whole power and the exponential of a part of the logarithm."""
    if not isinstance(t, (int, float)) or not abs(t) <= 2**10:
        raise NotNativeError("powers that are no number, or a large one, are computed on the host")
    ops, whole = Ops(builder), round(t)
    matrix = _matrix(builder, A, double=whole != t)
    power = ops("linalg.matrix_power", matrix, whole)
    if whole == t:
        return power.value
    part, _ = exponential(ops, Expression(ops, call(builder, "scipy.linalg.logm", matrix.value)) * (t - whole))
    return (part @ power).value


DYNAMIC: Final[Lowerings] = {
    "scipy.linalg.fractional_matrix_power": _fractional_power,
    "scipy.linalg.logm": _logm,
    "scipy.linalg.signm": _signm,
    "scipy.linalg.sqrtm": _sqrtm,
}
"""Whether results of real matrices are real depends on the elements."""
