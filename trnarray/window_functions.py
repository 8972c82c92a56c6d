"""Window functions: weights that fall off towards both ends of a stretch of samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._placement import choose_device, create
from .backends.op import Op
from .backends.ops import windows as ops

if TYPE_CHECKING:
    from ._array import Array
    from ._typing import ArrayLike

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def _window(op: Op, *parameters: ArrayLike) -> Array:
    result: Array = create(op, choose_device(None), *parameters)
    return result


def bartlett(M: int) -> Array:
    """
    Make a Bartlett window, a triangle that is zero at both ends.

    Parameters
    ----------
    M : int
        The number of points; none if it is below 1.

    Returns
    -------
    Array
        The window, 1 in the middle if `M` is odd.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.bartlett(5)
    Array([0. , 0.5, 1. , 0.5, 0. ], dtype=float64, device='cpu')
    """
    return _window(ops.bartlett, M)


def blackman(M: int) -> Array:
    """
    Make a Blackman window, the sum of three cosines with the least leakage.

    Parameters
    ----------
    M : int
        The number of points; none if it is below 1.

    Returns
    -------
    Array
        The window, 1 in the middle if `M` is odd.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.blackman(5), 2)
    Array([-0.  ,  0.34,  1.  ,  0.34, -0.  ], dtype=float64, device='cpu')
    """
    return _window(ops.blackman, M)


def hamming(M: int) -> Array:
    """
    Make a Hamming window, a raised cosine with the lowest first side lobe.

    Parameters
    ----------
    M : int
        The number of points; none if it is below 1.

    Returns
    -------
    Array
        The window, 1 in the middle if `M` is odd.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.hamming(3), 2)
    Array([0.08, 1.  , 0.08], dtype=float64, device='cpu')
    """
    return _window(ops.hamming, M)


def hanning(M: int) -> Array:
    """
    Make a Hann window, a raised cosine that is zero at both ends.

    Parameters
    ----------
    M : int
        The number of points; none if it is below 1.

    Returns
    -------
    Array
        The window, 1 in the middle if `M` is odd.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.hanning(5), 2)
    Array([0. , 0.5, 1. , 0.5, 0. ], dtype=float64, device='cpu')
    """
    return _window(ops.hanning, M)


def kaiser(M: int, beta: ArrayLike) -> Array:
    """
    Make a Kaiser window, which nearly maximizes the energy in the main lobe.

    Parameters
    ----------
    M : int
        The number of points; none if it is below 1.
    beta : float
        The shape: 0 is a rectangle, larger ones widen the main lobe and lower the others.

    Returns
    -------
    Array
        The window, 1 in the middle if `M` is odd.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.kaiser(3, 2.0), 2)
    Array([0.44, 1.  , 0.44], dtype=float64, device='cpu')
    """
    return _window(ops.kaiser, M, beta)
