"""Functions that users give to SciPy: they compute where the data of the call are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from types import MethodType
from typing import Any, Final

import numpy as np

from ..backends.device import CPU
from .conversion import Conversion, Held

__all__ = ["CALLBACKS", "OF_NUMBERS", "WRITING", "calling", "has_callback", "in_threads", "on_device"]

_CALLBACKS: Final = (
    "Dfun F accept_test bc bc_jac bw_method callback cdf center compute_distance constraints derivative derivative2 detrend events f "
    "f_eqcons f_ieqcons fhess fhess_p fprime fprime2 fprime_eqcons fprime_ieqcons fun fun_jac func function gfun grad hess hessp hfun jac "
    "loss mapping matmat matvec metric myfprime norm objective pdf qfun rfun rmatmat rmatvec rvs sort statistic take_step test tol_norm "
    "wavelet weigher"
)
CALLBACKS: Final = frozenset(_CALLBACKS.split())
"""The parameters that SciPy documents as functions of data; ``workers``, ``optimizer``, ``method`` and ``plot`` take others."""
WRITING: Final = frozenset(f"scipy.ndimage.{name}" for name in ("generic_filter1d", "generic_gradient_magnitude", "generic_laplace"))
"""The functions that have theirs write to an array that they pass."""

_NUMBERS: Final = (
    "integrate.dblquad integrate.nquad integrate.quad integrate.tplquad optimize.bisect optimize.bracket optimize.brent optimize.brenth "
    "optimize.brentq optimize.fminbound optimize.golden optimize.minimize_scalar optimize.newton optimize.ridder optimize.root_scalar "
    "optimize.toms748"
)
OF_NUMBERS: Final = frozenset(f"scipy.{name}" for name in _NUMBERS.split())
"""The functions that step by numbers: without Arrays no data move, and what the user's function gives is fetched as any number is."""

_CURRENT: Final[ContextVar[Conversion]] = ContextVar("conversion of the call of SciPy's that calls back")


@contextmanager
def calling(conversion: Conversion) -> Iterator[None]:
    """Have functions of the user's that were given before, as those of a constraint, compute where the data of this call are."""
    token = _CURRENT.set(conversion)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def on_device(item: Any, conversion: Conversion, writes: bool = False) -> Any:
    """
    Wrap the functions in an argument, which may be a function, a tuple or list of such, or a dict that has some, as constraints are.

    `writes` says that they give their results by writing to an array that they are given.
    """
    if type(item) in (list, tuple):
        return type(item)([on_device(each, conversion, writes) for each in item])
    if isinstance(item, dict):
        return {key: on_device(each, conversion, writes) if key in CALLBACKS else each for key, each in item.items()}
    return _Callback(item, conversion, writes) if _is_users(item) else item


def has_callback(item: Any) -> bool:
    """Tell whether an argument has functions in it that would be wrapped."""
    if type(item) in (list, tuple):
        return any(map(has_callback, item))
    if isinstance(item, dict):
        return any(key in CALLBACKS and has_callback(each) for key, each in item.items())
    return _is_users(item)


def in_threads(workers: int) -> Callable[..., Any]:
    """Give the map that calls functions in threads, since another process cannot use the device."""
    return ThreadPoolExecutor(workers).map


def _is_users(item: Any) -> bool:
    """Tell whether something is a function of the user's: neither a ufunc, nor an array, nor a class, nor one of SciPy's own."""
    if not callable(item) or isinstance(item, (Held, np.ufunc, type)) or hasattr(item, "dtype"):
        return False
    return not (getattr(item, "__module__", None) or type(item).__module__).startswith(("scipy.", "numpy", "ctypes", "_ctypes"))


class _Callback:
    """
    The function that SciPy calls: ndarrays become Arrays in the dtype of the user's data, and the result is fetched once.

    Exceptions pass through unchanged. On the cpu the memory is shared, as SciPy shares it. It pickles, for pools of processes, and its
    attributes are those of the user's function.
    """

    __slots__ = ("_conversion", "_function", "_writes")

    def __init__(self, function: Any, conversion: Conversion, writes: bool) -> None:
        object.__setattr__(self, "_function", function)
        object.__setattr__(self, "_conversion", conversion)
        object.__setattr__(self, "_writes", writes)

    @property
    def __wrapped__(self) -> Any:
        return self._function

    def __getattr__(self, name: str) -> Any:
        if name in _Callback.__slots__:  # not set yet
            raise AttributeError(name)
        return getattr(self._function, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._function, name, value)  # scipy.optimize.basinhopping changes the size of steps

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self if owner is None else MethodType(self, owner)  # as scipy.interpolate.Rbf binds it

    def __reduce__(self) -> tuple[type[Any], tuple[Any, ...]]:
        return _Callback, (self._function, self._conversion, self._writes)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        current = _CURRENT.get(self._conversion)
        shown = [current.to_device(item) for item in args]
        result = self._function(*shown, **{key: current.to_device(item) for key, item in kwargs.items()})
        if self._writes:
            for item, array in zip(args, shown, strict=True):
                if type(item) is np.ndarray and item.flags.writeable and not (current.device is CPU and array.dtype == item.dtype):
                    item[...] = current.to_host(array)
        return current.to_host(result)
