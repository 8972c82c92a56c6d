"""Rules of scipy.linalg, by the names of its functions: of single matrices, and how they are applied over stacks."""

from collections.abc import Mapping
from typing import Final

from ..signature import Dynamic, Rule
from . import eigenvalues, equations, factors, matrix_functions, singular_values, special_matrices
from .stacks import over_factors, over_stacks, without_stacks

__all__ = ["RULES", "over_factors", "over_stacks", "without_stacks"]

RULES: Final[Mapping[str, Rule]] = {
    **matrix_functions.RULES,
    **eigenvalues.RULES,
    **factors.RULES,
    **singular_values.RULES,
    **equations.RULES,
    **special_matrices.RULES,
    **dict.fromkeys(("bandwidth", "ishermitian", "issymmetric"), Dynamic("it gives numbers of Python's")),
}
"""By the name of the function; those of matrices are for single ones."""
