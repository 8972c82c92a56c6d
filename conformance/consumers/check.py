"""A check: a call of another library on ndarrays and on Arrays, whose results are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

import trnarray

from ...backends.settings import get_default_device

__all__ = ["Call", "Consumer", "compare", "numbers"]

Call = Callable[[Any], Any]
"""Takes a namespace, numpy or trnarray, makes its operands there, and returns an array or a tuple of arrays."""
_ROUNDINGS: Final = 64  # units of roundoff that orders of summation may differ by, relative to the largest element


class Consumer(NamedTuple):
    """
    A library to check.

    Attributes
    ----------
    package : str
        Its name on the package index.
    module : str
        What is imported of it.
    checks : callable
        Imports it and returns its calls by name.
    limits : mapping
        The calls that cannot work with Arrays, and what it is in the library that stands in the way.
    """

    package: str
    module: str
    checks: Callable[[], Mapping[str, Call]]
    limits: Mapping[str, str] = MappingProxyType({})


def numbers(xp: Any, *shape: int) -> Any:
    """
    Make an operand, the same in every namespace.

    Examples
    --------
    >>> import trnarray
    >>> numbers(trnarray, 2, 3).shape
    (2, 3)
    """
    values = np.random.default_rng(shape).random(shape, dtype=np.float32)
    return xp.asarray(values.astype(xp.__array_namespace_info__().default_dtypes()["real floating"]))


def compare(call: Call) -> str | None:
    """Make a call on ndarrays and on Arrays, and compare what comes of it."""
    expected, got = list(_arrays(call(np))), list(_arrays(call(trnarray)))
    if len(got) != len(expected):
        return f"{len(got)} results in the place of {len(expected)}"
    for theirs, ours in zip(expected, got, strict=True):
        if not isinstance(ours, trnarray.Array):
            return f"a {type(ours).__module__}.{type(ours).__qualname__} in the place of an Array"
        if ours.device != get_default_device():
            return f"on {ours.device} in the place of {get_default_device()}"
        if ours.shape != np.shape(theirs):
            return f"shape {ours.shape} in the place of {np.shape(theirs)}"
        if ours.dtype.kind != np.asarray(theirs).dtype.kind:
            return f"dtype {ours.dtype} in the place of {np.asarray(theirs).dtype}"
        values = np.from_dlpack(ours, device="cpu")
        unit = float(trnarray.finfo(ours.dtype).eps) if values.dtype.kind in "fc" else 0.0
        finite = np.abs(theirs, where=np.isfinite(theirs), out=np.zeros(np.shape(theirs)))
        if not np.allclose(values, theirs, rtol=0.0, atol=_ROUNDINGS * unit * max(1.0, finite.max(initial=0.0)), equal_nan=True):
            return f"{values} is not {theirs}"
    return None


def _arrays(result: Any) -> Iterator[Any]:
    if isinstance(result, Sequence):
        for each in result:
            yield from _arrays(each)
    else:
        yield result
