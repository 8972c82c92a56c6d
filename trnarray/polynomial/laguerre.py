"""The functions of `numpy.polynomial.laguerre` on Arrays: Laguerre series.

>>> import trnarray as xp
>>> float(xp.polynomial.laguerre.lagval(0.5, [0, 0, 1]))
0.125
"""

from __future__ import annotations

from typing import Final

from numpy.polynomial import laguerre as _numpy

from .series import series

__all__: Final = list(_numpy.__all__)
__getattr__ = series(_numpy)


def __dir__() -> list[str]:
    return __all__
