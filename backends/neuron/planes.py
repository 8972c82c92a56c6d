"""Planes: how the dtypes of Arrays are carried by dtypes that a NeuronCore has.

A native dtype is its own plane, bool as bytes of 0 and 1; float8 kinds that a NeuronCore does not have are carried as bytes. complex64 is
two float32 planes, real and imaginary part. The 64-bit dtypes are carried bit for bit as words of 32 bits, the high one first: float64,
int64 and uint64 as two, complex128 as four.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dtypes import BOOL, COMPLEX64, COMPLEX128, FLOAT8_E3M4, FLOAT8_E8M0FNU, FLOAT32, FLOAT64, INT64, UINT64, DType

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["join", "plane_dtypes", "split"]

_BYTE: Final = np.dtype(np.uint8)
_WORD: Final = np.dtype(np.uint32)
_PLANES: Final[dict[DType, tuple[DType, ...]]] = {
    **dict.fromkeys((BOOL, FLOAT8_E3M4, FLOAT8_E8M0FNU), (_BYTE,)),
    COMPLEX64: (FLOAT32, FLOAT32),
    FLOAT64: (_WORD, _WORD),
    INT64: (_WORD, _WORD),
    UINT64: (_WORD, _WORD),
    COMPLEX128: (_WORD, _WORD, _WORD, _WORD),
}
# Where the high word of a little-endian 64-bit number is.
_HIGH: Final = 1 if np.dtype(np.uint64).newbyteorder("<") == np.dtype(np.uint64) else 0


def _places(dtypes: tuple[DType, ...]) -> list[int]:
    """Tell which 32 bits of an element each plane has."""
    if dtypes[0] == FLOAT32:
        return [0, 1]
    return [number + half for number in range(0, len(dtypes), 2) for half in (_HIGH, 1 - _HIGH)]


def plane_dtypes(dtype: DType) -> tuple[DType, ...]:
    """
    Return the dtypes of the planes of a dtype.

    Examples
    --------
    >>> import numpy as np
    >>> plane_dtypes(np.dtype(np.complex64))
    (dtype('float32'), dtype('float32'))
    """
    return _PLANES.get(dtype, (dtype,))


def split(array: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """
    Take an array apart.

    Examples
    --------
    >>> import numpy as np
    >>> [plane.tolist() for plane in split(np.array([1 + 2j], np.complex64))]
    [[1.0], [2.0]]
    """
    dtypes = plane_dtypes(array.dtype)
    array = np.array(array, order="C", copy=True)
    if len(dtypes) == 1:
        return (array.view(dtypes[0]),)
    parts = array.reshape(-1).view(dtypes[0]).reshape(array.size, len(dtypes))
    return tuple(np.ascontiguousarray(parts[:, place]).reshape(array.shape) for place in _places(dtypes))


def join(planes: tuple[npt.NDArray[Any], ...], dtype: DType) -> npt.NDArray[Any]:
    """
    Put an array together again, in memory of its own.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([-1, 2**40], np.int64)
    >>> np.array_equal(join(split(x), x.dtype), x)
    True
    """
    part = plane_dtypes(dtype)[0]
    joined = np.empty((*planes[0].shape, len(planes)), part)
    for place, plane in zip(_places(plane_dtypes(dtype)) if len(planes) > 1 else (0,), planes, strict=True):
        joined[..., place] = plane.view(part)
    return joined.view(dtype)[..., 0]
