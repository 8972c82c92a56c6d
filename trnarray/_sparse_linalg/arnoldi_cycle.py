"""Cycles of GMRES as programs: a basis of fixed size, orthogonalized twice, whose coefficients are fetched once a cycle."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from .._array import Array
from ..array_conversion import asarray
from ..backends.dtypes import FLOAT32
from ..creation_functions import zeros
from ..elementwise_functions import conj, sqrt
from ..loops import fori_loop
from .device_iteration import Method, Products, safe_quotient, squared_norm

__all__ = ["extended", "restarted"]

_LONG: Final = 1 << 14  # elements of a vector
_STAGNATION: Final = 1e-4  # less than which of the residual a cycle takes off


def restarted(width: int) -> Method:
    """Make the method of cycles of so many steps."""
    return Method(lambda *_: (), partial(_cycle, width))


def _cycle(
    width: int,
    products: Products,
    r: Array,
    kept: tuple[Any, ...],
    most: int,
    bound: float,
) -> tuple[Array, Array, tuple[Any, ...], int, bool, bool]:
    """
    Take the steps of a cycle.

    Notes
    -----
    Each step makes a product and takes from it its parts along all vectors of the basis, those not there yet being zero, twice (classical
    Gram and Schmidt: L. Giraud, J. Langou and M. Rozložník, "The loss of orthogonality in the Gram-Schmidt orthogonalization process",
    Computers & Mathematics with Applications 50, 2005). So all steps are turns of one loop, and all cycles one program. The least-squares
    problem of the coefficients is solved on the host in float64; steps after the one with which the residual is small enough are dropped.
    """
    matvec, psolve = products.matvec, products.psolve
    z = psolve(r)
    norms = sqrt(squared_norm(z)), sqrt(squared_norm(r))
    basis = zeros((width + 1, len(z)), dtype=z.dtype, device=z.device)
    basis[0] = z * safe_quotient(norms[0] * 0 + 1, norms[0])[0]
    basis, fetched, norm = extended(basis, lambda v: psolve(matvec(v)), 0)
    start, first = (float(one) for one in norms)
    used = min(width, most)
    h = np.zeros((width + 1, width), fetched.dtype)
    for j in range(width):
        h[: j + 1, j], h[j + 1, j] = fetched[j, : j + 1], norm[j]
    coefficients, left, steps, broken = _least_squares(h[: used + 1, :used], start, start * bound / first if first else 0.0)
    y = np.zeros(width + 1, fetched.dtype)
    y[:steps] = coefficients
    x = asarray(y.astype(z.dtype), device=z.device) @ basis
    return x, r - matvec(x), kept, steps, broken, left <= start * bound / first or left > (1 - _STAGNATION) * start


def extended(basis: Array, product: Callable[[Any], Any], first: int) -> tuple[Array, Any, Any]:
    """
    Add products to a basis, one for each of its vectors from one on, whose successors are zero.

    Gives the basis, and on the host the parts of each product along its vectors, and the length of what was left of it.
    """
    width, (dtype, device) = len(basis) - 1, (basis.dtype, basis.device)
    lengths = sqrt(zeros(width, dtype=dtype, device=device).real)

    def step(j: Any, state: Any) -> Any:
        basis, projections, lengths = state
        w = product(basis[j])
        total: Any = None
        for _ in range(2):
            h = conj(basis) @ w
            w = _without(w, h, basis)
            total = h if total is None else total + h
        norm = sqrt(squared_norm(w))
        basis[j + 1] = w * safe_quotient(norm * 0 + 1, norm)[0]
        projections[j], lengths[j] = total, norm
        return basis, projections, lengths

    start = basis, zeros((width, width + 1), dtype=dtype, device=device), lengths
    basis, projections, lengths = fori_loop(first, width, step, start)
    return basis, np.asarray(projections.tolist()), np.asarray(lengths.tolist())


def _without(w: Any, h: Any, basis: Any) -> Any:
    """
    Subtract multiples of the vectors of a basis.

    The Tensor Engine, of which one row of products is one partition in 128, is slower than the others with long real vectors.
    """
    if basis.dtype != FLOAT32 or basis.shape[1] < _LONG:
        return w - h @ basis
    for j in range(len(basis)):
        w = w - h[j] * basis[j]
    return w


def _least_squares(h: Any, start: float, goal: float) -> tuple[Any, float, int, bool]:
    """Solve for the first number of steps that is enough: coefficients, the residual's norm, that number, and whether the space ended."""
    count = h.shape[1]
    solution: tuple[Any, float, int, bool] = np.zeros(0), start, 0, True
    for steps in range(1, count + 1):
        part = h[: steps + 1, :steps]
        if not np.isfinite(part).all():
            return (*solution[:3], True)
        right = np.zeros(steps + 1, h.dtype)
        right[0] = start
        y = np.linalg.lstsq(part, right, rcond=None)[0]
        left = float(np.linalg.norm(right - part @ y))
        ended = bool(abs(part[steps, steps - 1]) <= 1e-6 * np.linalg.norm(part[:, steps - 1]))  # of float32's rounding
        solution = y, left, steps, ended
        if left <= goal or ended:
            break
    return solution
