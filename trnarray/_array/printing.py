"""repr and str, as NumPy prints arrays, with dtype and device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..backends.device import CPU
from ..backends.dtypes import FIRST_EXTRA
from ..backends.engine import engine_for
from ..backends.host.cast import cast
from ..backends.ops import indexing
from .base import ArrayBase

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Printing"]

_PREFIX: Final = "Array("
_MOST_DIGITS: Final = 4  # tell any two bfloat16 apart, and any two of a float8 kind


class Printing(ArrayBase):
    """``repr(x)`` and ``str(x)``: of a large Array only the corners are looked at."""

    __slots__ = ()

    def __repr__(self) -> str:
        shape = self._value.shape
        extras = f"dtype={self._value.dtype.name}, device={str(self._device)!r})"
        if 0 in shape:
            return f"{_PREFIX}[], {'' if shape == (0,) else f'shape={shape}, '}{extras}"
        corners, summarized = self._corners()
        if summarized:
            extras = f"shape={shape}, {extras}"
        text = np.array2string(corners, separator=", ", prefix=_PREFIX, suffix=",", threshold=0 if summarized else corners.size)
        last_line = len(text) - text.rfind("\n") - 1 + (0 if "\n" in text else len(_PREFIX))
        fits = last_line + len(", ") + len(extras) <= np.get_printoptions()["linewidth"]
        return f"{_PREFIX}{text},{' ' if fits else chr(10) + ' ' * len(_PREFIX)}{extras}"

    def __str__(self) -> str:
        if 0 in self._value.shape:
            return "[]"
        corners, summarized = self._corners()
        return np.array2string(corners, threshold=0 if summarized else corners.size) if corners.ndim else str(corners)

    def _corners(self) -> tuple[npt.NDArray[Any], bool]:
        """Bring what is printed to the host: everything, or of each long dimension both ends and an element that becomes dots."""
        options = np.get_printoptions()
        edge, array = int(options["edgeitems"]), self
        summarized = self._value.size > options["threshold"]
        if summarized:
            ends = [
                range(length) if length <= 2 * edge else [*range(edge + 1), *range(length - max(edge, 1), length)]
                for length in self._value.shape
            ]
            take = engine_for(self._device).from_host
            places = [self._wrap(take(index, copy=False), self._device) for index in np.ix_(*ends)]
            array = self._applied(indexing.getitem, self, tuple(places))
        host = np.asarray(array._value if self._device is CPU else engine_for(self._device).to_host(array._value, copy=False))
        return (_shortest(host) if host.dtype.num >= FIRST_EXTRA else host), summarized


def _shortest(array: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Replace each bfloat16 or float8 by the float64 of fewest decimal digits that rounds to it: so NumPy prints it shortest."""
    with np.errstate(all="ignore"):  # signaling nan; the largest number may round up to a decimal beyond it
        result = array.astype(np.float64)
        pending = np.isfinite(result) & (result != 0)
        for digits in range(_MOST_DIGITS):
            candidates = np.array([float(f"{value:.{digits}e}") for value in result.flat]).reshape(result.shape)
            good = pending & (cast(candidates, array.dtype) == array)
            result = np.where(good, candidates, result)
            pending &= ~good
    return result
