"""
What a module of `numpy.polynomial` has, made to compute on Arrays.

Values, matrices of values and fits are computed where their operands are; sums and products of series, and their roots, on the host.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.polynomial.polyutils import mapparms

from .._array import Array
from .._placement import promotion_table
from .._scipy_compositions.operands import LeftToScipyError, device_of
from ..array_conversion import asarray
from ..backends.device import CPU
from ..backends.op import Op
from ..backends.policy import check_fallback
from ..backends.rules import Dynamic
from ..backends.settings import get_default_device
from .recurrences import COMPOSED

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
            own = {"__module__": f"trnarray.{title}", "__doc__": value.__doc__, "_prefix": module.__all__[0].removesuffix("zero")}
            return type(name, (_OnArrays, value), own)
        return _function(f"{title}.{name}", value)

    return find


def _function(name: str, host: Callable[..., Any]) -> Callable[..., Any]:
    short = name.rpartition(".")[2]
    if short.endswith(("gauss", "line")):
        return _constants(host)
    op, composed = Op(name, host, rule=_RULE), COMPOSED.get(short)

    @wraps(host)
    def function(*args: Any, **kwargs: Any) -> Any:
        if composed is not None and device_of(*args, *kwargs.values()) is not CPU:
            try:
                return composed(*args, **kwargs)
            except LeftToScipyError:
                pass
        return Array._apply(op, *args, **kwargs)

    return function


def _constants(host: Callable[..., Any]) -> Callable[..., Any]:
    """Make constants of parameters, in the floats that the default device has unless others are named."""

    def made(value: Any) -> Any:
        default = promotion_table(get_default_device()).default_float
        return asarray(value, dtype=default if value.dtype == np.float64 else None)

    @wraps(host)
    def function(*args: Any, **kwargs: Any) -> Any:
        found = host(*args, **kwargs)
        return tuple(map(made, found)) if type(found) is tuple else made(found)

    return function


def _on_device(*items: Any) -> bool:
    return (Array._device_among(items) or CPU) is not CPU


def _host(value: Any) -> Any:
    """Bring what a series is made of, or computed at, to the host."""
    if type(value) is Array:
        return value._host()
    return type(value)(map(_host, value)) if type(value) in (list, tuple) else value


class _OnArrays:
    """Lets a class of NumPy's take Arrays, and give them as values and roots; coefficients stay on the host."""

    _prefix: str

    def __init__(self, coef: Any, domain: Any = None, window: Any = None, symbol: str = "x") -> None:
        super().__init__(_host(coef), _host(domain), _host(window), symbol)  # type: ignore[call-arg]

    def __call__(self, arg: Any) -> Any:
        if _on_device(arg):
            series: Any = self
            offset, scale = map(float, series.mapparms())
            moved = arg if (offset, scale) == (0, 1) else offset + scale * arg
            return COMPOSED[self._prefix + "val"](moved, series.coef.tolist())
        value = super().__call__(_host(arg))  # type: ignore[misc]
        return asarray(value, device=arg.device if type(arg) is Array else None) if isinstance(value, (np.ndarray, np.generic)) else value

    def roots(self) -> Any:
        return asarray(super().roots())  # type: ignore[misc]

    def linspace(self, n: int = 100, domain: Any = None) -> Any:
        return tuple(map(asarray, super().linspace(n, _host(domain))))  # type: ignore[misc]

    @classmethod
    def fit(cls, x: Any, y: Any, deg: Any, domain: Any = None, *args: Any, **kwargs: Any) -> Any:
        if _on_device(x, y):
            try:
                return cls._fit_there(x, y, deg, domain, *args, **kwargs)
            except LeftToScipyError:
                check_fallback(f"polynomial.{cls.__name__}.fit", str(getattr(y, "dtype", "")), "it has no kernel; NumPy computes it")
        return super().fit(*map(_host, (x, y, deg, domain, *args)), **{key: _host(value) for key, value in kwargs.items()})  # type: ignore[misc]

    @classmethod
    def _fit_there(
        cls,
        x: Any,
        y: Any,
        deg: Any,
        domain: Any,
        rcond: Any = None,
        full: Any = False,
        w: Any = None,
        window: Any = None,
        symbol: str = "x",
    ) -> Any:
        """Fit on the device; the coefficients are fetched, and the ends of the domain."""
        series: Any = cls
        given = series.window if window is None else np.asarray(_host(window))
        if domain is None:
            low, high = float(x.min()), float(x.max())
            domain = [low, high] if low < high else [low - 1, high + 1]
        elif type(domain) is list and not domain:
            domain = series.domain
        offset, scale = map(float, mapparms(np.asarray(_host(domain), float), given))
        coefficients = COMPOSED[cls._prefix + "fit"](offset + scale * x, y, deg, rcond, full, w)
        return cls(coefficients.tolist(), domain, given, symbol)

    @classmethod
    def fromroots(cls, roots: Any, *args: Any, **kwargs: Any) -> Any:
        return super().fromroots(_host(roots), *map(_host, args), **{key: _host(value) for key, value in kwargs.items()})  # type: ignore[misc]
