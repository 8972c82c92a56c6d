"""LGMRES: GMRES with the corrections of earlier cycles beside the Krylov subspace of the present one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._array import Array
from .arnoldi import MinimalResidual, Vectors
from .host_solver import direct_solver
from .system import Progress, System, finite_system, magnitude, true_residual

__all__ = ["lgmres"]



@direct_solver(apart=frozenset({"outer_v"}))  # to which SciPy would append ndarrays
def lgmres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int = 1000,
    M: Any = None,
    callback: Callable[[Array], Any] | None = None,
    inner_m: int = 30,
    outer_k: int = 3,
    outer_v: list[Any] | None = None,
    store_outer_Av: bool = True,
    prepend_outer_v: bool = False,
) -> tuple[Array, int]:
    """
    Solve by generalized minimal residuals in subspaces that corrections of earlier cycles are added to.

    The method is that of A. H. Baker, E. R. Jessup and T. Manteuffel, "A technique for accelerating the convergence of restarted GMRES",
    SIAM Journal on Matrix Analysis and Applications 26, 2005.

    See `scipy.sparse.linalg.lgmres`.
    """
    system = finite_system(A, b, x0, rtol, atol, maxiter, M, "lgmres")
    if system.bnorm == 0:
        return system.b, 0
    corrections: list[Any] = [] if outer_v is None else outer_v
    x = system.x
    loosened = 1.0
    progress = Progress()
    for cycles in range(maxiter):
        r = true_residual(system, x)
        if callback is not None:
            callback(x)
        norm = magnitude(r)
        if norm <= system.atol:
            return x, 0
        if progress.has_ended(x, norm):
            break
        r = r.astype(x.dtype, copy=False)
        start = system.psolve(r)
        if magnitude(start) == 0:
            raise RuntimeError("the preconditioner makes the residual zero; lgmres needs one that is not singular")
        relative = min(loosened, system.atol / norm)
        process, directions = _cycle(system, start, inner_m, max(outer_k, len(corrections)), corrections, prepend_outer_v, relative)
        y = process.coefficients()
        if y is None:
            return x, cycles + 1
        # The preconditioned residual is checked within a cycle: how it compares with the residual shows afterwards.
        loosened = min(1.0, 1.5 * loosened) if process.residual > relative * process.norm else max(1e-16, 0.25 * loosened)
        correction = directions.combine(y)
        length = magnitude(correction)
        if length > 0:
            product = process.combine(process.hessenberg @ y) / length if store_outer_Av else None
            corrections.append((correction / length, product))
        del corrections[: max(len(corrections) - outer_k, 0)]
        x = x + correction
    else:
        progress.has_ended(x, magnitude(true_residual(system, x)))
    return progress.best(x), maxiter


def _cycle(
    system: System, start: Array, steps: int, most: int, corrections: list[Any], prepend: bool, relative: float
) -> tuple[MinimalResidual, Vectors]:
    """Extend the subspace by Krylov vectors and corrections until the residual is small; give it with the directions that it is made of."""
    krylov = [(None, None)] * steps
    process, directions = MinimalResidual(start, steps + most), Vectors(steps + most, start)
    for place, (vector, product) in enumerate((*corrections, *krylov) if prepend else (*krylov, *corrections)):
        if vector is None:  # after corrections in front, the residual begins the Krylov subspace
            vector = process.first if prepend and place == len(corrections) else process.last
        directions.append(vector)
        process.extend(system.psolve(system.matvec(vector)) if product is None else product)
        if process.broken or process.residual < relative * process.norm or not np.isfinite(process.residual):
            break
    return process, directions
