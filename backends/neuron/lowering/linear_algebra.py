"""Linear algebra: each Op's lowering in float32 and complex64, and in float64 and complex128."""

from __future__ import annotations

from typing import Final

from . import (
    Lowerings,
    eigenvalues,
    factored_equations,
    hessenberg,
    linear_equations,
    matrix_equations,
    matrix_functions,
    matrix_roots,
    matrix_structure,
    orthogonal_factors,
    qr_factors,
    riccati_equations,
    singular_values,
    structured_equations,
    wide_equations,
    wide_factored_equations,
    wide_orthogonal_factors,
    wide_singular_values,
)
from .matrices import ruled

__all__: list[str] = []

_NARROW: Final = {
    name: function
    for module in (linear_equations, factored_equations, eigenvalues, orthogonal_factors, singular_values)
    for name, function in module.FUNCTIONS.items()
}
_WIDE: Final = {
    name: function for module in (wide_equations, wide_factored_equations, wide_orthogonal_factors, wide_singular_values)
    for name, function in module.WIDE.items()
}
_OF_ALL: Final = {
    name: function
    for module in (hessenberg, matrix_equations, matrix_functions, qr_factors, riccati_equations, structured_equations)
    for name, function in module.FUNCTIONS.items()
}
_ALL: Final[Lowerings] = {
    **singular_values.DYNAMIC,
    **wide_singular_values.DYNAMIC,
    **matrix_roots.DYNAMIC,
    **matrix_structure.LOWERINGS,
    **{name: ruled(name, function, function) for name, function in _OF_ALL.items()},
    **{name: ruled(name, function, _WIDE.get(name)) for name, function in _NARROW.items()},
}
_OF_INTERVALS: Final = ("scipy.linalg.eigh", "scipy.linalg.eigvalsh")
LOWERINGS: Final[Lowerings] = {**_ALL, **{name: eigenvalues.in_interval(_ALL[name]) for name in _OF_INTERVALS}}
