"""Ops that treat an array as a set: it is sorted, and the first of equal neighbours stands for all.

How many there are is the shape of the result: the device counts them, and that number is fetched, which counts as a transfer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ...dtypes import BOOL, FLOAT32, INT32
from ...op import get_op
from ...ops import sets as _ops  # noqa: F401  # registers them
from ..build import cast, iota, reshape
from ..graph import Node
from ..value import Value
from . import NotNativeError
from .calls import call, converted
from .joining import concatenate, flat, value_of
from .order import Keys, numbers_of, places_of, sort_keys
from .pieces import assemble, constant
from .sorting import sort_along

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []


class _Runs(NamedTuple):
    """An array in order, where its elements were, and which ones differ from the one before."""

    numbers: Value
    places: Node
    first: Value

    def kept(self, engine: NeuronEngine, value: Value) -> Value:
        """Keep what belongs to the first one of each run."""
        result: Value = call(engine, "getitem", value, self.first)
        return result


def _runs(engine: NeuronEngine, value: Value, equal_nan: bool) -> _Runs:
    keys = sort_along(engine, flat(value), 0)
    numbers = numbers_of(engine, keys, value.dtype)
    assert keys.trailing is not None
    after, before = numbers.view(numbers.shadow[1:]), numbers.view(numbers.shadow[:-1])
    new = call(engine, "not_equal", after, before)
    if equal_nan and value.dtype.kind not in "biu":
        new = call(engine, "logical_and", new, call(engine, "logical_not", call(engine, "isnan", before)))
    pieces = [((slice(1),), constant(True, (), BOOL)), ((slice(1, None),), new.read())]
    return _Runs(numbers, places_of(keys.trailing), assemble(engine, numbers.shape, BOOL, pieces))


def _starts(engine: NeuronEngine, runs: _Runs) -> Value:
    """Find where runs begin."""
    return runs.kept(engine, engine.make((iota(runs.numbers.size),), INT32))


def _counts(engine: NeuronEngine, runs: _Runs) -> Value:
    starts = _starts(engine, runs)
    end = call(engine, "full", (1,), runs.numbers.size, INT32)
    result: Value = call(engine, "diff", concatenate(engine, [starts, end], 0))
    return result


def _indices(engine: NeuronEngine, runs: _Runs) -> Value:
    return runs.kept(engine, engine.make((runs.places,), INT32))


def _inverse(engine: NeuronEngine, runs: _Runs, shape: tuple[int, ...]) -> Value:
    """Give runs numbers, and bring these back to where the elements were, by a sort."""
    number = call(engine, "subtract", call(engine, "cumsum", converted(engine, runs.first, INT32)), 1)
    back = sort_keys(Keys(cast(runs.places, FLOAT32), None, FLOAT32), cast(number.read()[0], FLOAT32)).trailing
    assert back is not None
    return engine.make((reshape(cast(back, INT32), shape),), INT32)


def _distinct(engine: NeuronEngine, x: Any, indices: bool, inverse: bool, counts: bool, equal_nan: bool) -> tuple[Value, ...]:
    value = value_of(engine, x)
    if value.size == 0:
        wanted = [shape for shape, asked in (((0,), indices), (value.shape, inverse), ((0,), counts)) if asked]
        nothing = [call(engine, "zeros", shape, INT32) for shape in wanted]
        return (engine.make(flat(value).read(), value.dtype), *nothing)
    runs = _runs(engine, value, equal_nan)
    found = [runs.kept(engine, runs.numbers)]
    if indices:
        found.append(_indices(engine, runs))
    if inverse:
        found.append(_inverse(engine, runs, value.shape))
    if counts:
        found.append(_counts(engine, runs))
    return tuple(found)


def _unique(
    engine: NeuronEngine, x: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: Any = None, *, equal_nan: bool = True,
) -> Any:  # fmt: skip
    if axis is not None:
        raise NotNativeError("distinct slices are found on the host")
    found = _distinct(engine, x, return_index, return_inverse, return_counts, equal_nan)
    return found if len(found) > 1 else found[0]


def _standard(indices: bool, inverse: bool, counts: bool) -> Callable[..., Any]:
    def run(engine: NeuronEngine, x: Any) -> Any:
        return _distinct(engine, x, indices, inverse, counts, equal_nan=False)

    return run


def _unique_values(engine: NeuronEngine, x: Any) -> Value:
    return _distinct(engine, x, False, False, False, equal_nan=False)[0]


def _as_set(engine: NeuronEngine, x: Any, assume_unique: bool) -> Value:
    return flat(value_of(engine, x)) if assume_unique else _distinct(engine, x, False, False, False, equal_nan=True)[0]


def _among(engine: NeuronEngine, value: Value, others: Value, invert: bool) -> Value:
    result: Value = call(engine, "getitem", value, call(engine, "isin", value, others, invert=invert))
    return result


def _union(engine: NeuronEngine, one: Any, other: Any) -> Value:
    return _as_set(engine, concatenate(engine, [flat(value_of(engine, item)) for item in (one, other)], 0), False)


def _intersection(engine: NeuronEngine, one: Any, other: Any, assume_unique: bool = False, return_indices: bool = False) -> Value:
    if return_indices:
        raise NotNativeError("indices of common values are found on the host")
    values, others = (_as_set(engine, item, assume_unique) for item in (one, other))
    common = converted(engine, _among(engine, values, others, False), engine.promotion.result_type(values.dtype, others.dtype))
    result: Value = call(engine, "sort", common)
    return result


def _difference(engine: NeuronEngine, one: Any, other: Any, assume_unique: bool = False) -> Value:
    return _among(engine, _as_set(engine, one, assume_unique), flat(value_of(engine, other)), True)


def _exclusive(engine: NeuronEngine, one: Any, other: Any, assume_unique: bool = False) -> Value:
    values, others = (_as_set(engine, item, assume_unique) for item in (one, other))
    parts = [_among(engine, values, others, True), _among(engine, others, values, True)]
    result: Value = call(engine, "sort", concatenate(engine, parts, 0))
    return result


def _register() -> None:
    table: dict[str, Callable[..., Any]] = {
        "unique": _unique,
        "unique_all": _standard(True, True, True),
        "unique_counts": _standard(False, False, True),
        "unique_inverse": _standard(False, True, False),
        "unique_values": _unique_values,
        "union1d": _union,
        "intersect1d": _intersection,
        "setdiff1d": _difference,
        "setxor1d": _exclusive,
    }
    for name, function in table.items():
        get_op(name).implement("neuron", function)


_register()
