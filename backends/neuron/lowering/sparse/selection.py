"""Ops whose stored elements depend on which values are zero, which the device tells the host, and those that set elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ....rules.sparse import is_packed
from .. import Builder, Lowerings, NotNativeError
from ..op_calls import as_positions
from .rearrangement import Numbers, as_canonical, not_zero, packed_like, scipy_function
from .structure import positions_on_device

__all__: list[str] = []


def _numbers(builder: Builder, packed: Any) -> tuple[Numbers, Any]:
    """Make SciPy's array of the numbers of values, with 0 for zeros."""
    if not packed[2][0].size:
        raise NotNativeError("arrays that store nothing are made on the host")
    numbers = Numbers(builder, 1.0, 0.0)
    array = numbers.of(packed)
    array.data[~not_zero(builder, packed[2][0])] = 0
    return numbers, array


def _eliminate_zeros(builder: Builder, packed: Any) -> Any:
    numbers, array = _numbers(builder, packed)
    found = scipy_function("eliminate_zeros")(array)
    return packed_like(builder, found, numbers.take(found.data, packed[2][0].dtype))


def _nonzero(builder: Builder, packed: Any) -> Any:
    _, array = _numbers(builder, as_canonical(builder, packed))
    return tuple(positions_on_device(builder, one) for one in array.nonzero())


def _find(builder: Builder, packed: Any) -> Any:
    numbers, array = _numbers(builder, as_canonical(builder, packed))
    *where, found = scipy_function("find")(array)
    return (*(positions_on_device(builder, one) for one in where), numbers.take(found, packed[2][0].dtype))


def _count_nonzero(builder: Builder, packed: Any, *, axis: int | None = None) -> Any:
    _, array = _numbers(builder, as_canonical(builder, packed))
    found = array.count_nonzero() if axis is None else array.count_nonzero(axis=axis)
    return int(found) if np.ndim(found) == 0 else as_positions(builder, builder.from_host(found.astype(np.int32), copy=True))


def _set(name: str, place: int) -> Callable[..., Any]:
    """Make the lowering of an Op that writes given values, the argument at a place, to elements."""

    def run(builder: Builder, packed: Any, *args: Any, **options: Any) -> Any:
        packed, given = as_canonical(builder, packed), list(args)
        numbers = Numbers(builder)
        array = numbers.of(packed)
        for number, item in enumerate(given):
            if number == place and not is_packed(item):
                given[number] = numbers.of_values(builder.array(item))
            else:
                given[number] = numbers.of(item)
        found = scipy_function(name)(array, *given, **options)
        if np.any(found.data.imag > 1):
            raise NotNativeError("elements that are sums are computed on the host")
        return packed_like(builder, found, numbers.take(found.data.real, packed[2][0].dtype))

    return run


LOWERINGS: Final[Lowerings] = {
    "sparse.count_nonzero": _count_nonzero,
    "sparse.eliminate_zeros": _eliminate_zeros,
    "sparse.find": _find,
    "sparse.nonzero": _nonzero,
    "sparse.setdiag": _set("setdiag", 0),
    "sparse.setitem": _set("setitem", 1),
}
