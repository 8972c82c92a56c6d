"""What is called: every function of our namespaces, methods of our classes, operators, and NumPy's functions with Arrays."""

from __future__ import annotations

import functools
import inspect
import operator
import random
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple

import numpy as np

from .arguments import ARRAYS, Value
from .side import Side

__all__ = ["Target", "targets"]

# Ours, and theirs.
_NAMESPACES: Final = (
    ("trnarray", "numpy"),
    ("trnarray.linalg", "numpy.linalg"),
    ("trnarray.fft", "numpy.fft"),
    ("trnarray.random", "numpy.random"),
    ("trnarray.emath", "numpy.lib.scimath"),
    ("trnarray.lib.stride_tricks", "numpy.lib.stride_tricks"),
    ("trnarray.lib.array_utils", "numpy.lib.array_utils"),
    ("trnarray.testing", "numpy.testing"),
    ("trnarray.special", "scipy.special"),
    ("trnarray.scipy.fft", "scipy.fft"),
    ("trnarray.scipy.linalg", "scipy.linalg"),
    ("trnarray.scipy.signal", "scipy.signal"),
    ("trnarray.scipy.sparse", "scipy.sparse"),
    ("trnarray.scipy.sparse.linalg", "scipy.sparse.linalg"),
    # NumPy's own functions, which hand Arrays over.
    ("numpy", "numpy"),
    ("numpy.linalg", "numpy.linalg"),
    ("numpy.fft", "numpy.fft"),
    ("numpy.lib.stride_tricks", "numpy.lib.stride_tricks"),
)
_WITH_METHODS: Final = (
    *("add", "subtract", "multiply", "maximum", "logical_or", "bitwise_xor", "divmod", "sin", "matmul", "ldexp", "betainc", "erf"),
)
_UFUNC_METHODS: Final = ("reduce", "accumulate", "reduceat", "outer", "at")
# A function of these would end the process, wait for a person, or change what the worker itself rests on.
_LEFT_OUT: Final = frozenset({"trnarray.set_default_device", "numpy.test", "numpy.info", "numpy.show_config", "numpy.show_runtime"})
_CRASHING: Final = "ml_dtypes"
"""Whose scalar types crash where they are called with text."""


class Target(NamedTuple):
    """
    Something to call.

    Attributes
    ----------
    name : str
        In reports.
    ours, theirs : callable or None
        Get what is called on either side, of the receiver if there is one; the latter is None where NumPy has nothing of the name.
    parameters : tuple of inspect.Parameter
        Its parameters, that of the receiver left out.
    receivers : tuple of Value
        Objects of which it is a method.
    sparse : bool
        Whether matrices are sparse for it.
    """

    name: str
    ours: Callable[[Any], Any]
    theirs: Callable[[Any], Any] | None
    parameters: tuple[inspect.Parameter, ...]
    receivers: tuple[Value, ...] = ()
    sparse: bool = False


@functools.cache
def targets() -> list[Target]:
    """List what is called."""
    found = {target.name: target for target in (*_functions(), *_methods(), *_operators())}
    return [found[name] for name in sorted(found, key=lambda name: (random.Random(name).random(), name))]


def _constant(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


def _parameters(function: Any, leave: int = 0) -> tuple[inspect.Parameter, ...]:
    try:
        return tuple(inspect.signature(function).parameters.values())[leave:]
    except (ValueError, TypeError):  # of a class in C, as most exceptions are
        return (inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY),)


def _functions() -> Iterator[Target]:
    for ours, theirs in _NAMESPACES:
        mine, other = import_module(ours), import_module(theirs)
        for name in getattr(mine, "__all__", dir(mine)):
            function, model = getattr(mine, name), getattr(other, name, None)
            path = f"{ours}.{name}"
            wanted = _is_overridable(function) if ours == theirs else _is_ours(function, model)
            if not callable(function) or path in _LEFT_OUT or not wanted:
                continue
            yield Target(path, _constant(function), model and _constant(model), _parameters(function), sparse=".sparse" in ours)
            if hasattr(function, "reduceat") and name in _WITH_METHODS:
                for method in _UFUNC_METHODS:
                    bound, theirs_bound = getattr(function, method), getattr(model, method, None)
                    yield Target(f"{path}.{method}", _constant(bound), theirs_bound and _constant(theirs_bound), _ufunc_parameters(method))


def _is_ours(function: Any, model: Any) -> bool:
    """Tell whether a function or class is no other library's, and no exception."""
    is_error = isinstance(function, type) and issubclass(function, BaseException)
    return function is not model and not is_error and getattr(function, "__module__", "") != _CRASHING


def _is_overridable(function: Any) -> bool:
    return isinstance(function, np.ufunc) or hasattr(function, "_implementation")


def _ufunc_parameters(method: str) -> tuple[inspect.Parameter, ...]:
    from ...ufunc import ufunc

    return _parameters(getattr(ufunc, method), 1)


def _random(kind: str) -> tuple[Value, ...]:
    make: dict[str, Callable[[Side], Any]] = {
        "Generator": lambda s: s.random.default_rng(7),
        "RandomState": lambda s: s.random.RandomState(7),
    }
    return (Value(kind, make[kind]),)


def _sparse(kind: str) -> tuple[Value, ...]:
    def make(side: Side) -> Any:
        return getattr(side.sparse(np.array([[4.0, 1, 0], [0, 5, 2]], "f4")), f"to{kind}")()

    return (Value(f"{kind}_array", make),)


def _methods() -> Iterator[Target]:
    import trnarray
    import trnarray.scipy.sparse as sparse

    classes: list[tuple[Any, tuple[Value, ...], bool]] = [
        (trnarray.Array, tuple(value for value in ARRAYS if "[" in value.text[:6]), False),
        (trnarray.random.Generator, _random("Generator"), False),
        (trnarray.random.RandomState, _random("RandomState"), False),
        (trnarray.poly1d, (Value("poly1d", lambda s: s.module.poly1d(s.array(np.array([1.0, 2.0], "f4")))),), False),
        *((getattr(sparse, f"{kind}_array"), _sparse(kind), True) for kind in ("csr", "csc", "coo", "dia", "bsr")),
    ]
    for kind, receivers, is_sparse in classes:
        for name in dir(kind):
            method = getattr(kind, name)
            if name[0] == "_" or name in ("tofile", "to_scipy") or not callable(method):
                continue
            get = operator.attrgetter(name)
            yield Target(f"{kind.__name__}.{name}", get, get, _parameters(method, 1), receivers, is_sparse)


def _set(name: str) -> Callable[[Any, Any], Any]:
    def call(a: Any, value: Any) -> Any:
        setattr(a, name, value)
        return a

    return call


def _set_item(a: Any, key: Any, value: Any) -> Any:
    a[key] = value
    return a


def _set_flat(a: Any, key: Any, value: Any) -> Any:
    a.flat[key] = value
    return a


def _parameter(name: str) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY)


def _operators() -> Iterator[Target]:
    binary = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift")
    comparisons = ("eq", "ne", "lt", "le", "gt", "ge")
    for name in (*binary, *(f"i{name.strip('_')}" for name in binary), *comparisons, "getitem", "contains", "delitem"):
        function = getattr(operator, name)
        for shown, order in ((name, ("a", "key")), (f"r{name}", ("key", "a"))):
            if shown[0] != "r" or name in binary:
                yield Target(f"operator.{shown}", _constant(function), _constant(function), tuple(map(_parameter, order)))
    for name in ("neg", "pos", "abs", "invert", "index", "length_hint"):
        function = getattr(operator, name)
        yield Target(f"operator.{name}", _constant(function), _constant(function), (_parameter("a"),))
    builtins: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
        **{kind.__name__: (kind, ("a",)) for kind in (int, float, complex, bool, list, tuple, bytes, str, repr, hash, len, iter, reversed)},
        "setitem": (_set_item, ("a", "key", "value")),
        "divmod": (divmod, ("a", "b")),
        "pow": (pow, ("a", "b", "c")),
        "round": (round, ("a", "n")),
        "format": (format, ("a", "spec")),
        "range": (range, ("a", "b")),
        "isinstance": (isinstance, ("a", "kind")),
        **{f"a.{name} =": (_set(name), ("a", "value")) for name in ("shape", "dtype", "strides", "real", "imag", "flat", "T", "nonsense")},
        "a.flat[]": (lambda a, key: a.flat[key], ("a", "key")),
        "a.flat[] =": (_set_flat, ("a", "key", "value")),
        "a.__array__": (lambda a, dtype: a.__array__(dtype), ("a", "dtype")),
        "a.__dlpack__": (lambda a, stream: a.__dlpack__(stream=stream), ("a", "value")),
    }
    for name, (function, names) in builtins.items():
        yield Target(f"builtins.{name}", _constant(function), _constant(function), tuple(map(_parameter, names)))
    sparse = ("add", "sub", "mul", "truediv", "matmul", "pow", "eq", "lt", "ge", "getitem")
    for name in sparse:
        function = getattr(operator, name)
        yield Target(f"sparse.{name}", _constant(function), _constant(function), (_parameter("A"), _parameter("B")), sparse=True)
