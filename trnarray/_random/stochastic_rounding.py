"""Rounding up or down at random, so that the expected result is the number that was rounded."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .._array import Array
from ..backends.dtypes import BFLOAT16
from ..data_type_functions import astype
from ..elementwise_functions import bitwise_and, isfinite
from ..searching_functions import where

__all__ = ["StochasticRounding"]

_DROPPED: Final = np.uint32(0xFFFF)  # bits of a float32 that a bfloat16 has not


class StochasticRounding:
    """The rounding of a generator."""

    __slots__ = ()

    def round_to_bfloat16(self: Any, x: Array) -> Array:
        """
        Round float32 numbers to bfloat16, each to one of its two neighbors at random, and on average to itself.

        Sums that are rounded so again and again do not stagnate, and their errors are those of a random walk.

        Parameters
        ----------
        x : Array
            Of float32. The numbers are drawn on its device.

        Returns
        -------
        Array
            Of bfloat16. Numbers that bfloat16 has stay as they are.

        See Also
        --------
        trnarray.astype : Round to nearest.

        Notes
        -----
        A number that lies between two neighbors by a fraction f of their distance becomes the upper one with probability f: exactly so,
        since float32 has 16 bits more [1]_. Numbers above the largest bfloat16 become that one or infinity.

        References
        ----------
        .. [1] M. Croci, M. Fasi, N. J. Higham, T. Mary, M. Mikaitis, "Stochastic rounding: implementation, error analysis and
           applications", R. Soc. Open Sci. 9 (2022).

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> x = xp.full(100_000, 1 + 2**-9, dtype=xp.float32)  # a quarter of the way from 1 to the next bfloat16
        >>> rounded = rng.round_to_bfloat16(x)
        >>> bool(abs(xp.mean(rounded, dtype=xp.float32) - x[0]) < 1e-4), bool(xp.all(xp.astype(x, xp.bfloat16) == 1))
        (True, True)
        """
        given: Any = x
        if not isinstance(given, Array) or given.dtype != np.float32:
            found = given.dtype if isinstance(given, Array) else type(given).__name__
            raise TypeError(f"round_to_bfloat16 takes an Array of float32, not {found}; convert it with astype(x, float32) first")
        noise = self.integers(0, 1 << 16, size=x.shape, dtype=np.uint32, device=x.device)
        moved = bitwise_and(x.view(np.uint32) + noise, ~_DROPPED).view(np.float32)
        rounded: Any = where(isfinite(x), moved, x)
        return astype(rounded, BFLOAT16)
