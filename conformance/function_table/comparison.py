"""Comparison of a result with NumPy's: containers, dtypes, shapes, and values within a tolerance."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...backends.dtypes import KINDS, LOW_PRECISION, DType, real_of
from ...backends.limits import finfo
from .row import Tolerance

__all__ = ["FAMILIES", "Mismatch", "compare_errors", "compare_values", "families", "leaves", "skeleton"]

# Not Exception: an assertion or a crash of the machinery is no answer of the function that is called.
FAMILIES: Final = (
    *(ValueError, TypeError, IndexError, KeyError, ArithmeticError),
    *(AttributeError, NotImplementedError, MemoryError, BufferError),
)
_FLOAT32_UNIT: Final = 2.0**-24


class Mismatch(AssertionError):  # noqa: N818  # what it reports is the error
    """The result is not NumPy's; the message says in what."""


def families(error: BaseException) -> frozenset[type[BaseException]]:
    """Tell of which kinds an exception is."""
    return frozenset(family for family in FAMILIES if isinstance(error, family))


def compare_errors(
    got: BaseException | None, want: BaseException | None, alike: tuple[type[BaseException], ...] = ()
) -> None:
    """Require that both calls raised an exception of one kind, or none."""
    if want is None and got is not None:
        raise Mismatch(f"raises {_show(got)}, where NumPy gives a result")
    if want is not None and got is None:
        raise Mismatch(f"gives a result, where NumPy raises {_show(want)}")
    if got is not None and want is not None and not families(got) & families(want):
        if isinstance(got, alike) and isinstance(want, alike):
            return
        raise Mismatch(f"raises {_show(got)}, where NumPy raises {_show(want)}")


def _show(error: BaseException) -> str:
    lines = str(error).splitlines()
    return f"{type(error).__name__}({lines[0] if lines else ''})"


def leaves(result: Any, array_type: type) -> list[Any]:
    """List the arrays in a result."""
    if isinstance(result, (array_type, np.ndarray, np.generic)):
        return [result]
    if isinstance(result, (tuple, list)):
        return [leaf for item in result for leaf in leaves(item, array_type)]
    return []


def skeleton(result: Any, array_type: type) -> Any:
    """Describe a result without its arrays."""
    if isinstance(result, (array_type, np.ndarray, np.generic)):
        return "array"
    if isinstance(result, (tuple, list)):
        kind = getattr(result, "_fields", type(result).__name__)
        return kind, [skeleton(item, array_type) for item in result]
    if isinstance(result, float) and result != result:
        return "nan"
    return type(result).__name__, result


def compare_values(
    got: npt.NDArray[Any], want: npt.NDArray[Any], tolerance: Tolerance, magnitude: npt.NDArray[Any] | None, dtype: DType
) -> None:
    """Require that an array is NumPy's within a tolerance."""
    if KINDS[dtype] == "complex floating":
        both = np.isnan(got) & np.isnan(want)  # whichever part it is in
        scale = magnitude
        if scale is None and tolerance.roundoffs:  # a complex number is accurate as a whole, not part by part
            scale = np.abs(want)
            if tolerance.scale == "norm":
                scale = np.where(np.isfinite(scale), scale, 0).max(initial=0)
        for part, wanted in ((got.real, want.real), (got.imag, want.imag)):
            _compare_real(np.where(both, 0, part), np.where(both, 0, wanted), tolerance, scale, real_of(dtype))
    else:
        _compare_real(got, want, tolerance, magnitude, dtype)


def _compare_real(got: Any, want: Any, tolerance: Tolerance, magnitude: Any, dtype: DType) -> None:
    with np.errstate(all="ignore"):
        rounded = want.astype(dtype)
        if "floating" not in KINDS[dtype]:
            wrong = got != rounded
        else:
            same = (got == rounded) & (np.signbit(got) == np.signbit(rounded)) | np.isnan(got) & np.isnan(rounded)
            if same.all():
                return
            high = np.float64
            distance = np.abs(got.astype(high) - want.astype(high))
            wrong = ~(same | (distance <= _bound(want.astype(high), tolerance, magnitude, dtype)))
            if not tolerance.roundoffs:  # then the signs of zeros are meant, too
                wrong |= (got == 0) & (rounded == 0) & ~same
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        count = f"{int(wrong.sum())} of {wrong.size} differ"
        raise Mismatch(f"element {where} is {got[where]!r}, where NumPy gives {rounded[where]!r} ({count})")


def _bound(want: Any, tolerance: Tolerance, magnitude: Any, dtype: DType) -> Any:
    """Give the distance that is allowed."""
    if not tolerance.rounds:
        return 0.0
    about = finfo(dtype)
    value = np.abs(want)
    finite = np.where(np.isfinite(value), value, 0)
    if magnitude is not None:
        scale = np.abs(magnitude).astype(np.float64)
        scale = np.where(np.isfinite(scale), scale, finite)
    elif tolerance.scale == "norm":
        scale = finite.max(initial=0)
    else:
        scale = finite
    smallest = about.smallest_subnormal
    if dtype in LOW_PRECISION:
        spacing = np.maximum(about.eps * finite, smallest)
        return spacing + tolerance.roundoffs * _FLOAT32_UNIT * scale
    if not tolerance.roundoffs:
        return 0.0
    return tolerance.roundoffs * (about.eps / 2 * scale + smallest)
