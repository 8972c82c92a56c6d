"""Signatures of what joins arrays: the operand is a list of arrays, `dtype` the result's; casts to it are checked here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..shape import checked_axis
from .attributes import asked_dtype, check_cast, index_axis, target
from .call import Call, Output, Reader, SignatureKind

__all__ = ["append", "as_columns", "block", "check_shapes", "columns", "concatenate", "leaves", "lifted", "stack"]


def _joined(reader: Reader, values: list[Any], into: Any, dtype: Any, casting: str, **axis: int | None) -> Call:
    if into is not None and dtype is not None:
        raise TypeError("concatenate() takes out or dtype, not both: the dtype is that of out")
    wanted = asked_dtype(dtype) if into is None else into.dtype
    if wanted is None:
        wanted = reader.promotion.result_type(*[value.dtype for value in values])
    for value in values:
        check_cast(value.dtype, wanted, casting)
    return Call((values,), {**axis, "dtype": wanted}, None if into is None else Output((into,), casting=casting))


def check_shapes(shapes: Sequence[tuple[int, ...]], axis: int) -> None:
    """Check that arrays agree in all axes but the one along which they are joined."""
    first = shapes[0]
    for number, shape in enumerate(shapes):
        if shape[:axis] != first[:axis] or shape[axis + 1 :] != first[axis + 1 :] or len(shape) != len(first):
            raise ValueError(
                f"array {number} has shape {shape} and array 0 has {first}; they must agree in all axes but axis {axis}"
            )


def as_columns(array: Any) -> Any:
    """Look at a vector as a matrix of one column."""
    return array if array.ndim >= 2 else np.atleast_1d(array)[:, np.newaxis]  # a matrix


def concatenate(reader: Reader, arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Call:
    """Read ``numpy.concatenate``, which joins the elements in a row where axis is None."""
    values = reader.arrays(arrays)
    if not values:
        raise ValueError("need at least one array to concatenate")
    if axis is not None:
        if not all(value.shape for value in values):
            raise ValueError("zero-dimensional arrays cannot be concatenated; make them 1-d, or use stack")
        axis = checked_axis(axis, values[0].ndim)
        check_shapes([value.shape for value in values], axis)
    return _joined(reader, values, target(out), dtype, casting, axis=axis)


def append(reader: Reader, arr: Any, values: Any, axis: Any = None) -> Call:
    """Read ``numpy.append``."""
    call = concatenate(reader, [arr, values], axis)
    return Call(tuple(call.operands[0]), {"axis": call.attributes["axis"]})


def stack(reader: Reader, arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Call:
    """Read ``numpy.stack``, whose axis is the result's."""
    values = reader.arrays(arrays)
    if not values:
        raise ValueError("need at least one array to stack")
    shapes = sorted({value.shape for value in values})
    if len(shapes) != 1:
        raise ValueError(f"all arrays to stack must have the same shape, and they have {shapes}")
    return _joined(reader, values, target(out), dtype, casting, axis=index_axis(axis, values[0].ndim + 1))


def columns(reader: Reader, arrays: Any) -> Call:
    """Read ``numpy.column_stack``, which takes vectors for columns."""
    values = reader.arrays(arrays)
    if not values:
        raise ValueError("need at least one array to concatenate")
    check_shapes([as_columns(np.broadcast_to(np.False_, value.shape)).shape for value in values], 1)
    return Call((values,), {})


def lifted(lift: Callable[[Any], Any], axis: int | None) -> SignatureKind:
    """Read ``numpy.vstack`` and what is like it: arrays get axes first; None is axis 0 of vectors and 1 of all others."""

    def read(reader: Reader, arrays: Any, *, dtype: Any = None, casting: str = "same_kind") -> Call:
        values = reader.arrays(arrays)
        if not values:
            raise ValueError("need at least one array to concatenate")
        shapes = [lift(np.broadcast_to(np.False_, value.shape)).shape for value in values]
        check_shapes(shapes, axis if axis is not None else 0 if len(shapes[0]) == 1 else 1)
        return _joined(reader, values, None, dtype, casting)

    return read


def _depth(blocks: Any) -> int:
    """Count how deep lists nest, which has to be the same everywhere."""
    if isinstance(blocks, tuple):
        raise TypeError("blocks are lists of arrays, not tuples, which would be ambiguous")
    if not isinstance(blocks, list):
        return 0
    if not blocks:
        raise ValueError("a list of blocks cannot be empty")
    depths = {_depth(item) for item in blocks}
    if len(depths) != 1:
        raise ValueError(f"list depths are mismatched: blocks nest {sorted(depths)} deep in one list")
    return 1 + depths.pop()


def leaves(blocks: Any) -> list[Any]:
    """List what nested lists hold."""
    return [leaf for item in blocks for leaf in leaves(item)] if isinstance(blocks, list) else [blocks]


def block(reader: Reader, arrays: Any) -> Call:
    """Read ``numpy.block``: lists nest to one depth, and hold arrays."""
    _depth(arrays)
    values = iter(reader.arrays(leaves(arrays)))

    def taken(item: Any) -> Any:
        return [taken(one) for one in item] if isinstance(item, list) else next(values)

    return Call((taken(arrays),), {})
