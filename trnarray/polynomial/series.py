"""What a module of `numpy.polynomial` has, made to compute on Arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from types import ModuleType
from typing import Any, Final

import numpy as np

from .._array import Array
from ..array_conversion import asarray
from ..backends.op import Op
from ..backends.rules import Dynamic

__all__ = ["series"]

_RULE: Final = Dynamic("zeros of the highest degrees are dropped")


def series(module: ModuleType) -> Callable[[str], Any]:
    """
    Make the ``__getattr__`` of a module that has what one of NumPy's has.

    Examples
    --------
    >>> import numpy.polynomial.chebyshev
    >>> series(numpy.polynomial.chebyshev)("chebdomain")
    Array([-1.,  1.], dtype=float64, device='cpu')
    """
    title = module.__name__.removeprefix("numpy.")

    @cache
    def find(name: str) -> Any:
        if name not in module.__all__:
            raise AttributeError(f"module 'trnarray.{title}' has no attribute {name!r}")
        value = getattr(module, name)
        if isinstance(value, np.ndarray):
            return asarray(value)
        if isinstance(value, type):
            return type(name, (_OnArrays, value), {"__module__": f"trnarray.{title}", "__doc__": value.__doc__})
        return _function(f"{title}.{name}", value)

    return find


def _function(name: str, host: Callable[..., Any]) -> Callable[..., Any]:
    op = Op(name, host, rule=_RULE)

    @wraps(host)
    def function(*args: Any, **kwargs: Any) -> Any:
        return Array._apply(op, *args, **kwargs)

    return function


def _host(value: Any) -> Any:
    """Bring what a series is made of, or computed at, to the host."""
    if type(value) is Array:
        return value._host()
    return type(value)(map(_host, value)) if type(value) in (list, tuple) else value


class _OnArrays:
    """Lets a class of NumPy's take Arrays, and give them as values and roots; coefficients stay on the host."""

    def __init__(self, coef: Any, domain: Any = None, window: Any = None, symbol: str = "x") -> None:
        super().__init__(_host(coef), _host(domain), _host(window), symbol)  # type: ignore[call-arg]

    def __call__(self, arg: Any) -> Any:
        value = super().__call__(_host(arg))  # type: ignore[misc]
        return asarray(value, device=arg.device if type(arg) is Array else None) if isinstance(value, (np.ndarray, np.generic)) else value

    def roots(self) -> Any:
        return asarray(super().roots())  # type: ignore[misc]

    def linspace(self, n: int = 100, domain: Any = None) -> Any:
        return tuple(map(asarray, super().linspace(n, _host(domain))))  # type: ignore[misc]

    @classmethod
    def fit(cls, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
        return super().fit(*map(_host, (x, y, *args)), **{key: _host(value) for key, value in kwargs.items()})  # type: ignore[misc]

    @classmethod
    def fromroots(cls, roots: Any, *args: Any, **kwargs: Any) -> Any:
        return super().fromroots(_host(roots), *map(_host, args), **{key: _host(value) for key, value in kwargs.items()})  # type: ignore[misc]
