"""How accurate products of matrices are: rungs of a ladder, their bounds, and which one a call takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any, Final, NamedTuple, get_args

from .dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType
from .settings import Precision

__all__ = ["RUNGS", "Accuracy", "Precision", "PrecisionError", "choose_rung", "product_bound", "transform_bound", "transform_rung"]

RUNGS: Final[tuple[Precision, ...]] = get_args(Precision)
"""From the cheapest to the most accurate one."""
_U: Final = 2.0**-24
_DENSE: Final = 1024  # points of transforms that are one product
_SPLIT: Final = {"bfloat16": 2.0**-7 + 2.0**-16, "bfloat16x3": 2.0**-13 + 2.0**-21}
"""What rounding or splitting operands loses of a product; of three products, low times low with it."""


class PrecisionError(ArithmeticError):
    """No way to compute meets the error that was asked for."""


class Accuracy(NamedTuple):
    """
    How a result was computed, and what its error is at most.

    Parameters
    ----------
    rung : str
        Of `config(precision=)`.
    bound : float, or Array of one for each matrix of a stack
        Of products, the largest ``|C - C'| / (|A| |B|)`` of an element, where nothing overflows or is below the normal range;
        of transforms, the relative error in the 2-norm, infinite where none is known; of solutions, the largest error of a column,
        relative to its largest element, which is computed with them.
    slices : int, optional
        Of each operand, where products are made of slices: those that ordinary operands take.
    iterations : int, optional
        Of refinement.
    condition : float, or Array, optional
        Estimated, of a system, in the maximum norm.
    """

    rung: Precision
    bound: Any
    slices: int | None = None
    iterations: int | None = None
    condition: Any = None


def product_bound(rung: Precision, depth: int, dtype: DType = FLOAT32) -> float:
    """
    Bound the error of a product on a Neuron device, relative to the sum of magnitudes.

    In any order of summation: with u = 2**-24, (min(K, 128) + ceil(K / 128) + 5) u for sums of float32 in PSUM.

    Examples
    --------
    >>> from trnarray.backends.precision import product_bound
    >>> [f"{product_bound(rung, 1024):.1e}" for rung in ("bfloat16", "bfloat16x3", "float32", "float32-exact")]
    ['7.8e-03', '1.3e-04', '8.4e-06', '6.0e-08']
    """
    planes = dtype in (COMPLEX64, COMPLEX128)
    if dtype in (FLOAT64, COMPLEX128):
        return 2.0**-52
    if rung in ("float32-exact", "float64"):
        return _U + 2.0**-52
    terms = depth * (3 if rung == "bfloat16x3" else 1) * (1 + planes)
    sums = (min(terms, 128) + -(-terms // 128) + 5) * _U
    return sums + _SPLIT.get(rung, 0.0) * (1 + sums)


def transform_bound(rung: Precision, lengths: Sequence[int], dtype: DType = FLOAT32) -> float:
    """
    Bound the error of a Fourier transform on a Neuron device, relative to its norm; infinite where no bound is known.

    Parts of transforms of n points err by (n + 3) u of the sum of n magnitudes, which in the norm is at most its square root, and by what
    rounding both operands of products loses.

    Examples
    --------
    >>> from trnarray.backends.precision import transform_bound
    >>> [f"{transform_bound(rung, [64]):.1e}" for rung in ("bfloat16", "float32", "float64")], transform_bound("float32", [4096])
    (['6.3e-02', '3.2e-05', '6.0e-08'], inf)
    """
    wide = dtype in (FLOAT64, COMPLEX128)
    if wide or rung in ("float32-exact", "float64"):
        return len(lengths) * (2 * sqrt(max(lengths)) + 8) * 2.0**-53 + (0.0 if wide else _U)
    lost = _SPLIT["bfloat16"] if rung == "bfloat16" else 0.0
    return sum(((n + 3) * _U * (1 + lost) + lost) * sqrt(n) if n <= _DENSE else inf for n in lengths)


def transform_rung(precision: Precision | None, target: float | None, lengths: Sequence[int], dtype: DType) -> Precision:
    """Choose how to compute a Fourier transform: the cheapest rung whose bound meets a target; float32 for the one below it."""
    wide = dtype in (FLOAT64, COMPLEX128)
    least: Precision = "float64" if wide else precision or ("float32" if target is None else "bfloat16")
    for rung in RUNGS[RUNGS.index(least) :]:
        if rung != "bfloat16x3" and (target is None or transform_bound(rung, lengths, dtype) <= target):
            return rung
    best = transform_bound("float64", lengths, dtype)
    remedy = "compute with more digits on the host" if wide else "give float64 operands"
    raise PrecisionError(f"a transform of {dtype} errs by up to {best:.2g} of its norm, not {target:.2g}; {remedy}")


def choose_rung(precision: Precision | None, target: float | None, dtype: DType, depth: int) -> Precision:
    """Choose how to multiply matrices of float32, complex64, float64 or complex128: the cheapest rung whose bound meets a target."""
    wide = dtype in (FLOAT64, COMPLEX128)
    least: Precision = "float64" if wide else precision or ("float32" if target is None else "bfloat16")
    if target is None:
        return least
    for rung in RUNGS[RUNGS.index(least) :]:
        if product_bound(rung, depth, dtype) <= target:
            return rung
    best = product_bound("float64", depth, dtype)
    remedy = "compute with more digits on the host" if wide else "give float64 operands"
    raise PrecisionError(f"a product of {dtype} over {depth} terms errs by up to {best:.2g} of |A| |B|, not {target:.2g}; {remedy}")
