"""
Signatures of what goes along one axis: accumulations, differences of neighbours, sums of areas.

Their `axis` is an int, or None for that of the elements in a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .attributes import asked_dtype, common_dtype, flat_axis, index_axis, target
from .call import Call, NotNativeError, Output, Reader, SignatureKind
from .reduction import check_truth

if TYPE_CHECKING:
    from ..dtypes import DType

__all__ = [
    "accumulation", "areas", "differences", "ends", "gradient", "phases", "standard_accumulation", "ufunc_accumulation", "ufunc_segments",
]  # fmt: skip


def accumulation(reader: Reader, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Call:
    """Read ``numpy.cumsum`` and what is like it."""
    value = reader.array(a)
    return _accumulated(reader, value, flat_axis(axis, value.ndim), asked_dtype(dtype), target(out), "unsafe")


def _accumulated(reader: Reader, value: Any, axis: int | None, dtype: DType | None, into: Any, casting: str, **more: Any) -> Call:
    if into is not None and dtype is None:
        dtype = common_dtype(reader, value.dtype, into.dtype)
    return Call((value,), {"axis": axis, "dtype": dtype, **more}, None if into is None else Output((into,), casting=casting))


def standard_accumulation(
    reader: Reader, x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: Any = False
) -> Call:
    """Read the standard's ``cumulative_sum`` and ``cumulative_prod``, which take arrays of several axes with one of them only."""
    value = reader.array(x)
    if axis is None and value.ndim > 1:
        raise ValueError("axis must be given for arrays of more than one axis")
    along, into = flat_axis(axis, value.ndim), target(out)
    if not include_initial:
        return _accumulated(reader, value, along, asked_dtype(dtype), into, "unsafe")
    call = _accumulated(reader, value, along, asked_dtype(dtype), None, "", include_initial=True)
    return call._replace(output=None if into is None else Output((into,)))


def ufunc_accumulation(name: str) -> SignatureKind:
    """Read ``ufunc.accumulate``."""

    def read(reader: Reader, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Call:
        value = reader.array(array)
        if not value.ndim:
            raise TypeError("cannot accumulate on a scalar: give an array of one axis or more")
        if name.startswith("bitwise") and value.dtype.kind not in "biu":
            raise TypeError(f"{value.dtype} has no bits that are combined; convert the array to integers first")
        into = target(out)
        check_truth(name, asked_dtype(dtype))
        if into is not None and dtype is None and name.startswith("logical"):
            return Call((value,), {"axis": flat_axis(axis, value.ndim), "dtype": None}, Output((into,), casting="unsafe"))
        return _accumulated(reader, value, flat_axis(axis, value.ndim), asked_dtype(dtype), into, "unsafe")

    return read


def ufunc_segments(name: str) -> SignatureKind:
    """Read ``ufunc.reduceat``."""

    def read(reader: Reader, array: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Call:
        value = reader.array(array)
        along = flat_axis(axis, value.ndim)
        if out is not None or along is None:
            raise NotNativeError("slices are reduced one after the other, to new memory")
        starts = np.asarray(reader.known(indices))
        beyond = starts[(starts < 0) | (starts >= value.shape[along])]
        if beyond.size:
            raise IndexError(f"index {beyond.reshape(-1)[0]} out-of-bounds in {name}.reduceat [0, {value.shape[along]})")
        return Call((value, starts), {"axis": along, "dtype": asked_dtype(dtype)})

    return read


def differences(reader: Reader, a: Any, n: int = 1, axis: Any = -1, prepend: Any = np._NoValue, append: Any = np._NoValue) -> Call:
    """Read ``numpy.diff``: what is to come before or after the array, else None."""
    value = reader.array(a)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if value.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    before, after = (None if end is None or end is np._NoValue else reader.array(end) for end in (prepend, append))
    ends = {name: end for name, end in (("prepend", before), ("append", after)) if end is not None}
    return Call((value,), {"n": n, "axis": index_axis(axis, value.ndim), **ends})


def ends(reader: Reader, ary: Any, to_end: Any = None, to_begin: Any = None) -> Call:
    """Read ``numpy.ediff1d``."""
    value = reader.array(ary)
    found = {name: None if end is None else reader.array(end) for name, end in (("to_end", to_end), ("to_begin", to_begin))}
    for end in found.values():
        if end is not None and not reader.promotion.can_cast(end.dtype, value.dtype, "same_kind"):
            raise TypeError(f"an end of dtype {end.dtype} is not compatible with the array's {value.dtype}; cast it with astype")
    return Call((value,), found)


def areas(reader: Reader, y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Call:
    """Read ``numpy.trapezoid``."""
    value = reader.array(y)
    attributes = {"dx": dx, "axis": index_axis(axis, value.ndim)}
    if x is None:
        return Call((value,), attributes)
    samples = reader.array(x)
    if samples.ndim not in (1, value.ndim):
        raise NotNativeError("samples of other axes than the values have are looked at on the host")
    return Call((value, samples), attributes)


def phases(reader: Reader, p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 2 * np.pi) -> Call:
    """Read ``numpy.unwrap``."""
    value = reader.array(p)
    along = index_axis(axis, value.ndim)
    if value.dtype.kind == "c":
        raise TypeError("phases are real numbers; unwrap the angle of complex ones")
    if any(reader.is_array(item) for item in (period, discont)):
        raise NotNativeError("periods that are arrays are looked at on the host")
    return Call((value,), {"discont": discont, "axis": along, "period": period})


def gradient(reader: Reader, f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Call:
    """Read ``numpy.gradient``: the steps along each axis are operands, and `axis` is an int where the result is no tuple."""
    value = reader.array(f)
    if edge_order not in (1, 2):
        raise ValueError("'edge_order' greater than 2 not supported")
    given = range(value.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = tuple([index_axis(one, value.ndim) for one in given])
    if len(set(axes)) != len(axes):
        raise ValueError("repeated axis")
    steps = [reader.operand(step) for step in varargs] or [1.0]
    if len(steps) == 1 and not getattr(steps[0], "shape", ()):
        steps *= len(axes)
    if len(steps) != len(axes):
        raise TypeError("invalid number of arguments")
    for one, step in zip(axes, steps, strict=True):
        length, shape = value.shape[one], getattr(step, "shape", ())
        if length < edge_order + 1:
            raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
        if value.dtype.kind == "b" and (edge_order == 1 or not shape):
            raise TypeError("bools are not subtracted; convert to integers")
        if shape not in ((), (length,)):
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    several = len(axes) != 1 or (axis is None and value.ndim > 1) or isinstance(axis, tuple)
    return Call((value, *steps), {"axis": axes if several else axes[0], "edge_order": edge_order})
