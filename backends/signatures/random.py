"""Signatures of draws: what is drawn from, parameters that are numbers or arrays, and the shape of the draws, to which they broadcast."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from ..counter_based.stream import Stream
from ..dtypes import DType, is_low_precision
from ..rules import broadcast_shapes
from .attributes import asked_dtype, output
from .call import Call, NotNativeError, Reader, SignatureKind

__all__ = ["choice", "in_dtype", "integers", "numbers", "order", "permuted", "vectors"]

_REFUSED: Final = "NumPy says what is wrong"
Shape = tuple[int, ...]


def _check_stream(generator: Any) -> None:
    if not isinstance(generator, Stream):
        raise NotNativeError("bit generators of NumPy draw on the host; Philox4x32 draws there and on devices")


def _broadcast(operands: tuple[Any, ...], size: Shape | None) -> Shape:
    """Give the shape of draws: that of the parameters, or a size to which they broadcast."""
    shape: Shape = broadcast_shapes(*[getattr(item, "shape", ()) for item in operands])
    if size is None:
        return shape
    if broadcast_shapes(shape, size) != size:
        raise ValueError(f"size is {size}, to which parameters of shape {shape} do not broadcast")
    return size


def numbers(*defaults: float) -> SignatureKind:
    """Read draws from a distribution, whose last parameters need not be given where they have defaults."""

    def read(reader: Reader, generator: Any, *parameters: Any, size: Shape | None = None) -> Call:
        _check_stream(generator)
        operands = tuple([reader.operand(item) for item in (*parameters, *defaults[len(parameters) :])])
        return Call((generator, *operands), {"size": _broadcast(operands, size)})

    return read


def in_dtype(
    reader: Reader, generator: Any, *parameters: Any, size: Shape | None = None, dtype: Any = None, out: Any = None, method: str = "zig"
) -> Call:
    """Read draws of floats of a dtype, or into an array, which has that dtype; methods differ on the host alone."""
    _check_stream(generator)
    wanted: DType = asked_dtype(dtype) or reader.promotion.default_float
    if not (wanted.kind == "f" or is_low_precision(wanted)):
        raise TypeError(f"draws are of floats, not of {wanted}")
    if method not in ("zig", "inv"):
        raise NotNativeError(_REFUSED)
    operands = tuple([reader.operand(item) for item in parameters])
    if out is not None and (out.dtype != wanted or size not in (None, out.shape) or _broadcast((*operands, out), None) != out.shape):
        raise NotNativeError(_REFUSED)
    shape = _broadcast(operands, size if out is None else out.shape)
    return Call((generator, *operands), {"size": shape, "dtype": wanted}, output(out))


def integers(
    reader: Reader, generator: Any, low: Any, high: Any = None, *, size: Shape | None = None, dtype: Any = None, endpoint: Any = False
) -> Call:
    """Read integers between two bounds, of which the first one is 0 where one is given."""
    _check_stream(generator)
    operands = tuple([reader.operand(item) for item in ((0, low) if high is None else (low, high))])
    found = {"size": _broadcast(operands, size), "dtype": asked_dtype(dtype), "endpoint": bool(endpoint)}
    return Call((generator, *operands), found)


def vectors(reader: Reader, generator: Any, *parameters: Any, size: Shape | None = None) -> Call:
    """Read draws of vectors, of whose shapes rules know."""
    _check_stream(generator)
    return Call((generator, *[reader.operand(item) for item in parameters]), {"size": size})


# Elements of arrays


def _elements(reader: Reader, x: Any) -> Any:
    """Read an array, or a number that stands for the integers below it."""
    return operator.index(x) if isinstance(x, (int, np.integer)) else reader.array(x)


def _axis(axis: Any, x: Any) -> int:
    ndim = 1 if isinstance(x, int) else x.ndim
    if type(axis) is not int or not -ndim <= axis < ndim:
        raise NotNativeError(_REFUSED)
    return axis % ndim


def order(reader: Reader, generator: Any, x: Any, *, axis: Any = 0) -> Call:
    """Read ``permutation`` and ``shuffle``."""
    _check_stream(generator)
    taken = _elements(reader, x)
    return Call((generator, taken), {"axis": _axis(axis, taken)})


def permuted(reader: Reader, generator: Any, x: Any, *, axis: Any = None, out: Any = None) -> Call:
    """Read ``permuted``, into an array of the same shape and dtype, too."""
    _check_stream(generator)
    taken = reader.array(x)
    if out is not None and (out.shape, out.dtype) != (taken.shape, taken.dtype):
        raise NotNativeError(_REFUSED)
    return Call((generator, taken), {"axis": None if axis is None else _axis(axis, taken)}, output(out))


def choice(
    reader: Reader, generator: Any, a: Any, p: Any = None, *, size: Shape | None = None, replace: Any = True, axis: Any = 0,
    shuffle: Any = True,
) -> Call:  # fmt: skip
    """Read ``choice``; weights stay as they are given, since the host reads them."""
    _check_stream(generator)
    taken = _elements(reader, a)
    if type(replace) is not bool:
        raise NotNativeError(_REFUSED)
    found = {"size": size or (), "replace": replace, "axis": 0 if isinstance(taken, int) else _axis(axis, taken), "shuffle": bool(shuffle)}
    return Call((generator, taken, p), found)
