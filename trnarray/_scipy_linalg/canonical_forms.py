"""Schur and Hessenberg forms, and balancing."""

from __future__ import annotations

from typing import Any

from .._apply import apply, apply_for_tuple, direct
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "cdf2rdf",
    "hessenberg",
    "matrix_balance",
    "ordqz",
    "qz",
    "rsf2csf",
    "schur",
]


@direct(OPS)
def schur(
    a: ArrayLike, output: str = "real", lwork: int | None = None, overwrite_a: bool = False, sort: Any = None, check_finite: bool = True,
) -> Any:
    """
    Compute the Schur decomposition of matrices.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    output : {'real', 'complex'}, optional
        Whether the form of real matrices is real or complex.
    lwork : int, optional
        The length of the work array of LAPACK; found by itself.
    overwrite_a : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    sort : str or callable, optional
        Which eigenvalues come first.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    Array or tuple
        The Schur form, the transformation, and the number of sorted eigenvalues if they are sorted.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.schur(xp.asarray([[1.0, 2.0], [0.0, 3.0]]))[0]
    Array([[1., 2.],
           [0., 3.]], dtype=float64, device='cpu')
    """
    return apply(OPS["schur"], a, output, lwork, overwrite_a, sort, check_finite)


@direct(OPS)
def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[Array, ...]:
    """
    Convert a real Schur form to the complex one.

    Parameters
    ----------
    T : array_like
        The real Schur form.
    Z : array_like
        The transformation.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    tuple of Arrays
        The complex form and its transformation.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.rsf2csf(xp.eye(2), xp.eye(2))[0]
    Array([[1.+0.j, 0.+0.j],
           [0.+0.j, 1.+0.j]], dtype=complex128, device='cpu')
    """
    return apply_for_tuple(OPS["rsf2csf"], T, Z, check_finite)


@direct(OPS)
def qz(
    A: ArrayLike,
    B: ArrayLike,
    output: str = "real",
    lwork: int | None = None,
    sort: Any = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[Array, ...]:
    """
    Compute the generalized Schur decomposition of two matrices.

    Parameters
    ----------
    A : array_like
        The square matrix; further axes in front are stacks of matrices where SciPy takes them.
    B : array_like
        The second matrix.
    output : {'real', 'complex'}, optional
        Whether the form of real matrices is real or complex.
    lwork : int, optional
        The length of the work array of LAPACK; found by itself.
    sort : str or callable, optional
        Which eigenvalues come first.
    overwrite_a : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    overwrite_b : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    tuple of Arrays
        The two forms and the two transformations.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.qz(a, a)[0].shape
    (2, 2)
    """
    return apply_for_tuple(OPS["qz"], A, B, output, lwork, sort, overwrite_a, overwrite_b, check_finite)


@direct(OPS)
def ordqz(
    A: ArrayLike,
    B: ArrayLike,
    sort: Any = "lhp",
    output: str = "real",
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[Array, ...]:
    """
    Compute the generalized Schur decomposition with sorted eigenvalues.

    Parameters
    ----------
    A : array_like
        The square matrix; further axes in front are stacks of matrices where SciPy takes them.
    B : array_like
        The second matrix.
    sort : str or callable, optional
        Which eigenvalues come first.
    output : {'real', 'complex'}, optional
        Whether the form of real matrices is real or complex.
    overwrite_a : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    overwrite_b : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    tuple of Arrays
        The two forms, numerators and denominators of the eigenvalues, and the two transformations.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.ordqz(a, a)[0].shape
    (2, 2)
    """
    return apply_for_tuple(OPS["ordqz"], A, B, sort, output, overwrite_a, overwrite_b, check_finite)


@direct(OPS)
def hessenberg(a: ArrayLike, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """
    Compute the Hessenberg form of matrices.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    calc_q : bool, optional
        Whether to compute the transformation.
    overwrite_a : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    Array or tuple
        The form, and the transformation if it is asked for.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.hessenberg(a)
    Array([[4., 1.],
           [1., 3.]], dtype=float64, device='cpu')
    """
    return apply(OPS["hessenberg"], a, calc_q, overwrite_a, check_finite)


@direct(OPS)
def cdf2rdf(w: ArrayLike, v: ArrayLike) -> tuple[Array, ...]:
    """
    Convert complex eigenvalues and vectors to real block-diagonal form.

    Parameters
    ----------
    w : array_like
        The eigenvalues.
    v : array_like
        The eigenvectors, in columns.

    Returns
    -------
    tuple of Arrays
        The real form and its vectors.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.cdf2rdf(b, xp.eye(2))[0]
    Array([[1., 0.],
           [0., 2.]], dtype=float64, device='cpu')
    """
    return apply_for_tuple(OPS["cdf2rdf"], w, v)


@direct(OPS)
def matrix_balance(A: ArrayLike, permute: bool = True, scale: bool = True, separate: bool = False, overwrite_a: bool = False) -> Any:
    """
    Balance matrices by permutation and scaling.

    Parameters
    ----------
    A : array_like
        The square matrix; further axes in front are stacks of matrices where SciPy takes them.
    permute : bool, optional
        Whether to permute.
    scale : bool, optional
        Whether to scale.
    separate : bool, optional
        Whether to return the parts separately.
    overwrite_a : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.

    Returns
    -------
    Array or tuple
        The balanced matrix, and the transformation or its parts.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.matrix_balance(a)[0]
    Array([[4., 1.],
           [1., 3.]], dtype=float64, device='cpu')
    """
    return apply(OPS["matrix_balance"], A, permute, scale, separate, overwrite_a)
