"""Signatures of products: operands fit, axes are counted from the first one, and `out` has the axes of the result's matrices."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..rules import broadcast_shapes
from .attributes import asked_dtype, check_cast, index_axis, output, target
from .call import Call, NotNativeError, Output, Reader, SignatureKind
from .elementwise import ufunc_output

__all__ = ["cross", "cross_of_vectors", "dot", "kron", "matmul", "matrix_power", "of_vectors", "outer", "outer_of_vectors", "tensordot"]

_REFUSED = "it has parameters that are looked after on the host"


def _arrays(reader: Reader, *operands: Any) -> list[Any]:
    taken = [reader.operand(item) for item in operands]
    if not all(reader.is_array(item) for item in taken):
        raise NotNativeError(_REFUSED)
    return taken


def _product(
    a: Any, b: Any, lengths: tuple[int, int], batch: tuple[int, ...], core: tuple[int, ...], out: Any, casting: str, dtype: Any, **more: Any
) -> Call:
    """Read what products that are universal functions have in common."""
    if lengths[0] != lengths[1]:
        raise ValueError(
            f"shapes {a.shape} and {b.shape} do not fit: the axes to sum over have {lengths[0]} and {lengths[1]} elements, "
            "and must have as many"
        )
    wanted = asked_dtype(dtype)
    if wanted is not None:
        for value in (a, b):
            check_cast(value.dtype, wanted, casting)
    into = target(out)
    if into is not None and into.shape[into.ndim - len(core) :] != core:
        raise ValueError(f"the result has shape {batch + core} and out has {into.shape}; their last axes must be equal")
    return Call((a, b), {"dtype": wanted, **more}, None if into is None else Output((into,), casting=casting, broadcasts=True))


def matmul(reader: Reader, x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None, casting: str = "same_kind", **others: Any) -> Call:
    """Read ``numpy.matmul``."""
    a, b = _arrays(reader, x1, x2)
    if others:
        raise NotNativeError(_REFUSED)
    if not a.ndim or not b.ndim:
        raise ValueError("matmul: Input operand does not have enough dimensions: 0-d operands are multiplied with *")
    batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    lengths = a.shape[-1], b.shape[-2] if b.ndim > 1 else b.shape[0]
    return _product(a, b, lengths, batch, a.shape[-2:-1] + (b.shape[-1:] if b.ndim > 1 else ()), out, casting, dtype)


def of_vectors(first: bool, second: bool) -> SignatureKind:
    """Read ``numpy.vecdot``, ``matvec`` and ``vecmat``, by which operands are vectors."""

    def read(
        reader: Reader, x1: Any, x2: Any, /, out: Any = None, *, axis: Any = -1, dtype: Any = None, casting: str = "same_kind",
        **others: Any,
    ) -> Call:  # fmt: skip
        a, b = _arrays(reader, x1, x2)
        if others:
            raise NotNativeError(_REFUSED)
        if min(a.ndim, b.ndim) == 0 or any(value.ndim < 2 for value, vector in ((a, first), (b, second)) if not vector):
            raise ValueError(f"operands of shapes {a.shape} and {b.shape} do not have enough dimensions")
        axes = index_axis(axis, a.ndim), index_axis(axis, b.ndim)
        lengths = a.shape[axes[0]], b.shape[axes[1]] if second else b.shape[-2]
        core = (() if first else a.shape[-2:-1]) + (() if second else b.shape[-1:])
        batches = [value.shape[: -1 if vector else -2] for value, vector in ((a, first), (b, second))]
        more = {"axis": operator.index(axis)} if axis != -1 else {}
        return _product(a, b, lengths, () if more else broadcast_shapes(*batches), core, out, casting, dtype, **more)

    return read


def dot(reader: Reader, a: Any, b: Any, out: Any = None) -> Call:
    """Read ``numpy.dot``, which multiplies what has no axes, and writes to memory of the very result's dtype else."""
    left, right = reader.operand(a), reader.operand(b)
    if not getattr(left, "shape", ()) or not getattr(right, "shape", ()):
        return Call((left, right), {}, ufunc_output(reader, 1, out))
    into = target(out)
    if into is None:
        return Call((left, right), {})
    wanted = reader.promotion.result_type(left.dtype, right.dtype)
    if into.dtype != wanted or not into.flags.c_contiguous:
        raise ValueError(f"out of dot must be {wanted} in C order, and it is {into.dtype}; give such memory, or use matmul")
    return Call((left, right), {}, Output((into,)))


def tensordot(reader: Reader, a: Any, b: Any, axes: Any = 2) -> Call:
    """Read ``numpy.tensordot``: axes are two tuples."""
    left, right = _arrays(reader, a, b)
    if isinstance(axes, (int, np.integer)):
        if axes > min(left.ndim, right.ndim):
            raise IndexError(f"axes={axes} is more than the operands have, which are of shapes {left.shape} and {right.shape}")
        pair: Sequence[Any] = range(left.ndim - int(axes), left.ndim), range(int(axes))
    else:
        pair = [[one] if isinstance(one, (int, np.integer)) else one for one in axes]
    ours, theirs = (tuple([int(axis) % max(1, item.ndim) for axis in some]) for item, some in zip((left, right), pair, strict=True))
    if len(ours) != len(theirs) or any(left.shape[x] != right.shape[y] for x, y in zip(ours, theirs, strict=True)):
        raise ValueError(f"shape-mismatch for sum: axes {ours} of {left.shape} and {theirs} of {right.shape} have different lengths")
    return Call((left, right), {"axes": (ours, theirs)})


def outer(reader: Reader, a: Any, b: Any, out: Any = None) -> Call:
    """Read ``numpy.outer``."""
    return Call((reader.array(a), reader.array(b)), {}, ufunc_output(reader, 1, out))


def outer_of_vectors(reader: Reader, x1: Any, x2: Any, /) -> Call:
    """Read ``numpy.linalg.outer``."""
    a, b = reader.array(x1), reader.array(x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"the outer product takes vectors, and these have {a.ndim} and {b.ndim} axes")
    return Call((a, b), {})


def kron(reader: Reader, a: Any, b: Any) -> Call:
    """Read ``numpy.kron``, and ``numpy.inner`` and ``numpy.vdot``, which take two arrays and nothing else, too."""
    return Call((reader.array(a), reader.array(b)), {})


_PLANE_VECTORS = tuple(map(int, np.__version__.split(".")[:2])) < (2, 5)  # which NumPy took, and warned of


def cross(reader: Reader, a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Call:
    """Read ``numpy.cross``: `axisa` and `axisb` of vectors in space, and `axisc` of the result."""
    left, right = reader.array(a), reader.array(b)
    if axis is not None:
        axisa = axisb = axisc = axis
    first, second = index_axis(axisa, left.ndim), index_axis(axisb, right.ndim)
    if left.shape[first] != 3 or right.shape[second] != 3:  # components of vectors in space
        if _PLANE_VECTORS:
            raise NotNativeError("cross products other than of three components are computed on the host")
        raise _no_vectors(left.shape[first], right.shape[second])
    if left.dtype.kind == right.dtype.kind == "b":
        raise TypeError("bools are not subtracted; convert to integers")
    return Call((left, right), {"axisa": first, "axisb": second, "axisc": index_axis(axisc, max(left.ndim, right.ndim))})


def cross_of_vectors(reader: Reader, x1: Any, x2: Any, /, *, axis: Any = -1) -> Call:
    """Read ``numpy.linalg.cross``."""
    a, b = reader.array(x1), reader.array(x2)
    if a.shape[axis] != 3 or b.shape[axis] != 3:  # components of vectors in space
        raise _no_vectors(a.shape[axis], b.shape[axis])
    if a.dtype.kind == b.dtype.kind == "b":
        raise TypeError("bools are not subtracted; convert to integers")
    return Call((a, b), {"axis": operator.index(axis)})


def _no_vectors(first: int, second: int) -> ValueError:
    return ValueError(f"cross products take vectors of 3 components, and these have {first} and {second}")


def chain(reader: Reader, arrays: Any, *, out: Any = None) -> Call:
    """Read ``numpy.linalg.multi_dot``."""
    factors = reader.arrays(arrays)
    if len(factors) < 2 or any(value.ndim != 2 for value in factors[1:-1]) or any(value.ndim not in (1, 2) for value in factors):
        raise NotNativeError("multi_dot takes two or more matrices, of which the first and the last may be vectors")
    return Call((factors,), {}, output(out))


def matrix_power(reader: Reader, a: Any, n: Any) -> Call:
    """Read ``numpy.linalg.matrix_power``."""
    value = reader.array(a)
    if value.ndim < 2 or value.shape[-1] != value.shape[-2]:  # rows and columns
        raise np.linalg.LinAlgError(f"powers are of square matrices, and the array has shape {value.shape}")
    return Call((value,), {"n": n})
