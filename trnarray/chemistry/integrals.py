"""Integrals: factors of density fitting, transforms from atomic to molecular orbitals, Coulomb and exchange matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import linalg
from .._array import Array
from ..creation_functions import zeros
from ..joining_functions import concat
from ..linear_algebra_functions import einsum, matrix_transpose
from ..manipulation_functions import reshape

__all__ = ["ao_to_mo", "coulomb_exchange", "density_factor", "schwarz_bounds"]


def density_factor(three_index: Array, metric: Array, left: Array | None = None, right: Array | None = None) -> Array:
    """
    Factor integrals over an auxiliary basis: ``(pq|rs) = sum_P B_pq^P B_rs^P``.

    Parameters
    ----------
    three_index : Array
        (m, n, P): ``(mn|P)`` of atomic orbitals.
    metric : Array
        (P, Q): ``(P|Q)``, positive definite.
    left, right : Array, optional
        Coefficients of molecular orbitals, (m, p) and (n, q); by default the orbitals stay atomic ones.

    Returns
    -------
    Array
        (p, q, P).

    See Also
    --------
    df_mp2 : What takes one of occupied and virtual orbitals.

    Notes
    -----
    The metric is factored as L L^T, and L^-1 applied to what is left of the integrals after their transform.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.chemistry.density_factor(xp.ones((2, 2, 3)), 4 * xp.eye(3))[0, 0]
    Array([0.5, 0.5, 0.5], dtype=float64, device='cpu')
    """
    subscripts, operands = "mnP", [three_index]
    result = "mnP"
    for letter, label, coefficients in (("m", "p", left), ("n", "q", right)):
        if coefficients is not None:
            subscripts += f",{letter}{label}"
            result = result.replace(letter, label)
            operands.append(coefficients)
    moved = three_index if len(operands) == 1 else einsum(f"{subscripts}->{result}", *operands)
    inverse = linalg.inv(linalg.cholesky(metric))
    return einsum("pqQ,PQ->pqP", moved, inverse)


def ao_to_mo(repulsion: Array, coefficients: Sequence[Array]) -> Array:
    """
    Transform integrals of four indices, one index after the other.

    Parameters
    ----------
    repulsion : Array
        (p, q, r, s).
    coefficients : sequence of Array
        Four matrices (p, i), (q, j), (r, k), (s, l).

    Returns
    -------
    Array
        (i, j, k, l).

    See Also
    --------
    trnarray.contract_expression : Print the order of the four products.

    Examples
    --------
    >>> import trnarray as xp
    >>> c = xp.ones((3, 2))
    >>> xp.chemistry.ao_to_mo(xp.ones((3, 3, 3, 3)), (c, c, c, c))[0, 1, 0, 1]
    Array(81., dtype=float64, device='cpu')
    """
    first, second, third, fourth = coefficients
    return einsum("pqrs,pi,qj,rk,sl->ijkl", repulsion, first, second, third, fourth)


def schwarz_bounds(factor: Array) -> Array:
    """
    Bound integrals by those of equal pairs: ``|(mn|rs)| <= b_mn b_rs``.

    Parameters
    ----------
    factor : Array
        (m, n, P), as `density_factor` gives it.

    Returns
    -------
    Array
        (m, n): the roots of ``(mn|mn)``.

    See Also
    --------
    coulomb_exchange : What leaves small ones out.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.chemistry.schwarz_bounds(xp.ones((1, 2, 4)))
    Array([[2., 2.]], dtype=float64, device='cpu')
    """
    bounds: Array = linalg.vector_norm(factor, axis=-1)
    return bounds


def coulomb_exchange(factor: Array, orbitals: Array, *, threshold: float = 0.0, block: int = 64) -> tuple[Array, Array]:
    """
    Build the Coulomb and the exchange matrix of a closed shell by density fitting.

    Parameters
    ----------
    factor : Array
        (m, n, P) of atomic orbitals, as `density_factor` gives it.
    orbitals : Array
        (n, i): the occupied orbitals.
    threshold : float, optional
        Pairs of which no integral can be larger are left out; the bounds are fetched for that.
    block : int, optional
        How many rows m share the columns that they need.

    Returns
    -------
    tuple of Array
        J of the density 2 C C^T, and K of it, both (m, n).

    See Also
    --------
    schwarz_bounds : The bounds.

    Notes
    -----
    Only columns with a pair above the threshold enter the products of a block. Source: F. Weigend, Phys. Chem. Chem. Phys. 4, 4285 (2002).

    Examples
    --------
    >>> import trnarray as xp
    >>> j, k = xp.chemistry.coulomb_exchange(xp.ones((2, 2, 3)), xp.ones((2, 1)))
    >>> float(j[0, 0]), float(k[0, 0])
    (24.0, 24.0)
    """
    density = 2 * orbitals @ matrix_transpose(orbitals)
    parts = _screened(factor, threshold, block)
    fitted: Any = 0
    halves = []
    for rows, columns in parts:
        taken = factor[rows] if columns is None else factor[rows][:, columns]
        kept = density[rows] if columns is None else density[rows][:, columns]
        fitted = fitted + einsum("mnP,mn->P", taken, kept)
        halves.append(einsum("mnP,ni->miP", taken, orbitals if columns is None else orbitals[columns]))
    half = reshape(concat(halves), (factor.shape[0], -1))
    coulomb = zeros(factor.shape[:2], dtype=factor.dtype, device=factor.device)
    for rows, columns in parts:
        if columns is None:
            coulomb[rows] = einsum("mnP,P->mn", factor[rows], fitted)
        else:
            coulomb[rows, columns] = einsum("mnP,P->mn", factor[rows][:, columns], fitted)
    return coulomb, 2 * half @ matrix_transpose(half)


def _screened(factor: Array, threshold: float, block: int) -> list[tuple[slice, Any]]:
    """Find, for each block of rows, the columns that it needs; None for all."""
    rows = [slice(first, min(first + block, factor.shape[0])) for first in range(0, factor.shape[0], block)]
    if threshold <= 0:
        return [(part, None) for part in rows]
    bounds: npt.NDArray[Any] = np.asarray(schwarz_bounds(factor).to_device("cpu"))
    needed = bounds * bounds.max(initial=0.0) > threshold
    found: list[tuple[slice, Any]] = []
    for part in rows:
        columns = np.flatnonzero(needed[part].any(axis=0))
        found.append((part, None if len(columns) == factor.shape[1] else columns.tolist()))
    return found
