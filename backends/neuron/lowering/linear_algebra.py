"""Linear algebra: each Op's lowering in float32 and complex64, and in float64 and complex128."""

from __future__ import annotations

from typing import Final

from . import Lowerings, factored_equations, linear_equations, wide_equations, wide_factored_equations
from .matrices import ruled

__all__: list[str] = []

_NARROW: Final = {**linear_equations.FUNCTIONS, **factored_equations.FUNCTIONS}
_WIDE: Final = {**wide_equations.WIDE, **wide_factored_equations.WIDE}
_OF_PAIRS: Final = ("scipy.linalg.cho_solve", "scipy.linalg.lu_solve")
LOWERINGS: Final[Lowerings] = {
    name: ruled(name, function, _WIDE.get(name), pair=name in _OF_PAIRS) for name, function in _NARROW.items()
}
