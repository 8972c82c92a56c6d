"""Ordinary NumPy and SciPy programs with their imports swapped, held against themselves in float64, on the same data.

A program is a file with ``load(host)``, which makes its data with the module ``numpy``, and ``main(**data)``, which computes a dictionary
of results from them. It knows nothing of trnarray.

Programs are written for NumPy's default dtypes, so the suite runs them under ``defaults="numpy"``. Under ``"native"`` a program whose int32
overflow, or whose float32 are too short, is an expected failure, if NumPy is off by as much with the same defaults.
"""

from __future__ import annotations

import ast
import importlib
import time
import warnings
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Mapping
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

import trnarray as xp

from ...backends.device import CPU, Device
from ...backends.engine import engine_for
from ...backends.policy import FallbackError, HostTransferError
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "run", "swapped"]

# Relative to the largest element of a result: float32 data, a few thousand operations; float64 data that meet float32 constants of devices.
_TOLERANCE: Final = 2e-3
# Native defaults of devices, for NumPy's.
_NARROWER: Final[dict[Any, Any]] = {
    np.dtype(wide): np.dtype(narrow) for wide, narrow in (("i8", "i4"), ("u8", "u4"), ("f8", "f4"), ("c16", "c8"))
}  # fmt: skip
_REFUSALS: Final = (
    FallbackError, HostTransferError, TypeError, ValueError, AttributeError, ImportError, NotImplementedError, OverflowError,
)  # fmt: skip

_Results = Mapping[str, npt.NDArray[Any]]


class _Ran(NamedTuple):
    """What a program came to: results, or why not; and what it took."""

    results: _Results | None
    refusal: str
    seconds: float
    fallbacks: Counter[str]
    transfers: int
    launches: int
    compiled: int


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--programs", metavar="DIR", type=Path, help="the folder that holds the programs")
    parser.add_argument("--data", choices=("float32", "float64"), default="float32", help="dtype of the programs' real data")
    parser.add_argument("--fallback", choices=("allow", "error"), default="allow", help="the setting that the programs run under")
    parser.add_argument("--swap", choices=("imports", "arrays"), default="imports", help="what is ours: imports and data, or data alone")
    parser.add_argument("--defaults", choices=("native", "numpy"), default="numpy", help="the default dtypes of devices (default numpy)")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="programs by name, as in 'p1*'")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Run the programs; one that is refused is an expected failure with the reason, and one with other values a failure."""
    files = sorted(options.programs.glob("p*.py")) if options.programs else []
    if not files:
        raise SuiteError("suite 'programs' needs programs: give --programs DIR, a folder of files p*.py")
    report.figures.update(data=options.data, defaults=options.defaults)
    native = options.defaults == "native" and device is not CPU
    for file in files:
        if not fnmatch(file.stem, options.only):
            continue
        text = file.read_text(encoding="utf-8")
        wanted = _values(_module(text, str(file)), lambda module: _data(module, options.data, np.float64))
        with xp.config(fallback=options.fallback, host_transfer="allow", defaults=options.defaults):
            ran = _run(swapped(text) if options.swap == "imports" else text, str(file), device, options.data)
        if ran.results is None:
            report.figures[file.stem] = _figures(ran, "refused")
            report.add(file.stem, "xfailed", ran.refusal)
        else:
            error = _error(ran.results, wanted)
            report.figures[file.stem] = _figures(ran, f"error {error:.1e}")
            wrong = f"results are off by {error:.2g} of the largest element, and {_TOLERANCE:g} is allowed"
            if error <= _TOLERANCE:
                report.add(file.stem)
            elif native and _off_by_defaults(text, str(file), options.data, ran.results, wanted):
                report.add(file.stem, "xfailed", f"{wrong}; so is NumPy with int32 and float32 for defaults: use --defaults numpy")
            else:
                report.add(file.stem, "failed", wrong)


def swapped(text: str) -> str:
    r"""
    Import trnarray's modules where a program imports NumPy's and SciPy's, if ours has the names.

    Examples
    --------
    >>> print(swapped("import numpy as np\nfrom scipy.stats import qmc\nfrom scipy.special import expit"))
    import trnarray as np
    from trnarray.scipy.stats import qmc
    from trnarray.scipy.special import expit
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                alias.name = "trnarray" if alias.name == "numpy" else alias.name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "scipy":
            ours = f"trnarray.{node.module}"
            if all(_has(ours, alias.name) for alias in node.names):
                node.module = ours
    return ast.unparse(tree)


def _has(module: str, name: str) -> bool:
    try:
        return hasattr(importlib.import_module(module), name) or bool(importlib.import_module(f"{module}.{name}"))
    except ImportError:
        return False


def _module(text: str, name: str) -> ModuleType:
    module = ModuleType(Path(name).stem)
    exec(compile(text, name, "exec"), module.__dict__)  # noqa: S102  # the caller's programs
    return module


class _Narrow(np.ndarray[Any, Any]):
    """An ndarray with a device's native promotion: 64 bits arise from operands of 64 bits only."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: tuple[Any, ...] = (), **kwargs: Any) -> Any:
        plain, targets = ([each.view(np.ndarray) if isinstance(each, _Narrow) else each for each in group] for group in (inputs, out))
        if targets:
            kwargs["out"] = tuple(targets)
        return _narrowed(getattr(ufunc, method)(*plain, **kwargs), inputs + out)


class _NarrowNumPy(ModuleType):
    """NumPy with a device's native defaults: int32, float32 and complex64."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)
        if not callable(function) or isinstance(function, type):
            return function
        return lambda *args, **kwargs: _narrowed(function(*args, **kwargs), (*args, kwargs))


def _narrowed(result: Any, operands: tuple[Any, ...]) -> Any:
    """Make 64 bits 32 that neither an operand nor `dtype=` asks for."""
    if not isinstance(result, np.ndarray | np.generic):
        return result
    wide = any(getattr(each, "dtype", None) in _NARROWER or (isinstance(each, dict) and "dtype" in each) for each in operands)
    host = np.asarray(result)
    return (host if wide else host.astype(_NARROWER.get(host.dtype, host.dtype))).view(_Narrow)


def _off_by_defaults(text: str, name: str, data: str, results: _Results, wanted: _Results) -> bool:
    """Tell whether NumPy, too, is off where these results are, by native defaults: the same, or by a quarter as much or more."""
    module = _module(text, name)
    vars(module).update({each: _NarrowNumPy("numpy") for each, value in vars(module).items() if value is np})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            narrow = _values(module, lambda module: {name: _narrowed(value, (value,)) for name, value in _data(module, data).items()})
        except _REFUSALS:
            return False
    for each, right in wanted.items():
        (error, other), same = (_error({each: found[each]}, {each: right}) for found in (results, narrow)), {each: narrow[each]}
        if error > _TOLERANCE and _error({each: results[each]}, same) > _TOLERANCE and not (np.isfinite(error) and error <= 4 * other):
            return False
    return True


def _values(module: ModuleType, load: Callable[[ModuleType], Mapping[str, Any]]) -> _Results:
    """Run a program, and fetch its results as float64."""
    results = module.main(**load(module))
    return {name: _fetched(value) for name, value in results.items() if not name.startswith("_")}


def _data(module: ModuleType, dtype: str, computed: type[np.floating[Any]] | None = None) -> dict[str, Any]:
    """Load a program's data, and round what is real or complex to a precision; give that the precision in which is computed."""

    def rounded(value: Any) -> Any:
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "fc":
            return value
        parts = [np.dtype(one if value.dtype.kind == "f" else f"c{2 * np.dtype(one).itemsize}") for one in (dtype, computed or dtype)]
        return value.astype(parts[0]).astype(parts[1])

    return {name: rounded(value) for name, value in module.load(np).items()}


def _on(device: Device, data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: xp.asarray(value, device=device) if isinstance(value, np.ndarray) else value for name, value in data.items()}


def _fetched(value: Any) -> npt.NDArray[Any]:
    host = np.asarray(value.to_device("cpu") if isinstance(value, xp.Array) else value)
    return host.astype(np.complex128 if host.dtype.kind == "c" else np.float64)


def _run(text: str, name: str, device: Device, data: str) -> _Ran:
    xp.reset_coverage()
    engine: Any = engine_for(device)
    launcher = None if device is CPU else engine.launcher
    before = _launches(launcher)
    results, refusal, start = None, "", time.process_time()
    with warnings.catch_warnings(), xp.default_device(device):
        warnings.simplefilter("ignore")
        try:
            module = _module(text, name)
            results = _values(module, lambda module: _on(device, _data(module, data)))
        except _REFUSALS as error:
            refusal = f"{type(error).__name__}: {error}"
    seconds = time.process_time() - start
    told = xp.coverage()
    fallbacks = Counter[str]()
    for item in told.fallbacks:
        fallbacks[item.op] += item.calls
    launches, compiled = (after - earlier for after, earlier in zip(_launches(launcher), before, strict=True))
    return _Ran(results, refusal, seconds, fallbacks, sum(item.calls for item in told.transfers), launches, compiled)


def _launches(launcher: Any) -> tuple[int, int]:
    """Count a launcher's launches and the programs that it made."""
    return (0, 0) if launcher is None else (launcher.statistics.hits + launcher.statistics.misses, launcher.statistics.misses)


def _error(found: _Results, wanted: _Results) -> float:
    """Find the largest error relative to the largest element of its result."""
    worst = 0.0
    for name, right in wanted.items():
        mine = found[name]
        if mine.shape != right.shape:
            return np.inf
        if right.size:
            with np.errstate(invalid="ignore"):
                apart = np.where((mine == right) | (np.isnan(mine) & np.isnan(right)), 0, np.abs(mine - right))
            apart[np.isnan(apart)] = np.inf  # NaN in one of the two
            worst = max(worst, float(np.max(apart) / max(np.max(np.abs(right), where=np.isfinite(right), initial=0), 1e-300)))
    return worst


def _figures(ran: _Ran, outcome: str) -> str:
    most = ", ".join(f"{op} {count}" for op, count in ran.fallbacks.most_common(4)) or "none"
    return (
        f"{outcome}; {ran.launches} launches of {ran.compiled} programs; {ran.transfers} transfers; "
        f"{sum(ran.fallbacks.values())} fallbacks ({most}); {ran.seconds:.1f} s here"
    )
