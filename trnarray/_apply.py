"""`Array._apply` under the types of what it returns, bound once: a chapter's function is one call of it.

A function that does nothing else, with the parameters of its host function, may have a short way to that besides: `direct`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import CodeType
from typing import Any, Final, TypeVar, cast

from ._array import Array
from ._array.base import ATOMS, are_atoms
from .backends.device import CPU, Device
from .backends.op import Op
from .backends.settings import get_default_device

__all__ = ["apply", "apply_for_list", "apply_for_tuple", "direct", "parameter_names", "plain_parameters", "short_way"]

_F = TypeVar("_F", bound=Callable[..., Any])
_VARARGS: Final = 0x04  # inspect.CO_VARARGS, without the import, which takes longer than ours

apply: Final[Callable[..., Array]] = Array._apply
apply_for_tuple: Final[Callable[..., tuple[Array, ...]]] = Array._apply
apply_for_list: Final[Callable[..., list[Array]]] = Array._apply


def direct(ops: Mapping[str, Op], *, creates: bool = False) -> Callable[[_F], _F]:
    """Make a decorator that gives a function the short way to the host function of its Op, where they have the same parameters."""

    def decorate(function: _F) -> _F:
        op = ops[function.__name__]
        if parameter_names(op.host) != parameter_names(function):
            return function
        return short_way(function, op.host, op.tick, plain_parameters if creates else Array._plain_values, Array._wrap_results)

    return decorate


def plain_parameters(operands: tuple[Any, ...]) -> list[Any] | None:
    """Give parameters alone as they are, where the default device is the host; unwrap others as if Arrays were needed."""
    return [*operands] if are_atoms(operands) and get_default_device() is CPU else Array._plain_values(operands)


def short_way(
    function: _F,
    host: Callable[..., Any],
    tick: Callable[[], Any],
    unwrap: Callable[[tuple[Any, ...]], Sequence[Any] | None],
    wrap: Callable[[Any, Device], Any],
    *,
    apart: frozenset[str] = frozenset({"out"}),
    atoms: frozenset[type[Any]] = ATOMS,
) -> _F:
    """
    Make a function that hands a host function what was passed, and no defaults, if that can take it as it is.

    The steps that this leaves out are few, but they are taken while the caches hold another library's code.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        values = unwrap(args)
        if values is None or values is args:
            return function(*args, **kwargs)
        if not kwargs:
            tick()
            result = host(*values)
        else:
            arrays: dict[str, Any] = {}  # what is replaced by its value
            for name, value in kwargs.items():
                kind = type(value)
                if name in apart:
                    return function(*args, **kwargs | arrays)
                if kind not in atoms and not ((kind is tuple or kind is list) and atoms is ATOMS and are_atoms(value)):
                    found = unwrap((value,))
                    if found is None:
                        return function(*args, **kwargs | arrays)
                    arrays[name] = value
                    kwargs[name] = found[0]
            tick()
            result = host(*values, **kwargs)
        return args[0] if values and result is values[0] else wrap(result, CPU)

    return cast(_F, call)


def parameter_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """
    Give the names of a function's parameters, in order.

    Examples
    --------
    >>> parameter_names(lambda a, *rest, b: 0)
    ('a', 'b', 'rest')
    """
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code: CodeType = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & _VARARGS)]
