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
    """Make a Bartlett window, a triangle that is zero at both ends. See `numpy.bartlett`."""
    return _window(ops.bartlett, M)


def blackman(M: int) -> Array:
    """Make a Blackman window, the sum of three cosines with the least leakage. See `numpy.blackman`."""
    return _window(ops.blackman, M)


def hamming(M: int) -> Array:
    """Make a Hamming window, a raised cosine with the lowest first side lobe. See `numpy.hamming`."""
    return _window(ops.hamming, M)


def hanning(M: int) -> Array:
    """Make a Hann window, a raised cosine that is zero at both ends. See `numpy.hanning`."""
    return _window(ops.hanning, M)


def kaiser(M: int, beta: ArrayLike) -> Array:
    """Make a Kaiser window, which nearly maximizes the energy in the main lobe. See `numpy.kaiser`."""
    return _window(ops.kaiser, M, beta)
