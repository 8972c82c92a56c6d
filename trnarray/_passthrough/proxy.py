"""The call of SciPy's functions with Arrays, and the proxies of SciPy's objects and classes."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any, Final

import numpy as np

from .._array import Array
from .._scipy_compositions.composition import composed_object, method_of, run
from .._sparse.base import SparseBase
from ..backends.caller import call_from_there
from ..backends.device import CPU, Device, parse_device
from ..backends.dtypes import DType
from ..backends.policy import check_fallback
from ..backends.settings import get_default_device
from .callbacks import CALLBACKS, OF_NUMBERS, WRITING, calling, has_callback, in_threads, on_device
from .conversion import Conversion, Held, dtypes_of, leaves
from .designs import is_lost_in_float32
from .gradients import with_gradient
from .low_discrepancy import NATIVE

__all__ = ["Proxy", "ProxyClass", "pass_through", "proxy_of"]

_REASON: Final = "it has no kernel; SciPy computes it"
_COMPOSED: Final = "it has no kernel for these operands or options; SciPy computes it"
_TARGETS: Final = frozenset({"distances", "indices", "out", "output"})  # parameters for arrays that results are written to
_COMPUTE: Final = "call add radd sub rsub mul rmul matmul rmatmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow neg pos abs invert"
_LOOK: Final = "getitem setitem delitem len next reversed contains enter exit eq ne lt le gt ge hash bool complex float int index round"


def pass_through(
    function: Callable[..., Any], name: str, makes_constants: bool = False, *, is_composed: bool = False
) -> Callable[..., Any]:
    """Make the function that hands its Arrays to one of SciPy's: it has that one's signature and docstring, and a name to be counted by."""

    @functools.wraps(function)
    def passed(*args: Any, **kwargs: Any) -> Any:
        return _call(function, name, args, kwargs, makes_constants=makes_constants, reason=_COMPOSED if is_composed else _REASON)

    return passed


def _call(
    function: Callable[..., Any],
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    owner: Proxy | None = None,
    makes_constants: bool = False,
    reason: str = _REASON,
) -> Any:
    """
    Call one of SciPy's functions: on ndarrays for Arrays, with callbacks that compute where the data are; bring its results there.

    The device is that of the Arrays, else that of the proxy whose method this is, else the default one. Under a Neuron device the call is
    a fallback, unless it has no data and makes no arrays (functions that step by numbers have none), or makes constants of parameters, as
    the design of a filter does.
    """
    named = [*zip(_positional_names(function, len(args)), args, strict=True), *kwargs.items()]
    calls_back = any(key in CALLBACKS and has_callback(item) for key, item in named)
    data = [*leaves([item for key, item in named if not (key == "args" and calls_back)])]
    dtypes = dtypes_of(data)
    held = [item for item in data if isinstance(item, Held)]
    conversion = _conversion(data, dtypes, held if owner is None else [owner, *held])
    on_host = conversion.device is CPU
    counted = conversion.data or (calls_back and name not in OF_NUMBERS)
    if not on_host and counted:
        check_fallback(name, ", ".join(dict.fromkeys(map(str, dtypes))), reason)
    hosts = []
    for key, item in named:
        if key in _TARGETS and type(item) is np.ndarray and not on_host:
            raise Array._no_target(name, conversion.device)
        if calls_back and key in CALLBACKS:
            item = on_device(item, conversion, name in WRITING)
        hosts.append(item if key == "args" and calls_back else _given(key, item, conversion, calls_back))
    with calling(conversion):
        if conversion.narrow and calls_back and name.startswith("scipy.optimize."):
            arguments = {key: _widened(host) for (key, _), host in zip(named, hosts, strict=True)}
            result = call_from_there(function, (), with_gradient(name.rpartition(".")[2], arguments))
        else:
            result = call_from_there(function, hosts[: len(args)], dict(zip(kwargs, hosts[len(args) :], strict=True)))
    if conversion.narrow and is_lost_in_float32(name, result, bool(dict(named).get("analog", False))):
        conversion = dataclasses.replace(conversion, narrow=False)
    if not on_host and not (counted or makes_constants) and _has_arrays([result]):
        check_fallback(name, "", reason)
    for (key, item), host in zip(named, hosts, strict=True):
        if key in _TARGETS and type(item) is Array:
            if not on_host:
                item[...] = conversion.to_array(host)
            if result is host:
                return item
    return owner if owner is not None and result is owner._scipy else conversion.to_device(result)


def _has_arrays(items: Iterable[Any]) -> bool:
    return any(dtypes_of([item]) and not isinstance(item, np.generic) for item in leaves(items))


def _given(key: str, item: Any, conversion: Conversion, calls_back: bool) -> Any:
    """Make what SciPy is given for one argument."""
    if key == "workers" and calls_back and conversion.device is not CPU and isinstance(item, int) and item > 1:
        return in_threads(item)
    host = conversion.to_host(item)
    if key == "T" and type(item) is Array:
        return _evenly_spaced(host)
    return np.array(host) if key in _TARGETS and type(item) is Array and conversion.device is not CPU else host


def _evenly_spaced(times: Any) -> Any:
    """Give times that are evenly spaced but for their rounding to float32 as float64: SciPy refuses steps that differ by 1e-5."""
    if times.dtype != np.float32 or times.ndim != 1 or times.size < 3:
        return times
    exact = np.linspace(float(times[0]), float(times[-1]), times.size)
    return exact if np.all(np.abs(exact - times) <= 2 * np.spacing(np.abs(times).max())) else times


def _widened(host: Any) -> Any:
    """Have a method of optimisation compute in float64, which some of SciPy's demand; its function computes in float32."""
    return host.astype(np.float64) if isinstance(host, np.ndarray) and host.dtype == np.float32 else host


def _conversion(data: Iterable[Any], dtypes: list[DType], held: list[Any]) -> Conversion:
    """Decide where the results of a call go, and in which dtypes."""
    device: Device | None = None
    for item in data:
        if type(item) is Array or isinstance(item, SparseBase):
            device = Array._same_device(device, item._device)
    known = [item._conversion for item in held if item._conversion is not None]
    if device is None and known:
        device = known[0].device
    has_data = _has_arrays(data) or any(each.data for each in known)
    return Conversion.of(device or get_default_device(), dtypes, any(each.wide for each in known), _proxy, has_data)


def _known(proxy: Proxy) -> Conversion:
    """Give the conversion of what a proxy shows without a call of SciPy's: that of its data, else one for the default device."""
    return proxy._conversion or _conversion((), [], [])


def _positional_names(function: Callable[..., Any], count: int) -> list[str]:
    """Name the parameters that positional arguments are given for; empty strings where SciPy does not say."""
    if inspect.ismethod(function):
        names = _parameters(function.__func__)[1:]
    elif isinstance(getattr(function, "__self__", None), (ModuleType, type, type(None))):
        names = _parameters(function)
    else:  # a method in C, which the cache would keep with its object
        names = _parameters.__wrapped__(function)
    return [names[min(place, len(names) - 1)] if names else "" for place in range(count)]


@functools.cache  # reading a signature takes longer than many a call
def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of a function in C
        return ()
    return tuple([each.name for each in parameters if each.kind is not each.KEYWORD_ONLY and each.kind is not each.VAR_KEYWORD])


def _public_name(kind: type[Any]) -> str:
    """Name a class of SciPy's as users know it: without private modules."""
    return ".".join([part for part in kind.__module__.split(".") if not part.startswith("_")] + [kind.__name__])


class Proxy(Held):
    """
    An object of SciPy's that takes and gives Arrays.

    It passes for the original: by `isinstance`, by its attributes, its text and its docstring. ``p.scipy`` is that original.
    """

    __slots__ = ("__weakref__",)

    @property
    def scipy(self) -> Any:
        """SciPy's object."""
        return self._scipy

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._scipy, name)
        is_method = callable(value) and not isinstance(value, type) and not hasattr(value, "dtype") and hasattr(value, "__name__")
        if not is_method or name.startswith("__"):
            return _known(self).to_device(value)
        return functools.wraps(value)(_Method(_called, self, value, f"{_public_name(type(self._scipy))}.{name}"))

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._scipy, name, _known(self).to_host(value))

    def __delattr__(self, name: str) -> None:
        delattr(self._scipy, name)

    def __dir__(self) -> list[str]:
        return sorted({*dir(self._scipy), "scipy"})

    def __eq__(self, other: object) -> bool:
        return bool(self._scipy is (other._scipy if isinstance(other, Held) else other))

    def __hash__(self) -> int:
        return hash(self._scipy)

    def __repr__(self) -> str:
        return repr(self._scipy)

    def __str__(self) -> str:
        return str(self._scipy)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        known = self._conversion
        return _restored, (self._scipy, None if known is None else (str(known.device), known.wide, known.data))


class _Method(functools.partial[Any]):
    """A method of a proxy, with the attributes of SciPy's, as ``__func__``."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.args[1], name)


def _called(owner: Proxy, method: Callable[..., Any], name: str, /, *args: Any, **kwargs: Any) -> Any:
    if name in NATIVE:
        found = NATIVE[name](owner._scipy, _conversion((), [], [owner]), *args, **kwargs)
        if found is not NotImplemented:
            return owner if found is owner._scipy else found
    return _computed(owner, method, name, name, args, kwargs)


def _computed(owner: Proxy, method: Callable[..., Any], name: str, public: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a method: of a composition where there is one that takes the arguments, else SciPy's."""
    composition = method_of(name)
    if composition is None:
        return _call(method, public, args, kwargs, owner)
    found = run(composition, args, kwargs, owner._scipy)
    return _call(method, public, args, kwargs, owner, reason=_COMPOSED) if found is NotImplemented else found


def _restored(item: Any, state: tuple[str, bool, bool] | None) -> Any:
    """Make a proxy again of what was pickled."""
    if state is None:
        return _proxy(item, None)
    device, wide, data = state
    return _proxy(item, Conversion.of(parse_device(device), [], wide, _proxy, data))


def proxy_of(item: Any) -> Any:
    """Make the proxy of an object of a module of SciPy's: each call of its methods decides about device and dtypes anew."""
    return _proxy(item, None)


def _proxy(item: Any, conversion: Conversion | None) -> Any:
    """Make the proxy of an object."""
    kind: Any = type(item)
    made = object.__new__(_proxy_type(kind))
    object.__setattr__(made, "_scipy", item)
    object.__setattr__(made, "_conversion", conversion)
    return made


@functools.cache
def _proxy_type(kind: type[Any]) -> type[Proxy]:
    """Make the class of the proxies of one of SciPy's classes, with the operators that this one has."""
    makers = {f"__{name}__": _operator for name in _COMPUTE.split()} | {f"__{name}__": _look for name in _LOOK.split()}
    defined = {name for base in kind.__mro__ if base is not object for name in vars(base)}  # getattr finds what a metaclass has, too
    operators: dict[str, Any] = {name: maker(name) for name, maker in makers.items() if name in defined}
    if hasattr(kind, "__iter__"):
        operators["__iter__"] = _iterate
    if getattr(kind, "__hash__", None) is None:
        operators["__hash__"] = None
    passes_for = property(lambda self: kind)  # noqa: ARG005
    operators |= {"__slots__": (), "__doc__": _Docstring(kind), "__module__": __name__, "__class__": passes_for}
    return type(kind.__name__, (Proxy,), operators)


class _Docstring:
    """The docstring of a proxy's class, and of proxies: a distribution has one of its own."""

    def __init__(self, kind: type[Any]) -> None:
        self._kind: Final = kind

    def __get__(self, owner: Proxy | None, kind: type[Proxy]) -> str | None:
        doc: str | None = (self._kind if owner is None else owner._scipy).__doc__
        return doc


def _look(name: str) -> Callable[..., Any]:
    def look(self: Proxy, *args: Any) -> Any:
        conversion = _known(self)
        found = getattr(self._scipy, name)(*[conversion.to_host(item) for item in args])
        return self if found is self._scipy else conversion.to_device(found)

    return look


def _iterate(self: Proxy) -> Iterator[Any]:
    return map(_known(self).to_device, self._scipy)


def _operator(name: str) -> Callable[..., Any]:
    def operator(self: Proxy, *args: Any, **kwargs: Any) -> Any:
        kind = type(self._scipy)
        own = f"{_public_name(kind)}.{name}"
        return _computed(self, getattr(self._scipy, name), own, _public_name(kind) if name == "__call__" else own, args, kwargs)

    return operator


class ProxyClass:
    """
    A class of SciPy's whose instances, and those that its class methods make, are proxies.

    A class that is derived from it is derived from SciPy's, and gets ndarrays.
    """

    def __init__(self, kind: type[Any], module: str, composition: Callable[..., Any] | None = None) -> None:
        functools.update_wrapper(self, kind, updated=())
        self.__module__ = module
        self._kind: Final = kind
        self._composition: Final = composition

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Make an instance."""
        if self._composition is not None:
            found = composed_object(self._kind, self._composition, self._made, args, kwargs)
            if found is not NotImplemented:
                return found
        return self._made(*args, **kwargs)

    def _made(self, *args: Any, **kwargs: Any) -> Any:
        """Have SciPy make an instance."""
        reason = _REASON if self._composition is None else _COMPOSED
        return _call(self._kind, _public_name(self._kind), args, kwargs, reason=reason)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._kind, name)
        if name.startswith("__") or not inspect.isroutine(value):
            return value
        return pass_through(value, f"{_public_name(self._kind)}.{name}")

    def __getitem__(self, item: Any) -> Any:
        """Give the class with the types of its parts, for annotations."""
        return self._kind[item]

    def __or__(self, other: Any) -> Any:
        return self._kind | (other._kind if isinstance(other, ProxyClass) else other)

    def __ror__(self, other: Any) -> Any:
        return other | self._kind

    def __eq__(self, other: object) -> bool:
        """Tell whether it stands for the same class, which `x.__class__` is."""
        return self._kind is (other._kind if isinstance(other, ProxyClass) else other)

    def __hash__(self) -> int:
        return hash(self._kind)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type[Any]]:
        return (self._kind,)

    def __instancecheck__(self, item: object) -> bool:
        return isinstance(item, self._kind)

    def __subclasscheck__(self, kind: Any) -> bool:
        return issubclass(kind._kind if isinstance(kind, ProxyClass) else kind, self._kind)

    def __dir__(self) -> list[str]:
        return dir(self._kind)

    def __repr__(self) -> str:
        return f"<class '{self.__module__}.{self._kind.__name__}', a proxy of {_public_name(self._kind)}>"

    def __reduce__(self) -> str:
        return self._kind.__name__
