"""Transforms whose precision the call chooses, and what their error is at most."""

from __future__ import annotations

from math import log2
from typing import Any, Final

from ._apply import apply
from ._array import Array
from ._operand import as_operands
from ._typing import ArrayLike
from .backends.device import CPU
from .backends.dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, is_double
from .backends.op import Op
from .backends.precision import Accuracy, Precision, transform_bound, transform_rung
from .backends.settings import config

__all__ = ["computed"]

_HALVED: Final = ("rfft", "ihfft", "rfft2", "rfftn")
"""Transforms of real numbers, whose last axis is longer than that of the result."""


def computed(
    op: Op, a: ArrayLike, parameters: tuple[Any, Any, Any], out: Array | None,
    precision: Precision | None, target: float | None, tells: bool,
) -> Any:  # fmt: skip
    """Compute a transform of numpy.fft with settings of its own, and tell its accuracy."""
    given = {"precision": precision, "target_forward_error": target}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    with config(**changes) as settings:
        (x,) = as_operands(a)
        more = {} if out is None else {"out": out}
        if x.device != CPU:
            found = apply(op, x, *parameters, **more)
        else:
            wide = {FLOAT32: FLOAT64, COMPLEX64: COMPLEX128}.get(x.dtype) if settings.precision in ("float32-exact", "float64") else None
            found = apply(op, x if wide is None else x.astype(wide), *parameters, **more)
            if wide is not None and out is None:
                found = found.astype(COMPLEX64 if found.dtype.kind == "c" else FLOAT32)
        if not tells:
            return found
        lengths = _lengths(op.name.rpartition(".")[2], x, found, *parameters[:2])
        return found, _accuracy(x, found, lengths, settings.precision, settings.target_forward_error)


def _lengths(name: str, x: Array, found: Array, sizes: Any, axes: Any) -> list[int]:
    if name[-1] in "2n":
        along = [*axes] if axes is not None else [*range(-(x.ndim if sizes is None else len(sizes)), 0)]
        last = None if sizes is None else sizes[-1]
    else:
        along, last = [axes], sizes
    lengths = [found.shape[axis] for axis in along]
    if name in _HALVED:
        lengths[-1] = x.shape[along[-1]] if last is None or last == -1 else last
    return lengths


def _accuracy(x: Array, found: Array, lengths: list[int], precision: Precision | None, target: float | None) -> Accuracy:
    dtype = COMPLEX128 if is_double(found.dtype) else COMPLEX64
    if x.device == CPU:  # Higham, Accuracy and Stability, theorem 24.2, for three transforms of up to four times the length
        exact = precision in ("float32-exact", "float64") and not is_double(dtype)
        unit = 2.0**-53 if exact or is_double(dtype) else 2.0**-24
        bound = sum(21 * log2(4 * n) * unit for n in lengths) + (2.0**-24 if exact else 0.0)
        return Accuracy(("float32-exact" if exact else "float64" if is_double(dtype) else "float32"), bound)
    rung = transform_rung(precision, target, lengths, dtype)
    if rung == "float64" and not is_double(dtype):
        rung = "float32-exact"
    return Accuracy(rung, transform_bound(rung, lengths, dtype), None if rung in ("bfloat16", "float32") else 8)
