"""`Array._apply` under the types of what it returns, bound once: a chapter's function is one call of it.

A function that does nothing else, with the parameters of its host function, may have a short way to that besides: `direct`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from types import CodeType
from typing import Any, Final, TypeVar, cast

from ._array import Array
from ._array.base import ATOMS
from .backends.device import CPU
from .backends.op import Op

__all__ = ["apply", "apply_for_list", "apply_for_tuple", "direct"]

_F = TypeVar("_F", bound=Callable[..., Any])
_plain_values: Final = Array._plain_values
_wrap_results: Final = Array._wrap_results

apply: Final[Callable[..., Array]] = Array._apply
apply_for_tuple: Final[Callable[..., tuple[Array, ...]]] = Array._apply
apply_for_list: Final[Callable[..., list[Array]]] = Array._apply


def direct(ops: Mapping[str, Op]) -> Callable[[_F], _F]:
    """
    Make a decorator that hands the host function what was passed, and no defaults, if it can take that as it is.

    The steps that this leaves out are few, but taken while the caches hold another library's code.

    Parameters
    ----------
    ops : mapping of str to Op
        Has the Op that a function of the name applies.

    Returns
    -------
    callable
        The decorator. A function stays as it is where its host function has other parameters, as in another version.
    """

    def decorate(function: _F) -> _F:
        op = ops[function.__name__]
        host, tick = op.host, op.tick
        if _parameters(host) != _parameters(function):
            return function

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            values = _plain_values(args, ATOMS)
            if values is None:
                return function(*args, **kwargs)
            if not kwargs:
                tick()
                return _wrap_results(host(*values), CPU)
            if not ATOMS.issuperset(map(type, kwargs.values())):
                return function(*args, **kwargs)
            tick()
            return _wrap_results(host(*values, **kwargs), CPU)

        return cast(_F, call)

    return decorate


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """Give the names of a function's parameters, in order."""
    code: CodeType = inspect.unwrap(function).__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)]
