"""Sequences as operands: each operand of a call in turn is a list, a tuple or a range, and counts as an array of the documented dtype."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import trnarray

from ..._placement import promotion_table
from ...backends.device import Device
from ...backends.dtypes import DType
from ...backends.promotion import PromotionTable
from ...backends.settings import config
from .calls import CALLS
from .finding import Finding
from .operands import ARRAYS, evaluate

__all__ = ["KINDS", "arguments", "at", "calls", "check", "named", "places", "replaced"]

_Place = tuple[int | str, ...]
_Array = npt.NDArray[Any]

# Functions without operands, that only look at them, write to them, or take lists for something else than arrays.
_OTHER: Final = frozenset(
    (
        *("array", "array2string", "array_repr", "array_str", "astype", "block", "can_cast", "common_type", "copyto", "einsum_path"),
        *("empty", "empty_like", "fill_diagonal", "histogramdd", "may_share_memory", "min_scalar_type", "ndim", "place"),
        *("put", "put_along_axis", "putmask", "result_type", "save", "savetxt", "savez", "savez_compressed", "shape", "shares_memory"),
        "size",
    )
)
# Where the last bit decides; where an empty list is one of indices; where `sorter` does not sort; where an operand is `out`.
_UNLIKE: Final = {
    *{("polydiv", "w, v[:3]"), ("linalg.tensorsolve", "rooted((2, 3, 6)), M[:2, :3], axes=None"), ("ix_", "v[:0], i")},
    *{("searchsorted", "v, w, sorter=k"), ("trace", "T, 0, 0, 1, None, new(4)")},
}
# Their results are floats, which keep nothing of small differences of large integers; and one that refuses what does not fit.
_OF_SMALL: Final = frozenset({"corrcoef", "cov", "nanstd", "nanvar", "std", "var", "polydiv", "polyfit", "insert"})

_WIDE_FLOATS: Final = frozenset(map(np.dtype, ("float64", "complex128")))
_WIDE_INTEGERS: Final = _WIDE_FLOATS | {np.dtype(np.int64), np.dtype(np.uint64)}
_WIDE: Final[Mapping[str, DType]] = {kind: np.dtype(name) for kind, name in zip("fciu", ("f8", "c16", "i8", "i8"), strict=True)}


def _tuples(values: Any) -> Any:
    return tuple(map(_tuples, values)) if isinstance(values, list) else values


def _scalars(array: _Array) -> Any:
    return [_scalars(row) for row in array] if array.ndim > 1 else list(array)


KINDS: Final[Mapping[str, Callable[[_Array], Any]]] = {
    "list": lambda array: array.tolist(),
    "tuple": lambda array: _tuples(array.tolist()),
    "large": lambda array: array.tolist(),
    "range": lambda array: range(*array.shape),
    "scalars": _scalars,
}
"""What an operand is made: integers that int32 does not hold are large, and scalars are NumPy's."""


class _Captured(BaseException):
    """A call that is not made."""

    def __init__(self, call: Any) -> None:
        self.call: Final = call


def calls(path: str, dtype: str) -> Iterator[str]:
    """Give the calls of a function whose operands may be sequences."""
    for text in CALLS[path] if path not in _OTHER else ():
        left_out = "like=" in text or "complex128" in text or (dtype.startswith("int") and "out=" in text)
        if (path, text) not in _UNLIKE and not left_out:
            yield text


def named(path: str, module: Any) -> Any:
    """Find a function."""
    for name in path.split("."):
        module = getattr(module, name, None)
    return module


def arguments(text: str, dtype: str, convert: Callable[[_Array], Any]) -> Any:
    """Evaluate what stands between the parentheses of a call."""

    def capture(*args: Any, **kwargs: Any) -> None:
        raise _Captured((args, kwargs))

    try:
        evaluate(compile(f"call({text})", "<call>", "eval"), capture, np.dtype(dtype), dict.fromkeys(ARRAYS, convert))
    except _Captured as captured:
        return captured.call
    raise AssertionError(text)


def places(item: Any, kinds: Any, place: _Place = ()) -> Iterator[_Place]:
    """Find the operands of some types, in sequences, too."""
    if isinstance(item, kinds):
        yield place
    elif isinstance(item, (list, tuple, dict)):
        for key, each in item.items() if isinstance(item, dict) else enumerate(item):
            yield from places(each, kinds, (*place, key))


def at(item: Any, place: _Place) -> Any:
    """Give what is at a place."""
    return reduce(lambda within, key: within[key], place, item)


def replaced(item: Any, place: _Place, new: Any) -> Any:
    """Put another operand at a place."""
    if not place:
        return new
    key, *rest = place
    if isinstance(item, dict):
        return item | {key: replaced(item[key], tuple(rest), new)}
    return type(item)([replaced(each, tuple(rest), new) if number == key else each for number, each in enumerate(item)])


def check(path: str, text: str, dtype: str, kind: str, device: Device) -> Iterator[Finding | None]:
    """Make a call with each of its operands in turn a sequence beside Arrays, and compare with NumPy."""
    theirs, ours = named(path, np), named(path, trnarray)
    for place in places(arguments(text, dtype, np.asarray), np.ndarray):
        call, given = arguments(text, dtype, np.asarray), arguments(text, dtype, lambda array: trnarray.asarray(array, device=device))
        others = [at(call, other).dtype for other in places(call, (np.ndarray, np.generic)) if other != place]
        alone = not any(other != place for other in places(given, trnarray.Array))
        table = promotion_table(device)
        taken = None if alone or place[1] == "out" else _taken(path, at(call, place), kind, dtype, others, table)
        if taken is None:
            continue
        sequence, array = taken
        args, kwargs = replaced(call, place, array)
        with np.errstate(all="ignore"):
            try:
                wanted = _leaves(theirs(*args, **kwargs))
            except (TypeError, ValueError):
                continue  # the dtype has no such function
        args, kwargs = replaced(given, place, sequence)
        difference: str | None
        try:
            with config(fallback="allow"):
                difference = _difference(_leaves(ours(*args, **kwargs)), wanted, array.dtype, device)
        except Exception as error:  # noqa: BLE001  # whatever it is, NumPy takes the call
            difference = f"{type(error).__name__}: {error}"
        yield None if difference is None else Finding(f"{path}({text}) on {dtype}, {kind} at {place}", difference, False)


def _taken(path: str, values: _Array, kind: str, dtype: str, others: list[DType], table: PromotionTable) -> tuple[Any, _Array] | None:
    """Give the sequence that takes an operand's place, and the array that it counts as; None if there is none."""
    whole = values.dtype.kind in "iu"
    if not values.ndim or (kind == "range" and (values.ndim > 1 or not whole or path.startswith("polynomial"))):
        return None  # NumPy's polynomials take no ranges
    if kind == "large":
        if values.dtype != np.int32 or dtype != "int32" or path in _OF_SMALL:
            return None
        values = np.arange(values.size).reshape(values.shape) % 5 + 2**31
    elif kind == "range":
        values = np.arange(*values.shape)
    elif values.dtype.kind in "fc":
        values = values * 1.1  # which float32 does not hold
    what = values.dtype.kind
    if kind == "scalars" or what == "b":
        return KINDS[kind](values), values
    if kind == "large" or any(other in (_WIDE_INTEGERS if what in "iu" else _WIDE_FLOATS) for other in others):
        return KINDS[kind](values), values.astype(_WIDE[what])
    defaults = {"f": table.default_float, "c": table.default_complex}
    return KINDS[kind](values), values.astype(defaults.get(what, table.default_int))


def _leaves(result: Any) -> list[Any]:
    return [leaf for item in result for leaf in _leaves(item)] if isinstance(result, (tuple, list)) else [result]


def _difference(found: list[Any], wanted: list[Any], dtype: Any, device: Device) -> str | None:
    """Tell how results differ; a step in another order than NumPy's counts as none, nor does the device's narrower dtype."""
    for one, other in zip(found, wanted, strict=True):
        if not isinstance(one, trnarray.Array):
            continue
        if one.device is not device:
            return f"the result is on {one.device}"
        if dtype == np.float64 and one.dtype.kind in "fc" and one.dtype != other.dtype:
            return f"the result is {one.dtype}, and NumPy's {other.dtype}"
        # Some are of condition up to 1000.
        roundoff = 0 if one.dtype.kind in "biu" else 1e3 * float(np.finfo(one.dtype).eps)
        host = np.asarray(one.tolist())
        if host.shape != np.shape(other) or not np.allclose(host, other, roundoff, roundoff, equal_nan=True):
            return f"the result is {host.tolist()!s:.80}, and NumPy's {np.asarray(other).tolist()!s:.80}"
    return None
