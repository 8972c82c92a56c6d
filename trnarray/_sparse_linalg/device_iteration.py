"""Iterative methods as programs: a loop on the device in single precision, and residuals in double precision now and then."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from .._array import Array
from ..array_conversion import asarray
from ..backends.device import CPU
from ..backends.dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType
from ..backends.policy import LoopError
from ..creation_functions import zeros_like
from ..linear_algebra_functions import vdot
from ..loops import while_loop
from ..searching_functions import where
from .linear_operator import LinearOperator
from .matrix_operator import narrowed
from .system import WIDE, System, magnitude, same

__all__ = [
    "EVERY", "MOST_TURNS", "Method", "Products", "iterate", "narrow_product", "one_of", "recurrence", "run_turns", "safe_quotient",
    "squared_norm",
]  # fmt: skip

MOST_TURNS: Final = 1 << 24
"""Turns that float32 counts."""
EVERY: Final = 64
"""Turns of a launch."""

_NARROW: Final[dict[DType, DType]] = {FLOAT32: FLOAT32, FLOAT64: FLOAT32, COMPLEX64: COMPLEX64, COMPLEX128: COMPLEX64}
_REDUCTION: Final = 1e-3  # of the residual, after which it is computed anew
_STALLS: Final = 3  # of these, one after the other, that do not halve it
_DIVERGED: Final = 1e8
_LEAST: Final = 2.0**-40  # of the right-hand side: a residual near what float64 makes of it


class Products(NamedTuple):
    """
    What a turn multiplies vectors by, in single precision.

    Attributes
    ----------
    matvec, rmatvec : callable
        The matrix, and its adjoint.
    psolve, rpsolve : callable
        The preconditioner, and its adjoint.
    """

    matvec: Callable[[Any], Any]
    rmatvec: Callable[[Any], Any]
    psolve: Callable[[Any], Any]
    rpsolve: Callable[[Any], Any]


class Method(NamedTuple):
    """
    A method on a device.

    Attributes
    ----------
    begin : callable
        ``begin(products, r)`` gives what the method keeps from turn to turn, as a tuple, for the first residual.
    advance : callable
        ``advance(products, r, kept, most, bound)`` takes at most so many steps from a residual. It gives what they add to the
        solution, the residual then, what is kept, the number of steps, whether the method broke down, and whether the residual's norm is
        at most `bound`, or does not get smaller, by what the method knows of it.
    restarts : bool
        Whether the method begins anew with each residual that is computed, as its turns do not depend on the one they are given.
    """

    begin: Callable[[Products, Array], tuple[Any, ...]]
    advance: Callable[..., tuple[Array, Array, tuple[Any, ...], int, bool, bool]]
    restarts: bool = False


def recurrence(
    begin: Callable[[Products, Array], tuple[Any, ...]], turn: Callable[..., tuple[Any, Any, tuple[Any, ...], Any]], restarts: bool = False
) -> Method:
    """
    Make a method of its turn, which a loop of the device runs.

    ``turn(products, x, r, kept, square)`` gives the next solution, its residual, what is kept, and whether the method broke down; the
    squared norm of the residual is given.
    """
    return Method(begin, partial(_loop, turn), restarts)


def one_of(r: Array) -> Any:
    """Give 1 where a vector is, and in the dtype of its products."""
    return zeros_like(vdot(r, r)) + 1


def squared_norm(r: Any) -> Any:
    """Compute the squared norm of a vector, which stays on the device."""
    return vdot(r, r).real


def safe_quotient(a: Any, b: Any) -> tuple[Any, Any]:
    """Divide, and tell whether that failed: where the divisor is 0 or the quotient no number, which is 0 then."""
    quotient = a / where(b == 0, 1.0, b)
    failed = (b == 0) | ~(abs(quotient) < math.inf)
    return where(failed, 0.0, quotient), failed


def run_turns(condition: Callable[[Any], Any], turn: Callable[[Any], Any], state: Any, observe: Callable[[Any], Any] | None = None) -> Any:
    """Compute turns as long as a condition holds: as programs, or one by one, for those who observe them or where a turn needs the host."""
    if observe is None:
        try:
            return while_loop(condition, turn, state, every=EVERY)
        except LoopError:
            pass
    while bool(condition(state)):
        state = turn(state)
        if observe is not None:
            observe(state)
    return state


def iterate(system: System, method: Method, callback: Callable[[Array], Any] | None = None) -> tuple[Array, int] | None:
    """
    Solve a system, if its device computes the method's turns; None where it does not. With a callback a launch is one turn.

    Notes
    -----
    Steps are in float32, from a residual that is scaled by a power of two so that squares neither overflow nor vanish. Whenever the
    residual of the recurrence has fallen by 0.001, the solution so far is added up in float64, and the residual computed anew from that,
    after which the method goes on in its direction: "reliable updates" (G. L. G. Sleijpen and H. A. van der Vorst, "Reliable updated
    residuals in hybrid Bi-CG methods", Computing 56, 1996). Success means that the residual in float64 of the solution that is returned, in
    the dtype in which it is, meets the tolerance; an operator of functions computes its residuals itself. Without success the solution is
    the best one of those whose residuals were computed.
    """
    dtype = system.b.dtype
    if system.b.device is CPU or dtype not in _NARROW:
        return None
    inner, refines = narrowed(system.A, _NARROW[dtype])
    if inner is None:
        return None
    wide = WIDE[dtype] if refines else dtype
    right = system.b.astype(wide)
    total, residual, norm = system.x.astype(wide), right, system.bnorm
    if system.r is not system.b:
        residual = right - system.A.matvec(total)
        norm = magnitude(residual)
    if norm <= system.atol:
        return system.x, 0
    if math.isnan(norm):
        return system.x + norm, max(system.maxiter, 1)
    if norm == math.inf:
        return None
    scale = 2.0 ** -round(math.log2(norm))
    r = (residual * scale).astype(_NARROW[dtype])
    solves = [narrow_product(product, _NARROW[dtype]) for product in (system.psolve, system.rpsolve)]
    products = Products(inner.matvec, inner.rmatvec, *solves)
    kept, count, stalls, first = method.begin(products, r), 0, 0, norm
    best = norm, total
    while True:
        bound = max(system.atol / 2 if refines else system.atol, _REDUCTION * norm) * scale
        try:
            most = system.maxiter if callback is None else count + 1
            x, r, kept, turns, broken, small = method.advance(products, r, kept, most - count, bound)
        except LoopError:
            return None
        count += turns
        total = total + x.astype(wide) * (1 / scale)
        if callback is not None and turns:
            callback(total.astype(dtype))
        if turns and not (small or broken or count >= system.maxiter):
            continue
        residual = right - system.A.matvec(total)
        r = (residual * scale).astype(_NARROW[dtype])
        before, norm = norm, magnitude(residual + 0 * total)  # with all of this; NaN where the solution has other than numbers
        if norm <= system.atol:
            solution = total.astype(dtype)
            if dtype == wide or magnitude(right - system.A.matvec(solution.astype(wide))) <= system.atol:
                return solution, 0
        if norm < best[0]:
            best = norm, total
        stalls = stalls + 1 if not norm < before / 2 else 0
        failed = stalls >= _STALLS or not norm < _DIVERGED * first or (broken and not norm < first)
        failed = failed or (count >= system.maxiter and callback is None)
        if failed and dtype != _NARROW[dtype] and not norm <= _LEAST * system.bnorm:
            return None  # since the method may need more than float32
        if count >= system.maxiter or stalls >= _STALLS or not norm < _DIVERGED * first:
            return best[1].astype(dtype), max(count, 1)
        if broken or method.restarts:
            kept = method.begin(products, r)


def narrow_product(product: Callable[[Any], Any], dtype: DType) -> Callable[[Any], Any]:
    """Give a product with the preconditioner in single precision, which it need not have."""
    operator = getattr(product, "__self__", None)  # whose product it is
    if product is same:
        return same
    inner = narrowed(operator, dtype)[0] if isinstance(operator, LinearOperator) else None
    chosen = product if inner is None else getattr(inner, product.__name__)
    return lambda r: chosen(r).astype(dtype, copy=False)


def _loop(
    method_turn: Callable[..., tuple[Any, Any, tuple[Any, ...], Any]],
    products: Products,
    r: Array,
    kept: tuple[Any, ...],
    most: int,
    bound: float,
) -> tuple[Array, Array, tuple[Any, ...], int, bool, bool]:
    """Run turns until the residual is small enough, or the method breaks down, and tell how many and which of these it was."""
    square, most = squared_norm(r), min(most, MOST_TURNS)
    left = asarray(most, dtype=square.dtype, device=r.device)  # of the state, since programs depend on other numbers
    goal = asarray(bound * bound, dtype=square.dtype, device=r.device)

    def turn(state: Any) -> Any:
        x, r, kept, left, goal, square, _ = state
        x, r, kept, broken = method_turn(products, x, r, kept, square)
        return x, r, kept, left - 1, goal, squared_norm(r), broken

    state = zeros_like(r), r, kept, left, goal, square, square != square
    x, r, kept, left, _, square, broken = while_loop(lambda s: (s[5] > s[4]) & (s[3] > 0) & ~s[6], turn, state, every=EVERY)
    return x, r, kept, most - int(left), bool(broken), bool(square <= goal)
