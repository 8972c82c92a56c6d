"""The functions of `numpy.polynomial.hermite_e` on Arrays: series in the probabilists' Hermite polynomials.

>>> import trnarray as xp
>>> float(xp.polynomial.hermite_e.hermeval(0.5, [0, 0, 1]))
-0.75
"""

from __future__ import annotations

from typing import Final

from numpy.polynomial import hermite_e as _numpy

from .series import series

__all__: Final = list(_numpy.__all__)
__getattr__ = series(_numpy)


def __dir__() -> list[str]:
    return __all__
