"""Which names of SciPy are composed of trnarray's functions, and their calls."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

import numpy as np

from .._array import Array
from ..backends.device import CPU
from ..backends.dtypes import FLOAT16, FLOAT32, DType, is_low_precision
from ..backends.nesting import replace
from ..backends.settings import get_default_device
from .operands import LeftToScipyError

__all__ = ["MODULES", "composed", "composed_object", "composition_of", "method_names", "method_of", "run"]

MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    "cluster.vq": ("clusters",),
    "integrate": ("initial_value_problems", "integration"),
    "interpolate": ("fitpack", "grids", "interpolators", "piecewise_polynomials", "radial_basis", "splines"),
    "ndimage": ("generic_filters", "images", "measurements", "morphology"),
    "optimize": ("least_squares", "minimization", "optimization", "roots"),
    "signal": ("filter_responses", "peaks", "signal_transforms", "signals", "waveforms"),
    "spatial": ("distances",),
    "spatial.distance": ("distances",),
    "special": ("bessel_functions", "combinatorics"),
    "stats": (
        *("binned_statistics", "goodness_of_fit", "hypothesis_tests", "kernel_density", "moments", "rank_tests", "resampling"),
        *("sample_distributions", "trimmed_moments"),
    ),
}
"""The modules of this folder that compose functions and classes of a module of SciPy's."""
METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "scipy.interpolate.": ("piecewise_polynomials", "splines"),
    "scipy.signal.": ("signal_transforms",),
    "scipy.stats.": ("distributions", "draws_and_fits"),
}
"""The modules of this folder that compose methods of objects that SciPy makes, by how their names start."""


@functools.cache
def composition_of(module: str, name: str) -> Callable[..., Any] | None:
    """Find what composes a function of a module of SciPy's."""
    tables = [import_module(f"{__package__}.{each}").COMPOSITIONS for each in MODULES.get(module, ())]
    return next((table[name] for table in tables if name in table), None)


def method_of(name: str) -> Callable[..., Any] | None:
    """Find what composes a method of one of SciPy's classes, which is given the object first."""
    for start, modules in METHODS.items():
        for each in modules if name.startswith(start) else ():
            found: Callable[..., Any] | None = import_module(f"{__package__}.{each}").METHODS.get(name)
            if found is not None:
                return found
    return None


def method_names() -> set[str]:
    """List the classes of SciPy's with methods that are composed, by their public names."""
    return {name.rpartition(".")[0] for modules in METHODS.values() for each in modules
            for name in import_module(f"{__package__}.{each}").METHODS}  # fmt: skip


def composed(function: Callable[..., Any], compose: Callable[..., Any], passed: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function that composes on devices; `passed` gets what the composition leaves to SciPy, and what is on the cpu."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # of a function in C, as some are in older SciPy
        signature = inspect.signature(compose)
    own = inspect.signature(compose).parameters.values()
    # Older SciPy's functions take arguments by position that newer ones take by name, as compositions do.
    count = None if any(each.kind is each.VAR_POSITIONAL for each in own) else sum(each.kind <= each.POSITIONAL_OR_KEYWORD for each in own)
    names = [*signature.parameters]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError:  # SciPy's error is raised below
            return passed(*args, **kwargs)
        more = {} if count is None else dict(zip(names[count:], given.args[count:], strict=False))
        found = run(compose, given.args[:count], more | given.kwargs)
        return passed(*args, **kwargs) if found is NotImplemented else found

    call.passed = passed  # type: ignore[attr-defined]  # for what an object lacks that a composition made
    return call


def composed_object(
    kind: type[Any], compose: Callable[..., Any], original: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:  # fmt: skip
    """
    Make an object that computes on devices; NotImplemented for what SciPy computes.

    What it lacks it asks the object of SciPy's that `original` makes.
    """
    try:
        inspect.signature(kind).bind(*args, **kwargs)
    except TypeError:
        return NotImplemented
    if any(is_low_precision(dtype) or dtype == FLOAT16 for dtype in _dtypes((args, kwargs))):
        return NotImplemented
    return run(compose, args, kwargs, functools.partial(original, *args, **kwargs))


def _has_samples(items: list[Any]) -> bool:
    """Tell whether there are samples among arguments, or functions of such: of numbers alone SciPy makes a number of its own."""
    return any(isinstance(item, (list, tuple, np.ndarray)) or inspect.isroutine(item) for item in items)


def _dtypes(items: Any) -> set[DType]:
    found: set[DType] = set()
    replace([*items[0], *items[1].values()], Array, lambda x: found.add(x.dtype))
    return found


def run(compose: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], *first: Any) -> Any:
    """
    Compose a function for Arrays on a Neuron device; NotImplemented for what SciPy computes. What is `first` comes before the arguments.

    Floating Arrays of 16 bits or fewer are computed in float32, and the results rounded once.
    """
    device = Array._device_among([args, kwargs])
    known = device is not None or _has_samples([*args, *kwargs.values()]) or hasattr(compose, "makes_samples")
    if (get_default_device() if device is None else device) is CPU or not known:
        return NotImplemented
    low: set[DType] = set()
    wide: set[DType] = set()

    def widened(x: Any) -> Any:
        is_low = is_low_precision(x.dtype) or x.dtype == FLOAT16
        (low if is_low else wide if x.dtype.kind in "fc" else set()).add(x.dtype)
        return x.astype(FLOAT32) if is_low else x

    args, kwargs = replace(args, Array, widened), {key: replace(item, Array, widened) for key, item in kwargs.items()}
    try:
        found = compose(*first, *args, **kwargs)
    except LeftToScipyError:
        return NotImplemented
    if len(low) != 1 or wide:
        return found
    return _rounded(found, *low)


def _rounded(found: Any, dtype: DType) -> Any:
    """Round the Arrays of a result, also those in tuples and in their attributes."""
    if type(found) is Array:
        return found.astype(dtype) if found.dtype == FLOAT32 else found
    if isinstance(found, dict):  # as SciPy's OptimizeResult
        for key, each in found.items():
            found[key] = _rounded(each, dtype)
        return found
    if isinstance(found, tuple):
        made: Any = tuple.__new__(type(found), [_rounded(each, dtype) for each in found])
        for key, each in getattr(found, "__dict__", {}).items():
            made.__dict__[key] = _rounded(each, dtype)
        return made
    return found
