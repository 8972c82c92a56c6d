"""Contractions of quantum chemistry: second-order energies, transforms of integrals, Coulomb and exchange matrices, coupled clusters.

Integrals, orbitals and energies are Arrays that a program such as PySCF made; functions compute where they are. Labels: i, j, k, m, n are
occupied orbitals, a to f virtual ones, p to s any, and P belongs to an auxiliary basis. Denominators and sums are parts of loops over pairs
of occupied orbitals, or over single ones, so that amplitudes of four indices are never stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import linalg
from ._array import Array
from .array_conversion import asarray
from .creation_functions import zeros, zeros_like
from .joining_functions import concat
from .linear_algebra_functions import einsum, matrix_transpose
from .loops import fori_loop
from .manipulation_functions import permute_dims, reshape
from .statistical_functions import sum as total

__all__ = [
    "MP2", "MP2Intermediates", "ao_to_mo", "ccsd_doubles_residual", "coulomb_exchange", "density_factor", "df_mp2",
    "df_mp2_intermediates", "df_ump2", "mp2", "schwarz_bounds",
]  # fmt: skip


class MP2(NamedTuple):
    """
    A correlation energy of second order, by spins.

    Attributes
    ----------
    opposite_spin, same_spin : Array
        The parts of pairs of electrons of opposite and of the same spin, 0-d.

    See Also
    --------
    df_mp2 : Compute one.

    Examples
    --------
    >>> import trnarray as xp
    >>> parts = xp.chemistry.MP2(xp.asarray(-0.15), xp.asarray(-0.05))
    >>> float(parts.energy), round(float(parts.scs), 6), round(float(parts.sos), 6)
    (-0.2, -0.196667, -0.195)
    """

    opposite_spin: Array
    same_spin: Array

    @property
    def energy(self) -> Array:
        """The energy: both parts."""
        return _scaled(self, 1.0, 1.0)

    @property
    def scs(self) -> Array:
        """With scaled components, 6/5 and 1/3: S. Grimme, J. Chem. Phys. 118, 9095 (2003)."""
        return _scaled(self, 6 / 5, 1 / 3)

    @property
    def sos(self) -> Array:
        """Of opposite spins alone, scaled by 1.3: Y. Jung et al., J. Chem. Phys. 121, 9793 (2004)."""
        return _scaled(self, 1.3, 0.0)


def _scaled(parts: MP2, opposite: float, same: float) -> Array:
    energy: Array = opposite * parts.opposite_spin + same * parts.same_spin
    return energy


class MP2Intermediates(NamedTuple):
    """
    What gradients of the density-fitted energy are made of.

    Attributes
    ----------
    occupied, virtual : Array
        The blocks of the unrelaxed density matrix of second order.
    factor : Array
        (i, a, P): amplitudes times factors of integrals, ``sum_jb (2 t_ij^ab - t_ij^ba) B_jb^P``.

    See Also
    --------
    df_mp2_intermediates : Compute them.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.chemistry.MP2Intermediates(xp.zeros((2, 2)), xp.zeros((3, 3)), xp.zeros((2, 3, 5))).factor.shape
    (2, 3, 5)
    """

    occupied: Array
    virtual: Array
    factor: Array


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


def df_mp2(factor: Array, occupied: Array, virtual: Array) -> MP2:
    """
    Compute the density-fitted energy of second order of a closed shell.

    Parameters
    ----------
    factor : Array
        (i, a, P): ``(ia|jb) = sum_P B_ia^P B_jb^P``, as `density_factor` gives it.
    occupied, virtual : Array
        Orbital energies.

    Returns
    -------
    MP2
        Its parts, deferred on Neuron devices.

    See Also
    --------
    df_ump2 : Of open shells.
    mp2 : From integrals of four indices.

    Notes
    -----
    A loop over pairs of occupied orbitals, each pair once: i with those up to half of all orbitals after it, in a circle. A turn multiplies
    two matrices (virtual orbitals × auxiliary functions), divides, and adds up; nothing larger than virtual × virtual is between.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.reshape(xp.arange(12.0), (2, 3, 2)) / 10
    >>> float(xp.chemistry.df_mp2(b, xp.asarray([-2.0, -1.0]), xp.asarray([1.0, 2.0, 3.0])).energy)
    -3.9221984...
    """
    direct, exchange = _pairs(factor, occupied, virtual)
    return MP2(direct, direct - exchange)


def df_ump2(factors: tuple[Array, Array], occupied: tuple[Array, Array], virtual: tuple[Array, Array]) -> MP2:
    """
    Compute the density-fitted energy of second order of an open shell, by spin orbitals.

    Parameters
    ----------
    factors : tuple of Array
        (i, a, P) of both spins, as of `df_mp2`.
    occupied, virtual : tuple of Array
        Orbital energies of both spins.

    Returns
    -------
    MP2
        Its parts, deferred on Neuron devices.

    See Also
    --------
    df_mp2 : Of closed shells.

    Examples
    --------
    >>> import trnarray as xp
    >>> b, e, v = xp.reshape(xp.arange(12.0), (2, 3, 2)) / 10, xp.asarray([-2.0, -1.0]), xp.asarray([1.0, 2.0, 3.0])
    >>> closed, open_shell = xp.chemistry.df_mp2(b, e, v), xp.chemistry.df_ump2((b, b), (e, e), (v, v))
    >>> bool(abs(closed.energy - open_shell.energy) < 1e-12)
    True
    """
    same: Any = 0
    for factor, below, above in zip(factors, occupied, virtual, strict=True):
        direct, exchange = _pairs(factor, below, above)
        same = same + (direct - exchange) / 2
    (one, other), (first, second) = factors, occupied
    gaps = virtual[0][:, None] + virtual[1][None, :]

    def turn(i: Array, state: Array) -> Array:
        def pair(j: Array, energy: Array) -> Array:
            repulsion = one[i] @ matrix_transpose(other[j])
            added: Array = energy + total(repulsion * repulsion / (first[i] + second[j] - gaps))
            return added

        return fori_loop(0, other.shape[0], pair, state)

    return MP2(fori_loop(0, one.shape[0], turn, _zero(one)), same)


def _pairs(factor: Array, occupied: Array, virtual: Array) -> tuple[Array, Array]:
    """Add up ``(ia|jb)^2 / D`` and ``(ia|jb) (ib|ja) / D`` over all i, j, a and b."""
    count = factor.shape[0]
    half = count // 2
    weights = asarray([1 if distance in (0, count - distance) else 2 for distance in range(half + 1)], device=factor.device)
    weights = weights.astype(factor.dtype)
    twice, energies = concat([factor, factor]), concat([occupied, occupied])
    gaps = virtual[:, None] + virtual[None, :]

    def turn(i: Array, state: tuple[Array, Array]) -> tuple[Array, Array]:
        def pair(distance: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
            j = i + distance
            repulsion = factor[i] @ matrix_transpose(twice[j])
            amplitudes = weights[distance] * repulsion / (energies[i] + energies[j] - gaps)
            return sums[0] + total(amplitudes * repulsion), sums[1] + total(amplitudes * matrix_transpose(repulsion))

        return fori_loop(0, half + 1, pair, state)

    return fori_loop(0, count, turn, (_zero(factor), _zero(factor)))


def _zero(like: Array) -> Array:
    return zeros((), dtype=like.dtype, device=like.device)


def mp2(repulsion: Array, occupied: Array, virtual: Array) -> MP2:
    """
    Compute the energy of second order of a closed shell from integrals of four indices.

    Parameters
    ----------
    repulsion : Array
        (i, a, j, b): ``(ia|jb)``, as `ao_to_mo` gives it.
    occupied, virtual : Array
        Orbital energies.

    Returns
    -------
    MP2
        Its parts; denominators and sums are one stage of a program on Neuron devices.

    See Also
    --------
    df_mp2 : Without integrals of four indices.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.reshape(xp.arange(12.0), (2, 3, 2)) / 10
    >>> e, v = xp.asarray([-2.0, -1.0]), xp.asarray([1.0, 2.0, 3.0])
    >>> float(xp.chemistry.mp2(xp.einsum("iaP,jbP->iajb", b, b), e, v).energy)
    -3.9221984...
    """
    pairs = occupied[:, None, None, None] + occupied[None, None, :, None]
    amplitudes = repulsion / (pairs - virtual[None, :, None, None] - virtual[None, None, None, :])
    direct = total(amplitudes * repulsion)
    return MP2(direct, direct - total(amplitudes * permute_dims(repulsion, (0, 3, 2, 1))))


def df_mp2_intermediates(factor: Array, occupied: Array, virtual: Array) -> MP2Intermediates:
    """
    Compute the blocks of the density matrix of second order, and the factor that meets derivatives of integrals.

    Parameters
    ----------
    factor : Array
        (i, a, P), as of `df_mp2`.
    occupied, virtual : Array
        Orbital energies.

    Returns
    -------
    MP2Intermediates
        Deferred on Neuron devices.

    See Also
    --------
    df_mp2 : The energy.

    Notes
    -----
    A loop over occupied orbitals: amplitudes of one at a time are between, (j, a, b). The energy is ``sum(factor * result.factor)``, and
    its derivative with respect to an orbital energy is an element of the diagonals. Source: F. Weigend, M. Häser, Theor. Chem. Acc. 97
    (1997).

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.reshape(xp.arange(12.0), (2, 3, 2)) / 10
    >>> found = xp.chemistry.df_mp2_intermediates(b, xp.asarray([-2.0, -1.0]), xp.asarray([1.0, 2.0, 3.0]))
    >>> bool(abs(xp.trace(found.occupied) + xp.trace(found.virtual)) < 1e-12), float(xp.sum(b * found.factor))
    (True, -3.9221984...)
    """
    gaps = occupied[:, None, None] - virtual[None, :, None] - virtual[None, None, :]
    count, virtuals, auxiliary = factor.shape
    rows = zeros((count, virtuals, auxiliary), dtype=factor.dtype, device=factor.device)

    def turn(k: Array, state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        below, above, made = state
        amplitudes = einsum("jaP,bP->jab", factor, factor[k]) / (occupied[k] + gaps)
        adapted = 2 * amplitudes - permute_dims(amplitudes, (0, 2, 1))
        below = below - 2 * einsum("iab,jab->ij", adapted, amplitudes)
        above = above + 2 * einsum("jac,jbc->ab", adapted, amplitudes)
        made[k] = einsum("jab,jaP->bP", adapted, factor)
        return below, above, made

    start = zeros((count, count), dtype=factor.dtype, device=factor.device), zeros_like(factor[0] @ matrix_transpose(factor[0]))
    return MP2Intermediates(*fori_loop(0, count, turn, (*start, rows)))


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


def ccsd_doubles_residual(repulsion: Array, fock: Array, t1: Array, t2: Array) -> Array:
    """
    Compute the residual of the doubles equation of coupled clusters with singles and doubles, in spin orbitals.

    Parameters
    ----------
    repulsion : Array
        (p, q, r, s): antisymmetric ``<pq||rs>``, occupied orbitals first.
    fock : Array
        (p, q).
    t1 : Array
        (i, a): amplitudes of singles.
    t2 : Array
        (i, j, a, b): antisymmetric amplitudes of doubles.

    Returns
    -------
    Array
        (i, j, a, b): zero where the equation holds. One program on Neuron devices.

    See Also
    --------
    trnarray.einsum : What its products are.

    Notes
    -----
    With the intermediates of [1]_; their labels are those of the article.

    References
    ----------
    .. [1] J. F. Stanton, J. Gauss, J. D. Watts, R. J. Bartlett, J. Chem. Phys. 94, 4334 (1991).

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.chemistry.ccsd_doubles_residual(xp.zeros((5,) * 4), xp.eye(5), xp.zeros((2, 3)), xp.zeros((2, 2, 3, 3))).shape
    (2, 2, 3, 3)
    """
    count = t1.shape[0]
    o, v = slice(0, count), slice(count, None)

    def g(*spaces: slice) -> Array:
        return repulsion[spaces]

    oovv, both = g(o, o, v, v), einsum("ia,jb->ijab", t1, t1)
    pairs = both - permute_dims(both, (0, 1, 3, 2))
    tau, tilde = t2 + pairs, t2 + pairs / 2
    f_me = fock[o, v] + einsum("nf,mnef->me", t1, oovv)
    f_ae = fock[v, v] - einsum("me,ma->ae", fock[o, v], t1) / 2 + einsum("mf,mafe->ae", t1, g(o, v, v, v))
    f_ae = f_ae - einsum("mnaf,mnef->ae", tilde, oovv) / 2 - einsum("mb,me->be", t1, f_me) / 2
    f_mi = fock[o, o] + einsum("ie,me->mi", t1, fock[o, v]) / 2 + einsum("ne,mnie->mi", t1, g(o, o, o, v))
    f_mi = f_mi + einsum("inef,mnef->mi", tilde, oovv) / 2 + einsum("je,me->mj", t1, f_me) / 2
    turned = einsum("je,mnie->mnij", t1, g(o, o, o, v))
    w_mnij = g(o, o, o, o) + turned - permute_dims(turned, (0, 1, 3, 2)) + einsum("ijef,mnef->mnij", tau, oovv) / 4
    turned = einsum("mb,amef->abef", t1, g(v, o, v, v))
    w_abef = g(v, v, v, v) - turned + permute_dims(turned, (1, 0, 2, 3)) + einsum("mnab,mnef->abef", tau, oovv) / 4
    w_mbej = g(o, v, v, o) + einsum("jf,mbef->mbej", t1, g(o, v, v, v)) - einsum("nb,mnej->mbej", t1, g(o, o, v, o))
    w_mbej = w_mbej - einsum("jnfb,mnef->mbej", t2 / 2 + both, oovv)
    by_virtual = einsum("ijae,be->ijab", t2, f_ae) - einsum("ma,mbij->ijab", t1, g(o, v, o, o))
    by_occupied = einsum("ie,abej->ijab", t1, g(v, v, v, o)) - einsum("imab,mj->ijab", t2, f_mi)
    ring = einsum("imae,mbej->ijab", t2, w_mbej) - einsum("ie,ma,mbej->ijab", t1, t1, g(o, v, v, o))
    ring = ring - permute_dims(ring, (1, 0, 2, 3))
    ladders = einsum("mnab,mnij->ijab", tau, w_mnij) / 2 + einsum("ijef,abef->ijab", tau, w_abef) / 2
    one_sided = by_virtual + ring
    antisymmetric = one_sided - permute_dims(one_sided, (0, 1, 3, 2)) + by_occupied - permute_dims(by_occupied, (1, 0, 2, 3))
    residual: Array = oovv + ladders + antisymmetric
    return residual
