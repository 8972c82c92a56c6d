"""The functions of `numpy.polynomial.hermite` on Arrays: series in the physicists' Hermite polynomials.

>>> import trnarray as xp
>>> float(xp.polynomial.hermite.hermval(0.5, [0, 0, 1]))
-1.0
"""

from __future__ import annotations

from typing import Final

from numpy.polynomial import hermite as _numpy

from .series import series

__all__: Final = list(_numpy.__all__)
__getattr__ = series(_numpy)


def __dir__() -> list[str]:
    return __all__
