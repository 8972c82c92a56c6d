"""Algebraic Riccati equations by doubling, of products and equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...limits import finfo
from ...rules import Signature
from .composition import Expression, Ops, expressed
from .matrices import Achieved, all_of
from .refinement import inf_norm

__all__ = ["FUNCTIONS"]

_TURNS: Final = 12
_REASON: Final = "doubling did not converge to a solution that is as accurate as the device's precision allows"


def _hermitian(x: Expression) -> Expression:
    return (x + x.adjoint()) * 0.5


def _of_pair(ops: Ops, matrix: Expression, first: Expression, second: Expression) -> tuple[Expression, Expression]:
    """Solve for two right-hand sides at once."""
    found = ops("linalg.solve", matrix, ops.concatenate([first, second]))
    return found[:, : first.shape[1]], found[:, first.shape[1] :]


def _doubled(ops: Ops, a: Expression, g: Expression, h: Expression) -> Expression:
    """
    Find X of ``X = A* X inv(I + G X) A + H``.

    As E. K.-W. Chu, H.-Y. Fan, W.-W. Lin and C.-S. Wang ("Structure-preserving algorithms for periodic discrete-time algebraic Riccati
    equations", Int. J. Control 77, 2004): after k turns what is left is a power of 2**k of the closed loop.
    """
    one = ops.unit_like(a)
    for _ in range(_TURNS):
        moved, weighed = _of_pair(ops, one + g @ h, a, g)
        h = _hermitian(h + a.adjoint() @ (h @ moved))
        g = _hermitian(g + a @ weighed @ a.adjoint())
        a = a @ moved
    return h


def _given(ops: Ops, result: Signature, a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> tuple[Expression, Expression, Expression]:
    """Give A, ``G = B inv(R) B*`` and Q, of ``E X E*`` and without the product of states and inputs."""
    state, inputs, cost, weight = (one.astype(result.dtype) for one in (a, b, q, r))
    if e is not None:
        state, inputs = _of_pair(ops, e.astype(result.dtype), state, inputs)
    if s is None:
        return state, _hermitian(inputs @ ops("linalg.solve", weight, inputs.adjoint())), cost
    cross = s.astype(result.dtype)
    weighed, turned = _of_pair(ops, weight, inputs.adjoint(), cross.adjoint())
    return state - inputs @ turned, _hermitian(inputs @ weighed), _hermitian(cost - cross @ turned)


def _achieved(ops: Ops, x: Expression, rest: Expression, scale: Expression, e: Any) -> Achieved:
    """Test the residual beside the terms that it is the sum of, and give ``inv(E)* X inv(E)``."""
    limit = scale * (64 * x.shape[-1] * float(finfo(x.dtype).eps))
    holds = all_of(inf_norm(rest) <= limit)
    if e is not None:
        turned = e.astype(x.dtype).adjoint()
        x = _hermitian(ops("linalg.solve", turned, ops("linalg.solve", turned, x).adjoint()))
    return Achieved(x.value, holds, _REASON)


def _discrete(
    ops: Ops, result: Signature, a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: Any = True
) -> Achieved:
    state, g, cost = _given(ops, result, a, b, q, r, e, s)
    x = _doubled(ops, state, g, cost)
    closed = ops("linalg.solve", ops.unit_like(x) + g @ x, state)
    grown = state.adjoint() @ (x @ closed)
    return _achieved(ops, x, grown + cost - x, inf_norm(grown) + inf_norm(cost) + inf_norm(x), e)


def _continuous(
    ops: Ops, result: Signature, a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: Any = True
) -> Achieved:
    """By Cayley's transform to a discrete equation: (A - c)^-1 (A + c), of a c as large as what the Hamiltonian matrix is made of."""
    state, g, cost = _given(ops, result, a, b, q, r, e, s)
    one, order = ops.unit_like(state), state.shape[0]
    sizes = [ops("linalg.norm", item) for item in (state, g, cost)]
    shift = ops("sqrt", (sizes[0] * sizes[0] + sizes[1] * sizes[2]) / order)
    moved = state - one * shift
    weighed, inverse = _of_pair(ops, moved, g, one.astype(result.dtype))
    other = ops("linalg.inv", moved.adjoint() + cost @ weighed)
    twice = shift * 2.0
    x = _doubled(ops, one + other.adjoint() * twice, _hermitian(weighed @ other) * twice, _hermitian(other @ cost @ inverse) * twice)
    along, across = x @ state, x @ (g @ x)
    return _achieved(ops, x, along + along.adjoint() - across + cost, inf_norm(along) * 2.0 + inf_norm(across) + inf_norm(cost), e)


_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {"solve_continuous_are": _continuous, "solve_discrete_are": _discrete}
FUNCTIONS: Final = {f"scipy.linalg.{name}": expressed(function) for name, function in _FUNCTIONS.items()}
"""Of all dtypes."""
