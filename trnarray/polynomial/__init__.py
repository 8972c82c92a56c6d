"""Series in powers and in orthogonal polynomials, as in `numpy.polynomial`: coefficients begin with the lowest degree.

The classes keep their coefficients on the host, as ndarrays; values and roots are Arrays.

>>> import trnarray as xp
>>> xp.polynomial.Chebyshev([0, 0, 1])(xp.asarray([0.0, 0.5]))
Array([-1. , -0.5], dtype=float64, device='cpu')
"""

from __future__ import annotations

from typing import Any, Final

from numpy.polynomial import set_default_printstyle

from . import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

__all__ = [
    "Chebyshev",
    "Hermite",
    "HermiteE",
    "Laguerre",
    "Legendre",
    "Polynomial",
    "chebyshev",
    "hermite",
    "hermite_e",
    "laguerre",
    "legendre",
    "polynomial",
    "set_default_printstyle",
]

Chebyshev: Final[Any] = chebyshev.Chebyshev
Hermite: Final[Any] = hermite.Hermite
HermiteE: Final[Any] = hermite_e.HermiteE
Laguerre: Final[Any] = laguerre.Laguerre
Legendre: Final[Any] = legendre.Legendre
Polynomial: Final[Any] = polynomial.Polynomial
