"""GCROT(m, k): flexible GMRES with a subspace that is kept from cycle to cycle, and from system to system."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._array import Array
from ..linear_algebra_functions import vdot
from .arnoldi import MinimalResidual, Vectors
from .host_solver import direct_solver
from .system import Progress, System, finite_system, magnitude, true_residual

__all__ = ["gcrotmk"]

_Pairs = list[tuple[Any, Any]]


@direct_solver(apart=frozenset({"CU"}))  # to which SciPy would append ndarrays
def gcrotmk(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int = 1000,
    M: Any = None,
    callback: Callable[[Array], Any] | None = None,
    m: int = 20,
    k: int | None = None,
    CU: _Pairs | None = None,
    discard_C: bool = False,
    truncate: str = "oldest",
) -> tuple[Array, int]:
    """
    Solve by generalized conjugate residuals with inner orthogonalization and outer truncation.

    The method is that of J. E. Hicken and D. W. Zingg, "A simplified and flexible variant of GCROT for solving nonsymmetric linear
    systems", SIAM Journal on Scientific Computing 32, 2010; which pairs are the smallest is decided as by E. de Sturler, "Truncation
    strategies for optimal Krylov subspace methods", SIAM Journal on Numerical Analysis 36, 1999.

    See `scipy.sparse.linalg.gcrotmk`.
    """
    if truncate not in ("oldest", "smallest"):
        raise ValueError(f"truncate is 'oldest' or 'smallest', but is {truncate!r}")
    system = finite_system(A, b, x0, rtol, atol, maxiter, M, "gcrotmk")
    if system.bnorm == 0:
        return system.b, 0
    pairs: _Pairs = [] if CU is None else CU
    most = m if k is None else k
    x, r = system.x, system.r
    pairs[:] = _orthonormal([(system.matvec(u) if c is None or discard_C else c, u) for c, u in pairs])
    x, r = _projected(pairs, x, r)
    info, progress = maxiter, Progress()
    for cycles in range(maxiter):
        if callback is not None:
            callback(x)
        norm = magnitude(r)
        if norm <= system.atol and (cycles > 0 or pairs):
            r = true_residual(system, x)  # without the rounding errors of the recurrence
            norm, r = magnitude(r), r.astype(x.dtype, copy=False)
        if norm <= system.atol:
            info = 0
            break
        if progress.has_ended(x, norm):
            break
        if cycles:
            x, r = _projected(pairs, x, r)  # anew, since what a small residual has of them is rounding
        process, directions = _cycle(system, r, m + max(most - len(pairs), 0), pairs)
        y = process.coefficients()
        if y is None:
            info = cycles + 1
            break
        c, u = process.combine(process.hessenberg @ y), directions.combine(y)
        if pairs:
            u = u - _combined([old for _, old in pairs], process.projections @ y)
        length = magnitude(c)
        if not 0 < length < math.inf:
            continue
        c, u = c / length, u / length
        weight = vdot(c, r)
        x, r = x + weight * u, r - weight * c
        if len(pairs) >= most:
            if truncate == "smallest" and pairs:
                pairs[:] = _largest(pairs, process, most - 1)
            else:
                del pairs[: len(pairs) - most + 1]
        pairs.append((c, u))
    else:
        progress.has_ended(x, magnitude(r))
    if info == maxiter:
        x = progress.best(x)
    pairs.append((None, x))
    if discard_C:
        pairs[:] = [(None, u) for _, u in pairs]
    return x, info


def _projected(pairs: _Pairs, x: Any, r: Any) -> tuple[Any, Any]:
    """Make the residual orthogonal to vectors that are products, by the solution."""
    for c, u in pairs:
        weight = vdot(c, r)
        x, r = x + weight * u, r - weight * c
    return x, r


def _cycle(system: System, r: Array, steps: int, pairs: _Pairs) -> tuple[MinimalResidual, Vectors]:
    """Make the residual small by a Krylov subspace beside the pairs; give it with the directions that it is made of."""
    process, directions = MinimalResidual(r, steps, [c for c, _ in pairs]), Vectors(steps, r)
    for _ in range(steps):
        directions.append(system.psolve(process.last))
        process.extend(system.matvec(directions.last))
        if process.broken or process.residual < system.atol or not np.isfinite(process.residual):
            break
    return process, directions


def _orthonormal(pairs: _Pairs) -> _Pairs:
    """Make the vectors c orthonormal, the longest that is left first, and drop those that depend on others; u goes with c."""
    left, found = list(pairs), []
    longest = 0.0
    while left:
        lengths = [magnitude(c) for c, _ in left]
        place = lengths.index(max(lengths))
        length = lengths[place]
        longest = longest or length
        if not length > 1e-12 * longest:
            break
        c, u = left.pop(place)
        c, u = c / length, u / length
        found.append((c, u))
        left = [_without(pair, (c, u)) for pair in left]
    return found[::-1]


def _without(pair: tuple[Any, Any], other: tuple[Any, Any]) -> tuple[Any, Any]:
    """Make a pair orthogonal to another."""
    weight = vdot(other[0], pair[0])
    return pair[0] - weight * other[0], pair[1] - weight * other[1]


def _largest(pairs: _Pairs, process: MinimalResidual, count: int) -> _Pairs:
    """Combine the pairs to as many as are to stay: those that the cycle's optimum was furthest from being orthogonal to."""
    distances = np.linalg.lstsq(process.triangular.T, process.projections.T, rcond=None)[0].T
    kept: _Pairs = []
    for weights in np.linalg.svd(distances)[0][:, :count].T:
        pair = _combined([c for c, _ in pairs], weights), _combined([u for _, u in pairs], weights)
        for other in kept:
            pair = _without(pair, other)
        length = magnitude(pair[0])
        kept.append((pair[0] / length, pair[1] / length))
    return kept


def _combined(vectors: list[Any], weights: Any) -> Array:
    """Combine vectors linearly."""
    together = Vectors(len(vectors), vectors[0])
    for vector in vectors:
        together.append(vector)
    return together.combine(weights)
