"""The functions that the Array API standard (2025.12) defines otherwise than NumPy, under the standard's names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .complex_elementary import acosh, expm1, log1p, sign, tanh
from .division import floor_divide, remainder
from .frequencies import fftfreq, rfftfreq
from .linear_algebra import eig, eigvals, matrix_norm, matrix_rank, pinv, vector_norm
from .searching import count_nonzero, isin, repeat, take_along_axis
from .sorting import argsort, searchsorted, sort
from .variance import std, var

__all__ = [
    "DIFFERENCES",
    "OVERRIDES",
    "acosh",
    "argsort",
    "count_nonzero",
    "eig",
    "eigvals",
    "expm1",
    "fftfreq",
    "floor_divide",
    "isin",
    "log1p",
    "matrix_norm",
    "matrix_rank",
    "pinv",
    "remainder",
    "repeat",
    "rfftfreq",
    "searchsorted",
    "sign",
    "sort",
    "std",
    "take_along_axis",
    "tanh",
    "var",
    "vector_norm",
]

OVERRIDES: Final[Mapping[str, Callable[..., Any]]] = {
    "acosh": acosh,
    "argsort": argsort,
    "count_nonzero": count_nonzero,
    "expm1": expm1,
    "fft.fftfreq": fftfreq,
    "fft.rfftfreq": rfftfreq,
    "floor_divide": floor_divide,
    "isin": isin,
    "linalg.eig": eig,
    "linalg.eigvals": eigvals,
    "linalg.matrix_norm": matrix_norm,
    "linalg.matrix_rank": matrix_rank,
    "linalg.pinv": pinv,
    "linalg.vector_norm": vector_norm,
    "log1p": log1p,
    "repeat": repeat,
    "searchsorted": searchsorted,
    "sign": sign,
    "sort": sort,
    "std": std,
    "take_along_axis": take_along_axis,
    "tanh": tanh,
    "var": var,
}

# Where the value or its type differs from that of NumPy's function of the same name, and why. docs/differences.md shows each.
DIFFERENCES: Final[Mapping[str, str]] = {
    "acosh": "complex: acosh(0 + nan j) has imaginary part pi/2, which older C libraries miss",
    "argsort": "takes descending, stable by default, NaN last in both orders",
    "count_nonzero": "the count of a whole array is an array, not an int",
    "expm1": "complex: special values, no spurious overflow; expm1(-0 + 0j) is 0 + 0j",
    "fft.fftfreq": "takes a dtype",
    "fft.rfftfreq": "takes a dtype",
    "floor_divide": "an infinite operand gives floor(x1 / x2): inf // 2 is inf, -1 // inf is -0",
    "isin": "a Python scalar takes the array's dtype",
    "linalg.eig": "complex also where all eigenvalues happen to be real",
    "linalg.eigvals": "complex also where all eigenvalues happen to be real",
    "linalg.matrix_norm": "a matrix without elements has norm 0; NumPy 2.2 refuses it",
    "linalg.matrix_rank": "a matrix without elements has rank 0; NumPy 2.2 refuses it",
    "linalg.pinv": "the default rtol is max(M, N) * eps and not 1e-15",
    "linalg.vector_norm": "a vector without elements has norm 0; NumPy 2.2 refuses it for ord=inf",
    "log1p": "complex: both parts are accurate near 0 and near abs(1 + x) == 1",
    "repeat": "repeats may be uint64",
    "searchsorted": "a Python scalar takes the array's dtype; sorter may be uint64",
    "sign": "complex: right also where abs(x) overflows or is subnormal",
    "sort": "takes descending, stable by default, NaN last in both orders",
    "std": "nan where there are no more elements than the correction",
    "take_along_axis": "the last axis is the default, which NumPy 2.2 lacks",
    "tanh": "complex: tanh(inf + yj) is 1 + 0j with y's sign on the zero",
    "var": "nan where there are no more elements than the correction",
}
