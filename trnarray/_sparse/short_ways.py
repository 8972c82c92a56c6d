"""The short ways from sparse arrays to SciPy's: what was passed is handed on as it is, where all of it is on the host.

Each kind of callable has its own, since a step less shows: methods know their first operand, operators have one other, and functions may
have operands anywhere. Whatever does not go a short way is run as the callable itself says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final, TypeVar, cast

import numpy as np

from .._apply import parameter_names, short_way
from .._array import Array
from .._array.base import ATOMS, SCALARS, are_atoms
from ..backends.device import CPU, Device
from ..backends.dtypes import KINDS, LAST_PLAIN
from ..backends.ops.sparse import METHODS, SparseOp
from ..backends.settings import get_config
from ..backends.shape import MAX_DIMS
from .base import SPARSE_CLASSES, WRAPPERS, wrap_result

__all__ = ["direct", "direct_function", "direct_on_first", "direct_operator", "operand_values", "operator_values"]

_F = TypeVar("_F", bound=Callable[..., Any])
_Unwrap = Callable[..., Any]
_Wrap = Callable[[Any, Device], Any]
_NOT_GIVEN: Final = object()


def _unwrapping(atoms: frozenset[type[Any]] = ATOMS, array: type[Array] | None = Array) -> _Unwrap:
    """
    Make a function that unwraps operands which SciPy takes as they are: sparse arrays and Arrays on the host, and others with them.

    NumPy's and SciPy's arrays are among the others where Arrays go this way, and where no transfer is looked after. What it gives is what
    SciPy takes, the very object if there is no array of ours in it; None if there are other operands. The checks stand twice, as a call for
    each item of a tuple or list costs more than they do.
    """

    def plain(x: Any, depth: int = 0) -> Any:
        kind = type(x)
        if kind is array:
            return x._value if x._device is CPU and x._value.dtype.num <= LAST_PLAIN else None
        if kind is not tuple and kind is not list:
            if kind in SPARSE_CLASSES:
                return x._value if x._device is CPU else None
            return x if kind in atoms or (array is not None and _could_be_ours(x, kind)) else None
        if depth > MAX_DIMS:  # the long way refuses it
            return None
        values = []
        arrays = False
        for item in x:
            if type(item) is array:
                if item._device is not CPU:
                    return None
                item = item._value
                if item.dtype.num > LAST_PLAIN:
                    return None
                arrays = True
            elif type(item) in SPARSE_CLASSES:
                if item._device is not CPU:
                    return None
                item = item._value
                arrays = True
            elif type(item) not in atoms:
                value = nested(item, depth + 1)
                if value is None:
                    return None
                if value is not item:
                    item = value
                    arrays = True
            values.append(item)
        if not arrays:
            return x
        return values if kind is list else tuple(values)

    nested: _Unwrap = plain if atoms is ATOMS else lambda _item, _depth: None
    return plain


def _could_be_ours(x: Any, kind: type[Any]) -> bool:
    """Tell whether one of NumPy's or SciPy's arrays may be the value of one of ours without more ado."""
    elements = x if kind is np.ndarray else x.data if kind in WRAPPERS else None
    if elements is None or elements.dtype not in KINDS or elements.dtype.num > LAST_PLAIN:
        return False
    return get_config().host_transfer is None


operand_values: Final = _unwrapping()
"""Gives the values of the operands of a function or a method."""
operator_values: Final = _unwrapping(SCALARS)
"""Gives those of an operator, for which other types answer themselves."""
_sparse_values: Final = _unwrapping(array=None)
"""Gives those of a function that makes matrices of Arrays, or of a method that writes to one."""


def direct(name: str, wrap: _Wrap = wrap_result) -> Callable[[_F], _F]:
    """
    Make a decorator that gives a method the short way to that of SciPy's sparse arrays, which has the same name and parameters.

    It is `short_way` for methods: the first operand is known, and SciPy's method is looked up at it without a function in between.
    """
    tick = METHODS[name].tick

    def decorate(method: _F) -> _F:
        unwrap = _sparse_values if "out" in parameter_names(method) else operand_values

        @wraps(method)
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            values = args if not args or are_atoms(args) else unwrap(args)
            if self._device is not CPU or values is None or (kwargs and not are_atoms(kwargs.values())):
                return method(self, *args, **kwargs)
            tick()
            value = self._value
            result = getattr(value, name)(*values, **kwargs)
            return self if result is value else wrap(result, CPU)

        return cast(_F, call)

    return decorate


def direct_operator(op: SparseOp, unwrap: _Unwrap = operand_values, *, reflected: bool = False) -> Callable[[_F], _F]:
    """Make a decorator that gives a method of one other operand the short way to the function of its Op."""
    function, tick = op.function, op.tick

    def decorate(method: _F) -> _F:
        @wraps(method)
        def call(self: Any, other: Any) -> Any:
            value = unwrap(other)
            if value is None or self._device is not CPU:
                return method(self, other)
            tick()
            return wrap_result(function(value, self._value) if reflected else function(self._value, value), CPU)

        return cast(_F, call)

    return decorate


def direct_function(
    ops: Mapping[str, SparseOp],
    *,
    unwrap: _Unwrap = _sparse_values,
    wrap: _Wrap = wrap_result,
    apart: frozenset[str] = frozenset(),
    atoms: frozenset[type[Any]] = ATOMS,
) -> Callable[[_F], _F]:
    """Make a decorator that gives a function the short way to SciPy's, where this version has it with the same parameters."""

    def decorate(function: _F) -> _F:
        op = _same_in_scipy(ops, function, apart)
        if op is None:
            return function
        return short_way(function, op.plain, op.tick, unwrap, wrap, apart=apart, atoms=atoms)

    return decorate


def direct_on_first(
    ops: Mapping[str, SparseOp],
    *,
    unwrap: _Unwrap = _sparse_values,
    wrap: _Wrap = wrap_result,
    apart: frozenset[str] = frozenset(),
) -> Callable[[_F], _F]:
    """Make a decorator like `direct_function`, with fewer steps, of a function whose first operand alone says whether there are arrays."""

    def decorate(function: _F) -> _F:
        op = _same_in_scipy(ops, function, apart)
        if op is None:
            return function
        host, tick = op.plain, op.tick

        @wraps(function)
        def call(first: Any = _NOT_GIVEN, /, *rest: Any, **named: Any) -> Any:
            value = unwrap(first)
            values: Any = rest
            if rest and not are_atoms(rest):
                values = unwrap(rest)
            if (
                value is None
                or value is first
                or values is None
                or (named and not (apart.isdisjoint(named) and are_atoms(named.values())))
            ):
                return function(*rest, **named) if first is _NOT_GIVEN else function(first, *rest, **named)
            tick()
            result = host(value, *values, **named) if rest or named else host(value)
            return first if result is value else wrap(result, CPU)

        return cast(_F, call)

    return decorate


def _same_in_scipy(ops: Mapping[str, SparseOp], function: Callable[..., Any], apart: frozenset[str]) -> SparseOp | None:
    """Give the Op of a function, if SciPy's has the same parameters but for those apart."""

    def names(function: Callable[..., Any]) -> list[str]:
        return [name for name in parameter_names(function) if name not in apart]

    op = ops.get(function.__name__)
    return op if op is not None and names(op.plain) == names(function) else None
