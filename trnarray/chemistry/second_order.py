"""Energies of second order, and intermediates of their gradients.

Loops over pairs of occupied orbitals, or over single ones, have denominators and sums in their bodies: no amplitudes are stored.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from .._array import Array
from ..array_conversion import asarray
from ..creation_functions import arange, zeros, zeros_like
from ..linear_algebra_functions import einsum, matrix_transpose
from ..loops import fori_loop
from ..manipulation_functions import permute_dims
from ..searching_functions import where
from ..statistical_functions import sum as total

__all__ = ["MP2", "MP2Intermediates", "df_mp2", "df_mp2_intermediates", "df_ump2", "mp2"]

_PAIRS: Final = 8  # of a turn, at most


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
    A loop over pairs of occupied orbitals, each pair once: i with those up to half of all orbitals after it, in a circle, up to eight in a
    turn. A turn multiplies matrices (virtual orbitals × auxiliary functions), divides, and adds up; nothing larger than eight matrices of
    virtual × virtual is between.

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
    half = count // 2 + 1
    each = next(size for size in range(min(_PAIRS, half), 0, -1) if -(-half // size) * size <= half + half // 8)
    turns = -(-half // each)
    counted = [0 if distance >= half else 1 if distance in (0, count - distance) else 2 for distance in range(turns * each)]
    weights = asarray(counted, device=factor.device).astype(factor.dtype)
    deep = permute_dims(factor, (0, 2, 1))  # what is summed over lies first, as the Tensor Engine takes it
    gaps = virtual[:, None] + virtual[None, :]
    steps = arange(each, device=factor.device)

    def turn(i: Array, state: tuple[Array, Array]) -> tuple[Array, Array]:
        def pairs(block: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
            distances = block * each + steps
            after = i + distances
            j = where(after < count, after, after - count)
            repulsion = einsum("Pa,jPb->jab", deep[i], deep[j])
            amplitudes = repulsion / (occupied[i] + occupied[j][:, None, None] - gaps)
            weight = weights[distances]

            def added(before: Array, other: Array) -> Array:
                found: Array = before + total(weight * total(amplitudes * other, axis=(1, 2)))
                return found

            return added(sums[0], repulsion), added(sums[1], matrix_transpose(repulsion))

        return fori_loop(0, turns, pairs, state)

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
