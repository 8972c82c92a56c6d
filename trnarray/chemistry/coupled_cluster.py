"""Coupled clusters: the residual of the equations of double excitations."""

from __future__ import annotations

from .._array import Array
from ..linear_algebra_functions import einsum
from ..manipulation_functions import permute_dims

__all__ = ["ccsd_doubles_residual"]


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
