"""SciPy's modules with our functions in them, which take and give ndarrays as SciPy's do, but compute on Arrays."""

from __future__ import annotations

import builtins
import copy
import importlib
import sys
from collections.abc import Callable, Mapping
from functools import cache, wraps
from importlib.util import find_spec
from inspect import signature, unwrap
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

import trnarray

from ... import testing
from ..._passthrough.conversion import Held
from ..numpy_tests.modules import Modules, Swapped, importing

__all__ = ["PAIRS", "scipy_modules"]

PAIRS: Final[Mapping[str, Mapping[str, str]]] = {
    "linalg": {"scipy.linalg": "trnarray.scipy.linalg"},
    "sparse": {"scipy.sparse": "trnarray.scipy.sparse", "scipy.sparse.linalg": "trnarray.scipy.sparse.linalg"},
    **{
        names.partition(" ")[0]: {f"scipy.{name}": f"trnarray.scipy.{name}" for name in names.split()}
        for names in (
            "cluster cluster.hierarchy cluster.vq",
            "integrate",
            "interpolate",
            "ndimage",
            "optimize optimize.elementwise",
            "signal signal.windows",
            "spatial spatial.distance spatial.transform",
            "stats stats.contingency stats.mstats stats.qmc stats.sampling",
        )
    },
}
"""By subpackage of SciPy's, its modules and those of ours that take their places."""

_OWN: Final = ("linalg", "sparse")
"""Those of which the names are swapped that we have ourselves, and none that is passed through."""
_ASSERTIONS: Final = ("scipy._lib._array_api", "scipy._lib._array_api_no_0d")
_COMMON: Final = "scipy.stats.tests.common_tests"
_DTYPES: Final = f"?{np.typecodes['AllInteger']}efdFD"  # those of Arrays that NumPy's arrays have


@cache
def scipy_modules(subpackage: str) -> Modules:
    """
    Give the modules under SciPy's names that have ours.

    Functions are given Arrays for the ndarrays that they are called with, and ndarrays for the Arrays that they return, so that
    what tests do before and after is NumPy's. Classes are ours as they are, NumPy's assertions those of trnarray.testing, and SciPy's
    own ones compare ndarrays.

    Examples
    --------
    >>> import numpy as np
    >>> scipy_modules("linalg")["scipy"].linalg.det(np.eye(2))
    np.float64(1.0)
    """
    modules = Modules()
    for parent in ("numpy", "scipy"):
        modules[parent] = Swapped(parent, {}, modules)
    modules["numpy.testing"] = Swapped("numpy.testing", {name: getattr(testing, name) for name in testing.__all__}, modules)
    for name in filter(find_spec, _ASSERTIONS):
        assertions = {each: value for each, value in vars(importlib.import_module(name)).items() if each.startswith("xp_assert_")}
        modules[name] = Swapped(name, {each: _of_ndarrays(value) for each, value in assertions.items()}, modules)
    if subpackage == "stats":
        modules[_COMMON] = _common_tests(modules)
    # SciPy's tests look up there with what a function is to be tested.
    capabilities = getattr(importlib.import_module(_ASSERTIONS[0]), "xp_capabilities_table", {})
    for name, ours in PAIRS[subpackage].items():
        theirs, module = importlib.import_module(name), importlib.import_module(ours)
        names = module.__all__ if subpackage in _OWN else dir(module)
        values = {function: getattr(module, function) for function in names}
        functions = {function: _between(value) for function, value in values.items() if not isinstance(value, ModuleType)}
        modules[name] = sys.modules[_swapped(name)] = Swapped(name, functions, modules)
        for function, value in functions.items():
            if isinstance(value, FunctionType):
                value.__module__ = _swapped(name)  # to be found by pickle
            known = getattr(theirs, function, None)
            if known is value or not callable(known):
                continue
            modules.instead[known] = modules.instead[unwrap(known)] = value
            if known in capabilities:
                capabilities[value] = capabilities[known]
    return modules


def _swapped(name: str) -> str:
    return f"swapped_{name.replace('.', '_')}"


def _common_tests(modules: Modules) -> ModuleType:
    """Execute what tests of distributions have in common, with swapped modules; SciPy does not collect it as a module of tests."""
    spec = find_spec(_COMMON)
    assert spec is not None
    assert spec.origin is not None
    common = ModuleType(_COMMON)
    vars(common)["__builtins__"] = vars(builtins) | {"__import__": importing(modules)}
    # Results of ours have 16 bits where operands have.
    source = Path(spec.origin).read_text("utf-8").replace("np.float16, ", "")
    exec(compile(source, spec.origin, "exec"), vars(common))  # noqa: S102
    return common


def _between(value: Any) -> Any:
    """Make a function of ours one of ndarrays."""
    if type(value) is not FunctionType:
        return value
    function: Callable[..., Any] = value

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = [*map(_arrays, args)], {name: _arrays(one) for name, one in kwargs.items()}
        result = function(*given[0], **given[1])
        for array, made in zip([*args, *kwargs.values()], [*given[0], *given[1].values()], strict=True):
            if type(made) is trnarray.Array and made.device != "cpu" and array.flags.writeable:
                array[...] = np.asarray(made)  # it may be where results go; on the cpu its memory is shared
                result = array if result is made else result
        return _ndarrays(result)

    return call


def _of_ndarrays(assertion: Callable[..., Any]) -> Callable[..., Any]:
    """Give an assertion of SciPy's ndarrays for the Arrays that methods of our classes return, which are no scalars where those are."""
    tells = "check_0d" in signature(assertion).parameters

    @wraps(assertion)
    def check(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        if tells and any(isinstance(each, trnarray.Array) for each in args):
            kwargs["check_0d"] = False
        return assertion(*map(_ndarrays, args), **kwargs)

    return check


def _arrays(value: Any) -> Any:
    if type(value) is np.ndarray and value.dtype.char in _DTYPES and value.dtype.isnative:
        return trnarray.asarray(value)
    return tuple(map(_arrays, value)) if type(value) is tuple else value


def _ndarrays(value: Any) -> Any:
    if isinstance(value, trnarray.Array):
        host: np.ndarray[Any, Any] = np.asarray(value)
        return host if host.ndim else host[()]
    if type(value) is float:
        return np.float64(value)  # results are numbers of Python's on devices
    kind: Any = type(value)
    if issubclass(kind, Held):  # passes for a tuple where SciPy's is one
        return value
    if issubclass(kind, tuple):
        made = tuple.__new__(kind, map(_ndarrays, value))
    elif issubclass(kind, dict):
        made = copy.copy(value)
        made.update((name, _ndarrays(one)) for name, one in value.items())
    else:
        return [*map(_ndarrays, value)] if kind is list else value
    for name, one in getattr(value, "__dict__", {}).items():
        made.__dict__[name] = _ndarrays(one)
    return made
